#!/usr/bin/env python3
"""How far off the modelled times of a GPU may be that nobody has measured: error_band of its profile.

    python3 grader/tests/model/error_band.py build/r/grader/model_validate grader/profiles/t4.toml [MORE.toml ...]

For each reference solution: what the model errs on the H200 (the 90th percentile of the half "held" in validation.md),
and what its time changes by when the parameters that are not this card's own are moved: rates of DRAM, which are of
like cards, by a twelfth; all others, which are the H200's, by a third, each group up and down. How far cards differ is
an assumption, the third is meant to be generous. Squares are added; the band is the 90th percentile over the solutions.
"""
import math
import pathlib
import re
import sys
import tomllib

import predictions
from validate import quantile

HERE = pathlib.Path(__file__).resolve().parent
SHAPES = {"transpose": "4096x4096", "reduction": "16777216"}
A_THIRD, A_TWELFTH = 4 / 3, 13 / 12
GROUPS = {
    "DRAM rates": (A_TWELFTH, "dram_copy_gb_per_s dram_read_gb_per_s"),
    "latencies": (A_THIRD, "dram_latency l2_latency l1_latency dram_queue_read dram_queue_write dram_queue_random dram_spread"),
    "DRAM runs": (A_THIRD, "dram_read_run dram_write_run dram_least_read_run dram_least_write_run"),
    "L2": (A_THIRD, "l2_read_line_ps l2_read_sector_ps l2_write_packet_ps l2_write_sector_ps l2_far_partial_ps"),
    "stores": (A_THIRD, "store_sector_cycles store_packet_cycles store_buffer_lines"),
    "shared memory": (A_THIRD, "shared_latency shared_conflict_cycles shuffle_latency special_register_cycles"),
    "barriers": (A_THIRD, "barrier_latency barrier_warp_cycles"),
    "instructions": (A_THIRD, "alu_latency issue_scale"),
    "blocks": (A_THIRD, "block_interval_ns block_turnover"),
    "launches": (A_THIRD, "launch_us next_launch_us"),
    "atomics": (A_THIRD, "atomic_address_ns atomic_lanes_per_ns"),
}


def error_on_h200():
    row = re.search(r"^\| held \| \d+ \| [\d.]+% \| ([\d.]+)% \|", (HERE / "h200/validation.md").read_text(), re.M)
    return float(row.group(1)) / 100


def main():
    own = error_on_h200()
    binary = sys.argv[1]
    for profile in sys.argv[2:]:
        values = {k: v["value"] for k, v in tomllib.loads(pathlib.Path(profile).read_text())["model"].items()}
        model = predictions.Model(binary, profile)
        model.add({(k, SHAPES[k.split("_")[1]]) for k, _ in predictions.measured()[0]
                   if k.startswith("solution_") and not k[-1].isdigit() and "_copy" not in k})
        base = {k: p["microseconds"] for k, p in model.run().items()}
        squares = dict.fromkeys(base, own * own)
        print(f"{profile}: {len(base)} solutions; 90th percentile of what each group changes:")
        for group, (factor, names) in GROUPS.items():
            change = dict.fromkeys(base, 0.0)
            for by in (factor, 1 / factor):
                moved = {n: values[n] * by for n in names.split()}
                for key, p in model.run(**moved).items():
                    change[key] = max(change[key], abs(math.log(p["microseconds"] / base[key])))
                model.set({n: values[n] for n in moved})
            for key in base:
                squares[key] += change[key] ** 2
            print(f"  {group:<14}{quantile(change.values(), .9):6.1%}")
        model.close()
        print(f"  error_band = {quantile([math.sqrt(s) for s in squares.values()], .9):.2f}", flush=True)


if __name__ == "__main__":
    main()
