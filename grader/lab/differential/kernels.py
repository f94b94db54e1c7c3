"""Random kernels without undefined behaviour and without results that depend on an order. A kernel is a tree of
statements that can be left out one by one."""
import copy
import functools
import re

from expressions import TYPES, Expressions
from opcodes import read_opcodes

IN_WORDS = 4096  # unit.hpp
SCRATCH_WORDS = 64  # of `out`, after the words of the threads: what atomics add up
POOL = {"u32": 3, "s32": 2, "u64": 2, "s64": 1, "u16": 2, "s16": 1, "u8": 1, "s8": 1, "f32": 3, "f64": 2}


@functools.lru_cache(1)
def opcodes():
    return read_opcodes()


class Statement:
    """`text` may hold BODY0, BODY1 ...: the places of `bodies`, lists of statements."""

    def __init__(self, text, bodies=()):
        self.text, self.bodies, self.number = text, bodies, None

    def walk(self):
        yield self
        for body in self.bodies:
            for statement in body:
                yield from statement.walk()

    def lines(self, omitted, indent):
        if self.number in omitted:
            return
        for line in self.text.split("\n"):
            mark = line.strip()
            if mark.startswith("BODY"):
                for statement in self.bodies[int(mark[4:])]:
                    yield from statement.lines(omitted, indent + "    ")
            else:
                yield indent + line


class Kernel:
    def __init__(self, rng, name, functions=(), raw_nan=None):
        self.random, self.name = rng, name
        self.raw_nan = rng.random() < 0.08 if raw_nan is None else raw_nan
        self.block_x, self.block_y = rng.choice([(32, 1), (64, 1), (128, 1), (64, 1), (16, 4), (40, 1), (8, 12)])
        self.threads = self.block_x * self.block_y
        self.grid = rng.choice([1, 2, 3])
        self.is_dynamic = rng.random() < 0.3
        self.has_full_warps = self.threads % 32 == 0
        self.variables = {t: [f"{t}_{i}" for i in range(n)] for t, n in POOL.items()}
        self.make = Expressions(rng, self.variables, functions, not self.raw_nan)
        self.scratch = 0  # words of it that are given out
        self.is_collective, self.depth = True, 0
        self.statements = [self.statement() for _ in range(rng.randint(5, 10))]
        if rng.random() < 0.3:
            self.statements.append(Statement("if (COND) {\nSTORE\n    return;\n}".replace("COND", self.make.condition(1))))
            self.is_collective = False
            self.statements += [self.statement() for _ in range(3)]
        self.used, self.omitted = sorted(self.make.used), frozenset()
        self.places = {variable: i for i, variable in enumerate(self.used)}  # what it starts with depends on it
        for number, statement in enumerate(s for top in self.statements for s in top.walk()):
            statement.number = number
        self.count = sum(1 for top in self.statements for _ in top.walk())
        self.words = self.words_of(self.used)

    def words_of(self, variables):
        return sum(2 if TYPES[self.type_of(v)][1] == 64 else 1 for v in variables) or 1

    def without(self, omitted, name):
        """The same kernel without these statements, and without the variables that only they had."""
        kernel = copy.copy(self)
        kernel.name, kernel.omitted = name, frozenset(omitted)
        text = "\n".join(kernel.body_lines())
        kernel.used = [v for v in self.used if re.search(rf"\b{v}\b", text)]
        kernel.words = self.words_of(kernel.used)
        return kernel

    @staticmethod
    def type_of(variable):
        return variable.split("_")[0]

    # -- statements

    def statement(self):
        r = self.random
        kinds = [(self.assign, 5), (self.opcode, 6), (self.local_array, 1), (self.own_atomic, 0.7), (self.load, 1.5)]
        if self.depth < 2:
            kinds += [(self.branch, 1.5), (self.loop, 1.2), (self.switch, 0.5)]
        if self.is_collective:
            kinds += [(self.shuffle, 2), (self.vote, 1.5), (self.masked, 1), (self.exchange, 1.5),
                      (self.shared_atomic, 0.8), (self.block_vote, 0.4)]
        if self.scratch + 8 <= SCRATCH_WORDS and self.depth == 0:
            kinds.append((self.global_atomic, 0.8))
        return r.choices([k for k, _ in kinds], [w for _, w in kinds])[0]()

    def body(self, most=3, collective=False):
        kept = self.is_collective
        self.is_collective, self.depth = kept and collective, self.depth + 1
        statements = [self.statement() for _ in range(self.random.randint(1, most))]
        self.is_collective, self.depth = kept, self.depth - 1
        return statements

    def target(self, types=None):
        type = self.random.choice(types or ["u32", "u32", "s32", "u64", "s64", "f32", "f32", "f64", "u16", "s16", "u8", "s8"])
        return type, self.make.variable(type)

    def assign(self):
        type, name = self.target()
        return Statement(f"{name} = {self.make.make(type, self.random.choice([1, 2, 2]))};")

    def opcode(self):
        op = self.random.choice(opcodes())
        outputs, inputs = op.kinds()
        names = []
        for kind in outputs:
            free = [n for n in self.variables[kind] if n not in names]
            if not free:
                return self.assign()
            names.append(self.random.choice(free))
        self.make.used.update(names)
        text = op.statement(names, [self.make.leaf(kind) for kind in inputs])
        half = op.half_format()
        for name, kind in zip(names, outputs):
            if not self.raw_nan or kind == "f64" or op.has_any_nan():
                if TYPES[kind][3]:
                    text += f" {name} = {'nf' if kind == 'f32' else 'nd'}({name});"
                elif half:
                    inf = "0x7c00u" if half == "f16" else "0x7f80u"
                    text += f" {name} = {'nh' if kind == 'u16' else 'nh2'}({name}, {inf});"
        return Statement(text)

    def load(self):
        r, e = self.random, self.make.make("u32", 1)
        form = r.randrange(7)
        if form == 0:
            a, b = self.make.variable("u32"), self.make.variable("f32")
            return Statement(f"{{\n    const uint4 q = ((const uint4*)in)[{e} & 1023];\n    {a} += q.x ^ q.w;\n"
                             f"    {b} = nf(__uint_as_float(q.y + q.z));\n}}")
        if form == 1:
            a = self.make.variable("s64")
            return Statement(f"{{\n    const int2 q = ((const int2*)in)[{e} & 2047];\n    {a} ^= (long long)q.x * q.y;\n}}")
        if form == 2:
            type, name = self.target(["u8", "s8", "u16", "s16"])
            mask = IN_WORDS * 32 // TYPES[type][1] - 1
            return Statement(f"{name} = ((const {TYPES[type][0]}*)in)[{e} & {mask}];")
        if form == 3:
            return Statement(f"{self.make.variable('u32')} = __ldg(in + ({e} & 4095));")
        if form == 4:
            a, b = self.make.variable("u16"), self.make.variable("s16")
            return Statement(f"{{\n    const ushort4 q = ((const ushort4*)in)[{e} & 2047];\n    {a} = q.x + q.z;\n    {b} = q.w - q.y;\n}}")
        if form == 5:
            return Statement(f"{self.make.variable('u32')} ^= table[{e} & 63];")
        type, name = self.target(["u64", "f64"])
        text = f"((const {TYPES[type][0]}*)in)[{e} & 2047]"
        return Statement(f"{name} = {f'nd({text})' if type == 'f64' else text};")

    def local_array(self):
        r, e = self.random, self.make
        type, name = self.target(["u32", "u64", "f32", "u8"])
        index, value = e.make("u32", 1), e.make(type, 1)
        read = f"a[{e.make('u32', 1)} & 7]"
        if r.random() < 0.4 and type == "u32":
            read = f"*(({e.condition(0)}) ? (const unsigned*)&a[{e.make('u32', 0)} & 7] : in + ({e.make('u32', 0)} & 4095))"
        return Statement(f"{{\n    {TYPES[type][0]} a[8];\n    for (int i = 0; i < 8; ++i) a[i] = ({TYPES[type][0]})({e.make('u32', 0)} + i);\n"
                         f"    a[{index} & 7] = {value};\n    {name} = {read};\n}}")

    def branch(self):
        condition = self.make.condition(1)
        if self.random.random() < 0.5:
            return Statement(f"if ({condition}) {{\nBODY0\n}}", [self.body()])
        return Statement(f"if ({condition}) {{\nBODY0\n}} else {{\nBODY1\n}}", [self.body(), self.body()])

    def loop(self):
        r, i = self.random, f"i{self.depth}"
        form = r.randrange(4)
        if self.depth == 0 and r.random() < 0.06:  # one lane goes on for long after the others
            name = self.make.variable("u32")
            return Statement(f"for (unsigned {i} = (tid & 31) == {r.randrange(32)} ? {r.choice([300, 4200, 5000])} : {r.randint(0, 3)}; {i} != 0; --{i})\n"
                             f"    {name} = {name} * 3 + in[({name} ^ {i}) & 4095];")
        if form == 0:  # the same turns for all
            unroll = r.choice(["", "#pragma unroll 1\n", "#pragma unroll\n"])
            return Statement(f"{unroll}for (int {i} = 0; {i} < {r.randint(1, 5)}; ++{i}) {{\nBODY0\n}}", [self.body(2, True)])
        turns = self.make.make("u32", 1)
        if form == 1:
            return Statement(f"for (unsigned {i} = {turns} & 7; {i} != 0; --{i}) {{\nBODY0\n}}", [self.body(2)])
        if form == 2:
            leave = r.choice(["break", "continue"])
            return Statement(f"for (unsigned {i} = 0; {i} < ({turns} & 7); ++{i}) {{\nBODY0\n    if ({self.make.condition(1)}) {leave};\nBODY1\n}}",
                             [self.body(1), self.body(2)])
        return Statement(f"{{\n    unsigned {i} = {turns} & 15;\n    do {{\nBODY0\n    }} while (({i} >>= 1) != 0);\n}}", [self.body(2)])

    def switch(self):
        r = self.random
        cases = r.choice([3, 4, 6])
        text = f"switch ({self.make.make('u32', 1)} % {cases + 1}) {{\n"
        for case in range(cases):
            text += f"case {case}:\nBODY{case}\n" + ("    break;\n" if r.random() < 0.8 else "")
        return Statement(text + f"default:\nBODY{cases}\n}}", [self.body(1) for _ in range(cases + 1)])

    # -- what all threads of a warp or a block do together

    def lane(self):
        """A lane of this warp that exists."""
        return f"({self.make.make('u32', 1)} % lanes)"

    def shuffle(self):
        r = self.random
        type, name = self.target(["u32", "s32", "u64", "s64", "f32", "f64"])
        value = self.make.make(type, 1)
        if not self.has_full_warps:
            return Statement(f"{name} = __shfl_sync(warp, {value}, {self.lane()});")
        width = r.choice([32, 32, 16, 8, 4, 2])
        form = r.randrange(5)
        if form == 4:
            a, p = self.make.variable("u32"), self.make.variable("s32")
            mode = r.choice(["up", "down", "bfly", "idx"])
            clamp = r.choice([31, 0x1f, 0x181f, 0x1c1f, 0x1e1f, 0x100f]) if mode != "up" else r.choice([0, 0x1800, 0x1c00, 5])
            return Statement(f'asm("{{.reg .pred p; shfl.sync.{mode}.b32 %0|p, %2, %3, {clamp}, 0xffffffff; selp.s32 %1, 1, 0, p;}}" : '
                             f'"=r"({a}), "=r"({p}) : "r"({self.make.leaf("u32")}), "r"({self.make.leaf("u32")} & 31u));')
        call = ["__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"][form]
        by = f"(int)({self.make.make('u32', 1)} & 31)" if form == 0 else f"({self.make.make('u32', 0)} & {width - 1})" \
            if r.random() < 0.3 else str(r.randrange(width))
        return Statement(f"{name} = {call}(warp, {value}, {by}, {width});")

    def warp_operation(self, mask):
        """An assignment in which the lanes of `mask`, and no others, take part."""
        r, e = self.random, self.make
        form = r.randrange(10)
        if form == 9:
            return f"{e.variable('u32')} = together{r.randrange(2)}({mask}, {e.make('u32', 1)}, {e.make('u32', 0)});"
        if form == 0:
            return f"{e.variable('u32')} = __ballot_sync({mask}, {e.condition(1)});"
        if form == 1:
            return f"{e.variable('s32')} = {r.choice(['__any_sync', '__all_sync'])}({mask}, {e.condition(1)});"
        if form == 2:
            return f"{e.variable('u32')} = __match_any_sync({mask}, {e.make(r.choice(['u32', 'u64', 's32']), 1)} & {r.choice([1, 3, 7])});"
        if form == 3:
            a, b = e.variable("u32"), e.variable("s32")
            return f"{{ int p; {a} = __match_all_sync({mask}, {e.make('u32', 1)} & {r.choice([0, 1, 16])}u, &p); {b} = p; }}"
        if form in (4, 5):
            type, name = self.target(["u32", "s32"])
            op = r.choice(["add", "min", "max", "and", "or", "xor"])
            if op in ("and", "or", "xor"):
                type, name = "u32", e.variable("u32")
            return f"{name} = __reduce_{op}_sync({mask}, {e.make(type, 1)});"
        type, name = self.target(["u32", "s32", "u64", "f32", "f64"])
        source = f"__ffs({mask}) - 1" if r.random() < 0.4 else f"nth({mask}, {e.make('u32', 0)})"
        return f"{name} = __shfl_sync({mask}, {e.make(type, 1)}, {source});"

    def vote(self):
        return Statement(self.warp_operation("warp"))

    def masked(self):
        m = f"m{self.depth}"
        condition = self.make.condition(1)
        operation = self.warp_operation(m)
        other = self.warp_operation(f"(warp ^ {m})") if self.random.random() < 0.5 else ""
        tail = f" else {{\n    {other}\n}}" if other else ""
        return Statement(f"{{\n    const bool c{m} = {condition};\n    const unsigned {m} = __ballot_sync(warp, c{m});\n"
                         f"    if (c{m}) {{\n    {operation}\n    }}{tail}\n    __syncwarp(warp);\n}}")

    def exchange(self):
        """Through shared memory: each thread writes its own place, and reads any."""
        r, e = self.random, self.make
        type, name = self.target(["u32", "u64", "f32", "f64", "u16", "u8", "s8"])
        ctype, n = TYPES[type][0], self.threads
        factor = r.choice([1, 3, 5, 7, 11]) if n % 3 and n % 5 else r.choice([1, 7, 11, 13])
        place = f"(tid * {factor} + {r.randrange(n)}) % {n}u"
        value = e.make(type, 1)
        if r.random() < 0.25 and type == "u32":
            return Statement(f"((uint4*)shared)[{place}] = make_uint4({value}, tid, {e.make('u32', 0)}, {e.make('u32', 0)});\n__syncthreads();\n"
                             f"{{\n    const uint4 q = ((const uint4*)shared)[{e.make('u32', 1)} % {n}u];\n    {name} = q.x + q.y * 3 - q.z ^ q.w;\n}}\n__syncthreads();")
        if r.random() < 0.3:
            return Statement(f"(({ctype}*)shared)[tid] = {value};\n__syncwarp(warp);\n{name} = (({ctype}*)shared)[(tid & ~31u) + {self.lane()}];\n__syncthreads();")
        return Statement(f"(({ctype}*)shared)[{place}] = {value};\n__syncthreads();\n{name} = (({ctype}*)shared)[{e.make('u32', 1)} % {n}u];\n__syncthreads();")

    def atomic(self, address, types):
        """An atomic whose effects on a place come to the same in any order."""
        r, e = self.random, self.make
        type = r.choice(types)
        ops = ["Add", "Min", "Max", "And", "Or", "Xor"] + (["Sub", "Inc", "Dec"] if type == "u32" else [])
        op = r.choice(ops)
        if type == "s32":
            op = r.choice(["Add", "Min", "Max"])
        if type == "s64":
            op = r.choice(["Min", "Max"])
        value = f"{r.randint(1, 40)}u" if op in ("Inc", "Dec") else e.make(type, 1)
        return type, f"atomic{op}(({TYPES[type][0]}*){address}, {value});"

    def shared_atomic(self):
        r, e = self.random, self.make
        places = r.choice([1, 2, 8, 32])
        type, text = self.atomic(f"shared + ({e.make('u32', 1)} % {places}u)", ["u32", "s32", "u64", "s64"])
        ctype = TYPES[type][0]
        text = text.replace(f"({ctype}*)shared", f"(({ctype}*)shared)")
        name = e.variable(type)
        guard = f"if ({e.condition(1)}) " if r.random() < 0.5 else ""
        return Statement(f"if (tid < {places}u) (({ctype}*)shared)[tid] = in[tid + {r.randrange(4000)}];\n__syncthreads();\n"
                         f"{guard}{text}\n__syncthreads();\n{name} = (({ctype}*)shared)[{e.make('u32', 1)} % {places}u];\n__syncthreads();")

    def global_atomic(self):
        first, self.scratch = self.scratch, self.scratch + 8
        type = self.random.choice(["u32", "s32", "u64", "s64"])
        shift = "" if TYPES[type][1] == 32 else " * 2"
        mask = 7 if TYPES[type][1] == 32 else 3
        _, text = self.atomic(f"(out + THREADWORDS + {first} + ({self.make.make('u32', 1)} & {mask}){shift})", [type])
        guard = f"if ({self.make.condition(1)}) " if self.random.random() < 0.4 else ""
        return Statement(guard + text)

    def own_atomic(self):
        """On this thread's own word: the value that comes back is known, too."""
        r, e = self.random, self.make
        form = r.randrange(4)
        if form == 0:
            name = e.variable("f32")
            return Statement(f"{name} = nf(atomicAdd((float*)own, nf({e.make('f32', 1)}))); *own = {e.make('u32', 0)};")
        if form == 1:
            return Statement(f"{e.variable('u32')} = atomicCAS(own, {e.make('u32', 1)}, {e.make('u32', 1)});")
        op = r.choice(["Exch", "Add", "Sub", "Min", "Max", "Inc", "Dec", "And", "Or", "Xor"])
        return Statement(f"{e.variable('u32')} = atomic{op}(own, {e.make('u32', 1)});")

    def block_vote(self):
        call = self.random.choice(["__syncthreads_count", "__syncthreads_and", "__syncthreads_or"])
        return Statement(f"{self.make.variable('s32')} = {call}({self.make.condition(1)});")

    # -- text

    def store(self):
        lines, word = [], 0
        for variable in sorted(self.used, key=lambda v: (TYPES[self.type_of(v)][1] != 64, v)):
            type = self.type_of(variable)
            value = {"f32": f"__float_as_uint({variable})", "f64": f"__double_as_longlong({variable})"}.get(type, variable)
            if type == "f64" or (type == "f32" and not self.raw_nan):
                value = value.replace(f"({variable})", f"({'nf' if type == 'f32' else 'nd'}({variable}))")
            if TYPES[type][1] == 64:
                lines += [f"own[{word}] = (unsigned)({value});", f"own[{word + 1}] = (unsigned)((unsigned long long)({value}) >> 32);"]
                word += 2
            else:
                lines.append(f"own[{word}] = (unsigned)({value});")
                word += 1
        return lines

    def initial(self, variable):
        index = self.places[variable]
        type = self.type_of(variable)
        ctype, bits, _, _ = TYPES[type]
        at = lambda k: f"in[(gid * {2 * index + 3} + {131 * index + k}) & 4095]"
        if type == "f32":
            return f"float {variable} = nf(__uint_as_float({at(0)}));" if not self.raw_nan else f"float {variable} = __uint_as_float({at(0)});"
        if type == "f64":
            text = f"__hiloint2double({at(0)}, {at(1)})"
            return f"double {variable} = nd({text});"
        if bits == 64:
            return f"{ctype} {variable} = ({ctype}){at(0)} << 32 | {at(1)};"
        return f"{ctype} {variable} = ({ctype}){at(0)};"

    def out_words(self):
        return self.grid * self.threads * self.words + SCRATCH_WORDS + self.grid * self.threads * self.words % 2

    def body_lines(self):
        return [line for s in self.statements for line in s.lines(self.omitted, "    ")]

    def source(self):
        thread_words = self.grid * self.threads * self.words
        thread_words += thread_words % 2
        lines = [f'extern "C" __global__ void {self.name}(const unsigned* in, unsigned* out) {{',
                 "    const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;",
                 f"    const unsigned gid = blockIdx.x * {self.threads}u + tid;",
                 f"    unsigned* own = out + gid * {self.words};"]
        body = self.body_lines()
        text = "\n".join(body)
        if "lanes" in text or "warp" in text:
            lines += [f"    const unsigned lanes = min(32u, {self.threads}u - (tid & ~31u));",
                      "    const unsigned warp = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;"]
        if "shared" in text:
            lines.append("    unsigned char* shared = dynamic_bytes;" if self.is_dynamic else
                         f"    __shared__ __align__(16) unsigned char shared[{16 * max(self.threads, 32)}];")
        lines += ["    " + self.initial(v) for v in self.used]
        stored = self.store()
        for line in body:
            if line.strip() == "STORE":
                lines += ["        " + s for s in stored]
            else:
                lines.append(line.replace("THREADWORDS", str(thread_words)))
        return "\n".join(lines + ["    " + s for s in stored] + ["}", ""])

    def launch(self):
        shared = 16 * max(self.threads, 32) if self.is_dynamic else 0
        return f"{self.name} {self.grid} {self.block_x} {self.block_y} {shared} {self.out_words()}"
