#!/usr/bin/env python3
"""Writes the C++ that includes every kernel of kernels.csv and every reference solution, each in a namespace; with the
name of a blind set (blind.py), those of its kernels.csv.

    python3 grader/tests/model/generate.py [blind|blind2] > build/model/kernels.inc
"""
import csv
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def listed(table, folder):
    """(name, problem, file, {definition: value}) of the rows of a table of kernels."""
    with open(table, newline="") as f:
        for row in csv.DictReader(f):
            yield row["name"], row["problem"], folder / row["file"], dict(d.split("=", 1) for d in row["definitions"].split())


def variants():
    """The same of everything that is timed."""
    yield from listed(HERE / "kernels.csv", HERE / "kernels")
    # Other assignments' launchers are none that time_kernels.cu has buffers for.
    for path in sorted(p for problem in ("reduction", "transpose") for p in (ROOT / "solutions" / problem).glob("*.cu")):
        stage = path.stem.split("_", 1)[1]
        problem = "copy" if stage == "copy" else path.parent.name
        yield f"solution_{path.parent.name}_{stage}", problem, path, {}
        if stage == "coarsening":
            for threads in (64, 512, 1024):
                yield f"solution_transpose_coarsening_{threads}", problem, path, {"THREADS": str(threads)}


def blind_variants(folder):
    """The same of a set of kernels that are predicted before they are timed (blind.py)."""
    return listed(HERE / folder / "kernels.csv", HERE / folder)


def main():
    chosen = list(blind_variants(sys.argv[1]) if sys.argv[1:] else variants())
    # Headers before the namespaces: inside one, what they declare would be its own.
    for header in sorted({h for _, _, path, _ in chosen for h in re.findall(r"^#include (<.+>)", path.read_text(), re.M)}):
        print(f"#include {header}")
    table = []
    for name, problem, path, definitions in chosen:
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
