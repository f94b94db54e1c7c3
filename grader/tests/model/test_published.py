"""The table of published times is that of the present model and profiles, and the profiles state the error bands that
follow from it."""
import os
import pathlib
import re
import sys
import tomllib
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import published  # noqa: E402

ROOT = HERE.parents[2]
BINARY = pathlib.Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build/release/grader")) / "model_validate"
DRIFT = 0.02  # another compiler's last bit may move a simulated block by as much


def recorded():
    """[ratio] of the rows of published.md, in their order."""
    lines = (HERE / "published.md").read_text().split("\n## Error bands")[0].splitlines()
    return [float(line.split("|")[6].strip(" *")) for line in lines if re.search(r"\| \d+ \| \d+ \| [\d.]+", line)]


def profiles():
    return {name: tomllib.loads((ROOT / f"grader/profiles/{name}.toml").read_text()) for name in published.PROFILES}


class Rows(unittest.TestCase):
    def test_each_has_what_it_is_compared_by_or_the_reason_why_it_is_not(self):
        for row in published.rows():
            with self.subTest(f"{row['card']}: {row['what']}"):
                self.assertIn(row["profile"], published.PROFILES)
                self.assertIn(row["source"], published.SOURCES)
                if not row["left_out"]:
                    self.assertTrue((HERE / row["file"]).is_file(), msg=row["file"])
                    self.assertGreater(float(row["microseconds"]), 0)

    def test_definitions_are_of_their_files(self):
        for row in published.rows():
            for word in row["definitions"].replace("|", " ").split():
                with self.subTest(f"{row['what']}: {word}"):
                    self.assertIn(f"#ifndef {word.split('=')[0]}\n", (HERE / row["file"]).read_text())

    def test_parameters_that_are_taken_from_a_row_say_so(self):
        for row in published.rows():
            if row["taken_from_it"]:
                with self.subTest(row["what"]):
                    source = profiles()[row["profile"]]["model"][row["taken_from_it"]]["source"]
                    self.assertTrue(source.startswith("published: "), msg=source)

    def test_every_uncalibrated_profile_is_among_them(self):
        all_of_them = {path.stem: tomllib.loads(path.read_text()) for path in (ROOT / "grader/profiles").glob("*.toml")}
        self.assertEqual(set(published.PROFILES), {name for name, p in all_of_them.items() if p["state"] == "uncalibrated"})


@unittest.skipUnless(BINARY.exists(), f"skipped: {BINARY} is not built")
class Modelled(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pairs = published.compare(BINARY)

    def test_the_table_is_that_of_the_present_model(self):
        ratios = recorded()
        in_order = [(row, us) for profile in published.PROFILES for row, us in self.pairs if row["profile"] == profile]
        self.assertEqual(len(ratios), len(in_order))
        for (row, us), ratio in zip(in_order, ratios):
            with self.subTest(f"{row['card']}: {row['what']}"):
                now = us / float(row["microseconds"])
                self.assertAlmostEqual(now / ratio, 1, delta=DRIFT + 0.005, msg="published.py writes the table again, if the change is meant")

    def test_profiles_state_the_bands(self):
        for name, band in published.bands(published.errors_of(self.pairs)).items():
            with self.subTest(name):
                self.assertAlmostEqual(profiles()[name]["error_band"], band, delta=DRIFT + 0.005)


if __name__ == "__main__":
    unittest.main()
