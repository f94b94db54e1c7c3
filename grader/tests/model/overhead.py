#!/usr/bin/env python3
"""What the time model adds to `check` of one stage: each reference solution is checked with the model and, in a copy of
the course without GPU profiles, without it. Prints a table.

    python3 grader/tests/model/overhead.py build/r/grader/warpgrade-bin

Times are the least of several runs, in turns. CPU seconds are those of all cores together; the submission and its
reference are modelled side by side. Wall seconds mean something on a machine that does nothing else.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
RUNS = 5
ALLOWED = 0.5


def course_without_profiles(folder):
    """A root with links to everything but grader/profiles."""
    (folder / "grader").mkdir()
    for path in ROOT.iterdir():
        if path.name not in ("grader", "build"):
            (folder / path.name).symlink_to(path)
    for path in (ROOT / "grader").iterdir():
        if path.name != "profiles":
            (folder / "grader" / path.name).symlink_to(path)
    return folder


def check(binary, root, solution):
    """(wall, CPU) seconds, and whether it modelled."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([binary, "check", "--device", "virtual", root / "solutions" / solution], capture_output=True,
                          text=True, env={**os.environ, "WARPGRADE_ROOT": str(root)})
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"{solution}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "modelled" in done.stdout


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    solutions = [p.relative_to(ROOT / "solutions") for p in sorted((ROOT / "solutions").glob("*/*.cu"))]
    print("# What the time model adds to `check`\n")
    print(f"Made by overhead.py: each reference solution alone, {os.cpu_count()} cores, the least of {RUNS} runs in turns; load "
          f"of the machine before: {os.getloadavg()[0]:.1f}. A wait of another program's counts in the wall seconds.\n")
    print("| stage | check, CPU s | the model adds, CPU s | check, wall s | the model adds, wall s |\n|---|--:|--:|--:|--:|")
    added = {}
    with tempfile.TemporaryDirectory() as folder:
        bare = course_without_profiles(pathlib.Path(folder))
        for solution in solutions:
            runs = {True: [], False: []}
            for _ in range(RUNS):
                for is_modelled, root in ((False, bare), (True, ROOT)):
                    wall, cpu, says_so = check(binary, root, solution)
                    if says_so and not is_modelled:
                        sys.exit(f"{solution}: modelled without a profile")
                    runs[is_modelled].append((wall, cpu))
            least = {m: [min(r[i] for r in runs[m]) for i in (0, 1)] for m in runs}
            wall, cpu = (least[True][i] - least[False][i] for i in (0, 1))
            added[solution] = wall, cpu
            print(f"| {solution.parent}/{solution.stem} | {least[True][1]:.2f} | {cpu:.2f} | {least[True][0]:.2f} | {wall:.2f} |", flush=True)
    for i, what in ((1, "CPU"), (0, "wall")):
        worst = max(added, key=lambda s: added[s][i])
        over = sum(a[i] > ALLOWED for a in added.values())
        print(f"\nMost {what} seconds added: {added[worst][i]:.2f}, {worst.parent}/{worst.stem}; above {ALLOWED} s: {over} of {len(added)} stages.")


if __name__ == "__main__":
    main()
