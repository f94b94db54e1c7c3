"""`quiz`, `reset` and `status` from outside; the answers of `quiz` are what `explain` counts."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve() / "warpgrade-bin"
FEW = ("solutions/transpose/3_corner_turning.cu", "solutions/reduction/2_strided.cu", "handouts/kernels/dynamic_square.cu")
STAGES = {"any_type": "transpose/any_type"}


def run(*words, root=ROOT):
    return subprocess.run([BINARY, *map(str, words)], cwd=root, env=dict(os.environ, WARPGRADE_ROOT=str(root)), text=True,
                          capture_output=True, stdin=subprocess.DEVNULL, timeout=120)


def files():
    """All solutions and 20 other kernels with WARPGRADE_ALL=1, otherwise a few: (path, words that name its stage)."""
    if not os.environ.get("WARPGRADE_ALL"):
        return list(FEW)
    others = sorted((ROOT / "grader" / "tests" / "submissions" / "right").glob("*.cu"))
    found = [*sorted((ROOT / "solutions").glob("*/[0-9]*.cu")), *sorted((ROOT / "handouts" / "kernels").glob("*.cu")), *others[:20]]
    return [str(path.relative_to(ROOT)) for path in found]


def first_accesses(trace):
    """{(line, space, kind): the first access} of what a quiz asks about."""
    found = {}
    for access in trace:
        kind = {"read": "load", "write": "store"}.get(access["kind"])
        if kind and access["space"] in ("global", "shared") and access["mask"] and access["line"] > 0:
            found.setdefault((str(access["line"]), access["space"], kind), access)
    return found


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Answers(unittest.TestCase):
    def test_they_are_what_explain_counts(self):
        compared = 0
        for path in files():
            asked, explained = run("quiz", "--reveal", "--format", "json", path), run("explain", "--format", "json", path)
            if "--stage" in explained.stderr:
                continue  # a file that does not say which stage it is
            with self.subTest(path):
                self.assertEqual(asked.returncode, 0, asked.stderr)
                stage = json.loads(explained.stdout)["stages"][0]
                accesses = first_accesses(stage["trace"])
                grid, block = stage["launches"][0]["grid"], stage["launches"][0]["block"]
                for question in json.loads(asked.stdout)["questions"]:
                    what, *place = question["id"].split(":")
                    answer = question["answer"]
                    if what == "blocks":
                        self.assertEqual(answer, grid[0] * grid[1] * grid[2])
                    elif what == "warps":
                        self.assertEqual(answer, -(-block[0] * block[1] * block[2] // 32))
                    elif what in ("sectors", "wavefronts"):
                        self.assertEqual(answer, accesses[tuple(place)]["units"])
                    elif what == "lanes":  # of the first access of that line with some of them off
                        self.assertIn(answer, {bin(one["mask"]).count("1") for one in stage["trace"] if str(one["line"]) == place[0]})
                    else:
                        lane = 5 if accesses[tuple(place)]["mask"] >> 5 & 1 else accesses[tuple(place)]["mask"].bit_length() - 1
                        address = accesses[tuple(place)]["addresses"][lane]
                        self.assertIn(answer, {address // 4 % 32} if what == "bank" else {address // size for size in (1, 2, 4, 8, 16)})
                    compared += 1
        self.assertGreater(compared, 15)

    def test_a_wrong_answer_is_shown_with_its_picture(self):
        answer = run("quiz", FEW[0], "--answer", "1=1024", "--answer", "3=5")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("1024: right", answer.stdout)
        self.assertIn("5: no, it is 4", answer.stdout)
        self.assertIn("[########]", answer.stdout)
        self.assertIn("1 of 2 answers right", answer.stdout)

    def test_what_cannot_be_answered(self):
        self.assertEqual(run("quiz", FEW[0], "--answer", "x").returncode, 2)
        self.assertEqual(run("quiz", FEW[0], "--answer", "99=1").returncode, 2)
        self.assertEqual(run("quiz").returncode, 2)


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Progress(unittest.TestCase):
    def test_a_stage_is_done_and_reset(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name in ("assignments", "solutions", "grader/compile/include", "grader/profiles"):
                shutil.copytree(ROOT / name, root / name)
            (root / "build").mkdir()
            file, stub = root / "assignments/warmup/1_one_thread.cu", (ROOT / "assignments/warmup/1_one_thread.cu").read_text()
            self.assertIn("untouched", run("status", root=root).stdout)
            shutil.copy(ROOT / "solutions/warmup/1_one_thread.cu", file)
            self.assertIn("changed since", run("status", root=root).stdout)
            checked = run("check", "one_thread", root=root)
            self.assertIn("an exercise without points", checked.stdout)
            states = {one["stage"]: one["state"] for one in json.loads(run("status", "--format", "json", root=root).stdout)["stages"]}
            self.assertEqual(states["one_thread"], "done")
            self.assertEqual(states["guard"], "untouched")
            answer = run("reset", "one_thread", root=root)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertEqual(file.read_text(), stub)
            self.assertEqual((root / "assignments/warmup/1_one_thread.cu.1").read_text(),
                             (ROOT / "solutions/warmup/1_one_thread.cu").read_text())
            self.assertIn("untouched", run("reset", "one_thread", root=root).stdout)


if __name__ == "__main__":
    unittest.main()
