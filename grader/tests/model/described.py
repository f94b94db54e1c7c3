#!/usr/bin/env python3
"""Solutions of the assignments that the time model was not made with, modelled beside what `warpgrade calibrate` measured.

    python3 grader/tests/model/described.py > grader/tests/model/h200/described.md
"""
import json
import os
import pathlib
import statistics
import subprocess
import tomllib

import predictions

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build/release/grader")) / "warpgrade-bin"
PROFILE = ROOT / "grader/profiles/h200.toml"


def modelled(source):
    """{class: GB/s}"""
    done = subprocess.run([BINARY, "check", source, "--device", "virtual", "--format", "json"], capture_output=True, text=True, check=False,
                          env=dict(os.environ, WARPGRADE_ROOT=str(ROOT)), cwd=ROOT)
    stage = json.loads(done.stdout)["stages"][0]
    return {row["class"]: row["gb_per_s"] for row in stage["bandwidth_by_class"]}


def measured():
    """{stage: {class: its row of the profile}}"""
    found = {}
    for row in tomllib.loads(PROFILE.read_text())["reference"]:
        found.setdefault(row["stage"], {})[row["class"]] = row
    return found


def errors_of(source):
    """(class, its measured row, modelled GB/s, error of the time) for each class that is modelled"""
    rows = measured()[f"{source.parent.name}/{source.stem.split('_', 1)[1]}"]
    for name, rate in modelled(source).items():
        if name in rows:
            yield name, rows[name], rate, rows[name]["gb_per_s"] / rate - 1


def main():
    print("# Solutions of stencil, scan and histogram: modelled and measured on the H200\n")
    print("Made by `python3 grader/tests/model/described.py`. Measured by `warpgrade calibrate` on 2026-11-23 (profiles/h200.toml). No parameter is "
          "fitted to it; the errors of the histograms showed that the model lacked atomics by turns and matches by values.\n")
    print("| stage | class | shape | measured GB/s | modelled GB/s | error of the time |\n|---|---|---|--:|--:|--:|")
    errors = {}
    for assignment in ("stencil", "scan", "histogram"):
        for source in sorted((ROOT / "solutions" / assignment).glob("[0-9]*.cu")):
            for name, row, rate, error in errors_of(source):
                errors.setdefault(assignment, []).append(error)
                print(f"| {row['stage']} | {name} | {row['shape']} | {row['gb_per_s']:.0f} | {rate:.0f} | {100 * error:+.0f} % |")
    print("\n| assignment | rows | mean error | median | nine of ten within |\n|---|--:|--:|--:|--:|")
    for name, found in [*errors.items(), ("all", [e for some in errors.values() for e in some])]:
        size = [abs(e) for e in found]
        print(f"| {name} | {len(size)} | {100 * statistics.mean(size):.0f} % | {100 * statistics.median(size):.0f} % | "
              f"{100 * predictions.quantile(size, 0.9):.0f} % |")


if __name__ == "__main__":
    main()
