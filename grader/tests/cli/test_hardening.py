"""What the linker and the compiler were asked for is in the program: see SECURITY.md, what stands between."""

import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FOLDER = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve()
BINARY = FOLDER / "warpgrade-bin"
# And the programs of a release, where they have been made (grader/launch/programs.sh).
PROGRAMS = [path for path in (BINARY, *sorted(ROOT.glob("build/programs/*/warpgrade-bin"))) if path.exists()]


def readelf(program, *options):
    return subprocess.run(["readelf", "--wide", *options, program], capture_output=True, text=True, check=True).stdout


@unittest.skipUnless(BINARY.exists(), "the program is not built")
class Hardening(unittest.TestCase):
    def each(self):
        for program in PROGRAMS:
            with self.subTest(program=program.relative_to(ROOT) if program.is_relative_to(ROOT) else program):
                yield program

    def test_position_independent(self):
        for program in self.each():
            self.assertRegex(readelf(program, "--file-header"), r"Type:\s+DYN")

    def test_tables_are_resolved_at_start_and_read_only(self):
        for program in self.each():
            self.assertIn("GNU_RELRO", readelf(program, "--program-headers"))
            self.assertRegex(readelf(program, "--dynamic"), r"BIND_NOW|FLAGS_1.*NOW")

    def test_nothing_is_both_writable_and_executable(self):
        for program in self.each():
            for line in readelf(program, "--program-headers").splitlines():
                if line.strip().startswith(("LOAD", "GNU_STACK")):
                    self.assertNotIn("RWE", line)

    def test_an_exception_finds_its_way_from_every_function(self):
        for program in self.each():
            parts = re.findall(r"FDE cie=\w+ pc=(\w+)\.\.(\w+)", readelf(program, "--debug-dump=frames"))
            self.assertGreater(len(parts), 1000)
            begins = {begin for begin, end in parts if begin != end}
            self.assertEqual([begin for begin, end in parts if begin == end and begin in begins], [])

    def test_stack_and_containers_are_guarded(self):
        whole = BINARY.read_bytes()
        if b"__asan_init" in whole:
            self.skipTest("skipped: the sanitizers have checks of their own")
        if b"__glibcxx_assert_fail" not in whole and b"libstdc++.so" not in whole:
            self.skipTest("skipped: libc++ traps without a name that could be looked for")
        self.assertIn("__stack_chk_fail", readelf(BINARY, "--dyn-syms"))
        self.assertIn(b"__glibcxx_assert_fail", whole)


if __name__ == "__main__":
    unittest.main()
