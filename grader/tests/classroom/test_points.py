"""Other points, titles and hints: marks come from what is stored, and nothing is run."""

import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import grading  # noqa: E402
from book_case import BookCase  # noqa: E402


class OtherPoints(BookCase):
    def with_changes(self, *changes):
        """This course, but for what is replaced in the transpose's assignment.toml."""
        course = self.made / "course"
        course.mkdir()
        for path in grading.ROOT.iterdir():
            if path.name != "assignments":
                (course / path.name).symlink_to(path)
        shutil.copytree(grading.ROOT / "assignments", course / "assignments")
        toml = course / "assignments" / "transpose" / "assignment.toml"
        text = toml.read_text(encoding="utf-8")
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        toml.write_text(text, encoding="utf-8")
        return course

    def again(self, course, out="book"):
        done = subprocess.run([grading.BINARY, "grade", self.made / "week1", "--out", self.made / out, "--no-reports", "--seed", "7",
                               "--device", "virtual", "--roster", self.names, "--stage", "naive_read"], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, WARPGRADE_ROOT=str(course), NO_COLOR="1"))
        self.text = done.stdout + done.stderr
        return done.returncode

    def stored(self):
        return {path.name: path.read_bytes() for path in (self.made / "book" / ".store").rglob("*.json")}

    def test_a_changed_weight_runs_nothing_and_is_what_grading_gives(self):
        self.week_1()
        self.hand_in("week1/dan/1_naive_read.cu", stub=True)
        self.assertEqual(self.grade(self.made / "week1"), 0, self.text)
        stored = self.stored()
        course = self.with_changes(("points = { correctness = 5, technique = 4, performance = 1 }",
                                    "points = { correctness = 4.5, technique = 4, performance = 1.5 }"),
                                   ('title = "One element a thread; coalesced reads"', 'title = "Another title"'),
                                   ("The input is row-major: which index", "The input is row-major. Which index"))
        self.assertEqual(self.again(course), 0, self.text)
        self.assertRegex(" ".join(self.text.split()), r"graded 0 stages now, 2 were known, 2 of them scored again")
        self.assertEqual(self.stored(), stored)  # nothing was measured
        self.assertRegex(self.text, r"ann  transpose/naive_read: 10 -> 10 of 10 \(other points\)")
        result = json.loads((self.made / "book" / "results" / "ann.json").read_text(encoding="utf-8"))
        [stage] = result["stages"]
        self.assertEqual((stage["title"], stage["points"]["correctness"], stage["score"]["correctness"]), ("Another title", 4.5, 4.5))
        self.assertNotIn("marking", stage)
        # The same as graded with these points from the start.
        self.assertEqual(self.again(course, out="fresh"), 0, self.text)
        self.assertRegex(self.text, "graded 2 stages now")
        for name in ("gradebook.csv", "marks.json"):
            self.assertEqual((self.made / "book" / name).read_text(), (self.made / "fresh" / name).read_text())
        self.assertEqual(self.verb("diff", self.made / "book", self.made / "fresh"), 0)
        self.assertIn("0 other than before, 3 the same", self.text)

    def test_a_changed_rule_is_run(self):
        self.week_1()
        course = self.with_changes(('expect = "shared_load_requests == 0"\npoints = 2', 'expect = "shared_load_requests <= 0"\npoints = 2'))
        self.assertEqual(self.again(course), 0, self.text)
        self.assertRegex(self.text, "graded 1 stage now")


if __name__ == "__main__":
    unittest.main()
