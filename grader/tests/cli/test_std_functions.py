"""What of the C++ standard library may be called where. std/functions.txt has a use of each function; nvcc's verdicts on
them, in a kernel and in a launcher, are in std/verdicts.tsv (WARPGRADE_BLESS=1 asks nvcc again). In kernels the kit's are
the same; for a launcher, it has no algorithms that are not constexpr in C++17, and says so."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from test_legality import FILES, NVCC, PROGRAM, ROOT  # noqa: E402

VERDICTS = FILES / "std/verdicts.tsv"

HEADERS = "utility tuple array algorithm numeric limits type_traits functional iterator cmath cstdlib cstring".split()
KERNEL = """
__global__ void move(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}
"""
LAUNCH = "const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);\n    move<<<grid, block>>>(in, out, rows, cols);\n}\n"


def uses():
    """[(header and name, use)]"""
    lines = (FILES / "std/functions.txt").read_text().splitlines()
    return [tuple(line.split(" | ")) for line in lines if line and not line.startswith("#")]


def in_kernels(rows):
    """A source with a kernel a line, and what its first line's number is"""
    head = "".join(f"#include <{h}>\n" for h in HEADERS) + "#include <cuda_runtime.h>\n" + KERNEL
    kernels = [f"__global__ void use_{k}(int* p, int a, int b, float f) {{ {use}; p[0] = a + b + int(f); }}\n"
               for k, (_, use) in enumerate(rows)]
    calls = "".join(f"    use_{k}<<<1, 1>>>((int*)out, rows, cols, 1.0f);\n" for k in range(len(rows)))
    text = head + "".join(kernels) + "void transpose(const float* in, float* out, int rows, int cols) {\n"
    return text + "    if (rows < 0) {\n" + calls + "    }\n    " + LAUNCH, head.count("\n") + 1


def in_launcher(rows):
    head = "".join(f"#include <{h}>\n" for h in HEADERS) + "#include <cuda_runtime.h>\n" + KERNEL
    head += "void transpose(const float* in, float* out, int rows, int cols) {\n"
    head += "    int a = rows, b = cols, values[8] = {1, 2, 3, 4, 5, 6, 7, 8}; int* p = values; float f = 1.0f;\n"
    text = head + "".join(f"    {{ {use}; }}\n" for _, use in rows)
    return text + "    if (a + b + *p + int(f) == 12345678) return;\n    " + LAUNCH, head.count("\n") + 1


def lines_by_nvcc(path):
    done = subprocess.run([NVCC, "-std=c++17", "-arch=sm_80", "-Xcudafe", "--error_limit=10000", "-c", str(path), "-o", "/dev/null"],
                          capture_output=True, text=True)
    lines = {int(n): text for n, text in re.findall(re.escape(str(path)) + r"\((\d+)\): error(.*)", done.stderr)}
    assert lines or done.returncode == 0, done.stderr
    return lines


def lines_by_kit(path):
    done = subprocess.run([PROGRAM, "check", str(path), "--stage", "transpose/naive_read", "--shape", "1x1", "--format", "json"],
                          capture_output=True, text=True, cwd=ROOT, env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
    result = json.loads(done.stdout)["stages"][0]
    errors = [m for m in result["compile"]["diagnostics"] if m["severity"] == "error"]
    assert errors or result["compile"]["ok"], done.stdout
    return {m["line"]: m["message"] for m in errors}


def refused(rows, source_of, lines_of):
    """{use: why} of those that are refused: what stands beside an error may not be looked at, so it is asked again without."""
    left, found = list(rows), {}
    with tempfile.TemporaryDirectory() as folder:
        while left:
            text, first = source_of(left)
            path = pathlib.Path(folder) / "uses.cu"
            path.write_text(text, encoding="utf-8")
            lines = {n: why for n, why in lines_of(path).items() if first <= n < first + len(left)}
            if not lines:
                break
            found |= {left[n - first][0]: why for n, why in lines.items()}
            left = [row for k, row in enumerate(left) if first + k not in lines]
    return found


class StdFunctions(unittest.TestCase):
    maxDiff = None

    @unittest.skipUnless(NVCC and "WARPGRADE_BLESS" in os.environ, "skipped: nvcc is asked with WARPGRADE_BLESS=1 alone")
    def test_0_bless(self):
        kernel, launcher = (refused(uses(), source_of, lines_by_nvcc) for source_of in (in_kernels, in_launcher))
        rows = [f"{name}\t{'no' if name in kernel else 'yes'}\t{'no' if name in launcher else 'yes'}" for name, _ in uses()]
        VERDICTS.write_text("\n".join(["name\tkernel\tlauncher", *rows]) + "\n", encoding="utf-8")

    def test_the_kit_says_what_nvcc_says(self):
        rows = [line.split("\t") for line in VERDICTS.read_text(encoding="utf-8").splitlines()[1:]]
        self.assertEqual([name for name, _ in uses()], [name for name, _, _ in rows])
        self.assertEqual({name for name, kernel, _ in rows if kernel == "no"}, refused(uses(), in_kernels, lines_by_kit).keys())
        by_kit = refused(uses(), in_launcher, lines_by_kit)
        for name, _, launcher in rows:
            with self.subTest(name):
                if launcher == "no":
                    self.assertIn(name, by_kit)
                elif name in by_kit:
                    self.assertRegex(by_kit[name], "is for host programs|the kit's standard library has no")


if __name__ == "__main__":
    unittest.main()
