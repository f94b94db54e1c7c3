#!/usr/bin/env python3
"""Grades all reference solutions again and again on the card, and says how much marks and bandwidths change.

    python3 grader/tests/hardware/repeat.py 20 >grader/tests/hardware/results/repeat.md
"""
import collections
import datetime
import glob
import json
import os
import statistics
import subprocess
import sys
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
WARPGRADE = os.environ.get("WARPGRADE", os.path.join(ROOT, "grader", "warpgrade"))


def main():
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    paths = sorted(glob.glob(os.path.join(ROOT, "solutions", "*", "[0-9]*.cu")))
    marks = collections.defaultdict(list)
    shares = collections.defaultdict(list)
    states = collections.Counter()
    walls, parts, device = [], collections.defaultdict(list), {}
    samples = collections.Counter()
    last = time.monotonic() + float(os.environ.get("SECONDS_AT_MOST", "inf"))
    for i in range(times):
        start = time.monotonic()
        if walls and start + max(walls[1:] or walls) > last:
            print(f"out of time after {i} of {times}", file=sys.stderr)
            times = i
            break
        done = subprocess.run([WARPGRADE, "check", "--device", "cuda", "--format", "json", "--seed", str(i), *paths],
                              cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        walls.append(time.monotonic() - start)
        result = json.loads(done.stdout)
        device = result["device"]
        whole = collections.Counter()
        for stage in result["stages"]:
            name = f"{stage['assignment']}/{stage['stage']}"
            marks[name].append(stage["score"]["total"])
            states[stage["score"]["state"]] += 1
            whole.update(stage["seconds"])
            for one in stage["bandwidth_by_class"]:
                shares[name, one["class"]].append(one["share_of_reference"])
                samples[one["samples"]] += 1
        for part, seconds in whole.items():
            parts[part].append(seconds)
        print(f"{i + 1} of {times}: {walls[-1]:.1f} s", file=sys.stderr)
    changed = [name for name, all_marks in marks.items() if len({round(mark, 6) for mark in all_marks}) > 1]

    print("# The reference solutions, graded again and again\n")
    print(f"{device['name']}, {datetime.date.today()}. Made by `python3 grader/tests/hardware/repeat.py {times}`; each "
          "time another seed, so other shapes and contents.\n")
    print(f"- Marks: {'the same each time for every stage' if not changed else 'changed for ' + ', '.join(changed)}; "
          f"states: {', '.join(f'{count} {state}' for state, count in states.items())}.")
    graded = {key: values for key, values in shares.items() if key[1] != "small"}
    (stage, kind), most = max(graded.items(), key=lambda item: max(item[1]) - min(item[1]))
    print(f"- Largest change of a stage's share of the reference's bandwidth, classes that give points: {stage}, {kind}: "
          f"{min(most):.4f} to {max(most):.4f}.")
    print(f"- Samples a shape: {', '.join(f'{count} x {n}' for n, count in sorted(samples.items()))}.")
    print(f"- Time for all {len(marks)} stages: median {statistics.median(walls):.1f} s, "
          f"{min(walls):.1f} to {max(walls):.1f} s. Of it, medians:\n")
    words = {"compiling": "compiling with NVRTC (the compiler's cache is warm after the first time)",
             "on_virtual_gpu": "every case, hazard and counter on the virtual GPU",
             "on_card": "the cases on the card, the driver's compilation included",
             "timing": "bandwidths: 4 shape classes a stage, reference and copy in turns"}
    print("| part | s |\n|---|---|")
    known = 0.0
    for part, values in parts.items():
        known += statistics.median(values)
        print(f"| {words[part]} | {statistics.median(values):.2f} |")
    print(f"| start of the process and of the CUDA context, the rest | {statistics.median(walls) - known:.2f} |\n")
    print("| stage | marks | class | share of the reference, median | least | most |\n|---|---|---|---|---|---|")
    for (stage, kind), values in shares.items():
        all_marks = sorted({round(mark, 4) for mark in marks[stage]})
        print(f"| {stage} | {' / '.join(f'{mark:g}' for mark in all_marks)} | {kind} | {statistics.median(values):.4f} | "
              f"{min(values):.4f} | {max(values):.4f} |")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
