"""Pictures of the handouts: drawn from what the program and the data say today, each of them used, each with words."""

import re
import unittest
from xml.etree import ElementTree

from handouts import figures
from handouts.clone import binary
from handouts.document import FOLDER, NAMES, PICTURE, text_of


@unittest.skipUnless(binary().exists(), f"{binary().name} is not built")
class Figures(unittest.TestCase):
    def test_they_say_what_is_counted_today(self):
        for name in figures.names():
            with self.subTest(name):
                kept = (FOLDER / "figures" / f"{name}.svg").read_text(encoding="utf-8")
                self.assertEqual(figures.description_of(kept), figures.plot(name).describe(), "python -m handouts --update")

    def test_they_can_be_drawn(self):
        for name in figures.names():
            with self.subTest(name):
                svg = figures.inline(name)
                ElementTree.fromstring(svg)
                self.assertIn("var(--first)", svg)
                self.assertIn('aria-hidden="true"', svg)


class Files(unittest.TestCase):
    def test_each_is_shown_once_and_there_are_no_others(self):
        shown = [match["name"] for name in NAMES for match in PICTURE.finditer(text_of(name))]
        self.assertEqual(sorted(shown), figures.names())
        self.assertEqual(sorted(path.stem for path in (FOLDER / "figures").iterdir()), figures.names())
        for name in NAMES:
            self.assertEqual(len(re.findall(r"!\[", text_of(name))), len(list(PICTURE.finditer(text_of(name)))))

    def test_they_need_nothing_from_outside(self):
        for name in figures.names():
            svg = (FOLDER / "figures" / f"{name}.svg").read_text(encoding="utf-8")
            rest = re.sub(r'xmlns(:\w+)?="[^"]*"|<!DOCTYPE[^>]*>', "", svg)
            self.assertEqual(re.findall(r"https?://|<script|<image", rest), [], name)
            self.assertLess(len(svg), 400_000, name)


if __name__ == "__main__":
    unittest.main()
