"""A class's book that tests grade into: what they hand in is graded once for all."""

import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import grading  # noqa: E402
import layouts  # noqa: E402
from test_intake import Case  # noqa: E402


class BookCase(Case):
    known = None  # of all classes of a file

    @classmethod
    def setUpClass(cls):
        """What the tests hand in is graded once: here it is about the book."""
        if BookCase.known:
            return
        BookCase.known = tempfile.TemporaryDirectory(prefix="warpgrade-known-")
        unittest.addModuleCleanup(BookCase.known.cleanup)
        place = Path(cls.known.name)
        for student, file, text in (("a", "1_naive_read.cu", layouts.solution), ("b", "1_naive_read.cu", layouts.stub),
                                    ("a", "2_naive_write.cu", layouts.solution)):
            (place / "class" / student).mkdir(parents=True, exist_ok=True)
            (place / "class" / student / file).write_text(text(file), encoding="utf-8")
        code, text = grading.run_grade(place / "class", "--out", place / "known", "--stage", "naive_read", "--stage", "naive_write")
        assert code == 0, text

    def grade(self, *words, out="book", knows=True, **more):
        if knows:
            grading.know(self.made / out, Path(self.known.name) / "known", is_compiled=True)
        done = subprocess.run([grading.BINARY, "grade", *words, "--out", self.made / out, "--no-reports", "--seed", "7", "--device", "virtual"],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, WARPGRADE_ROOT=str(grading.ROOT), NO_COLOR="1"), **more)
        self.text = done.stdout + done.stderr
        return done.returncode

    def rows(self, out="book"):
        with open(self.made / out / "gradebook.csv", encoding="utf-8", newline="") as file:
            return {row["id"]: row for row in csv.DictReader(file)}

    def lines(self, kind):
        text = (self.made / "book" / "ledger.jsonl").read_text(encoding="utf-8")
        return [line for line in map(json.loads, text.splitlines()) if line["kind"] == kind]

    def hand_in(self, path, student="", stub=False):
        name = Path(path).name
        self.write(path, (layouts.stub if stub else layouts.solution)(name) + (f"// {student}\n" if student else ""))

    def week_1(self):
        for student in ("ann", "ben"):
            self.hand_in(f"week1/{student}/1_naive_read.cu")
        self.names = self.roster("id,name\nann,Ann Lee\nben,Ben Ray\ndan,Dan Fox\n")
        self.assertEqual(self.grade(self.made / "week1", "--roster", self.names, "--stage", "naive_read"), 0, self.text)

    def verb(self, *words):
        done = subprocess.run([grading.BINARY, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, WARPGRADE_ROOT=str(grading.ROOT), NO_COLOR="1"))
        self.text = done.stdout + done.stderr
        return done.returncode
