"""What happens to a class's book: kills, a full disk, more hand-ins, marks replayed, a weight changed.

    nice python3 grader/tests/classroom/class_trials.py --stage padding --stage sequential

A made-up class of 60 whose marks are known (make_class.py) is graded and killed (SIGKILL, with all its processes) ten times
on the way. Into the same book go then: nothing new from another folder, one student again, late work of one who had handed
in nothing, and another week; each time the rows of all others have to have the same digest. A copy of the book is finished on
a disk that is full at first. Every student is graded again as then (`regrade`). In the end a stage's points are changed, the
class is graded with them into another folder, and `diff` has to say of each student what the two gradebooks say and what
can be worked out from the old marks. Prints a line a trial; exit code 0 if all is as it should be. Writes
results/class_trials.md beside itself. The disk needs root, to mount it; without, that trial is left out, and the page says so.
"""

import argparse
import datetime
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import grading  # noqa: E402
import make_class  # noqa: E402

COMMAND = "nice python3 grader/tests/classroom/class_trials.py"


def run(*words, root=grading.ROOT):
    """(exit code, what it printed, seconds of processor time)"""
    before = os.times()
    done = subprocess.run([grading.BINARY, *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, WARPGRADE_ROOT=str(root), NO_COLOR="1"))
    after = os.times()
    return done.returncode, done.stdout + done.stderr, sum(after[2:4]) - sum(before[2:4])


def rows(book):
    return {row["SID"]: row for row in grading.read_csv(book / "gradebook.csv")}


def digest(rows_of, without=()):
    return hashlib.sha256(json.dumps({key: row for key, row in rows_of.items() if key not in without}).encode()).hexdigest()[:12]


def known(book):
    return len(list((book / ".store").glob("*.json")))


class Trials:
    def __init__(self, made, stages, students, dice):
        self.made, self.stages, self.dice = made, stages, dice
        self.students = {student.id: student for student in students}
        self.book, self.base, self.lines, self.failures = made / "book", made / "base", [], 0

    def tell(self, what, is_right, found):
        self.failures += not is_right
        self.lines.append((what, found if is_right else f"**{found}**"))
        print(f"{what}: {found}{'' if is_right else ' -- NOT AS IT SHOULD BE'}", flush=True)

    def words(self, folder, out, *more, stages=None):
        chosen = [word for stage in stages or self.stages for word in ("--stage", stage)]
        return ["grade", folder, "--roster", self.made / "roster.csv", "--out", out, "--no-reports", "--seed", str(grading.SEED),
                "--device", "virtual", *chosen, *more]

    def killed(self, count):
        """Killed when so many more stages are known, then left alone."""
        marks = sum(1 for row in grading.read_csv(self.made / "expected.csv") if row["stage"])
        at = sorted(self.dice.sample(range(2, marks * 3 // 4), count))
        complaints, moments = [], []
        for goal in at:
            process = grading.start(self.made, self.book, "--no-reports", *[w for s in self.stages for w in ("--stage", s)])
            while process.poll() is None and known(self.book) < goal:
                time.sleep(0.1)
            time.sleep(self.dice.uniform(0, 1))
            below = grading.children(process.pid)
            if process.poll() is not None:
                complaints.append(f"done before it could be killed at {goal} stages")
            else:
                os.killpg(process.pid, 9)
            process.wait()
            process.stdout.close()
            deadline = time.monotonic() + 20
            while any(map(grading.is_alive, below)) and time.monotonic() < deadline:
                time.sleep(0.1)
            complaints += [f"process {pid} lives on" for pid in below if grading.is_alive(pid)]
            complaints += grading.broken_files(self.book)
            moments.append(known(self.book))
        code, text, seconds = run(*self.words(self.made / "hand-ins", self.book))
        print(text, flush=True)
        wrong = grading.differences(self.made, self.book)
        for problem in (*wrong, *complaints):
            print(problem)
        self.tell("stages known at each kill", len(moments) == count, ", ".join(map(str, moments)))
        self.tell("complaints after the kills", not complaints, len(complaints))
        self.tell("marks that are not as known", not wrong and code == 1, f"{len(wrong)} of {marks}, exit code {code}")
        self.first = rows(self.book)
        shutil.copytree(self.book, self.base)

    def added(self):
        before = digest(self.first)
        again, one, late, week = (self.made / name for name in ("second", "one", "late", "week"))
        some = sorted((self.made / "hand-ins").iterdir())[:20]
        again.mkdir()
        for path in some:
            (shutil.copytree if path.is_dir() else shutil.copy)(path, again / path.name)
        code, _, seconds = run(*self.words(again, self.book))
        self.tell("20 of the hand-ins from another folder: digest of all rows", digest(rows(self.book)) == before,
                  f"{digest(rows(self.book))}, before {before}; {seconds:.1f} s of processor time")
        right = next(student for student in self.students.values() if student.kind == "right")
        file = make_class.read_stages()[self.stages[0]]
        target = one / right.id / file.file
        target.parent.mkdir(parents=True)
        target.write_text(file.stub, encoding="utf-8")
        run(*self.words(one, self.book))
        now = rows(self.book)
        self.tell("one student again, with a stub: mark before and after, digest of the others",
                  digest(now, {right.id}) == digest(self.first, {right.id}) and float(now[right.id][self.stages[0]]) == 0,
                  f"{self.first[right.id][self.stages[0]]} -> {now[right.id][self.stages[0]]}, {digest(now, {right.id})}")
        missing = next(student for student in self.students.values() if student.kind == "missing")
        target = late / f"{missing.id}_LATE_777_888_{file.file}"
        late.mkdir()
        target.write_text(file.solution + f"// {missing.id}\n", encoding="utf-8")
        run(*self.words(late, self.book))
        now = rows(self.book)
        others = {right.id, missing.id}
        self.tell("late work of one who had nothing: mark, late, digest of the others",
                  digest(now, others) == digest(self.first, others) and now[missing.id]["late"] != "" and
                  float(now[missing.id][self.stages[0]]) > 0,
                  f"{now[missing.id][self.stages[0]]}, {now[missing.id]['late']}, {digest(now, others)}")
        # Another week: a stage that did not count before.
        name, other = next((name, stage) for name, stage in make_class.read_stages().items() if name not in self.stages)
        before = {key: {stage: row[stage] for stage in self.stages} for key, row in now.items()}
        target = week / right.id / other.file
        target.parent.mkdir(parents=True)
        target.write_text(other.solution, encoding="utf-8")
        run(*self.words(week, self.book, stages=[name]))
        now = rows(self.book)
        self.tell("another week: marks of this one that are others than before",
                  {key: {stage: row[stage] for stage in self.stages} for key, row in now.items()} == before and
                  float(now[right.id][name]) > 0, f"0 of {len(before) * len(self.stages)}, the new mark {now[right.id][name]}")

    def full_disk(self):
        disk = self.made / "disk"
        disk.mkdir()
        pages = sum(-(-path.stat().st_size // 4096) for path in (self.book / ".store").glob("*.json"))
        size = 4 * pages + 64
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", disk], capture_output=True).returncode != 0:
            self.tell("a full disk", True, "not tried: it takes root to mount one")
            return
        try:
            out = disk / "book"
            grading.know(out, self.book, without=[path.name for path in sorted((self.book / ".store").glob("*.json"))[:12]])
            code, text, _ = run(*self.words(self.made / "hand-ins", out))
            kept = known(out)
            self.tell("a full disk: exit code and what is said", code == 3 and "error[cannot_write]" in text,
                      f"{code}, {next((line for line in text.splitlines() if line.startswith('error')), text[-80:])}".replace(str(disk), "DISK"))
            subprocess.run(["mount", "-o", "remount,size=1g", disk], check=True)
            code, text, _ = run(*self.words(self.made / "hand-ins", out))
            for student, row in rows(out).items():
                if row != self.first.get(student):
                    print(f"before {self.first.get(student)}\nnow    {row}", flush=True)
            self.tell("and with room again: digest of all rows", digest(rows(out)) == digest(self.first),
                      f"{digest(rows(out))}, before {digest(self.first)}; {kept} stages were known")
        finally:
            subprocess.run(["umount", disk], check=True)

    def replayed(self):
        graded = [student for student in self.students if (self.book / "results" / f"{student}.json").exists()]
        same, others, seconds = 0, [], 0
        for student in graded:
            code, text, took = run("regrade", student, "--out", self.book)
            seconds += took
            same += code == 0
            if code != 0:
                others.append(f"{student}: {text}")
        print("\n".join(others), flush=True)
        self.tell("students who are identical when they are graded again", same == len(graded),
                  f"{same} of {len(graded)} who have a result, {seconds:.0f} s of processor time")

    def weight_changed(self):
        """A stage gives half its points for performance to correctness."""
        name = self.stages[-1]
        course = self.made / "course"
        course.mkdir()
        for path in grading.ROOT.iterdir():
            if path.name != "assignments":
                (course / path.name).symlink_to(path)
        shutil.copytree(grading.ROOT / "assignments", course / "assignments")
        assignment, stage = name.split("/")
        toml = course / "assignments" / assignment / "assignment.toml"
        text = toml.read_text(encoding="utf-8")
        block = text.index(f'id = "{stage}"')
        points = re.compile(r"correctness = ([\d.]+), technique = ([\d.]+), performance = ([\d.]+)").search(text, block)
        old = list(map(float, points.groups()))
        new = [old[0] + old[2] / 2, old[1], old[2] / 2]
        toml.write_text(text[:points.start()] + "correctness = {:g}, technique = {:g}, performance = {:g}".format(*new) + text[points.end():],
                        encoding="utf-8")
        out = self.made / "weights"
        grading.know(out, self.book)
        code, text, seconds = run(*self.words(self.made / "hand-ins", out), root=course)
        then, now = self.first, rows(out)
        wanted = {}
        for path in sorted((out / "results").glob("*.json")):
            was = json.loads((self.base / "results" / path.name).read_text(encoding="utf-8"))
            for one in was["stages"]:
                if f"{one['assignment']}/{one['stage']}" == name:
                    score = one["score"]
                    wanted[was["student"]] = sum(score[part] * after / before for part, before, after in
                                                 zip(("correctness", "technique", "performance"), old, new) if before)
        wrong = [student for student, points in wanted.items()
                 if now[student][name] and then[student][name] and abs(float(now[student][name]) - points) > 0.00501]
        code, text, _ = run("diff", self.base, out)
        said = {}
        for line in re.sub(r"\n {4,}", " ", text).splitlines():
            moved = re.match(r"  (\S+)  ([\d.]+) -> ([\d.]+) \(([+-][\d.]+)\)", line)
            if moved:
                said[moved[1]] = (float(moved[2]), float(moved[3]))
        moved = {student: (float(then[student]["total"]), float(row["total"])) for student, row in now.items()
                 if row["total"] and then[student]["total"] and row["total"] != then[student]["total"]}
        self.tell(f"{name} with {new[0]:g}, {new[1]:g}, {new[2]:g} points for {old[0]:g}, {old[1]:g}, {old[2]:g}: marks that are not what the old "
                  "ones give", not wrong, f"{len(wrong)} of {len(wanted)}; {seconds:.0f} s of processor time")
        self.tell("students of whom `diff` says what the two gradebooks say", said == moved and len(moved) > 0,
                  f"{sum(said.get(student) == value for student, value in moved.items())} of {len(moved)} who moved")


def page(lines, students, stages, load):
    today = datetime.date.today().isoformat()
    return (f"# What happens to a class's book\n\n{today}, {len(os.sched_getaffinity(0))} cores, no GPU; load average over five minutes before the "
            f"start: {load:.1f}. Made by:\n\n    {COMMAND}{''.join(f' --stage {stage}' for stage in stages)}\n\n"
            f"{students} students, stages {', '.join(f'`{stage}`' for stage in stages)}. What each trial is, says the script.\n\n"
            "| trial | found |\n|---|---|\n" + "".join(f"| {what} | {found} |\n" for what, found in lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stage", action="append", help="that the class is asked for; repeatable; else all of transpose and reduction")
    parser.add_argument("--page", type=Path, default=HERE / "results" / "class_trials.md", help="where the figures go")
    options = parser.parse_args()
    load = os.getloadavg()[1]
    all_stages = make_class.read_stages()
    wanted = options.stage or ["transpose", "reduction"]
    stages = [name for name in all_stages if name in wanted or name.split("/")[0] in wanted or name.split("/")[1] in wanted]
    with tempfile.TemporaryDirectory(prefix="warpgrade-class-") as folder:
        made = Path(folder)
        students = make_class.make_class(made, options.students, options.seed, only=stages)
        trials = Trials(made, stages, students, random.Random(options.seed))
        trials.killed(options.kills)
        trials.full_disk()
        trials.weight_changed()
        trials.added()
        trials.replayed()
    options.page.write_text(page(trials.lines, options.students, stages, load), encoding="utf-8")
    return 1 if trials.failures else 0


if __name__ == "__main__":
    sys.exit(main())
