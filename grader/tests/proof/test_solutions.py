"""What is proved of the course's own solutions, and that the proofs of wrong programs stay open: `explain --proof` from
outside, as a person asks. A change that loses an obligation of a solution, or gains one, fails here."""
import json
import os
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "grader/tests/support"))
import part  # noqa: E402

sys.path.insert(0, str(ROOT / "grader/lab/mutants"))
import mutants  # noqa: E402

PROGRAM = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build/release/grader")) / "warpgrade-bin"
# As `verify --update` has recorded it: (solution, obligations)
RECORDED = [(f"{path.parent.name}/{stage}", rows) for path in sorted(ROOT.glob("solutions/*/proved.toml"))
            for stage, rows in tomllib.loads(path.read_text()).items()]
# Each leaves its obligation open, and some before it hold: (solution, text, other text, the first open one, the smallest
# shape at which the virtual GPU finds it).
SLIPS = [("transpose/1_naive_read", "x < cols && y < rows", "x <= cols && y < rows", "bounds", "1 x 1"),
         ("transpose/1_naive_read", "return dim3(across, (down - 1) / folds + 1, folds);", "return dim3(across, down);", "launch", "2097121 x 1"),
         ("transpose/2_naive_write", "grid_for(cols, rows)", "grid_for(rows, cols)", "covered", "1 x 33"),
         ("transpose/1_naive_read", "static_cast<std::size_t>(x) * rows + y", "x * rows + y", "width", "33 x 65075263"),
         ("transpose/3_corner_turning", "__syncthreads();", "", "races", "1 x 2"),
         ("transpose/3_corner_turning", "= tile[threadIdx.x][threadIdx.y]", "= tile[threadIdx.y][threadIdx.x]", "values", "2 x 2"),
         ("stencil/2_halo", "__syncthreads();", "", "races", "3 x 1"),
         ("stencil/1_five_points", "4.0f *", "3.0f *", "values", None),
         ("stencil/1_five_points", "y - 1, x)", "y - 1, x - 1)", "values", None),
         ("stencil/4_convolution", "weights[r * SIDE + c]", "weights[c * SIDE + r]", "values", None),
         ("stencil/5_wide_halo", "top + r - RADIUS", "top + r - RADIUS + 1", "values", None),
         ("reduction/3_sequential", "partial[tid] = i < n ? in[i] : 0.0f;\n    __syncthreads();", "partial[tid] = i < n ? in[i] : 0.0f;", "races", "1"),
         ("scan/1_hillis_steele", "(blockIdx.x + 1) * ELEMENTS + threadIdx.x;\n    if (i < n)", "(blockIdx.x + 1) * ELEMENTS + threadIdx.x;\n    if (i <= n)", "bounds", "1025"),
         ("repair/6_mask", "if (tid < 32) {", "if (tid < 31) {", "barriers", "1")]


def asked(*words):
    run = subprocess.run([PROGRAM, "explain", "--proof", "--format", "json", *words], capture_output=True, cwd=ROOT,
                         env=os.environ | {"WARPGRADE_ROOT": str(ROOT)}, text=True)
    return json.loads(run.stdout)["proof"][0]


def proved(claim):
    return [row["name"] for row in claim["obligations"] if row["proved"]]


@unittest.skipUnless(asked("solutions/warmup/1_one_thread.cu")["tried"], "skipped: libisl.so.23 is not installed")
class Solutions(unittest.TestCase):
    def test_what_is_recorded_is_proved_for_every_shape(self):
        files = {stage: file for file, stage in mutants.stages_by_file().items()}
        self.assertGreaterEqual(sum(len(rows) == 8 for _, rows in RECORDED), 20)
        for stage, rows in part.part_of(RECORDED, 3, "proved solutions"):
            self.assertEqual(proved(asked(f"solutions/{files[stage]}", "--stage", stage)), rows, stage)

    def test_a_claim_of_a_stage_with_several_sizes_of_blocks_is_of_one(self):
        said = "THREADS is what the file sets"
        self.assertIn(said, asked("solutions/transpose/5_coarsening.cu")["assumptions"])
        self.assertNotIn(said, asked("solutions/transpose/4_padding.cu")["assumptions"])

    def test_a_slip_leaves_its_obligation_open(self):
        stages = mutants.stages_by_file()
        for name, old, other, obligation, shape in part.part_of(SLIPS, 2, "slips"):
            source = (ROOT / f"solutions/{name}.cu").read_text()
            self.assertIn(old, source)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "slip.cu"
                path.write_text(source.replace(old, other))
                claim = asked(path, "--stage", stages[f"{name}.cu"])
            self.assertEqual([row["name"] for row in claim["obligations"] if not row["proved"]][0], obligation, f"{name}: {other}")
            self.assertFalse(claim["whole"])
            found = claim.get("refuted", {"shape": None, "finding": {"severity": "error"}})
            self.assertEqual((found["shape"], found["finding"]["severity"]), (shape, "error"), other)

    def test_a_shape_that_no_check_runs_is_found_and_costs_nothing(self):
        source = (ROOT / "solutions/transpose/1_naive_read.cu").read_text()
        old = "in[static_cast<std::size_t>(y) * cols + x]"
        self.assertIn(old, source)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "slip.cu"
            path.write_text(source.replace(old, old[:-1] + " + (rows == 5 && cols == 3 ? 1 : 0)]"))
            run = subprocess.run([PROGRAM, "check", "--device", "virtual", "--format", "json", path, "--stage", "transpose/naive_read"],
                                 capture_output=True, cwd=ROOT, env=os.environ | {"WARPGRADE_ROOT": str(ROOT)}, text=True)
        stage = json.loads(run.stdout)["stages"][0]
        self.assertEqual(stage["proof"]["refuted"]["shape"], "5 x 3")
        self.assertEqual(stage["proof"]["refuted"]["finding"]["kind"], "out_of_bounds")
        self.assertEqual(stage["proof"]["refuted"]["finding"]["severity"], "warning")  # `error` is what a mark is lost for
        self.assertEqual((run.returncode, stage["passes"], stage["score"]["correctness"]), (0, True, 5))


if __name__ == "__main__":
    unittest.main()
