"""What `check` and `verify` say while they work: how far they are on a terminal, nothing in a pipe so long as it is short."""

import os
import pathlib
import pty
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(os.environ["WARPGRADE_BINARY_DIR"]) / "warpgrade-bin"
CHECK = ["check", ROOT / "solutions/transpose/1_naive_read.cu", "--stage", "transpose/naive_read"]
VERIFY = ["verify", "warmup/one_thread"]
ENVIRONMENT = {**os.environ, "WARPGRADE_ROOT": str(ROOT), "TERM": "xterm"}


class Progress(unittest.TestCase):
    def test_a_terminal_shows_how_far_it_is_and_then_only_the_result(self):
        for words, bar in ((CHECK, r"checking  \[-{20}\]  0 of \d+ steps, time left not known yet"),
                           (VERIFY, r"verifying  \[-{20}\]  0 of \d+ programs, time left not known yet")):
            with self.subTest(words[0]):
                ours, theirs = pty.openpty()
                child = subprocess.Popen([PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs,
                                         env=ENVIRONMENT)
                os.close(theirs)
                shown = b""
                try:
                    while piece := os.read(ours, 4096):
                        shown += piece
                except OSError:
                    pass  # the other end is closed
                os.close(ours)
                said = child.communicate()[0].decode()
                self.assertEqual(child.returncode, 0, said)
                self.assertRegex(shown.decode(), bar)
                self.assertTrue(shown.endswith(b"\r\x1b[K"), shown[-100:])
                self.assertNotIn("[---", said)

    def test_a_pipe_has_the_result_alone(self):
        """But for steps of more than 15 s, as on a machine that is very busy."""
        for words in (CHECK, VERIFY):
            with self.subTest(words[0]):
                done = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                      env=ENVIRONMENT)
                said = [line for line in done.stderr.splitlines() if not re.match(r"(check|verify)ing  \[", line)]
                self.assertEqual((done.returncode, said), (0, []), done.stdout)


if __name__ == "__main__":
    unittest.main()
