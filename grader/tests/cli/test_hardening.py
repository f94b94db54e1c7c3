"""What the linker and the compiler were asked for is in the program: see SECURITY.md, what stands between."""

import os
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FOLDER = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve()
BINARY = FOLDER / "warpgrade-bin"
SANITIZED = b"__asan_init" in BINARY.read_bytes() if BINARY.exists() else False


def readelf(*options):
    return subprocess.run(["readelf", "--wide", *options, BINARY], capture_output=True, text=True, check=True).stdout


@unittest.skipUnless(BINARY.exists(), "the program is not built")
class Hardening(unittest.TestCase):
    def test_position_independent(self):
        self.assertRegex(readelf("--file-header"), r"Type:\s+DYN")

    def test_tables_are_resolved_at_start_and_read_only(self):
        self.assertIn("GNU_RELRO", readelf("--program-headers"))
        self.assertIn("BIND_NOW", readelf("--dynamic"))

    def test_nothing_is_both_writable_and_executable(self):
        for line in readelf("--program-headers").splitlines():
            if line.strip().startswith(("LOAD", "GNU_STACK")):
                self.assertNotIn("RWE", line)

    @unittest.skipIf(SANITIZED, "the sanitizers have checks of their own")
    def test_stack_and_containers_are_guarded(self):
        symbols = readelf("--dyn-syms")
        self.assertIn("__stack_chk_fail", symbols)
        self.assertIn("__glibcxx_assert_fail", symbols + subprocess.run(["nm", "--defined-only", BINARY], text=True,
                                                                        capture_output=True, check=False).stdout)


if __name__ == "__main__":
    unittest.main()
