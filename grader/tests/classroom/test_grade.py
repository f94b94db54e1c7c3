"""`warpgrade grade` from outside: a made-up class whose marks are known, graded, killed, graded again."""

import json
import os
import signal
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import class_of_60  # noqa: E402
import grading  # noqa: E402
import make_class  # noqa: E402

sys.path.insert(0, str(grading.ROOT))
from reports.tests import pdf_text  # noqa: E402

# Enough for every kind of student; few, so that a run takes seconds. WARPGRADE_ALL=1: three more.
STAGES = ("transpose/padding", "reduction/sequential", "reduction/open")
if "WARPGRADE_ALL" in os.environ:
    STAGES += ("transpose/open", "transpose/naive_read", "transpose/corner_turning")
SLOW_TO_STOP = "compile_bomb"  # 20 s of compiler each; in the class of 60, see class_of_60.py


@unittest.skipUnless(grading.BINARY.exists(), f"{grading.BINARY.name} is not built")
class ClassOfTwelve(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpgrade-class-")
        cls.made = Path(cls.folder.name)
        print(f"stages of the class: {', '.join(STAGES)}; WARPGRADE_ALL=1 takes six", file=sys.stderr)
        cls.students = make_class.make_class(cls.made, 12, only=STAGES, is_alike=True, leave_out=SLOW_TO_STOP)
        cls.cache = cls.made / "cache"
        cls.run_alone = grading.measured(cls.made, cls.made / "out", "--no-reports", cache=cls.cache)
        cls.code, cls.text = cls.run_alone.code, cls.run_alone.text

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_mark_is_as_known(self):
        self.assertEqual(grading.differences(self.made, self.made / "out"), [], self.text)
        self.assertEqual(self.code, 1)  # one hand-in cannot be read

    def test_a_wrong_mark_would_be_found(self):
        expected = self.made / "expected.csv"
        before = expected.read_text(encoding="utf-8")
        try:
            expected.write_text(before.replace("transpose/padding,5.000000,7.000000", "transpose/padding,5.000000,6.000000"),
                                encoding="utf-8")
            self.assertNotEqual(grading.differences(self.made, self.made / "out"), [])
        finally:
            expected.write_text(before, encoding="utf-8")

    def test_the_summary_counts_everybody_and_lists_who_needs_a_person(self):
        unreadable = next(student.id for student in self.students if student.kind == "unreadable")
        self.assertRegex(self.text, r"12 students: .*1 unreadable, 1 missing\n")
        self.assertIn(f"{unreadable}  `{unreadable}.tar.gz` cannot be read: it holds more than 500 .cu files", self.text)
        for line in self.text.splitlines():
            for shown in (str(self.made), os.path.relpath(self.made, grading.ROOT)):  # the shorter one is
                line = line.replace(shown, "")
            self.assertLessEqual(len(line), 80, line)

    def test_what_hostile_files_want_does_not_happen(self):
        packed = next(student.id for student in self.students if student.kind == "packed")
        row = next(row for row in grading.read_csv(self.made / "out" / "gradebook.csv") if row["SID"] == packed)
        self.assertIn("its path leads out of the archive", row["notes"])
        self.assertIn("it is a symbolic link", row["notes"])
        users = Path("/etc/passwd").read_text(errors="replace").splitlines()[0]
        for path in (self.made / "out").rglob("*"):
            self.assertFalse(path.is_symlink())
            if path.is_file() and path.parent.name != ".store":
                self.assertNotIn(users, path.read_text(encoding="utf-8"), path)

    def test_another_run_grades_nothing_and_changes_nothing(self):
        before = {path: (path.read_bytes(), path.stat().st_mtime_ns)
                  for path in (self.made / "out" / "results").iterdir()}
        book = (self.made / "out" / "gradebook.csv").read_bytes()
        code, text = grading.grade(self.made, self.made / "out", "--no-reports", cache=self.cache)
        self.assertEqual(code, 1)
        self.assertRegex(text, r"graded 0 stages now, \d\d were known")
        self.assertEqual(book, (self.made / "out" / "gradebook.csv").read_bytes())
        for path, known in before.items():
            self.assertEqual((path.read_bytes(), path.stat().st_mtime_ns), known)

    def test_killed_at_random_moments_it_ends_with_the_same_gradebook(self):
        """In turn the command alone, whose workers have to notice, and all of it. A third of the work is left to do."""
        took = sorted((grading.seconds_of(path), path.name) for path in (self.made / "out" / ".store").glob("*.json"))
        left = took if "WARPGRADE_ALL" in os.environ else took[len(took) // 2:len(took) * 5 // 6]
        grading.know(self.made / "again", self.made / "out", without={name for _, name in left})
        share = sum(seconds for seconds, _ in left) / sum(seconds for seconds, _ in took)
        delays = grading.moments(5, self.run_alone.wall_seconds * share / 2, seed=1)
        code, text, complaints = grading.grade_with_kills(self.made, self.made / "again", delays, "--no-reports",
                                                          cache=self.cache, whole_group=lambda number: number % 2 == 1)
        self.assertEqual(complaints, [], text)
        self.assertEqual(code, 1)
        self.assertEqual(grading.different_files(self.made / "out", self.made / "again"), [])

    def test_what_a_run_took_is_measured(self):
        run = self.run_alone
        self.assertGreater(run.cpu_seconds, 1)
        self.assertGreater(run.wall_seconds, 1)
        self.assertGreater(run.peak_bytes, run.peak_process_bytes / 2)
        self.assertGreater(run.peak_process_bytes, 20 << 20)
        table = class_of_60.table(run, run, [], grading.read_csv(self.made / "expected.csv"))
        self.assertIn("| students | 12 |", table)

    def test_what_the_comparison_lets_pass_is_only_which_limit_stopped_a_compiler(self):
        def result(message, kind="compile_memory", points=0):
            stage = {"compile": {"seconds": 1}, "findings": [{"kind": kind, "message": message}], "score": points}
            return grading.without_times(json.dumps({"stages": [stage]}))

        def shown(message):
            return grading.without_stops(json.dumps({"tests": [{"output": message + "\n", "score": 0}]}))

        slow, large = "compilation took longer than 20 s", "compilation needed more than 2048 MiB of memory"
        self.assertEqual(result(slow, "compile_timeout"), result(large))
        self.assertNotEqual(result(slow, "compile_timeout"), result(large, points=1))
        self.assertNotEqual(result("one", "race_shared"), result("two", "race_shared"))
        self.assertEqual(shown(slow), shown(large))
        self.assertNotEqual(shown(slow), shown("line 3: something else"))

    def test_ctrl_c_says_how_to_go_on(self):
        process = grading.start(self.made, self.made / "interrupted", "--no-reports")
        while not list((self.made / "interrupted").glob(".store/*.json")):
            self.assertIsNone(process.poll())
            time.sleep(0.005)  # the grading has the processor
        process.send_signal(signal.SIGINT)
        text = process.communicate()[0]
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertIn("stopped; what was graded is kept, and the same command goes on", text)

    def test_two_at_once_in_one_folder_are_refused(self):
        first = grading.start(self.made, self.made / "third", "--no-reports")
        try:
            while not (self.made / "third" / ".lock").exists() or not list((self.made / "third").glob("handed-in/*")):
                self.assertIsNone(first.poll())
                time.sleep(0.005)
            code, text = grading.grade(self.made, self.made / "third", "--no-reports")
            self.assertEqual(code, 2)
            self.assertIn("another `grade` is at work", text)
        finally:
            first.kill()
            first.communicate()


@unittest.skipUnless(grading.BINARY.exists(), f"{grading.BINARY.name} is not built")
class WhatGoesWrong(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="warpgrade-class-")
        self.made = Path(self.folder.name)
        make_class.make_class(self.made, 1, only=STAGES)

    def tearDown(self):
        self.folder.cleanup()

    def test_what_cannot_be_kept_stops_the_run(self):
        """As a full disk does: grading hours of work that is then thrown away helps nobody."""
        (self.made / "out").mkdir()
        (self.made / "out" / ".store").write_text("a file where the folder has to be")
        code, text = grading.grade(self.made, self.made / "out", "--no-reports", "--jobs", "1")
        self.assertEqual(code, 3, text)
        self.assertIn("error[cannot_write]", text)
        self.assertNotIn(f"{len(STAGES)} of {len(STAGES)} stages", text)

    def test_a_folder_that_cannot_be_made_is_named_with_the_reason(self):
        (self.made / "file").write_text("")
        code, text = grading.grade(self.made, self.made / "file" / "out")
        self.assertEqual(code, 3)
        self.assertIn("cannot write into", text)
        self.assertIn("Not a directory", text)

    def test_hand_ins_of_nobody_on_the_roster_are_named(self):
        make_class.make_class(self.made, 1, only=("reduction/sequential",))
        (self.made / "roster.csv").write_text("Matrikel-Nr;Nachname;Email\n4711;M\u00fcller;m@example.edu\n", encoding="utf-8")
        code, text = grading.grade(self.made, self.made / "out", "--no-reports")
        self.assertEqual(code, 1, text)
        self.assertIn("note: nobody on the roster handed in `s1000000`: it is at the end of the", text)
        self.assertIn("nobody on the roster is called `s1000000`: say whose it is with --map", text)
        self.assertIn("1 missing", text)


FIXED = {(127, 129), (257, 263), (1000, 777), (1024, 1024)}  # of the transpose: everybody's, whatever the seed
PRINTS_SHAPES = """    if (threadIdx.x + threadIdx.y + blockIdx.x + blockIdx.y == 0 && rows > 257 && rows != 1000) printf("%d by %d\\n", rows, cols);
"""


@unittest.skipUnless(grading.BINARY.exists(), f"{grading.BINARY.name} is not built")
@unittest.skipUnless((grading.ROOT / ".venv" / "bin" / "python").exists(), "skipped: no .venv (matplotlib, jinja2)")
class WhatStudentsGetBack(unittest.TestCase):
    """With the seed, or the shapes it chose, a student could fit a late hand-in to the class's check."""
    SEED = 198765432109876

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpgrade-class-")
        made = Path(cls.folder.name)
        make_class.make_class(made, 1, only=("transpose/naive_read",))
        [right] = (made / "hand-ins").rglob("*.cu")
        text = right.read_text(encoding="utf-8")
        body = text.index("{", text.index("__global__")) + 2
        right.write_text("#include <cstdio>\n" + text[:body] + PRINTS_SHAPES + text[body:], encoding="utf-8")
        _, cls.text = grading.grade(made, made / "out", seed=cls.SEED)
        cls.out = made / "out"
        [cls.result] = [json.loads(path.read_text(encoding="utf-8")) for path in cls.out.glob("results/*.json")]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def texts(self):
        """Everything in what a student gets: the files' bytes, and the words of the PDF."""
        paths = [path for folder in ("reports", "gradescope") for path in (self.out / folder).rglob("*") if path.is_file()]
        self.assertEqual(sorted(path.suffix for path in paths), [".html", ".json", ".pdf"], self.text)
        for path in paths:
            data = path.read_bytes()
            yield path.name, data.decode("utf-8", errors="replace")
            if path.suffix == ".pdf":
                yield path.name, pdf_text.words(data)
                for stream in pdf_text.streams(data):
                    yield path.name, stream.decode("utf-8", errors="replace")

    def test_the_seed_is_in_nothing_that_a_student_gets(self):
        self.assertEqual(self.result["seed"], self.SEED)  # the instructor's copy has it
        for name, text in self.texts():
            self.assertFalse(str(self.SEED) in text or f"{self.SEED:x}" in text, name)

    def test_nor_are_the_shapes_it_chose(self):
        [stage] = [stage for stage in self.result["stages"] if stage["source"]]
        self.assertEqual(stage["correctness"]["passed"], stage["correctness"]["total"])
        self.assertIn(" by ", stage["output"])  # what the submission printed reaches the instructor
        shapes = [tuple(case["shape"]) for case in stage["correctness"]["cases"]]
        chosen = [shape for shape in shapes if min(shape) > 1 and max(shape) > 101 and shape not in FIXED]
        self.assertGreater(len(chosen), 3)
        for name, text in self.texts():
            for rows, cols in chosen:
                for words in (f"{rows} \u00d7 {cols}", f"{rows}x{cols}", f"{rows} x {cols}", f"{rows} by {cols}"):
                    self.assertFalse(words in text, f"{name} has {words}")


if __name__ == "__main__":
    unittest.main()
