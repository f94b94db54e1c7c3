"""The programs of grader/lab/differential: what of them runs without a card and without NVRTC."""
import io
import os
import random
import re
import struct
import sys
import tempfile
import unittest
from contextlib import redirect_stdout

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
sys.path.insert(0, os.path.join(ROOT, "grader/lab/differential"))
import compare  # noqa: E402
import compare_counters  # noqa: E402
import opcodes  # noqa: E402
import races  # noqa: E402
import units  # noqa: E402


class Kernels(unittest.TestCase):
    def setUp(self):
        self.unit = units.KernelUnit(3, 4)

    def test_the_same_seed_gives_the_same_text(self):
        self.assertEqual(self.unit.source(), units.KernelUnit(3, 4).source())
        self.assertNotEqual(self.unit.source(), units.KernelUnit(4, 4).source())
        self.assertEqual(self.unit.kernels[2].source(), units.KernelUnit(3, 3).kernels[2].source())

    def test_statements_and_their_variables_can_be_left_out(self):
        kernel = self.unit.kernels[0]
        bare = kernel.without(range(kernel.count), "bare")
        self.assertEqual(bare.used, [])
        self.assertIn('__global__ void bare(', bare.source())
        self.assertNotIn("asm(", bare.source())

    def test_opcodes_have_their_operands(self):
        all_of_them = {op.name: op for op in opcodes.read_opcodes()}
        self.assertGreater(len(all_of_them), 500)
        self.assertFalse([name for name in all_of_them if "approx" in name or name.startswith("shfl")])
        self.assertEqual(all_of_them["fma.rn.f32"].kinds(), (["f32"], ["f32", "f32", "f32"]))
        self.assertRegex(all_of_them["setp.eq.b32"].statement(["x"], ["a", "b"]), r'selp\.u32 %0, 1, 0.*"=r"\(x\) : "r"\(a\), "r"\(b\)')


class Comparison(unittest.TestCase):
    def test_it_names_the_variable_and_the_thread(self):
        unit = units.KernelUnit(3, 2)
        words = [[0, *([7] * k.out_words())] for k in unit.kernels]
        data = lambda: b"".join(struct.pack(f"<{len(w)}I", *w) for w in words)
        virtual = data()
        self.assertEqual(compare.differences(unit.kernels, virtual, [], virtual), [])
        kernel = unit.kernels[1]
        words[1][1 + kernel.words * (kernel.threads + 2)] = 9  # the first word of block 1, thread 2, if there is one
        found = compare.differences(unit.kernels, virtual, [], data())
        self.assertEqual([d.kernel.name for d in found], ["k001"])
        self.assertIn("virtual 0x00000007, card 0x00000009", found[0].detail)

    def test_a_finding_on_a_right_kernel_is_a_difference(self):
        unit = units.KernelUnit(3, 2)
        data = b"".join(struct.pack(f"<{1 + k.out_words()}I", *([0] * (1 + k.out_words()))) for k in unit.kernels)
        found = compare.differences(unit.kernels, data, ["k000 race_shared 12 0 "])
        self.assertEqual([(d.kind, d.kernel.name) for d in found], [("finding", "k000")])


class Races(unittest.TestCase):
    def kernel(self, is_racy):
        for i in range(100):
            kernel = races.RaceKernel(random.Random(i), "k000")
            if kernel.is_racy == is_racy:
                self.assertNotRegex(re.sub(r'"[^"]*"', "", kernel.source(1)), r"\{[A-Z]\}")
                return kernel
        raise AssertionError("none of a hundred")

    def test_a_verdict_is_right_on_the_racy_pattern_alone(self):
        racy, clean = self.kernel(True), self.kernel(False)
        at = racy.racy.first_line
        self.assertEqual(races.verdicts(racy, [("race_shared", at, 0, "")]), [])
        self.assertEqual(races.verdicts(racy, [])[0][0], "missed")
        self.assertEqual(races.verdicts(clean, []), [])
        self.assertEqual(races.verdicts(clean, [("race_global", clean.phases[0].first_line, 0, "")])[0][0], "false alarm, race_global")

    def test_every_edge_has_its_place(self):
        from patterns import GLOBAL, SHARED
        for name, (text, edges) in {**GLOBAL, **SHARED}.items():
            for edge in edges:
                for letter in edge:
                    self.assertIn("{" + letter + "}", text, name)


class Counters(unittest.TestCase):
    def test_the_table_says_which_count_differs(self):
        ours = [row[0] for row in compare_counters.COUNTERS]
        theirs = [row[1] for row in compare_counters.COUNTERS]
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "unit1.virtual.csv"), "w", encoding="utf-8") as file:
                file.write(",".join(["kernel", *ours]) + "\n" + "".join(",".join([name] + ["8"] * len(ours)) + "\n" for name in "ab"))
            with open(os.path.join(folder, "ncu.csv"), "w", encoding="utf-8") as file:
                file.write('==PROF== Connected\n"ID","Kernel Name",' + ",".join(f'"{t}"' for t in theirs) + "\n")
                file.write('"","",' + ",".join('""' for _ in theirs) + "\n")
                for name, first in (("a", "8"), ("b", "9")):
                    file.write(f'"0","{name}(const unsigned int *)","{first}",' + ",".join('"8"' for _ in theirs[1:]) + "\n")
            said = io.StringIO()
            with redirect_stdout(said):
                code = compare_counters.compare(folder, None)
        self.assertEqual(code, 1)
        self.assertIn("2 launches: 1 as on the card, 1 not", said.getvalue())
        self.assertIn("| b | global_load_requests 8 / 9 |", said.getvalue())


if __name__ == "__main__":
    unittest.main()
