"""grader/lab/proof: slips are made where a program has them, and what is proved of a few programs holds where they run; other
ones with each commit."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build/release/grader")) / "warpgrade-bin"
LAB = ROOT / "grader/lab/proof"
OF_A_RUN = 2
sys.path[:0] = [str(LAB), str(ROOT / "grader/tests/support")]
import part  # noqa: E402


class Run(unittest.TestCase):
    def test_what_is_proved_of_some_mutants_holds(self):
        first = OF_A_RUN * int(os.environ.get("WARPGRADE_PART", "0"))
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, ROOT / "grader/lab/proof/proved_mutants.py", str(OF_A_RUN), "--first", str(first),
                                   "--solutions", "--program", PROGRAM, "--out", folder], capture_output=True, text=True)
        print(done.stdout, file=sys.stderr)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, rf"(?m)^ *{OF_A_RUN} mutants, 0 with a proof that a run denies")

    def test_programs_that_should_be_proved_wrongly_are_not(self):
        from reader_table import PROGRAMS
        names = [name for name, *_ in PROGRAMS]
        some = part.part_of(names, 12, "programs of a second reader")
        for words in (["reader_programs.py", *some], ["random_instructions.py", "15", "--first", str(15 * int(os.environ.get("WARPGRADE_PART", "0")))]):
            done = subprocess.run([sys.executable, LAB / words[0], *words[1:], "--program", PROGRAM], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"15 programs, 0 with an instruction that is taken for another")

    def test_a_slip_is_made_in_the_code_and_not_in_its_comments(self):
        import proved_mutants
        text = "// x < cols\n__global__ void f(int rows, int cols) { if (x < cols) y = 1; }\n"
        made = {proved_mutants.mutant(text, seed) for seed in range(60)}
        self.assertGreater(len(made), 5)
        self.assertTrue(all(one.startswith("// x < cols\n__global__ void f(int rows, int cols)") for one in made))


if __name__ == "__main__":
    unittest.main()
