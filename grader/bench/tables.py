#!/usr/bin/env python3
"""How fast the virtual GPU and `check` are: prints the tables of grader/bench/README.md.

    python3 grader/bench/tables.py BUILD     BUILD: a release build with the targets warpgrade-bin and vgpu_bench

Run it on a machine that does nothing else. One core and its CPU time make the rate, so that another load costs little;
wall times are what a user waits for.
"""

import argparse
import datetime
import os
import platform
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RATE = [
    ("transpose/1_naive_read", "2048x2048"),
    ("transpose/3_corner_turning", "2048x2048"),
    ("transpose/4_padding", "2048x2048"),
    ("transpose/4_padding", "8192x8192"),
    ("transpose/4_padding", "8191x8193"),
    ("transpose/5_coarsening", "8192x8192"),
    ("transpose/8_open", "8192x8192"),
    ("reduction/1_interleaved", "16777216"),
    ("reduction/2_strided", "16777216"),
    ("reduction/3_sequential", "16777216"),
    ("reduction/4_first_add", "16777216"),
    ("reduction/5_unrolled", "16777216"),
    ("reduction/6_multiple", "16777216"),
    ("reduction/7_open", "16777216"),
]
GROWTH = ["transpose/1_naive_read", "transpose/4_padding", "reduction/1_interleaved", "reduction/6_multiple"]
EXPONENTS = range(10, 27, 2)
LARGE = ("transpose/4_padding", "16384x16384")


def bench(build, stage, shape, threads, repeat):
    """One row of vgpu_bench: warp instructions, wall seconds, CPU seconds, peak MiB (of a process of its own)."""
    command = [build / "grader/vgpu_bench", "--threads", str(threads), "--repeat", str(repeat)]
    command.append(f"{ROOT}/solutions/{stage}.cu:{shape}")
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    if done.stderr:
        sys.exit(f"{stage} {shape}: {done.stderr}")
    row = done.stdout.splitlines()[-1].split()
    instructions, wall, cpu, _, peak = row[-5:]
    return int(instructions), float(wall), float(cpu), float(peak)


def elements_of(shape):
    sides = [int(side) for side in shape.split("x")]
    return sides[0] * (sides[1] if len(sides) == 2 else 1)


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "|".join("---" if i == 0 else "---:" for i in range(len(head))) + "|")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def rate_rows(build):
    for stage, shape in RATE:
        instructions, _, cpu, _ = bench(build, stage, shape, 1, 3)
        _, wall, _, peak = bench(build, stage, shape, 0, 3)
        yield (stage, shape, f"{instructions / 1e6:.1f}", f"{instructions / cpu / 1e6:.0f}", f"{cpu:.2f}", f"{wall:.2f}",
               f"{peak:.0f}")


def growth_rows(build):
    for exponent in EXPONENTS:
        row = [f"2^{exponent}"]
        for stage in GROWTH:
            side = 2 ** (exponent // 2)
            shape = f"{side}x{side}" if stage.startswith("transpose") else str(2**exponent)
            _, _, cpu, _ = bench(build, stage, shape, 1, 5 if exponent < 22 else 2)
            row.append(f"{1000 * cpu:.2f}")
        yield row


def check_rows(build):
    binary = build / "grader/warpgrade-bin"
    every = {name: sorted((ROOT / "solutions" / name).glob("*.cu")) for name in ("transpose", "reduction")}
    asked = [(path.stem, [path]) for name in every for path in every[name]]
    asked += [(f"all of {name}, {len(paths)} stages", paths) for name, paths in every.items()]
    for what, paths in asked:
        best = None
        for _ in range(3):
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            done = subprocess.run([binary, "check", "--device", "virtual", *paths], capture_output=True, text=True,
                                  env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
            wall = time.monotonic() - start
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if done.returncode not in (0, 1):
                sys.exit(f"check {what}: exit code {done.returncode}\n{done.stderr}")
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            best = min(best or (wall, cpu), (wall, cpu))
        yield what, f"{best[0]:.2f}", f"{best[1]:.2f}"


def processor():
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text()) if Path("/proc/cpuinfo").exists() else None
    return found[1] if found else platform.processor()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    build = parser.parse_args().build.resolve()
    load = os.getloadavg()[0]
    print(f"Run on {datetime.date.today()}: {processor()}, {os.cpu_count()} cores; load before the run {load:.2f}.\n")
    print("Rate, every check on. M/s a core and CPU s: one thread; wall s and peak: all cores.\n")
    table(["stage", "shape", "M warp instructions", "M/s a core", "CPU s", "wall s", "peak MiB"], rate_rows(build))
    print("Growth with the number of elements: CPU milliseconds of one run, one thread.\n")
    table(["elements", *GROWTH], growth_rows(build))
    print("What `check` takes of a solution: every shape, both compilations, all schedules; seconds.\n")
    table(["stage", "wall s", "CPU s"], check_rows(build))
    stage, shape = LARGE
    _, wall, _, peak = bench(build, stage, shape, 0, 2)
    matrices = 2 * 4 * elements_of(shape) / 2**20
    print(f"Memory: {stage} on {shape} peaks at {peak:.0f} MiB, {peak / matrices:.2f} times its two matrices "
          f"({matrices:.0f} MiB), in {wall:.2f} s.")


if __name__ == "__main__":
    main()
