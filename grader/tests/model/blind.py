#!/usr/bin/env python3
"""Sets of sixty kernels in styles that the time model was not made with: predicted, committed, and only then timed on a
card. SET is blind, the first, if nothing is said, blind2 or blind3, or blind4 (for an H100, in h100/ and of h100.toml).

    python3 grader/tests/model/blind.py predict build/release/grader/model_validate grader/profiles/h200.toml SET > grader/tests/model/h200/SET_predicted.csv
    python3 grader/tests/model/generate.py SET > build/model/kernels.inc    # and time_kernels.cu, as its head says
    ./time_kernels 8192x8192 8191x8193 4096x16384 67108864 50000003 > grader/tests/model/h200/SET_times.csv
    python3 grader/tests/model/blind.py table SET > grader/tests/model/h200/SET.md

The first set showed what to mend in the model, and has been used to fit it from then on: it tests it no more. `predict` of
the model as it is now goes to SET_present.csv, and `table` sets it beside the first prediction.
"""
import statistics
import subprocess
import sys

import generate
import predictions

MATRICES = ["8192x8192", "8191x8193", "4096x16384"]
LENGTHS = ["67108864", "50000003"]
FIRST = "blind"
OF_H100 = "blind4"  # whose kernels are of many kinds, and some of them want square matrices
SHAPES_OF_H100 = {"reduction": ["33554432", "20000003"], "transpose": ["2048x2048", "3001x3001"], "copy": ["4096x4096", "5001x5003"]}


def shapes_of(folder, problem):
    if folder == OF_H100:
        return SHAPES_OF_H100[problem]
    return LENGTHS if problem == "reduction" else MATRICES


def results(folder):
    return predictions.HERE / ("h100" if folder == OF_H100 else "h200")


# What was found of the kernels furthest off.
FURTHEST_OFF = {
    FIRST: "Furthest off, and not understood: sums whose blocks read a piece of their own without a gap (`pieces`, a third too "
           "fast), one launch with a ticket (`ticket`, a quarter too fast), resident blocks at an odd shape (`resident`, half), "
           "a grid that is too small for its divisions (`line_b1056`), vectors stored a column apart (`registers`, vector1).",
    "blind2": "Furthest off were loops that ptxas unrolls (`rows_of_warps`, 256 elements a row: found in the machine code, and "
              "now in the model) and sectors written in part (odd shapes, `warp_turns`, `int4s`, `consecutive`: a sector costs "
              "L2 more, the more of its words are written, which is now in the model as far as it was found). Not understood: "
              "blocks that roam about the matrix (`roam`), a tile completed by the same block's next one (`ping_pong` at an "
              "odd shape), four stores of a thread to neighbouring words (`along_rows_outputs1` at an odd shape).",
    "blind3": "Furthest off, and not looked into: three blocks that share a strip of wide rows (`down_strip_3_b16`), tiles of 64 "
              "columns (`tall_tile_64x64`, `_64x32`), steps in functions that are really called (`helper_noinline1`), and one "
              "thread that adds up the sums of many small groups (`groups_of_parts8`, `_each1_parts16`).",
}


FURTHEST_OFF[OF_H100] = (
    "Furthest off: one lane that adds up 8192 sums behind all others (`lone_lane`, half as long as it takes), resident tiles at "
    "an odd shape (a third too fast), and counters in 1024 words, whose lines share units of L2 more than is modelled. The 14 "
    "rows of `squared` have no time: time_kernels.cu times what turns a matrix, and these multiply.")


def predict(binary, profile, folder=FIRST):
    process = subprocess.Popen([binary, profile], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for name, problem, path, definitions in generate.blind_variants(folder):
        for shape in shapes_of(folder, problem):
            process.stdin.write(f"{name},{problem},{path},{' '.join(f'{k}={v}' for k, v in definitions.items())},{shape}\n")
    process.stdin.write("run\n")
    process.stdin.close()
    print("kernel,shape,microseconds")
    for line in process.stdout:
        cells = line.split(",")
        if len(cells) > 2:
            print(f"{cells[0]},{cells[1]},{float(cells[2]):.3f}")


def summary(what, errors):
    size = [abs(e) for e in errors]
    print(f"| {what} | {len(size)} | {100 * statistics.mean(size):.1f} % | {100 * statistics.median(size):.1f} % | "
          f"{100 * predictions.quantile(size, 0.9):.1f} % | {100 * max(size):.0f} % | {sum(e <= 0.2 for e in size)} |")


def microseconds(folder, kind):
    return {(r["kernel"], r["shape"]): float(r["microseconds"]) for r in predictions.rows_of(results(folder) / f"{folder}_{kind}.csv")}


def present_errors(folder, measured):
    """{(kernel, shape): error} of a set that the model has been fitted to since; nothing of any other."""
    if not (results(folder) / f"{folder}_present.csv").exists():
        return {}
    return {key: us / measured[key] - 1 for key, us in microseconds(folder, "present").items() if key in measured}


def table(folder=FIRST):
    measured, predicted = microseconds(folder, "times"), microseconds(folder, "predicted")
    problems = {name: (problem, path.stem) for name, problem, path, _ in generate.blind_variants(folder)}
    errors = {key: us / measured[key] - 1 for key, us in predicted.items() if key in measured}
    what = "Sixty kernels" if folder != OF_H100 else "Kernels of many kinds, for an H100,"
    print(f"# {what} predicted before they were timed\n")
    print(f"Made by `python3 grader/tests/model/blind.py table{'' if folder == FIRST else ' ' + folder}`. The predictions "
          f"({folder}_predicted.csv) were committed before the card timed the kernels ({folder}_times.csv, by time_kernels.cu).\n")
    print("| kernels | rows | mean error | median | nine of ten within | worst | within 20 % |\n|---|--:|--:|--:|--:|--:|--:|")
    for problem in sorted({p for p, _ in problems.values()}):
        summary(problem, [e for key, e in errors.items() if problems[key[0]][0] == problem])
    summary("all", errors.values())
    if folder in FURTHEST_OFF:
        print("\n" + FURTHEST_OFF[folder])
    present = present_errors(folder, measured)
    if present:
        print("\nThe same rows with the model as it is now. They showed what to mend in it, and were used to fit it from then "
              f"on, so these errors ({folder}_present.csv) are no test of it:\n")
        print("| kernels | rows | mean error | median | nine of ten within | worst | within 20 % |\n|---|--:|--:|--:|--:|--:|--:|")
        for stem in dict.fromkeys(stem for _, stem in problems.values()):
            summary(stem, [e for key, e in present.items() if problems[key[0]][1] == stem])
        summary("all", present.values())
    print("\nBy file:\n\n| file | rows | mean error | median | nine of ten within | worst | within 20 % |\n|---|--:|--:|--:|--:|--:|--:|")
    for stem in dict.fromkeys(problems[kernel][1] for kernel, _ in predicted if any(kernel == timed for timed, _ in errors)):
        summary(stem, [e for key, e in errors.items() if problems[key[0]][1] == stem])
    now = " now |" if present else ""
    print(f"\n| kernel | shape | measured us | predicted us | error |{now}\n|---|---|--:|--:|--:|{'--:|' if present else ''}")
    for (kernel, shape), e in errors.items():
        now = f" {100 * present[kernel, shape]:+.0f} % |" if present else ""
        print(f"| {kernel} | {shape} | {measured[kernel, shape]:.1f} | {predicted[kernel, shape]:.1f} | {100 * e:+.0f} % |{now}")


def main():
    if sys.argv[1:2] == ["predict"] and len(sys.argv) in (4, 5):
        predict(*sys.argv[2:])
    elif sys.argv[1:2] == ["table"] and len(sys.argv) in (2, 3):
        table(*sys.argv[2:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
