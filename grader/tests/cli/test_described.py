"""A problem that a folder describes, from outside: `check`, `explain` and `verify` know it, behind their walls too; `new`
makes one that verifies."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")) / "warpgrade-bin"
COURSES = ROOT / "grader/tests/courses"


class OfCourse:
    """A copy of a course of the tests."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix=f"warpgrade {self.COURSE} ")
        self.addCleanup(place.cleanup)
        self.course = Path(place.name)
        for folder in ("assignments", "solutions"):
            shutil.copytree(COURSES / self.COURSE / folder, self.course / folder)
        (self.course / "grader").symlink_to(ROOT / "grader")

    def run_verb(self, *words):
        """(exit code, standard output, standard error)"""
        answer = subprocess.run([BINARY, *words], cwd=self.course, text=True, capture_output=True, timeout=120,
                                stdin=subprocess.DEVNULL, env=dict(os.environ, WARPGRADE_ROOT=str(self.course)))
        return answer.returncode, answer.stdout, answer.stderr

    def check(self, path):
        code, out, err = self.run_verb("check", path, "--stage", self.STAGE, "--device", "virtual", "--format", "json")
        self.assertIn(code, (0, 1), out + err)
        return json.loads(out)["stages"][0]


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class TwoOutputs(OfCourse, unittest.TestCase):
    COURSE, STAGE = "two_outputs", "split/plain"

    def test_the_output_that_is_wrong_is_named_and_pointed_to(self):
        right = self.check("solutions/split/1_plain.cu")
        self.assertEqual(right["correctness"]["passed"], right["correctness"]["total"])
        for program, mistake, line in (("halves", "`even` holds the first half of `in`", 5),
                                       ("same_twice", "`odd` holds the elements at even indices", 6)):
            wrong = self.check(f"solutions/split/wrong/{program}.cu")
            self.assertEqual([(each["message"], each["line"]) for each in wrong["findings"]], [(mistake, line)])

    def test_the_course_verifies(self):
        code, out, err = self.run_verb("verify", "split")
        self.assertEqual(code, 0, out + err)


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Described(OfCourse, unittest.TestCase):
    COURSE, STAGE = "tiny", "vadd/plain"

    def test_check_knows_the_problem(self):
        right = self.check("solutions/vadd/1_plain.cu")
        self.assertEqual(right["correctness"]["passed"], right["correctness"]["total"])
        wrong = self.check("solutions/vadd/wrong/only_a.cu")
        self.assertIn("`b` is not added", [finding["message"] for finding in wrong["findings"]])
        outside = self.check("solutions/vadd/wrong/no_guard.cu")
        self.assertIn(("out_of_bounds", 4), [(each["kind"], each["line"]) for each in outside["findings"]])

    def test_explain_and_shapes(self):
        code, out, err = self.run_verb("explain", "solutions/vadd/1_plain.cu", "--stage", "vadd/plain", "--device", "virtual", "--shape", "1000")
        self.assertEqual(code, 0, out + err)
        self.assertIn("1000", out)
        code, _, err = self.run_verb("check", "vadd/plain", "--device", "virtual", "--shape", "10x10")
        self.assertEqual(code, 2, err)
        self.assertIn("it has 2 extents, the problem has 1", err)

    def test_a_broken_problem_is_the_course_s(self):
        (self.course / "assignments/vadd/problem.cu").write_text("float reference(u64 i) { return 0; }\n")
        code, _, err = self.run_verb("check", "vadd/plain", "--device", "virtual")
        self.assertEqual(code, 2, err)
        self.assertIn("problem.cu", err)
        code, out, err = self.run_verb("verify", "vadd")
        self.assertEqual(code, 2, out + err)
        self.assertEqual(out.count("error[reference_does_not_compile]"), 1, out)
        toml = self.course / "assignments/vadd/problem.toml"
        toml.write_text(toml.read_text().replace("useful_bytes", "usefull_bytes"))
        code, _, err = self.run_verb("check", "vadd/plain", "--device", "virtual")
        self.assertEqual(code, 2, err)
        self.assertIn("there is no `useful_bytes`", err)

    def test_a_wrong_program_that_gets_something_else(self):
        wrong = self.course / "solutions/vadd/wrong/only_a.cu"
        wrong.write_text(wrong.read_text().replace("verdict=wrong", "verdict=fault"))
        code, out, err = self.run_verb("verify", "vadd")
        self.assertEqual(code, 2, out + err)
        self.assertIn("the verdict on this program is `wrong`, not `fault`", " ".join(out.split()))

    def test_update_records_the_stubs(self):
        toml = self.course / "assignments/vadd/assignment.toml"
        before = toml.read_text()
        stub = self.course / "assignments/vadd/1_plain.cu"
        stub.write_text(stub.read_text() + "// One line more.\n")
        code, out, err = self.run_verb("verify", "vadd")
        self.assertEqual(code, 2, out + err)
        self.assertIn("verify vadd/plain --update", " ".join(out.split()))
        self.assertEqual(toml.read_text(), before)
        code, out, err = self.run_verb("verify", "vadd", "--update")
        self.assertEqual(code, 0, out + err)
        self.assertIn("the stub of vadd/plain", err)
        changed = [(a, b) for a, b in zip(before.splitlines(), toml.read_text().splitlines(), strict=True) if a != b]
        self.assertEqual(len(changed), 1)
        self.assertTrue(all(line.startswith("stub = ") for line in changed[0]), changed)
        # And one that has none.
        recorded = toml.read_text()
        toml.write_text("".join(line for line in recorded.splitlines(True) if not line.startswith("stub = ")))
        code, out, err = self.run_verb("verify", "vadd", "--update")
        self.assertEqual(code, 0, out + err)
        self.assertEqual(sorted(toml.read_text().splitlines()), sorted(recorded.splitlines()))
        once = toml.read_text()
        code, _, err = self.run_verb("verify", "vadd", "--update")
        self.assertEqual((code, err, toml.read_text()), (0, "", once))

    def test_update_records_what_is_proved_and_verify_names_what_is_lost(self):
        # What a proof does not follow: right, and nothing but its launch is proved.
        solution, proved = self.course / "solutions/vadd/1_plain.cu", self.course / "solutions/vadd/proved.toml"
        code, out, err = self.run_verb("verify", "vadd", "--update")
        self.assertEqual(code, 0, out + err)
        if "7/8" not in out:
            self.skipTest("libisl.so.23 is not installed")
        self.assertEqual(err, "recorded what is proved of vadd/plain in solutions/vadd/proved.toml\n")
        self.assertIn('plain = ["launch", "width", "barriers", "bounds", "races", "once", "covered"]\n', proved.read_text())
        self.assertEqual(self.run_verb("verify", "vadd", "--update")[::2], (0, ""))
        solution.write_text(solution.read_text().replace("a[i] + b[i];", "a[i] + b[i];\n    __threadfence();"))
        code, out, err = self.run_verb("verify", "vadd")
        self.assertEqual(code, 2, out + err)
        words = " ".join(out.split())
        self.assertIn("error[proof_lost]: `width` was proved of the solution of vadd/plain, and is not proved any more", words)
        self.assertIn("--> solutions/vadd/1_plain.cu:5 ", words)
        self.assertIn("lost with it: `barriers`, `bounds`, `races`, `once`, `covered`", words)
        self.assertIn("verify vadd/plain --update", words)
        code, out, err = self.run_verb("verify", "vadd", "--update")
        self.assertEqual((code, err.count("what is proved of vadd/plain")), (0, 1), out + err)
        self.assertIn('plain = ["launch"]\n', proved.read_text())

    def test_new_makes_what_verifies(self):
        code, out, err = self.run_verb("new", "problem", "doubled")
        self.assertEqual(code, 0, out + err)
        self.assertTrue((self.course / "assignments/doubled/problem.toml").exists())
        code, out, err = self.run_verb("verify", "doubled")
        self.assertEqual(code, 0, out + err)
        self.assertIn("1 wrong program: ", out)
        code, _, err = self.run_verb("new", "problem", "doubled")
        self.assertEqual(code, 2)
        code, out, err = self.run_verb("new", "stage", "doubled", "fast")
        self.assertEqual(code, 0, out + err)
        self.assertIn('id = "fast"', (self.course / "assignments/doubled/assignment.toml").read_text())
        code, _, err = self.run_verb("new", "pear", "doubled")
        self.assertEqual(code, 2)


if __name__ == "__main__":
    unittest.main()
