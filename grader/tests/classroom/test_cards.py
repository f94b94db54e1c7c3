"""A class on several GPUs of one machine: each times one submission at a time, and all of them work. With a driver that is
made up (support/made_up_driver.cpp), whose clock says the same of every card."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import grading  # noqa: E402
import layouts  # noqa: E402

WORKER = grading.BINARY.parent / "tests" / "test_worker"


@unittest.skipUnless(grading.BINARY.exists() and WORKER.exists(), "the program or test_worker is not built")
class SeveralCards(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warpgrade-cards-")
        self.addCleanup(folder.cleanup)
        self.made = Path(folder.name)
        for number in range(2):
            path = self.made / "class" / f"s{number}" / "1_naive_read.cu"
            path.parent.mkdir(parents=True)
            path.write_text(layouts.solution(path.name) + f"// {number}\n", encoding="utf-8")
        # The card's worker is the made-up one; all others are the program's own.
        self.worker = self.made / "worker"
        self.worker.write_text(f'#!/bin/sh\n[ "$1" = gpu-worker ] && exec "{WORKER}" "$@"\nexec "{grading.BINARY}" "$@"\n')
        self.worker.chmod(0o755)

    def grade(self, cards):
        """(gradebook, locks of the cards that were taken, what it printed)"""
        place = self.made / cards.replace(";", "-").replace(" ", "")
        place.mkdir()
        done = subprocess.run([grading.BINARY, "grade", self.made / "class", "--out", place / "out", "--no-reports", "--seed", "7", "--device",
                               "cuda", "--stage", "naive_read", "--jobs", "2"], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, WARPGRADE_ROOT=str(grading.ROOT), NO_COLOR="1", TMPDIR=str(place), WARPGRADE_LIBCUDA="self",
                                       WARPGRADE_WORKER=str(self.worker), WARPGRADE_MADE_UP_CARDS=cards, WARPGRADE_MADE_UP_BYTES=str(1 << 27)))
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        locks = sorted(path.name.split("-")[-1] for path in place.glob("warpgrade-gpu-*.lock"))
        return (place / "out" / "gradebook.csv").read_bytes(), locks, done.stdout

    @unittest.skipUnless("WARPGRADE_ALL" in os.environ, "skipped: two more gradings, asked for by WARPGRADE_ALL=1")
    def test_all_cards_of_a_kind_time_and_say_the_same(self):
        one, locks, _ = self.grade("A GPU")
        self.assertEqual(locks, ["0000_00_00_0.lock"])
        two, locks, text = self.grade("A GPU;A GPU")
        self.assertEqual(locks, ["0000_00_00_0.lock", "0000_01_00_0.lock"])
        self.assertEqual(one, two, text)

    def test_a_card_of_another_kind_is_left_alone(self):
        _, locks, text = self.grade("A GPU;another;A GPU")
        self.assertEqual(locks, ["0000_00_00_0.lock", "0000_02_00_0.lock"])
        self.assertIn("of 3 GPUs 2 time: the others are no A GPU", text)


if __name__ == "__main__":
    unittest.main()
