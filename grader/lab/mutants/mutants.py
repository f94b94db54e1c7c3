#!/usr/bin/env python3
"""grader/lab/mutants/mutants.py COUNT [options]: programs with slips (mutate.py) through `check`, many at a time.

Made from the solutions, the stubs, the wrong programs of the course and those of the tests. Each must end with 0 or 1,
say what is wrong where it ends with 1, and take less than its time: anything else is a defect of the kit. Prints a table,
keeps each mutant that failed in OUT, made smaller, and exits with 1 if there is one. What a seed makes is the same
everywhere; the base of a mutant hangs on the files that the repository has."""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11
    import tomli as tomllib

sys.path.insert(0, str(Path(__file__).resolve().parent))
import mutate  # noqa: E402

ROOT = Path(os.environ.get("WARPGRADE_ROOT") or Path(__file__).resolve().parents[3])
# The hard limit of a check is 8 s of processor time, and one more process compiles; a slower machine has more.
MOST_CPU_SECONDS = 20
MOST_SECONDS = 300  # of the wall clock: a hang that no limit ends
KEPT_OUT = ("unsupported", "unsupported_everywhere")  # folders of submissions that end with 3


def stages_by_file():
    stages = {}
    for path in sorted(ROOT.glob("assignments/*/assignment.toml")):
        for stage in tomllib.loads(path.read_text())["stage"]:
            stages[f"{path.parent.name}/{stage['file']}"] = f"{path.parent.name}/{stage['id']}"
    return stages


def bases():
    """(path, stage) of all programs, in an order that is the same everywhere."""
    known = stages_by_file()
    for path in sorted([*ROOT.glob("solutions/*/*.cu"), *ROOT.glob("assignments/*/*.cu")]):
        if f"{path.parent.name}/{path.name}" in known:
            yield path, known[f"{path.parent.name}/{path.name}"]
    for path in sorted(ROOT.glob("solutions/*/wrong/*.cu")):
        named = re.search(r"stage=(\w+)", path.read_text())
        if named:
            yield path, f"{path.parent.parent.name}/{named[1]}"
    for path in sorted(ROOT.glob("grader/tests/submissions/*/*.cu")):
        named = re.search(r"^// stage: (\w+/\w+)", path.read_text(errors="replace"), re.M)
        if named and path.parent.name not in KEPT_OUT:
            yield path, named[1]
    for path in sorted(ROOT.glob("grader/tests/mistakes/*.cu")):
        yield path, "/".join(path.name.split("__")[:2])


class Outcome:
    """How `check` of one text ended. `failure`: the defect, or nothing."""
    def __init__(self, code, verdict, cpu, wall, failure, text):
        self.code, self.verdict, self.cpu, self.wall, self.failure, self.text = code, verdict, cpu, wall, failure, text


def verdict_of(stage):
    if not stage["compile"]["ok"]:
        return "does not compile"
    wrong = collections.Counter(c["verdict"] for c in stage["correctness"]["cases"] if c["verdict"] not in ("pass", "skipped"))
    if wrong:
        return wrong.most_common(1)[0][0]
    if any(c["verdict"] == "skipped" for c in stage["correctness"]["cases"]):
        return "skipped"
    return "right" if stage["correctness"]["cases"] else "nothing was run"


def failure_of(code, answer, cpu, options):
    """(verdict, failure) of a check with `--format json`."""
    if code < 0:
        return "", f"signal {signal.Signals(-code).name}"
    if code not in (0, 1):
        return "", f"exit {code}"
    try:
        stage = json.loads(answer)["stages"][0]
    except (ValueError, KeyError, IndexError) as error:
        return "", f"no result: {type(error).__name__}"
    verdict = verdict_of(stage)
    said = stage["findings"] + stage["compile"]["diagnostics"]
    if stage["score"]["state"] == "internal_error":
        return verdict, "internal_error"
    if "of processor time" in json.dumps(said) and not options.slow:
        return verdict, "ended by the hard limit on time"
    if verdict != "right" and not stage["untouched"] and not any(one["severity"] == "error" for one in said):
        return verdict, f"{verdict}, without a word"
    if any(not str(one["message"]).strip() for one in said):
        return verdict, "a message without words"
    return verdict, f"{cpu:.0f} s of processor time" if cpu > options.most_cpu else ""


def kill(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it ended by itself


def check(text, stage, options, folder, as_text=False):
    path = Path(folder) / "mutant.cu"
    path.write_text(text)
    words = [options.program, "check", str(path), "--stage", stage, "--device", "virtual"]
    words += [] if as_text else ["--format", "json"]
    begun = time.monotonic()
    with open(Path(folder) / "answer", "w+b") as out, open(Path(folder) / "progress", "w") as told:
        run = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=out if as_text else told, cwd=folder,
                               env=os.environ | {"WARPGRADE_ROOT": str(ROOT), "TMPDIR": str(folder)}, start_new_session=True)
        timer = threading.Timer(MOST_SECONDS, lambda: kill(run.pid))
        timer.start()
        _, status, usage = os.wait4(run.pid, 0)
        timer.cancel()
        run.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        answer = out.read().decode(errors="replace")
    cpu, wall = usage.ru_utime + usage.ru_stime, time.monotonic() - begun
    if as_text:
        is_silent = run.returncode == 1 and not re.search(r"^(error|warning|score)|Not attempted", answer, re.M)
        bad = run.returncode not in (0, 1)
        failure = f"exit {run.returncode} as text" if bad else "exit 1 as text, without a word" if is_silent else ""
        return Outcome(run.returncode, "", cpu, wall, failure, answer)
    verdict, failure = failure_of(run.returncode, answer, cpu, options)
    if "Sanitizer" in (Path(folder) / "progress").read_text(errors="replace"):
        failure = "a sanitizer's report"
    return Outcome(run.returncode, verdict, cpu, wall, failure, answer)


def check_both(text, stage, options, folder):
    """As JSON; one of eight as text, too, whose words are put together elsewhere."""
    outcome = check(text, stage, options, folder)
    if not outcome.failure and len(text) % 8 == 0:
        told = check(text, stage, options, folder, as_text=True)
        outcome.failure = told.failure
    return outcome


def smaller(text, stage, failure, options, folder, most_tries=120):
    """The text with as few lines as fail in the same way; by halves, then by less."""
    lines, tries = text.splitlines(keepends=True), 0
    size = max(1, len(lines) // 2)
    while size >= 1 and tries < most_tries:
        at, before = 0, len(lines)
        while at < len(lines) and tries < most_tries:
            shorter = lines[:at] + lines[at + size:]
            tries += 1
            if check_both("".join(shorter), stage, options, folder).failure == failure:
                lines = shorter
            else:
                at += size
        if size == 1 and len(lines) == before:
            break
        size = max(1, size // 2) if size > 1 or len(lines) == before else 1
    return "".join(lines)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, help="mutants")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first seed; default 0")
    parser.add_argument("--program", default=str(ROOT / "build/release/grader/warpgrade-bin"))
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="side by side; default: all cores")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start none after so many")
    parser.add_argument("--most-cpu", type=float, default=MOST_CPU_SECONDS, help="seconds of the processor for one check")
    parser.add_argument("--out", default=None, help="folder for mutants that failed, and a row each in mutants.tsv")
    parser.add_argument("--slow", action="store_true", help="the program has sanitizers: that time ends a check is no failure")
    parser.add_argument("--no-shrink", action="store_true", help="keep them as they are")
    return parser.parse_args()


def main():
    options = arguments()
    options.program = os.path.abspath(options.program)
    programs = list(bases())
    texts = {path: path.read_text(errors="replace") for path, _ in programs}
    out = Path(options.out or tempfile.mkdtemp(prefix="warpgrade-mutants-"))
    out.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    local, cores = threading.local(), itertools.cycle(sorted(os.sched_getaffinity(0)))
    scratch = tempfile.TemporaryDirectory(prefix="warpgrade-mutants-")

    def one(seed):
        if time.monotonic() - begun > options.seconds:
            return None
        if not hasattr(local, "folder"):
            local.folder = tempfile.mkdtemp(dir=scratch.name)
            # A check has a thread for each core that it may use: one is enough where all of them are busy.
            os.sched_setaffinity(0, {next(cores)})
        path, stage = programs[random.Random(seed).randrange(len(programs))]
        text, what = mutate.mutant(texts[path], seed)
        outcome = check_both(text, stage, options, local.folder)
        if outcome.failure:
            (out / f"{seed}.cu").write_text(text)
            if not options.no_shrink:
                (out / f"{seed}.small.cu").write_text(smaller(text, stage, outcome.failure, options, local.folder))
        return seed, path.relative_to(ROOT), stage, what, outcome

    with scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = [row for row in pool.map(one, range(options.first, options.first + options.count)) if row]
    if not rows:
        print("no mutant was run")
        return 1
    failed = [row for row in rows if row[4].failure]
    with open(out / "mutants.tsv", "w") as table:
        for seed, path, stage, what, o in rows:
            print(seed, path, stage, o.code, o.verdict, f"{o.cpu:.2f}", o.failure, what, sep="\t", file=table)
    seconds = time.monotonic() - begun
    print(f"{len(rows)} of {options.count} mutants of {len(programs)} programs, seeds from {options.first}, in {seconds:.0f} s, "
          f"{sum(r[4].cpu for r in rows):.0f} s of the processor")
    for name, values in (("exit code", (r[4].code for r in rows)), ("verdict", (r[4].verdict for r in rows))):
        for value, count in collections.Counter(values).most_common():
            print(f"  {name:10} {value!s:20} {count:6}")
    print("slowest, in seconds of the processor:")
    for seed, path, stage, _, o in sorted(rows, key=lambda r: -r[4].cpu)[:5]:
        print(f"  {o.cpu:6.1f}  seed {seed}, {stage}, {path}")
    print(f"{len(failed)} failed" + (f", kept in {out}" if failed else ""))
    for seed, path, stage, what, o in failed[:60]:
        print(f"  seed {seed}, {stage}, {path}: {o.failure}\n      {what[:150]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
