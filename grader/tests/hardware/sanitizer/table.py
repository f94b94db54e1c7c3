#!/usr/bin/env python3
"""Who finds what: NVIDIA's compute-sanitizer against this kit, on the programs of grader/tests/submissions.

    python3 grader/tests/hardware/sanitizer/table.py [--jobs N] > grader/tests/hardware/results/sanitizer.md

Needs a GPU, nvcc and compute-sanitizer. Every program is compiled with `nvcc -O3 -lineinfo` around host.cu and run by
itself and under memcheck, racecheck, initcheck and synccheck. What the kit finds is not run here: ctest's label golden
holds every program to the folder that it is in.
"""

import argparse
import concurrent.futures
import datetime
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
PROGRAMS = ROOT / "grader/tests/submissions"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
# What keeps a program from being compiled, and what is about speed, is no matter for a sanitizer.
LEFT_OUT = ("does_not_compile", "variant_does_not_compile", "wrong_technique")
SECONDS = 20


def stage_of(program):
    return re.search(r"^// stage: (\S+)", program.read_text(), re.M)[1]


def run(command, seconds):
    """Exit code, or None after `seconds`, and what was printed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, ""


def build(program, binary):
    stage = stage_of(program)
    defines = ["-DTRANSPOSE" if stage.startswith("transpose") else "-DREDUCTION"]
    if stage == "transpose/copy":
        defines.append("-DCOPY")
    command = ["nvcc", "-std=c++17", "-O3", "-lineinfo", "-arch=native", "--extended-lambda", "-w", *defines]
    return run([*command, "-include", program, HERE / "host.cu", "-o", binary], 300)


def by_itself(binary):
    code, _ = run([binary], SECONDS)
    return {None: "does not end", 0: "right", 1: "wrong", 2: "CUDA error"}.get(code, "crashes")


def under(tool, binary):
    code, text = run(["compute-sanitizer", "--tool", tool, "--print-limit", "3", binary], SECONDS)
    if code is None:
        return "does not end"
    errors = re.search(r"ERROR SUMMARY: (\d+)", text)
    hazards = re.search(r"RACECHECK SUMMARY: (\d+)", text)
    if not errors and not hazards:
        return "gives up"
    return "found" if int((hazards or errors)[1]) > 0 else "-"


def look_at(program):
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "program"
        code, text = build(program, binary)
        if code != 0:
            first = next((line for line in text.splitlines() if "error" in line), "nvcc does not end")
            return program, None, re.sub(r"^.*error", "error", first)
        return program, by_itself(binary), {tool: under(tool, binary) for tool in TOOLS}


def print_table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "|".join("---" if i == 0 else "---:" for i in range(len(head))) + "|")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def summary(verdict, seen):
    counted = [sum(found[tool] == "found" for _, _, found in seen) for tool in TOOLS]
    any_tool = sum("found" in found.values() for _, _, found in seen)
    other = sum(alone != "right" for _, alone, found in seen)
    neither = sum("found" not in found.values() and alone == "right" for _, alone, found in seen)
    return [verdict, len(seen), *counted, any_tool, other, neither]


def first_line(command):
    code, text = run(command, 60)
    return text.strip().splitlines()[-1] if code == 0 and text.strip() else "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=8)
    jobs = parser.parse_args().jobs
    programs = [path for path in sorted(PROGRAMS.glob("*/*.cu")) if path.parent.name not in LEFT_OUT]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        seen = list(pool.map(look_at, programs))
    built = [one for one in seen if one[1] is not None]
    verdicts = sorted({program.parent.name for program, _, _ in built} - {"right"})

    print("# Who finds what: compute-sanitizer and this kit\n")
    print("Made by `python3 grader/tests/hardware/sanitizer/table.py`.\n")
    card = first_line(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    print(f"- {datetime.date.today()}, {card}; {first_line(['nvcc', '--version'])}; "
          f"{first_line(['compute-sanitizer', '--version'])}")
    print(f"- {len(programs)} programs of `grader/tests/submissions`, {len(built)} of them compiled by nvcc; "
          f"four small shapes each; {SECONDS} s a run\n")
    print("The kit names every program of a folder by the folder's name (`ctest -L golden` holds it to that). The other")
    print("columns count programs in which a tool reports at least one error. *Seen without a tool*: the output is wrong, a")
    print("CUDA call fails, the program crashes or does not end. *Neither*: the program looks right, to every tool too.\n")
    head = ["the kit says", "programs", *TOOLS, "any tool", "seen without a tool", "neither"]
    rows = [summary(verdict, [one for one in built if one[0].parent.name == verdict]) for verdict in verdicts]
    print_table(head, rows)
    right = [one for one in built if one[0].parent.name == "right"]
    alarms = [one for one in right if "found" in one[2].values() or one[1] != "right"]
    print(f"Of {len(right)} programs that are right, the kit complains of none. With a complaint of a tool, or not right by")
    print(f"itself: {len(alarms)}.\n")
    print_table(["program", "by itself", *TOOLS],
                [[program.stem, alone, *found.values()] for program, alone, found in alarms])
    print("## Each faulty program\n")
    print_table(["program", "by itself", *TOOLS],
                [[f"{program.parent.name}/{program.stem}", alone, *found.values()]
                 for program, alone, found in built if program.parent.name != "right"])
    failed = [(program, why) for program, alone, why in seen if alone is None]
    if failed:
        print("## Not compiled by nvcc\n")
        print_table(["program", "first error"],
                    [[f"{program.parent.name}/{program.stem}", why.replace("|", "/")[:90]] for program, why in failed])


if __name__ == "__main__":
    sys.exit(main())
