"""What a report may cost: 16 stages about 5 s and 3 MB, a class of 200 about 20 s. Processor time, and so many times more of
it where everything takes longer; the page and the PDF are made side by side, so each has the 5 s. What is held here is
twice that: a step that grows with the square is found, an hour in which memory is slow is not."""

import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from reports import class_page, page
from reports.classroom import load_class
from reports.pdf import write_pdf
from reports.tests import pages, synthetic

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "grader/tests/support"))
from slowdown import slowdown  # noqa: E402

STUDENT_SECONDS, STUDENT_BYTES, CLASS_SECONDS = 2 * 5, 3_000_000, 2 * 20


def seconds(work, *arguments):
    """Of processor time, as many as it would take where nothing is slow."""
    slow = slowdown()
    start = time.process_time()
    work(*arguments)
    took = time.process_time() - start
    return took / max(slow, slowdown())


class Speed(unittest.TestCase):
    def test_a_full_run_of_one_student(self):
        made = pages.result()
        self.assertEqual(len(made.stages), 16)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.html"
            self.assertLess(seconds(page.write_page, made, path), STUDENT_SECONDS)
            self.assertLess(path.stat().st_size, STUDENT_BYTES)
            self.assertLess(seconds(write_pdf, made, Path(folder) / "report.pdf"), STUDENT_SECONDS)

    def test_a_class_of_200(self):
        with tempfile.TemporaryDirectory() as folder:
            synthetic.write_class(folder, 200)
            self.assertEqual(len(list(Path(folder).glob("*.json"))), 200)

            def report():
                class_page.write_class(load_class(folder), Path(folder) / "out")

            self.assertLess(seconds(report), CLASS_SECONDS)

    def test_wrong_arguments_are_said_before_anything_is_loaded(self):
        """By Python alone: where matplotlib is missing or slow to load, the words on usage still come."""
        script = "import sys; from reports.__main__ import main\n" \
                 "try: main(sys.argv[1:])\n" \
                 "except SystemExit as end: print(end.code, *{'matplotlib', 'numpy', 'jinja2'} & sys.modules.keys())"
        for arguments, code in ((["plot", "--wrong"], 2), (["studnet"], 2), ([], 2), (["plot", "--help"], 0)):
            with self.subTest(arguments=arguments):
                ended = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True)
                self.assertEqual(ended.stdout.splitlines()[-1:], [str(code)], ended.stderr)


if __name__ == "__main__":
    unittest.main()
