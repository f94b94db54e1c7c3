"""In a terminal of 80 columns nothing is wider: the help of every verb, and what `check`, `explain` and `hint` say. But a
command that is longer stands on a line of its own, so that it can be copied."""

import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ["WARPGRADE_BINARY_DIR"]) / "warpgrade-bin"
FILES = [("naive_read__004", "transpose/naive_read"), ("coarsening__142", "transpose/coarsening"),
         ("naive_read__321", "transpose/naive_read")]

COMMAND = re.compile(r" *`\S*warpgrade [^`]*`[,.]?")


def said(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=ROOT, stdin=subprocess.DEVNULL,
                          env={**os.environ, "WARPGRADE_ROOT": str(ROOT), "COLUMNS": "80", "NO_COLOR": "1"})
    return done.stdout + done.stderr


class Columns(unittest.TestCase):
    def hold(self, *arguments):
        with self.subTest(" ".join(arguments)):
            lines = said(*arguments).splitlines()
            self.assertEqual([line for line in lines if len(line) > 80 and not COMMAND.fullmatch(line)], [])
            self.assertFalse([line for line in lines if line.count("`") % 2 and "warpgrade" in line.rsplit("`", 1)[1]])

    def test_help(self):
        verbs = re.findall(r"(?m)^  ([a-z]+) {2,}", said("--help"))
        self.assertGreater(len(verbs), 12)
        for verb in verbs:
            self.hold(verb, "--help")

    def test_messages(self):
        for name, stage in FILES:
            self.hold("check", f"grader/tests/mistakes/transpose__{name}.cu", "--stage", stage)
        self.hold("explain", "solutions/transpose/3_corner_turning.cu")
        self.hold("hint", "transpose/padding", "--level", "3")
        self.hold("list")


if __name__ == "__main__":
    unittest.main()
