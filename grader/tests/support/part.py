"""A run of the tests takes one part of many like cases; which one, the commit decides (launch/test.sh), so that one run
after the other takes all. WARPGRADE_ALL=1: every case. support/sample.hpp is the same for C++."""

import os
import sys

IS_ALL = bool({"WARPGRADE_ALL", "WARPGRADE_BLESS"} & set(os.environ))


def part_of(cases, parts, what):
    """One of `parts` parts of the list `cases`, at least one case; prints which part of `what` it is."""
    cases = list(cases)
    if IS_ALL or parts < 2 or len(cases) < 2:
        return cases
    parts = min(parts, len(cases))
    which = int(os.environ.get("WARPGRADE_PART", "0")) % parts
    print(f"{what}: part {which + 1} of {parts}; WARPGRADE_ALL=1 takes all {len(cases)}", file=sys.stderr)
    return cases[which::parts]
