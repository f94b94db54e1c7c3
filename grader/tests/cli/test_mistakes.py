"""What `check` says first of the mistakes that students make: tests/mistakes/NAME.cu, each with one mistake or with one
construct that is to be accepted (table.tsv names it), and NAME.txt, the messages and the score as they are printed.
WARPGRADE_BLESS=1 writes them anew, WARPGRADE_BLESS=new those that are missing; read the difference before you keep it.
A run tries a part, WARPGRADE_ALL=1 all."""

import csv
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "grader/tests/support"))
from part import part_of  # noqa: E402

FOLDER = ROOT / "grader/tests/mistakes"
PROGRAM = pathlib.Path(os.environ["WARPGRADE_BINARY_DIR"]) / "warpgrade-bin"


def rows():
    with open(FOLDER / "table.tsv", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def golden_of(row):
    return FOLDER / pathlib.Path(row["file"]).with_suffix(".txt")


def said(row):
    """The messages and the score line of `check`."""
    command = [PROGRAM, "check", f"grader/tests/mistakes/{row['file']}", "--stage", row["stage"]]
    if row["shape"]:
        command += ["--shape", row["shape"]]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT,
                          env={**os.environ, "WARPGRADE_ROOT": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1"})
    text = done.stdout.split("\n", 1)[1]
    messages = re.split(r"(?m)^(?:correctness|technique|score) ", text)[0].strip()
    if "error[" not in messages and (missing := re.search(r"(?ms)^technique .*?(?=^bandwidth )", text)) and " not ok " in missing[0]:
        limit = re.search(r"(?ms)^limit .*?(?=^\w)", text)  # nothing is wrong but the rules that do not hold
        messages = (messages + "\n\n" + missing[0] + (limit[0] if limit and not messages else "")).strip()
    score = re.search(r"(?m)^score +(.*)", done.stdout)
    return f"{row['mistake']}\n\n{messages or 'nothing to say'}\n\nscore {score[1] if score else 'none'}\n"


class Mistakes(unittest.TestCase):
    def test_each_is_told_as_it_was(self):
        blessed = os.environ.get("WARPGRADE_BLESS")
        new = [row for row in rows() if not golden_of(row).exists()]
        for row in new if blessed == "new" else part_of(rows(), 64, "mistakes"):
            golden = golden_of(row)
            text = said(row)
            if blessed:
                golden.write_text(text)
            with self.subTest(row["file"]):
                self.assertEqual(golden.read_text() if golden.exists() else "", text)

    def test_every_file_is_in_the_table(self):
        self.assertEqual(sorted(path.name for path in FOLDER.glob("*.cu")), sorted(row["file"] for row in rows()))
        self.assertEqual(sorted(path.stem for path in FOLDER.glob("*.txt")),
                         sorted(pathlib.Path(row["file"]).stem for row in rows()))


class Stubs(unittest.TestCase):
    def test_bench_explains_no_columns_where_nothing_was_timed(self):
        done = subprocess.run([PROGRAM, "bench", "transpose/padding"], capture_output=True, text=True, cwd=ROOT,
                              env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.endswith("`check` says what is not\n"), done.stdout)

    def test_explain_asks_a_kernel_of_one_dimension_for_no_second_one(self):
        for stage in ("one_thread", "guard", "barrier"):
            done = subprocess.run([PROGRAM, "explain", f"warmup/{stage}"], capture_output=True, text=True, cwd=ROOT,
                                  env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
            self.assertIn("all warps" if stage != "barrier" else "no line accesses memory", done.stdout, stage)
            for word in ("dim3", ".y", "rows and cols"):
                self.assertNotIn(word, done.stdout, stage)


if __name__ == "__main__":
    unittest.main()
