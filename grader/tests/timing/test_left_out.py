"""What is timed is what was checked: a kernel that does nothing where the input is longer than any that is checked."""

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


@unittest.skipUnless(BINARY.exists(), "not built")
class LeftOut(unittest.TestCase):
    def test_a_kernel_that_leaves_its_work_out_where_it_is_timed_is_wrong_there(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scan.cu"
            path.write_text(COPY_ALONE, encoding="utf-8")
            done = subprocess.run([BINARY, "check", path, "--stage", "scan/open", "--device", "virtual"], text=True,
                                  env=dict(os.environ, WARPGRADE_ROOT=str(ROOT)), capture_output=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("error[wrong_output]: the output is wrong on a shape that is timed", done.stdout)
        self.assertIn("performance 0/13", done.stdout)


if __name__ == "__main__":
    unittest.main()
