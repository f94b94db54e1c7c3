#!/usr/bin/env python3
"""Compares the virtual GPU's counters with Nsight Compute's, for every reference solution, on a machine with a card.

    python3 grader/tests/hardware/counters.py >grader/tests/hardware/results/counters.md

Needs ncu and the permission to read counters. Runs `warpgrade bench` under ncu, whose kernels are the ones that are
timed, and `warpgrade check` for the virtual GPU's figures of the same PTX. Exits with 1 if a count differs by more than
it may: global requests and sectors not at all, shared wavefronts up to 6 % below the hardware's.
"""
import csv
import datetime
import glob
import io
import json
import os
import re
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
WARPGRADE = os.environ.get("WARPGRADE", os.path.join(ROOT, "grader", "warpgrade"))
# The kit's name, Nsight Compute's name, and how far below the hardware the kit may be, as a fraction.
COUNTERS = [
    ("global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0),
    ("global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0),
    ("global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 0),
    ("global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0),
    ("shared_load_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 0.06),
    ("shared_store_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 0.06),
]
SHAPES = {"transpose": ["1024x1024", "1000x777"], "reduction": ["1048576", "1000003"]}


def run(command):
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def launches_under_ncu(path, shape, kernels):
    """The counters of each launch of these kernels, in order: dictionaries by ncu's names."""
    names = "|".join(sorted({re.escape(name.split("<")[0].split("::")[-1].split(" ")[-1]) for name in kernels}))
    text = run(["ncu", "--target-processes", "all", "--clock-control", "none", "--csv", "--page", "raw", "--metrics",
                ",".join(metric for _, metric, _ in COUNTERS), "--kernel-name-base", "function", "-k",
                f"regex:^({names})$", "-c", str(len(kernels)), WARPGRADE, "bench", path, "--device", "cuda", "--shape",
                shape, "--samples", "1"])
    start = text.find('"ID"')
    if start < 0:
        sys.exit(f"ncu printed no table for {path}:\n{text[-2000:]}")
    table = list(csv.DictReader(io.StringIO(text[start:])))
    return table[1:]  # the first row holds the units


def main():
    rows, worst, is_good = [], 0.0, True
    card = "?"
    for assignment, shapes in SHAPES.items():
        for shape in shapes:
            paths = sorted(glob.glob(os.path.join(ROOT, "solutions", assignment, "[0-9]*.cu")))
            paths = [path for path in paths if not os.path.basename(path).startswith("0_")]
            result = json.loads(run([WARPGRADE, "check", "--device", "cuda", "--format", "json", "--shape", shape, *paths]))
            card = result["device"]["name"]
            for path, stage in zip(paths, result["stages"]):
                launches = stage["launches"]
                seen = launches_under_ncu(path, shape, [launch["kernel"] for launch in launches])
                cells = []
                for ours, metric, below in COUNTERS:
                    hardware = sum(int(float(row[metric].replace(",", ""))) for row in seen)
                    virtual = stage["counters"][ours]
                    off = (virtual - hardware) / hardware if hardware else float(virtual != 0)
                    fine = virtual == hardware if below == 0 else -below <= off <= 0
                    is_good = is_good and fine and len(seen) == len(launches)
                    if below:
                        worst = min(worst, off)
                    cells.append(f"{virtual}" if virtual == hardware else f"{virtual} / {hardware} ({100 * off:+.1f} %)")
                    if not fine:
                        cells[-1] += " **differs**"
                rows.append([f"{assignment}/{stage['stage']}", shape, str(len(launches)), *cells])
    print("# The virtual GPU's counters and Nsight Compute's\n")
    version = re.search(r"Version (\S+)", run(["ncu", "--version"]))[1]
    print(f"{card}, {datetime.date.today()}, Nsight Compute {version}. Made by "
          "`python3 grader/tests/hardware/counters.py`.\n")
    print("One number: both count the same. Two: the virtual GPU's, the hardware's. Sums over all launches of the plan; "
          f"the largest difference of a wavefront count is {100 * worst:.1f} %.\n")
    head = ["stage", "shape", "launches", *[ours.replace("_", " ") for ours, _, _ in COUNTERS]]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print("\nEvery count is as it has to be." if is_good else "\nSome counts differ by more than they may.")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
