#!/usr/bin/env python3
"""grader/lab/proof/reader_programs.py [NAME ...] [--program P]: programs that a second reader of grader/proof wrote to be
proved wrongly, and right ones beside them.

Each says which row it breaks, and at which shape; "" is a right program, or one of which only the rows say what it does. It
is a defect if that row is proved: then the name is printed, and the exit code is 1. Prints how far each of them gets."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from reader_table import PROGRAMS  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]


def proved(program, text, stage):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.cu"
        path.write_text(text)
        run = subprocess.run([program, "explain", "--proof", "--format", "json", path, "--stage", stage], stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, env=os.environ | {"WARPGRADE_ROOT": str(ROOT)})
    claims = json.loads(run.stdout)["proof"] if run.stdout.startswith("{") and "proof" in run.stdout else []
    rows = [{row["name"] for row in claim.get("obligations", []) if row["proved"]} for claim in claims]
    return set.intersection(*rows) if rows else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--program", default=str(ROOT / "build/release/grader/warpgrade-bin"))
    options = parser.parse_args()
    wrong = 0
    for name, stage, why, row, _, text in PROGRAMS:
        if options.names and name not in options.names:
            continue
        held = proved(options.program, text, stage)
        is_false = bool(held) and row in held
        wrong += is_false
        print(f"{'FALSE ' if is_false else ''}{name}: {why}: {'not asked' if held is None else f'{len(held)} rows'}", flush=True)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
