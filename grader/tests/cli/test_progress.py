"""What a check says while it works: how far it is on a terminal, nothing in a pipe."""

import os
import pathlib
import pty
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(os.environ["WARPGRADE_BINARY_DIR"]) / "warpgrade-bin"
WORDS = [PROGRAM, "check", ROOT / "solutions/transpose/1_naive_read.cu", "--stage", "transpose/naive_read"]
ENVIRONMENT = {**os.environ, "WARPGRADE_ROOT": str(ROOT), "TERM": "xterm"}


class Progress(unittest.TestCase):
    def test_a_terminal_shows_how_far_it_is_and_then_only_the_result(self):
        ours, theirs = pty.openpty()
        child = subprocess.Popen(WORDS, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, env=ENVIRONMENT)
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
        text = shown.decode()
        self.assertRegex(text, r"checking  \[-{20}\]  0 of \d+ steps, time left not known yet")
        self.assertTrue(text.endswith("\r\x1b[K"), repr(text[-100:]))
        self.assertNotIn("checking", said)

    def test_a_pipe_has_the_result_alone(self):
        done = subprocess.run(WORDS, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=ENVIRONMENT)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)


if __name__ == "__main__":
    unittest.main()
