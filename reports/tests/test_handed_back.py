"""What a student of a class gets back tells neither the seed nor the shapes it chose."""

import json
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


TIMED = {"origin": "modelled", "shape": "8576 x 9216", "elements": 79036416, "seconds": 0.000158073, "gb_per_s": 4000.123456,
         "copy_gb_per_s": 4179.7, "reference_gb_per_s": 4100.4, "samples": 0, "iqr_seconds": 0.0000012, "class": "aligned",
         "limiter": "memory", "verdict": "ok", "detail": "", "share_of_reference": 0.975678, "share_interval": [0.9, 1.0]}


def told_of_a_timed_shape():
    """All places of a result that name it."""
    data = document(stage(
        bandwidth=TIMED, time={"origin": "modelled", "shape": "8576 x 9216", "seconds": 0.000158073, "limiter": "memory"},
        bandwidth_by_class=[TIMED, {**TIMED, "shape": "83886079", "class": "odd"}],
        findings=[{"kind": "impossible_bandwidth", "severity": "warning", "line": 3, "message": "too fast on 8576x9216",
                   "help": "look at 83886079", "facts": ["on 8576 x 9216", "shape 437 x 229"]},
                  {"kind": "race_shared", "severity": "error", "line": 4, "message": "a race", "help": "order them",
                   "facts": ["thread 1, shape 31 x 33", "shape 31 x 33"]}],
        correctness={"passed": 1, "total": 2, "cases": [{**case("pass"), "shape": [437, 229]},
                                                        {**case("fault", "a race"), "shape": [31, 33]}]},
        score={"correctness": 6, "technique": 4, "performance": 0, "total": 10, "max": 10, "state": "noisy",
               "why": "the times of 8576 x 9216 vary too much: check again"}))
    data["seed"] = SEED
    return without_seed(data)


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

    def test_no_text_of_a_report_tells_the_shape_that_is_timed(self):
        data = told_of_a_timed_shape()
        with tempfile.TemporaryDirectory() as folder:
            texts = (json.dumps(data), Tags(render(Result(data))).text,
                     words(write_pdf(Result(data), Path(folder) / "report.pdf").read_bytes()))
        self.assertIn("for each element of transpose 8 bytes", texts[1])
        for text in texts:
            for hidden in ("8576", "9216", "79036416", "83886079", "437", "229", "4000.12", "0.000158"):
                self.assertNotIn(hidden, text)
        self.assertIn("31 x 33", texts[0])
        self.assertIn("a shape that is timed vary too much", texts[0])

    def test_the_size_cannot_be_computed_from_a_rate_and_its_time(self):
        [one] = told_of_a_timed_shape()["stages"]
        for point in (one["bandwidth"], one["time"], *one["bandwidth_by_class"]):
            self.assertNotIn("seconds", point)
        self.assertEqual(one["bandwidth"]["gb_per_s"], 4000.0)

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
