"""Starts `warpgrade grade` on a made-up class, kills it where asked to, and compares what comes out with what is known."""

import csv
import dataclasses
import functools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve() / "warpgrade-bin"
SEED = 7  # of the shapes: the class's own would be drawn


def start(folder, out, *more, cache=None, seed=SEED):
    """The process; `cache`: folder for compiled files, so that a run begins without any."""
    words = [BINARY, "grade", folder / "hand-ins", "--roster", folder / "roster.csv", "--out", out, "--seed", str(seed),
             "--device", "virtual", *more]
    environment = dict(os.environ, WARPGRADE_ROOT=str(ROOT), NO_COLOR="1")
    if cache:
        environment["WARPGRADE_CACHE"] = str(cache)
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env=environment, start_new_session=True)


def grade(folder, out, *more, cache=None, seed=SEED):
    """(exit code, what it printed)"""
    process = start(folder, out, *more, cache=cache, seed=seed)
    text, _ = process.communicate(timeout=1800)
    return process.returncode, text


def run_grade(*words):
    """Without reports, with the seed of these tests: (exit code, what it printed)"""
    done = subprocess.run([BINARY, "grade", *words, "--no-reports", "--seed", str(SEED), "--device", "virtual"], capture_output=True,
                          text=True, stdin=subprocess.DEVNULL, env=dict(os.environ, WARPGRADE_ROOT=str(ROOT), NO_COLOR="1"))
    return done.returncode, done.stdout + done.stderr


def seconds_of(path):
    """What a stage of a store took, by the clock."""
    return sum(json.loads(path.read_text(encoding="utf-8").split("\n", 1)[1])["seconds"].values())


def know(out, graded, without=(), is_compiled=False):
    """Gives a new folder the stages that were graded into another one, but for those of these names, and where
    `is_compiled`, what was compiled for them: what is not about grading has no need to do it again."""
    if (out / ".store").exists():
        return
    out.mkdir(mode=0o700, parents=True, exist_ok=True)
    (out / ".store").mkdir(mode=0o700)
    for path in (graded / ".store").iterdir():
        is_program = path.is_file() and re.fullmatch("[0-9a-f]{64}", path.name)
        if path.name not in without and (path.suffix == ".json" or is_compiled and is_program):
            shutil.copy(path, out / ".store")


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@functools.lru_cache(maxsize=None)
def performance_alone(file, stage, profile):
    """Points for performance of one file checked by itself, as its student would: no class, no other process."""
    words = [BINARY, "check", ROOT / file, "--stage", stage, "--format", "json", "--seed", str(SEED), "--device", "virtual",
             "--profile", profile]
    ended = subprocess.run(words, capture_output=True, text=True, env=dict(os.environ, WARPGRADE_ROOT=str(ROOT)))
    [checked] = json.loads(ended.stdout)["stages"]
    return checked["score"]["performance"]


def known_points(row, profile):
    """The points for each part that a row of expected.csv says."""
    points = {part: float(row[part]) for part in ("correctness", "technique")}
    if row["alone"]:
        return {**points, "performance": performance_alone(row["alone"], row["stage"], profile)}
    return {**points, "performance": float(row["performance"])}


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
            result = json.loads((out / "results" / f"{student}.json").read_text(encoding="utf-8"))
            profile = result["device"]["profile"]
            results[student] = {f"{stage['assignment']}/{stage['stage']}": stage["score"] for stage in result["stages"]}
        score = results[student].get(row["stage"])
        if not score:
            wrong.append(f"{student} ({row['kind']}) has no {row['stage']}")
            continue
        known = known_points(row, profile)
        for part, points in known.items():
            if abs(score[part] - points) > 1e-5:
                wrong.append(f"{student} ({row['kind']}) {row['stage']}: {part} {score[part]}, not {points}")
        total = sum(known.values())
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


def without_times(text):
    """A result's JSON without what differs from run to run: how long its parts took."""
    result = json.loads(text)
    for stage in result["stages"]:
        stage["compile"].pop("seconds", None)
        stage.pop("seconds", None)
        for finding in stage["findings"]:
            if finding["kind"] in STOPPED_COMPILER:
                finding.clear()
    return result


# Which limit stops a compiler that takes too much of all depends on what else the machine does. The marks do not.
STOPPED_COMPILER = {"compile_timeout": "compilation took longer than .*", "compile_memory": "compilation needed more than .*",
                    "compiler_crashed": "the CUDA compiler crashed on this file"}


def without_stops(text):
    """A Gradescope file's JSON, with the same words for every limit that stopped the compiler."""
    pattern = "|".join(STOPPED_COMPILER.values())
    result = json.loads(text)
    for test in result["tests"]:
        test["output"] = re.sub(pattern, "the compiler was stopped", test["output"])
    return result


def different_files(one, other):
    """Names of what two folders of the same class do not have alike: gradebook, class, results, Gradescope."""
    names = sorted({path.relative_to(out).as_posix() for out in (one, other)
                    for pattern in ("gradebook.csv", "class.json", "results/*", "gradescope/*") for path in out.glob(pattern)})
    assert "gradebook.csv" in names
    return [name for name in names if not is_alike(one / name, other / name)]


def is_alike(one, other):
    if not (one.exists() and other.exists()):
        return False
    read = {"results": without_times, "gradescope": without_stops}.get(one.parent.name, lambda text: text)
    return read(one.read_bytes()) == read(other.read_bytes())


def is_alive(pid):
    """Neither ended nor only waiting for a parent that never asks, as the first process of a container may be."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


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


@dataclasses.dataclass
class Run:
    """What one run took. Memory is looked at five times a second: the sum counts what processes share once."""
    code: int
    text: str
    wall_seconds: float
    cpu_seconds: float
    peak_bytes: int
    peak_process_bytes: int


def kibibytes(pid, file, field):
    """A field of /proc/<pid>/<file>; 0 where the process has ended."""
    try:
        for line in Path(f"/proc/{pid}/{file}").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def resident_kibibytes(pid):
    """What it shares with others is counted once; of a confined process, which its own user may not look into, what is of no file."""
    return kibibytes(pid, "smaps_rollup", "Pss") or kibibytes(pid, "status", "RssAnon")


def measured(folder, out, *more, cache=None):
    """Grades as `grade` does, and looks at what it takes."""
    began = time.monotonic()
    process = start(folder, out, *more, cache=cache)
    printed = []
    reader = threading.Thread(target=lambda: printed.append(process.stdout.read()))
    reader.start()
    most = most_of_one = 0
    while True:
        pids = [process.pid, *children(process.pid)]
        most = max(most, sum(map(resident_kibibytes, pids)))
        most_of_one = max(most_of_one, *(kibibytes(pid, "status", "VmHWM") for pid in pids))
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        time.sleep(0.2)
    process.returncode = os.waitstatus_to_exitcode(status)
    reader.join()
    process.stdout.close()
    return Run(process.returncode, printed[0], time.monotonic() - began, usage.ru_utime + usage.ru_stime, most * 1024,
               most_of_one * 1024)


def moments(count, seconds, seed):
    """How long each of `count` runs goes before it is killed: together they fall at random into `seconds`."""
    dice = random.Random(seed)
    times = sorted(dice.uniform(0, seconds) for _ in range(count))
    return [max(later - earlier, 0.05) for earlier, later in zip([0, *times], times)]


def grade_with_kills(folder, out, delays, *more, cache=None, whole_group=lambda number: True, tell=lambda text: None):
    """Starts the command and kills it (SIGKILL) after each of `delays`, then lets it end. `whole_group(number)`: the
    workers are killed with it, as when the power fails; else they have to notice. Returns (exit code, what the last run printed,
    complaints: files that were not whole, processes that lived on, runs that were done too early to be killed)."""
    complaints = []
    for number, delay in enumerate(delays):
        process = start(folder, out, *more, cache=cache)
        try:
            process.wait(delay)
            complaints.append(f"a run was done before it could be killed after {delay:.2f} s")
        except subprocess.TimeoutExpired:
            pass
        below = children(process.pid)
        if whole_group(number):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        deadline = time.monotonic() + 5
        while any(map(is_alive, below)) and time.monotonic() < deadline:
            time.sleep(0.05)
        complaints += [f"process {pid} lives on" for pid in below if is_alive(pid)]
        complaints += broken_files(out)
        known = len(list(out.glob(".store/*.json")))
        tell(f"killed after {delay:.2f} s with {len(below)} processes below it; {known} stages known")
    code, text = grade(folder, out, *more, cache=cache)
    return code, text, complaints
