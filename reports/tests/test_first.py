"""What is wrong comes first, with one next step; and nothing is shown that says nothing."""

import tempfile
import unittest
from pathlib import Path

from reports import page, pdf
from reports.first import wrong_first
from reports.missing import NEVER_TIMED
from reports.tests.made import case, result, stage, stub
from reports.tests.markup import Tags
from reports.tests.pdf_text import words

ERROR = {"kind": "race_shared", "severity": "error", "line": 2, "column": 1, "message": "two threads", "help": "a barrier",
         "facts": ["a", "b", "c", "d"]}
POINT = {"origin": "measured", "shape": "8192x8192", "seconds": 1e-4, "gb_per_s": 600.0, "copy_gb_per_s": 1000.0,
         "reference_gb_per_s": 800.0}


def wrong(name="wrong", **changes):
    return stage(name, **{"source_lines": ["one", "two"], "findings": [ERROR], "correctness": {"cases": [case("pass"), case("wrong", "d")]},
                          **changes})


def headings(text):
    """Ids of the headings of level 2 in the order read."""
    return [attributes["id"] for tag, attributes in Tags(text).tags if tag == "h2" and attributes.get("id")]


class First(unittest.TestCase):
    def test_what_is_wrong_comes_before_what_is_slow(self):
        slow = stage("slow", technique=[{"rule": "a <= 1", "value": 8, "ok": False, "says": "pad"}])
        first, others = wrong_first(result(stage(), slow, wrong(), stub("untouched")))
        self.assertEqual((first.stage.id, [one.id for one in others]), ("wrong", ["slow"]))
        self.assertEqual((first.heading, first.message, first.help), ("error[race_shared], line 2", "two threads", "a barrier"))
        self.assertEqual(first.command, "./grader/warpgrade check solutions/transpose/4_wrong.cu --shape 33x65")
        self.assertEqual(len(first.facts), 3)
        [first, others] = wrong_first(result(slow))
        self.assertEqual((first.message, first.help), ("a <= 1 is 8", "pad"))
        self.assertIn("explain --page", first.command)

    def test_what_does_not_compile_shows_its_line(self):
        broken = {"ok": False, "diagnostics": [{"severity": "warning", "line": 1, "message": "w"},
                                               {"severity": "error", "line": 2, "column": 1, "message": "e"}]}
        first, _ = wrong_first(result(wrong(compile=broken, correctness={"cases": []})))
        self.assertEqual((first.heading, first.message), ("does not compile, line 2", "e"))
        self.assertIn((2, "two", "here"), first.rows)

    def test_a_whole_program_has_arguments_and_is_not_timed(self):
        run = {**case("fault", "no"), "shape": [1000, 2048], "type": "", "class": "run"}
        shown = result(wrong(program=True, correctness={"cases": [case("pass"), run]}))
        self.assertEqual(wrong_first(shown)[0].command, "./grader/warpgrade check solutions/transpose/4_wrong.cu")
        text = page.render(shown)
        self.assertIn("1000 2048", text)
        self.assertIn(NEVER_TIMED, text)
        self.assertNotIn("warpgrade bench", text)

    def test_a_command_names_what_the_file_does_not(self):
        run = {**case("fault", "no"), "shape": [1000, 2048], "type": "", "class": "run"}
        own = wrong("saxpy", assignment="program", program=True, source="programs/saxpy.cu", correctness={"cases": [run]})
        self.assertEqual(wrong_first(result(own))[0].command, "./grader/warpgrade run programs/saxpy.cu -- 1000 2048")
        other = wrong("round_trip", assignment="first_program", program=True, source="mine.cu", correctness={"cases": [run]})
        self.assertEqual(wrong_first(result(other))[0].command,
                         "./grader/warpgrade check mine.cu --stage first_program/round_trip")

    def test_where_all_passes_nothing_is_wrong(self):
        self.assertEqual(wrong_first(result(stage(), stub())), (None, []))
        self.assertNotIn("first", headings(page.render(result(stage()))))


class Shown(unittest.TestCase):
    def test_order_and_no_empty_section(self):
        self.assertEqual(headings(page.render(result(wrong(counters=None)))), ["first", "marks", "stages", "made"])
        self.assertEqual(headings(page.render(result(wrong(), stage(bandwidth=POINT), stage("b", bandwidth=POINT)))),
                         ["first", "marks", "bandwidth", "limits", "memory", "stages", "made"])

    def test_no_bar_chart_of_one_bar(self):
        for one, name in ((stage(bandwidth=POINT), "one"), (stage(), "none")):
            with self.subTest(name):
                text = page.render(result(one))
                for title in ("Marks by stage.", "Bandwidth by stage.", "Global memory: sectors a request."):
                    self.assertNotIn(title, Tags(text).text.split("Figures that this result has no data for")[0])

    def test_a_wrong_kernel_s_counters_are_not_praised(self):
        trace = [{"line": 1, "kind": "read", "space": "global", "buffer": "in", "width_bytes": 4, "mask": 1,
                  "addresses": [0] * 32, "units": 1, "units_ideal": 1}]
        self.assertIn("as few as can be", page.render(result(stage(trace=trace))))
        text = page.render(result(wrong(trace=trace)))
        for praise in ("as few as can be", "What limits it", "nothing stands out"):
            self.assertNotIn(praise, text)

    def test_the_pdf_begins_with_it_too(self):
        with tempfile.TemporaryDirectory() as folder:
            text = words(pdf.write_pdf(result(wrong(), stage("b")), Path(folder) / "r.pdf").read_bytes())
        self.assertLess(text.index("What is wrong first"), text.index("Marks"))
        self.assertIn("--shape 33x65", text)


if __name__ == "__main__":
    unittest.main()
