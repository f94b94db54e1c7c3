"""grader/lab/mutants: slips are made as promised, and a few mutants go through `check`, other ones with each commit."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "grader/lab/mutants"))
import mutate  # noqa: E402
import mutants  # noqa: E402

PROGRAM = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build/release/grader")) / "warpgrade-bin"
OF_A_RUN = 12


class Slips(unittest.TestCase):
    TEXT = (ROOT / "solutions/scan/2_blelloch.cu").read_text()

    def test_tokens_are_all_of_the_text(self):
        for path, _ in list(mutants.bases())[::8]:
            text = path.read_text(errors="replace")
            self.assertEqual(mutate.text_of(mutate.tokens_of(text)), text, path)

    def test_a_number_makes_one_mutant_and_another_makes_another(self):
        made = [mutate.mutant(self.TEXT, seed) for seed in range(200)]
        self.assertEqual(made, [mutate.mutant(self.TEXT, seed) for seed in range(200)])
        self.assertGreater(len({text for text, _ in made}), 180)
        self.assertTrue(all(what for _, what in made))

    def test_a_statement_is_found_in_the_braces_that_it_is_in(self):
        mutation = mutate.Mutation("void f() { int a = g(1); if (a) { h(); } }\n", 0)
        parts = [mutate.text_of(mutation.tokens[first:last]) for first, last in mutation.statements()]
        self.assertEqual(parts, ["int a = g(1);", "h();", "if (a) { h(); }"])


class Failures(unittest.TestCase):
    """What counts as one, by programs that stand for `check`."""
    def outcome(self, script):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "check"
            program.write_text("#!/bin/sh\n" + script)
            program.chmod(0o755)
            options = type("Options", (), {"program": str(program), "most_cpu": 20})()
            return mutants.check("", "a/b", options, folder).failure

    def test_signals_other_codes_and_silence_are_failures(self):
        self.assertEqual(self.outcome("kill -SEGV $$\n"), "signal SIGSEGV")
        self.assertEqual(self.outcome("exit 70\n"), "exit 70")
        self.assertIn("no result", self.outcome("exit 1\n"))
        said = ('{"stages": [{"compile": {"ok": true, "diagnostics": []}, "untouched": false, "findings": [%s], '
                '"correctness": {"cases": [{"verdict": "wrong"}]}, "score": {"state": "final"}}]}')
        self.assertEqual(self.outcome(f"echo '{said % ''}'; exit 1\n"), "wrong, without a word")
        error = '{"severity": "error", "message": "the sum is wrong"}'
        self.assertEqual(self.outcome(f"echo '{said % error}'; exit 1\n"), "")


class Run(unittest.TestCase):
    def test_some_mutants_go_through_check(self):
        first = OF_A_RUN * int(os.environ.get("WARPGRADE_PART", "0"))
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, ROOT / "grader/lab/mutants/mutants.py", str(OF_A_RUN), "--first", str(first),
                                   "--program", PROGRAM, "--out", folder], capture_output=True, text=True)
        print(done.stdout, file=sys.stderr)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, rf"(?m)^{OF_A_RUN} of {OF_A_RUN} mutants")
        self.assertTrue(re.search(r"(?m)^0 failed", done.stdout))


if __name__ == "__main__":
    unittest.main()
