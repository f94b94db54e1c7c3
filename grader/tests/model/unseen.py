#!/usr/bin/env python3
"""Predicts programs that no part of the time model was made with, and compares with what a card measures of them.

    python3 grader/tests/model/unseen.py predict > grader/tests/model/h200/unseen_predicted.csv     # no card
    python3 grader/tests/model/unseen.py measure > grader/tests/model/h200/unseen_measured.csv      # a card
    python3 grader/tests/model/unseen.py table > grader/tests/model/h200/unseen.md

The programs are those of grader/tests/submissions/right, each graded as its stage at the shapes that `check` times. They
were written to be hard for the virtual GPU, and the model was neither fitted to them nor changed for them: the
predictions were committed before the programs were timed. WARPGRADE names the program (grader/warpgrade).
"""
import csv
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WARPGRADE = os.environ.get("WARPGRADE", str(ROOT / "grader" / "warpgrade"))
COLUMNS = ["program", "stage", "sha256", "class", "shape", "microseconds", "iqr_microseconds", "share_of_reference",
           "performance", "of", "limiter"]
FAR_OFF = 0.25
MARK_TOLERANCE = 0.05  # of the points


def grade(device):
    """Prints a row for each program and shape class."""
    out = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    name = None
    for path in sorted((ROOT / "grader/tests/submissions/right").glob("*.cu")):
        stage = path.read_text().split("// stage: ", 1)[1].split()[0]
        command = [WARPGRADE, "check", str(path), "--stage", stage, "--device", device, "--format", "json"]
        done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        if done.returncode not in (0, 1):
            print(f"{path.name}: exit {done.returncode}: {done.stderr[-500:]}", file=sys.stderr)
            continue
        result = json.loads(done.stdout)
        graded = result["stages"][0]
        times = graded["bandwidth_by_class"]
        if not name:
            name = result["device"]["name"] if device == "cuda" else f"modelled for {graded['time']['gpu']}"
            print(f"# {name}, {datetime.date.today()}")
            out.writeheader()
        if not times:
            print(f"{path.name}: not timed ({graded['score']['why']})", file=sys.stderr)
        for one in times:
            out.writerow({
                "program": path.stem, "stage": stage, "sha256": graded["sha256"][:16], "class": one["class"],
                "shape": one["shape"].replace(" ", ""), "microseconds": f"{1e6 * one['seconds']:.3f}",
                "iqr_microseconds": f"{1e6 * one['iqr_seconds']:.3f}",
                "share_of_reference": f"{one['share_of_reference']:.4f}",
                "performance": f"{graded['score']['performance']:.4f}", "of": graded["points"]["performance"],
                "limiter": one["limiter"],
            })
        sys.stdout.flush()


def rows_of(name):
    with open(HERE / "h200" / name, newline="") as f:
        head = f.readline()[2:].strip()
        return head, {(r["program"], r["stage"], r["sha256"], r["class"], r["shape"]): r for r in csv.DictReader(f)}


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))]


def table():
    modelled, predicted = rows_of("unseen_predicted.csv")
    card, measured = rows_of("unseen_measured.csv")
    keys = [key for key in measured if key in predicted]
    error = {key: float(predicted[key]["microseconds"]) / float(measured[key]["microseconds"]) - 1 for key in keys}
    print("# Programs the time model had never seen\n")
    print(f"Predicted: {modelled}. Measured: {card}. Made by `python3 grader/tests/model/unseen.py table`; unseen.py says how "
          "the two tables it reads are made. The predictions were committed before the programs were timed.\n")
    alone = sorted({key[0] for key in {*measured, *predicted} if key not in error})
    if alone:
        print(f"In one of the two tables only, or changed in between: {', '.join(alone)}.\n")
    print("| shapes | rows | median error | 90th percentile | worst | within 25 % |\n|---|--:|--:|--:|--:|--:|")
    classes = sorted({key[3] for key in keys})
    for name, chosen in [(c, [k for k in keys if k[3] == c]) for c in classes] + [("all", keys)]:
        errors = [abs(error[key]) for key in chosen]
        print(f"| {name} | {len(errors)} | {100 * statistics.median(errors):.1f} % | {100 * quantile(errors, 0.9):.1f} % | "
              f"{100 * max(errors):.0f} % | {sum(e <= FAR_OFF for e in errors)} |")

    marks = {key[:2]: (float(predicted[key]["performance"]), float(measured[key]["performance"]),
                       float(measured[key]["of"])) for key in keys}
    marks = {key: values for key, values in marks.items() if values[2] > 0}
    near = [key for key, (ours, real, of) in marks.items() if abs(ours - real) <= MARK_TOLERANCE * of]
    far = sorted(key for key in marks if key not in near)
    print(f"\nPerformance points: {len(near)} of {len(marks)} programs have the measured points, within "
          f"{100 * MARK_TOLERANCE:.0f} % of what the stage gives.")
    if far:
        print("\n| program | stage | points predicted | measured | of |\n|---|---|--:|--:|--:|")
        for key in far:
            ours, real, of = marks[key]
            print(f"| {key[0]} | {key[1]} | {ours:.2f} | {real:.2f} | {of:g} |")
    print("\n## More than 25 % off\n\n| program | stage | class | shape | predicted us | measured us | error | the model's limiter |\n"
          "|---|---|---|---|--:|--:|--:|---|")
    for key in sorted((k for k in keys if abs(error[k]) > FAR_OFF), key=lambda k: -abs(error[k])):
        print(f"| {key[0]} | {key[1]} | {key[3]} | {key[4]} | {float(predicted[key]['microseconds']):.1f} | "
              f"{float(measured[key]['microseconds']):.1f} | {100 * error[key]:+.0f} % | {predicted[key]['limiter']} |")


if __name__ == "__main__":
    modes = {"predict": lambda: grade("virtual"), "measure": lambda: grade("cuda"), "table": table}
    if len(sys.argv) != 2 or sys.argv[1] not in modes:
        sys.exit(__doc__)
    modes[sys.argv[1]]()
