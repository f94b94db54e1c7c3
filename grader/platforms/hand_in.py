"""Grades one hand-in for a platform, and writes the file that the platform reads:

    python3 -I -B hand_in.py PLATFORM HAND_IN OUT [--kit DIR] [--seed FILE] [--seconds N] [--memory MIB]
        [--visibility WORD] [--leaderboard STAGE,...]

Theory of operation. `warpgrade grade` does all that has to do with marks; here it is called once a stage, and its store keeps
the stages before. After each call OUT is replaced, so it is valid whenever the platform stops the run. What a student wrote is
read by `grade` alone, which runs as the user `student` if this runs as root: OUT and the seed belong to root, and the student's
text is never run, only compiled and interpreted behind the walls of SECURITY.md.

A stage that nobody could grade has no points, not 0 points. Exit code 0: OUT says what there is to say. 1: the grader could not
work; OUT says so if the platform has a word for that, and else there is none. It needs Python 3.9, and nothing else."""

import argparse
import json
import os
import pwd
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

HERE = Path(__file__).resolve().parent
STUDENT = "student"
NOBODY = 65534
MOST_OUTPUT = 8000  # characters of a test's output: results are read by people, and some platforms limit the file
MIB = 1 << 20


class Outcome:
    """What is known so far. `tests`: name, stage, output and, if the stage was graded, score and max_score."""

    def __init__(self, stages):
        self.stages, self.tests, self.notes = stages, [], []
        self.bandwidths = {}   # stage -> GB/s of a right program
        self.unclear = ""      # why nobody can say what was handed in
        self.failed = ""       # why the grader did not work
        self.is_over = False
        self.started = time.monotonic()

    def graded(self):
        return [test for test in self.tests if "score" in test]

    def points(self):
        return round(sum(test["score"] for test in self.graded()), 2)

    def most(self):
        return round(sum(test["max_score"] for test in self.graded()), 2)

    def without_mark(self):
        return [test for test in self.tests if "score" not in test]

    def by_stage(self):
        """stage -> (points, most), in the order of the course; only stages with a mark"""
        found = {}
        for test in self.graded():
            points, most = found.get(test["stage"], (0, 0))
            found[test["stage"]] = (points + test["score"], most + test["max_score"])
        return {stage: (round(points, 2), round(most, 2)) for stage, (points, most) in found.items()}

    def words(self):
        lines = list(self.notes)
        if self.failed:
            lines.append(f"The grader could not work: {self.failed} This says nothing about your program.")
        if self.unclear:
            lines.append(f"Nothing could be graded: {self.unclear}.")
        if not self.is_over:
            lines.append("The grading was stopped before its end. If this text stays, ask for it to be run again.")
        return "\n".join(lines)


def is_full(test):
    return "score" in test and test["score"] >= test["max_score"]


def gradescope(outcome, settings):
    if outcome.failed:
        return None  # without a file it says that the autograder failed, and gives no mark
    tests = []
    for test in outcome.tests:
        one = {"name": test["name"], "number": test["number"], "output": test["output"],
               "status": "passed" if is_full(test) else "failed"}
        if "score" in test:
            one.update(score=test["score"], max_score=test["max_score"])
        tests.append(one)
    result = {"output": outcome.words(), "output_format": "text", "test_output_format": "text", "test_name_format": "text",
              "visibility": settings.visibility, "stdout_visibility": "hidden",
              "execution_time": round(time.monotonic() - outcome.started, 1), "tests": tests}
    if not outcome.graded():
        result["score"] = 0  # it refuses a file without any score
    if settings.leaderboard:
        board = [{"name": "points", "value": outcome.points(), "order": "desc"}]
        board += [{"name": f"{stage}, GB/s", "value": outcome.bandwidths.get(stage, 0), "order": "desc"}
                  for stage in settings.leaderboard]
        result["leaderboard"] = board
    return result


def prairielearn(outcome, _):
    # A stage without a mark would be taken for one of 0 points; an attempt that is not gradable costs none.
    lost = outcome.without_mark()
    if outcome.failed or outcome.unclear or lost or not outcome.is_over:
        result = {"gradable": False, "message": outcome.words() or "\n".join(f"{test['name']}: {test['output']}" for test in lost)}
        if outcome.unclear and not outcome.failed:
            result["format_errors"] = [outcome.unclear]
        return result
    tests = [{"name": test["name"], "points": test["score"], "max_points": test["max_score"], "output": test["output"]}
             for test in outcome.tests]
    score = min(1.0, outcome.points() / outcome.most()) if outcome.most() else 0.0
    return {"gradable": True, "score": score, "message": outcome.words(), "tests": tests}


def feedback(outcome):
    """For people, where the platform shows what is printed. Text of a student's hand-in never begins a line."""
    lines = []
    for test in outcome.tests:
        marks = f": {test['score']:g} of {test['max_score']:g}" if "score" in test else ""
        lines += [test["name"] + marks, *(f"    {line}" for line in test["output"].splitlines())]
    return "\n".join([*lines, *(f"    {line}" for line in outcome.words().splitlines())])


def autolab(outcome, _):
    """Of the last line, which is all that it reads. Without a stage that has a mark there is none."""
    return {"scores": {stage: points for stage, (points, _) in outcome.by_stage().items()}}


def hundredths(points):
    return int(round(points * 100))  # it takes whole numbers only


def classroom50(outcome, _):
    names = os.environ
    tests = [{"test-name": test["name"], "passed": is_full(test), "score": hundredths(test["score"]),
              "max-score": hundredths(test["max_score"]), "output": test["output"]} for test in outcome.graded()]
    return {"schema": "classroom50/result/v1", "classroom": names["CLASSROOM"], "assignment": names["ASSIGNMENT"],
            "submission": names["SUBMISSION_TAG"], "commit": names["COMMIT_URL"], "release": names["RELEASE_URL"],
            "review": names.get("REVIEW_URL") or names["COMMIT_URL"], "datetime": committed_at(),
            "score": sum(test["score"] for test in tests), "max-score": sum(test["max-score"] for test in tests), "tests": tests}


def committed_at():
    """When it was handed in, which a later run does not change."""
    asked = subprocess.run(["git", "-c", "safe.directory=*", "log", "-1", "--format=%ct"], capture_output=True, text=True)
    seconds = int(asked.stdout) if asked.returncode == 0 and asked.stdout.strip().isdigit() else time.time()
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


PLATFORMS = {"gradescope": gradescope, "prairielearn": prairielearn, "autolab": autolab, "classroom50": classroom50}


def write(path, result):
    """Replaces it at once: who reads it meanwhile reads a whole file. None: there is to be no file."""
    if result is None:
        path.unlink(missing_ok=True)
        return
    text = json.dumps(result, allow_nan=False)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".", delete=False, encoding="utf-8") as file:
        file.write(text + "\n")
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


class Grader:
    """`warpgrade grade` on the one hand-in, as a user without rights if this process has any."""

    def __init__(self, settings, folder):
        self.settings, self.folder = settings, folder
        self.deadline = time.monotonic() + settings.seconds
        self.user = None
        if os.geteuid() == 0:
            try:
                entry = pwd.getpwnam(STUDENT)
                self.user = (entry.pw_uid, entry.pw_gid)
            except KeyError:
                self.user = (NOBODY, NOBODY)
        self.hand_in = folder / "class" / "hand_in"
        copy_tree(settings.hand_in, self.hand_in)
        (folder / "roster.csv").write_text("id\nhand_in\n")
        if self.user:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, *self.user, follow_symlinks=False)
        self.environment = {name: value for name, value in os.environ.items()
                            if name in ("PATH", "LD_LIBRARY_PATH", "CUDA_PATH", "CUDA_HOME") or name.startswith("WARPGRADE_")}
        self.environment.pop("WARPGRADE_SEED", None)
        self.environment.update(HOME=str(folder), TMPDIR=str(folder), LANG="C.UTF-8", NO_COLOR="1", USER=STUDENT,
                                WARPGRADE_STATE=str(folder / "state"))
        os.makedirs(folder / "state", exist_ok=True)
        if self.user:
            os.chown(folder / "state", *self.user)

    def limit(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.settings.memory:
            resource.setrlimit(resource.RLIMIT_DATA, (self.settings.memory * MIB,) * 2)

    def run(self, *words):
        """The JSON it prints. Raises RuntimeError with its own words where it cannot work."""
        command = [str(self.settings.kit / "grader" / "warpgrade"), *words]
        become = {"user": self.user[0], "group": self.user[1], "extra_groups": []} if self.user else {}
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        with open(self.folder / "stdout", "wb") as out, open(self.folder / "stderr", "wb") as err:
            child = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=out,
                                     stderr=err, preexec_fn=self.limit, start_new_session=True, **become)
            try:
                code = child.wait(timeout=left)
            except subprocess.TimeoutExpired:
                raise TimeoutError from None
            finally:
                try:
                    os.killpg(child.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                child.wait()
        said = (self.folder / "stderr").read_text(encoding="utf-8", errors="replace")
        sys.stderr.write(said)
        if code in (0, 1, 70):
            try:
                return json.loads((self.folder / "stdout").read_text(encoding="utf-8"))
            except ValueError:
                pass
        words = [line for line in said.splitlines() if not line.startswith("grading ")]
        raise RuntimeError(" ".join(words[:2])[:500] or f"it ended with {code}.")

    def grade(self, stages, *more):
        seed = ("--seed", self.settings.seed) if self.settings.seed else ()
        words = [word for stage in stages for word in ("--stage", stage)]
        return self.run("grade", "class", "--roster", "roster.csv", "--out", "graded", "--no-reports", "--jobs", "1",
                        "--device", "virtual", "--format", "json", *seed, *words, *more)

    def tests(self):
        """Of the stages that the last call was for."""
        name = self.folder / "graded" / "gradescope" / "hand_in.json"
        return json.loads(name.read_text(encoding="utf-8"))["tests"] if name.is_file() else []

    def bandwidths(self):
        name = self.folder / "graded" / "results" / "hand_in.json"
        found = json.loads(name.read_text(encoding="utf-8"))["stages"] if name.is_file() else []
        return {f"{stage['assignment']}/{stage['stage']}": round(stage["bandwidth"]["gb_per_s"], 1) for stage in found
                if stage.get("passes") and (stage.get("bandwidth") or {}).get("gb_per_s")}


def copy_tree(source, target):
    """Files, folders and links as links; what else a folder may hold would be waited for."""
    target.mkdir(parents=True)
    if not source.is_dir():
        return
    for entry in os.scandir(source):
        mode = entry.stat(follow_symlinks=False).st_mode
        place = target / entry.name
        if stat.S_ISLNK(mode):
            os.symlink(os.readlink(entry.path), place)
        elif stat.S_ISDIR(mode):
            copy_tree(Path(entry.path), place)
        elif stat.S_ISREG(mode):
            shutil.copyfile(entry.path, place)


def of_stage(test, stages):
    return next((stage for stage in stages if test["name"] == stage or test["name"].startswith(stage + ",")), "")


def of_person(stage, output):
    return {"name": stage, "stage": stage, "number": "", "output": output}


def grade(grader, outcome, report):
    """Stage by stage; `report` is called whenever more is known."""
    plan = grader.grade(outcome.stages, "--dry-run")["students"][0]
    outcome.notes = [str(note) for note in plan["notes"]]
    present = [stage for stage in outcome.stages if stage in plan["stages"] or stage in plan["unclear"]]
    absent = [stage for stage in outcome.stages if stage not in present]
    if not plan["stages"]:
        reasons = [plan["problem"], *plan["questions"], *plan["unclear"].values()]
        outcome.unclear = "; ".join(dict.fromkeys(str(reason) for reason in reasons if reason)) or "no file has the name of a stage's file"
        return
    done, lost = list(absent), {}
    for stage in present:
        try:
            answer = grader.grade([*done, stage])
            done.append(stage)
            if not grader.tests():
                lost[stage] = "; ".join(answer["students"][0]["review"])
        except RuntimeError as error:
            lost[stage] = f"the grader could not work: {error}"
        waiting = {stage: "not graded yet" for stage in present if stage not in done and stage not in lost}
        show(grader, outcome, {stage: f"not graded: a person has to look ({why})" for stage, why in lost.items()} | waiting)
        report()


def show(grader, outcome, without_mark):
    tests = [{**test, "stage": of_stage(test, outcome.stages)} for test in grader.tests()]
    tests = [test for test in tests if test["stage"] not in without_mark]
    tests += [of_person(stage, why) for stage, why in without_mark.items()]
    tests.sort(key=lambda test: outcome.stages.index(test["stage"]) if test["stage"] else -1)
    for number, test in enumerate(tests, 1):
        test["number"] = str(number)
        test["output"] = test.get("output", "")[:MOST_OUTPUT]
    outcome.tests, outcome.bandwidths = tests, grader.bandwidths()


def parse(words):
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("platform", choices=PLATFORMS)
    parser.add_argument("hand_in", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--kit", type=Path, default=HERE / "kit")
    parser.add_argument("--seed", type=Path)
    parser.add_argument("--seconds", type=int, default=540)
    parser.add_argument("--memory", type=int, default=0)
    parser.add_argument("--visibility", default="visible", choices=["visible", "hidden", "after_due_date", "after_published"])
    parser.add_argument("--leaderboard", default="", type=lambda text: [stage for stage in text.split(",") if stage])
    return parser.parse_args(words)


def main(words):
    settings = parse(words)
    # A folder that the platform gives may be a link; what is written beside it must not follow one.
    settings.hand_in, settings.kit = settings.hand_in.resolve(), settings.kit.resolve()
    settings.seed = settings.seed.read_text().strip() if settings.seed else ""
    outcome = Outcome(json.loads((HERE / "stages.json").read_text(encoding="utf-8")))
    convert = PLATFORMS[settings.platform]
    report = lambda: write(settings.out, convert(outcome, settings))
    report()
    with tempfile.TemporaryDirectory(prefix="warpgrade-") as folder:
        try:
            grade(Grader(settings, Path(folder)), outcome, report)
        except TimeoutError:
            outcome.notes.append(f"The time for one hand-in, {settings.seconds} s, is over.")
            outcome.failed = "" if outcome.graded() else "it took too long."
        except (RuntimeError, OSError, ValueError, KeyError, IndexError) as error:
            outcome.failed = str(error) or type(error).__name__
    outcome.is_over = True
    report()
    print(feedback(outcome), file=sys.stdout if settings.platform in ("autolab", "classroom50") else sys.stderr)
    return 1 if outcome.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
