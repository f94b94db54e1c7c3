"""Starts `warpgrade grade` on a made-up class, kills it where asked to, and compares what comes out with what is known."""

import csv
import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve() / "warpgrade-bin"
SEED = 7  # of the shapes: the class's own would be drawn


def start(folder, out, *more, cache=None):
    """The process; `cache`: folder for compiled files, so that a run begins without any."""
    words = [BINARY, "grade", folder / "hand-ins", "--roster", folder / "roster.csv", "--out", out, "--seed", str(SEED),
             "--device", "virtual", *more]
    environment = dict(os.environ, WARPGRADE_ROOT=str(ROOT), NO_COLOR="1")
    if cache:
        environment["WARPGRADE_CACHE"] = str(cache)
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env=environment)


def grade(folder, out, *more, cache=None):
    """(exit code, what it printed)"""
    process = start(folder, out, *more, cache=cache)
    text, _ = process.communicate(timeout=1800)
    return process.returncode, text


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def differences(folder, out):
    """Where the results are not what expected.csv says; one line each, none if every mark is as known."""
    book = {row["SID"]: row for row in read_csv(out / "gradebook.csv")}
    results, wrong = {}, []
    for row in read_csv(folder / "expected.csv"):
        student = row["id"]
        if student not in book:
            wrong.append(f"{student} is not in the gradebook")
            continue
        status = book[student]["status"]
        if row["status"] != "marked":
            if status != row["status"] or book[student]["total"]:
                wrong.append(f"{student} ({row['kind']}) is {status} with `{book[student]['total']}`, not {row['status']}")
            continue
        if status not in ("graded", "provisional"):
            wrong.append(f"{student} ({row['kind']}) is {status}: {book[student]['notes']}")
            continue
        if student not in results:
            stages = json.loads((out / "results" / f"{student}.json").read_text(encoding="utf-8"))["stages"]
            results[student] = {f"{stage['assignment']}/{stage['stage']}": stage["score"] for stage in stages}
        score = results[student].get(row["stage"])
        if not score:
            wrong.append(f"{student} ({row['kind']}) has no {row['stage']}")
            continue
        for part in ("correctness", "technique"):
            if abs(score[part] - float(row[part])) > 1e-5:
                wrong.append(f"{student} ({row['kind']}) {row['stage']}: {part} {score[part]}, not {row[part]}")
        total = sum(score[part] for part in ("correctness", "technique", "performance"))
        if abs(total - float(book[student][row["stage"]])) > 0.00501:
            wrong.append(f"{student} ({row['kind']}) {row['stage']}: {total}, but the gradebook has "
                         f"{book[student][row['stage']]}")
    return wrong


def broken_files(out):
    """Result files that are not whole, at any moment."""
    bad = []
    for path in [*out.glob("results/*.json"), *out.glob("gradescope/*.json")]:
        try:
            json.loads(path.read_text(encoding="utf-8"))
        except json.JSONDecodeError as problem:
            bad.append(f"{path.name}: {problem}")
    return bad


def children(pid):
    """Processes below this one."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(text.rsplit(")", 1)[1].split()[1])
    found, queue = [], [pid]
    while queue:
        parent = queue.pop()
        below = [child for child, its in parents.items() if its == parent]
        found += below
        queue += below
    return found


def grade_with_kills(folder, out, kills, seconds, *more, cache=None, seed=1, tell=lambda text: None):
    """Starts the command, kills it (SIGKILL) at a random moment within `seconds`, `kills` times, and then lets it end.
    Returns (exit code, what the last run printed, complaints: files that were not whole, processes that lived on)."""
    moments = random.Random(seed)
    complaints, landed = [], 0
    while landed < kills:
        process = start(folder, out, *more, cache=cache)
        delay = moments.uniform(0.05, seconds)
        try:
            process.wait(delay)
            process.stdout.close()
            tell(f"done before it could be killed after {delay:.2f} s")
            if landed == 0:
                complaints.append("it was done before it could be killed once: `seconds` is too long")
            break
        except subprocess.TimeoutExpired:
            pass
        below = children(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        landed += 1
        deadline = time.monotonic() + 5
        while any(Path(f"/proc/{pid}").exists() for pid in below) and time.monotonic() < deadline:
            time.sleep(0.05)
        complaints += [f"process {pid} lives on" for pid in below if Path(f"/proc/{pid}").exists()]
        complaints += broken_files(out)
        known = len(list(out.glob(".store/*.json")))
        tell(f"killed after {delay:.2f} s with {len(below)} processes below it; {known} stages known")
    code, text = grade(folder, out, *more, cache=cache)
    return code, text, complaints
