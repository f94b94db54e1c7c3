#!/usr/bin/env python3
"""Writes the C++ that includes every kernel of kernels.csv and every reference solution, each in a namespace; with
`blind`, those of blind/kernels.csv.

    python3 grader/tests/model/generate.py [blind] > build/model/kernels.inc
"""
import csv
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def variants():
    """(name, problem, file, {definition: value}) of everything that is timed."""
    with open(HERE / "kernels.csv", newline="") as f:
        for row in csv.DictReader(f):
            yield row["name"], row["problem"], HERE / "kernels" / row["file"], dict(
                d.split("=", 1) for d in row["definitions"].split())
    for path in sorted((ROOT / "solutions").glob("*/*.cu")):
        stage = path.stem.split("_", 1)[1]
        problem = "copy" if stage == "copy" else path.parent.name
        yield f"solution_{path.parent.name}_{stage}", problem, path, {}
        if stage == "coarsening":
            for threads in (64, 512, 1024):
                yield f"solution_transpose_coarsening_{threads}", problem, path, {"THREADS": str(threads)}


def blind_variants():
    """The same of the kernels that were predicted before they were timed (blind.py)."""
    with open(HERE / "blind/kernels.csv", newline="") as f:
        for row in csv.DictReader(f):
            yield row["name"], row["problem"], HERE / "blind" / row["file"], dict(d.split("=", 1) for d in row["definitions"].split())


def main():
    table = []
    for name, problem, path, definitions in blind_variants() if sys.argv[1:] == ["blind"] else variants():
        macros = re.findall(r"^#ifndef (\w+)", path.read_text(), re.M)
        print(f"namespace {name} {{")
        for key, value in definitions.items():
            print(f"#define {key} {value}")
        print(f'#include "{path}"')
        for macro in sorted(set(macros) | set(definitions)):
            print(f"#undef {macro}")
        print("}")
        if problem == "reduction":
            table.append(f'    {{"{name}", "{problem}", nullptr, {name}::reduce}},')
        else:
            launcher = "copy" if problem == "copy" else "transpose"
            suffix = "<float>" if name.endswith("any_type") else ""
            table.append(f'    {{"{name}", "{problem}", {name}::{launcher}{suffix}, nullptr}},')
    print("static const Variant variants[] = {")
    print("\n".join(table))
    print("};")


if __name__ == "__main__":
    main()
