"""The page: complete by itself, and inert whatever a submission says."""

import json
import tempfile
import unittest
from pathlib import Path

from reports.page import render
from reports.result import load
from reports.student import write_report
from reports.tests import pages
from reports.tests.made import case, document, result, stage, stub
from reports.tests.markup import Tags

HOSTILE = "</td><script>alert(1)</script>\"' onload=x {{ 7 * 7 }} $\\frac$ &amp; \x1b[2J \u202e"


def hostile_result():
    finding = {"kind": "wrong_output", "severity": "error", "line": 2, "column": 1, "label": HOSTILE,
               "message": HOSTILE, "facts": [HOSTILE], "help": HOSTILE}
    return reloaded(document(stage(HOSTILE, HOSTILE, title=HOSTILE, source=HOSTILE, source_lines=["", HOSTILE, ""], output=HOSTILE,
                        compile={"ok": True, "diagnostics": [{"severity": "warning", "line": 1, "message": HOSTILE}]},
                        correctness={"cases": [case("wrong", HOSTILE)]}, findings=[finding],
                        launches=[{"kernel": HOSTILE, "grid": [1, 1, 1], "block": [1, 1, 1], "shared_bytes": 0}],
                        trace=[{"line": 1, "kind": "read", "space": "global", "buffer": HOSTILE, "width_bytes": 4,
                                "mask": 1, "addresses": [0] * 32, "units": 1, "units_ideal": 1}],
                        score={"total": 0, "max": 1, "state": "provisional", "why": HOSTILE},
                        technique=[{"rule": HOSTILE, "value": 1, "ok": False, "says": HOSTILE}])))


def reloaded(data):
    """Through a file, as a report gets it: loading makes text harmless."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "result.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return load(path)


class Page(unittest.TestCase):
    def test_a_submission_cannot_bring_markup(self):
        page = Tags(render(hostile_result()))
        self.assertNotIn("script", page.names)
        self.assertEqual(page.open, [])
        self.assertIn("{{ 7 * 7 }}", page.text)
        self.assertGreaterEqual(page.text.count("<script>alert(1)</script>"), 15)

    def test_control_characters_of_a_submission_are_shown_not_sent(self):
        page = render(hostile_result())
        self.assertNotIn("\x1b", page)
        self.assertNotIn("\u202e", page)

    def test_of_an_untouched_stub_stands_only_what_to_do_first(self):
        text = Tags(render(result(stage(), stub("other")))).text
        own = text.split("transpose/other: A title")[-1].split("How it was made")[0]
        self.assertIn("not attempted, 0 of 10 points", " ".join(own.split()))
        self.assertIn("Copy your kernel in.", own)
        for word in ("Technique", "Cases", "Counters", "What limits it"):
            self.assertNotIn(word, own)

    def test_it_needs_no_network(self):
        page = Tags(pages.student())
        outside = [address for address in page.addresses if not address.startswith(("#", "data:"))]
        self.assertEqual(outside, [])

    def test_ids_are_unique_and_links_lead_somewhere(self):
        page = Tags(pages.student())
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertEqual([a for a in page.addresses if a.startswith("#") and a[1:] not in page.ids], [])

    def test_it_shows_marks_findings_rules_and_cases(self):
        finding = {"kind": "race_shared", "severity": "error", "line": 14, "other_line": 17, "message": "two threads",
                   "help": "a barrier between"}
        rule = {"rule": "blocks == 1", "value": 2.5, "ok": False, "says": "one block is enough"}
        text = Tags(render(result(stage(findings=[finding], technique=[rule])))).text
        for expected in ("transpose/padding", "error[race_shared]", "line 14 and line 17", "two threads",
                         "a barrier between", "blocks == 1", "2.5", "one block is enough", "33 \u00d7 65"):
            self.assertIn(expected, text)

    def test_a_finding_shows_its_line_with_a_caret(self):
        finding = {"kind": "race_shared", "severity": "error", "line": 3, "column": 5, "label": "here", "message": "m"}
        text = Tags(render(result(stage(findings=[finding], source_lines=["a", "b", "    third", "d"])))).text
        self.assertIn("    third\n    ^ here\n", text)

    def test_every_picture_has_a_name_and_is_told_in_words(self):
        text = pages.student()
        page = Tags(text)
        pictures = [attributes for tag, attributes in page.tags if attributes.get("role") == "img"]
        self.assertEqual(len(pictures), page.names.count("svg"))
        self.assertGreater(len(pictures), 25)
        for attributes in pictures:
            self.assertTrue(attributes["aria-label"])
        self.assertEqual(len(pictures), text.count("<summary>The picture in words</summary>"))
        self.assertIn("transpose/naive_read: loads 4, stores 32", page.text)

    def test_pictures_follow_light_and_dark(self):
        text = pages.student()
        self.assertIn("prefers-color-scheme: dark", text)
        self.assertIn("var(--first)", text)
        self.assertNotRegex(text, "#0102[01][0-9a-f]")

    def test_nothing_graded_is_a_page_too(self):
        self.assertIn("No stage of this result carries marks", render(result()))
        without = stage(counters={}, launches=[], technique=[], compile={"ok": False, "diagnostics": []},
                        correctness={"cases": []})
        self.assertIn("does not compile", render(result(without)))

    def test_what_is_missing_is_said_with_the_command_that_gives_it(self):
        text = Tags(render(result(stage()))).text
        self.assertIn("No stage of this result has a bandwidth", text)
        self.assertIn("./grader/warpgrade check --format json solutions/transpose/4_padding.cu", text)
        self.assertIn("./grader/warpgrade bench --cpu --format json solutions/transpose/4_padding.cu", text)
        self.assertIn("./grader/warpgrade explain solutions/transpose/4_padding.cu", text)

    def test_commands_name_what_was_handed_in_as_its_student_has_it(self):
        text = Tags(render(result(stage(source="transpose/4_padding.cu")))).text
        for verb in ("check --format json", "bench --cpu --format json", "explain"):
            self.assertIn(f"./grader/warpgrade {verb} assignments/transpose/4_padding.cu", text)

    def test_open_performance_is_not_shown_as_nothing_earned(self):
        score = {"correctness": 6, "technique": 2, "performance": 0, "total": 8, "max": 10, "state": "provisional",
                 "why": "bandwidth was not measured"}
        points = {"correctness": 6, "technique": 2, "performance": 2}
        text = Tags(render(result(stage(score=score, points=points)))).text
        self.assertIn("Points that are still open", text)
        self.assertIn("bandwidth was not measured", text)
        self.assertNotIn("still open", Tags(render(result(stage()))).text)

    def test_modelled_and_measured_are_told_apart(self):
        measured, page = pages.student("cuda"), pages.student("virtual")
        self.assertIn('class="origin measured"', measured)
        self.assertNotIn("Some bandwidths are", measured)
        self.assertIn("Some bandwidths are", page)
        self.assertIn("No GPU took part", page)
        self.assertNotIn('class="origin measured"', page)
        self.assertIn("<pattern", page)

    def test_cases_skipped_for_one_reason_are_one_row(self):
        cases = [case("fault", "f"), *[case("skipped", "three shapes faulted")] * 7, case("skipped", "other")]
        text = Tags(render(result(stage(correctness={"cases": cases})))).reading()
        self.assertIn("7 cases | skipped | three shapes faulted", text)
        self.assertEqual(text.count("three shapes faulted"), 1)

    def test_rules_without_a_value_are_one_sentence(self):
        rule = {"rule": "blocks == 1", "value": 0, "ok": False, "says": "not measured: it does not run"}
        text = Tags(render(result(stage(technique=[rule, rule])))).text
        self.assertIn("2 rules not measured: it does not run.", text)

    def test_made_up_data_says_so(self):
        self.assertIn("Made-up data", pages.student())
        self.assertNotIn("Made-up data", render(result(stage())))

    def test_live_pages_beside_it_are_linked(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "transpose_padding.html").write_text("a page")
            pages_of = [Tags(render(result(stage(), stage("other"), stage("../padding")), where)).addresses
                        for where in (None, Path(folder))]
        self.assertEqual([[one for one in its if one.endswith(".html")] for its in pages_of], [[], ["transpose_padding.html"]])

    def test_the_same_result_makes_the_same_page(self):
        self.assertEqual(render(result(stage(), stub())), render(result(stage(), stub())))

    def test_both_files_are_written_where_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = write_report(result(stage()), Path(folder) / "a" / "b")
            self.assertEqual(paths, [Path(folder) / "a" / "b" / name for name in ("report.html", "report.pdf")])
            self.assertTrue(paths[0].read_text(encoding="utf-8").startswith("<!doctype html>"))
            self.assertTrue(paths[1].read_bytes().startswith(b"%PDF"))


if __name__ == "__main__":
    unittest.main()
