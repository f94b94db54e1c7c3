"""Random expressions of CUDA C++ over a pool of typed variables. Each is defined for every value of its variables, and is
either exact or rounded once in a way that the text says."""

TYPES = {  # name: (C++ type, bits, is signed, is floating)
    "u32": ("unsigned", 32, False, False), "s32": ("int", 32, True, False),
    "u64": ("unsigned long long", 64, False, False), "s64": ("long long", 64, True, False),
    "u16": ("unsigned short", 16, False, False), "s16": ("short", 16, True, False),
    "u8": ("unsigned char", 8, False, False), "s8": ("signed char", 8, True, False),
    "f32": ("float", 32, True, True), "f64": ("double", 64, True, True)}
INTEGERS = [name for name, row in TYPES.items() if not row[3]]
ROUNDINGS = ("rn", "rz", "ru", "rd")

# Functions by the type of their result: text with {type} for an argument of that type.
CALLS = {
    "u32": ["__popc({u32})", "__clz({u32})", "__brev({u32})", "__ffs({s32})", "__byte_perm({u32}, {u32}, {u32})",
            "__funnelshift_l({u32}, {u32}, {u32})", "__funnelshift_r({u32}, {u32}, {u32})",
            "__funnelshift_lc({u32}, {u32}, {u32})", "__funnelshift_rc({u32}, {u32}, {u32})", "__umulhi({u32}, {u32})",
            "__umul24({u32}, {u32})", "__usad({u32}, {u32}, {u32})", "__uhadd({u32}, {u32})", "__urhadd({u32}, {u32})",
            "__float_as_uint({f32})", "__float2uint_rn({f32})", "__float2uint_rz({f32})", "__float2uint_ru({f32})",
            "__float2uint_rd({f32})", "__double2uint_rn({f64})", "__double2uint_rz({f64})", "__double2uint_ru({f64})",
            "__double2uint_rd({f64})", "__popcll({u64})", "__clzll({u64})", "__ffsll({s64})", "__dp4a({u32}, {u32}, {u32})",
            "__vadd4({u32}, {u32})",
            "__vaddss2({u32}, {u32})", "__vsubus4({u32}, {u32})", "__vmaxu2({u32}, {u32})", "__vmins4({u32}, {u32})",
            "__vabsdiffu4({u32}, {u32})", "__vcmpgts2({u32}, {u32})", "__vavgu4({u32}, {u32})", "min({u32}, {u32})",
            "max({u32}, {u32})", "(unsigned)__double2loint({f64})", "(unsigned)__double2hiint({f64})",
            "__vsads4({u32}, {u32})", "__vabs4({u32})", "__vsetgtu4({u32}, {u32})",
            "__viaddmin_u32({u32}, {u32}, {u32})", "__viaddmax_u32({u32}, {u32}, {u32})",
            "__dp2a_lo({u32}, {u32}, {u32})", "__dp2a_hi({u32}, {u32}, {u32})", "__vimax3_u32({u32}, {u32}, {u32})"],
    "s32": ["__mulhi({s32}, {s32})", "__mul24({s32}, {s32})", "abs({s32} | 1)", "min({s32}, {s32})", "max({s32}, {s32})",
            "__hadd({s32}, {s32})", "__rhadd({s32}, {s32})", "(int)__sad({s32}, {s32}, {u32})", "__float_as_int({f32})",
            "__float2int_rn({f32})", "__float2int_rz({f32})", "__float2int_ru({f32})", "__float2int_rd({f32})",
            "__double2int_rn({f64})", "__double2int_rz({f64})", "__double2int_ru({f64})", "__double2int_rd({f64})",
            "__dp4a({s32}, {s32}, {s32})", "__dp2a_lo({s32}, {s32}, {s32})",
            "__dp2a_hi({s32}, {s32}, {s32})", "__viaddmax_s32({s32}, {s32}, {s32})", "__signbitf({f32})", "__isnanf({f32})", "__isinff({f32})", "__finitef({f32})",
            "ilogbf({f32})"],
    "u64": ["__brevll({u64})", "__umul64hi({u64}, {u64})", "__float2ull_rn({f32})", "__float2ull_rz({f32})",
            "__float2ull_ru({f32})", "__float2ull_rd({f32})", "__double2ull_rn({f64})", "__double2ull_rz({f64})",
            "__double2ull_ru({f64})", "__double2ull_rd({f64})", "(unsigned long long)__double_as_longlong({f64})",
            "min({u64}, {u64})", "max({u64}, {u64})", "(unsigned long long){u32} * {u32}"],
    "s64": ["__mul64hi({s64}, {s64})", "__float2ll_rn({f32})", "__float2ll_rz({f32})", "__float2ll_ru({f32})",
            "__float2ll_rd({f32})", "__double2ll_rn({f64})", "__double2ll_rz({f64})", "__double2ll_ru({f64})",
            "__double2ll_rd({f64})", "__double_as_longlong({f64})", "llabs({s64} | 1)", "min({s64}, {s64})",
            "max({s64}, {s64})", "(long long){s32} * {s32}"],
    "f32": [f"__f{op}_{r}({{f32}}, {{f32}})" for op in ("add", "sub", "mul", "div") for r in ROUNDINGS]
    + [f"__fmaf_{r}({{f32}}, {{f32}}, {{f32}})" for r in ROUNDINGS]
    + [f"__f{op}_{r}({{f32}})" for op in ("sqrt", "rcp") for r in ROUNDINGS]
    + [f"__{kind}2float_{r}({{{type}}})" for kind, type in
       (("int", "s32"), ("uint", "u32"), ("ll", "s64"), ("ull", "u64"), ("double", "f64")) for r in ROUNDINGS]
    + ["fmaf({f32}, {f32}, {f32})", "fminf({f32}, {f32})", "fmaxf({f32}, {f32})", "rintf({f32})", "floorf({f32})",
       "ceilf({f32})", "truncf({f32})", "roundf({f32})", "fabsf({f32})", "copysignf({f32}, {f32})", "sqrtf({f32})",
       "__uint_as_float({u32})", "__int_as_float({s32})", "__saturatef({f32})", "fdimf({f32}, {f32})",
       "nextafterf({f32}, {f32})", "ldexpf({f32}, {s8})", "sinf({f32})", "cosf({f32})",
       "fmodf({f32}, (float){s16})", "scalbnf({f32}, {s8})"],
    "f64": [f"__d{op}_{r}({{f64}}, {{f64}})" for op in ("add", "sub", "mul", "div") for r in ROUNDINGS]
    + [f"__fma_{r}({{f64}}, {{f64}}, {{f64}})" for r in ROUNDINGS]
    + [f"__d{op}_{r}({{f64}})" for op in ("sqrt", "rcp") for r in ROUNDINGS]
    + [f"__{kind}2double_{r}({{{type}}})" for kind, type in (("ll", "s64"), ("ull", "u64")) for r in ROUNDINGS]
    + ["__int2double_rn({s32})", "__uint2double_rn({u32})", "(double){f32}", "fma({f64}, {f64}, {f64})",
       "fmin({f64}, {f64})", "fmax({f64}, {f64})", "rint({f64})", "floor({f64})", "ceil({f64})", "trunc({f64})",
       "fabs({f64})", "copysign({f64}, {f64})", "sqrt({f64})", "__hiloint2double({s32}, {s32})",
       "__longlong_as_double({s64})", "sin({f64})", "ldexp({f64}, {s8})"]}
# Not among them: atanf, which divides approximately; and what ptxas 13.0 makes something else of: __vneg2, whose addition of 1
# it loses where only the lower half is used, __vimin3_s32, which loses the sign of an operand -x.
LONG = ("sin", "cos", "fmod", "ldexp", "scalbn", "ddiv", "dsqrt", "drcp")  # many instructions: seldom


def may_keep_nan(text):
    """Whether a change of sign may be all that is left of it: the manual leaves open what a NaN becomes there."""
    return text.startswith(("fabsf(", "copysignf(", "fminf(", "fmaxf(", "__fsub")) or " - " in text


class Expressions:
    """Makes expressions from `random`; `variables` maps a type to the names that hold one."""

    def __init__(self, random, variables, functions=(), is_any_nan_alike=True):
        self.random, self.variables, self.functions = random, variables, functions
        self.is_any_nan_alike = is_any_nan_alike
        self.used = set()

    def variable(self, type):
        name = self.random.choice(self.variables[type])
        self.used.add(name)
        return name

    def constant(self, type):
        r = self.random
        _, bits, signed, floating = TYPES[type]
        if floating:
            suffix = "f" if type == "f32" else ""
            return f"({r.choice([0.0, 1.0, -1.5, 0.1, 3.0, 1e-3, 65536.0, 1e20, -2.75, 0.5])}{suffix})"
        value = r.choice([0, 1, 2, 3, 7, 31, 100, (1 << (bits - 1)) - 1, r.getrandbits(bits - 1), r.getrandbits(6)])
        if bits < 32:
            return f"(({TYPES[type][0]}){value})"
        return f"{value}{'' if signed else 'u'}{'ll' if bits == 64 else ''}"

    def leaf(self, type):
        return self.constant(type) if self.random.random() < 0.12 else self.variable(type)

    def make(self, type, depth):
        if depth <= 0:
            return self.leaf(type)
        text = self._make(type, depth)
        if type == "f64" or (type == "f32" and (self.is_any_nan_alike or may_keep_nan(text))):
            return f"{'nf' if type == 'f32' else 'nd'}({text})"
        return f"({text})"

    def _make(self, type, depth):
        r, ctype = self.random, TYPES[type][0]
        choice = r.random()
        if choice < 0.1:
            return f"{self.condition(depth - 1)} ? {self.make(type, depth - 1)} : {self.make(type, depth - 1)}"
        if choice < 0.16 and self.functions:
            of_type = [f for f in self.functions if f.type == type]
            if of_type:
                return self._call(r.choice(of_type), depth)
        if choice < 0.5 and type in CALLS:
            text = r.choice(CALLS[type])
            if any(word in text for word in LONG) and r.random() < 0.8:
                text = r.choice(CALLS[type])
            return self.filled(text, depth) if TYPES[type][3] else f"({ctype}){self.filled(text, depth)}"
        if TYPES[type][3]:
            return f"{self.make(type, depth - 1)} {r.choice('+-**/' if type == 'f32' else '+-*')} {self.make(type, depth - 1)}"
        if choice < 0.62:
            # ptxas 13.0 extends by the sign where s8 becomes u16 and that more.
            other = r.choice([t for t in INTEGERS if (t, type) != ("s8", "u16")])
            return f"({ctype}){self.make(other, depth - 1)}"
        return f"({ctype})({self.arithmetic(type, depth)})"

    def _call(self, function, depth):
        return function.call([self.make(t, depth - 1) for t in function.arguments])

    def filled(self, text, depth):
        for type in TYPES:
            mark = "{" + type + "}"
            while mark in text:
                text = text.replace(mark, self.make(type, depth - 1), 1)
        return text

    def arithmetic(self, type, depth):
        """Computed without a sign, so that it wraps."""
        r = self.random
        _, bits, signed, _ = TYPES[type]
        unsigned = "unsigned long long" if bits == 64 else "unsigned"
        a, b = self.make(type, depth - 1), self.make(type, depth - 1)
        op = r.choice(["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "<", "~", "-x"])
        if op in ("+", "-", "*"):
            return f"({unsigned}){a} {op} ({unsigned}){b}"
        if op == "<<":
            return f"({unsigned}){a} << ({b} & {max(bits, 32) - 1})"
        if op == ">>":
            return f"{a} >> ({b} & {max(bits, 32) - 1})"
        if op in ("/", "%"):
            return f"{a} {op} (({b} & 1023) + {r.choice([1, 2, 3, 10])})" if r.random() < 0.6 or bits < 32 or signed \
                else f"{a} {op} ({b} | 1u)"
        if op == "<":
            return f"{a} {r.choice(['<', '<=', '==', '!=', '>', '>='])} {b}"
        if op == "~":
            return f"~{a}"
        if op == "-x":
            # 0, but ptxas does not see it: of 16 bits it takes it that the least number has a negative.
            return f"(blockDim.z - 1u) - ({unsigned}){a}"
        return f"{a} {op} {b}"

    def condition(self, depth):
        r = self.random
        type = r.choice(["u32", "s32", "f32", "f64", "s64", "u8", "u32", "f32"])
        if r.random() < 0.3:
            return f"(({self.make('u32', depth)} & {r.choice([1, 2, 4, 5, 16])}u) != 0u)"
        return f"({self.make(type, depth)} {r.choice(['<', '<=', '==', '!=', '>', '>='])} {self.make(type, depth)})"
