"""Right programs of the corpus are right behind the walls of a check too: within its memory and its processor time.

test_corpus runs them all, in a process that has no limits. A run tries a part of them here, and always half of those that
take the most; WARPGRADE_ALL=1 all."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "grader/tests/support"))
from part import IS_ALL, part_of  # noqa: E402

PROGRAM = pathlib.Path(os.environ["WARPGRADE_BINARY_DIR"]) / "warpgrade-bin"
SLOWDOWN = int(os.environ.get("WARPGRADE_SLOWDOWN", "1"))
MOST_BYTES = 2 * SLOWDOWN << 30
RIGHT = sorted((ROOT / "grader/tests/submissions/right").glob("*.cu"))
# Memory, of samples and of what is not optimised, and processor time.
# The first two take most where they are timed, and have a bandwidth all the same.
LARGEST = ["two_tiles_of_the_group", "groups_of_many_blocks", "weights_by_shuffle", "tree_of_barrier_phases"]


class RightPrograms(unittest.TestCase):
    def test_each_is_right_within_what_a_check_may_take(self):
        chosen = {path.stem: path for path in part_of(RIGHT, 50, "right programs")}
        largest = part_of(LARGEST, 2, "right programs that take the most")
        chosen |= {path.stem: path for path in RIGHT if path.stem in largest}
        self.assertGreaterEqual(len(chosen), len(RIGHT) if IS_ALL else 6)
        for name, path in chosen.items():
            stage = re.match(r"// stage: (\S+)", path.read_text())[1]
            with self.subTest(name), tempfile.TemporaryFile() as output:
                # Compiled anew, as the first check of a file is.
                child = subprocess.Popen([PROGRAM, "check", path, "--stage", stage], stdin=subprocess.DEVNULL,
                                         stdout=output, stderr=subprocess.STDOUT,
                                         env={**os.environ, "WARPGRADE_ROOT": str(ROOT), "WARPGRADE_CACHE": ""})
                _, status, used = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
                output.seek(0)
                text = output.read().decode(errors="replace")
                self.assertEqual(child.returncode, 0, text)
                self.assertNotRegex(text, r"(?m)^error\[", text)
                self.assertLess(used.ru_maxrss * 1024, MOST_BYTES)
                if name in LARGEST[:2]:
                    self.assertRegex(text, r"(?ms)^bandwidth .{,120}modelled for", text)


if __name__ == "__main__":
    unittest.main()
