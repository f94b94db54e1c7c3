"""Random kernels for a comparison of counters: loads and stores of global and shared memory in many widths and strides,
by all lanes or some, once or in a loop. Every value that is loaded is used, so that the machine code has each access."""
import random

FORMS = [("unsigned char", 1), ("unsigned short", 2), ("unsigned", 4), ("uint2", 8), ("uint4", 16)]
FOLD = {"uint2": "({0}).x ^ ({0}).y", "uint4": "({0}).x ^ ({0}).y + ({0}).z * 3 ^ ({0}).w"}
MAKE = {"uint2": "make_uint2({0}, {0} + 1)", "uint4": "make_uint4({0}, {0} + 1, {0} ^ 2, {0} * 3)"}
REGION_BYTES = 8192  # of global memory, each access has its own; IN_WORDS is two of it
SHARED_BYTES = 8192


class AccessKernel:
    raw_nan = False

    def __init__(self, rng, name):
        self.name, self.random = name, rng
        self.block_x, self.block_y = rng.choice([(32, 1), (64, 1), (128, 1), (16, 4), (48, 1), (32, 4), (8, 16)])
        self.grid, self.threads, self.words = rng.choice([1, 2, 5]), self.block_x * self.block_y, 1
        self.stores = 0
        self.lines = [line for _ in range(rng.randint(2, 5)) for line in self.access()]

    def index(self, bytes, limit):
        """An index below `limit` // `bytes`, a power of two."""
        r = self.random
        mask = limit // bytes - 1
        lane = r.choice(["t", "t", "t", "threadIdx.x", "threadIdx.x * 8u + threadIdx.y", "(t ^ 5u)", "(t / 2u)", "(t / 8u)"])
        stride = r.choice([1, 1, 1, 2, 3, 4, 5, 8, 16, 17, 32, 33, 64, 65])
        if r.random() < 0.15:
            lane, stride = f"(t * {r.choice([7, 13, 37, 101])}u ^ t >> 2)", 1
        return f"({lane} * {stride}u + {r.choice([0, 0, 0, 1, 3, 8, 31, 32])}u) & {mask}u"

    def access(self):
        r = self.random
        (type, bytes), kind = r.choice(FORMS), r.choice(["load", "load", "store", "shared", "shared", "shared"])
        guard = r.choice(["", "", "", "if (t % 3 == 0) ", "if (t < 20) ", "if ((t & 1) != 0) ", "if (t / 32 % 2 == 0) "])
        if kind == "load":
            base = r.choice([0, 0, REGION_BYTES // 4, 1 << 4])
            inner = [f"const {type} q = ((const {type}*)(in + {base // 4 * 4}))[{self.index(bytes, REGION_BYTES)}];",
                     f"r = r * 5 + ({FOLD.get(type, '{0}').format('q')});"]
        elif kind == "store":
            self.stores += 1
            # Two threads may have the same word: the value is the same.
            value = MAKE.get(type, "{0}").format(f"({self.stores * 77}u)")
            inner = [f"(({type}*)(out + FIRST + {(self.stores - 1) * REGION_BYTES // 4}))[{self.index(bytes, REGION_BYTES)}] = ({type})({value});"]
        else:
            inner = [f"(({type}*)shared)[{self.index(bytes, SHARED_BYTES)}] = ({type})({MAKE.get(type, '{0}').format('9u')});"]
            if r.random() < 0.8:
                inner = ["__syncthreads();", *(guard + line for line in inner), "__syncthreads();",
                         f"{{ const {type} q = ((const {type}*)shared)[{self.index(bytes, SHARED_BYTES)}]; r = r * 5 + ({FOLD.get(type, '{0}').format('q')}); }}"]
                return ["{", *inner, "}"]
        if guard and r.random() < 0.6:
            return [f"{guard}{{", *inner, "}"]
        return ["{", *inner, "}"]

    def first(self):
        return (self.grid * self.threads + 63) // 64 * 64

    def out_words(self):
        return self.first() + max(self.stores, 1) * REGION_BYTES // 4

    def launch(self):
        return f"{self.name} {self.grid} {self.block_x} {self.block_y} 0 {self.out_words()}"

    def source(self):
        body = "\n".join("    " + line for line in self.lines).replace("FIRST", str(self.first()))
        shared = f"    __shared__ __align__(16) unsigned char shared[{SHARED_BYTES}];\n" \
            f"    for (unsigned i = t; i < {SHARED_BYTES // 4}u; i += {self.threads}u) ((unsigned*)shared)[i] = i;\n    __syncthreads();\n" \
            if "shared" in body else ""
        return (f'extern "C" __global__ void {self.name}(const unsigned* in, unsigned* out) {{\n'
                f"    const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;\n    unsigned r = t;\n{shared}{body}\n"
                f"    out[blockIdx.x * {self.threads}u + t] = r;\n}}\n")


class AccessUnit:
    def __init__(self, seed, count=100):
        self.seed = seed
        self.kernels = [AccessKernel(random.Random(f"accesses {seed} {i}"), f"u{seed}_{i:03d}") for i in range(count)]

    def head(self):
        return ""

    def source(self):
        return "\n".join(k.source() for k in self.kernels)

    def manifest(self):
        return f"seed {self.seed}\n" + "".join(k.launch() + "\n" for k in self.kernels)
