"""Reports for those who do not see them: PDF/UA-1 in the PDFs; on the pages language, headings, tables, words for pictures."""

import re
import tempfile
import unittest
from pathlib import Path

import pikepdf

from reports import class_page
from reports.accessible import with_artifacts
from reports.pdf import write_pdf
from reports.plots import marks
from reports.sheet import Sheets
from reports.tests import pages, pdf_checks
from reports.tests.made import result, stage
from reports.tests.markup import Tags


class Printed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.made = result(stage(), stage("other"))
        cls.student = write_pdf(cls.made, cls.folder / "report.pdf")
        cls.room = class_page.write_pdf(pages.class_result(3), cls.folder / "class.pdf")

    def test_they_are_what_pdf_ua_asks_for(self):
        for path in (self.student, self.room):
            with self.subTest(path.name):
                self.assertEqual(pdf_checks.problems(path), [])
                self.assertIn(pdf_checks.by_verapdf(path), (None, []))

    def test_pictures_are_told_in_the_words_of_the_page(self):
        told = [words for kind, words in pdf_checks.spoken(self.student) if kind == "Figure"]
        self.assertIn(". ".join([marks.TITLE, *marks.describe(self.made)]), told)

    def test_a_table_over_two_pages_is_one_table_with_one_header(self):
        path = self.folder / "long.pdf"
        with Sheets(path, "t", "f") as sheets:
            sheets.heading("A title", 1)
            sheets.heading("Small letters", 4)
            sheets.table(("a", "b"), [(row, "words " * 30) for row in range(60)], (1, 3))
        self.assertEqual(pdf_checks.problems(path), [])
        kinds = [kind for kind, _ in pdf_checks.spoken(path)]
        self.assertEqual((kinds.count("Table"), kinds.count("TH"), kinds.count("TR")), (1, 2, 61))
        self.assertEqual([kind for kind in kinds if kind.startswith("H")], ["H1", "H2"])

    def test_decoration_is_marked_where_it_is_painted(self):
        with pikepdf.new() as pdf:
            stream = pdf.make_stream(b"/P <</MCID 0>> BDC 0 0 m 1 1 l S EMC 0 0 m 1 1 l S BT (a) Tj ET 0 0 1 1 re W n")
            marked = pikepdf.unparse_content_stream(with_artifacts(pikepdf.parse_content_stream(stream)))
        self.assertEqual(b" ".join(marked.split()),
                         b"/P << /MCID 0 >> BDC 0 0 m 1 1 l S EMC /Artifact BMC 0 0 m 1 1 l S EMC "
                         b"BT /Artifact BMC (a) Tj EMC ET 0 0 1 1 re W n")


class Shown(unittest.TestCase):
    def test_pages(self):
        for name, html in (("student", pages.student()), ("class", pages.classroom())):
            with self.subTest(name):
                tags = Tags(html)
                self.assertIn('<html lang="en"', html)
                levels = [int(tag[1]) for tag in tags.names if re.fullmatch(r"h[1-6]", tag)]
                self.assertEqual((levels[0], levels.count(1)), (1, 1))
                self.assertTrue(all(after - before <= 1 for before, after in zip(levels, levels[1:])))
                for table in re.findall(r"<table.*?</table>", html, re.S):
                    self.assertRegex(table, r'<th[^>]* scope="col"|<th[^>]* scope="row"')


if __name__ == "__main__":
    unittest.main()
