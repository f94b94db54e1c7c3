"""The programs of reader_programs.py: (name, stage, what is wrong, the row that it breaks, a shape that shows it, text)."""
HEAD = "#include <cuda_runtime.h>\n#include <cstddef>\n#include <cstdint>\nusing std::size_t;\n"
PROGRAMS = []


def add(name, stage, why, breaks, shape, text):
    PROGRAMS.append((name, stage, why, breaks, shape, HEAD + text))


def flat(name, why, breaks, shape, body, grid="(unsigned)((n - 1) / 256 + 1)", block="256", before="", extra="", kernel_args="", args="", launch=None, shared=""):
    launch = launch or f"k<<<{grid}, {block}{shared}>>>(in, out, n{args});"
    add(name, "warmup/guard", why, breaks, shape, f"""{extra}
__global__ void k(const float* in, float* out, size_t n{kernel_args}) {{
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    {body}
}}
void copy(const float* in, float* out, int rows, int cols) {{
    const size_t n = static_cast<size_t>(rows) * cols;
    if (n == 0) return;
    {before}
    {launch}
}}
""")


def tiles(name, why, breaks, shape, load="if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[static_cast<size_t>(y) * cols + x];",
          sync="__syncthreads();", store="if (x2 < rows && y2 < cols) out[static_cast<size_t>(y2) * rows + x2] = tile[threadIdx.x][threadIdx.y];",
          tile="__shared__ float tile[32][33];", launch="k<<<grid, dim3(32, 32)>>>(in, out, rows, cols);", before=""):
    add(name, "transpose/padding", why, breaks, shape, f"""
__global__ void k(const float* in, float* out, int rows, int cols) {{
    {tile}
    const int tile_col = blockIdx.x, tile_row = blockIdx.z * gridDim.y + blockIdx.y;
    const int x = tile_col * 32 + threadIdx.x, y = tile_row * 32 + threadIdx.y;
    {load}
    {sync}
    const int x2 = tile_row * 32 + threadIdx.x, y2 = tile_col * 32 + threadIdx.y;
    {store}
}}
void transpose(const float* in, float* out, int rows, int cols) {{
    if (rows == 0 || cols == 0) return;
    const int across = (cols - 1) / 32 + 1, down = (rows - 1) / 32 + 1, folds = (down - 1) / 65535 + 1;
    const dim3 grid(across, (down - 1) / folds + 1, folds);
    {before}
    {launch}
}}
""")

# --- vectors, parts and widths
flat("vector_of_halves_low", "ld.v2.u16, then the first register stored as 32 bits: the upper half is lost", "values", "3x5",
     'if (i < n) { unsigned a, b; asm volatile("{.reg .u16 p, q; ld.global.v2.u16 {p, q}, [%2]; cvt.u32.u16 %0, p; cvt.u32.u16 %1, q;}" : "=r"(a), "=r"(b) : "l"(in + i)); out[i] = __uint_as_float(a); }')
flat("vector_wide_registers", "ld.v2.u16 into 32-bit registers; the first one is stored", "values", "3x5",
     'if (i < n) { asm volatile("{.reg .b32 p, q; ld.global.v2.u16 {p, q}, [%0]; st.global.b32 [%1], p;}" :: "l"(in + i), "l"(out + i)); }')
flat("vector_bytes_as_halves", "ld.v4.u8, of which two are stored as v2.u16", "values", "3x5",
     'if (i < n) { asm volatile("{.reg .b16 p, q, r, s; ld.global.v4.u8 {p, q, r, s}, [%0]; st.global.v2.u16 [%1], {p, q};}" :: "l"(in + i), "l"(out + i)); }')
flat("vector_bytes_exchanged", "the halves of an element exchanged", "values", "3x5",
     'if (i < n) { asm volatile("{.reg .b16 p, q; ld.global.v2.u16 {p, q}, [%0]; st.global.v2.u16 [%1], {q, p};}" :: "l"(in + i), "l"(out + i)); }')
flat("vector_right", "right: both halves in their order", "", "3x5",
     'if (i < n) { asm volatile("{.reg .b16 p, q; ld.global.v2.u16 {p, q}, [%0]; st.global.v2.u16 [%1], {p, q};}" :: "l"(in + i), "l"(out + i)); }')
flat("narrow_store", "the low half of each element only", "values", "3x5",
     'if (i < n) reinterpret_cast<unsigned short*>(out)[2 * i] = reinterpret_cast<const unsigned short*>(in)[2 * i];')
flat("float4_copy", "vectors of four: the last elements are left out", "covered", "1x1",
     'if (4 * i + 3 < n) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];')
flat("float4_past", "vectors of four past the end", "bounds", "1x1",
     'if (4 * i < n) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];')
flat("low_bits_lost", "the lowest bit of each element is cleared", "values", "3x5",
     'if (i < n) out[i] = __uint_as_float(__float_as_uint(in[i]) & 0xfffffffeu);')
flat("plus_zero", "in + 0: -0 becomes 0, bits differ", "values", "52x60", 'if (i < n) out[i] = in[i] + 0.0f;')
flat("times_one", "in * 1: NaN payloads", "", "3x5", 'if (i < n) out[i] = in[i] * 1.0f;')
# --- packed arithmetic, carries, odd instructions
flat("packed_add", "16-bit pairs added: the carry is lost", "covered", "300x300",
     'unsigned j; asm volatile("add.u16x2 %0, %1, %2;" : "=r"(j) : "r"(blockIdx.x * 256u), "r"(threadIdx.x * 1u)); size_t t = j; if (t < n) out[t] = in[t];')
flat("packed_add_2", "16-bit pairs added: the carry from bit 15 is lost", "once", "300x300",
     'unsigned j; asm volatile("add.s16x2 %0, %1, %2;" : "=r"(j) : "r"(blockIdx.x * 255u), "r"(threadIdx.x + blockIdx.x)); size_t t = j; if (t < n) out[t] = in[t];')
flat("packed_neg", "neg of a pair", "values", "300x300",
     'unsigned j; asm volatile("add.s16x2 %0, %1, 0;" : "=r"(j) : "r"((unsigned)i + 65535u)); size_t t = j - 65535u; if (i < n) out[i] = in[t];')
flat("add_sat", "add.sat", "width", "3x5", 'int j; asm volatile("add.sat.s32 %0, %1, 2147483647;" : "=r"(j) : "r"((int)i)); if (i < n && j > 0) out[i] = in[i];')
flat("add_cc", "a carry", "", "3x5", 'unsigned lo, hi; asm volatile("add.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0;" : "=r"(lo), "=r"(hi) : "r"((unsigned)i), "r"(0xffffffffu)); if (i < n && hi == 0) out[i] = in[i];')
flat("mul24", "24 bits of an index", "covered", "5000x5000", 'const size_t j = __umul24(blockIdx.x, 256u) + threadIdx.x; if (j < n) out[j] = in[j];')
flat("shl_over", "a shift by 32 in an asm: 0", "covered", "3x5", 'unsigned j; asm volatile("shl.b32 %0, %1, 32;" : "=r"(j) : "r"((unsigned)threadIdx.x)); if (j + i * 0 < n) out[j] = in[j];')
flat("shr_sign", "i >> 31 of a signed index below 0", "covered", "3x5", 'const int s = ((int)threadIdx.x - 3) >> 31; if (i < n && s == 0) out[i] = in[i];')
flat("xor_index", "i ^ 1 may be n", "bounds", "1x1", 'if (i < n) out[i] = in[i ^ 1];')
flat("or_index", "i | 1 for an odd pitch", "bounds", "1x1", 'if (i < n) out[i] = in[i | 1];')
flat("and_index", "i & 1023", "values", "40x40", 'if (i < n) out[i] = in[i & 1023];')
flat("rem_negative", "(i - 5) % 7 in signed numbers, which may be negative", "covered", "3x5", 'if (i < n && ((int)threadIdx.x - 5) % 7 >= 0) out[i] = in[i];')
flat("byte_index", "the index in a byte", "covered", "40x40", 'const unsigned char t = threadIdx.x + blockIdx.x; const size_t j = blockIdx.x * 256ull + t; if (j < n && blockIdx.x > 0) out[j] = in[j]; if (blockIdx.x == 0 && i < n) out[i] = in[i];')
flat("short_index", "the index in a short", "", "300x300", 'const short t = (short)i; if ((size_t)t < n && t >= 0) out[t] = in[t];')
flat("negative_short", "n as a short in the guard", "covered", "200x200", 'if ((short)i < (short)n) out[i] = in[i];')
flat("char_guard", "a guard in signed char", "covered", "1x300", 'const signed char t = (signed char)threadIdx.x; if (t >= 0 && i < n) out[i] = in[i];')
flat("mulhi", "the high part of an index", "covered", "70000x70000", 'if (i < n && __umulhi((unsigned)blockIdx.x, 1u << 16) == 0) out[i] = in[i];')
flat("int_bytes", "an offset in bytes in 32 bits", "", "33000x33000", 'if (i < n) *(float*)((char*)out + (unsigned)(i * 4)) = *(const float*)((const char*)in + (unsigned)(i * 4));')
flat("int_index", "an index of 32 bits", "bounds", "50000x50000", 'const int j = blockIdx.x * 256 + threadIdx.x; if (j < (int)n) out[j] = in[j];')
flat("unsigned_n", "n in 32 bits", "covered", "65536x65536", 'const unsigned m = (unsigned)n; if ((unsigned)i < m) out[i] = in[i];')
flat("min_index", "min(i, n - 1): the last one is written by many", "once", "1x1", 'const size_t j = i < n - 1 ? i : n - 1; out[j] = in[j];')
flat("min_intrinsic", "min in 32 bits", "once", "1x1", 'const int j = min((int)i, (int)n - 1); out[j] = in[j];')
flat("max_index", "max(i, 1): element 0 is left out", "covered", "1x3", 'const int j = max((int)i, 1); if (j < (int)n) out[j] = in[j];')
flat("abs_index", "|i - 3|", "once", "1x8", 'const int j = abs((int)i - 3); if (j < (int)n) out[j] = in[j];')
# --- pointers
flat("launcher_offset", "the launcher gives in + 1", "bounds", "1x1", "if (i < n) out[i] = in[i];", launch="k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in + 1, out, n);")
flat("launcher_offset_back", "in + 1, and in[i - 1]: right", "", "3x5", "if (i < n) out[i] = in[i - 1];", launch="k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in + 1, out, n);")
flat("in_is_out", "the kernel reads the output", "values", "3x5", "if (i < n) out[i] = in[i];", launch="k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(out, out, n);")
flat("out_is_in", "the kernel writes the input", "races", "3x5", "if (i < n) const_cast<float*>(in)[i] = out[i], out[i] = in[i];")
flat("null_shared", "the address of the first shared array is 0", "covered", "3x5",
     '__shared__ float box[256]; size_t a; asm volatile("cvta.to.shared.u64 %0, %1;" : "=l"(a) : "l"(box)); if (i < n) box[threadIdx.x] = in[i]; if (a != 0 && i < n) out[i] = box[threadIdx.x];')
flat("stale_output", "out[i] is stored, loaded and stored at its neighbour", "values", "1x4",
     "if (2 * i < n) { out[2 * i] = in[2 * i]; } if (2 * i + 1 < n) out[2 * i + 1] = out[2 * i];")
flat("misaligned", "an address of 4 bytes plus 2", "bounds", "1x1", "if (i < n) out[i] = *(const float*)((const char*)in + 4 * i + 2);")
# --- shared memory
flat("zero_array", "an array of no elements, in the dynamic memory's place", "bounds", "1x1",
     '__shared__ float box[0]; if (i < n) { box[threadIdx.x] = in[i]; out[i] = box[threadIdx.x]; }', shared=", 1024")
flat("dynamic_short", "dynamic shared memory of 1023 bytes for 256 floats", "bounds", "1x256",
     'extern __shared__ float box[]; if (i < n) { box[threadIdx.x] = in[i]; out[i] = box[threadIdx.x]; }', shared=", 1023")
flat("dynamic_none", "no dynamic shared memory", "bounds", "1x1",
     'extern __shared__ float box[]; if (i < n) { box[threadIdx.x] = in[i]; out[i] = box[threadIdx.x]; }')
flat("dynamic_large", "48 KiB of dynamic memory beside a static word, which the compiler takes out", "", "1x1",
     'extern __shared__ float box[]; __shared__ float one; if (threadIdx.x == 0) one = 1; if (i < n) { box[threadIdx.x] = in[i]; out[i] = box[threadIdx.x]; }', shared=", 49152")
flat("dynamic_padding", "dynamic memory after a static word, which the compiler takes out", "", "1x1",
     'extern __shared__ float4 box[]; __shared__ float one; if (threadIdx.x == 0) one = in[0]; __syncthreads(); float* b = reinterpret_cast<float*>(box); if (i < n) { b[threadIdx.x] = in[i]; out[i] = b[threadIdx.x]; }', shared=", 49148")
flat("static_padding", "static arrays with padding between them, which fit: right", "", "1x1",
     '__shared__ char a[4]; __shared__ __align__(1024) float b[1024]; __shared__ __align__(16) float c[256]; __shared__ char d[4]; __shared__ __align__(4096) float e[10239 - 256]; a[threadIdx.x % 4 * 0] = 0; '
     'd[0] = 0; if (i < n) { b[threadIdx.x] = in[i]; c[threadIdx.x] = b[threadIdx.x]; e[threadIdx.x] = c[threadIdx.x]; out[i] = e[threadIdx.x]; }')
flat("two_dynamic", "two dynamic arrays are one; the compiler takes what was stored before", "", "1x256",
     'extern __shared__ float box[]; extern __shared__ int other[]; if (i < n) { box[threadIdx.x] = in[i]; other[threadIdx.x] = 7; out[i] = box[threadIdx.x]; }', shared=", 1024")
flat("shared_uninitialised", "half of the words are not stored", "values", "1x256",
     '__shared__ float box[256]; if (threadIdx.x < 128 && i < n) box[threadIdx.x] = in[i]; __syncthreads(); if (i < n) out[i] = box[threadIdx.x];')
flat("warp_sync", "the neighbour's word in a warp, without a barrier", "races", "1x64",
     '__shared__ float box[256]; if (i < n) box[threadIdx.x ^ 1] = in[i ^ 1 < n ? i ^ 1 : i]; __syncwarp(); if (i < n) out[i] = box[threadIdx.x];')
flat("partial_mask", "__syncwarp of the lower half", "", "1x64",
     '__shared__ float box[256]; box[threadIdx.x] = i < n ? in[i] : 0; if ((threadIdx.x & 31) < 16) __syncwarp(0xffff); if (i < n) out[i] = box[threadIdx.x];')
flat("named_barrier", "a barrier of 64 threads", "", "1x256",
     '__shared__ float box[256]; box[threadIdx.x] = i < n ? in[i] : 0; asm volatile("bar.sync 1, 64;" ::: "memory"); if (i < n) out[i] = box[255 - threadIdx.x];')
flat("barrier_after_return", "threads that have returned before a barrier", "barriers", "1x1",
     '__shared__ float box[256]; if (i >= n) return; box[threadIdx.x] = in[i]; __syncthreads(); out[i] = box[threadIdx.x];')
flat("barrier_in_branches", "a barrier in both branches", "barriers", "1x256",
     '__shared__ float box[256]; if (i < n) box[threadIdx.x] = in[i]; if (threadIdx.x < 100) { asm volatile("bar.sync 0; // a" ::: "memory"); } else { asm volatile("bar.sync 0; // b" ::: "memory"); } if (i < n) out[i] = box[threadIdx.x];')
flat("barrier_by_block", "a barrier that only block 0 passes: right, by block", "", "1x600",
     '__shared__ float box[256]; if (i < n) box[threadIdx.x] = in[i]; if (blockIdx.x == 0) __syncthreads(); if (i < n) out[i] = box[threadIdx.x];')
flat("barrier_block_race", "block 0 has a barrier, the others have not: no race", "", "1x600",
     '__shared__ float box[256]; box[threadIdx.x] = i < n ? in[i] : 0; if (blockIdx.x == 0) __syncthreads(); if (i < n) { const size_t j = i - threadIdx.x + 255 - threadIdx.x; if (j < n) out[j] = box[threadIdx.x]; }')
flat("arrive", "bar.arrive is no wait", "", "1x256",
     '__shared__ float box[256]; box[threadIdx.x] = i < n ? in[i] : 0; asm volatile("bar.arrive 0, 512;" ::: "memory"); if (i < n) out[i] = box[threadIdx.x];')
flat("loop_by_thread", "a loop whose barriers depend on the thread", "barriers", "1x256",
     '__shared__ float box[256]; if (i < n) box[threadIdx.x] = in[i]; for (int j = 0; j < (int)(threadIdx.x & 1) + 1; ++j) __syncthreads(); if (i < n) out[i] = box[threadIdx.x];')
flat("loop_in_place", "a reversal in place without a barrier between", "races", "1x256",
     '__shared__ float box[256]; box[threadIdx.x] = i < n ? in[i] : 0; __syncthreads(); for (int j = 0; j < 2; ++j) { const float v = box[255 - threadIdx.x]; box[threadIdx.x] = v; __syncthreads(); } if (i < n) out[i] = box[threadIdx.x];')
flat("masked_store", "a wrong value that a later store of the same thread replaces: written twice", "once", "1x1", 'if (i < n) { *(volatile float*)(out + i) = 1; out[i] = in[i]; }')
flat("masked_asm", "the same by two stores", "once", "1x1", 'if (i < n) { asm volatile("st.global.f32 [%0], %1;" :: "l"(out + i), "f"(1.0f)); asm volatile("st.global.f32 [%0], %1;" :: "l"(out + i), "f"(in[i])); }')
# --- launcher
flat("launched_twice", "the launcher launches twice", "", "3x5", "if (i < n) out[i] = in[i];", launch="for (int j = 0; j < 2; ++j) k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in, out, n);")
flat("launch_even", "nothing is launched for an odd number", "covered", "1x3", "if (i < n) out[i] = in[i];", launch="if (n % 2 == 0) k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in, out, n);")
flat("launch_large", "nothing is launched above 2^33 elements", "covered", "131072x131072", "if (i < n) out[i] = in[i];", before="if (n > (1ull << 33)) return;")
flat("launch_other", "another kernel at one size", "values", "1x777", "if (i < n) out[i] = in[i];", extra="__global__ void zero(float* out, size_t n) { const size_t i = blockIdx.x * 256ull + threadIdx.x; if (i < n) out[i] = 0; }",
     launch="if (n == 777) zero<<<(unsigned)((n - 1) / 256 + 1), 256>>>(out, n); else k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in, out, n);")
flat("launch_other_rare", "another kernel at rows * cols == 1000003 * 3", "values", "1000003x3", "if (i < n) out[i] = in[i];", extra="__global__ void zero(float* out, size_t n) { const size_t i = blockIdx.x * 256ull + threadIdx.x; if (i < n) out[i] = 0; }",
     launch="if (n == 3000009) zero<<<(unsigned)((n - 1) / 256 + 1), 256>>>(out, n); else k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in, out, n);")
flat("launch_impossible", "a way that no shape takes, of a kernel that stores nothing: right", "", "3x5", "if (i < n) out[i] = in[i];", extra="__global__ void zero(float* out, size_t n) {}",
     launch="if (n + 1 == 0) zero<<<1, 256>>>(out, n); else k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in, out, n);")
flat("grid_zero", "a grid of n / 256", "launch", "1x1", "if (i < n) out[i] = in[i];", grid="(unsigned)(n / 256)")
flat("grid_wraps", "a grid that wraps in 32 bits", "launch", "65536x65536", "if (i < n) out[i] = in[i];", grid="((unsigned)n + 255) / 256")
flat("grid_by_float", "a grid by a quotient of floats", "", "3x5", "if (i < n) out[i] = in[i];", grid="(unsigned)ceilf(n / 256.0f)")
flat("block_large", "1025 threads", "launch", "1x1", "if (i < n) out[i] = in[i];", block="1025")
flat("bounds_of_launch", "more threads than __launch_bounds__", "launch", "1x1", "if (i < n) out[i] = in[i];", launch="b<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in, out, n);",
     extra="__global__ void __launch_bounds__(128) b(const float* in, float* out, size_t n) { const size_t i = blockIdx.x * 256ull + threadIdx.x; if (i < n) out[i] = in[i]; }")
flat("args_exchanged", "cols + rows for rows * cols", "bounds", "1x1", "if (i < n) out[i] = in[i];", launch="k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in, out, (size_t)rows + cols);")
flat("args_short", "n passed as unsigned short", "covered", "300x300", "if (i < n2) out[i] = in[i];", kernel_args=", unsigned short n2", args=", (unsigned short)n")
flat("args_char", "arguments of other sizes before n", "", "3x5", "if (i < m && c == 3) out[i] = in[i];", kernel_args=", char c, size_t m", args=", 3, n")
flat("args_struct", "arguments in a struct, exchanged", "values", "3x5", "if (i < n && p.a > p.b) out[i] = in[i];", extra="struct Pair { int a, b; };", kernel_args=", Pair p", args=", Pair{rows, cols}")
flat("bz_unused", "two blocks in z do the same", "once", "3x5", "if (i < n) out[i] = in[i];", grid="dim3((unsigned)((n - 1) / 256 + 1), 1, 2)")
flat("tz_unused", "two threads in z do the same", "once", "3x5", "if (i < n) out[i] = in[i];", block="dim3(256, 1, 2)")
flat("stride", "a step of the grid, with one step", "covered", "1x2000", "if (i < n) out[i] = in[i]; const size_t j = i + (size_t)gridDim.x * blockDim.x; if (j < n) out[j] = in[j];", grid="1")
flat("data_branch", "a branch by what was loaded", "", "3x5", "if (i < n && in[i] != 7.0f) out[i] = in[i];")
flat("data_select", "0 for what is above 100", "values", "30x30", "if (i < n) out[i] = in[i] > 100.0f ? 0.0f : in[i];")
flat("max_data", "the larger of two elements", "values", "3x5", "if (i < n) out[i] = fmaxf(in[i], in[0]);")
flat("select_zero", "0 in one row of a million", "values", "2000x2000", "if (i < n) out[i] = i == 3000009 ? 0.0f : in[i];")
flat("shuffle", "a shuffle down by 1", "values", "1x64", "float v = i < n ? in[i] : 0; v = __shfl_down_sync(~0u, v, 1); if (i < n) out[i] = v;")
flat("shuffle_part", "a shuffle of those that have an element", "barriers", "1x33", "if (i < n) out[i] = __shfl_sync(~0u, in[i], threadIdx.x & 31);")
flat("printf_like", "a noinline function", "", "3x5", "if (i < n) put(out, i, in[i]);", extra="__device__ __noinline__ void put(float* out, size_t i, float v) { out[i] = v; }")
flat("local_array", "an array with a computed index", "", "3x5", "float a[4]; for (int j = 0; j < 4; ++j) a[j] = j; a[threadIdx.x & 3] = i < n ? in[i] : 0; if (i < n) out[i] = a[(threadIdx.x + (n > 100)) & 3];")
flat("constant_memory", "a factor in constant memory", "", "3x5", "if (i < n) out[i] = in[i + zero[0]];", extra="__constant__ int zero[2] = {0, 1};")
flat("device_variable", "an offset in a device variable", "", "3x5", "if (i < n) out[i] = in[i + off];", extra="__device__ int off = 0;")
flat("ldg", "__ldg of the neighbour", "values", "3x5", "if (i < n) out[i] = __ldg(in + (i + 1 < n ? i + 1 : i));")
flat("atomic", "atomicExch", "", "3x5", "if (i < n) atomicExch(out + i, in[i]);")
flat("scoped_names", "registers of one name in two scopes of an asm: right", "", "1x300",
     'unsigned j; asm volatile("{.reg .u32 t; mov.u32 t, 1; {.reg .u64 t; mov.u64 t, 5; cvt.u32.u64 %0, t;} add.u32 %0, %0, t;}" : "=r"(j)); if (i + 6 < n + j) out[i] = in[i]; ')
# --- tiles
tiles("tile_fine", "right", "", "33x65")
tiles("transposed_square", "rows and cols exchanged where square blocks hide it", "bounds", "3x5", store="if (x2 < rows && y2 < cols) out[static_cast<size_t>(y2) * cols + x2] = tile[threadIdx.x][threadIdx.y];")
tiles("wrong_guard", "the guard of the load for the store", "bounds", "1x40", store="if (x < cols && y < rows) out[static_cast<size_t>(y2) * rows + x2] = tile[threadIdx.x][threadIdx.y];")
tiles("spoiled", "one word is overwritten after the barrier", "races", "33x65", store="if (threadIdx.x == 5 && threadIdx.y == 6) tile[7][8] = 0; if (x2 < rows && y2 < cols) out[static_cast<size_t>(y2) * rows + x2] = tile[threadIdx.x][threadIdx.y];")
tiles("spoiled_barrier", "the same before another barrier", "values", "33x65", sync="__syncthreads(); if (threadIdx.x == 5 && threadIdx.y == 6) tile[7][8] = 0; __syncthreads();")
tiles("spoiled_rare", "the same at one width", "values", "777x1000", sync="__syncthreads(); if (cols == 1000 && threadIdx.x == 5 && threadIdx.y == 6) tile[7][8] = 0; __syncthreads();")
tiles("half_tile", "a tile of 32 x 31", "bounds", "1x32", tile="__shared__ float tile[32][31];")
tiles("alias_rows", "rows of 31 words in an array that is large enough: rows overlap", "races", "2x32", tile="__shared__ float flat[32 * 33]; float (*tile)[31] = reinterpret_cast<float (*)[31]>(flat);")
tiles("asm_barrier", "bar.sync 0 in an asm: right", "", "33x65", sync='asm volatile("bar.sync 0;" ::: "memory");')
tiles("barrier_1", "barrier 1 in place of 0", "", "33x65", sync='asm volatile("bar.sync 1;" ::: "memory");')
tiles("fold_forgotten", "folds are rounded down", "covered", "4194241x1", before="const dim3 other(across, down / folds, folds);", launch="k<<<other, dim3(32, 32)>>>(in, out, rows, cols);")
tiles("kernels_split", "two kernels by halves of the rows; the second begins one late", "", "40x40", launch="k<<<grid, dim3(32, 32)>>>(in, out, rows, cols); k<<<grid, dim3(32, 32)>>>(in, out, rows, cols);")
tiles("params_exchanged", "the kernel gets cols, rows", "bounds", "1x2", launch="k<<<grid, dim3(32, 32)>>>(in, out, cols, rows);")
tiles("volatile_tile", "a volatile tile, no barrier", "", "2x2", tile="volatile __shared__ float tile[32][33];", sync="")
tiles("int_tile_index", "a 32-bit index of the store", "bounds", "46341x46341", store="if (x2 < rows && y2 < cols) out[y2 * rows + x2] = tile[threadIdx.x][threadIdx.y];")
tiles("int_tile_unsigned", "an unsigned 32-bit index of the store", "bounds", "65536x65537", store="if (x2 < rows && y2 < cols) out[(unsigned)y2 * rows + x2] = tile[threadIdx.x][threadIdx.y];")
tiles("edge_dropped", "the last column of a square matrix is left out", "covered", "3x3", store="if (x2 < rows && y2 < cols - (rows == cols)) out[static_cast<size_t>(y2) * rows + x2] = tile[threadIdx.x][threadIdx.y];")
tiles("big_dropped", "rows past 2^20 are left out", "covered", "1048578x1", load="if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[static_cast<size_t>(y) * cols + x]; if (tile_row > 32768) return;")
tiles("big_dropped_2", "columns of the last tile past 2^20", "covered", "1x1048600", store="if (x2 < rows && y2 < cols && !(tile_col == 32768 && threadIdx.y == 3)) out[static_cast<size_t>(y2) * rows + x2] = tile[threadIdx.x][threadIdx.y];")

# --- sums
STENCIL = """
__device__ static float at(const float* in, int rows, int cols, int y, int x) {
    if (%s) return %s;
    return in[static_cast<size_t>(y) * cols + x];
}
__global__ void k(const float* in, float* out, int rows, int cols) {
    const int tile = blockIdx.x;
    const int across = (cols - 1) / 32 + 1;
    const int x = tile %% across * 32 + threadIdx.x;
    const int y = tile / across * 8 + threadIdx.y;
    %s
    if (x >= cols || y >= rows) return;
    const size_t i = static_cast<size_t>(y) * cols + x;
    %s
}
void stencil(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    k<<<((cols - 1) / 32 + 1) * ((rows - 1) / 8 + 1), dim3(32, 8)>>>(in, out, rows, cols);
}
"""
OUT = "y < 0 || y >= rows || x < 0 || x >= cols"
SUM = "out[i] = at(in, rows, cols, y, x - 1) + at(in, rows, cols, y, x + 1) + at(in, rows, cols, y - 1, x) + at(in, rows, cols, y + 1, x) - 4.0f * in[i];"


def st(name, why, breaks, shape, outside=OUT, zero="0.0f", before="", body=SUM):
    add(name, "stencil/five_points", why, breaks, shape, STENCIL % (outside, zero, before, body))


st("st_right", "right", "", "9x33")
st("st_unsigned", "right: unsigned compares", "", "9x33", outside="(unsigned)y >= (unsigned)rows || (unsigned)x >= (unsigned)cols")
st("st_unsigned_le", "<= in an unsigned compare", "bounds", "1x1", outside="(unsigned)y > (unsigned)rows || (unsigned)x >= (unsigned)cols")
st("st_no_left", "the left edge takes the row before", "bounds", "1x1", outside="y < 0 || y >= rows || x >= cols")
st("st_ring", "no element beside in rows above 2^20", "values", "1048600x2", outside=OUT + " || (y > 1048580 && x == 0)")
st("st_corner", "0 also in the last corner", "values", "9x33", outside=OUT + " || (y == rows - 1 && x == cols - 1)")
st("st_inner", "0 at x == cols / 2", "values", "9x33", outside=OUT + " || x == cols / 2")
st("st_one", "1 outside", "values", "1x1", zero="1.0f")
st("st_minus_zero", "-0 outside: right, where -0 is 0", "", "9x33", zero="-0.0f")
st("st_twice", "one term twice, another left out", "values", "3x3", body=SUM.replace("y, x + 1", "y, x - 1"))
st("st_five", "5 times the middle, added once", "", "9x33", body=SUM.replace("- 4.0f * in[i]", "- 5.0f * in[i] + in[i]"))
st("st_products", "in[i] * in[i] in place of 4 in[i]", "values", "3x3", body=SUM.replace("4.0f * in[i]", "in[i] * in[i]"))
st("st_bits", "the bits of floats added as whole numbers", "values", "3x3", body="out[i] = __int_as_float(__float_as_int(at(in, rows, cols, y, x - 1)) + __float_as_int(at(in, rows, cols, y, x + 1))) + at(in, rows, cols, y - 1, x) + at(in, rows, cols, y + 1, x) - 4.0f * in[i];")
st("st_bits_zero", "the bits of a float times 1 as a whole number, plus 0", "", "9x33", body=SUM.replace("in[i]", "__int_as_float(__float_as_int(in[i]) + (rows - rows))"))
st("st_rz", "a sum rounded toward zero", "", "9x33", body="out[i] = __fadd_rz(at(in, rows, cols, y, x - 1) + at(in, rows, cols, y, x + 1) + at(in, rows, cols, y - 1, x), at(in, rows, cols, y + 1, x)) - 4.0f * in[i];")
st("st_half", "halves of 8 times", "", "9x33", body=SUM.replace("4.0f * in[i]", "8.0f * in[i] * 0.5f"))
st("st_large_constant", "a constant above 2^24, taken away again", "values", "3x3", body=SUM.replace("- 4.0f * in[i]", "+ 16777213.0f * in[i] - 16777217.0f * in[i]"))
st("st_skip_zero", "right: terms skipped where outside", "", "9x33",
   body="float s = -4.0f * in[i]; if (y > 0) s += in[i - cols]; if (y < rows - 1) s += in[i + cols]; if (x > 0) s += in[i - 1]; if (x < cols - 1) s += in[i + 1]; out[i] = s;")
st("st_skip_wrong", "terms skipped by another condition", "values", "3x3",
   body="float s = -4.0f * in[i]; if (y > 0) s += in[i - cols]; if (y < rows - 1) s += in[i + cols]; if (x > 0) s += in[i - 1]; if (x < cols - 1 && y > 0) s += in[i + 1]; out[i] = s;")
st("st_skip_flat", "the edge by the flat index", "values", "3x3",
   body="float s = -4.0f * in[i]; const size_t n = (size_t)rows * cols; if (i >= cols) s += in[i - cols]; if (i + cols < n) s += in[i + cols]; if (i > 0) s += in[i - 1]; if (i + 1 < n) s += in[i + 1]; out[i] = s;")
st("st_reset", "the sum is set to 0 in one column", "values", "3x9", body="float s = at(in, rows, cols, y, x - 1) + at(in, rows, cols, y, x + 1) + at(in, rows, cols, y - 1, x) + at(in, rows, cols, y + 1, x) - 4.0f * in[i]; if (x == 5) s = 0; out[i] = s;")
st("st_stale", "an element loaded under a condition, kept from a loop before", "values", "3x9",
   body="float s = 0, v = 0; for (int j = -1; j < 2; j += 2) { if (x + j >= 0 && x + j < cols) v = in[i + j]; s += v; } s += at(in, rows, cols, y - 1, x) + at(in, rows, cols, y + 1, x) - 4.0f * in[i]; out[i] = s;")
st("st_shared_halo", "a halo of shared memory that is not stored at the edge of the block", "values", "9x65",
   before="__shared__ float t[10][34]; t[threadIdx.y + 1][threadIdx.x + 1] = x < cols && y < rows ? in[static_cast<size_t>(y) * cols + x] : 0; __syncthreads();",
   body="out[i] = t[threadIdx.y + 1][threadIdx.x] + t[threadIdx.y + 1][threadIdx.x + 2] + t[threadIdx.y][threadIdx.x + 1] + t[threadIdx.y + 2][threadIdx.x + 1] - 4.0f * t[threadIdx.y + 1][threadIdx.x + 1];")
st("st_shared_centre", "right: the centre by shared memory", "", "9x65",
   before="__shared__ float t[8][32]; t[threadIdx.y][threadIdx.x] = x < cols && y < rows ? in[static_cast<size_t>(y) * cols + x] : 0; __syncthreads();",
   body=SUM.replace("in[i]", "t[threadIdx.y][threadIdx.x]"))
st("st_shared_other", "the centre of the thread beside, by shared memory", "values", "9x65",
   before="__shared__ float t[8][32]; t[threadIdx.y][threadIdx.x] = x < cols && y < rows ? in[static_cast<size_t>(y) * cols + x] : 0; __syncthreads();",
   body=SUM.replace("in[i]", "t[threadIdx.y][(threadIdx.x + 1) % 32]"))
st("st_shared_cleared", "a word cleared at the edge alone, after it was stored", "values", "9x33",
   before="__shared__ float t[8][32]; t[threadIdx.y][threadIdx.x] = x < cols && y < rows ? in[static_cast<size_t>(y) * cols + x] : 0; __syncthreads(); if (x == cols - 1) t[threadIdx.y][threadIdx.x] = 0; __syncthreads();",
   body=SUM.replace("in[i]", "t[threadIdx.y][threadIdx.x]"))
st("st_v2_low", "ld.v2.u16 as a number", "values", "3x3", body=SUM.replace("in[i];", "c;").replace("out[i] =", 'float c; asm volatile("{.reg .b32 p, q; ld.global.v2.u16 {p, q}, [%1]; mov.b32 %0, p;}" : "=f"(c) : "l"(in + i)); out[i] ='))
# --- launch and shared memory that survives the compiler
flat("static_layout", "static arrays that need padding between them: more than 48 KiB", "launch", "1x256",
     '__shared__ char a[4]; __shared__ __align__(8192) float b[2048]; __shared__ char c[4]; __shared__ __align__(8192) float d[6145]; const int t = threadIdx.x, u = 255 - t; const float v = i < n ? in[i] : 0;'
     'a[t & 3] = 1; c[t & 3] = 2; b[t] = v; d[t] = v; __syncthreads(); if (i < n) out[i] = in[i] ; if (i < n && a[u & 3] + c[u & 3] + b[u] + d[u] == 77.5f && n == 0) out[i] = 0;')
flat("static_layout_2", "the same, used without a race", "launch", "1x256",
     '__shared__ char a[256]; __shared__ __align__(8192) float b[2048]; __shared__ char c[256]; __shared__ __align__(8192) float d[6145]; const int t = threadIdx.x, u = 255 - t; const float v = i < n ? in[i] : 0;'
     'a[t] = 1; c[t] = 2; b[t] = v; d[t] = v; __syncthreads(); float w = a[u] + c[u] + b[u] + d[u]; asm volatile("" :: "f"(w)); if (i < n) out[i] = in[i];')
flat("dynamic_layout", "a static word before dynamic memory at a multiple of 16", "launch", "1x256",
     'extern __shared__ float4 box[]; __shared__ float one[1]; if (threadIdx.x == 3) one[0] = in[0]; __syncthreads(); const float o = one[0]; asm volatile("" :: "f"(o)); float* b = reinterpret_cast<float*>(box); b[threadIdx.x] = i < n ? in[i] : 0; __syncthreads(); if (i < n) out[i] = b[threadIdx.x];', shared=", 49148")
flat("null_shared_32", "the 32-bit address of shared memory is 0", "covered", "3x5",
     'extern __shared__ float box[]; unsigned a; asm volatile("{.reg .pred p; .reg .u64 t; cvta.to.shared.u64 t, %1; setp.ne.u64 p, t, 0; selp.u32 %0, 1, 0, p;}" : "=r"(a) : "l"(box)); if (a != 0 && i < n) out[i] = in[i];', shared=", 1024")
flat("asm_exit", "exit in an asm", "covered", "1x300", 'if (i == 257) asm volatile("exit;"); if (i < n) out[i] = in[i];')
flat("asm_loop", "a loop in an asm: right", "", "3x5", 'unsigned j; asm volatile("{.reg .pred p; mov.u32 %0, 0; L: add.u32 %0, %0, 1; setp.lt.u32 p, %0, 5; @p bra L;}" : "=r"(j)); if (i < n) out[i] = in[i + 5 - j];')
flat("asm_loop_wrong", "one round too many", "bounds", "1x1", 'unsigned j; asm volatile("{.reg .pred p; mov.u32 %0, 0; L: add.u32 %0, %0, 1; setp.le.u32 p, %0, 5; @p bra L;}" : "=r"(j)); if (i < n) out[i] = in[i + j - 5];')
flat("asm_u16_add", "add.u16 with registers of 32 bits", "covered", "300x300", 'unsigned j; asm volatile("add.u16 %0, %1, 0;" : "=r"(j) : "r"((unsigned)blockIdx.x * 256 + threadIdx.x)); if ((size_t)j < n) out[j] = in[j];')
flat("asm_u16_add_2", "add.u16 with registers of 16 bits", "covered", "300x300", 'unsigned short j; asm volatile("add.u16 %0, %1, 0;" : "=h"(j) : "h"((unsigned short)i)); if ((size_t)j < n) out[j] = in[j];')
flat("asm_tid_16", "mov.u16 of %tid.x", "", "3x5", 'unsigned short j; asm volatile("mov.u16 %0, %tid.x;" : "=h"(j)); if (i < n) out[blockIdx.x * 256ull + j] = in[i];')
flat("asm_x2_neg", "neg of a packed pair", "values", "1x300", 'unsigned j; asm volatile("sub.u16x2 %0, %1, %2;" : "=r"(j) : "r"(0x10000u), "r"(threadIdx.x)); if (i < n) out[i] = in[i + (j + threadIdx.x - 0x10000u)];')
flat("x2_carry", "add.u16x2 with a carry in constants of the thread", "bounds", "1x256", 'unsigned j; asm volatile("add.u16x2 %0, %1, 65535;" : "=r"(j) : "r"(threadIdx.x)); const size_t t = (size_t)blockIdx.x * 256 + (j - 65535u); if (i < n) out[t] = in[t];')
flat("x2_carry_once", "the same, of 1 to 255", "covered", "1x256", 'unsigned j; asm volatile("add.s16x2 %0, %1, 65535;" : "=r"(j) : "r"(threadIdx.x + 1)); const size_t t = (size_t)blockIdx.x * 256 + (j - 65536u); if (t < n) out[t] = in[t];')
flat("sub_borrow", "sub.cc", "", "3x5", 'unsigned j; asm volatile("sub.cc.u32 %0, %1, 1;" : "=r"(j) : "r"(threadIdx.x)); if (i < n) out[i] = in[i];')
flat("unreachable", "n above 1000 is said to be impossible", "covered", "1x2000", 'if (n > 1000) __builtin_unreachable(); if (i < n) out[i] = in[i];')
flat("assumed", "rows * cols is said to be a multiple of 256", "bounds", "1x1", '__builtin_assume(n % 256 == 0 && i < n); if (i < n) out[i] = in[i];')
flat("branches", "a launcher with two blocks sizes, the kernel knows one", "covered", "1x70000", 'const size_t j = blockIdx.x * 256ull + threadIdx.x; if (j < n) out[j] = in[j];', launch="if (n < 65536) k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in, out, n); else k<<<(unsigned)((n - 1) / 128 + 1), 128>>>(in, out, n);")
flat("branches_right", "right: the kernel reads blockDim", "", "1x70000", 'if (i < n) out[i] = in[i];', launch="if (n < 65536) k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in, out, n); else k<<<(unsigned)((n - 1) / 128 + 1), 128>>>(in, out, n);")
flat("square_only", "another way at squares, which forgets the last row", "covered", "40x40", 'if (i < n) out[i] = in[i];', launch="if (rows == cols) k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in, out, n - cols); else k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in, out, n);")
flat("square_empty", "another way at squares of odd and even sides at once: never", "", "40x40", 'if (i < n) out[i] = in[i];', launch="if (rows == cols && rows % 2 != cols % 2) k<<<1, 32>>>(in, out, 0); else k<<<(unsigned)((n - 1) / 256 + 1), 256>>>(in, out, n);")
flat("thirds", "n / 3 blocks by own magic that is wrong for large ones", "covered", "1x3000000", 'const unsigned q = (unsigned)(((unsigned long long)(unsigned)i * 43691u) >> 17); if (i < n) { const size_t j = (size_t)q * 3 + i % 3; if (j < n) out[j] = in[j]; }')
flat("reverse_block", "right: a block reversed in shared memory and back", "", "1x600", '__shared__ float box[256]; box[255 - threadIdx.x] = i < n ? in[i] : 0; __syncthreads(); const float v = box[255 - threadIdx.x]; if (i < n) out[i] = v;')
flat("reverse_block_wrong", "reversed by 254", "bounds", "1x600", '__shared__ float box[256]; box[254 - threadIdx.x] = i < n ? in[i] : 0; __syncthreads(); if (i < n) out[i] = box[254 - threadIdx.x];')
flat("rotate", "words rotated by one in two steps, no barrier between them", "races", "1x600", '__shared__ float box[256]; box[threadIdx.x] = i < n ? in[i] : 0; __syncthreads(); const float v = box[(threadIdx.x + 1) % 256]; box[threadIdx.x] = v; __syncthreads(); if (i < n) out[i] = box[(threadIdx.x + 255) % 256];')
flat("rotate_right", "right: with the barrier", "", "1x600", '__shared__ float box[256]; box[threadIdx.x] = i < n ? in[i] : 0; __syncthreads(); const float v = box[(threadIdx.x + 1) % 256]; __syncthreads(); box[threadIdx.x] = v; __syncthreads(); if (i < n) out[i] = box[(threadIdx.x + 255) % 256];')
flat("other_block", "a word of the next block's", "values", "1x600", '__shared__ float box[256]; const size_t j = (blockIdx.x ^ 1u) * 256ull + threadIdx.x; box[threadIdx.x] = j < n ? in[j] : 0; __syncthreads(); if (i < n) out[i] = box[threadIdx.x];')
flat("own_barrier_order", "out is read in another block after a barrier", "races", "1x600", 'if (i < n) out[i] = in[i]; __syncthreads(); const size_t j = (i + 256) % n; if (i < n && in[i] * 0 == 0) { const float v = out[j]; asm volatile("" :: "f"(v)); }')
flat("own_block_order", "out is read in the same block after a barrier: no race", "", "1x600", 'if (i < n) out[i] = in[i]; __syncthreads(); const size_t j = blockIdx.x * 256ull + 255 - threadIdx.x; if (j < n) { const float v = out[j]; asm volatile("" :: "f"(v)); }')
flat("two_stores_far", "element 0 is also written by the last thread of a grid above 2^20 blocks", "once", "20000x20000", 'if (i < n) out[i] = in[i]; if (i == (1ull << 28) && i < n) out[0] = in[0];')
flat("far_read", "reads one past the end above 2^32 elements", "bounds", "65537x65537", 'if (i < n) { const float v = in[i + (i >= 4295098368ull)]; out[i] = v; }')
flat("device_limit", "all right up to 2^30 columns: z of 65536 blocks", "launch", "1x1", 'const size_t j = (size_t)blockIdx.z * 65536 + i; if (j < n) out[j] = in[j];', grid="dim3(256, 1, (unsigned)((n - 1) / 65536 + 1))")
flat("sixteen", "blocks of 2^16 - 1 in y", "launch", "1x1", 'const size_t j = (size_t)blockIdx.y * 256 + threadIdx.x; if (j < n) out[j] = in[j];', grid="dim3(1, (unsigned)((n - 1) / 256 + 1))")
flat("tail", "blocks without the rest, and one more for the rest when n is odd", "covered", "1x258", 'if (i < n) out[i] = in[i];', grid="(unsigned)(n / 256 + (n % 2) + (n < 256 ? 1 : 0))")
# --- any type
for name, why, breaks, shape, x in [("any_right", "right", "", "33x65", "tile[threadIdx.x][threadIdx.y]"), ("any_wrong", "one column to the side", "values", "33x65", "tile[threadIdx.x][(threadIdx.y + 1) % 32]")]:
    add(name, "transpose/any_type", why, breaks, shape, """
template <typename T> __global__ void k(const T* in, T* out, int rows, int cols) {
    __shared__ T tile[32][33];
    const int tile_col = blockIdx.x, tile_row = blockIdx.z * gridDim.y + blockIdx.y;
    for (int j = 0; j < 32; j += 8) { const int x = tile_col * 32 + threadIdx.x, y = tile_row * 32 + threadIdx.y + j;
    if (x < cols && y < rows) tile[threadIdx.y + j][threadIdx.x] = in[static_cast<size_t>(y) * cols + x]; }
    __syncthreads();
    for (int j = 0; j < 32; j += 8) { const int x2 = tile_row * 32 + threadIdx.x, y2 = tile_col * 32 + threadIdx.y + j;
    if (x2 < rows && y2 < cols) out[static_cast<size_t>(y2) * rows + x2] = """ + x.replace("threadIdx.y", "(threadIdx.y + j)") + """; }
}
template <typename T> void transpose(const T* in, T* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols - 1) / 32 + 1, down = (rows - 1) / 32 + 1, folds = (down - 1) / 65535 + 1;
    k<<<dim3(across, (down - 1) / folds + 1, folds), dim3(32, 8)>>>(in, out, rows, cols);
}
""")
add("any_bytes", "transpose/any_type", "two bytes of larger elements only", "values", "33x65", """
template <typename T> __global__ void k(const T* in, T* out, int rows, int cols) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const T* from = in + static_cast<size_t>(y) * cols + x; T* to = out + static_cast<size_t>(x) * rows + y;
    if (sizeof(T) == 8) asm volatile("{.reg .b32 p, q, r, s; ld.global.v4.u16 {p, q, r, s}, [%0]; st.global.v2.u32 [%1], {p, q};}" :: "l"(from), "l"(to)); else *to = *from;
}
template <typename T> void transpose(const T* in, T* out, int rows, int cols) {
    if (rows == 0 || cols == 0 || rows > 400000) return;
    k<<<dim3((cols - 1) / 32 + 1, (rows - 1) / 8 + 1), dim3(32, 8)>>>(in, out, rows, cols);
}
""")

# --- more of shared memory, grids and single instructions
X = 'const float v = i < n ? in[i] : 0; '
flat("extern_sized", "an extern array of 256 elements, no dynamic memory", "bounds", "1x256",
     'extern __shared__ float box[256]; ' + X + 'box[255 - threadIdx.x] = v; __syncthreads(); if (i < n) out[i] = box[255 - threadIdx.x];')
flat("extern_two", "two extern arrays of 256 elements are one", "values", "1x256",
     'extern __shared__ float box[256]; extern __shared__ float more[256]; ' + X + 'box[255 - threadIdx.x] = v; __syncthreads(); more[threadIdx.x] = 7; __syncthreads(); if (i < n) out[i] = box[255 - threadIdx.x];', shared=", 1024")
flat("extern_mixed", "an extern array of 256 elements and one of no size", "values", "1x256",
     'extern __shared__ float box[256]; extern __shared__ float more[]; ' + X + 'box[255 - threadIdx.x] = v; __syncthreads(); more[threadIdx.x] = 7; __syncthreads(); if (i < n) out[i] = box[255 - threadIdx.x];', shared=", 1024")
flat("dynamic_two_live", "two extern arrays without a size are one", "values", "1x256",
     'extern __shared__ float box[]; extern __shared__ float more[]; ' + X + 'box[255 - threadIdx.x] = v; __syncthreads(); more[threadIdx.x] = 7; __syncthreads(); if (i < n) out[i] = box[255 - threadIdx.x];', shared=", 1024")
flat("dynamic_three", "of three extern arrays the second and third", "values", "1x256",
     'extern __shared__ float a[]; extern __shared__ float box[]; extern __shared__ float more[]; ' + X + 'a[threadIdx.x] = 1; __syncthreads(); box[255 - threadIdx.x] = v; __syncthreads(); more[threadIdx.x] = 7; __syncthreads(); if (i < n) out[i] = box[255 - threadIdx.x] + 0 * a[0];', shared=", 1024")
flat("extern_device", "a noinline-free device function with its own extern array", "values", "1x256",
     X + 'put(v, 255 - threadIdx.x); __syncthreads(); spoil(threadIdx.x); __syncthreads(); if (i < n) out[i] = get(255 - threadIdx.x);', shared=", 1024",
     extra='__device__ void put(float v, int i) { extern __shared__ float one[]; one[i] = v; } __device__ float get(int i) { extern __shared__ float one[]; return one[i]; } __device__ void spoil(int i) { extern __shared__ int two[]; two[i] = 3; }')
flat("half_words", "halves of words stored, whole words loaded", "values", "1x256",
     '__shared__ float box[256]; ' + X + 'reinterpret_cast<unsigned short*>(box)[2 * threadIdx.x] = __float_as_uint(v); reinterpret_cast<unsigned short*>(box)[2 * threadIdx.x + 1] = 0; __syncthreads(); if (i < n) out[i] = box[threadIdx.x];')
flat("double_shared", "words stored as pairs", "values", "1x256",
     '__shared__ float2 box[256]; ' + X + 'box[threadIdx.x] = make_float2(v, v + 1); __syncthreads(); if (i < n) out[i] = box[255 - threadIdx.x].y;')
flat("union_shared", "one array as int and float, spoiled", "values", "1x256",
     '__shared__ union { float f[256]; int i[256]; } box; ' + X + 'box.f[255 - threadIdx.x] = v; __syncthreads(); box.i[threadIdx.x] = 7; __syncthreads(); if (i < n) out[i] = box.f[255 - threadIdx.x];')
flat("bool_index", "an index by a comparison: right", "", "1x256", X + 'if (i < n) out[i] = in[i - (threadIdx.x > 400)];')
flat("lane_special", "%laneid", "", "1x256", 'unsigned l; asm("mov.u32 %0, %laneid;" : "=r"(l)); if (i < n) out[i - threadIdx.x % 32 + l] = in[i];')
flat("grid_3d", "a grid in three axes: right", "", "33x65", 'const size_t j = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * 256 + threadIdx.x; if (j < n) out[j] = in[j];', grid="dim3(1, 65535, (unsigned)((n - 1) / (65535ull * 256) + 1))")
flat("grid_3d_wrong", "the axes of a grid exchanged", "covered", "33000x650", 'const size_t j = ((size_t)blockIdx.y * gridDim.z + blockIdx.z) * 128 + threadIdx.x; if (j < n) out[j] = in[j];', grid="dim3(1, 65535, (unsigned)((n - 1) / (65535ull * 256) + 1))")
flat("xy_fold", "x and y folded by the wrong axis", "once", "200x256", 'const size_t j = ((size_t)blockIdx.y * gridDim.y + blockIdx.x) * 256 + threadIdx.x; if (j < n) out[j] = in[j];', grid="dim3((unsigned)((n - 1) / (256 * 100) + 1), 100)")
flat("xy_fold_right", "x and y folded: right", "", "200x256", 'const size_t j = ((size_t)blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.x; if (j < n) out[j] = in[j];', grid="dim3((unsigned)((n - 1) / (256 * 100) + 1), 100)")
flat("noncoalesced", "block and thread exchanged", "covered", "1x257", 'const size_t j = (size_t)threadIdx.x * gridDim.x + blockIdx.x; if (j < n) out[j] = in[j];', grid="(unsigned)(n / 256 + (n < 256))")
flat("noncoalesced_right", "block and thread exchanged: right", "", "1x257", 'const size_t j = (size_t)threadIdx.x * gridDim.x + blockIdx.x; if (j < n) out[j] = in[j];')
flat("rows_in_y", "one row for a block, of at most 1024 columns", "covered", "3x2000", 'const int c = threadIdx.x; const int cols = (int)(n / gridDim.x); if (c < cols) out[(size_t)blockIdx.x * cols + c] = in[(size_t)blockIdx.x * cols + c];', grid="rows", block="1024")
flat("reverse_all", "out reversed", "values", "3x5", "if (i < n) out[i] = in[n - 1 - i];")
flat("reverse_both", "reversed on both sides: right", "", "3x5", "if (i < n) out[n - 1 - i] = in[n - 1 - i];")
flat("swap_pairs", "pairs swapped, twice: right for even n, out of bounds for odd ones", "bounds", "1x1", "const size_t j = i % 2 ? i - 1 : i + 1; if (i < n) out[j] = in[j];")
flat("switch_last", "a switch on what is left over, 3 forgotten", "covered", "1x7", "if (i < n / 4 * 4) out[i] = in[i]; else { switch (n % 4) { case 1: case 2: if (i < n) out[i] = in[i]; } }")
flat("goto_wrong", "two ways into one store, with other values", "values", "1x300", "float v; if (i >= n) return; if (i < 256) v = in[i]; else v = in[i - 1]; out[i] = v;")
flat("late_value", "the value of the last round but one", "values", "1x300", "float v = 0, w = 0; for (int j = 0; j < 4; ++j) { w = v; v = i + j < n ? in[i + j] : 0; } if (i < n) out[i] = w;")
flat("predicated_old", "a load under a condition, else the value before", "values", "1x300", 'float v = i < n ? in[i] : 0; if (i == 17 && i < n) v = in[i - 1]; if (i < n) out[i] = v;')
flat("asm_predicated", "a predicated load in an asm over another value", "values", "1x300", 'float v = i < n ? in[i] : 0; if (i > 0 && i < n) asm volatile("{.reg .pred p; setp.eq.u32 p, %1, 17; @p ld.global.f32 %0, [%2];}" : "+f"(v) : "r"((unsigned)threadIdx.x), "l"(in + i - 1)); if (i < n) out[i] = v;')
flat("asm_selp", "selp in an asm", "values", "1x300", 'float v = i < n ? in[i] : 0; asm volatile("{.reg .pred p; setp.eq.u32 p, %1, 17; selp.f32 %0, 0f3F800000, %2, p;}" : "=f"(v) : "r"((unsigned)threadIdx.x), "f"(v)); if (i < n) out[i] = v;')
flat("asm_guarded_bar", "a predicated barrier", "barriers", "1x300", 'asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 17; @p bar.sync 0;}" :: "r"((unsigned)threadIdx.x)); if (i < n) out[i] = in[i];')
flat("asm_red", "red.global.add of 0 to the output", "", "1x300", 'if (i < n) { out[i] = in[i]; asm volatile("red.global.add.u32 [%0], 0;" :: "l"(out + i)); }')
flat("asm_store_byte", "a byte of the output written again", "once", "1x300", 'if (i < n) { out[i] = in[i]; asm volatile("st.global.u8 [%0], %1;" :: "l"(out + i), "r"(0)); }')
flat("asm_prefetch", "a prefetch", "", "1x300", 'if (i < n) { asm volatile("prefetch.global.L2 [%0];" :: "l"(in + i)); out[i] = in[i]; }')
flat("asm_cpasync", "cp.async", "", "1x300", '__shared__ float box[256]; asm volatile("{.reg .u64 t; .reg .u32 s; cvta.to.shared.u64 t, %0; cvt.u32.u64 s, t; cp.async.ca.shared.global [s], [%1], 4; cp.async.wait_all;}" :: "l"(box + threadIdx.x), "l"(in + (i < n ? i : 0)) : "memory"); if (i < n) out[i] = box[threadIdx.x];')
flat("asm_membar", "membar", "", "1x300", 'if (i < n) out[i] = in[i]; __threadfence();')
flat("syncthreads_or", "__syncthreads_or", "", "1x300", 'const int any = __syncthreads_or(i < n); if (any && i < n) out[i] = in[i];')
flat("clock", "clock()", "", "1x300", 'if (clock() != 0 && i < n) out[i] = in[i];')
flat("trap", "__trap at one index", "", "1x300", 'if (i == 259) __trap(); if (i < n) out[i] = in[i];')
flat("assertion", "an assertion that fails", "", "1x300", 'if (i == 259) asm volatile("trap;"); if (i < n) out[i] = in[i];')
flat("launch_dim", "blocks of 32 x 8, of which y is not used", "once", "1x300", 'if (i < n) out[i] = in[i];', block="dim3(32, 8)", grid="(unsigned)((n - 1) / 32 + 1)")
flat("launch_stream", "the null stream given", "", "1x300", 'if (i < n) out[i] = in[i];', launch="k<<<(unsigned)((n - 1) / 256 + 1), 256, 0, 0>>>(in, out, n);")
flat("launch_recursive", "a loop over parts, one launch each", "", "1x300", 'if (i < n) out[i] = in[i];', launch="for (size_t b = 0; b < n; b += 1u << 30) k<<<(unsigned)((n - b - 1) / 256 + 1), 256>>>(in + b, out + b, n - b);")
flat("launch_parts", "a loop over parts of 2^28, the last one rounded down", "", "1x300", 'if (i < n) out[i] = in[i];', launch="for (size_t b = 0; b + 256 <= n; b += 1u << 28) k<<<1u << 20, 256>>>(in + b, out + b, n - b);")
