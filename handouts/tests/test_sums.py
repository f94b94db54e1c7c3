"""The float sums of the handout come out as its data file says, as far as a quick test can go."""

import unittest

from handouts import measured, sums
from handouts.document import FOLDER


class Sums(unittest.TestCase):
    def test_they_come_out_again(self):
        kept = {(row["contents"], row["n"]): row for row in measured.rows_of(FOLDER / "data" / "float_sums.csv")}
        for kind, n, *found in sums.compute(exponents=(10, 16, 20)):
            for order, error in zip(sums.ORDERS, found):
                with self.subTest(kind=kind, n=n, order=order):
                    self.assertAlmostEqual(float(error), float(kept[kind, n][order]), delta=1e-9)

    def test_the_sentences_about_them(self):
        kept = {(row["contents"], row["n"]): row for row in measured.rows_of(FOLDER / "data" / "float_sums.csv")}
        last = kept["tenths", str(2 ** 26)]
        self.assertEqual(round(100 * float(last["one"])), 69)
        self.assertEqual(f"{100 * float(last['threads_1024']):.2f}", "0.06")
        self.assertEqual(f"{100 * float(last['threads_270336']):.4f}", "0.0002")


if __name__ == "__main__":
    unittest.main()
