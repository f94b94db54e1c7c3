"""Hand-ins whose names hold any bytes: each is graded, none stops the others, and no output holds what is not to be shown."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import grading  # noqa: E402

STUB = grading.ROOT / "assignments" / "transpose" / "4_padding.cu"
# Names of hand-ins, as bytes.
PEOPLE = [b"alice", b"\xff", b"\xff\xfe\x80", b"zo\xeb", "zo\u00eb".encode(), b"two\nlines", b"\x1b[31mred\x1b[0m", b"tab\there",
          "\u202egnp.exe".encode(), "al\u200bice".encode(), "\u2066isolate".encode(), "\u3164".encode(), "\ufeffbom".encode(),
          b"'quote\"", b"-rf", b"--out=x", b"=cmd|' /C calc'!A0", b"+1+1", b"@SUM(A1)", b"\t=1+1", b" =1+1", b"\r=1", b"a,b;c",
          "\uff1d1+1".encode(), b"_..x", b"$(touch x)", b"`id`", b"<script>alert(1)</script>", b"{{7*7}}", b"&amp;",
          b"x" * 255, "\u00e9".encode() * 127, b"\xed\xa0\x80", b"\xc2\x9b31m", b"con", b"a\\b", b"%s%n", b"\x7f", b"\x01\x02",
          "\U000e0041tag".encode(), "e\u0301".encode(), "\ufffe\uffff\U0001ffff".encode(), b"graded", b"assignsubmission_file_", b"_1_2_3_"]
ROWS = len(PEOPLE) - 1  # the two spellings of one name are one student's, and a person is asked which counts
FILES = [b"\xff.cu", b"a\nb.cu", b"\x1b[2J.cu", "\u202euc.x.cu".encode(), b"-.cu", b"=1+1.cu", b"x" * 252 + b".cu"]


def hidden(text):
    """What of it steers a terminal or does not show."""
    return [f"U+{ord(c):04X}" for c in text
            if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c != "\n" or c in "\u3164\u115f\uffa0\u2800"
            or ord(c) & 0xfffe == 0xfffe]


@unittest.skipUnless(grading.BINARY.exists(), f"{grading.BINARY.name} is not built")
class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpgrade-names-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.made = Path(cls.folder.name)
        hand_ins = os.fsencode(cls.made / "hand-ins")
        for person in PEOPLE:
            folder = os.path.join(hand_ins, person)
            os.makedirs(folder)
            shutil.copy(STUB, os.path.join(folder, b"4_padding.cu"))
            for name in FILES:
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(b"// nothing\n")
        cls.done = cls.grade("out", "--no-reports")

    @classmethod
    def grade(cls, out, *more, some=None):
        words = [grading.BINARY, "grade", *(some or [cls.made / "hand-ins"]), "--out", cls.made / out, "--seed", "7", "--device", "virtual", *more]
        return subprocess.run(words, capture_output=True, timeout=600, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, WARPGRADE_ROOT=str(grading.ROOT)))

    def test_each_is_a_row_of_its_own(self):
        # Beside the stage's file lie some that are no stage's: a person has to look at those.
        self.assertEqual(self.done.returncode, 1, self.done.stdout + self.done.stderr)
        book = (self.made / "out" / "gradebook.csv").read_bytes().decode("utf-8")
        rows = list(csv.DictReader(io.StringIO(book, newline="")))
        self.assertEqual(len(rows), ROWS)
        self.assertEqual({row["status"] for row in rows} - {"graded", "provisional", "review"}, set())
        self.assertEqual(len(json.loads((self.made / "out" / "class.json").read_text("utf-8"))["students"]), ROWS)
        self.assertEqual(len(list((self.made / "out" / "results").iterdir())), ROWS)

    def test_what_a_person_sees_is_plain(self):
        for stream in (self.done.stdout, self.done.stderr):
            self.assertEqual(hidden(stream.decode("utf-8")), [])
        self.look_at("out")

    @unittest.skipUnless((grading.ROOT / ".venv").exists(), "no .venv: no reports")
    def test_reports(self):
        step = 3 if "WARPGRADE_ALL" in os.environ else 8
        some = [os.path.join(os.fsencode(self.made / "hand-ins"), person) for person in PEOPLE[1:26:step]]
        done = self.grade("few", some=some)
        self.assertEqual((done.returncode, b"no report" in done.stderr), (1, False), done.stderr)
        self.assertTrue((self.made / "few" / "class.html").exists())
        self.look_at("few")

    def look_at(self, out):
        for path in sorted((self.made / out).rglob("*")):
            if ".store" in path.parts:
                continue
            name = os.fsencode(path).decode("utf-8")  # raises where it is none
            self.assertEqual(hidden(name), [], name)
            self.assertLessEqual(len(os.fsencode(path.name)), 120)
            if path.suffix in (".json", ".csv", ".html"):
                text = path.read_bytes().decode("utf-8").removeprefix("\ufeff")  # which spreadsheets want
                self.assertEqual(hidden(text), [], path)

    def test_no_cell_is_a_formula_and_each_row_one_line(self):
        book = (self.made / "out" / "gradebook.csv").read_bytes().decode("utf-8")
        self.assertEqual(len(book.splitlines()), ROWS + 1)
        for row in csv.reader(io.StringIO(book, newline="")):
            for cell in row:
                self.assertNotIn(cell.strip(" \t\r\n\xa0\u3000")[:1], tuple("=+-@|\uff1d\uff0b\uff0d\uff20"), cell)

    def test_json_on_standard_output(self):
        done = self.grade("out", "--format", "json", "--no-reports")
        self.assertEqual(done.returncode, 1, done.stderr)
        text = done.stdout.decode("utf-8")
        self.assertEqual(hidden(text), [])
        names = {one["id"] for one in json.loads(text)["students"]}
        self.assertIn("\u202egnp.exe", names)
        self.assertIn("al\u200bice", names)

    def test_nothing_was_run_or_written_elsewhere(self):
        self.assertEqual(sorted(path.name for path in self.made.iterdir()), [*(["few"] if (self.made / "few").exists() else []), "hand-ins", "out"])

    def test_check_of_a_file_with_such_a_name(self):
        """In one of the two forms each; WARPGRADE_ALL=1: in both."""
        for number, name in enumerate(FILES):
            path = os.path.join(os.fsencode(self.made / "hand-ins"), b"alice", name)
            for form in ("text", "json") if "WARPGRADE_ALL" in os.environ else (("text", "json")[number % 2],):
                done = subprocess.run([grading.BINARY, "check", path, "--stage", "transpose/padding", "--format", form],
                                      capture_output=True, stdin=subprocess.DEVNULL,
                                      env=dict(os.environ, WARPGRADE_ROOT=str(grading.ROOT)))
                self.assertIn(done.returncode, (1, 2), done.stderr)
                for stream in (done.stdout, done.stderr):
                    self.assertEqual(hidden(stream.decode("utf-8")), [], (name, form))


if __name__ == "__main__":
    unittest.main()
