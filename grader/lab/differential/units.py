"""A unit of random kernels: many in one translation unit, with the functions and the table that they share."""
import random

from expressions import TYPES, Expressions
from kernels import Kernel

HELPERS = """// NaN as one value: of f64 its bits are not specified.
__device__ __forceinline__ float nf(float x) { return x != x ? __int_as_float(0x7fffffff) : x; }
__device__ __forceinline__ double nd(double x) { return x != x ? __longlong_as_double(0x7ff8000000000000ll) : x; }
__device__ __forceinline__ unsigned nh(unsigned x, unsigned inf) { return (x & 0x7fffu) > inf ? 0x7fffu : x; }
__device__ __forceinline__ unsigned nh2(unsigned x, unsigned inf) { return nh(x & 0xffffu, inf) | nh(x >> 16, inf) << 16; }
extern __shared__ __align__(16) unsigned char dynamic_bytes[];
__device__ __noinline__ unsigned nth(unsigned m, unsigned n) {
    for (n %= __popc(m); n != 0; --n) m &= m - 1;
    return __ffs(m) - 1;
}
"""
# Lanes exchange values in a function that is not inlined.
TOGETHER = """__device__ __noinline__ unsigned togetherNUMBER(unsigned mask, unsigned x, unsigned n) {
    for (unsigned i = 0; i < 3; ++i) x = x * FACTOR + __shfl_sync(mask, x, nth(mask, n + i));
    return x ^ __reduce_add_sync(mask, x & 255);
}
"""


class Function:
    """A function that is not inlined."""

    def __init__(self, name, type, arguments, text):
        self.name, self.type, self.arguments, self.text = name, type, arguments, text

    def call(self, arguments):
        return f"{self.name}({', '.join(arguments)})"


def make_functions(rng):
    functions = []
    for number in range(8):
        type = rng.choice(["u32", "s32", "f32", "f64", "u64"])
        arguments = [rng.choice(["u32", "s32", "f32", "f64", "u64", "u8", "s16"]) for _ in range(rng.randint(1, 3))] + [type]
        variables = {t: [f"a{i}" for i, a in enumerate(arguments) if a == t] or [f"({TYPES[t][0]})a{len(arguments) - 1}" if not TYPES[type][3]
                     or TYPES[t][3] else "(" + TYPES[t][0] + ")" + ("__float2int_rz" if type == "f32" else "__double2int_rz") + f"(a{len(arguments) - 1})"]
                     for t in TYPES}
        make = Expressions(rng, variables)
        last = f"a{len(arguments) - 1}"
        text = f"__device__ __noinline__ {TYPES[type][0]} fn{number}(" + ", ".join(f"{TYPES[t][0]} a{i}" for i, t in enumerate(arguments)) + ") {\n"
        if rng.random() < 0.5:
            text += f"    if {make.condition(1)} return {make.make(type, 1)};\n"
        if rng.random() < 0.4:
            text += f"#pragma unroll 1\n    for (int i = 0; i < {rng.randint(2, 4)}; ++i) {last} = {make.make(type, 2)};\n"
        functions.append(Function(f"fn{number}", type, arguments, text + f"    return {make.make(type, 2)};\n}}\n"))
    return functions


class KernelUnit:
    """Kernels k000, k001 ... of a unit: all of it follows from the seed, each kernel for itself."""

    def __init__(self, seed, count=100):
        self.seed = seed
        rng = random.Random(f"functions {seed}")
        self.functions = make_functions(rng)
        self.table = [rng.getrandbits(32) for _ in range(64)]
        self.kernels = [Kernel(random.Random(f"{seed} {i}"), f"k{i:03d}", self.functions) for i in range(count)]

    def head(self):
        factors = [value | 1 for value in self.table[:2]]
        return HELPERS + "".join(TOGETHER.replace("NUMBER", str(i)).replace("FACTOR", f"{f}u") for i, f in enumerate(factors)) + \
            f"__constant__ unsigned table[64] = {{{', '.join(f'{v}u' for v in self.table)}}};\n" + "".join(f.text for f in self.functions)

    def source(self):
        return self.head() + "\n".join(k.source() for k in self.kernels)

    def manifest(self):
        return f"seed {self.seed}\n" + "".join(k.launch() + "\n" for k in self.kernels)
