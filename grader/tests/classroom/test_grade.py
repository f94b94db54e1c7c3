"""`warpgrade grade` from outside: a made-up class whose marks are known, graded, killed, graded again."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import class_of_60  # noqa: E402
import grading  # noqa: E402
import make_class  # noqa: E402

# Enough for every kind of student; few, so that a run takes seconds.
STAGES = ("transpose/naive_read", "transpose/corner_turning", "transpose/padding", "transpose/open",
          "reduction/sequential", "reduction/open")
SLOW_TO_STOP = "compile_bomb"  # 20 s of compiler each; in the class of 60, see class_of_60.py


@unittest.skipUnless(grading.BINARY.exists(), f"{grading.BINARY.name} is not built")
class ClassOfTwelve(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpgrade-class-")
        cls.made = Path(cls.folder.name)
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
            self.assertLessEqual(len(line.replace(str(self.made), "")), 80, line)

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
        """In turn the command alone, whose workers have to notice, and all of it."""
        delays = grading.moments(5, self.run_alone.wall_seconds / 2, seed=1)
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

    def test_two_at_once_in_one_folder_are_refused(self):
        first = grading.start(self.made, self.made / "third", "--no-reports")
        try:
            while not (self.made / "third" / ".lock").exists():
                self.assertIsNone(first.poll())
            while not list((self.made / "third").glob("handed-in/*")):
                self.assertIsNone(first.poll())
            code, text = grading.grade(self.made, self.made / "third", "--no-reports")
            self.assertEqual(code, 2)
            self.assertIn("another `grade` is at work", text)
        finally:
            first.kill()
            first.communicate()


if __name__ == "__main__":
    unittest.main()
