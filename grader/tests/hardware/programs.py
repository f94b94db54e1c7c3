#!/usr/bin/env python3
"""On a machine with a card: the whole programs of tests/programs, built by nvcc, and the mistakes beside them under
compute-sanitizer. programs.py [FOLDER]

Says of each program whether it prints NAME.out and ends with its exit code, which the virtual host is held to, and of each
mistake what memcheck with its leak check and initcheck say, beside the kit's first finding (NAME.txt). FOLDER, by default
here, gets programs.tsv and mistakes.tsv. Ends with 1 if a program differs."""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
BUILD = ["nvcc", "-std=c++17", "-O1", "-arch=native", "-rdc=true", "-lineinfo", "-Wno-deprecated-gpu-targets"]
TOOLS = {"memcheck": ["--tool", "memcheck", "--leak-check", "full"], "initcheck": ["--tool", "initcheck"]}
ERROR = re.compile(r"(?m)^========= (Invalid \w+ \w+ of size \d+|Program hit \w+|Leaked [\d,]+ bytes|Uninitialized \w+ memory \w+"
                   r"|Host API \w+ memory access error|Error: process .*|.*Target application returned an error)")


def directive(files, name):
    return next((found[1] for file in files if (found := re.search(rf"(?m)^// {name}: (.*)$", file.read_text()))), "")


def run(command, **options):
    try:
        return subprocess.run(command, capture_output=True, timeout=120, **options)
    except FileNotFoundError:
        return subprocess.CompletedProcess(command, 127, b"", b"it is not here")
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, b"", b"")


def build(files, binary):
    done = run([*BUILD, *map(str, files), "-o", str(binary)])
    return "" if done.returncode == 0 else "nvcc refuses it: " + done.stderr.decode(errors="replace").split("\n")[0]


def of_program(output, folder):
    name = output.stem
    files = sorted((PROGRAMS / name).glob("*.cu")) or [PROGRAMS / f"{name}.cu"]
    if problem := build(files, folder / name):
        return name, problem
    done = run([folder / name, *directive(files, "arguments").split()],
               input=directive(files, "input").replace("\\n", "\n").encode())
    wanted = int(directive(files, "exit") or 0)
    if done.returncode % 256 != wanted and done.returncode != -(wanted - 128):
        return name, f"exit code {done.returncode}, not {wanted}"
    if done.stdout != output.read_bytes():
        pairs = zip(done.stdout.decode(errors="replace").split("\n"), output.read_text().split("\n"))
        return name, "other output: " + next((f"`{a}`, not `{b}`" for a, b in pairs if a != b), "its length")
    return name, "same"


def of_mistake(source, folder):
    name = source.stem
    told = source.with_suffix(".txt").read_text()
    finding = re.match(r"\w+\[(\w+)\]", told)[1]
    line = re.search(r"--> \S+?:(\d+)", told)[1]
    if problem := build([source], folder / ("mistake_" + name)):
        return [name, finding, line, problem, ""]
    row = [name, finding, line]
    for options in TOOLS.values():
        done = run(["compute-sanitizer", *options, str(folder / ("mistake_" + name))])
        said = [error[1] for error in ERROR.finditer(done.stdout.decode(errors="replace"))]
        row.append(said[0] if said else "timeout" if done.returncode == 124 else "-" if done.returncode == 0 else
                   f"exit code {done.returncode}")
    return row


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count() or 4) as pool:
        folder = Path(name)
        programs = list(pool.map(lambda path: of_program(path, folder), sorted(PROGRAMS.glob("*.out"))))
        mistakes = list(pool.map(lambda path: of_mistake(path, folder), sorted(PROGRAMS.glob("mistakes/*.cu"))))
    for file, head, rows in (("programs.tsv", ["program", "on the card"], programs),
                             ("mistakes.tsv", ["program", "the kit says", "line", *TOOLS], mistakes)):
        (out / file).write_text("".join("\t".join(row) + "\n" for row in [head, *rows]))
    for row in [*programs, *mistakes]:
        print("  ".join(row))
    same = sum(said == "same" for _, said in programs)
    print(f"{same} of {len(programs)} programs the same")
    return 0 if same == len(programs) else 1


if __name__ == "__main__":
    sys.exit(main())
