#!/usr/bin/env python3
"""What every solution earns where another stage asks for another technique, in per cent of the stage's points.

    python3 grader/bench/matrix.py BUILD [ASSIGNMENT...]     BUILD: a release build with warpgrade-bin

More than 50 is an error, but where the stage's also_passes names the other one: `verify` holds the rules to that, this prints
the marks themselves. Rows are solutions, columns the stages that they are handed in for.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def stages_of(assignment):
    """id -> (problem, names of also_passes, whether it has rules)"""
    text = (ROOT / "assignments" / assignment / "assignment.toml").read_text()
    head, *parts = text.split("[[stage]]")
    own = re.search(r'(?m)^problem = "(\w+)"', head)
    stages = {}
    for part in parts:
        problem = re.search(r'(?m)^problem = "(\w+)"', part) or own
        also = re.search(r"(?m)^also_passes = \[(.*)\]", part)
        points = sum(float(number) for number in re.findall(r"= ([0-9.]+)", (re.search(r"(?m)^points = \{(.*)\}", part) or [0, ""])[1]))
        stages[re.search(r'(?m)^id = "(\w+)"', part)[1]] = (problem[1], re.findall(r"\w+", also[1]) if also else [],
                                                           "[[stage.rule]]" in part and points > 0, "types" in part)
    return stages


def share(program, path, stage):
    done = subprocess.run([program, "check", path, "--stage", stage, "--format", "json"], capture_output=True, text=True,
                          env=dict(os.environ, WARPGRADE_ROOT=str(ROOT)))
    score = json.loads(done.stdout)["stages"][0]["score"]
    return 100 * score["total"] / score["max"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("assignment", nargs="*")
    chosen = parser.parse_args()
    program = chosen.build / "grader" / "warpgrade-bin"
    wrong = 0
    for assignment in chosen.assignment or ["transpose", "reduction", "stencil", "scan", "histogram"]:
        stages = stages_of(assignment)
        files = {path.stem.split("_", 1)[1]: path for path in sorted((ROOT / "solutions" / assignment).glob("[0-9]*.cu"))}
        asked = [name for name, (_, _, has_rules, _) in stages.items() if has_rules]
        print(f"\n{assignment}\n\n| solution | " + " | ".join(asked) + " |\n|---|" + "--:|" * len(asked))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for name, path in files.items():
                pairs = [target for target in asked if target != name and stages[target][0] == stages[name][0]
                         and stages[target][3] == stages[name][3]]
                found = dict(zip(pairs, pool.map(lambda target, own=path: share(program, own, f"{assignment}/{target}"), pairs)))
                wrong += sum(value > 50.005 and name not in stages[target][1] for target, value in found.items())
                cells = ["own" if target == name else "" if target not in found
                         else f"{found[target]:.0f}" + (" (listed)" if name in stages[target][1] else "") for target in asked]
                print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print(f"\n{wrong} above the half")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
