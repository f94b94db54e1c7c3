"""Programs that ask for too much of something, each of a few lines here: what keeps a check from answering.

`all_programs()` gives name -> source text. Each is a whole hand-in: a launcher, and what it does besides. Run as a script
it writes them to a folder: python3 hostile_programs.py FOLDER [NAME...]
"""

import sys
from pathlib import Path

TRANSPOSE = """
__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = (blockIdx.z * gridDim.y + blockIdx.y) * 32 + threadIdx.y;
    %(kernel)s
    if (x < cols && y < rows) out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
}
%(around)s
void transpose(const float* in, float* out, int rows, int cols) {
    %(before)s
    if (rows == 0 || cols == 0) return;
    const int down = (rows - 1) / 32 + 1, folds = (down - 1) / 65535 + 1;
    naive<<<dim3((cols - 1) / 32 + 1, (down - 1) / folds + 1, folds), dim3(32, 32)>>>(in, out, rows, cols);
    %(after)s
}
"""


def program(above="", kernel="", around="", before="", after="", stage="transpose/naive_read"):
    body = TRANSPOSE % {"kernel": kernel, "around": around, "before": before, "after": after}
    return f"// stage: {stage}\n#include <cstddef>\n#include <cstdio>\n#include <cassert>\n" \
           f"#include <cuda_runtime.h>\n{above}\n{body}"


def work(body, shape="<<<1, 32>>>", above="", parameters="float* out", arguments="out", times=""):
    """A kernel `work` that is launched before the right one; `times`: a loop around its launch."""
    return program(above=above + f"\n__global__ void work({parameters}) {{ {body} }}",
                   before=f"{times} work{shape}({arguments});")


def launches():
    nop = "__global__ void nop() {}"
    yield "launch_storm", program(above="__global__ void spin() { for (volatile int i = 0; i < 2000000; ++i) {} }",
                                  before="for (int i = 0; i < 4000; ++i) spin<<<1, 32>>>();")
    yield "empty_grids", program(above=nop, before="for (int i = 0; i < 4000; ++i) nop<<<2000000, 1>>>();")
    yield "empty_wide_blocks", program(above=nop, before="for (int i = 0; i < 4000; ++i) nop<<<65535, 1024>>>();")
    yield "largest_grid", program(above=nop, before="nop<<<dim3(2147483647, 65535, 65535), 1024>>>();")
    yield "blocks_with_shared", program(
        above="__global__ void nop(float* out) { extern __shared__ float s[]; if (out == nullptr) s[0] = 1; }",
        before="for (int i = 0; i < 100; ++i) nop<<<1000000, 32, 48000>>>(out);")
    for name, block in (("same", "2000"), ("different", "2000 + i")):
        yield f"refused_{name}", program(above=nop, before=f"for (int i = 0; i < 600000; ++i) nop<<<1, {block}>>>();")
    lines = "\n".join(f"nop<<<1, {2000 + i}>>>();" for i in range(3000))
    yield "refused_at_many_lines", program(above=nop, before=lines)
    yield "launches_by_many_lines", program(above=nop, before="\n".join("nop<<<1, 1>>>();" for _ in range(4000)))
    yield "parameters_of_4_kb", program(above="struct P { char c[4000]; }; __global__ void take(P p) {}",
                                        before="P p{}; for (int i = 0; i < 4000; ++i) take<<<1, 1>>>(p);")
    yield "attribute_storm", program(
        above=nop, before="for (int i = 0; i < 3000000; ++i)"
        " cudaFuncSetAttribute(nop, cudaFuncAttributeMaxDynamicSharedMemorySize, 1000000 + i);")
    yield "error_storm", program(before="for (int i = 0; i < 100000000; ++i) cudaGetLastError();")
    yield "device_query_storm", program(
        before="int v = 0; for (int i = 0; i < 100000000; ++i) cudaDeviceGetAttribute(&v, (cudaDeviceAttr)(i % 90), 0);")
    yield "launcher_recursion", program(above="__noinline__ int deep(int n) { return n == 0 ? 0 : deep(n + 1) + n; }",
                                        before="if (deep(rows + 1) == 7) return;")
    yield "launcher_loop", program(before="for (volatile int i = 0; i >= 0; i = 1) {}")


def memsets():
    big = "__device__ char big[200u << 20];"
    yield "memset_storm", program(above=big, before="void* at; cudaGetSymbolAddress(&at, big); for (int i = 0; i < 4000; ++i) cudaMemset(at, 0, 200u << 20);")
    yield "memset_of_scratch", program(
        stage="transpose/naive_read",
        before="for (int i = 0; i < 4000; ++i) cudaMemset(out, 0, (size_t)rows * cols * 4);")
    yield "memset_negative", program(before="cudaMemset(out, 0, (size_t)-1);")
    for name, lines in (("memset_lines", 300), ("memset_many_lines", 3000)):
        yield name, program(before="\n".join("cudaMemset(out, 0, 1);" for _ in range(lines)))
    yield "array_of_1_gib", program(above="__device__ char big[1u << 30];", before="void* at; cudaGetSymbolAddress(&at, big); cudaMemset(at, 0, 1u << 30);")
    yield "array_of_900_mib", program(above="__device__ char big[900u << 20];",
                                      before="void* at; cudaGetSymbolAddress(&at, big); cudaMemset(at, 0, 900u << 20);")
    yield "array_of_4_gib", program(above="__device__ char big[4ull << 30];", before="cudaMemset(big, 0, 1);")
    yield "local_array_of_400_kb", program(kernel="float a[100000]; a[x] = 1; if (a[y] > 2) return;")
    yield "local_array_of_60_kb", program(
        kernel="volatile char a[60000]; for (int i = 0; i < 60000; i += 16) a[i] = x; if (a[y] == 3) return;")
    yield "array_of_64_gib", program(above="__device__ char big[64ull << 30];", before="cudaMemset(big, 0, 1);")
    yield "array_stored_all_over", work(
        "for (size_t i = threadIdx.x * 4096ull; i < sizeof big; i += 32 * 4096ull) big[i] = 1;", above=big)
    yield "huge_local", program(
        kernel='asm volatile("{ .local .b8 q[3000000000]; st.local.u8 [q], 1; }");')
    yield "local_of_512_kb", work("volatile char own[500000]; for (int i = 0; i < 500000; i += 999) own[i] = i;"
                                  " out[0] = own[threadIdx.x];", "<<<1000, 1024>>>")
    yield "many_variables", program(above="\n".join(f"__device__ int v{i} = {i};" for i in range(6000)),
                                    kernel="if (x < 0) out[0] = " + " + ".join(f"v{i}" for i in range(0, 6000, 100)) + ";")
    yield "many_used_variables", program(above="\n".join(f"__device__ volatile int v{i} = {i};" for i in range(6000)),
                                         kernel="if (x < 0) {" + "\n".join(f"v{i}++;" for i in range(6000)) + "}")


def prints():
    everyone = "for (int i = 0; i < 1000; ++i) "
    yield "print_flood", program(kernel=everyone + 'printf("hello %d %f\\n", i, 1.5);')
    yield "print_width", program(kernel='if (x + y == 0) for (int i = 0; i < 20; ++i) printf("%2000000000d", i);')
    yield "print_width_by_argument", program(kernel='if (x + y == 0) printf("%*d", 2000000000, 1);')
    yield "print_precision", program(kernel='if (x + y == 0) printf("%.999999999f", 1.0 / 3);')
    yield "print_300_strings", program(
        above='__device__ char text[1024];',
        kernel="for (int i = threadIdx.x; i < 1023; i += 32) text[i] = 'x';" + everyone +
        'printf("' + "%s" * 30 + '", ' + ", ".join(["text"] * 30) + ");")
    yield "print_long_format", program(kernel=everyone + 'printf("' + "x" * 900 + '");')
    yield "print_by_launcher", program(before=everyone.replace("1000", "100000000") + 'printf("%f\\n", 1.5);')
    yield "print_no_end", program(
        above='__device__ char text[1 << 20];',
        kernel='if (x + y == 0) { for (int i = 0; i < (1 << 20); ++i) text[i] = 37; printf(text); }')


def loops():
    yield "spin_for_ever", work("for (volatile int i = 0; i >= 0; i = 1) {}", "<<<1000, 1024>>>")
    yield "spin_empty", work("asm volatile(\"L: bra L;\");")
    yield "counts_to_2_64", work("for (volatile unsigned long long i = 0; i + 1 != 0; ++i) {}", "<<<64, 256>>>")
    yield "slow_but_ends", work("float s = 0; for (int i = 0; i < 3000000; ++i) s += __sinf(s + i); out[0] = s;",
                                "<<<64, 256>>>")
    yield "clock_loop", work("while (clock64() < 1ll << 60) {}")
    yield "timer_loop", work("unsigned long long t; do { asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(t)); }"
                             " while (t != 0);")
    yield "nanosleep_loop", work("for (;;) __nanosleep(1000000);")
    yield "flag_that_nobody_sets", work("while (atomicAdd(&flag, 0) == 0) {}", "<<<4000, 1024>>>",
                                        above="__device__ int flag;")
    yield "volatile_flag", work("while (flag == 0) {}", "<<<4000, 256>>>", above="__device__ volatile int flag;")
    yield "counter_never_full", work("while (atomicAdd(&n, 1) != 0) {}", "<<<400, 256>>>", above="__device__ unsigned n;")
    yield "lock_never_free", work("while (atomicCAS(&lock, 0, 1) != 0) {}", "<<<40, 256>>>", above="__device__ int lock;")
    yield "one_address", work("for (int i = 0; i < 100000; ++i) atomicAdd(&sum, 1.0f);", "<<<640, 1024>>>",
                              above="__device__ float sum;")
    yield "one_shared_address", work("__shared__ int sum; for (int i = 0; i < 100000; ++i) atomicAdd(&sum, 1);",
                                     "<<<640, 1024>>>")
    yield "compare_and_swap", work(
        "for (int i = 0; i < 10000; ++i) { int old = v; while (atomicCAS(&v, old, old + 1) != old) old = v; }",
        "<<<64, 256>>>", above="__device__ int v;")
    yield "barrier_storm", work("for (int i = 0; i < 10000000; ++i) __syncthreads();", "<<<64, 1024>>>")
    yield "warp_barrier_storm", work("for (int i = 0; i < 10000000; ++i) __syncwarp(1u << (i & 31) | 0xffff);",
                                     "<<<64, 1024>>>")
    yield "fence_storm", work("for (int i = 0; i < 10000000; ++i) __threadfence();", "<<<8, 1024>>>")
    yield "shuffle_storm", work("int v = threadIdx.x; for (int i = 0; i < 10000000; ++i)"
                                " v += __shfl_xor_sync(~0u, v, i & 31); out[0] = v;", "<<<64, 1024>>>")
    yield "divergence", work("int v = 0; for (int i = 0; i < 1000000; ++i) switch ((i * threadIdx.x) & 31) {" +
                             "".join(f"case {i}: v = v * {i + 3} + atomicAdd(&a, {i}); break;" for i in range(32)) +
                             "} out[0] = v;", "<<<64, 1024>>>", above="__device__ int a;")
    yield "strands", work("volatile int* at = &a; for (int i = 0; i < 1000000; ++i) { if ((i ^ threadIdx.x) & 1)"
                          " { while (*at < 0) {} } __syncwarp(~0u >> (threadIdx.x & 15)); }", "<<<64, 1024>>>",
                          above="__device__ int a;")
    yield "scattered_loads", work("float s = 0; for (unsigned i = 0; i < 1000000; ++i)"
                                  " s += t[(i * 7919u + threadIdx.x * 104729u) % (1u << 22)]; out[0] = s;",
                                  "<<<64, 1024>>>", above="__device__ float t[1 << 22];")
    yield "scattered_stores", work("for (unsigned i = 0; i < 1000000; ++i)"
                                   " t[(i * 7919u + threadIdx.x * 104729u) % (1u << 22)] = i;",
                                   "<<<64, 1024>>>", above="__device__ float t[1 << 22];")
    yield "same_bytes", program(above="__device__ char t[4096];", kernel="for (int i = 0; i < 4096; ++i) t[i] = 1;")
    yield "racing_stores", work("for (unsigned i = 0; i < 100000; ++i) t[(i * 7919u) & 65535] = threadIdx.x;",
                                "<<<16, 512>>>", above="__device__ int t[1 << 16];")
    yield "racing_reads", work("int s = 0; for (unsigned i = 0; i < 100000; ++i) { s += t[(i * 7919u) & 65535];"
                               " t[(i * 31u + threadIdx.x) & 65535] = s; }", "<<<16, 512>>>",
                               above="__device__ int t[1 << 16];")
    yield "shared_races", work("__shared__ int t[8192]; for (unsigned i = 0; i < 1000000; ++i)"
                               " t[(i * 7919u + threadIdx.x * 33u) & 8191] += i; out[0] = t[0];", "<<<64, 1024>>>")
    yield "conflicts", work("__shared__ volatile int t[8192]; for (unsigned i = 0; i < 1000000; ++i)"
                            " t[threadIdx.x * 32 & 8191] += i;", "<<<64, 1024>>>")
    yield "volatile_everything", work("volatile float* o = out; for (int i = 0; i < 10000000; ++i) o[0] = o[0] + 1;",
                                      "<<<64, 1024>>>")
    yield "wide_division", work("unsigned long long v = ~0ull - threadIdx.x; for (int i = 1; i < 10000000; ++i)"
                                " v = v / i + 0xfffffffffffffull * i; out[0] = v;", "<<<64, 1024>>>")
    yield "double_functions", work("double v = threadIdx.x; for (int i = 1; i < 10000000; ++i)"
                                   " v = sqrt(v * v + i) / (v + 1.0) + fma(v, v, 1.0); out[0] = v;", "<<<64, 1024>>>")
    yield "recursion", work("out[0] = deep(threadIdx.x, 1);", "<<<64, 1024>>>", above="""
__device__ __noinline__ int deep(int n, int m) { return m == 0 ? n : deep(n + 1, m + 1) + deep(n, m + 2); }""")
    yield "tree_recursion", work("out[0] = tree(1800);", "<<<64, 1024>>>", above="""
__device__ __noinline__ int leaf(int n) { volatile int v = n; return v + 1; }
__device__ __noinline__ int tree(int n) {
    if (n > 0) return tree(n - 1) + 1;
    int s = 0;
    for (int i = 0; i < 10000000; ++i) s += leaf(i);
    return s;
}""")
    yield "assert_storm", work("for (int i = 0; i < 1000000; ++i) assert(i < 0);", "<<<1000, 1024>>>")
    yield "trap_at_once", work("__trap();", "<<<1000, 1024>>>", times="for (int i = 0; i < 4000; ++i)")
    yield "faults_everywhere", work("for (int i = 0; i < 1000000; ++i) out[-1 - i] = i;", "<<<1000, 1024>>>")
    yield "faults_at_many_lines", work("\n".join(f"out[-{i} - (int)threadIdx.x] = {i};" for i in range(1, 2000)),
                                       "<<<100, 256>>>")
    yield "uninitialised_reads", work("__shared__ float s[1024]; float v = 0; for (int i = 0; i < 1000000; ++i)"
                                      " v += s[(i + threadIdx.x) & 1023]; out[0] = v;", "<<<64, 1024>>>")
    yield "block_copies", work(
        "__shared__ __align__(16) char s[40000]; unsigned at = __cvta_generic_to_shared(s);"
        " for (int i = 0; i < 1000000; ++i) asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16;\""
        " :: \"r\"(at + threadIdx.x * 16), \"l\"(t + threadIdx.x * 16)); out[0] = s[0];",
        "<<<64, 1024>>>", above="__device__ __align__(16) char t[40000];")
    yield "bulk_copies", work(
        "extern __shared__ __align__(128) char s[]; __shared__ unsigned long long b;"
        " unsigned to = __cvta_generic_to_shared(s), bar = __cvta_generic_to_shared(&b);"
        " if (threadIdx.x == 0) asm volatile(\"mbarrier.init.shared.b64 [%0], 1;\" :: \"r\"(bar)); __syncthreads();"
        " for (int i = 0; i < 1000000; ++i) asm volatile("
        "\"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%2], 40000;\""
        " \"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 40000, [%2];\""
        " :: \"r\"(to), \"l\"(t), \"r\"(bar)); out[0] = s[0];",
        "<<<64, 1024, 40960>>>", above="__device__ __align__(128) char t[40960];")


def texts():
    yield "less_than_in_one_line", program(above="#if 0\n" + ("<" * 15000 + "\\\n") * 60 + "\n#endif")
    yield "less_than_in_directive", program(above="#if 0\n#x " + ("<" * 15000 + "\\\n") * 60 + "\n#endif")
    yield "headers_in_one_line", program(above="#if 0\n#x " + ("__has_include(<a>" * 900 + "\\\n") * 60 + "\n#endif")
    yield "launchers_that_are_none", program(above="#if 0\n" + "transpose( {\n" * 60000 + "#endif").replace(
        "void transpose(", "static void transpose(")
    yield "namespaces", program(above="".join(f"namespace n{i} {{ " for i in range(200)) + "}" * 200 + "#if 0\n".join([
        "\n", "namespace n { transpose(\n" * 30000 + "\n#endif"])).replace("void transpose(", "static void transpose(")
    yield "long_word_before_quote", program(above="#if 0\n" + ("a" * 15000 + "\\\n") * 60 + '"x"\n#endif')
    yield "long_words_before_quotes", program(above="#if 0\n" + (("a" * 150 + '"') * 100 + "\\\n") * 60 + "\n#endif")
    yield "quotes_after_digits", program(above="#if 0\n" + ("1'" * 7000 + "\\\n") * 60 + "\n#endif")
    yield "open_comments", program(above="#if 0\n" + ("/*" * 9000 + "\\\n") * 50 + "*/\n#endif")
    yield "raw_strings", program(above="#if 0\n" + 'R"x(\n' * 100000 + ")x\"\n#endif")
    yield "many_conditions", program(above="#if 0\n#elif 1\n#endif\n" * 30000)
    yield "deep_conditions", program(above="#if 1\n" * 20000 + "#endif\n" * 20000)
    yield "refused_lines", program(above='#include "x"\n' * 70000)
    yield "question_marks", program(above="#if 0\n" + ("?" * 15000 + "\n") * 60 + "\n#endif")
    yield "backslashes", program(above="#if 0\n" + ("\\ \\\t" * 4000 + "\n") * 50 + "\n#endif")
    yield "many_lines", program(above="\n" * 900000)
    yield "template_bomb", program(above="""template <int N> struct B { using L = typename B<N - 1>::L; static constexpr
long v = B<N - 1>::v + B<N - 2>::v * (N & 1); }; template <> struct B<1> { using L = int; static constexpr long v = 1; };
template <> struct B<0> { using L = int; static constexpr long v = 1; };
template <int N, int M> struct C { static constexpr long v = C<N - 1, M>::v + C<N - 1, M + 1>::v + C<N, M + 1>::v; };
template <int M> struct C<0, M> { static constexpr long v = M; };""", kernel="if (x == C<400, 3>::v) return;")
    yield "constexpr_bomb", program(above="constexpr long f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }",
                                    kernel="constexpr long v = f(50); if (x == v) return;")
    yield "macro_bomb", program(above="#define A0 x + x\n" + "".join(f"#define A{i} A{i - 1} + A{i - 1}\n"
                                                                      for i in range(1, 30)),
                                kernel="if ((A29) == 3) return;")
    yield "initialised_array", program(above="__device__ int t[1 << 28] = {1};", kernel="if (t[x] == 3) return;")
    yield "initialised_by_text", program(above="__device__ int t[] = {" + "1,1,1,1,1,1,1,1,1,1,\n" * 40000 + "};",
                                         kernel="if (t[x & 3] == 3) return;")
    yield "many_kernels", program(above="\n".join(f"__global__ void k{i}(float* o) {{ o[{i}] = {i}; }}"
                                                  for i in range(4000)))
    yield "many_functions", program(above="\n".join(f"__device__ __noinline__ float f{i}(float v) {{ return v * {i}; }}"
                                                    for i in range(3000)),
                                    kernel="float v = 0;" + "\n".join(f"v += f{i}(v);" for i in range(3000)) +
                                    "if (v == 3) return;")
    yield "long_name", program(above=f"__device__ int {'n' * 15000};\n__global__ void {'k' * 15000}(float* o) {{\n"
                                     f"o[-1] = {'n' * 15000}; }}", before=f"{'k' * 15000}<<<1, 1>>>(out);")
    yield "many_barriers", program(kernel="__shared__ int s[64];" + "\n".join(
        f"if (rows == {i}) s[{i} & 63] = x; __syncthreads();" for i in range(700)))
    yield "many_shared_accesses", program(kernel="__shared__ volatile int s[64];" + "\n".join(
        f"s[(x + {i}) & 63] += y; if (rows == {i}) __syncthreads();" for i in range(500)))
    yield "many_branches", program(kernel="volatile int v = x;" + "\n".join(
        f"if (v == {i}) v = v * {i} + cols;" for i in range(5000)))
    yield "nested_loops", program(kernel="volatile int v = 0;" + "".join(
        f"for (int a{i} = 0; a{i} < v; ++a{i}) {{" for i in range(120)) + "v++;" + "}" * 120)
    yield "large_switch", program(kernel="volatile int v = x; switch (v) {" + "\n".join(
        f"case {i}: v = {i * 7 % 1000}; break;" for i in range(4000)) + "}")
    yield "many_statements_of_asm", program(kernel="int v;" + "\n".join(
        'asm volatile("mov.u32 %0, %1;" : "=r"(v) : "r"(x));' for _ in range(3000)) + "if (v == -5) return;")
    yield "functions_of_double", program(kernel="double v = x;" + "".join(
        f"v = pow(v, {i}.5) + tgamma(v) + erfinv(v) + j0(v);" for i in range(30)) + "if (v == 7) return;")
    yield "templates_that_unroll", program(
        above="template <int N> struct U { static __device__ void run(volatile int* v)"
        " { *v = *v + N; U<N - 1>::run(v); U<N - 1>::run(v); } };"
        " template <> struct U<0> { static __device__ void run(volatile int*) {} };",
        kernel="volatile int v = x; U<16>::run(&v);")
    yield "deep_brackets", program(kernel="if (" + "(" * 3000 + "x" + ")" * 3000 + " == -5) return;")
    yield "much_unrolling", program(kernel="volatile int v = 0;\n#pragma unroll 20000\n"
                                           "for (int i = 0; i < 20000; ++i) v += i;")


def all_programs():
    return dict(pair for part in (launches, memsets, prints, loops, texts) for pair in part())


def write(folder, names=()):
    """The paths, by name."""
    paths = {}
    for name, text in all_programs().items():
        if names and name not in names:
            continue
        paths[name] = Path(folder) / f"{name}.cu"
        paths[name].write_text(text)
    return paths


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    write(sys.argv[1], sys.argv[2:])
