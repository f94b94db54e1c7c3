#!/usr/bin/env python3
"""How long `check` takes: of every solution, and of every file of the corpus and of the mistakes. Prints the slowest.
Each is compiled anew; the stage's solution, which a check compares with, was checked before.

    python3 grader/bench/checks.py BUILD [--rows N] [--jobs N]     BUILD: a release build with warpgrade-bin

CPU time, of the program and all that it starts; the wall time besides, where nothing else runs at the same time.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def stage_of(path):
    text = path.read_text(errors="replace")
    if match := re.match(r"// stage: (\S+)", text):
        return match[1]
    if match := re.match(r"// expect: stage=(\S+)", text):
        return f"{path.parent.parent.name}/{match[1]}"
    if path.parent.name == "mistakes":
        return "/".join(path.stem.split("__")[:2])
    return f"{path.parent.name}/{path.stem.split('_', 1)[1]}"


def taken(program, path, cache):
    command = [program, "check", path, "--stage", stage_of(path)]
    environment = dict(os.environ, WARPGRADE_ROOT=str(ROOT), WARPGRADE_CACHE=cache)
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as running:
        _, _, used = os.wait4(running.pid, 0)
        running.returncode = 0
    return used.ru_utime + used.ru_stime, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--rows", type=int, default=15)
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    program = chosen.build / "grader" / "warpgrade-bin"
    paths = [path for pattern in ("solutions/*/[0-9]*.cu", "solutions/*/wrong/*.cu", "grader/tests/submissions/*/*.cu",
                                  "grader/tests/mistakes/*.cu") for path in sorted(ROOT.glob(pattern))]
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        rows = sorted(zip(pool.map(lambda path: taken(program, path, cache), paths), paths), reverse=True)
    print(f"{len(rows)} files; {sum(cpu for (cpu, _), _ in rows) / len(rows):.2f} s of CPU time on average\n")
    print("| file | CPU s | wall s |\n|---|---|---|")
    for (cpu, wall), path in rows[:chosen.rows]:
        print(f"| {path.relative_to(ROOT)} | {cpu:.1f} | {wall:.1f} |")


if __name__ == "__main__":
    main()
