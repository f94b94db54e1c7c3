"""A class: what is counted, who needs a person, and that examples name nobody."""

import base64
import contextlib
import hashlib
import io
import json
import random
import tempfile
import unittest
from pathlib import Path

from reports import class_page, leaderboard, people
from reports.__main__ import main
from reports.classroom import ClassResult, anonymous, checks_of, interval, load_class, without_words
from reports.excerpt import excerpt
from reports.plots import class_separation, class_times, class_verdicts
from reports.result import BadResult, Result
from reports.tests import pages, pdf_text, synthetic
from reports.tests.made import case, document, result, stage, stub
from reports.tests.markup import Tags
from reports.text import DASH

BANDWIDTH = {"origin": "measured", "shape": "8192x8192", "seconds": 1e-4, "gb_per_s": 600.0, "copy_gb_per_s": 1000.0,
             "reference_gb_per_s": 800.0}


def made(*stages):
    """A class in which each student handed in one of the stages."""
    return ClassResult((f"s{number}", result(one)) for number, one in enumerate(stages))


def with_marks(total, **changes):
    return stage(score={"correctness": total, "technique": 0, "performance": 0, "total": total, "max": 10,
                        "state": "final"}, **changes)


class Counted(unittest.TestCase):
    def test_checks_carry_how_many_meet_them(self):
        wrong = stage(correctness={"cases": [case("wrong")]})
        rule = {"rule": "blocks == 1", "value": 2, "ok": False}
        found = made(stage(), wrong, stage(technique=[rule]), stage(compile={"ok": False})).checks
        self.assertEqual(found["transpose/padding", "compiles"], (3, 4))
        self.assertEqual(found["transpose/padding", "right on odd shapes"], (2, 3))
        self.assertEqual(found["transpose/padding", "blocks == 1"], (0, 1))

    def test_bandwidth_is_a_check_where_there_is_a_band(self):
        [one] = result(stage(bandwidth=BANDWIDTH, band={"none": 0.4, "full": 0.9})).stages
        checks = checks_of(one)
        self.assertTrue(checks["bandwidth earns marks"])
        self.assertFalse(checks["bandwidth earns full marks"])

    def test_what_was_not_handed_in_is_neither_checked_nor_counted_as_handed_in(self):
        absent = stage(source="", sha256="", compile={"ok": False}, correctness={"cases": []})
        its = made(stage(), absent)
        self.assertEqual(its.checks["transpose/padding", "compiles"], (1, 1))
        self.assertEqual(class_verdicts.shares(its, "transpose/padding")[-1], 0.5)
        self.assertEqual(class_page.stage_rows(its)[0]["count"], 1)

    def test_the_walls_around_hand_ins_are_named_where_they_are_known(self):
        its = ClassResult([("ada", Result({**document(stage()), "walls": ["seccomp", "landlock"]}))])
        self.assertIn("Walls around what was handed inseccomp, landlock", Tags(class_page.render(its)).text)
        its = ClassResult([("ada", Result({**document(stage()), "walls": []}))])
        self.assertIn("Walls around what was handed innone", Tags(class_page.render(its)).text)
        self.assertNotIn("Walls around", Tags(class_page.render(made(stage()))).text)

    def test_a_stage_that_nobody_tried_has_no_mean(self):
        absent = stage(source="", sha256="", compile={"ok": False}, correctness={"cases": []},
                       score={"total": 0, "max": 10, "state": "final"})
        for its, words in ((made(absent, absent), "not handed in"), (made(absent, stub()), "not attempted")):
            [row] = class_page.stage_rows(its)
            self.assertEqual((row["count"], row["passing"], row["facility"], row["r"], row["words"]),
                             (0, None, None, DASH, words))
            self.assertEqual(class_separation.describe(its), [f"transpose/padding: {words}"])

    def test_a_section_of_findings_that_nobody_has_is_left_out(self):
        finding = {"kind": "race_shared", "severity": "error", "line": 1, "message": "m"}
        for its, is_there in ((made(stage()), False), (made(stage(findings=[finding])), True)):
            with tempfile.TemporaryDirectory() as folder:
                class_page.write_class(its, folder)
                page = Tags((Path(folder) / "class.html").read_text(encoding="utf-8")).text
                paper = pdf_text.words((Path(folder) / "class.pdf").read_bytes())
            for words in ("Commonest findings", "The commonest mistakes"):
                self.assertEqual((words in page, words in paper), (is_there, is_there), words)

    def test_first_come_who_needs_help_the_commonest_mistakes_and_what_separates_nobody(self):
        race = {"kind": "race_shared", "severity": "error", "line": 1, "message": "m"}
        bad = {"score": {"correctness": 0, "technique": 0, "performance": 0, "total": 0, "max": 10, "state": "final"},
               "correctness": {"cases": [case("wrong")]}, "findings": [race]}
        its = ClassResult([(f"s{i}", result(stage(), stage("other", **(bad if i == 0 else {"findings": [race]})), stage("all")))
                           for i in range(12)])
        found = class_page.first(its, people.rows(its, None))
        self.assertEqual([(row["kind"], len(row["students"]), row["stages"]) for row in found["mistakes"]],
                         [("race_shared", 12, ["transpose/other"])])
        self.assertEqual([row["stage"] for row in found["same_for_all"]], ["transpose/padding", "transpose/all"])
        self.assertEqual([row.student for row in found["help"]], [])
        alone = ClassResult([("eve", result(stage("other", **bad)))])
        self.assertEqual([row.student for row in class_page.first(alone, people.rows(alone, None))["help"]], ["eve"])

    def test_a_stage_that_the_kit_failed_on_was_not_checked(self):
        failed = stage(score={"total": 0, "max": 10, "state": "internal_error"})
        self.assertEqual(made(failed).checks, {})

    def test_findings_are_counted_by_student_not_by_place(self):
        finding = {"kind": "race_shared", "severity": "error", "line": 1, "message": "m"}
        its = made(stage(findings=[finding, {**finding, "line": 2}]), stage(findings=[finding]), stage())
        [common] = its.common_findings
        self.assertEqual((common.kind, len(common.students)), ("race_shared", 2))

    def test_an_untouched_stub_is_not_attempted_nor_wrong_nor_checked(self):
        its = made(stage(), stub())
        self.assertEqual(its.common_findings, [])
        self.assertEqual(its.checks["transpose/padding", "compiles"], (1, 1))
        self.assertEqual(class_page.stage_rows(its)[0]["count"], 1)
        shares = {label: share for (label, _, _), share in
                  zip(class_verdicts.OUTCOMES, class_verdicts.shares(its, "transpose/padding"))}
        self.assertEqual({label: share for label, share in shares.items() if share}, {"passes": 0.5, "not attempted": 0.5})

    def test_a_class_on_a_model_says_so_before_its_marks(self):
        modelled = {**BANDWIDTH, "origin": "modelled"}
        its = made(stage(bandwidth=modelled, time={"origin": "modelled", "gpu": "NVIDIA H200"}), stage(bandwidth=BANDWIDTH))
        self.assertIn("computed for an NVIDIA H200 and not timed", Tags(class_page.render(its)).text.split("Marks")[0])
        self.assertEqual(made(stage(bandwidth=BANDWIDTH)).on_modelled, "")


class Missed(unittest.TestCase):
    def test_the_most_missed_come_first_each_with_one_example(self):
        rule = {"rule": "blocks == 1", "value": 2, "ok": False, "says": "the grid has 2 blocks"}
        wrong = stage(correctness={"cases": [case("wrong")]},
                      findings=[{"kind": "wrong_output", "severity": "error", "line": 1, "message": "out[1] is 0"}])
        its = made(stage(), wrong, stage(technique=[rule]), stage(technique=[rule]), stub())
        first, *others = its.most_missed
        self.assertEqual((first["check"], first["missed"], first["asked"], first["words"]), ("blocks == 1", 2, 2, "the grid has 2 blocks"))
        self.assertIn("out[1] is 0", [row["words"] for row in others])
        page = Tags(class_page.render(its)).text
        self.assertIn("blocks == 1 in transpose/padding, missed by 2 of 2: the grid has 2 blocks", " ".join(page.split()))

    def test_who_has_not_begun_says_nothing_of_how_hard_it_is(self):
        full = stage(score={"correctness": 10, "technique": 0, "performance": 0, "total": 10, "max": 10, "state": "final"})
        [row] = class_page.stage_rows(made(full, stub(), stub()))
        self.assertEqual((row["count"], row["facility"]), (1, 1.0))

    def test_files_that_are_alike_are_listed_and_nothing_else_is_said(self):
        its = made(stage(), stage())
        self.assertNotIn("alike", Tags(class_page.render(its)).text)
        its.alike = [{"stage": "transpose/padding", "what": "program", "students": ["s0", "s1"]}]
        self.assertIn("the same program once it is compileds0, s1", Tags(class_page.render(its)).text.replace("\n", ""))


    def test_a_miss_is_counted_once_as_its_cause(self):
        unmeasured = {"rule": "blocks == 1", "value": None, "ok": False, "says": "not measured: it does not compile"}
        checks = made(stage(compile={"ok": False}, correctness={"cases": []}, technique=[unmeasured])).checks
        self.assertEqual(checks, {("transpose/padding", "compiles"): (0, 1)})
        race = {"kind": "race_shared", "severity": "error", "line": 1, "message": "two threads"}
        cases = {"cases": [case("wrong"), {**case("skipped"), "class": "thin"}]}
        checks = made(stage(correctness=cases, findings=[race], technique=[{**unmeasured, "measured": False}])).checks
        self.assertEqual({check: met for (_, check), (met, _) in checks.items()}, {"compiles": 1, "no hazard found": 0})
        checks = made(stage(correctness=cases)).checks  # wrong, and nothing else found
        self.assertEqual({check: met for (_, check), (met, _) in checks.items() if not met}, {"right on odd shapes": 0})
        page = Tags(class_page.render(made(stage(correctness=cases, findings=[race], technique=[unmeasured])))).text
        self.assertNotIn("not measured", page)

    def test_programs_are_counted_and_their_students_are_named_only_in_rare_groups(self):
        its = made(stage(), stage())
        its.programs = [{"stage": "transpose/padding", "files": 33, "different": 4, "commonest": 24}]
        self.assertIn("transpose/padding | 33 | 4 | 24 of 33", Tags(class_page.render(its)).reading())


class Leaderboard(unittest.TestCase):
    def rows(self, *shares):
        return [{"name": f"n{i}", "stage": "transpose/open", "share": share, "origin": "measured"} for i, share in enumerate(shares)]

    def test_the_fastest_is_first_and_equals_share_a_place(self):
        [only] = leaderboard.tables(self.rows(0.5, 0.901, 0.899, 0.2))
        self.assertEqual([(row["place"], row["name"], row["percent"]) for row in only["rows"]],
                         [(1, "n1", 90), (1, "n2", 90), (3, "n0", 50), (4, "n3", 20)])

    def test_the_page_is_made_of_the_file_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "board.json"
            path.write_text(json.dumps({"schema": leaderboard.SCHEMA, "rows": self.rows(0.5)}))
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(main(["leaderboard", str(path)]), 0)
            self.assertIn("n0", Tags(path.with_suffix(".html").read_text(encoding="utf-8")).text)
            path.write_text("{}")
            with contextlib.redirect_stderr(io.StringIO()):
                self.assertEqual(main(["leaderboard", str(path)]), 2)


class Separation(unittest.TestCase):
    def of(self, pairs):
        """Separation of the first stage, of students with marks in two stages."""
        results = [(f"s{number}", result(with_marks(a), with_marks(b, stage="other")))
                   for number, (a, b) in enumerate(pairs)]
        return ClassResult(results).discrimination()["transpose/padding"]

    def test_a_stage_that_goes_with_the_rest_separates(self):
        facility, r, _, _, words = self.of([(number, number) for number in range(11)])
        self.assertAlmostEqual(facility, 0.5)
        self.assertAlmostEqual(r, 1)
        self.assertEqual(words, "separates students")

    def test_one_that_goes_against_it_does_not(self):
        _, r, _, _, words = self.of([(number, 10 - number) for number in range(11)])
        self.assertAlmostEqual(r, -1)
        self.assertEqual(words, "does not separate students")

    def test_one_that_all_pass_does_not(self):
        _, r, _, _, words = self.of([(10, number) for number in range(11)])
        self.assertIsNone(r)
        self.assertEqual(words, "does not separate: all have the same marks")

    def test_few_students_say_nothing(self):
        found = self.of([(1, 1), (2, 2)])
        self.assertEqual((found.r, found.low, found.high), (None, None, None))
        self.assertIn("fewer than 10", found.words)

    def test_a_correlation_has_its_interval_and_words_say_no_more_than_that(self):
        # r = 0.5 of 28 students: atanh(0.5) = 0.5493 and 1.96 / sqrt(25) = 0.392 (Fisher).
        low, high = interval(0.5, 28)
        self.assertAlmostEqual(low, 0.1560, 4)
        self.assertAlmostEqual(high, 0.7358, 4)
        dice = random.Random(1)
        pairs = [(number % 7, (number % 7 + 9 * dice.random()) / 2) for number in range(12)]
        found = self.of(pairs)
        self.assertTrue(found.low < 0.15 < 0.3 < found.high, found)
        self.assertEqual(found.words, "cannot be told from 12 students")
        results = [(f"s{number}", result(with_marks(a), with_marks(b, stage="other"))) for number, (a, b) in enumerate(pairs)]
        its = ClassResult(results)
        written = f"{found.r:.2f} ({found.low:.2f} to {found.high:.2f})"
        self.assertIn(written, Tags(class_page.render(its)).reading())
        self.assertIn(f"95 % interval {found.low:.2f} to {found.high:.2f}", class_separation.describe(its)[0])


class ForAPerson(unittest.TestCase):
    def test_impossible_noisy_and_failed_are_listed_with_what_to_do(self):
        impossible = {**BANDWIDTH, "gb_per_s": 9000.0, "verdict": "impossible", "class": "aligned"}
        score = {"total": 0, "max": 10}
        its = made(stage(), stage(bandwidth=impossible), stage(score={**score, "state": "noisy"}),
                   stage(score={**score, "state": "internal_error", "why": "the worker was lost"}))
        listed = [(one.student, what) for one, what, to_do in its.for_a_person if to_do]
        self.assertEqual([student for student, _ in listed], ["s1", "s2", "s3"])
        self.assertIn("9000 GB/s", listed[0][1])
        self.assertEqual(listed[2][1], "the worker was lost")

    def test_the_states_that_need_a_person_are_those_of_the_grader(self):
        states = json.loads((Path(__file__).parents[2] / "grader" / "tests" / "data" / "score_states.json").read_text())
        for state, needs_person in states.items():
            its = made(stage(score={"total": 0, "max": 10, "state": state, "why": "so it is"}))
            with self.subTest(state):
                self.assertEqual([what for _, what, to_do in its.for_a_person if to_do],
                                 ["so it is"] if needs_person else [])

    def test_who_has_no_mark_is_listed_from_what_grade_wrote_beside_the_results(self):
        def student(name, status, result=None, review=()):
            return {"id": name, "status": status, "result": result, "review": list(review)}

        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder) / "results"
            results.mkdir()
            (results / "ann.json").write_text(json.dumps(document(stage())))
            (Path(folder) / "class.json").write_text(json.dumps({"schema": "warpgrade.class/1", "students": [
                student("ann", "final", "results/ann.json"), student("dan", "missing"),
                student("eve", "unreadable", review=["no file of it has the name of a stage's file"])]}))
            its = load_class(results)
            self.assertEqual(class_page.render(load_class(folder)), class_page.render(its))
        self.assertEqual([(one.student, what) for one, what, _ in its.for_a_person],
                         [("eve", "no file of it has the name of a stage's file")])
        page = Tags(class_page.render(its))
        self.assertIn("dan | dan | \u2013 | handed in nothing |", page.reading())
        self.assertIn("eve | eve | \u2013 | cannot be read |", page.reading())
        self.assertIn("The work of 1 student needs a person before marks go out.", page.text)
        self.assertIn("Class report: transpose, 3 students, 1 with marks", page.text)

    def test_nobody_is_no_section(self):
        self.assertNotIn("Submissions that need a person", Tags(class_page.render(made(stage(), stage()))).text)


def student(its_id, **changes):
    return {"id": its_id, "name": its_id.title(), "status": "graded", "late": False, "role": "", "section": "", "late_seconds": 0,
            "result": f"results/{its_id}.json", "review": [], "from": [], **changes}


def known(stages, students, marks=()):
    """A class of students by what class.json says of them; each handed in what stands beside it."""
    its = ClassResult((one["id"], result(*[handed] if isinstance(handed, dict) else handed))
                      for one, handed in zip(students, stages) if handed)
    its.take({"students": students}, {"students": list(marks)})
    return its


WRONG = stage(correctness={"cases": [case("wrong")]}, score={"total": 0, "max": 10, "state": "final"})


class Students(unittest.TestCase):
    def test_each_has_a_row_with_marks_state_lateness_and_stages(self):
        its = known([stage(), [stage(), stage("other")], None], [
            student("ann", section="B", late=True, late_seconds=26 * 3600), student("ben", section="A; B"),
            student("dan", status="missing", result=None), student("aud", role="auditor", status="missing", result=None)],
            [{"id": "ann", "total": 10, "final": 8.5, "max": 10, "stages": []},
             {"id": "ben", "total": 20, "final": 20, "max": 20, "stages": [{"stage": "transpose/other", "excused": True}]}])
        page = Tags(class_page.render(its))
        rows = [line for line in page.reading().splitlines() if line.startswith(("Ann |", "Ben |", "Dan |"))]
        self.assertEqual(rows, ["Ann | ann | B | 8.5 | 10 | graded | 1 d 2 h, 1.5 points less | | 10 | \u2013",
                                "Ben | ben | A; B | 20 | 20 | graded | | | 10 | EX",
                                "Dan | dan | | \u2013 | 20 | handed in nothing | | handed in nothing | \u2013 | \u2013"])
        self.assertNotIn("Aud", page.text)
        self.assertEqual(people.sections(people.rows(its)), ["A", "B"])
        self.assertIn("<title>Class report: transpose, 3 students, 2 with marks", class_page.render(its))

    def test_of_several_assignments_each_is_a_column(self):
        its = known([[stage(), stage("sum", "reduction")]], [student("ann")])
        self.assertEqual([column.label for column in people.columns(its)], ["transpose", "reduction"])
        self.assertEqual(people.rows(its)[0].cells, ["10", "10"])

    def test_who_may_need_help_is_told_with_the_reason(self):
        failed = stage(score={"total": 0, "max": 10, "state": "internal_error"})
        its = known([stage(), WRONG, [stage(), {**WRONG, "stage": "other"}, {**WRONG, "stage": "third"}], stub(), failed],
                    [student(name) for name in ("fine", "all", "most", "stub", "kit")])
        found = {row.student: row.help for row in people.rows(its)}
        self.assertEqual(found["fine"], [])
        self.assertEqual(found["all"], ["none of 1 stage right", "less than half of the points"])
        self.assertEqual(found["most"], ["2 of 3 stages wrong", "less than half of the points"])
        self.assertEqual(found["stub"], ["has begun no stage", "less than half of the points"])
        self.assertEqual([row.kinds for row in people.rows(its)],
                         [[], ["help"], ["help"], ["help"], ["help", "person"]])

    def test_links_lead_to_reports_that_are_there(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            synthetic.write_book(folder, 4, 2)
            made = load_class(folder)
            made.pages["student-001"] = "reports/a b#?.html/report.html"
            links = [row.link for row in people.rows(made, folder)]
            self.assertEqual(links[:2], ["reports/student-000/report.html", "reports/a%20b%23%3F.html/report.html"])
            self.assertIn('<a href="reports/student-000/report.html">', class_page.render(made, folder))
            self.assertEqual([row.link for row in people.rows(made)], [""] * 4)
            (folder / "reports").rmdir()
            self.assertEqual([row.link for row in people.rows(made, folder)], [""] * 4)

    def test_a_name_brings_no_markup_and_only_the_pages_own_script_runs(self):
        its = known([stage()], [student("x", name=synthetic.HOSTILE, section=synthetic.HOSTILE, status=synthetic.HOSTILE)])
        page = class_page.render(its)
        tags = Tags(page)
        self.assertEqual((tags.names.count("script"), tags.open), (1, []))
        self.assertGreaterEqual(tags.reading().count(synthetic.HOSTILE), 3)
        self.assertNotIn("onload", " ".join(key for _, attributes in tags.tags for key in attributes))
        digest = base64.b64encode(hashlib.sha256(class_page.SCRIPT.encode()).digest()).decode()
        self.assertIn(f"<script>{class_page.SCRIPT}</script>", page)
        self.assertIn(f"script-src 'sha256-{digest}'", page)
        self.assertEqual(page.count("script-src"), 1)

    def test_submissions_over_time_are_counted_late_ones_apart(self):
        def at(name, *times, **changes):
            return student(name, **{"from": [{"hand_in": "x", "time": time} for time in times], **changes})

        its = known([stage()] * 4, [at("a", "2026-11-01 10:00:00", "2026-11-01 12:30:00"), at("b", "2026-11-01 12:40:00 UTC"),
                                    at("c", "2026-11-01 23:59:00", late=True), at("d", "whenever")])
        self.assertEqual(class_times.describe(its), ["from 01 Nov 12:00: 2 students", "from 01 Nov 23:00: 1 student, 1 late"])
        self.assertIn("Submissions over time", class_page.render(its))
        self.assertEqual(class_times.height(made(stage())), 0)
        self.assertIn("Nothing says when", class_page.render(made(stage())))


class Caret(unittest.TestCase):
    def test_without_a_column_it_stands_below_where_the_line_begins(self):
        from_source = stage(source_lines=["", "    if (x < rows) out[x] = 1;"])
        [its] = result(from_source).stages
        self.assertEqual(excerpt(its, 2, label="the test")[-1], (None, "    ^ the test", "caret"))


class Anonymous(unittest.TestCase):
    LINES = ["// by Ada Lovelace", "int x; /* Ada */ int y;", "/* again", "Ada", "*/ int z; // \"Ada\"", 'printf("Ada \\" //Ada");']

    def test_comments_and_strings_go_code_and_columns_stay(self):
        self.assertEqual(without_words(self.LINES),
                         ["", "int x;           int y;", "", "", "   int z;", 'printf("............");'])
        [its] = result(stage(source_lines=self.LINES)).stages
        self.assertEqual(anonymous(its, {"line": 2, "column": 18, "label": "here"}, around=0),
                         [(2, "int x;           int y;", "here"), (None, " " * 17 + "^ here", "caret")])

    def test_students_are_named_only_where_a_person_has_to_know(self):
        finding = {"kind": "race_shared", "severity": "error", "line": 6, "message": "m"}
        its = ClassResult([("ada", result(stage(findings=[finding], source="ada/4_padding.cu", source_lines=self.LINES)))])
        page = Tags(class_page.render(its)).reading()
        self.assertEqual(page.lower().count("ada"), 2)  # in the table, and among those who may need help
        self.assertIn("\nada | 10 | graded |", page)


class Folder(unittest.TestCase):
    def test_both_layouts_are_read_and_others_skipped_with_a_word(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "b").mkdir()
            (folder / "a.json").write_text(json.dumps(document(stage())))
            (folder / "b" / "result.json").write_text(json.dumps(document(stage())))
            (folder / "c.json").write_text("{}")
            its = load_class(folder)
            self.assertEqual(its.students, ["a", "b"])
            self.assertEqual(len(its.skipped), 1)
            self.assertIn("c.json", its.skipped[0])

    def test_a_folder_without_results_is_usage(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(BadResult, "no results; expected"):
                load_class(folder)
            (Path(folder) / "c.json").write_text("{}")
            with self.assertRaisesRegex(BadResult, "1 JSON files and no result among them"):
                load_class(folder)

    def test_the_verb_writes_page_and_pdf(self):
        with tempfile.TemporaryDirectory() as folder:
            synthetic.write_class(Path(folder) / "in", 3)
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                self.assertEqual(main(["class", f"{folder}/in", "--out", f"{folder}/out"]), 0)
                self.assertEqual(main(["report", f"{folder}/in", "--out", f"{folder}/again"]), 0)
            for place in ("out", "again"):
                self.assertIn("3 students", (Path(folder) / place / "class.html").read_text(encoding="utf-8"))
                self.assertTrue((Path(folder) / place / "class.pdf").read_bytes().startswith(b"%PDF"))


class Page(unittest.TestCase):
    def test_a_class_of_one_is_a_page_too(self):
        self.assertIn("1 student", class_page.render(made(stage())))

    def test_it_says_what_the_issue_asks(self):
        text = Tags(pages.classroom()).text
        for expected in ("Distribution of marks", "Bandwidth by stage", "Pass rate of every check", "Commonest findings",
                         "Stages that separate students", "Submissions that need a person"):
            self.assertIn(expected, text)


if __name__ == "__main__":
    unittest.main()
