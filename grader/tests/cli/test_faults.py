"""What the machine fails at, one call after the other: each time a clear state, nothing lost, no mark changed.

A library loaded into the program (support/faulty_calls.cpp) lets the Nth call of one function of the C library fail; a
made-up CUDA driver lets the Nth call of the driver fail. A run tries a few N of each; WARPGRADE_ALL=1 tries all."""

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "grader/tests/support"))
from part import IS_ALL, part_of  # noqa: E402

FOLDER = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve()
BINARY, WORKER = FOLDER / "warpgrade-bin", FOLDER / "tests" / "test_worker"
LIBRARY = FOLDER / "tests" / "libfaulty_calls.so"
SOLUTION = ROOT / "solutions" / "transpose" / "1_naive_read.cu"
WRONG = SOLUTION.read_text(encoding="utf-8").replace("if (x < cols && y < rows)", "if (x + 1 < cols && y < rows)")

ENOMEM, EIO, EAGAIN, ENOSPC, EROFS = 12, 5, 11, 28, 30
SANITIZED = b"__asan_init" in BINARY.read_bytes() if BINARY.exists() else False


def ended_well(code):
    """Passes, falls short, or the machine cannot: never a defect of the kit, never a signal."""
    return code in (0, 1, 3)


@unittest.skipUnless(BINARY.exists() and LIBRARY.exists(), "the program and libfaulty_calls.so are not built")
@unittest.skipIf(SANITIZED, "the sanitizers have these functions for themselves")
class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="warpgrade-faults-")
        cls.place = Path(cls.temporary.name)
        cls.cache = cls.place / "cache"
        made = cls.place / "hand-ins"
        for student, text in (("ann", SOLUTION.read_text(encoding="utf-8")), ("bob", WRONG)):
            (made / student).mkdir(parents=True)
            (made / student / "1_naive_read.cu").write_text(text, encoding="utf-8")
        (cls.place / "roster.csv").write_text("SID,name,email\nann,Ann A,ann@x.org\nbob,Bob B,bob@x.org\n",
                                              encoding="utf-8")
        code, text = cls.grade("known")
        assert code == 0, text
        cls.known = cls.marks("known")
        assert cls.known["ann"] != cls.known["bob"]
        cls.check_known = cls.checked()

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def run_program(cls, words, fault=None, **environment):
        variables = dict(os.environ, WARPGRADE_ROOT=str(ROOT), WARPGRADE_CACHE=str(cls.cache), NO_COLOR="1", **environment)
        done = cls.place / "done"
        done.unlink(missing_ok=True)
        if fault:
            variables.update(LD_PRELOAD=str(LIBRARY), WARPGRADE_FAULT=fault, WARPGRADE_FAULT_DONE=str(done))
        ended = subprocess.run([BINARY, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", timeout=300, env=variables)
        return ended.returncode, ended.stdout, done.exists()

    @classmethod
    def grade(cls, out, fault=None):
        code, text, *_ = cls.run_program(["grade", cls.place / "hand-ins", "--roster", cls.place / "roster.csv", "--out",
                                          cls.place / out, "--seed", "7", "--device", "virtual", "--no-reports"], fault)
        return code, text

    @classmethod
    def marks(cls, out):
        with open(cls.place / out / "gradebook.csv", encoding="utf-8", newline="") as file:
            return {row["SID"]: (row["total"], row["status"]) for row in csv.DictReader(file)}

    @classmethod
    def checked(cls, fault=None, **environment):
        code, text, done = cls.run_program(["check", SOLUTION, "--stage", "transpose/naive_read", "--shape", "33x65"],
                                           fault, **environment)
        score = next((line for line in text.splitlines() if line.startswith("score")), "")
        return code, score, done, text

    def each(self, function, errno, run, few):
        """Calls `run(fault)` for the first, second ... call of the function, until a run makes fewer calls."""
        number, tried, step = 1, 0, 1
        while True:
            fault = f"{function}:{number}:{errno}"
            happened = None
            with self.subTest(fault=fault):
                happened = run(fault)
            if not happened:  # fewer calls were made, or the run failed
                break
            tried += 1
            if tried >= few and not IS_ALL:
                step *= 20  # ever further apart
            number += step
        self.assertGreater(tried, 0, f"{function} is never called")

    def check_with(self, fault):
        code, score, done, text = self.checked(fault)
        self.assertTrue(ended_well(code), f"exit {code}\n{text}")
        self.assertNotIn("defect[kit]", text)
        if score:  # what has a score has the right one
            self.assertEqual(score, self.check_known[1], text)
        if code == 3:
            self.assertIn("error[", text)
        return done

    def test_check_without_memory_or_processes(self):
        self.each("malloc", ENOMEM, self.check_with, few=2)
        self.each("fork", EAGAIN, self.check_with, few=2)

    def test_check_without_workers(self):
        shutil.rmtree(self.cache)  # so that something is compiled
        for function, errno in (("spawn", EAGAIN), ("socketpair", EIO)):
            fault = f"{function}:1:{errno}"
            with self.subTest(fault=fault):
                self.assertTrue(self.check_with(fault))

    def test_check_whose_files_cannot_be_read_or_written(self):
        self.each("read", EIO, self.check_with, few=2)
        for function, errno in (("open", EROFS), ("write", ENOSPC), ("short_write", ENOSPC), ("rename", EIO)):
            shutil.rmtree(self.cache, ignore_errors=True)
            with self.subTest(function=function):
                self.check_with(f"{function}:1:{errno}")

    def test_a_clock_that_jumps(self):
        self.each("clock", 0, self.check_with, few=2)

    def test_grade_with_faults_and_then_without(self):
        functions = (("write", ENOSPC), ("short_write", ENOSPC), ("open", EROFS), ("fsync", EIO), ("rename", EIO),
                     ("mkdir", ENOSPC))
        for function, errno in part_of(functions, 6, "functions that fail while a class is graded"):
            self.each(function, errno, self.grade_twice, few=1)

    def grade_twice(self, fault):
        out = "out"
        shutil.rmtree(self.place / out, ignore_errors=True)
        code, text = self.grade(out, fault)
        happened = (self.place / "done").exists()
        self.assertTrue(ended_well(code), f"exit {code}\n{text}")
        for path in (self.place / out).rglob("*.json"):
            if path.parent.name != ".store":  # a checksum stands before those
                json.loads(path.read_text(encoding="utf-8"))  # whole, or not there
        if (self.place / out / "gradebook.csv").exists():
            for student, (total, status) in self.marks(out).items():
                if total:
                    self.assertEqual((total, status), self.known[student], text)
                else:
                    self.assertIn(status, ("review", "unreadable"), text)
        code, text = self.grade(out)
        self.assertEqual(code, 0, text)
        self.assertEqual(self.marks(out), self.known)
        left = [path.name for path in (self.place / out).rglob("*") if path.name.startswith(".new-")]
        self.assertEqual(left, [])
        return happened

    @unittest.skipUnless(WORKER.exists(), "test_worker is not built")
    def test_a_driver_that_fails_at_any_call(self):
        card = {"WARPGRADE_LIBCUDA": "self", "WARPGRADE_WORKER": str(WORKER)}
        known = self.checked(**card)
        self.assertEqual(known[0], 0, known[3])
        numbers = range(1, 400) if IS_ALL else range(3, 150, 49)
        seen = set()
        for number in numbers:
            for error in (2, 999):  # out of memory, unknown: nothing that kernels do
                with self.subTest(call=number, error=error):
                    code, score, _, text = self.checked(WARPGRADE_MADE_UP_FAULT=f"{number}:{error}", **card)
                    seen.add(code)
                    self.assertIn(code, (0, 3), text)
                    self.assertNotIn("gpu_fault", text)
                    if score:
                        self.assertEqual(score, known[1], text)
        self.assertEqual(seen, {0, 3})

    def test_nvrtc_missing_or_something_else(self):
        shutil.rmtree(self.cache, ignore_errors=True)
        empty = self.place / "libnvrtc.so.13"
        empty.write_bytes(b"")
        for path in (self.place / "nothing.so", empty, Path("/bin/sh"), self.place, LIBRARY):
            with self.subTest(path=path.name):
                code, _, _, text = self.checked(WARPGRADE_NVRTC=str(path))
                self.assertEqual(code, 3, text)
                self.assertIn("NVRTC", text)

    def test_a_damaged_cache_is_as_good_as_none(self):
        self.checked()
        entries = [path for path in self.cache.rglob("*") if path.is_file()]
        self.assertTrue(entries)
        for damage in (lambda data: b"", lambda data: data[:len(data) // 2], lambda data: data + b"x",
                       lambda data: bytes([data[0] ^ 1]) + data[1:],
                       lambda data: data[:-1] + bytes([data[-1] ^ 0x80]), lambda data: b"\xff" * len(data)):
            for path in entries:
                path.write_bytes(damage(path.read_bytes() or b"x"))
            code, score, _, text = self.checked()
            self.assertEqual((code, score), self.check_known[:2], text)

    def test_what_a_killed_run_has_half_written_goes_with_the_next(self):
        out = "killed"
        shutil.copytree(self.place / "known", self.place / out)
        halves = [self.place / out / folder / ".new-123-4" for folder in ("results", "gradescope")]
        for half in halves:
            half.write_text("{", encoding="utf-8")
        code, text = self.grade(out)
        self.assertEqual((code, [half for half in halves if half.exists()]), (0, []), text)
        self.assertEqual(self.marks(out), self.known)

    def test_a_damaged_store_is_graded_again(self):
        out = "damaged"
        shutil.copytree(self.place / "known", self.place / out)
        stored = [path for path in (self.place / out / ".store").rglob("*.json")]
        self.assertTrue(stored)
        for damage in (lambda data: b"", lambda data: data[:len(data) // 2], lambda data: b"[]", lambda data: b"{}",
                       lambda data: data.replace(b'"total"', b'"tutal"')):
            for path in stored:
                path.write_bytes(damage(path.read_bytes()))
            code, text = self.grade(out)
            self.assertEqual(code, 0, text)
            self.assertEqual(self.marks(out), self.known)


if __name__ == "__main__":
    unittest.main()
