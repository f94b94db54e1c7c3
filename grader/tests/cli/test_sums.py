"""A right float sum is right in whatever order it is made; one that rounds, drops, doubles or scales is wrong in any.

40 programs each: an order inside of the block, an order over the blocks, and, for the wrong ones, something done to the
values on the way. A run tries a part of them with one seed; WARPGRADE_ALL=1 all of them with three."""

import concurrent.futures
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "grader/tests/support"))
from part import IS_ALL, part_of  # noqa: E402

PROGRAM = pathlib.Path(os.environ["WARPGRADE_BINARY_DIR"]) / "warpgrade-bin"

SOURCE = """#include <cstddef>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int THREADS = %(threads)d;

__device__ float taken(const float* in, std::size_t i, std::size_t n) {
    float value = in[i];
    %(spoil)s
    return value;
}

__global__ void block_sums(const float* in, std::size_t n, float* sums) {
    __shared__ float part[THREADS];
    const int t = threadIdx.x;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * THREADS;
    float own = 0.0f;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + t; i < n; i += step) own += taken(in, i, n);
    part[t] = own;
    __syncthreads();
    %(inside)s
}

__global__ void all_sums(const float* sums, int count, float* out) {
    float sum = 0.0f;
    %(over)s
    *out = sum;
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    if (n == 0) {
        cudaMemsetAsync(out, 0, sizeof(float));
        return;
    }
    const std::size_t wanted = (n + THREADS * %(each)d - 1) / (THREADS * %(each)d);
    const int blocks = static_cast<int>(wanted < 4000 ? wanted : 4000);
    block_sums<<<blocks, THREADS>>>(in, n, scratch);
    all_sums<<<1, 1>>>(scratch, blocks, out);
}
"""

INSIDE = {
    "forwards": "if (t == 0) { float s = 0.0f; for (int k = 0; k < THREADS; ++k) s += part[k]; sums[blockIdx.x] = s; }",
    "backwards": "if (t == 0) { float s = 0.0f; for (int k = THREADS; k-- > 0;) s += part[k]; sums[blockIdx.x] = s; }",
    "by thirds": "if (t < 3) { float s = 0.0f; for (int k = t; k < THREADS; k += 3) s += part[k]; __syncwarp(7); "
                 "part[t] = s; __syncwarp(7); if (t == 0) sums[blockIdx.x] = part[0] + part[1] + part[2]; }",
    "chain of threads": "for (int k = 1; k < THREADS; ++k) { if (t == k) part[k] += part[k - 1]; __syncthreads(); } "
                        "if (t == THREADS - 1) sums[blockIdx.x] = part[t];",
    "tree": "for (int s = 1; s < THREADS; s *= 2) { if (t % (2 * s) == 0 && t + s < THREADS) part[t] += part[t + s]; "
            "__syncthreads(); } if (t == 0) sums[blockIdx.x] = part[0];",
}
OVER = {
    "forwards": "for (int k = 0; k < count; ++k) sum += sums[k];",
    "backwards": "for (int k = count; k-- > 0;) sum += sums[k];",
    "even, then odd": "for (int k = 0; k < count; k += 2) sum += sums[k]; for (int k = 1; k < count; k += 2) sum += sums[k];",
    "two sums": "float other = 0.0f; for (int k = 0; k < count; ++k) (k %% 2 ? other : sum) += sums[k]; sum += other;",
}
SHAPES = [(256, 1), (96, 3)]
SPOILS = {
    "half precision": "value = __half2float(__float2half(value));",
    "16 bits of it": "value = __uint_as_float(__float_as_uint(value) & 0xffff0000u);",
    "whole numbers": "value = static_cast<float>(static_cast<int>(value));",
    "hundredths": "value = rintf(value * 64.0f) / 64.0f;",
    "scaled": "value *= 1.0002f;",
    "without the last": "if (i == n - 1) value = 0.0f;",
    "the first twice": "if (i == 0) value += value;",
    "without negative ones": "value = value < 0.0f ? 0.0f : value;",
    "without NaN": "if (value != value) value = 0.0f;",
    "with a small number": "value += 0.001f;",
}


def program(inside, over, shape, spoil=""):
    return SOURCE % {"inside": INSIDE[inside], "over": OVER[over].replace("%%", "%"), "threads": shape[0], "each": shape[1],
                     "spoil": spoil}


RIGHT = {f"{a}, over blocks {b}, {s[0]} threads": program(a, b, s)
         for a, b, s in itertools.product(INSIDE, OVER, SHAPES)}
WRONG = {f"{w}, {a}, over blocks {b}": program(a, b, SHAPES[0], SPOILS[w])
         for w, a, b in itertools.product(SPOILS, ["forwards", "tree"], ["forwards", "two sums"])}


def correctness(text, seed):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "sum.cu"
        path.write_text(text)
        done = subprocess.run([PROGRAM, "check", path, "--stage", "reduction/open", "--seed", seed, "--format", "json"],
                              capture_output=True, text=True, env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
    stage = json.loads(done.stdout)["stages"][0]
    return stage["compile"]["ok"], stage["correctness"]["passed"] == stage["correctness"]["total"]


class Sums(unittest.TestCase):
    def hold(self, programs, is_right, parts):
        self.assertEqual(len(programs), 40)
        programs = dict(part_of(programs.items(), parts, "sums"))
        for seed in ("1", "2", "3") if IS_ALL else ("1",):
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                found = pool.map(correctness, programs.values(), itertools.repeat(seed))
                for name, verdict in zip(programs, found):
                    with self.subTest(name, seed=seed):
                        self.assertEqual((True, is_right), verdict)

    def test_any_order_of_float_additions_is_right(self):
        self.hold(RIGHT, True, 20)  # each is timed, too

    def test_what_is_done_to_the_values_is_found_in_any_order(self):
        self.hold(WRONG, False, 10)


if __name__ == "__main__":
    unittest.main()
