"""The program on a kernel that offers fewer walls, made so by a filter of this test's own: what it says, and what it
refuses."""

import ctypes
import json
import os
import shutil
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve() / "warpgrade-bin"
SOLUTION = ROOT / "solutions" / "transpose" / "1_naive_read.cu"

# seccomp(2), and landlock_create_ruleset(2), which has one number on all machines.
CALLS = {"seccomp": {"x86_64": 317, "aarch64": 277}[os.uname().machine], "landlock": 444}
NO_NEW_PRIVS, SET_SECCOMP, FILTER_MODE = 38, 22, 2
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, NOT_THERE = 0x7FFF0000, 0x00050000 | 38  # ENOSYS


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def take_away(*walls):
    """In this process and those it starts the kernel knows none of these."""
    numbers = [CALLS[wall] for wall in walls]
    code = [(LOAD, 0, 0, 0)]
    code += [(JUMP_IF_EQUAL, len(numbers) - i, 0, number) for i, number in enumerate(numbers)]
    code += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, NOT_THERE)]
    text = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *one) for one in code))
    libc = ctypes.CDLL(None, use_errno=True)
    program = Program(len(code), ctypes.addressof(text))
    if libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.prctl(SET_SECCOMP, FILTER_MODE, ctypes.byref(program)) != 0:
        os._exit(77)


def run(*words, without=()):
    environment = dict(os.environ, WARPGRADE_ROOT=str(ROOT), NO_COLOR="1")
    return subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, env=environment,
                          preexec_fn=(lambda: take_away(*without)) if without else None)


def stands_here(wall):
    return wall in json.loads(run("doctor", "--format", "json").stdout)["walls"]


@unittest.skipUnless(stands_here("seccomp"), "no seccomp here")
class FewerWalls(unittest.TestCase):
    def hand_in(self, folder):
        place = Path(folder) / "hand-ins" / "ada" / "transpose"
        place.mkdir(parents=True)
        shutil.copy(SOLUTION, place)
        return place.parents[1]

    def grade(self, folder, *more, without):
        out = Path(folder) / "out"
        ended = run("grade", self.hand_in(folder), "--out", out, "--device", "virtual", "--seed", "7", "--no-reports",
                    *more, without=without)
        known = out / "class.json"
        return ended, json.loads(known.read_text()) if known.exists() else None

    def test_doctor_lists_what_stands_and_what_is_missing(self):
        ended = run("doctor", without=["landlock"])
        self.assertRegex(ended.stdout, r"(?m)^ok +seccomp +stops files")
        self.assertRegex(ended.stdout, r"(?m)^absent +landlock +is not to be had here")
        self.assertIn("Everything that `check` and `explain` need works here.", ended.stdout)
        ended = run("doctor", without=["landlock", "seccomp"])
        self.assertNotIn("Everything", ended.stdout)
        self.assertIn("little keeps what they look at from your", ended.stdout)
        self.assertEqual(ended.returncode, 0)
        for line in ended.stdout.splitlines():
            if not line.split(" ")[-1].startswith("/"):  # a path is not broken
                self.assertLessEqual(len(line), 80, line)

    def test_seccomp_is_enough_to_check_and_to_grade(self):
        with tempfile.TemporaryDirectory() as folder:
            check = run("check", SOLUTION, "--stage", "transpose/naive_read", without=["landlock"])
            self.assertEqual(check.returncode, 0)
            ended, made = self.grade(folder, without=["landlock"])
            self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
            self.assertNotIn("landlock", made["walls"])
            self.assertIn("seccomp", made["walls"])

    def test_without_it_grade_refuses_unless_told(self):
        neither = ["landlock", "seccomp"]
        for without, left in ((neither, "your files"), (["seccomp"], "starting programs")):
            with tempfile.TemporaryDirectory() as folder:
                ended, made = self.grade(folder, without=without)
                self.assertEqual(ended.returncode, 3)
                self.assertIn("error[no_walls]", ended.stderr)
                self.assertIn(left, ended.stderr)
                self.assertIn("--without-walls", ended.stderr)
                self.assertIsNone(made)
        with tempfile.TemporaryDirectory() as folder:
            ended, made = self.grade(folder, "--without-walls", without=neither)
            self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
            self.assertFalse({"landlock", "seccomp"} & set(made["walls"]))
            [student] = made["students"]
            self.assertEqual(student["status"], "provisional")

    def test_check_goes_on_and_leaves_the_rest_to_doctor(self):
        ended = run("check", SOLUTION, "--stage", "transpose/naive_read", without=["landlock", "seccomp"])
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertNotIn("landlock", ended.stdout + ended.stderr)

    def test_the_scanner_stands_alone_where_landlock_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "1_naive_read.cu"
            for first in ('#include "/etc/passwd"\n', '\ufeff#include "/etc/passwd"\n'):
                source.write_text(first + SOLUTION.read_text(), encoding="utf-8")
                ended = run("check", source, "--stage", "transpose/naive_read", without=["landlock", "seccomp"])
                self.assertEqual(ended.returncode, 1)
                self.assertIn("cannot include files by path", ended.stdout)
                self.assertNotIn("root:", ended.stdout)


if __name__ == "__main__":
    unittest.main()
