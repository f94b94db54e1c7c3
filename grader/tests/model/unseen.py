#!/usr/bin/env python3
"""Predicts programs that no part of the time model was made with, and compares with what a card measures of them.

    python3 grader/tests/model/unseen.py predict right > grader/tests/model/h200/unseen_present.csv    # no card
    python3 grader/tests/model/unseen.py measure right > grader/tests/model/h200/unseen_measured.csv   # a card
    python3 grader/tests/model/unseen.py table > grader/tests/model/h200/unseen.md
    python3 grader/tests/model/unseen.py known CARD    # the lists [[error]] of the profile h200 or h100

The programs are those of a folder of grader/tests/submissions, each graded as its stage at the shapes that `check` times.
They were written to be hard for the virtual GPU. unseen_blind.csv was written by `predict`, and committed, before a card
had timed them (`right` first; `wrong_technique` after the model was mended by what that showed). WARPGRADE names the
program (grader/warpgrade).
"""
import concurrent.futures
import csv
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys

import blind
import generate
import predictions
import validate

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WARPGRADE = os.environ.get("WARPGRADE", str(ROOT / "grader" / "warpgrade"))
COLUMNS = ["program", "stage", "sha256", "class", "shape", "microseconds", "iqr_microseconds", "share_of_reference",
           "performance", "of", "limiter"]
FAR_OFF = 0.25
MARK_TOLERANCE = 0.05  # of the points

# Why the present model is more than 25 % off, where that was looked into; "probably" where it was not measured by itself.
REASONS = {
    "bulk_copy_asm": "what cp.async.bulk moves, and the wait for it, are not modelled",
    "duffs_device": "probably each load of a turn waits for the one before, behind a label; the model takes them to be under way together",
    "recursion": "probably the stack of calls that are not inlined, which is in local memory and not modelled",
    "shared_pointer_to_function": "probably calls that are not inlined, and generic addresses, which cost more than is modelled",
    "sum_for_each_thread": "probably ptxas unrolls the loop, whose PTX has one load a turn",
    "tables_known_when_compiled": "tiles in an order of the program's own: the block that completes a sector is not found",
    "warp_finds_its_friends": "atomic additions of a warp to several addresses are taken to wait for each other one by one",
}


def checked(path, device):
    """What `check` says in JSON, or nothing."""
    stage = path.read_text().split("// stage: ", 1)[1].split()[0]
    command = [WARPGRADE, "check", str(path), "--stage", stage, "--device", device, "--format", "json"]
    if device == "virtual":
        command += ["--profile", "h200"]
    try:
        done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    except subprocess.TimeoutExpired:
        print(f"{path.name}: more than a minute", file=sys.stderr)
        return None
    if done.returncode not in (0, 1):
        print(f"{path.name}: exit {done.returncode}: {done.stderr[-500:]}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def grade(device, folder):
    """Prints a row for each program and shape class. What is measured has the card for itself."""
    out = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    name = None
    paths = sorted((ROOT / "grader/tests/submissions" / folder).glob("*.cu"))
    at_once = 1 if device == "cuda" else max(1, os.cpu_count() // 2)
    results = concurrent.futures.ThreadPoolExecutor(at_once).map(lambda path: checked(path, device), paths)
    for path, result in zip(paths, results):
        if result is None:
            continue
        graded = result["stages"][0]
        stage = f"{graded['assignment']}/{graded['stage']}"
        times = graded["bandwidth_by_class"]
        if not name and times:
            name = result["device"]["name"] if device == "cuda" else f"modelled for {graded['time']['gpu']}"
            print(f"# {name}, {datetime.date.today()}")
            out.writeheader()
        if not times:
            print(f"{path.name}: not timed ({graded.get('why_untimed') or graded['score'].get('reason', '')})", file=sys.stderr)
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


def rows_of(name, card="h200"):
    """What the first line says, and the rows by program, stage, digest, class and shape."""
    with open(HERE / card / name, newline="") as f:
        head = f.readline()[2:].strip()
        return head, {(r["program"], r["stage"], r["sha256"], r["class"], r["shape"]): r for r in csv.DictReader(f)}


RUBRICS = validate.rubrics(sorted(path.parent.name for path in (ROOT / "assignments").glob("*/assignment.toml")))
POINTS = {"/".join(stage): sum(rubric["points"].values()) for stage, rubric in RUBRICS.items()}
BANDS = {"/".join(stage): band for stage, band in validate.bands(RUBRICS).items()}


def withheld(row):
    """Fast enough for points and yet without any: the technique fails, by a rule that is younger than the measurement."""
    band = BANDS.get(row["stage"])
    return float(row["performance"]) == 0 and band is not None and validate.points(band, float(row["share_of_reference"])) > 0


class Predictions:
    def __init__(self, name, measured, folder):
        self.what, rows = rows_of(name)
        programs = {path.stem for path in (ROOT / "grader/tests/submissions").glob(f"{folder}/*.cu")}
        self.rows = {key: row for key, row in rows.items() if key in measured and key[0] in programs}
        self.error = {key: float(row["microseconds"]) / float(measured[key]["microseconds"]) - 1
                      for key, row in self.rows.items()}
        self.marks = {key[:2]: (float(row["performance"]), float(measured[key]["performance"]), float(row["of"]))
                      for key, row in self.rows.items() if float(row["of"]) > 0 and not withheld(row)}
        self.withheld = sorted({key[0] for key, row in self.rows.items() if float(row["of"]) > 0 and withheld(row)})
        self.near = [key for key, (ours, real, of) in self.marks.items() if abs(ours - real) <= MARK_TOLERANCE * of]
        self.near_in_all = [key for key, (ours, real, _) in self.marks.items()
                            if abs(ours - real) <= MARK_TOLERANCE * POINTS[key[1]]]

    def print_errors(self):
        print("| shapes | rows | median error | 90th percentile | worst | within 25 % |\n|---|--:|--:|--:|--:|--:|")
        for name in sorted({key[3] for key in self.error}) + ["all"]:
            errors = [abs(e) for key, e in self.error.items() if name in (key[3], "all")]
            print(f"| {name} | {len(errors)} | {100 * statistics.median(errors):.1f} % | {100 * predictions.quantile(errors, 0.9):.1f} % "
                  f"| {100 * max(errors):.0f} % | {sum(e <= FAR_OFF for e in errors)} |")
        print(f"\n{len(self.near_in_all)} of {len(self.marks)} programs have the mark that the card gives them, within "
              f"{100 * MARK_TOLERANCE:.0f} % of the stage's points; {len(self.near)} have its performance points, within "
              f"{100 * MARK_TOLERANCE:.0f} % of the performance points alone.\n")
        if self.withheld:
            print(f"Left out: {', '.join(self.withheld)}, whose points a rule about the technique withholds that was not there "
                  "when they were measured.\n")


def table():
    card, measured = rows_of("unseen_measured.csv")
    blind, second, present = [Predictions(name, measured, folder) for name, folder in (
        ("unseen_blind.csv", "right"), ("unseen_blind.csv", "wrong_technique"), ("unseen_present.csv", "*"))]
    print("# Programs the time model had never seen\n")
    print(f"{blind.what}; measured: {card}. Made by `python3 grader/tests/model/unseen.py table`; unseen.py says how the "
          "tables it reads are made.\n")
    print("## Right programs, predicted before they were timed\n")
    blind.print_errors()
    print("This is how far to trust the model of that day with a program unlike those it was made with: not as far as the "
          "kernels held out of the fit (validation.md) had it. Most of the error was three mistakes: in a grid of one row "
          "the blocks that complete a sector were looked for in the wrong place, long code without a loop was cut before "
          "its stores, and what cp.async loads was not counted.\n")
    print("## Programs of the wrong technique, predicted by the mended model before they were timed\n")
    second.print_errors()
    print("## All of them, predicted by the present model\n")
    present.print_errors()
    print("| kind of kernel | rows | median error | 90th percentile |\n|---|--:|--:|--:|")
    for kind, found in sorted(known_errors("h200").items()):
        print(f"| {kind} | {len(found)} | {100 * statistics.median(found):.1f} % | {100 * predictions.quantile(found, 0.9):.1f} % |")
    print()
    far = sorted(key for key in present.marks if key not in present.near)
    print("| program | stage | points predicted | measured | of |\n|---|---|--:|--:|--:|")
    for key in far:
        ours, real, of = present.marks[key]
        print(f"| {key[0]} | {key[1]} | {ours:.2f} | {real:.2f} | {of:g} |")
    print("\nMore than 25 % off:\n\n| program | stage | class | shape | predicted us | measured us | error | why |\n"
          "|---|---|---|---|--:|--:|--:|---|")
    for key in sorted((k for k, e in present.error.items() if abs(e) > FAR_OFF), key=lambda k: -abs(present.error[k])):
        print(f"| {key[0]} | {key[1]} | {key[3]} | {key[4]} | {float(present.rows[key]['microseconds']):.1f} | "
              f"{float(measured[key]['microseconds']):.1f} | {100 * present.error[key]:+.0f} % | "
              f"{REASONS.get(key[0], 'not understood')} |")


def known_errors(card):
    """{problem: errors}: of the present model and, for an H100, the kernels of blind4, of this table's programs else."""
    found = {}
    if card == "h100":
        problems = {name: problem for name, problem, _, _ in generate.blind_variants(blind.OF_H100)}
        ours, measured = (blind.microseconds(blind.OF_H100, kind) for kind in ("predicted", "times"))
        for key, us in measured.items():
            if key in ours:
                found.setdefault(problems[key[0]], []).append(abs(ours[key] / us - 1))
        return found
    _, measured = rows_of("unseen_measured.csv", card)
    for key, row in rows_of("unseen_present.csv", card)[1].items():
        if key in measured:
            error = abs(float(row["microseconds"]) / float(measured[key]["microseconds"]) - 1)
            found.setdefault(key[1].split("/")[0], []).append(error)
    return found


def known(card):
    source = f"grader/tests/model/{card}/{'blind4' if card == 'h100' else 'unseen'}.md"
    for problem, errors_of_it in sorted(known_errors(card).items()):
        print(f'[[error]]\nproblem = "{problem}"\nrows = {len(errors_of_it)}\nmedian = {statistics.median(errors_of_it):.3f}\n'
              f'nine_of_ten = {predictions.quantile(errors_of_it, 0.9):.3f}\nsource = "{source}"\n')


def main():
    verb, *of = sys.argv[1:] or [""]
    if verb == "table" and not of:
        table()
    elif verb == "known" and len(of) == 1:
        known(of[0])
    elif verb in ("predict", "measure") and len(of) == 1:
        grade("cuda" if verb == "measure" else "virtual", of[0])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
