"""`quiz`, `reset` and `status` from outside; the answers of `quiz` are what `explain` counts."""

import json
import os
import pty
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve() / "warpgrade-bin"
FEW = ("solutions/transpose/3_corner_turning.cu", "solutions/reduction/2_strided.cu", "handouts/kernels/dynamic_square.cu")


def run(*words, root=ROOT):
    return subprocess.run([BINARY, *map(str, words)], cwd=root, env=dict(os.environ, WARPGRADE_ROOT=str(root)), text=True,
                          capture_output=True, stdin=subprocess.DEVNULL, timeout=120)


def in_a_terminal(*words, typed, root=ROOT):
    """What is shown where somebody types."""
    here, there = pty.openpty()
    with subprocess.Popen([BINARY, *map(str, words)], cwd=root, env=dict(os.environ, WARPGRADE_ROOT=str(root), NO_COLOR="1"),
                          stdin=there, stdout=there, stderr=there):
        os.close(there)
        os.write(here, (typed + "\x04").encode())  # and the end of the input
        shown = b""
        try:
            while piece := os.read(here, 65536):
                shown += piece
        except OSError:  # the other end is closed
            pass
    os.close(here)
    return shown.decode().replace("\r\n", "\n")


def files():
    """All solutions and 20 other kernels with WARPGRADE_ALL=1, otherwise a few: (path, words that name its stage)."""
    if not os.environ.get("WARPGRADE_ALL"):
        return list(FEW)
    others = sorted((ROOT / "grader" / "tests" / "submissions" / "right").glob("*.cu"))
    found = [*sorted((ROOT / "solutions").glob("*/[0-9]*.cu")), *sorted((ROOT / "handouts" / "kernels").glob("*.cu")), *others[:20]]
    return [str(path.relative_to(ROOT)) for path in found]


def first_accesses(trace):
    """{(line, space, kind): the first access} of what a quiz asks about."""
    found = {}
    for access in trace:
        kind = {"read": "load", "write": "store"}.get(access["kind"])
        if kind and access["space"] in ("global", "shared") and access["mask"] and access["line"] > 0:
            found.setdefault((str(access["line"]), access["space"], kind), access)
    return found


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Answers(unittest.TestCase):
    def test_they_are_what_explain_counts(self):
        compared, seen = 0, []
        for path in files():
            asked, explained = run("quiz", "--reveal", "--format", "json", path), run("explain", "--counts", "--format", "json", path)
            if "--stage" in explained.stderr:
                continue  # a file that does not say which stage it is
            seen.append(path)
            with self.subTest(path):
                self.assertEqual(asked.returncode, 0, asked.stderr)
                stage = json.loads(explained.stdout)["stages"][0]
                accesses = first_accesses(stage["trace"])
                grid, block = stage["launches"][0]["grid"], stage["launches"][0]["block"]
                for question in json.loads(asked.stdout)["questions"]:
                    what, *place = question["id"].split(":")
                    answer = question["answer"]
                    if what == "limit":  # which `explain --counts` does not say
                        continue
                    if what == "blocks":
                        self.assertEqual(answer, grid[0] * grid[1] * grid[2])
                    elif what == "warps":
                        self.assertEqual(answer, -(-block[0] * block[1] * block[2] // 32))
                    elif what in ("sectors", "wavefronts"):
                        self.assertEqual(answer, accesses[tuple(place)]["units"])
                    elif what == "lanes":  # of the first access of that line with some of them off
                        self.assertIn(answer, {bin(one["mask"]).count("1") for one in stage["trace"] if str(one["line"]) == place[0]})
                    else:
                        lane = 5 if accesses[tuple(place)]["mask"] >> 5 & 1 else accesses[tuple(place)]["mask"].bit_length() - 1
                        address = accesses[tuple(place)]["addresses"][lane]
                        self.assertIn(answer, {address // 4 % 32} if what == "bank" else {address // size for size in (1, 2, 4, 8, 16)})
                    compared += 1
        self.assertGreater(compared, 12)
        solutions = [path for path in files() if path.startswith("solutions/")]
        self.assertEqual([path for path in solutions if path not in seen], [])
        self.assertTrue(len(seen) >= len(solutions) + 20 or not os.environ.get("WARPGRADE_ALL"), len(seen))

    def test_each_question_is_of_another_kind(self):
        for path in FEW:
            units = [question["unit"] for question in json.loads(run("quiz", "--format", "json", path).stdout)["questions"]]
            self.assertLessEqual(len(units), 9, path)
            self.assertLessEqual(max(units.count(unit) for unit in units), 2, path)  # a load and a store

    def test_banks_are_asked_about_once_a_handout_has_them(self):
        asked = {stage: run("quiz", f"solutions/transpose/{stage}.cu").stdout for stage in ("3_corner_turning", "4_padding")}
        self.assertNotIn("bank", asked["3_corner_turning"])
        self.assertNotIn("wavefront", asked["3_corner_turning"])
        self.assertIn("wavefront", asked["4_padding"])

    def test_a_wrong_answer_is_told_the_way_and_not_the_number(self):
        answer = run("quiz", FEW[0], "--answer", "1=1024", "--answer", "2=5")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("1024: right", answer.stdout)
        self.assertIn("5: no\n    the threads of a block, divided by 32", answer.stdout)
        self.assertNotIn(", it is", answer.stdout)
        self.assertIn("1 of 2 answers right", answer.stdout)
        self.assertIn("--reveal", answer.stdout)
        second = json.loads(run("quiz", FEW[0], "--answer", "2=5", "--format", "json").stdout)["questions"][1]
        self.assertEqual((second["right"], second["kept"], "answer" in second), (False, False, False))

    def test_the_second_wrong_try_in_a_row_is_told_with_its_picture(self):
        asked = json.loads(run("quiz", "--reveal", "--format", "json", FEW[0]).stdout)["questions"]
        tries = [word for question in asked for word in (question["answer"] + 1, question["answer"] + 1)]
        shown = in_a_terminal("quiz", FEW[0], typed="".join(f"{word}\n" for word in tries))
        self.assertEqual(shown.count(": no, it is "), len(asked), shown)
        self.assertIn("[########]", shown)
        self.assertIn("/ 32", shown)

    def test_numbers_are_read_as_explain_prints_them_and_the_end_is_told(self):
        shown = in_a_terminal("quiz", FEW[0], typed="five\n1,024\n")
        self.assertIn("a whole number is asked for, as in 1024; Ctrl-D ends", shown)
        self.assertIn("1024: right", shown)
        self.assertTrue(shown.endswith("1 of 1 answer right\n"), shown[-200:])

    def test_the_way_to_answer_is_on_lines_of_80_columns(self):
        for path in FEW[:2]:
            shown = run("quiz", path).stdout
            self.assertIn("--answer 1=N", shown)
            self.assertLessEqual(max(map(len, shown.splitlines())), 80, shown)

    def test_what_cannot_be_answered(self):
        self.assertEqual(run("quiz", FEW[0], "--answer", "x").returncode, 2)
        self.assertEqual(run("quiz", FEW[0], "--answer", "99=1").returncode, 2)
        self.assertEqual(run("quiz").returncode, 2)


COURSE = ("assignments", "solutions", "grader/compile/include", "grader/profiles")


def course_in(folder):
    """A course of our own, which may be changed."""
    root = Path(folder)
    for name in COURSE:
        shutil.copytree(ROOT / name, root / name)
    (root / "build").mkdir()
    return root


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Points(unittest.TestCase):
    """Where a stage gives points for it, answers are handed in as a line of the file, and counted again. Of a stage
    whose check takes a quarter of a transpose's."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = course_in(folder.name)
        toml = cls.root / "assignments/reduction/assignment.toml"
        text = toml.read_text()
        old = "points = { correctness = 6, technique = 6, performance = 2 }"  # of sequential alone
        assert text.count(old) == 1
        toml.write_text(text.replace(old, "points = { correctness = 6, technique = 6, performance = 1, quiz = 1 }"))
        cls.file = cls.root / "assignments/reduction/3_sequential.cu"
        cls.solution = (ROOT / "solutions/reduction/3_sequential.cu").read_text()

    def setUp(self):
        self.file.write_text(self.solution)

    def check(self):
        return json.loads(run("check", "sequential", "--format", "json", root=self.root).stdout)["stages"][0]

    def right_answers(self):
        """As a course says them in which they give no points."""
        asked = json.loads(run("quiz", "--reveal", "--format", "json", "solutions/reduction/3_sequential.cu").stdout)["questions"]
        return [question["answer"] for question in asked if question["id"] != "limit"]

    def keep(self, answers):
        words = [word for number, answer in answers.items() for word in ("--answer", f"{number}={answer}")]
        return run("quiz", "sequential", "--keep", *words, root=self.root)

    def test_answers_are_kept_in_the_file_and_counted_by_check(self):
        right = dict(enumerate(self.right_answers(), 1))
        self.assertGreater(len(right), 5)
        self.assertIn("no answers in the file yet", run("check", "sequential", root=self.root).stdout)
        self.assertEqual(self.check()["score"]["quiz"], 0)
        answer = self.keep({1: right[1], 2: right[2] + 1})
        self.assertEqual(answer.returncode, 1, answer.stderr)
        self.assertIn(f"no, it is {right[2]}\n", answer.stdout)  # kept, and only then told
        self.assertEqual(self.check()["quiz"],
                         {"questions": len(right), "answered": 2, "right": 1, "of_old_code": False})
        answer = self.keep({number: value for number, value in right.items() if number > 2})
        self.assertEqual(answer.returncode, 1, answer.stdout)
        self.assertEqual(self.file.read_text().count("// quiz "), 1)
        stage = self.check()
        self.assertEqual(stage["quiz"]["right"], len(right) - 1)
        self.assertAlmostEqual(stage["score"]["quiz"], (len(right) - 1) / len(right))
        self.assertEqual(stage["points"]["quiz"], 1)
        self.assertIn(f"{len(right) - 1} of {len(right)} answers right", run("check", "sequential", root=self.root).stdout)
        self.assertEqual(run("quiz", "sequential", root=self.root).returncode, 1)  # with what is in the file

    def test_the_first_answer_counts(self):
        right = self.right_answers()
        self.keep({1: right[0] + 1})
        kept = self.file.read_text()
        again = self.keep({1: right[0]})
        self.assertEqual(again.returncode, 1)
        self.assertIn("question 1 was answered before", again.stdout)
        self.assertEqual(self.file.read_text(), kept)
        self.assertEqual(self.check()["quiz"]["right"], 0)
        # Neither does another line do, or another comment.
        line = kept.splitlines()[-1]
        self.file.write_text("// mine\n" + kept + line.replace(f"1={right[0] + 1}", f"1={right[0]}") + "\n")
        self.assertEqual(self.check()["quiz"]["right"], 0)

    def test_nothing_is_told_of_an_answer_that_is_not_kept(self):
        for words in (("--answer", "1=5"), ("--reveal",), ("--answer", "1=5", "--shape", "4097"), ("--reveal", "--keep")):
            answer = run("quiz", "sequential", *words, root=self.root)
            self.assertEqual((answer.returncode, answer.stdout), (2, ""), words)
            self.assertIn("--keep", answer.stderr)
        self.assertIn("the first answer to each question counts", run("quiz", "sequential", root=self.root).stdout)
        shown = in_a_terminal("quiz", "sequential", "--keep", typed="1\n", root=self.root)
        self.assertIn("1: no, it is 4096", shown)
        self.assertIn(" 1=1\n", self.file.read_text())

    def test_answers_belong_to_the_code_that_they_are_about(self):
        right = dict(enumerate(self.right_answers(), 1))
        self.keep(right)
        self.assertEqual(self.check()["score"]["quiz"], 1)
        old = self.file.read_text()
        self.file.write_text(old + "int unused;\n")
        self.assertEqual(self.check()["quiz"], {"questions": len(right), "answered": 0, "right": 0, "of_old_code": True})
        self.assertIn("are about earlier code", run("check", "sequential", root=self.root).stdout)
        self.assertIn("are about earlier code", run("quiz", "sequential", root=self.root).stdout)
        self.keep({1: right[1]})
        self.assertEqual(self.check()["quiz"]["right"], 1)
        self.file.write_text(self.file.read_text().replace("int unused;\n", ""))
        self.assertEqual(self.check()["quiz"]["right"], len(right))

    def test_a_kernel_without_its_technique_earns_nothing_for_answers(self):
        right = dict(enumerate(self.right_answers(), 1))
        self.file.write_text((ROOT / "solutions/reduction/2_strided.cu").read_text())
        self.keep(right)
        stage = self.check()
        self.assertGreater(stage["quiz"]["right"], 0)
        self.assertEqual(stage["score"]["quiz"], 0)

    def test_other_stages_say_nothing_of_it(self):
        stage = json.loads(run("check", str(ROOT / "solutions/reduction/2_strided.cu"), "--format", "json",
                               root=self.root).stdout)["stages"][0]
        self.assertNotIn("quiz", stage)
        self.assertNotIn("quiz", stage["score"])

    def test_what_is_kept_is_about_the_stages_own_shape(self):
        self.assertEqual(run("quiz", "sequential", "--keep", "--shape", "4097", "--answer", "1=6", root=self.root).returncode, 2)

    def test_a_class_is_graded_with_it(self):
        right = self.right_answers()
        class_folder, out = self.root / "class", self.root / "graded"
        for name, answers in (("ann", right), ("ben", right[:1]), ("cy", [])):
            self.file.write_text(self.solution)
            if answers:
                self.keep(dict(enumerate(answers, 1)))
            (class_folder / name).mkdir(parents=True)
            shutil.copy(self.file, class_folder / name)
        answer = run("grade", class_folder, "--out", out, "--stage", "reduction/sequential", "--no-reports", root=self.root)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for name, share in (("ann", 1), ("ben", 1 / len(right)), ("cy", 0)):
            score = json.loads((out / "results" / f"{name}.json").read_text())["stages"][0]["score"]
            self.assertAlmostEqual(score["quiz"], share)
            self.assertAlmostEqual(score["total"], 13 + share)
        tests = json.loads((out / "gradescope" / "ben.json").read_text())["tests"]
        self.assertIn("1 of", next(test["output"] for test in tests if test["name"].endswith(", quiz")))


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Solution(unittest.TestCase):
    def test_it_is_shown_to_who_is_done(self):
        with tempfile.TemporaryDirectory() as folder:
            root = course_in(folder)
            file, solution = root / "assignments/warmup/1_one_thread.cu", (ROOT / "solutions/warmup/1_one_thread.cu").read_text()
            self.assertEqual(run("solution", "one_thread", root=root).returncode, 1)
            file.write_text(solution)
            self.assertIn("has not been checked", run("solution", "one_thread", root=root).stderr)
            run("check", "one_thread", root=root)
            self.assertIn(solution.rstrip(), run("solution", "one_thread", root=root).stdout)
            shutil.rmtree(root / "solutions")  # as in a kit
            self.assertEqual(run("solution", "one_thread", root=root).returncode, 2)


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Progress(unittest.TestCase):
    def test_a_stage_is_done_and_reset(self):
        with tempfile.TemporaryDirectory() as folder:
            root = course_in(folder)
            file, stub = root / "assignments/warmup/1_one_thread.cu", (ROOT / "assignments/warmup/1_one_thread.cu").read_text()
            self.assertIn("untouched", run("status", root=root).stdout)
            shutil.copy(ROOT / "solutions/warmup/1_one_thread.cu", file)
            self.assertIn("not checked yet", run("status", root=root).stdout)
            checked = run("check", "one_thread", root=root)
            self.assertIn("an exercise without points", checked.stdout)
            states = {one["stage"]: one["state"] for one in json.loads(run("status", "--format", "json", root=root).stdout)["stages"]}
            self.assertEqual(states["one_thread"], "done")
            self.assertEqual(states["guard"], "untouched")
            run("check", "guard", root=root)  # a look at a stub
            said = [json.loads(run(verb, "--format", "json", root=root).stdout)["stages"] for verb in ("list", "status")]
            states = [{(one["assignment"], one["stage"]): one["state"] for one in stages} for stages in said]
            self.assertEqual(*states)
            self.assertEqual([states[0]["warmup", stage] for stage in ("one_thread", "guard")], ["done", "untouched"])
            answer = run("reset", "one_thread", root=root)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertEqual(file.read_text(), stub)
            self.assertEqual((root / "assignments/warmup/1_one_thread.cu.1").read_text(),
                             (ROOT / "solutions/warmup/1_one_thread.cu").read_text())
            self.assertIn("untouched", run("reset", "one_thread", root=root).stdout)


if __name__ == "__main__":
    unittest.main()
