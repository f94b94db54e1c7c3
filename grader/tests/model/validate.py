#!/usr/bin/env python3
"""Compares the time model with what an H200 measured, and writes the table that is committed beside this file.

    ninja -C build/r model_validate
    python3 grader/tests/model/validate.py build/r/grader/model_validate grader/profiles/h200.toml > grader/tests/model/h200/validation.md

Kernels of the half "held" were not used in the fit (fit.py); the half of a kernel is that of its family (kernels.csv).
"""
import csv
import pathlib
import sys

import predictions

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SHAPES = ("1024x1024 2048x2048 4096x4096 8192x8192 16384x16384 8191x8193 8000x8000 6000x10000 100x1000000 1000000x100 "
          "1048576 4194304 16777216 50000003 67108864 268435456 1073741824").split()
FAR_OFF = 0.25

# Why, where the model is more than 25 % off: what it leaves out. The first that fits a row is printed.
REASONS = (
    (lambda k, s: s == "100x1000000", "the output's rows are 400 bytes and their pieces are written long apart: what is "
     "evicted in between depends on the order of all blocks, of which the model sees a few"),
    (lambda k, s: k.startswith("chunk"), "lanes walk along lines of their own: how long L1 keeps them depends on its sets "
     "and on all warps together; the model's L1 is fully associative and evicts the oldest"),
    (lambda k, s: k.startswith("naive_write"), "each load has up to 32 lines under way; the model lets it wait for the "
     "slowest of as many independent waits, memory answers neighbours together"),
    (lambda k, s: k.startswith("copy4_stride"), "half-written sectors merge in L1's store queue more than the model lets "
     "them"),
    (lambda k, s: k == "coarse16x4", "64 threads a block and 64-byte rows: the queue's random part counts for every row"),
    (lambda k, s: s in ("1024x1024", "1048576"), "a few microseconds: launching weighs as much as the blocks"),
)


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))]


def points(band, fraction):
    none, full = band
    return min(1.0, max(0.0, (fraction - none) / (full - none)))


def bands():
    """{stage: (assignment, band)} of the graded stages, from the rubrics."""
    import tomllib

    result = {}
    for name in ("transpose", "reduction"):
        with open(ROOT / "assignments" / name / "assignment.toml", "rb") as f:
            for stage in tomllib.load(f)["stage"]:
                if "band" in stage:
                    result[stage["id"]] = (name, (stage["band"]["none"], stage["band"]["full"]))
    return result


def table(rows, shapes):
    print("| kernel | half | " + " | ".join(shapes) + " |")
    print("|---|---|" + "---|" * len(shapes))
    for kernel, (half, cells) in rows.items():
        print(f"| {kernel} | {half} | " + " | ".join(cells.get(s, "") for s in shapes) + " |")
    print()


def main():
    binary, profile = sys.argv[1:3]
    measured, halves = predictions.measured(), predictions.families()
    model = predictions.Model(binary, profile)
    model.add({(k, s) for k, s in measured if s in SHAPES})
    predicted = model.run()
    errors = {key: p["microseconds"] / measured[key] - 1 for key, p in predicted.items()}
    half_of = lambda k: halves.get(k, ("", "solution"))[1]

    print("# The time model against an NVIDIA H200\n")
    print("Measured: 2026-11-21, driver 580.159.04, CUDA 13.0, by time_kernels.cu (see there), in times.csv beside this "
          "table. Predicted: by validate.py, which wrote this. A cell is the measured time in microseconds and how far "
          "the prediction is off.\n")
    print("The numbers fitted are those that fit.py names, on the half `fit`; all others come from microbenchmarks.csv. "
          "The form of the model was found while all kernels were in sight, so `held` tells how well numbers carry over "
          "to other families of kernels, and less about kernels unlike any of these.\n")
    print("| half | rows | median error | 90th percentile | worst |\n|---|---|---|---|---|")
    for half in ("fit", "held", "solution"):
        mine = [abs(e) for (k, _), e in errors.items() if half_of(k) == half]
        print(f"| {half} | {len(mine)} | {quantile(mine, .5):.1%} | {quantile(mine, .9):.1%} | {max(mine):.0%} |")
    own = [p["seconds_to_trace"] + p["seconds_to_simulate"] for p in predicted.values()]
    print(f"\nTracing and simulating one launcher took {quantile(own, .5) * 1e3:.0f} ms (median), "
          f"{quantile(own, .9) * 1e3:.0f} ms (90th percentile) on one core.\n")

    for is_matrix in (True, False):
        shapes = [s for s in SHAPES if ("x" in s) == is_matrix]
        rows = {}
        for (kernel, shape), e in errors.items():
            if ("x" in shape) != is_matrix:
                continue
            cells = rows.setdefault(kernel, (half_of(kernel), {}))[1]
            cells[shape] = f"{measured[kernel, shape]:.1f} {e:+.0%}"
        print(f"## {'Copies and transposes' if is_matrix else 'Reductions'}\n")
        table(rows, shapes)

    print("## More than 25 % off\n\n| kernel | shape | measured us | predicted us | error | why |\n|---|---|---|---|---|---|")
    for (kernel, shape), e in sorted(errors.items(), key=lambda item: -abs(item[1])):
        if abs(e) <= FAR_OFF:
            break
        why = next((reason for fits, reason in REASONS if fits(kernel, shape)), "not understood")
        print(f"| {kernel} | {shape} | {measured[kernel, shape]:.1f} | {predicted[kernel, shape]['microseconds']:.1f} | {e:+.0%} | {why} |")

    print("\n## Order of the reference solutions\n\nPairs of stages of one assignment whose measured times differ by more "
          "than 15 %, at 8192 x 8192 and 67108864.\n")
    pairs, wrong = 0, []
    for shape in ("8192x8192", "67108864"):
        names = [k for k, s in errors if s == shape and k.startswith("solution_") and not k[-1].isdigit()]
        for i, a in enumerate(names):
            for b in names[i + 1:]:
                if "copy" in a + b or max(measured[a, shape], measured[b, shape]) < 1.15 * min(measured[a, shape], measured[b, shape]):
                    continue
                pairs += 1
                if (measured[a, shape] < measured[b, shape]) != (predicted[a, shape]["microseconds"] < predicted[b, shape]["microseconds"]):
                    wrong.append(f"{a} and {b}")
    print(f"{pairs - len(wrong)} of {pairs} in the right order" + (": wrong are " + ", ".join(wrong) if wrong else "") + ".\n")

    print("## Marks\n\nOf each slow variant of a reference solution, the share of the performance points that the measured "
          "and the modelled bandwidth give against the reference's, at 8192 x 8192 or 67108864. The solutions themselves "
          "have all of theirs in both.\n\n| variant | stage | band | measured | of the points | modelled | of the points | "
          "difference |\n|---|---|---|---|---|---|---|---|")
    rubric, within, count, slow_within, slow = bands(), 0, 0, 0, 0
    with open(HERE / "kernels.csv", newline="") as f:
        for row in csv.DictReader(f):
            stage = row["slow_stage"]
            if not stage:
                continue
            assignment, band = rubric[stage]
            shape = "67108864" if assignment == "reduction" else "8192x8192"
            kernel, reference = (row["name"], shape), (f"solution_{assignment}_{stage}", shape)
            m = measured[reference] / measured[kernel]
            p = predicted[reference]["microseconds"] / predicted[kernel]["microseconds"]
            gap = points(band, p) - points(band, m)
            count += 1
            within += abs(gap) <= 0.05
            slow += m < 1
            slow_within += m < 1 and abs(gap) <= 0.05
            print(f"| {row['name']} | {stage} | {band[0]} to {band[1]} | {m:.2f} | {points(band, m):.2f} | {p:.2f} | {points(band, p):.2f} | {gap:+.2f} |")
    print(f"\n{within} of {count} variants are within 5 % of the points; of the {slow} that are slower than the reference when measured, {slow_within} are.")


if __name__ == "__main__":
    main()
