"""The figures of h200/validation.md are those of the present model and profile, and the references keep their order.

A dozen of its cells are predicted again; the whole table is made by validate.py, unseen.md and blind.md beside it by
unseen.py and blind.py.
"""
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tomllib
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import generate  # noqa: E402
import described  # noqa: E402
import predictions  # noqa: E402
import unseen  # noqa: E402

ROOT = HERE.parents[2]
PROFILE = ROOT / "grader/profiles/h200.toml"
BINARY = pathlib.Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build/release/grader")) / "model_validate"
AGAIN = [
    ("copy1", "8192x8192"), ("copy4_stride4", "4096x4096"), ("naive_read64x4", "4096x4096"), ("naive_write8x32", "8192x8192"),
    ("smem32", "4096x4096"), ("pad16", "8191x8193"), ("coarse64x8", "8191x8193"), ("coarse32x8_rolled", "8192x8192"),
    ("r2_t64", "67108864"), ("r4_unroll", "1048576"), ("r6_vec4", "67108864"), ("atomic_block", "16777216"),
]
ORDERED_AT = {"transpose": "8192x8192", "reduction": "67108864"}
DRIFT = 0.02  # another compiler's last bit may move a simulated block by as much; cells are rounded to half a percent
CLEARLY_SLOWER = 1.15


def recorded():
    """{(kernel, shape): error of the prediction} of the cells of validation.md."""
    cells, shapes = {}, []
    for line in (HERE / "h200/validation.md").read_text().splitlines():
        columns = [c.strip() for c in line.strip("|").split("|")]
        if columns[:2] == ["kernel", "half"]:
            shapes = columns[2:]
        elif len(columns) == len(shapes) + 2 and columns[1] in ("fit", "held", "solution"):
            for shape, cell in zip(shapes, columns[2:]):
                if cell:
                    cells[columns[0], shape] = float(cell.split()[1].rstrip("%")) / 100
    return cells


class Predicted(unittest.TestCase):
    def test_tables_are_of_their_sources(self):
        blind = sorted(path.stem for card in ("h100", "h200") for path in (HERE / card).glob("blind*.md"))
        self.assertIn("blind", blind)
        for name, words in [("unseen", ["unseen.py", "table"]), *((name, ["blind.py", "table", name]) for name in blind)]:
            with self.subTest(name):
                made = subprocess.run([sys.executable, HERE / words[0], *words[1:]], text=True, check=True, stdout=subprocess.PIPE)
                written = HERE / ("h100" if name == "blind4" else "h200") / f"{name}.md"
                self.assertEqual(made.stdout, written.read_text(), msg=f"`{' '.join(words)}` writes it again")


class BlindSets(unittest.TestCase):
    def test_each_has_its_kernels_whose_definitions_are_of_their_files(self):
        sets = sorted(path.parent.name for path in HERE.glob("blind*/kernels.csv"))
        self.assertEqual(sets, ["blind", "blind2", "blind3", "blind4"])
        for name in sets:
            rows = list(generate.blind_variants(name))
            self.assertEqual(len({row[0] for row in rows}), 32 if name == "blind4" else 60)
            self.assertEqual({row[2] for row in rows}, set((HERE / name).glob("*.cu")))
            for kernel, _, path, definitions in rows:
                macros = re.findall(r"^#ifndef (\w+)", path.read_text(), re.M)
                with self.subTest(kernel):
                    self.assertLessEqual(set(definitions), set(macros))


@unittest.skipUnless(BINARY.exists(), f"skipped: {BINARY} is not built")
class KnownErrors(unittest.TestCase):
    def test_profiles_state_what_the_tables_have(self):
        for card, problems in (("h200", 5), ("h100", 3)):
            stated = {one["problem"]: one for one in tomllib.loads((ROOT / f"grader/profiles/{card}.toml").read_text())["error"]}
            found = unseen.known_errors(card)
            self.assertEqual(stated.keys(), found.keys())
            self.assertEqual(len(found), problems)
            for problem, errors in found.items():
                with self.subTest(f"{card} {problem}"):
                    one = stated[problem]
                    self.assertEqual(one["rows"], len(errors))
                    self.assertAlmostEqual(one["median"], statistics.median(errors), delta=0.0006)
                    self.assertAlmostEqual(one["nine_of_ten"], predictions.quantile(errors, 0.9), delta=0.0006)
                    self.assertTrue((ROOT / one["source"]).exists())


class Validation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.measured, _ = predictions.measured(PROFILE)
        cls.references = [k for k in cls.measured if k[0].startswith("solution_") and not k[0][-1].isdigit()
                          and "copy" not in k[0] and k[1] == ORDERED_AT[k[0].split("_")[1]]]
        predicted = predictions.predict(BINARY, PROFILE, {*AGAIN, *cls.references})
        cls.predicted = {key: p["microseconds"] for key, p in predicted.items()}

    def test_recorded_cells_are_predicted_again(self):
        cells = recorded()
        for key in AGAIN:
            with self.subTest(key):
                error = self.predicted[key] / self.measured[key].microseconds - 1
                self.assertAlmostEqual(error, cells[key], delta=DRIFT + 0.005,
                                       msg="validate.py writes the table again, if the change is meant")

    def test_references_are_in_the_measured_order(self):
        self.assertEqual(len(self.references), 15)
        pairs = 0
        for slow in self.references:
            for fast in self.references:
                if slow[1] != fast[1] or self.measured[slow].microseconds <= CLEARLY_SLOWER * self.measured[fast].microseconds:
                    continue
                pairs += 1
                with self.subTest(slow=slow[0], fast=fast[0]):
                    self.assertGreater(self.predicted[slow], self.predicted[fast])
        self.assertGreater(pairs, 35)


@unittest.skipUnless(described.BINARY.exists(), f"skipped: {described.BINARY} is not built")
class Described(unittest.TestCase):
    """Of assignments that the model was not made with; the others are in described.md."""

    def test_solutions_take_about_the_time_that_was_measured(self):
        for name in ("stencil/2_halo", "scan/4_warp_shuffles", "histogram/2_privatised", "histogram/4_open"):
            for shape_class, _, _, error in described.errors_of(described.ROOT / "solutions" / f"{name}.cu"):
                if shape_class == "aligned":
                    with self.subTest(name):
                        self.assertLess(abs(error), 0.2)


if __name__ == "__main__":
    unittest.main()
