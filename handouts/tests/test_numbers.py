"""Every number in the handouts' sentences is what its source says, and none is without one."""

import unittest

from handouts import measured, modelled, numbers
from handouts.clone import binary


class Numbers(unittest.TestCase):
    @unittest.skipUnless(binary().exists(), f"{binary().name} is not built")
    def test_they_are_what_the_data_say(self):
        for name in numbers.NAMES:
            with self.subTest(name):
                self.assertEqual(list(numbers.problems(name)), [])

    @unittest.skipUnless(binary().exists(), f"{binary().name} is not built")
    def test_a_changed_number_is_found_in_each_handout(self):
        for name in numbers.NAMES:
            text = numbers.plain(name)
            for piece, entry in numbers.claims(name):
                with self.subTest(name, piece=piece):
                    number = max(numbers.NUMBER.findall(piece), key=len)
                    changed = piece.replace(number, number[:-1] + str((int(number[-1]) + 1) % 10))
                    self.assertIsNotNone(next(numbers.problems(name, text.replace(piece, changed)), None))

    def test_what_needs_a_source(self):
        def asks(text):
            return [match[0] for match in numbers.NUMBER.finditer(text) if numbers.needs_source(match, text)]

        self.assertEqual(asks("it has 1751 GB/s, 4 % more in 0.8 us"), ["1751", "4", "0.8"])
        self.assertEqual(asks("in 1000 x 777 a block of 256 threads, stage 5, takes 12 steps"), [])
        self.assertEqual(asks("1 073 741 824 floats, 132 multiprocessors"), ["132"])


class Data(unittest.TestCase):
    def test_measured_times_are_those_of_their_runs(self):
        self.assertEqual(measured.PATH.read_text(encoding="utf-8"), measured.written(), "python -m handouts.measured")

    @unittest.skipUnless(binary().exists(), f"{binary().name} is not built")
    def test_modelled_times_come_out_again(self):
        """`python -m handouts.modelled` writes them."""
        for name in modelled.FILES:
            with self.subTest(name):
                kept = numbers.modelled()[name, modelled.SHAPE]
                self.assertEqual(f"{modelled.gb_per_s(*modelled.FILES[name]):.0f}", f"{kept:.0f}")


if __name__ == "__main__":
    unittest.main()
