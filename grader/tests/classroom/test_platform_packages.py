"""The packages that `release --for` makes: what is in them, and that their own scripts give each hand-in an answer that the
platform reads. The folders are elsewhere than on the platform; grader/lab/roots runs them where they belong."""

import html
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from grading import BINARY, ROOT  # noqa: E402
from platform_files import FAKE, complaints, hand_in  # noqa: E402
from test_release import SEED, Copy, code_lines, texts  # noqa: E402

PLATFORMS = ("autolab", "classroom50", "github", "gradescope", "prairielearn")
STAGE = "transpose/naive_read"


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Case(Copy):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.place.chmod(0o755)  # hand-ins are graded as another user, if this is root
        made = cls.release("--assignment", "transpose")
        assert made.returncode == 0, made.stdout + made.stderr
        cls.said = made.stdout
        cls.program = cls.place / "warpgrade-bin"  # in place of the one that was made up for the kit
        shutil.copy(BINARY, cls.program)

    @classmethod
    def release(cls, *words, out=None, platforms=PLATFORMS):
        words = [BINARY, "release", "--out", out or cls.out, *words, *(word for name in platforms for word in ("--for", name))]
        return subprocess.run(words, text=True, capture_output=True, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, WARPGRADE_ROOT=str(cls.root), WARPGRADE_PYTHON=sys.executable))


class Packages(Case):
    def members(self):
        """(name, text) of all that is in a package, archives too."""
        for platform in PLATFORMS:
            for name, text in texts(self.out / platform):
                yield f"{platform}/{name}", text
        with zipfile.ZipFile(self.out / "gradescope.zip") as archive:
            for name in archive.namelist():
                yield f"gradescope.zip/{name}", archive.read(name).decode("utf-8", "replace")
        with tarfile.open(self.out / "autolab/autograde.tar") as archive:
            for member in archive.getmembers():
                yield f"autograde.tar/{member.name}", archive.extractfile(member).read().decode("utf-8", "replace")

    def test_nothing_of_a_solution_or_a_test_is_in_one(self):
        handed_out = {line for path in ROOT.glob("assignments/*/*.cu") for line in code_lines(path.read_text(encoding="utf-8"))}
        passages = set()
        for path in ROOT.glob("solutions/*/*.cu"):
            lines = code_lines(path.read_text(encoding="utf-8"))
            passages |= {"\n".join(lines[i:i + 3]) for i in range(len(lines) - 2) if not handed_out.intersection(lines[i:i + 3])}
        self.assertGreater(len(passages), 50)
        seen = {}
        for name, text in self.members():
            for word in ("solutions/", "tests/submissions", "instructor.md", "answers", "shown/"):
                self.assertNotIn(word, name)
            if text not in seen:  # much is in several
                whole = "\n".join(code_lines(text))
                seen[text] = next((passage for passage in passages if passage in whole), "")
            self.assertEqual(seen[text], "", name)

    def test_the_seed_is_where_no_student_reads(self):
        holds = {name for name, text in self.members() if SEED in text}
        self.assertEqual({name for name in holds if "autograde.tar/" not in name and not name.endswith("autograde.tar")},
                         {"gradescope/seed", "gradescope.zip/seed", "prairielearn/question/tests/seed"})
        self.assertIn("autograde.tar/seed", holds)
        for path in ("gradescope.zip", "gradescope/seed", "autolab/autograde.tar", "prairielearn/question/tests/seed"):
            self.assertEqual((self.out / path).stat().st_mode & 0o077, 0, path)
        self.assertNotIn(SEED, self.said)

    def test_what_the_platform_looks_for_is_where_it_looks(self):
        with zipfile.ZipFile(self.out / "gradescope.zip") as archive:
            modes = {info.filename: info.external_attr >> 16 & 0o777 for info in archive.infolist()}
        self.assertLessEqual({"setup.sh", "run_autograder"}, modes.keys())
        for name in ("setup.sh", "run_autograder", "kit/grader/warpgrade", "kit/grader/programs/x86_64/warpgrade-bin"):
            self.assertEqual(modes[name], 0o755, name)
        self.assertEqual([name for name in modes if "aarch64" in name or name.endswith(".cpp")], [])
        info = json.loads((self.out / "prairielearn/question/info.json").read_text())
        self.assertFalse(info["externalGradingOptions"]["enableNetworking"])
        self.assertIn("1_naive_read.cu, ", (self.out / "prairielearn/question/question.html").read_text())
        problems = (self.out / "autolab/problems.yml").read_text()
        self.assertEqual(sum(map(float, re.findall(r"max_score: (.+)", problems))), 100)
        self.assertTrue((self.out / "github/.github/workflows/warpgrade.yml").exists())
        self.assertTrue((self.out / "github/assignments/transpose/1_naive_read.cu").exists())

    def test_actions_are_pinned_and_may_only_read(self):
        folder = self.out / "github/.github"
        used = [name for path in folder.rglob("*.yml") for name in re.findall(r"uses: (\S+)", path.read_text())]
        self.assertEqual(len(used), 3)
        for name in used:
            self.assertRegex(name, r"^(\./\.github/actions/warpgrade|actions/\w+@[0-9a-f]{40})$")
        self.assertRegex((folder / "workflows/warpgrade.yml").read_text(), r"permissions:\n  contents: read\n")

    def test_the_bytes_are_the_same_every_time(self):
        again = self.place / "again"
        for folder in ("gradescope", "autolab"):  # what it made it replaces
            shutil.copytree(self.out / folder, again / folder)
            (again / folder / "hand_in.py").write_text("old")
        self.assertEqual(self.release("--assignment", "transpose", out=again, platforms=("gradescope", "autolab")).returncode, 0)
        for name in ("gradescope.zip", "autolab/autograde.tar"):
            self.assertEqual((self.out / name).read_bytes(), (again / name).read_bytes(), name)

    def test_refusals(self):
        refused = self.release(out=self.place / "none", platforms=("gradescop",))
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--for gradescope", refused.stderr)
        taken = self.place / "full"
        (taken / "gradescope").mkdir(parents=True)
        (taken / "gradescope/thesis.tex").write_text("precious")
        refused = self.release("--assignment", "transpose", "--seed", "31337", out=taken, platforms=("autolab", "gradescope"))
        self.assertEqual(refused.returncode, 2)
        self.assertTrue((taken / "gradescope/thesis.tex").exists())
        with tarfile.open(taken / "autolab/autograde.tar") as archive:  # which was asked for before
            self.assertEqual(archive.extractfile("seed").read(), b"31337\n")
        bare = self.release("--assignment", "transpose", "--without-programs", out=self.place / "bare", platforms=("gradescope",))
        self.assertEqual(bare.returncode, 2)
        self.assertIn("without --without-programs", bare.stderr)

    # From here on each script runs as its platform calls it, with the folders of a test.

    def run_in(self, base, *command, cwd=None, **environment):
        environment = {"WARPGRADE_BASE": str(base), "WARPGRADE_PROGRAM": str(self.program), "WARPGRADE_PYTHON": "", **environment}
        environment = {name: value for name, value in dict(os.environ, **environment).items() if name != "WARPGRADE_ROOT"}
        return subprocess.run(command, text=True, capture_output=True, stdin=subprocess.DEVNULL, cwd=cwd, env=environment)

    def gradescope(self, kind, **environment):
        base = self.place / f"gradescope {kind} {len(environment)}"
        with zipfile.ZipFile(self.out / "gradescope.zip") as archive:
            archive.extractall(base / "source")
        for name in ("source/run_autograder", "source/kit/grader/warpgrade"):
            (base / name).chmod(0o755)
        (base / "source/seed").chmod(0o600)
        result = base / "results/results.json"
        hand_in(base / "submission", kind, ROOT, base / "source/seed", result)
        return self.run_in(base, base / "source/run_autograder", **environment), result

    def prairielearn(self, kind, **environment):
        base = self.place / f"prairielearn {kind} {sorted(environment)}"
        shutil.copytree(self.out / "prairielearn/question/tests", base / "tests")
        result = base / "results/results.json"
        hand_in(base / "student", kind, ROOT, base / "tests/seed", result)
        image = self.out / "prairielearn/image"
        return self.run_in(base, image / "entrypoint.sh", WARPGRADE_KIT=str(image), **environment), result

    def autolab(self, kind, **environment):
        if shutil.which("make") is None:
            self.skipTest("no make here, with which Autolab starts a grading")
        base = self.place / f"autolab {kind} {len(environment)}"
        base.mkdir()
        shutil.copy(self.out / "autolab/autograde-Makefile", base / "Makefile")
        shutil.copy(self.out / "autolab/autograde.tar", base)
        given = hand_in(self.place / f"of autolab {kind} {len(environment)}", kind, ROOT, base / "grader/seed")
        with tarfile.open(base / "handin.tar", "w") as archive:  # one file, whatever it is called
            archive.add(given, "work")
        return self.run_in(base, "make", cwd=base, **environment)

    def classroom50(self, kind, **environment):
        base = self.place / f"classroom50 {kind} {len(environment)}"
        hand_in(base, kind, ROOT)
        names = {"CLASSROOM": "gpu", "ASSIGNMENT": "transpose", "SUBMISSION_TAG": "submit/2026-11-02T10-00-00Z-a1b2c3d",
                 "COMMIT_URL": "https://x/commit/1", "RELEASE_URL": "https://x/releases/1", "REVIEW_URL": ""}
        names |= {"WARPGRADE_NVRTC": os.environ.get("WARPGRADE_NVRTC") or self.nvrtc(), **environment}
        return self.run_in(base, sys.executable, self.out / "classroom50/autograder.py", cwd=base, **names), base / "result.json"

    @classmethod
    def nvrtc(cls):
        asked = subprocess.run(["bash", "-c", f'root={ROOT} state={ROOT}; with() {{ :; }}; source "$root/grader/launch/python.sh"; find_nvrtc'],
                               text=True, capture_output=True, cwd=ROOT)
        return asked.stdout.strip()

    def points(self, result):
        return {test["name"]: test["score"] for test in result["tests"] if "score" in test}

    def test_gradescope_is_told_of_each_stage_as_it_ends(self):
        seen, is_over = set(), threading.Event()

        def watch():
            path = self.place / "gradescope right 0/results/results.json"
            while not is_over.wait(0.02):
                if path.exists():
                    seen.add(path.read_text(encoding="utf-8"))

        thread = threading.Thread(target=watch)
        thread.start()
        done, path = self.gradescope("right")
        is_over.set()
        thread.join()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([complaints("gradescope", text) for text in seen], [[]] * len(seen))
        self.assertTrue(any("before its end" in text for text in seen))
        result = json.loads(path.read_text(encoding="utf-8"))
        points = self.points(result)
        self.assertEqual([points[f"{STAGE}, {part}"] for part in ("correctness", "technique")], [5, 4], result)
        self.assertEqual(sum(test["max_score"] for test in result["tests"]), 100)
        self.assertNotIn(SEED, path.read_text())
        self.assertEqual(done.stdout, "")

    def test_a_hostile_hand_in_gets_what_it_earns(self):
        done, path = self.gradescope("hostile")
        text = path.read_text(encoding="utf-8")
        self.assertEqual((complaints("gradescope", text), done.returncode), ([], 0), done.stderr)
        self.assertEqual(set(self.points(json.loads(text)).values()), {0})
        self.assertNotIn(SEED, text + done.stdout + done.stderr)
        self.assertIn("4_padding.cu", text)

    def test_what_cannot_be_read_or_is_not_there_is_said(self):
        for kind, words in (("empty", "no file"), ("unreadable", "it is a PDF")):
            done, path = self.gradescope(kind)
            self.assertEqual((complaints("gradescope", path.read_text()), done.returncode), ([], 0), done.stderr)
            self.assertIn(words, path.read_text())
        done, path = self.prairielearn("unreadable")
        self.assertEqual((complaints("prairielearn", path.read_text()), done.returncode), ([], 0), done.stderr)
        self.assertFalse(json.loads(path.read_text())["gradable"])
        done, path = self.classroom50("empty")
        self.assertEqual((complaints("classroom50", path.read_text()), done.returncode), ([], 0), done.stderr)
        self.assertIn("no file", (path.parent / "release-body.md").read_text())
        done = self.autolab("empty")
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn("holds no files", done.stdout)  # of the archive
        self.assertNotIn('"scores"', done.stdout)

    def test_a_wrong_one_on_the_others(self):
        done, path = self.prairielearn("wrong")
        self.assertEqual((complaints("prairielearn", path.read_text()), done.returncode), ([], 0), done.stderr)
        self.assertLess(json.loads(path.read_text())["score"], 0.01)
        done, path = self.classroom50("stub")
        self.assertEqual((complaints("classroom50", path.read_text()), done.returncode), ([], 0), done.stderr)
        self.assertEqual(json.loads(path.read_text())["max-score"], 100_00)

    def test_of_autolab_the_last_line_is_never_a_students(self):
        done = self.autolab("hostile")
        self.assertEqual((complaints("autolab", done.stdout), done.returncode), ([], 0), done.stdout + done.stderr)
        self.assertEqual(set(json.loads(done.stdout.splitlines()[-1])["scores"].values()), {0})
        self.assertNotIn(FAKE, done.stdout.splitlines())

    def test_a_grader_that_cannot_work_gives_nobody_a_zero(self):
        broken = {"WARPGRADE_PROGRAM": "/bin/false"}
        done, path = self.gradescope("right", **broken)
        self.assertEqual((done.returncode, path.exists()), (1, False), done.stderr)
        done, path = self.prairielearn("right", **broken)
        self.assertEqual((complaints("prairielearn", path.read_text()), done.returncode), ([], 0))
        self.assertFalse(json.loads(path.read_text())["gradable"])
        done = self.autolab("right", **broken)
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn('"scores"', done.stdout)
        done, path = self.classroom50("right", **broken)
        self.assertEqual((done.returncode, path.exists()), (1, False), done.stderr)

    def test_time_that_is_over_takes_no_points(self):
        done, path = self.prairielearn("right", WARPGRADE_SECONDS="0")
        self.assertEqual((complaints("prairielearn", path.read_text()), done.returncode), ([], 0), done.stderr)
        self.assertFalse(json.loads(path.read_text())["gradable"])

    def test_github_marks_the_line(self):
        kit, summary = self.place / "repository", self.place / "summary.md"
        shutil.copytree(self.out / "github", kit)
        shutil.copytree(hand_in(self.place / "of github", "wrong", ROOT), kit / "assignments/transpose", dirs_exist_ok=True)
        nvrtc = os.environ.get("WARPGRADE_NVRTC") or self.nvrtc()
        checked = self.run_in(kit, kit / ".github/actions/warpgrade/check.sh", GITHUB_WORKSPACE=str(kit), WHAT="",
                              GITHUB_STEP_SUMMARY=str(summary), WARPGRADE_NVRTC=nvrtc)
        self.assertEqual(checked.returncode, 1, checked.stderr)
        self.assertRegex(checked.stdout, r"(?m)^::error [^:]*file=assignments/transpose/1_naive_read\.cu,[^:]*line=\d+")
        self.assertIn(STAGE, html.unescape(summary.read_text()))


class Tables(unittest.TestCase):
    """What the platforms refuse, which the tests above would not see if this did not."""

    GRADESCOPE = {"tests": [{"name": "a", "score": 1, "max_score": 2, "status": "failed", "output": "text"}],
                  "visibility": "visible", "leaderboard": [{"name": "points", "value": 1}]}
    PRAIRIELEARN = {"gradable": True, "score": 0.5, "tests": [{"name": "a", "points": 1, "max_points": 2}]}
    CLASSROOM50 = {"schema": "classroom50/result/v1", "classroom": "c", "assignment": "a", "submission": "submit/x", "commit": "u",
                   "release": "u", "review": "u", "datetime": "2026-11-02T10:00:00Z", "score": 1, "max-score": 2,
                   "tests": [{"test-name": "t", "passed": False, "score": 1, "max-score": 2}]}

    def test_what_is_right_is_accepted(self):
        for platform, result in (("gradescope", self.GRADESCOPE), ("prairielearn", self.PRAIRIELEARN), ("classroom50", self.CLASSROOM50)):
            self.assertEqual(complaints(platform, json.dumps(result)), [])
        self.assertEqual(complaints("autolab", 'a student\'s text\n{"scores": {"transpose/naive_read": 9.5}}\n\n'), [])

    def test_ten_of_each_are_refused(self):
        test = self.GRADESCOPE["tests"][0]
        broken = {"gradescope": [
            "", "{", "[]", {"tests": []}, {"tests": [{"name": "a"}]}, {**self.GRADESCOPE, "visibility": "shown"},
            {"tests": [{**test, "status": "ok"}]}, {"tests": [{**test, "score": "1"}]}, '{"score": NaN}',
            {**self.GRADESCOPE, "leaderboard": [{"value": 1}]}, {"tests": [{**test, "points": 1}]}, {"tests": [{**test, "output": "a\r\n"}]}],
            "prairielearn": [
            "", "{", "[]", {"gradable": True}, {"score": 50}, {"score": "1"}, {"score": -0.1}, {"score": True},
            {"score": 1, "format_errors": "x"}, {"score": 1, "tests": [{"name": "a"}, {"name": "b", "points": 1, "max_points": 1}]},
            {"score": 1, "message": "x" * 1_000_001}, '{"score": Infinity}'],
            "classroom50": ["", "{", "[]", *({**self.CLASSROOM50, **change} for change in (
                {"score": 1.5}, {"score": True}, {"score": -1}, {"score": 3}, {"schema": "v1"}, {"submission": "x"}, {"commit": ""},
                {"datetime": "yesterday"}, {"max_score": 2}, {"tests": [{"test-name": "t", "passed": 1, "score": 1, "max-score": 2}]}))],
            "autolab": ["", "\n\n", "{", "[]", '{"scores": {}}', '{"scores": {"a": "1"}}', '{"scores": {"Part1: saxpy": 1}}',
                        '{"points": {"a": 1}}', '{"scores": {"a": NaN}}', '{"scores": {"a": 1}}\nmore text', '{"scores": {"a": 1}, "at": "10:30"}']}
        for platform, results in broken.items():
            self.assertGreaterEqual(len(results), 10)
            for result in results:
                text = result if isinstance(result, str) else json.dumps(result)
                self.assertNotEqual(complaints(platform, text), [], f"{platform}: {text[:200]}")


if __name__ == "__main__":
    unittest.main()
