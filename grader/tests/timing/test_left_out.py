"""What is timed is what was checked: kernels that do nothing, or something else, where the input is longer than any that
is checked."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve() / "warpgrade-bin"

COPY_ALONE = """
__global__ void copy(const unsigned* in, unsigned* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
__global__ void add(const unsigned* in, unsigned* out, int n) {
    if (n > 1100000) return;
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) out[i] = sum += in[i];
}
void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    copy<<<(n + 255) / 256, 256>>>(in, out, n);
    add<<<1, 1>>>(in, out, n);
}
"""

# From 2^26 elements on the place begins again at 0; seed 1 draws 8960 x 8448.
TIMES_64 = """
__global__ void scaled(const float* in, float* out, int rows, int cols) {
    const unsigned x = blockIdx.x * 32 + threadIdx.x;
    for (unsigned y = blockIdx.y; y < (unsigned)rows; y += gridDim.y) {
        const unsigned at = (y * cols + x) * 64u;
        if (x < (unsigned)cols) out[(size_t)x * rows + y] = in[at >> 6];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    scaled<<<dim3((cols + 31) / 32, rows < 60000 ? rows : 60000), 32>>>(in, out, rows, cols);
}
"""


@unittest.skipUnless(BINARY.exists(), "not built")
class LeftOut(unittest.TestCase):
    def check(self, source, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "submission.cu"
            path.write_text(source, encoding="utf-8")
            done = subprocess.run([BINARY, "check", path, *options, "--device", "virtual"], text=True, capture_output=True,
                                  env=dict(os.environ, WARPGRADE_ROOT=str(ROOT)), stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("error[wrong_output]: the output is wrong on a shape that is timed", done.stdout)
        return done.stdout

    def test_a_kernel_that_leaves_its_work_out_where_it_is_timed_is_wrong_there(self):
        self.assertIn("performance 0/13", self.check(COPY_ALONE, "--stage", "scan/open"))

    def test_an_index_that_begins_again_where_it_is_timed_is_wrong_there(self):
        self.assertIn("performance 0/1", self.check(TIMES_64, "--stage", "transpose/naive_read", "--seed", "1"))


if __name__ == "__main__":
    unittest.main()
