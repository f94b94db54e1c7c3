"""The programs that a release carries: what is looked at before one is packed. With WARPGRADE_PROGRAMS=1 both are made,
which takes a compiler from PyPI and tens of minutes."""

import os
import platform
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LAUNCH = ROOT / "grader" / "launch"


def call(function, *words, path=None):
    """A function of programs.sh."""
    script = f"set -euo pipefail; root=$1 state=$1; shift; with() {{ . {LAUNCH}/$1.sh; }}; . {LAUNCH}/build.sh; . {LAUNCH}/programs.sh; {function} \"$@\""
    environment = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}" if path else os.environ["PATH"]}
    return subprocess.run(["bash", "-c", script, "bash", ROOT, *words], text=True, capture_output=True, env=environment)


class Looked(unittest.TestCase):
    """check_program, with a readelf that says what a test wants."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warpgrade-programs-")
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)

    def check(self, needed, versions):
        dynamic = "".join(f" 0x0001 (NEEDED)  Shared library: [{name}]\\n" for name in needed)
        asked = "".join(f"  0x0: Name: {name}  Flags: none  Version: 3\\n" for name in versions)
        shim = self.path / "readelf"
        shim.write_text(f"#!/bin/sh\ncase $1 in --dynamic) printf '{dynamic}';; *) printf '{asked}';; esac\n")
        shim.chmod(0o755)
        return call("check_program", "made-up", path=self.path)

    def test_the_c_library_of_2012_will_do(self):
        done = self.check(["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"],
                          ["GLIBC_2.2.5", "GLIBC_2.9", "GLIBC_2.17"])
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_newer_one_is_refused(self):
        done = self.check(["libc.so.6"], ["GLIBC_2.2.5", "GLIBC_2.9", "GLIBC_2.34"])
        self.assertEqual(done.returncode, 70)
        self.assertIn("needs more than glibc 2.17: GLIBC_2.34", done.stderr)

    def test_another_library_is_refused(self):
        done = self.check(["libfmt.so.9", "libc.so.6", "libstdc++.so.6"], ["GLIBC_2.2.5"])
        self.assertEqual(done.returncode, 70)
        self.assertIn("libfmt.so.9 libstdc++.so.6", done.stderr)

    def test_headers_of_four_libraries_and_of_nothing_else(self):
        done = call("link_headers", str(self.path / "include"))
        if done.returncode == 3:
            self.skipTest("skipped: the headers of the libraries are not installed: " + done.stderr)
        self.assertEqual(sorted(os.listdir(self.path / "include")), ["CLI", "fmt", "nlohmann", "toml++"])


@unittest.skipUnless(os.environ.get("WARPGRADE_PROGRAMS"), "takes tens of minutes and a network: WARPGRADE_PROGRAMS=1")
class Made(unittest.TestCase):
    def test_both_are_made_and_ours_says_what_the_built_one_says(self):
        made = subprocess.run([ROOT / "grader/warpgrade", "release", "--out", tempfile.mkdtemp()], text=True,
                              capture_output=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertRegex(made.stdout, r"programs (aarch64, x86_64|x86_64, aarch64)")
        for machine in ("x86_64", "aarch64"):
            self.assertEqual(call("check_program", str(ROOT / f"build/programs/{machine}/warpgrade-bin")).returncode, 0)
        if platform.machine() in ("x86_64", "aarch64"):
            same = subprocess.run([ROOT / "grader/lab/programs/compare.py", "--every", "40"], text=True, capture_output=True)
            self.assertEqual(same.returncode, 0, same.stdout)


if __name__ == "__main__":
    unittest.main()
