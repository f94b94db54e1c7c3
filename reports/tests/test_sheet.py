"""The PDF: text that fits, tables that go on over pages, what a font lacks."""

import re
import tempfile
import time
import unittest
from pathlib import Path

from reports import sheet
from reports.pdf import write_pdf
from reports.tests import pages
from reports.tests.made import result, stage


class Wrapping(unittest.TestCase):
    def test_no_line_is_wider_than_asked(self):
        text = "a few words and averyveryverylongwordthatnolinecanholdatall, again and again " * 3
        for width in (0.5, 1, 3):
            lines = sheet.wrap(text, width, 9)
            self.assertLessEqual(max(sheet.width_of(line, 9) for line in lines), width + 1e-6)
            self.assertEqual("".join(lines).replace(" ", ""), text.replace(" ", ""))

    def test_a_name_of_any_length_takes_time_by_its_length(self):
        word, before = "n" * 20_000, time.process_time()
        self.assertEqual("".join(sheet.wrap(word, 3, 9)), word)
        self.assertLess(time.process_time() - before, 5)  # by the length squared it took minutes

    def test_nothing_is_one_empty_line(self):
        self.assertEqual(sheet.wrap("", 1, 9), [""])

    def test_what_the_font_lacks_is_replaced(self):
        self.assertEqual(sheet.drawable("a\u4e16b\nc"), "a?b c")


class Pdf(unittest.TestCase):
    def written(self, made):
        with tempfile.TemporaryDirectory() as folder:
            path = write_pdf(made, Path(folder) / "a.pdf")
            return path.read_bytes()

    def test_it_has_pages_a_title_and_the_end_of_a_file(self):
        data = self.written(pages.result())
        self.assertTrue(data.startswith(b"%PDF-1."))
        self.assertTrue(data.rstrip().endswith(b"%%EOF"))
        count = len(re.findall(rb"/Type /Page\b(?!s)", data))
        self.assertGreater(count, 15)
        self.assertLess(count, 60)
        self.assertIn(b"/Title", data)

    def test_many_rows_go_on_over_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.pdf"
            with sheet.Sheets(path, "t", "f") as sheets:
                sheets.table(("a", "b"), [(row, "words " * 30) for row in range(100)], (1, 3))
            self.assertGreater(len(re.findall(rb"/Type /Page\b(?!s)", path.read_bytes())), 2)

    def test_nothing_but_a_failed_stage_is_a_pdf_too(self):
        bare = stage(counters=None, launches=[], technique=[], findings=[], compile={"ok": False, "diagnostics": []},
                     correctness={"cases": []})
        self.assertTrue(self.written(result(bare)).startswith(b"%PDF"))
        self.assertTrue(self.written(result()).startswith(b"%PDF"))

    def test_the_same_result_makes_the_same_pdf(self):
        self.assertEqual(self.written(result(stage())), self.written(result(stage())))


if __name__ == "__main__":
    unittest.main()
