"""Grades a made-up class of 60 with the virtual GPU, and says what it took and whether every mark is as known.

    nice python3 grader/tests/classroom/class_of_60.py

Once undisturbed: first the marks, then the reports. Then again into an empty folder, killed (SIGKILL, with all its
processes) at ten random moments and started again each time: the gradebook has to be the same to the byte, and the
results but for the times they took. Writes results/class_of_60.md beside itself. Too long for CI, which runs the same
functions on twelve students (test_grade.py). Exit code 1: a mark is not as known, or the folders differ.
"""

import argparse
import datetime
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import grading  # noqa: E402
import make_class  # noqa: E402

RESULTS = HERE / "results" / "class_of_60.md"
COMMAND = "nice python3 grader/tests/classroom/class_of_60.py"


def mebibytes(count):
    return f"{count / 2**20:.0f} MiB"


def table(marks, reports, lines, expected):
    """The figures as Markdown. `marks`, `reports`: the two undisturbed runs; `lines`: more rows, (what, figure)."""
    students = {row["id"]: row["kind"] for row in expected}
    kinds = {kind: list(students.values()).count(kind) for kind in dict.fromkeys(students.values())}
    stages = sum(bool(row["stage"]) for row in expected)
    rows = [("students", len(students)),
            ("of them", ", ".join(f"{count} {kind}" for kind, count in kinds.items())),
            ("marks compared, in three parts each", stages),
            ("grading, wall clock", f"{marks.wall_seconds:.0f} s"),
            ("grading, processor time", f"{marks.cpu_seconds:.0f} s"),
            ("students a minute", f"{60 * len(students) / marks.wall_seconds:.1f}"),
            ("students a minute of processor time", f"{60 * len(students) / marks.cpu_seconds:.1f}"),
            ("grading, most memory of all processes together", mebibytes(marks.peak_bytes)),
            ("grading, most memory of one process", mebibytes(marks.peak_process_bytes)),
            ("reports, wall clock", f"{reports.wall_seconds:.0f} s"),
            ("reports, processor time", f"{reports.cpu_seconds:.0f} s"),
            ("reports, most memory of all processes together", mebibytes(reports.peak_bytes)),
            ("reports, most memory of one process", mebibytes(reports.peak_process_bytes)), *lines]
    return "| what | figure |\n|---|---|\n" + "".join(f"| {what} | {figure} |\n" for what, figure in rows)


def load_text():
    """What else ran: the load before the first process was started."""
    load, cores = os.getloadavg()[1], len(os.sched_getaffinity(0))
    return f"{load:.1f} on {cores} cores"


def page(figures, load, note):
    today = datetime.date.today().isoformat()
    return (f"# A class of 60 on the virtual GPU\n\n{today}, {len(os.sched_getaffinity(0))} cores, no GPU; load average over five "
            f"minutes before the start: {load}.\nMade by:\n\n    {COMMAND}\n\n{figures}\n"
            "Memory is looked at five times a second. The sum counts once what processes share (Pss); one process is its own\n"
            "high-water mark with what it shares (VmHWM), which knows peaks between two looks and may be above the sum. The\n"
            "kills are SIGKILL to the whole process group, at moments drawn from the time that the undisturbed run took.\n"
            + (f"\n{note}\n" if note else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--note", default="", help="what a reader of the figures has to know: what else ran")
    parser.add_argument("--page", type=Path, default=RESULTS, help="where the figures go")
    options = parser.parse_args()
    load = load_text()
    with tempfile.TemporaryDirectory(prefix="warpgrade-class-") as folder:
        made = Path(folder)
        make_class.make_class(made, options.students, options.seed)
        alone, again = made / "alone", made / "again"
        marks = grading.measured(made, alone, "--no-reports", cache=made / "cache-1")
        print(marks.text, flush=True)
        reports = grading.measured(made, alone, cache=made / "cache-1")
        wrong = grading.differences(made, alone)
        delays = grading.moments(options.kills, marks.wall_seconds, options.seed)
        killed = []

        def tell(text):
            killed.append(text)
            print(text, flush=True)

        _, _, complaints = grading.grade_with_kills(made, again, delays, "--no-reports", cache=made / "cache-2", tell=tell)
        different = grading.different_files(alone, again)
        lines = [("marks that are not as known", len(wrong)), ("times killed", len(killed)),
                 ("stages known at each kill", ", ".join(text.split("; ")[1].split()[0] for text in killed)),
                 ("files that differ after the kills", len(different)), ("other complaints", len(complaints))]
        expected = grading.read_csv(made / "expected.csv")
    options.page.parent.mkdir(exist_ok=True)
    options.page.write_text(page(table(marks, reports, lines, expected), load, options.note), encoding="utf-8")
    for problem in (*wrong, *different, *complaints):
        print(problem)
    return 1 if wrong or different or complaints else 0


if __name__ == "__main__":
    sys.exit(main())
