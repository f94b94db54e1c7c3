"""The reports' words and numbers, held word by word: golden/student.txt and golden/class.txt.

After a change that is meant:  .venv/bin/python -m reports.tests.test_golden --update, and read the difference.
"""

import difflib
import sys
import unittest
from pathlib import Path

from reports.tests import pages
from reports.tests.markup import Tags

GOLDEN = Path(__file__).parent / "golden"
UPDATE = ".venv/bin/python -m reports.tests.test_golden --update"


def texts():
    """Name of the file -> what a reader meets, from top to bottom."""
    return {"student": Tags(pages.student("virtual", 0.3)).reading(), "class": Tags(pages.classroom()).reading()}


class Golden(unittest.TestCase):
    maxDiff = None

    def test_pages_say_what_they_said(self):
        for name, found in texts().items():
            with self.subTest(name):
                path = GOLDEN / f"{name}.txt"
                expected = path.read_text(encoding="utf-8")
                changed = "".join(difflib.unified_diff(expected.splitlines(True), found.splitlines(True), str(path),
                                                       "now", n=1))
                self.assertFalse(changed, f"\n{changed}\nIf that is meant: {UPDATE}")


if __name__ == "__main__":
    if "--update" in sys.argv:
        GOLDEN.mkdir(exist_ok=True)
        for name, text in texts().items():
            (GOLDEN / f"{name}.txt").write_text(text, encoding="utf-8")
    else:
        unittest.main()
