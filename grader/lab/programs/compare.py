#!/usr/bin/env python3
"""Two programs, one corpus: grader/lab/programs/compare.py [OTHER] [--every N] [--from K] [--pairs N]

Checks each program of the corpus (solutions, stubs, grader/tests/submissions, grader/tests/mistakes) with the built
program and with OTHER, by default build/programs/MACHINE/warpgrade-bin, on the virtual GPU. The exit codes and the JSON
must be the same, byte by byte, but for the seconds that it took and the commit. Prints the files of which they are not,
with the first difference, and ends with 1. --every N takes each Nth file, from the Kth on.

--pairs N measures instead: each file N times with both programs in turn, after one check that fills the cache of PTX.
Prints the user's processor time of a check with the built one, and OTHER's over it: the median of the file's pairs."""

import argparse
import csv
import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILT = ROOT / "build/release/grader/warpgrade-bin"
MEASURED = re.compile(rb'("compile": \{[^{}]*?"seconds": |"(?:compiling|on_virtual_gpu|on_card|timing)": )[0-9.e+-]+')


def corpus():
    """(file, stage or "", shape or "")"""
    for folder in ("solutions", "assignments"):
        for path in sorted(ROOT.glob(f"{folder}/*/[0-9]*_*.cu")):
            yield path, f"{path.parent.name}/{path.stem.split('_', 1)[1]}", ""
    for path in sorted(ROOT.glob("grader/tests/submissions/*/*.cu")):
        stage = re.search(r"(?m)^// stage: (\S+)", path.read_text(encoding="utf-8", errors="replace"))
        if stage:
            yield path, stage[1], ""
    with open(ROOT / "grader/tests/mistakes/table.tsv", newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield ROOT / "grader/tests/mistakes" / row["file"], row["stage"], row["shape"] or ""


def said(program, path, stage, shape, cache):
    command = [program, "check", path, "--stage", stage, "--device", "virtual", "--seed", "1", "--format", "json"]
    done = subprocess.run([*command, *(["--shape", shape] if shape else [])], capture_output=True, cwd=ROOT, timeout=900,
                          env={**os.environ, "WARPGRADE_ROOT": str(ROOT), "XDG_CACHE_HOME": cache, "NO_COLOR": "1"})
    said_by = re.sub(rb'("git": ")[0-9a-f]*', rb"\g<1>", done.stdout)  # they may be of two commits
    return done.returncode, MEASURED.sub(rb"\g<1>0", said_by), done.stderr


def first_difference(one, other, place=""):
    """Where two JSON values differ first, and how."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [*one, *(key for key in other if key not in one)]
        return next(filter(None, (first_difference(one.get(key), other.get(key), f"{place}.{key}") for key in keys)), None)
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return next(filter(None, (first_difference(a, b, f"{place}[{i}]") for i, (a, b) in enumerate(zip(one, other)))), None)
    return None if one == other else f"{place}: {json.dumps(one)[:300]} | {json.dumps(other)[:300]}"


def difference(one, other):
    if one[0] != other[0]:
        return f"exit code {one[0]} | {other[0]} {other[2].decode(errors='replace')[-300:]}"
    try:
        return first_difference(json.loads(one[1]), json.loads(other[1])) or "the same values, other bytes"
    except ValueError:
        return f"{one[1][-200:]} {one[2][-200:]} | {other[1][-200:]} {other[2][-200:]}"


def seconds(program, *words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    said(program, *words)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def measure(files, other, pairs, cache):
    """The median over the files of each file's median."""
    medians = []
    for path, *words in files:
        for program in (BUILT, other):
            seconds(program, path, *words, cache)
        times = [(seconds(BUILT, path, *words, cache), seconds(other, path, *words, cache)) for _ in range(pairs)]
        medians.append(statistics.median(theirs / ours for ours, theirs in times))
        print(f"{statistics.median(ours for ours, _ in times):6.2f} s  {medians[-1]:.3f}  {path.relative_to(ROOT)}", flush=True)
    print(f"{statistics.median(medians):.3f} is the median of {len(medians)} files, {min(medians):.3f} the least, "
          f"{max(medians):.3f} the most")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("other", nargs="?", default=ROOT / "build/programs" / platform.machine() / "warpgrade-bin")
    arguments.add_argument("--every", type=int, default=1)
    arguments.add_argument("--from", type=int, default=0, dest="first")
    arguments.add_argument("--pairs", type=int, default=0)
    options = arguments.parse_args()
    files = list(corpus())[options.first::options.every]
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="warpgrade-compare-") as cache:
        if options.pairs:
            measure(files, options.other, options.pairs, cache)
            return 0
        for number, (path, stage, shape) in enumerate(files, 1):
            one, other = (said(program, path, stage, shape, cache) for program in (BUILT, options.other))
            if one[:2] != other[:2]:
                wrong += 1
                print(f"{path.relative_to(ROOT)}: {difference(one, other)}", flush=True)
            if number % 50 == 0:
                print(f"{number} of {len(files)}", file=sys.stderr, flush=True)
    print(f"{len(files) - wrong} of {len(files)} the same")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
