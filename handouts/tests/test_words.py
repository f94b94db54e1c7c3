"""Every name that the tool prints in a usual check or explain is explained in Reference, or in the handout on programs."""

import json
import os
import re
import subprocess
import sys
import unittest

from handouts.clone import binary
from handouts.document import FOLDER, ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

WORDS = "".join((FOLDER / name).read_text(encoding="utf-8") for name in ("reference.md", "first_program.md"))
MEASURES = ("_per_request", "_over_ideal")  # which the table explains once for all counters


def is_explained(name):
    """In the first column of a table, by itself or as a counter with a measure."""
    for measure in MEASURES:
        if name.endswith(measure):
            return f"| `...{measure}` |" in WORDS and is_explained(name.removesuffix(measure))
    space = re.sub(r"_(requests|sectors|wavefronts)$", "", name)
    return f"| `{name}` |" in WORDS or re.search(rf"(?m)^\| `{space}_\w+`, ", WORDS) is not None


class Words(unittest.TestCase):
    def test_the_left_sides_of_rules(self):
        names = set()
        for path in (ROOT / "assignments").glob("*/assignment.toml"):
            for stage in tomllib.loads(path.read_text(encoding="utf-8"))["stage"]:
                names |= {rule["expect"].split()[0] for rule in stage.get("rule", [])}
        self.assertGreater(len(names), 10)
        self.assertEqual([name for name in sorted(names) if not is_explained(name)], [])

    def test_a_name_that_nobody_explains_would_be_seen(self):
        for name in ("warp_smiles", "local_load_sectors_per_request"):
            self.assertFalse(is_explained(name), name)

    @unittest.skipUnless(binary().exists(), f"{binary().name} is not built")
    def test_what_warps_wait_for(self):
        names = set()
        for file in ("transpose/1_naive_read.cu", "transpose/3_corner_turning.cu", "reduction/5_unrolled.cu"):
            answer = subprocess.run([binary(), "explain", "--format", "json", str(ROOT / "solutions" / file)], text=True,
                                    capture_output=True, env=dict(os.environ, WARPGRADE_ROOT=str(ROOT)), check=True)
            names |= set(json.loads(answer.stdout)["stages"][0]["time"]["stalls"])
        self.assertGreater(len(names), 5)
        self.assertEqual([name for name in sorted(names) if not is_explained(name)], [])


if __name__ == "__main__":
    unittest.main()
