"""What a student of a class gets back tells neither the seed nor the shapes it chose."""

import tempfile
import unittest
from pathlib import Path

from reports.handed_back import without_seed
from reports.page import render
from reports.pdf import write_pdf
from reports.result import Result
from reports.tests.made import case, document, stage
from reports.tests.markup import Tags
from reports.tests.pdf_text import words

SEED = 198765432109876


def handed_back():
    cases = [case("pass"), {**case("pass"), "shape": [437, 229]}, {**case("wrong", "out[3] is 2, not 1"), "shape": [31, 33]},
             {**case("skipped", "not run: three cases failed"), "shape": [149, 151]}]
    data = document(stage(correctness={"passed": 2, "total": 4, "cases": cases}, output="437 by 229"))
    data["seed"] = SEED
    return Result(without_seed(data))


class HandedBack(unittest.TestCase):
    def test_the_page_has_the_failed_case_and_counts_the_others(self):
        text = Tags(render(handed_back())).text
        self.assertIn("31 \u00d7 33", text)
        self.assertIn("2 cases", text)
        self.assertIn("your instructor has it", text)
        self.assertIn("in the folder of the kit", text)
        for hidden in (str(SEED), "437", "229", "149", "--seed", "git checkout"):
            self.assertNotIn(hidden, text)

    def test_the_pdf_says_where_the_seed_is(self):
        with tempfile.TemporaryDirectory() as folder:
            text = words(write_pdf(handed_back(), Path(folder) / "report.pdf").read_bytes())
        self.assertIn("the seed is with your instructor", text)
        self.assertNotIn(str(SEED), text)
        self.assertNotIn("--seed", text)

    def test_another_result_keeps_its_seed(self):
        data = document(stage())
        data["seed"] = SEED
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn(f"seed {SEED}", words(write_pdf(Result(data), Path(folder) / "report.pdf").read_bytes()))
        text = Tags(render(Result(data))).text
        self.assertIn(str(SEED), text)
        self.assertIn("33 \u00d7 65", text)


if __name__ == "__main__":
    unittest.main()
