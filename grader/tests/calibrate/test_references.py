"""`calibrate --references` writes where it is told to, and nothing else. No GPU is needed."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve() / "warpgrade-bin"


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class References(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warpgrade-references-")
        self.addCleanup(folder.cleanup)
        self.course = Path(folder.name)
        # One stage of the transpose, and profiles of its own to write beside.
        for name in ("solutions", "grader"):
            (self.course / name).mkdir()
        for path in (ROOT / "grader").iterdir():
            if path.name != "profiles":
                (self.course / "grader" / path.name).symlink_to(path)
        for name in ("t4.toml", "l4.toml"):
            self.copy(f"grader/profiles/{name}")
        for name in ("1_naive_read.cu", "problem.toml", "problem.cu"):
            if (ROOT / "assignments" / "transpose" / name).exists():
                self.copy(f"assignments/transpose/{name}")
        self.copy("solutions/transpose/1_naive_read.cu")
        head, *stages = (ROOT / "assignments" / "transpose" / "assignment.toml").read_text(encoding="utf-8").split("\n[[stage]]\n")
        [stage] = [one for one in stages if 'id = "naive_read"' in one]
        (self.course / "assignments" / "transpose" / "assignment.toml").write_text(f"{head}\n[[stage]]\n{stage}", encoding="utf-8")

    def copy(self, path):
        target = self.course / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / path).read_bytes())

    def files(self):
        return {path.relative_to(self.course).as_posix(): path.read_bytes() for path in (self.course / "grader" / "profiles").rglob("*") if path.is_file()}

    def calibrate(self, *words):
        done = subprocess.run([BINARY, "calibrate", "--references", *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              cwd=self.course, env=dict(os.environ, WARPGRADE_ROOT=str(self.course), NO_COLOR="1"))
        self.text = " ".join((done.stdout + done.stderr).split())
        return done.returncode

    def test_out_is_the_file_that_is_written(self):
        before = self.files()
        self.assertEqual(self.calibrate("--profile", "t4", "--out", "there/t4.toml"), 0, self.text)
        self.assertEqual(self.files(), before)
        self.assertIn("transpose/naive_read", (self.course / "there" / "t4.toml").read_text(encoding="utf-8"))
        self.assertIn("there/t4.toml", self.text)
        self.assertEqual(self.calibrate("--profile", "t4"), 0, self.text)
        self.assertEqual((self.course / "grader" / "profiles" / "modelled" / "t4.toml").read_text(), (self.course / "there" / "t4.toml").read_text())

    def test_one_file_is_for_one_profile(self):
        self.assertEqual(self.calibrate("--out", "all.toml"), 2)
        self.assertIn("and there are 2 profiles = try: name one of them with --profile", self.text)
        self.assertFalse((self.course / "all.toml").exists())


if __name__ == "__main__":
    unittest.main()
