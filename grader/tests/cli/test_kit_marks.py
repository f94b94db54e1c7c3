"""In a student kit, which has no solutions, the reference solutions get full marks for any GPU that is modelled: times are
compared with what the model makes of them, and with nothing measured. A run looks at some stages with one profile each;
WARPGRADE_ALL=1 at all stages with all profiles, and with another seed."""

import itertools
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(os.environ["WARPGRADE_BINARY_DIR"]) / "warpgrade-bin"
PROFILES = ["t4", "h200", "l4"]
SOME = {("reduction/sequential", "t4"), ("transpose/padding", "h200"), ("transpose/naive_write", "l4")}


def solutions():
    for path in sorted(ROOT.glob("solutions/*/*.cu")):
        yield f"{path.parent.name}/{path.stem.split('_', 1)[1]}", path


class Marks(unittest.TestCase):
    def test_the_reference_solutions_get_full_marks_in_a_kit(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "release", "--out", folder], check=True, stdout=subprocess.DEVNULL,
                           env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
            kit = pathlib.Path(folder) / "warpgrade"
            self.assertFalse((kit / "solutions").exists())
            for (stage, path), profile in itertools.product(solutions(), PROFILES):
                if "WARPGRADE_ALL" not in os.environ and (stage, profile) not in SOME:
                    continue
                for seed in ["0", "5"] if "WARPGRADE_ALL" in os.environ else ["0"]:
                    done = subprocess.run(
                        [PROGRAM, "check", path, "--stage", stage, "--profile", profile, "--seed", seed, "--format", "json"],
                        capture_output=True, text=True, cwd=kit, env={**os.environ, "WARPGRADE_ROOT": str(kit)})
                    graded = json.loads(done.stdout)["stages"][0]
                    with self.subTest(stage, profile=profile, seed=seed):
                        self.assertEqual(graded["score"]["total"], graded["score"]["max"])
                        for bandwidth in graded["bandwidth_by_class"]:
                            self.assertEqual("modelled", bandwidth["reference_origin"])

    def test_the_naive_kernel_is_as_fast_as_itself_or_not_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "release", "--out", folder], check=True, stdout=subprocess.DEVNULL,
                           env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
            kit = pathlib.Path(folder) / "warpgrade"
            done = subprocess.run([PROGRAM, "bench", ROOT / "solutions/transpose/1_naive_read.cu", "--stage",
                                   "transpose/naive_read", "--shape", "2048x2048", "--shape", "8192x8192", "--format", "json"],
                                  capture_output=True, text=True, cwd=kit, env={**os.environ, "WARPGRADE_ROOT": str(kit)})
            small, large = json.loads(done.stdout)["stages"][0]["points"]
            self.assertEqual(small["naive_gb_per_s"], 0)
            self.assertAlmostEqual(large["speedup_over_naive"], 1, delta=0.01)


if __name__ == "__main__":
    unittest.main()
