#!/usr/bin/env python3
"""Runs random kernels on the virtual GPU and on a card, and compares what they leave, bit for bit.

    differential.py [--units 1000] [--first 1] [--kernels 100] [--jobs N] [--seconds 540] --virtual run_virtual
                    [--card run_card] --out DIR

Without --card it looks for kernels that the virtual GPU cannot run or finds fault with: all of them are right. Writes
DIR/summary.md, and DIR/differences.md with the smallest form of each kernel that differs. Exits with 1 if one does.
"""
import argparse
import collections
import multiprocessing
import os
import re
import sys
import tempfile
import time

from compare import differences
from nvrtc import compile_text
from shrink import shrink
from sides import Side, SideLost, remove_unit, write_unit
from units import KernelUnit

ASSEMBLY = re.compile(r'asm\("\{(?:[^;]*?\.reg[^;]*; ?|setp[^;]*; ?)*([a-z][\w.]+)')
worker = {}


def start(arguments, folder):
    name = os.path.join(folder, multiprocessing.current_process().name)
    worker.update(options=arguments, folder=name, shrinks=arguments.shrinks, virtual=Side(arguments.virtual, "virtual"),
                  card=Side(arguments.card, "card") if arguments.card else None)
    os.makedirs(name, exist_ok=True)


def run_unit(seed):
    """Number of kernels that ran, and rows (seed, kernel's name, kind, detail, smallest source)."""
    options, stem = worker["options"], os.path.join(worker["folder"], f"unit{seed}")
    if time.time() > options.end:
        return 0, [], {}
    took = {}

    def timed(what, call):
        begin = time.time()
        result = call()
        took[what] = took.get(what, 0) + time.time() - begin
        return result

    unit = timed("generate", lambda: KernelUnit(seed, options.kernels))
    try:
        ptx = timed("NVRTC", lambda: compile_text(unit.source(), options.arch))
    except ValueError as error:
        return 0, [(seed, "*", "does_not_compile", str(error)[:600], "")], took
    write_unit(stem, ptx, unit.manifest())
    try:
        data, text = timed("virtual", lambda: worker["virtual"].run(stem))
        other, other_text = timed("card", lambda: worker["card"].run(stem)) if worker["card"] else (None, [])
    except SideLost as lost:
        return 0, [(seed, "*", "lost", str(lost), "")], took
    found = differences(unit.kernels, data, text, other)
    whole_unit = [line for line in other_text if line.startswith("* ")]
    if whole_unit:
        return 0, [(seed, "*", "card_refuses", whole_unit[0][:600], "")], took
    remove_unit(stem)
    rows = []
    for number, d in enumerate(found):
        source, detail = d.kernel.source(), d.detail
        if number < 2 and worker["shrinks"] > 0 and time.time() < options.end and d.kind != "card_fault":
            worker["shrinks"] -= 1
            source, smaller = timed("shrink", lambda: shrink(unit, d.kernel, d.kind, worker["virtual"], worker["card"], stem + "s"))
            detail = smaller or detail
        rows.append((seed, d.kernel.name, d.kind, detail, source))
    unsupported_unit = any(d.kind == "unsupported" and "* " in d.detail for d in found)
    return 0 if unsupported_unit else len(unit.kernels), rows, took


def write_reports(options, done, rows, took, wall):
    kinds = collections.Counter(row[2] for row in rows)
    with open(os.path.join(options.out, "summary.md"), "w", encoding="utf-8") as file:
        file.write(f"{done} kernels of {options.kernels} a unit from seed {options.first} on, "
                   f"{'both sides' if options.card else 'the virtual side alone'}: {done - len(rows)} equal and without a "
                   f"finding, {len(rows)} not; {wall:.0f} s with {options.jobs} jobs\n\n")
        for kind, count in kinds.most_common():
            file.write(f"- {kind}: {count}\n")
        file.write("\nSeconds, summed over jobs: " + ", ".join(f"{k} {v:.0f}" for k, v in took.items()) + "\n\n")
        for seed, name, kind, _, source in sorted(rows, key=lambda row: row[:2]):
            file.write(f"{seed} {name} {kind} {' '.join(dict.fromkeys(ASSEMBLY.findall(source)))}\n")
    with open(os.path.join(options.out, "differences.md"), "w", encoding="utf-8") as file:
        for seed, name, kind, detail, source in sorted(rows, key=lambda row: (row[2], len(row[4])))[:400]:
            file.write(f"## {kind}: seed {seed}, {name}\n\n{detail}\n\n```cuda\n{source}```\n\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=int, default=1000)
    parser.add_argument("--first", type=int, default=1, help="seed of the first unit; the others follow")
    parser.add_argument("--kernels", type=int, default=100, help="of a unit")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=540, help="no unit starts later")
    parser.add_argument("--shrinks", type=int, default=4, help="kernels that a job makes smaller, two of a unit at most")
    parser.add_argument("--arch", default="compute_90")
    parser.add_argument("--virtual", required=True, help="the program run_virtual")
    parser.add_argument("--card", help="the program run_card")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    begin = time.time()
    options.end = begin + options.seconds
    os.makedirs(options.out, exist_ok=True)
    done, rows, took = 0, [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder, \
            multiprocessing.Pool(options.jobs, start, (options, folder)) as pool:
        for count, found, times in pool.imap_unordered(run_unit, range(options.first, options.first + options.units)):
            done, rows = done + count, rows + found
            took.update(times)
            if found or done // 5000 != (done - count) // 5000:
                print(f"{done} kernels, {len(rows)} differ, {time.time() - begin:.0f} s", file=sys.stderr, flush=True)
                write_reports(options, done, rows, took, time.time() - begin)
    write_reports(options, done, rows, took, time.time() - begin)
    with open(os.path.join(options.out, "summary.md"), encoding="utf-8") as file:
        print(file.read())
    return 1 if rows else 0


if __name__ == "__main__":
    sys.exit(main())
