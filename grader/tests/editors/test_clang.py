"""An editor shows no error where there is none, and shows those that are there: clang, with exactly the flags that
assignments/compile_flags.txt gives to clangd. A run takes a part of the files; WARPGRADE_ALL=1 all."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "grader/tests/support"))
from part import IS_ALL, part_of  # noqa: E402

CLANGS = sorted({Path(found).resolve() for name in ["clang", *(f"clang-{number}" for number in range(14, 24))]
                 if (found := shutil.which(name))})
FOLDERS = {"assignments": "assignments/*/[0-9]*.cu", "solutions": "solutions/**/*.cu", "handouts": "handouts/kernels/*.cu"}
WITHOUT_LIBRARY = ["-nostdinc++", "-nostdlibinc"]  # as on a computer without a compiler

RIGHT = """
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;
struct Plus { __device__ float operator()(float x, float y) const { return x + y; } };
__constant__ float weights[9];
__device__ unsigned ticket;
constexpr int rounded_up(int a, int b) { return (a + b - 1) / b; }
int plain_helper(int a) { return a; }
template <class T, int Tile, class Operation>
__global__ void __launch_bounds__(256, 2) all(const T* __restrict__ in, T* out, int n, Operation operation) {
    extern __shared__ __align__(16) unsigned char bytes[];
    __shared__ alignas(16) T tile[Tile][Tile + 1];
    __shared__ alignas(float4) float4 wide[4];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    struct Local { T value; int index; } best{in[0], 0};
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    tile[threadIdx.y][threadIdx.x] = i < n ? __ldg(&in[i]) : T(0);
    wide[0] = *reinterpret_cast<const float4*>(in);
    __syncthreads();
    bar.arrive_and_wait();
    best = __shfl_down_sync(0xffffffffu, best, 1);
    T sum = operation(tile[0][0], best.value) + T(sqrtf(2.f) + fabs(3.0) + pow(2.f, 2) + std::max(1, 2) + rsqrtf(4.f));
    for (int step = warpSize / 2; step > 0; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step);
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const cg::thread_block_tile<32> same = warp;
    sum = cg::reduce(same, sum, cg::plus<T>()) + cg::inclusive_scan(warp, sum, [](T x, T y) { return x + y; });
    atomicAdd(out, sum);
    if (atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1) __threadfence();
    cuda::atomic_ref<unsigned, cuda::thread_scope_device>(ticket).fetch_add(1u, cuda::memory_order_relaxed);
    __pipeline_memcpy_async(bytes, in, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    std::swap(best.value, sum);
    memcpy(out, &sum, sizeof sum);
    const __half half = __float2half(1.f);
    const unsigned mask = __ballot_sync(__activemask(), min(n, 4) > 2) | __popc(__clz(i));
    asm volatile("cp.async.commit_group;" ::"r"(mask));
    assert(n > 0);
    printf("%d %f %d\\n", plain_helper(rounded_up(n, 4)), __half2float(half), int(clock64()));
    new (bytes) T(sum);
    std::uint32_t word = __float_as_uint(weights[0]);
    out[word] = isnan(float(sum)) ? T(0) : sum;
}
void launcher(const float* in, float* out, int n) {
    cudaStream_t stream = cudaStreamPerThread;
    cudaMemsetAsync(out, 0, sizeof *out, stream);
    cudaFuncSetAttribute(all<float, 32, Plus>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    all<float, 32><<<dim3(rounded_up(n, 32)), dim3(32, 8), 4096, stream>>>(in, out, n, Plus());
    if (cudaGetLastError() != cudaSuccess) return;
    const float* arguments[] = {in};
    cudaLaunchKernel(all<float, 32, Plus>, dim3(1), dim3(32), (void**)arguments);
}
"""

# What a beginner writes, and the line that the editor marks.
WRONG = {
    "a semicolon is missing": ("    int x = threadIdx.x\n    out[x] = 0;", 3),
    "a name is mistyped": ("    out[thread_idx.x] = 0;", 3),
    "a member is mistyped": ("    out[threadIdx.u] = 0;", 3),
    "a function is mistyped": ("    __syncthread();", 3),
    "a pointer is stored": ("    out[0] = in;", 3),
    "a type does not fit": ("    int* p = out;", 3),
    "a number is called": ("    out[0] = in(0);", 3),
    "an input is changed": ("    in[0] = 1;", 3),
    "a place of shared memory has no type": ("    __shared__ tile[32];", 3),
    "an atomic gets two types": ("    atomicAdd(out, in);", 3),
    "a bracket is missing": ("    out[threadIdx.x = 0;", 3),
    "too few arguments": ("}\nvoid launcher(float* out) {\n    kernel<<<1, 32>>>(out);", 5),
    "a launch without its shape": ("}\nvoid launcher(float* out) {\n    kernel(out, out);", 5),
    "a block of nothing": ("}\nvoid launcher(float* out) {\n    kernel<<<1>>>(out, out);", 5),
    "a launch of no kernel": ("}\nvoid helper(float*) {}\nvoid launcher(float* out) {\n    helper<<<1, 2>>>(out);", 6),
    "an unknown header": ("}\n#include <cuda_runtim.h>\nvoid launcher() {", 4),
}


def flags(folder):
    return (ROOT / folder / "compile_flags.txt").read_text().split()


def messages(clang, file, folder, *more):
    """What the editor would show of the file."""
    done = subprocess.run([clang, "-fsyntax-only", *flags(folder), *more, file], cwd=ROOT / folder, capture_output=True, text=True)
    return done.stderr


@unittest.skipUnless(CLANGS, "skipped: there is no clang here (Debian: apt-get install clang)")
class Clang(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="warpgrade-editor-")
        self.addCleanup(place.cleanup)
        self.file = Path(place.name) / "file.cu"

    def test_files_of_the_course_have_no_message(self):
        all_files = [(folder, path) for folder, pattern in FOLDERS.items() for path in sorted(ROOT.glob(pattern))]
        self.assertGreater(len(all_files), 100)
        for clang in CLANGS if IS_ALL else CLANGS[:1]:
            for folder, path in part_of(all_files, 12, f"files for {clang.name}"):
                with self.subTest(clang.name, file=path.name):
                    self.assertEqual(messages(clang, path, folder), "")

    def test_what_a_kernel_may_use_is_known(self):
        self.file.write_text(RIGHT)
        for clang in CLANGS:
            with self.subTest(clang.name):
                self.assertEqual(messages(clang, self.file, "assignments"), "")

    def test_a_computer_without_a_compiler_will_do(self):
        self.file.write_text(RIGHT)
        # Whole programs use that library.
        stubs = [path for path in sorted(ROOT.glob(FOLDERS["assignments"])) if "int main(" not in path.read_text()]
        files = [self.file, *part_of(stubs, 20, "stubs without a C++ library")]
        for path in files:
            with self.subTest(path.name):
                self.assertEqual(messages(CLANGS[-1], path, "assignments", *WITHOUT_LIBRARY), "")

    def test_a_cuda_toolkit_is_neither_needed_nor_looked_at(self):
        self.file.write_text(RIGHT)
        toolkit = self.file.parent / "cuda"
        for name in ("bin", "include", "nvvm/libdevice", "lib64"):
            (toolkit / name).mkdir(parents=True)
        (toolkit / "include" / "cuda_runtime.h").write_text("#error the toolkit's own")
        (toolkit / "version.json").write_text('{"cuda": {"version": "13.0.1"}}')
        for path in (toolkit, "/nowhere"):
            with self.subTest(path):
                self.assertEqual(messages(CLANGS[-1], self.file, "assignments", f"--cuda-path={path}"), "")

    def test_mistakes_are_shown_at_their_line(self):
        for clang in CLANGS if IS_ALL else CLANGS[:1]:
            for name, (body, line) in WRONG.items():
                self.file.write_text("#include <cuda_runtime.h>\n__global__ void kernel(const float* in, float* out) {\n"
                                     f"{body}\n}}\n")
                with self.subTest(name, clang=clang.name):
                    found = messages(clang, self.file, "assignments")
                    at = [int(number) for number in re.findall(r"file\.cu:(\d+):\d+: (?:fatal )?error", found)]
                    self.assertTrue(at, found)
                    self.assertEqual(at[0], line, found)

    @unittest.skipUnless(shutil.which("clangd"), "skipped: there is no clangd here (Debian: apt-get install clangd)")
    def test_clangd_finds_the_flags_by_itself(self):
        for path in ("assignments/transpose/4_padding.cu", "handouts/kernels/tiles.cu", "solutions/scan/5_open.cu"):
            with self.subTest(path):
                said = subprocess.run(["clangd", f"--check={ROOT / path}", "--check-lines=1-2"], capture_output=True, text=True).stderr
                self.assertNotRegex(said, r"(?m)^E\[")
                self.assertIn("editor.h", said)


class Flags(unittest.TestCase):
    def test_the_folders_have_the_same_flags(self):
        inner = flags("assignments")
        for folder in ("solutions", "handouts"):
            outer = [word.replace("../assignments/", "") for word in flags(folder)]
            self.assertEqual(outer, inner)


if __name__ == "__main__":
    unittest.main()
