"""Numbers as a reader sees them."""

import re
import unittest
from pathlib import Path

from reports import text

SPACE = text.THIN_SPACE


class Numbers(unittest.TestCase):
    def test_points_are_to_a_hundredth(self):
        self.assertEqual([text.points_text(value) for value in (7, 0.4666, 10.0, 0, -0.001)],
                         ["7", "0.47", "10", "0", "0"])

    def test_counts_in_full_ratios_short_nothing_as_a_dash(self):
        self.assertEqual(text.number_text(1048576), f"1{SPACE}048{SPACE}576")
        self.assertEqual(text.number_text(4.0312), "4.03")
        self.assertEqual([text.number_text(value) for value in (None, 0, "x", True)], ["\u2013", "0", "x", "True"])

    def test_shapes(self):
        self.assertEqual(text.shape_text([33, 65]), "33 \u00d7 65")
        self.assertEqual(text.shape_text("8192x8192"), "8192 \u00d7 8192")
        self.assertEqual(text.shape_text("8192 x 8192"), "8192 \u00d7 8192")
        self.assertEqual(text.shape_text([1048576]), f"1{SPACE}048{SPACE}576")
        self.assertEqual(text.shape_text("odd"), "odd")

    def test_shares_and_factors(self):
        self.assertEqual([text.percent_text(value) for value in (0.873, 0.0049, 1, 0, None)],
                         [f"87{SPACE}%", f"0.5{SPACE}%", f"100{SPACE}%", f"0{SPACE}%", "\u2013"])
        self.assertEqual([text.factor_text(value) for value in (1.234, 123.4, None)],
                         [f"1.23{SPACE}\u00d7", f"123{SPACE}\u00d7", "\u2013"])

    def test_rates_and_times(self):
        self.assertEqual([text.rate_text(value) for value in (3936.4, 99.4, 0.5)], ["3936", "99.4", "0.5"])
        self.assertEqual(text.scaled_text(2.5e11, "/s"), f"250{SPACE}G/s")
        self.assertEqual(text.scaled_text(12, "/s"), f"12{SPACE}/s")
        self.assertEqual([text.seconds_text(value) for value in (1.5, 0.000154, 2e-9, None)],
                         [f"1.5{SPACE}s", f"154{SPACE}\u00b5s", f"2{SPACE}ns", "\u2013"])

    def test_words(self):
        self.assertEqual([text.counted(1, "file"), text.counted(3, "class", "classes")], ["1 file", "3 classes"])
        self.assertEqual([text.joined(words) for words in ([], ["a"], ["a", "b"], "abc")],
                         ["", "a", "a and b", "a, b and c"])
        self.assertEqual(text.cut("abcdef", 4), "abc\u2026")

    def test_control_characters_are_replaced_and_spaces_kept(self):
        cpp = (Path(__file__).resolve().parents[2] / "grader" / "base" / "characters.cpp").read_text()
        table = cpp[cpp.index("hidden{"):]
        found = re.findall(r"Range\{(0x\w+), (0x\w+)\}", table[:table.index(";")])
        self.assertEqual(tuple((int(a, 16), int(b, 16)) for a, b in found), text.HIDDEN)
        self.assertEqual(text.printable(f"a\x1b[2J\tb\n1{SPACE}0\u202e"), f"a\ufffd[2J b\n1{SPACE}0\ufffd")


if __name__ == "__main__":
    unittest.main()
