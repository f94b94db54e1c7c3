#!/usr/bin/env python3
"""grader/lab/proof/refuted_programs.py [options]: wrong programs through `explain --proof`. How many get a shape at which they
fail, found by the proof and run, and is that shape smaller, or larger, than any that `check` runs?

The programs are those of solutions/*/wrong, of grader/tests/mistakes, and the wrong ones of grader/tests/submissions. Prints a
table, and writes one line for each program to --out."""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mutants"))
import mutants as others  # noqa: E402

ROOT = others.ROOT


def ask(program, *words):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([program, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=folder,
                             env=os.environ | {"WARPGRADE_ROOT": str(ROOT), "TMPDIR": folder})
    try:
        return json.loads(run.stdout)
    except ValueError:
        return {}


def source_of(path):
    parent = path.parent.name
    return "solutions/*/wrong" if parent == "wrong" else "mistakes" if parent == "mistakes" else f"submissions/{parent}"


def elements(shape, count):
    return math.prod(shape[:count])


def look_at(program, path, stage):
    """(verdict, shape or "")"""
    result = ask(program, "check", "--format", "json", "--device", "virtual", path, "--stage", stage)
    if not result.get("stages") or not result["stages"][0]["compile"]["ok"]:
        return "does not compile", ""
    cases = result["stages"][0]["correctness"]["cases"]
    failing = [case["shape"] for case in cases if case["verdict"] not in ("pass", "skipped")]
    proof = ask(program, "explain", "--proof", "--format", "json", path, "--stage", stage).get("proof", [])
    found = next((one for one in proof if "refuted" in one), None)
    if found is None:
        whole = bool(proof) and all(one["whole"] for one in proof)
        return ("proved whole" if whole else "no shape found") + (", right on all shapes" if not failing else ""), ""
    shape = [int(extent) for extent in found["refuted"]["shape"].split(",")[0].split(" ")[::2] if extent.isdigit()]
    size, sizes = elements(shape, len(shape)), [elements(case["shape"], len(shape)) for case in cases]
    at = found["refuted"]["shape"]
    if not failing:
        return "right in `check`, refuted", at
    if size < min((one for one in sizes if one > 0), default=0):
        return "refuted, smaller than all of `check`", at
    if size > max(sizes):
        return "refuted, larger than all of `check`", at
    smallest = min(elements(one, len(shape)) for one in failing)
    return ("refuted, smaller than all that fail" if size < smallest else
            "refuted, as small as the smallest that fails" if size == smallest else "refuted, larger than one that fails"), at


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=1e9, help="no new programs after these")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--every", type=int, default=1, help="only each so-and-so-manieth program")
    parser.add_argument("--program", default=str(ROOT / "build/release/grader/warpgrade-bin"))
    parser.add_argument("--out", default="")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    programs = [(path, stage) for path, stage in others.bases()
                if not stage.startswith("first_program/")
                and (path.parent.name in ("wrong", "mistakes") or path.parent.parent.name == "submissions" and path.parent.name != "pass")]
    programs, begun, counts = programs[::options.every], time.monotonic(), collections.defaultdict(collections.Counter)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def run(one):
            return (one, look_at(program, *one)) if time.monotonic() - begun < options.seconds else None
        for done in filter(None, pool.map(run, programs)):
            (path, stage), (verdict, shape) = done
            counts[verdict][source_of(path)] += 1
            if options.out:
                with open(options.out, "a") as out:
                    out.write(f"{path.relative_to(ROOT)}\t{stage}\t{verdict}\t{shape}\n")
    for verdict, by_source in sorted(counts.items(), key=lambda row: -row[1].total()):
        print(f"{by_source.total():6} {verdict:48} " + ", ".join(f"{source} {count}" for source, count in by_source.most_common()))
    print(f"{sum(one.total() for one in counts.values()):6} programs of {len(programs)}, {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
