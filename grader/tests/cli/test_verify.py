"""`verify` from outside: the course as it is passes; a broken copy is told apart, with its exit code."""

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

BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")) / "warpgrade-bin"


def verify(root, *arguments):
    """(exit code, standard output, standard error)"""
    answer = subprocess.run([BINARY, "verify", *arguments], cwd=root, text=True, capture_output=True, timeout=300,
                            stdin=subprocess.DEVNULL, env=dict(os.environ, WARPGRADE_ROOT=str(root)))
    return answer.returncode, answer.stdout, answer.stderr


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Verify(unittest.TestCase):
    def copy(self):
        place = tempfile.TemporaryDirectory(prefix="warpgrade course ")
        self.addCleanup(place.cleanup)
        for folder in ("assignments", "solutions"):
            shutil.copytree(ROOT / folder, Path(place.name) / folder)
        (Path(place.name) / "grader").symlink_to(ROOT / "grader")
        return Path(place.name)

    def test_the_course_verifies(self):
        files = sorted(path.relative_to(ROOT / "assignments") for path in ROOT.glob("assignments/*/[0-9]*.cu"))
        stages = [f"{path.parent}/{path.stem.split('_', 1)[1]}" for path in files]
        always = {"reduction/first_add", "reduction/unrolled", "transpose/any_type"}
        words = [] if IS_ALL else sorted({*always, *part_of(stages, 10, "stages of the course")})
        with tempfile.TemporaryDirectory() as folder:
            code, out, err = verify(ROOT, *words, "--format", "json", "--results", folder)
            self.assertEqual(code, 0, out + err)
            found = json.loads(out)
            self.assertEqual((found["schema"], found["ok"], found["problems"]), ("warpgrade.verify/1", True, []))
            stages = {f"{stage['assignment']}/{stage['stage']}": stage for stage in found["stages"]}
            self.assertEqual(len(stages), len(words) or len(files))
            self.assertEqual(stages["reduction/first_add"]["also_passed"], ["unrolled"])
            if padding := stages.get("transpose/padding"):
                others = [name for name in ("coarsening", "dynamic_tile", "open") if f"transpose/{name}" in stages]
                self.assertEqual(padding["also_passed"], others)
            for name, stage in stages.items():
                is_example = name == "transpose/copy"  # worked, nothing to fill in
                self.assertEqual((stage["stub"]["untouched"], stage["stub"]["passes"]), (not is_example, is_example), name)
            for name, marks in (("solutions", lambda score: score["correctness"] + score["technique"]),
                                ("stubs", lambda score: score["total"])):
                result = json.loads((Path(folder) / f"{name}.json").read_text())
                self.assertEqual(result["schema"], "warpgrade.result/1")
                self.assertEqual(len(result["stages"]), len(stages))
                for stage in result["stages"]:
                    full = stage["points"]["correctness"] + stage["points"]["technique"]
                    self.assertEqual(marks(stage["score"]), full if name == "solutions" else 0, stage["source"])

    def test_a_missing_stub_is_one_problem_and_stops_nothing(self):
        course = self.copy()
        (course / "assignments/reduction/3_sequential.cu").unlink()
        code, out, _ = verify(course, "sequential", "reduction/interleaved")
        self.assertEqual(code, 2)
        self.assertRegex(out, r"(?m)^reduction/interleaved +fails +passes +51/51 +3/3 +13 +5/8$")
        self.assertRegex(out, r"(?m)^reduction/sequential +missing +passes ")
        self.assertIn("error[missing_stub]: the stub of reduction/sequential is not there\n"
                      "  --> assignments/reduction/3_sequential.cu\n", out)
        self.assertTrue(out.endswith("1 problem in this course.\n"), out)
        self.assertLessEqual(max(map(len, out.splitlines())), 80)

        answer = subprocess.run([BINARY, "check", "reduction/interleaved"], cwd=course, text=True, capture_output=True,
                                stdin=subprocess.DEVNULL, env=dict(os.environ, WARPGRADE_ROOT=str(course)))
        self.assertEqual(answer.returncode, 1, answer.stderr)  # the stub of another stage is checked all the same

    def test_a_course_file_that_cannot_be_read_is_shown_at_its_line(self):
        course = self.copy()
        toml = course / "assignments/transpose/assignment.toml"
        toml.write_text(toml.read_text().replace('also_passes = ["dynamic_tile", "open"]', 'also_passes = ["dynamic_tiles", "open"]'))
        code, out, err = verify(course)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("did you mean `dynamic_tile`?", err)

    def test_near_names(self):
        for arguments, hint in ((["transpose/pading"], "did you mean `transpose/padding`?"),
                                (["--formt", "json"], "`--format`"), (["--format", "jsn"], "`--format json`")):
            with self.subTest(arguments):
                code, out, err = verify(ROOT, *arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertIn(hint, err)


if __name__ == "__main__":
    unittest.main()
