#!/usr/bin/env python3
"""Writes the families of cases whose expectations are computed: python3 expect.py; with --check, only compares.

What an instruction does is said here a second time, with Python's integers and fractions, from the PTX manual's text, so
that the virtual GPU is held to something it does not share a line with. Files that are not named below are written by hand.
"""

import functools
import itertools
import math
import operator
import struct
import sys
from fractions import Fraction
from pathlib import Path

REGISTER = {8: "%rs", 16: "%rs", 32: "%r", 64: "%rd"}
files = {}


class Type:
    """An integer type: "s32"."""

    def __init__(self, name):
        self.name, self.bits = name, int(name[1:])
        self.signed = name[0] == "s"
        self.low = -(1 << (self.bits - 1)) if self.signed else 0
        self.high = (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    def wrap(self, value):
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value > self.high else value

    def clamp(self, value):
        return min(max(value, self.low), self.high)

    def register(self, number):
        return REGISTER[self.bits] + str(number)

    def edges(self):
        if self.signed:
            return [0, 1, -1, 2, 7, -100, self.high, self.low, self.low + 1]
        return [0, 1, 2, 7, 100, self.high, self.high - 1, self.high >> 1, (self.high >> 1) + 1]


def integers(names):
    return [Type(name) for name in names.split()]


SIGNED, UNSIGNED = integers("s16 s32 s64"), integers("u16 u32 u64")
ALL = SIGNED + UNSIGNED


def show(value):
    return hex(value) if isinstance(value, int) and value > 99999 else str(value)


def spell(value, fmt):
    """A floating-point number as short as it can be."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value) or value == int(value) and abs(value) < 1e7:
        return "-0" if value == 0 and math.copysign(1, value) < 0 else f"{value:.0f}"
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        if rounded(Fraction(text), fmt) == value:
            return text
    return repr(value)


class File:
    def __init__(self, name, title):
        self.lines = ["# " + line for line in title.split("\n")] + ["# Written by expect.py."]
        files[name] = self

    def note(self, text):
        self.lines += ["", "# " + text]

    @staticmethod
    def values(register, values):
        fmt = {"f": F32, "fd": F64}.get(register.rstrip("0123456789"))
        texts = [v if isinstance(v, str) else spell(v, fmt) if fmt else show(v) for v in values]
        return " ".join(texts[:1] if len(set(texts)) == 1 else texts)

    def inputs(self, **values):
        """inputs(r1=[...]): from here on."""
        self.lines += ["", "---"] + [f"in: %{register} = {self.values(register, v)}" for register, v in values.items()]

    def case(self, text, lines=(), **outputs):
        self.lines.append("op: " + text)
        self.lines += lines
        self.lines += [f"out: %{register} = {self.values(register, v)}" for register, v in outputs.items()]


def pairs(t, divisors=False):
    """32 pairs of a type's values: each of the five that make trouble with each, and some with 0 and 2."""
    hard = [7, -100, -1, t.high, t.low] if t.signed else [7, 100, t.high, t.high >> 1, (t.high >> 1) + 1]
    rest = [(0, 7), (0, hard[4]), (2, 7), (hard[3], 2), (7, 2), (2, hard[2])]
    return list(itertools.product(hard, hard)) + rest + [(7, 7) if divisors else (7, 0)]


def divide(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


# Integer arithmetic -------------------------------------------------------------------------------------------------

def binary(file, opcode, types, function, values=None, wide=False):
    """opcode.type d, a, b for each type."""
    for t in types:
        a, b = zip(*(values(t) if values else pairs(t)))
        d = Type(t.name[0] + str(2 * t.bits)) if wide else t
        r1, r2, r3 = t.register(1), t.register(2), d.register(3)
        file.inputs(**{r1[1:]: a, r2[1:]: b})
        file.case(f"{opcode}.{t.name} {r3}, {r1}, {r2};", **{r3[1:]: [d.wrap(function(x, y, t)) for x, y in zip(a, b)]})


def unary(file, opcode, types, function, values=None, result=None):
    for t in types:
        a = values(t) if values else t.edges()
        d = result(t) if result else t
        r1, r2 = t.register(1), d.register(2)
        file.inputs(**{r1[1:]: a})
        file.case(f"{opcode}.{t.name} {r2}, {r1};", **{r2[1:]: [d.wrap(function(x, t)) for x in a]})


def ternary(file, opcode, types, function, wide=False, third=None):
    """opcode.type d, a, b, c; c is as wide as d."""
    for t in types:
        d = Type(t.name[0] + str(2 * t.bits)) if wide else t
        c_type = third(t) if third else d
        ab = pairs(t)
        c = [c_type.edges()[k * 5 % 9] for k in range(len(ab))]
        a, b = zip(*ab)
        r1, r2, r3, r4 = t.register(1), t.register(2), c_type.register(3), d.register(4)
        file.inputs(**{r1[1:]: a, r2[1:]: b, r3[1:]: c})
        file.case(f"{opcode}.{t.name} {r4}, {r1}, {r2}, {r3};",
                  **{r4[1:]: [d.wrap(function(x, y, z, t)) for x, y, z in zip(a, b, c)]})


def low_24(value, t):
    return Type(t.name[0] + "24").wrap(value)


def find_bit(value, t, shift_amount):
    """The manual's bfind: the highest bit that differs from the sign, -1 if there is none."""
    bits = value if value >= 0 else ~value
    if bits == 0:
        return -1
    position = bits.bit_length() - 1
    return t.bits - 1 - position if shift_amount else position


def extract(a, position, length, t):
    """The manual's pseudocode for bfe, bit by bit."""
    position, length = position & 255, length & 255
    msb = t.bits - 1
    if not t.signed or length == 0:
        sign = 0
    else:
        sign = a >> min(position + length - 1, msb) & 1
    result = 0
    for i in range(msb + 1):
        bit = a >> (position + i) & 1 if i < length and position + i <= msb else sign
        result |= bit << i
    return result


def insert(a, b, position, length, bits):
    """The manual's pseudocode for bfi."""
    position, length = position & 255, length & 255
    result = b
    for i in range(length):
        if position + i <= bits - 1:
            result = result & ~(1 << (position + i)) | (a >> i & 1) << (position + i)
    return result


def extended_families():
    """The carry flag is left by one instruction and taken by the next: two in a case."""
    f = File("extended.txt", "add, sub, mad that leave a carry (.cc) and those that take it (addc, subc, madc).")
    for t in integers("u32 s32 u64 s64"):
        low, r = (1 << t.bits) - 1, t.register("")
        values = [v & low for v in (0, 1, -1, 7, 1 << t.bits - 1, (1 << t.bits - 1) - 1)]
        a, b = zip(*itertools.product(values, values[:5]))
        a, b, c = a[:30], b[:30], [(x * 5 + k) & low for k, x in enumerate(a[:30])]
        number = lambda v: t.wrap(v) if t.signed else v
        f.inputs(**{(r + n)[1:]: v for n, v in zip("123", (a, b, c))})

        def show_pair(first, second, sources, low_result, carry, high_result):
            """high_result(k, carry) -> the second instruction's sum, before it is cut."""
            results = [low_result(k) & low for k in range(len(a))]
            carries = [carry(k) for k in range(len(a))]
            wholes = [high_result(k, h) for k, h in enumerate(carries)]
            f.case(f"{first}.{t.name} {r}4, {sources}; {second}.{t.name} {r}5, {sources};", ["lanes: 0x3fffffff"],
                   **{(r + "4")[1:]: results, (r + "5")[1:]: [w & low for w in wholes]})

        two, three = f"{r}1, {r}2", f"{r}1, {r}2, {r}3"
        add_of = lambda k: a[k] + b[k]
        for second in ("addc", "addc.cc"):
            show_pair("add.cc", second, two, add_of, lambda k: add_of(k) >> t.bits, lambda k, h: add_of(k) + h)
        sub_of = lambda k: a[k] - b[k]
        for second in ("subc", "subc.cc"):
            show_pair("sub.cc", second, two, sub_of, lambda k: int(sub_of(k) < 0), lambda k, h: sub_of(k) - h)
        # A card's flag says after sub.cc that nothing was borrowed: so do CUDA's divisions of 128 bits ask, with addc.
        for second in ("addc", "addc.cc"):
            show_pair("sub.cc", second, two, sub_of, lambda k: int(sub_of(k) >= 0), lambda k, h: add_of(k) + h)
        for second in ("subc", "subc.cc"):
            show_pair("add.cc", second, two, add_of, lambda k: add_of(k) >> t.bits, lambda k, h: sub_of(k) - 1 + h)
        product = lambda k: number(a[k]) * number(b[k])
        low_of, high_of = lambda k: (product(k) & low) + c[k], lambda k: (product(k) >> t.bits & low) + c[k]
        for half, of in (("lo", low_of), ("hi", high_of)):
            for flag in ("", ".cc"):
                show_pair(f"mad.{half}.cc", f"madc.{half}{flag}", three, of, lambda k, g=of: g(k) >> t.bits, lambda k, h, g=of: g(k) + h)
        # Three in a row: the one in the middle takes a carry and leaves one.
        carry = [add_of(k) >> t.bits for k in range(len(a))]
        middle = [add_of(k) + h for k, h in enumerate(carry)]
        f.case(f"add.cc.{t.name} {r}4, {two}; addc.cc.{t.name} {r}5, {two}; addc.{t.name} {r}6, {two};", ["lanes: 0x3fffffff"],
               **{(r + "5")[1:]: [m & low for m in middle], (r + "6")[1:]: [add_of(k) + (m >> t.bits) & low for k, m in enumerate(middle)]})
        borrow = [int(sub_of(k) < 0) for k in range(len(a))]
        middle = [sub_of(k) - h for k, h in enumerate(borrow)]
        f.case(f"sub.cc.{t.name} {r}4, {two}; subc.cc.{t.name} {r}5, {two}; subc.{t.name} {r}6, {two};", ["lanes: 0x3fffffff"],
               **{(r + "5")[1:]: [m & low for m in middle], (r + "6")[1:]: [sub_of(k) - int(m < 0) & low for k, m in enumerate(middle)]})


def packed_families():
    f = File("packed_integers.txt", "Two integers of 16 bits in 32: add wraps; min, max; .relu: 0 and above.")
    a = [0x00010002, 0xFFFF8000, 0x80007FFF, 0x7FFF7FFF, 0x12345678, 0x0000FFFF]
    b = [0xFFFF0001, 0x00018000, 0x80000001, 0x00010001, 0x87654321, 0xFFFF0000]
    f.inputs(r1=a, r2=b)
    signed, unsigned = Type("s16"), Type("u16")
    for opcode, function in (("add", operator.add), ("min", min), ("max", max)):
        for t in (signed, unsigned):
            halves = [[function(t.wrap(x >> k), t.wrap(y >> k)) for k in (16, 0)] for x, y in zip(a, b)]
            f.case(f"{opcode}.{t.name}x2 %r3, %r1, %r2;", r3=[(h & 0xFFFF) << 16 | l & 0xFFFF for h, l in halves])
            if opcode != "add" and t is signed:
                for name in ("relu.s16x2", "s16x2.relu"):  # the second one is the compiler's
                    f.case(f"{opcode}.{name} %r3, %r1, %r2;", r3=[max(h, 0) << 16 | max(l, 0) for h, l in halves])
    word = Type("s32")
    for opcode, function in (("min", min), ("max", max)):
        for name in ("relu.s32", "s32.relu"):
            f.case(f"{opcode}.{name} %r3, %r1, %r2;", r3=[max(0, function(word.wrap(x), word.wrap(y))) for x, y in zip(a, b)])

    f = File("vabsdiff.txt", "vabsdiff4, vabsdiff2: the absolute differences of four bytes, or two of 16 bits; .add: their sum, and c.")
    a, b, c = [0x01020304, 0xFF00807F, 0x80FF7F00, 0x00000000], [0x04030201, 0x00FF7F80, 0x7F007FFF, 0xFFFFFFFF], [0, 7, 0xFFFFFFFF, 100]
    f.inputs(r1=a, r2=b, r3=c)
    for count, name, kind in ((4, "u32", "u8"), (4, "s32", "s8"), (2, "u32", "u16"), (2, "s32", "s16")):
        part, places = Type(kind), range(0, 32, 32 // count)
        differences = [[abs(part.wrap(x >> k) - part.wrap(y >> k)) for k in places] for x, y in zip(a, b)]
        f.case(f"vabsdiff{count}.u32.{name}.{name} %r4, %r1, %r2, %r3;", r4=[sum(d << k for k, d in zip(places, ds)) for ds in differences])
        f.case(f"vabsdiff{count}.u32.{name}.{name}.add %r4, %r1, %r2, %r3;", r4=[sum(ds) + z & 0xFFFFFFFF for ds, z in zip(differences, c)])


def integer_families():
    f = File("add_sub.txt", "Integer add, sub: they wrap.")
    binary(f, "add", ALL, lambda a, b, t: a + b)
    binary(f, "sub", ALL, lambda a, b, t: a - b)

    f = File("mul.txt", "Integer mul: the low half, the high half, the whole product; mul24 takes 24 bits of each.")
    binary(f, "mul.lo", ALL, lambda a, b, t: a * b)
    binary(f, "mul.hi", ALL, lambda a, b, t: a * b >> t.bits)
    binary(f, "mul.wide", [t for t in ALL if t.bits < 64], lambda a, b, t: a * b, wide=True)
    binary(f, "mul24.lo", integers("s32 u32"), lambda a, b, t: low_24(a, t) * low_24(b, t),
           lambda t: [(t.wrap(a), t.wrap(b)) for a, b in
                      [(3, 5), (0xFFFFFF, 2), (0x1000000, 9), (0x1000001, 9), (0x7FFFFF, 0x7FFFFF), (0x800000, 0x800000), (0xFFFFFF, 0xFFFFFF),
                       (0xFFFFFFFF, 1), (0x80000001, 0x40000003)]])

    f = File("mad.txt", "Integer mad: a * b + c; mad.hi adds to the high half, mad24 multiplies 24 bits of each.")
    ternary(f, "mad.lo", ALL, lambda a, b, c, t: a * b + c)
    ternary(f, "mad.hi", [t for t in ALL if t.bits > 16], lambda a, b, c, t: (a * b >> t.bits) + c)
    ternary(f, "mad.wide", [t for t in ALL if t.bits < 64], lambda a, b, c, t: a * b + c, wide=True)
    ternary(f, "mad24.lo", integers("s32 u32"), lambda a, b, c, t: low_24(a, t) * low_24(b, t) + c)

    f = File("sad.txt", "sad: c plus the absolute difference; the difference of two signed values is unsigned.")
    ternary(f, "sad", integers("s32 u32 s64 u64"), lambda a, b, c, t: c + abs(a - b), third=lambda t: Type("u" + t.name[1:]))

    f = File("div_rem.txt", "Integer div and rem round towards zero; the remainder has the sign of the dividend.\n"
             "What division by zero gives is the machine's own: see div_by_zero.txt.")
    some = lambda t: pairs(t, divisors=True)
    binary(f, "div", ALL, lambda a, b, t: divide(a, b), some)
    binary(f, "rem", ALL, lambda a, b, t: a - b * divide(a, b), some)

    f = File("abs_neg.txt", "Integer abs and neg: of the most negative value they give that value.")
    unary(f, "abs", SIGNED, lambda a, t: abs(a))
    unary(f, "neg", SIGNED, lambda a, t: -a)

    f = File("min_max.txt", "Integer min and max.")
    binary(f, "min", ALL, lambda a, b, t: min(a, b))
    binary(f, "max", ALL, lambda a, b, t: max(a, b))

    patterns = lambda t: [0, 1, t.wrap(-1), t.wrap(1 << (t.bits - 1)), t.wrap(0x5555555555555555), t.wrap(0x8000000100000002), 0x00FF00, 12345678]
    count = lambda t: Type("u32")
    b = integers("b32 b64")
    f = File("popc_clz_brev.txt", "Counting bits, leading zeros, and turning the bits round.")
    unary(f, "popc", b, lambda a, t: bin(a).count("1"), patterns, count)
    unary(f, "clz", b, lambda a, t: t.bits - a.bit_length(), patterns, count)
    unary(f, "brev", b, lambda a, t: int(format(a, f"0{t.bits}b")[::-1], 2), patterns)

    f = File("bfind.txt", "bfind: the highest bit that is not the sign, all ones if there is none; .shiftamt counts from the top.")
    types = integers("u32 s32 u64 s64")
    unary(f, "bfind", types, lambda a, t: find_bit(a, t, False), lambda t: t.edges() + [t.wrap(-2), t.wrap(1 << (t.bits - 2))], count)
    unary(f, "bfind.shiftamt", types, lambda a, t: find_bit(a, t, True), lambda t: t.edges() + [t.wrap(-2), t.wrap(1 << (t.bits - 2))], count)

    fields = [(0, 8), (4, 8), (0, 32), (0, 64), (0, 0), (5, 0), (31, 1), (31, 9), (28, 8), (32, 4), (63, 1), (60, 9), (64, 5), (255, 255), (0, 255), (16, 16)]
    f = File("bfe.txt", "bfe: position and length are 0 to 255; past the top the field is filled with its sign.")
    for t in types:
        value = t.wrap(0x9ABCDEF087654321)
        r1, r4 = t.register(1), t.register(4)
        f.inputs(**{r1[1:]: [value], "r2": [p for p, n in fields], "r3": [n for p, n in fields]})
        f.case(f"bfe.{t.name} {r4}, {r1}, %r2, %r3;", **{r4[1:]: [t.wrap(extract(value, p, n, t)) for p, n in fields]})
    f = File("bfi.txt", "bfi: the low bits of a, put into b at a position; bits past the top are lost.")
    for bits in (32, 64):
        r1, r2, r5 = (REGISTER[bits] + n for n in "125")
        a, into = 0xA5A5A5A5F00DBEEF & (1 << bits) - 1, 0x0123456789ABCDEF & (1 << bits) - 1
        f.inputs(**{r1[1:]: [a], r2[1:]: [into], "r3": [p for p, n in fields], "r4": [n for p, n in fields]})
        f.case(f"bfi.b{bits} {r5}, {r1}, {r2}, %r3, %r4;", **{r5[1:]: [insert(a, into, p, n, bits) for p, n in fields]})

    f = File("dp4a.txt", "dp4a: the sum of four products of bytes, each operand's bytes signed or not, plus c; it wraps. dp2a: of two words of\n"
             "16 bits with the lower or the upper two bytes.")
    words = [0, 0x01020304, 0xFFFFFFFF, 0x80808080, 0x7F7F7F7F, 0xFF01807F]
    ab = list(itertools.product(words, words))[:32]
    c = [[0, 5, 0xFFFFFFFF, 0x7FFFFFFF][k % 4] for k in range(len(ab))]
    f.inputs(r1=[x for x, y in ab], r2=[y for x, y in ab], r3=c)
    for at, bt in itertools.product("us", "us"):
        def byte(word, k, kind):
            return Type(kind + "8").wrap(word >> 8 * k)
        f.case(f"dp4a.{at}32.{bt}32 %r4, %r1, %r2, %r3;",
               r4=[(z + sum(byte(x, k, at) * byte(y, k, bt) for k in range(4))) & 0xFFFFFFFF for (x, y), z in zip(ab, c)])
        for half, first in (("lo", 0), ("hi", 2)):
            word = Type(at + "16")
            f.case(f"dp2a.{half}.{at}32.{bt}32 %r4, %r1, %r2, %r3;",
                   r4=[(z + sum(word.wrap(x >> 16 * k) * byte(y, first + k, bt) for k in range(2))) & 0xFFFFFFFF for (x, y), z in zip(ab, c)])


# Logic and shifts ---------------------------------------------------------------------------------------------------

def logic_families():
    f = File("logic.txt", "and, or, xor, not, cnot on bits and on predicates.")
    for bits in (16, 32, 64):
        mask = (1 << bits) - 1
        ab = list(itertools.product([x & mask for x in (0, 1, mask, 0x0F0F0F0F0F0F0F0F, 0x123456789ABCDEF0)],
                                    [x & mask for x in (0, mask, 0x5555555555555555, 1 << bits - 1)]))
        r1, r2, r3 = (REGISTER[bits] + n for n in "123")
        f.inputs(**{r1[1:]: [a for a, b in ab], r2[1:]: [b for a, b in ab]})
        for opcode, function in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)):
            f.case(f"{opcode}.b{bits} {r3}, {r1}, {r2};", **{r3[1:]: [function(a, b) for a, b in ab]})
        f.case(f"not.b{bits} {r3}, {r1};", **{r3[1:]: [~a & mask for a, b in ab]})
        f.case(f"cnot.b{bits} {r3}, {r1};", **{r3[1:]: [int(a == 0) for a, b in ab]})
    f.inputs(p1=[0, 0, 1, 1], p2=[0, 1, 0, 1])
    f.case("and.pred %p3, %p1, %p2;", p3=[0, 0, 0, 1])
    f.case("or.pred %p3, %p1, %p2;", p3=[0, 1, 1, 1])
    f.case("xor.pred %p3, %p1, %p2;", p3=[0, 1, 1, 0])
    f.case("and.pred %p3, %p1, !%p2;", p3=[0, 0, 1, 0])
    f.case("not.pred %p3, %p1;", p3=[1, 1, 0, 0])
    f.case("mov.pred %p3, %p1;", p3=[0, 0, 1, 1])

    f = File("shl_shr.txt", "Shifts clamp: by the width or more, shl and unsigned shr give 0, signed shr copies of the sign.")
    amounts = [0, 1, 4, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 0x80000000, 0xFFFFFFFF]
    for name in "b16 b32 b64 u16 u32 u64 s16 s32 s64".split():
        t = Type(name)
        values = [t.wrap(0x8123456789ABCDE9), t.wrap(0x7EDCBA987654321F)]
        va = [(v, a) for v in values for a in amounts]
        r1, r3 = t.register(1), t.register(3)
        f.inputs(**{r1[1:]: [v for v, a in va], "r2": [a for v, a in va]})
        if name[0] == "b":
            f.case(f"shl.{name} {r3}, {r1}, %r2;", **{r3[1:]: [t.wrap(v << min(a, 64)) for v, a in va]})
        f.case(f"shr.{name} {r3}, {r1}, %r2;", **{r3[1:]: [t.wrap(v >> min(a, 64)) for v, a in va]})

    f = File("shf.txt", "Funnel shifts of [b:a]: .l keeps the upper half, .r the lower; the amount wraps or clamps at 32.")
    a, b = 0x89ABCDEF, 0x01234567
    f.inputs(r1=[a], r2=[b], r3=amounts)
    for mode, limit in (("wrap", lambda n: n & 31), ("clamp", lambda n: min(n, 32))):
        f.case(f"shf.l.{mode}.b32 %r4, %r1, %r2, %r3;", r4=[((b << 32 | a) << limit(n) >> 32) & 0xFFFFFFFF for n in amounts])
        f.case(f"shf.r.{mode}.b32 %r4, %r1, %r2, %r3;", r4=[((b << 32 | a) >> limit(n)) & 0xFFFFFFFF for n in amounts])

    f = File("lop3.txt", "lop3: any function of three bits; F0, CC and AA stand for a, b and c.")
    a, b, c = 0xF0F0FF00, 0xCCCC0FF0, 0xAAAA5678
    f.inputs(r1=[a], r2=[b], r3=[c])
    for table in (0x00, 0x80, 0xFE, 0x96, 0xE8, 0xCA, 0xF0, 0xCC, 0xAA, 0x01, 0x1A, 0x78, 0xFF):
        d = sum((table >> (4 * (a >> i & 1) + 2 * (b >> i & 1) + (c >> i & 1)) & 1) << i for i in range(32))
        f.case(f"lop3.b32 %r4, %r1, %r2, %r3, 0x{table:02X};", r4=[d])

    f = File("prmt.txt", "prmt: each selector digit picks one of eight bytes of {b, a}; with its top bit set, copies of that byte's sign.")
    a, b = 0x83228100, 0x77E65544
    bytes_ = [(b << 32 | a) >> 8 * k & 255 for k in range(8)]
    selectors = [0x3210, 0x7654, 0x0123, 0x4567, 0x5410, 0x7632, 0x1111, 0x88AB, 0xFEDC, 0xBA98, 0x0F1E, 0xFFFF3210]
    f.inputs(r1=[a], r2=[b], r3=selectors)
    pick = lambda digit: (255 if bytes_[digit & 7] & 128 else 0) if digit & 8 else bytes_[digit]
    f.case("prmt.b32 %r4, %r1, %r2, %r3;", r4=[sum(pick(s >> 4 * k & 15) << 8 * k for k in range(4)) for s in selectors])


# Comparison and selection -------------------------------------------------------------------------------------------

def is_nan(*values):
    return any(isinstance(v, float) and math.isnan(v) for v in values)


ORDERED = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
           "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
UNSIGNED_NAMES = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def comparisons(name):
    """The comparisons of a type and what they say. With a NaN, ordered ones are false and the ...u forms true."""
    ordered = {op: (lambda a, b, f=f: not is_nan(a, b) and f(a, b)) for op, f in ORDERED.items()}
    if name[0] == "b":
        return {op: ordered[op] for op in ("eq", "ne")}
    if name[0] == "u":
        return ordered | {op: ordered[same] for op, same in UNSIGNED_NAMES.items()}
    if name[0] == "s":
        return ordered
    unordered = {op + "u": (lambda a, b, f=f: is_nan(a, b) or f(a, b)) for op, f in ORDERED.items()}
    return ordered | unordered | {"num": lambda a, b: not is_nan(a, b), "nan": is_nan}


def float_pairs():
    some = [-1.5, -0.0, 2.0, math.inf, math.nan]
    return list(itertools.product(some, some)) + [(0.0, -0.0), (math.inf, -math.inf), (2.0**-149, 0.0), (1.0, 1 + 2.0**-23), (-2.0, -3.0)]


def comparison_families():
    for name in "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64".split():
        if name[0] == "f":
            ab = float_pairs()
            register = {"f32": "f", "f64": "fd"}[name]
            r1, r2 = register + "1", register + "2"
        else:
            t = Type(name)
            ab = pairs(t)[:30]
            r1, r2 = t.register(1)[1:], t.register(2)[1:]
        third = [[1, 0, 0, 1, 1][k % 5] for k in range(len(ab))]
        if name[0] == "b":
            ab = [(a, b if k % 3 else a) for k, (a, b) in enumerate(ab)]
        f = File(f"setp_{name}.txt", f"setp and set of {name}, alone and combined with a predicate. The second predicate has the comparison negated.")
        f.inputs(**{r1: [a for a, b in ab], r2: [b for a, b in ab], "p1": third})
        for op, compare in comparisons(name).items():
            holds = [int(compare(a, b)) for a, b in ab]
            f.case(f"setp.{op}.{name} %p3, %{r1}, %{r2};", p3=holds)
            f.case(f"setp.{op}.and.{name} %p3|%p4, %{r1}, %{r2}, %p1;", p3=[h & c for h, c in zip(holds, third)],
                   p4=[(1 - h) & c for h, c in zip(holds, third)])
            f.case(f"setp.{op}.or.{name} %p3|%p4, %{r1}, %{r2}, !%p1;", p3=[h | 1 - c for h, c in zip(holds, third)],
                   p4=[(1 - h) | 1 - c for h, c in zip(holds, third)])
            f.case(f"setp.{op}.xor.{name} %p3|%p4, %{r1}, %{r2}, %p1;", p3=[h ^ c for h, c in zip(holds, third)],
                   p4=[(1 - h) ^ c for h, c in zip(holds, third)])
            f.case(f"set.{op}.u32.{name} %r3, %{r1}, %{r2};", r3=[-h for h in holds])
            f.case(f"set.{op}.s32.{name} %r3, %{r1}, %{r2};", r3=[-h for h in holds])
            f.case(f"set.{op}.f32.{name} %f3, %{r1}, %{r2};", f3=[float(h) for h in holds])


def selection_families():
    f = File("selp.txt", "selp: a where the predicate holds, else b.")
    for name in "b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64".split():
        if name[0] == "f":
            a, b, register = [1.5, 2.5], [-3.0, math.inf], {"f32": "f", "f64": "fd"}[name]
        else:
            t = Type(name)
            a, b, register = [t.high, 5], [t.low, t.wrap(-77)], t.register("")[1:]
        p = [1, 0, 1, 0]
        a, b = a * 2, b[:1] * 2 + b[1:] * 2
        f.inputs(**{register + "1": a, register + "2": b, "p1": p})
        f.case(f"selp.{name} %{register}3, %{register}1, %{register}2, %p1;", **{register + "3": [x if h else y for x, y, h in zip(a, b, p)]})
        f.case(f"selp.{name} %{register}3, %{register}1, %{register}2, !%p1;", **{register + "3": [y if h else x for x, y, h in zip(a, b, p)]})
    f = File("slct.txt", "slct: a where c >= 0, else b; -0 is not negative, a NaN selects b.")
    c = [0, 1, -1, 0x7FFFFFFF, -0x80000000, -5]
    f.inputs(r1=[11], r2=[22], r3=c, f1=[1.5], f2=[-2.5])
    for name in ("b32", "u32", "s32"):
        f.case(f"slct.{name}.s32 %r4, %r1, %r2, %r3;", r4=[11 if x >= 0 else 22 for x in c])
    f.case("slct.f32.s32 %f4, %f1, %f2, %r3;", f4=[1.5 if x >= 0 else -2.5 for x in c])
    c = [0.0, -0.0, 1.5, -1.5, math.inf, -math.inf, math.nan, 2.0**-149, -2.0**-149]
    f.inputs(f1=[1.5], f2=[-2.5], f3=c)
    f.case("slct.f32.f32 %f4, %f1, %f2, %f3;", f4=[1.5 if x >= 0 else -2.5 for x in c])


# Floating point -----------------------------------------------------------------------------------------------------

class Format:
    """An IEEE 754 format; its values are held as Python floats, which all of them fit."""

    def __init__(self, name, precision, max_exponent):
        self.name, self.precision, self.max_exponent = name, precision, max_exponent
        self.max = float(Fraction(2**precision - 1) * Fraction(2) ** (max_exponent - precision + 1))
        self.smallest_normal = 2.0 ** (1 - max_exponent)
        self.smallest = 2.0 ** (2 - max_exponent - precision) if precision < 53 else 5e-324

    def bits(self, value):
        """As hexadecimal text, for registers that hold halves."""
        if self.name == "bf16":
            return f"0x{struct.unpack('<I', struct.pack('<f', value))[0] >> 16:04x}" if value == value else "0x7fff"
        return f"0x{struct.unpack('<H', struct.pack('<e', value))[0]:04x}" if value == value else "0x7fff"


F32, F64, F16, BF16 = Format("f32", 24, 127), Format("f64", 53, 1023), Format("f16", 11, 15), Format("bf16", 8, 127)


rounding = "rn"  # of `rounded`, where it is not told otherwise


def rounded(exact, fmt, zero=0.0, towards_zero=False):
    """The value of a format next to a fraction, ties to even; `zero` is what an exact zero becomes."""
    if exact == 0:
        return zero
    if rounding != "rn" and not towards_zero:
        return directed(exact, fmt, rounding)
    sign, exact = (-1 if exact < 0 else 1), abs(exact)
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    if Fraction(2) ** exponent > exact:
        exponent -= 1
    quantum = Fraction(2) ** (max(exponent, 1 - fmt.max_exponent) - fmt.precision + 1)
    steps, rest = divmod(exact, quantum)
    if not towards_zero and (rest * 2 > quantum or rest * 2 == quantum and steps % 2):
        steps += 1
    if steps * quantum > Fraction(fmt.max):
        return sign * (fmt.max if towards_zero else math.inf)
    return sign * float(steps * quantum)


def directed(value, fmt, mode):
    """rz, rm, rp: the value of a format next to `value` on the side that the mode asks for."""
    if value == 0 or not isinstance(value, Fraction) and not math.isfinite(value):
        return float(value)
    sign = -1.0 if value < 0 else 1.0
    towards = rounded(Fraction(value), fmt, 0.0, True) or math.copysign(0.0, sign)
    if mode == "rz" or mode == ("rm" if value > 0 else "rp") or Fraction(towards) == Fraction(value):
        return towards
    if abs(towards) == fmt.max:
        return math.copysign(math.inf, sign)
    exponent = max(math.frexp(towards)[1] - 1 if towards else -10**6, 1 - fmt.max_exponent)
    return towards + math.copysign(2.0 ** (exponent - fmt.precision + 1), sign)


def cancelled():
    """What a sum becomes that is zero though its terms are not, or of which one is -0."""
    return -0.0 if rounding == "rm" else 0.0


def add(a, b, fmt):
    if is_nan(a, b) or math.isinf(a) and math.isinf(b) and a != b:
        return math.nan
    if math.isinf(a) or math.isinf(b):
        return a if math.isinf(a) else b
    return rounded(Fraction(a) + Fraction(b), fmt, a if a == 0 and str(a) == str(b) else cancelled())


def sign_of_product(a, b):
    return math.copysign(1, a) * math.copysign(1, b)


def mul(a, b, fmt):
    if is_nan(a, b) or math.isinf(a) and b == 0 or math.isinf(b) and a == 0:
        return math.nan
    if math.isinf(a) or math.isinf(b):
        return sign_of_product(a, b) * math.inf
    return rounded(Fraction(a) * Fraction(b), fmt, sign_of_product(a, b) * 0.0) or sign_of_product(a, b) * 0.0


def fma(a, b, c, fmt):
    if is_nan(a, b, c) or math.isinf(a) and b == 0 or math.isinf(b) and a == 0:
        return math.nan
    if math.isinf(a) or math.isinf(b):
        return add(sign_of_product(a, b) * math.inf, c, fmt)
    if math.isinf(c):
        return c
    product_zero = sign_of_product(a, b) * 0.0
    return rounded(Fraction(a) * Fraction(b) + Fraction(c), fmt, c if c == 0 and 0 in (a, b) and str(c) == str(product_zero) else cancelled())


def div(a, b, fmt):
    if is_nan(a, b) or a == 0 == b or math.isinf(a) and math.isinf(b):
        return math.nan
    if math.isinf(a) or b == 0:
        return sign_of_product(a, b) * math.inf
    if math.isinf(b):
        return sign_of_product(a, b) * 0.0
    return rounded(Fraction(a) / Fraction(b), fmt, sign_of_product(a, b) * 0.0) or sign_of_product(a, b) * 0.0


def root(exact):
    """Square root of a fraction, wrong by less than 1 in 2^200 of it, and never equal to a tie that it is not."""
    shift = 400 + 2 * max(0, exact.denominator.bit_length() - exact.numerator.bit_length())
    scaled = (exact.numerator << shift) // exact.denominator
    whole = math.isqrt(scaled)
    is_exact = whole * whole == scaled and (exact.numerator << shift) % exact.denominator == 0
    return Fraction(2 * whole + (0 if is_exact else 1), 2 << shift // 2)


def sqrt(a, fmt):
    if is_nan(a) or a < 0:
        return math.nan
    return a if a == 0 or math.isinf(a) else rounded(root(Fraction(a)), fmt)


def rsqrt(a, fmt):
    if is_nan(a) or a < 0:
        return math.nan
    if a == 0:
        return math.copysign(math.inf, a)
    return 0.0 if math.isinf(a) else rounded(root(1 / Fraction(a)), fmt)


def minimum(a, b):
    """A number beats a NaN, -0 is less than +0."""
    if is_nan(a) or is_nan(b):
        return b if is_nan(a) else a
    return min(a, b, key=lambda v: (v, math.copysign(1, v)))


def maximum(a, b):
    if is_nan(a) or is_nan(b):
        return b if is_nan(a) else a
    return max(a, b, key=lambda v: (v, math.copysign(1, v)))


def saturated(value):
    return 0.0 if is_nan(value) or value <= 0 else min(value, 1.0)


def values_of(fmt):
    """What makes trouble: zeros, ties, both ends of the range, subnormals, infinities, NaN."""
    return [0.0, -0.0, 1.5, -2.25, 1 + 2.0 ** (1 - fmt.precision), fmt.max, -fmt.smallest_normal, fmt.smallest, math.inf, -math.inf, math.nan,
            rounded(Fraction(1, 10), fmt)]


def chunks(values, size=24):
    return [values[k:k + size] for k in range(0, len(values), size)]


def with_rounding(mode, results):
    """What results() gives where `rounded` rounds that way."""
    global rounding
    rounding = mode
    try:
        return results()
    finally:
        rounding = "rn"


def directed_families():
    f = File("float_directed.txt", "Arithmetic of f32 and f64 towards zero (rz), down (rm), up (rp). A sum that cancels is -0 with rm.")
    operations = {"add": add, "sub": lambda x, y, fmt: add(x, -y, fmt), "mul": mul, "div": div}
    for fmt, r in ((F32, "f"), (F64, "fd")):
        third, e = rounded(Fraction(1, 3), fmt), 2.0 ** (1 - fmt.precision)
        some = [0.0, -0.0, 1.5, -third, 1 + e, fmt.max, -fmt.smallest_normal, fmt.smallest, math.inf, math.nan]
        for part in chunks(list(itertools.product(some, some))):
            f.inputs(**{r + "1": [x for x, _ in part], r + "2": [y for _, y in part]})
            for mode, (opcode, function) in itertools.product(("rz", "rm", "rp"), operations.items()):
                d = with_rounding(mode, lambda: [function(x, y, fmt) for x, y in part])
                f.case(f"{opcode}.{mode}.{fmt.name} %{r}3, %{r}1, %{r}2;", **{r + "3": d})
        triples = [(1 + e, 1 + e, -1.0), (1 + e, 1 - e, -1.0), (fmt.max, 2.0, 1.0), (-fmt.max, 2.0, 1.0), (fmt.smallest, 0.5, 0.0), (-fmt.smallest, 0.5, 0.0),
                   (2.0, 3.0, -6.0), (1.0, 1.0, e / 8), (-1.0, 1.0, -e / 8), (0.0, -1.0, 0.0), (third, third, third), (1.0, fmt.smallest, 1.0)]
        f.inputs(**{r + n: [t[k] for t in triples] for k, n in enumerate("123")})
        for mode in ("rz", "rm", "rp"):
            f.case(f"fma.{mode}.{fmt.name} %{r}4, %{r}1, %{r}2, %{r}3;", **{r + "4": with_rounding(mode, lambda: [fma(*t, fmt) for t in triples])})
        values = some + [4.0, 2.0, 3.0, -1.0, fmt.smallest_normal - fmt.smallest]
        f.inputs(**{r + "1": values})
        for mode in ("rz", "rm", "rp"):
            f.case(f"rcp.{mode}.{fmt.name} %{r}2, %{r}1;", **{r + "2": with_rounding(mode, lambda: [div(1.0, x, fmt) for x in values])})
            f.case(f"sqrt.{mode}.{fmt.name} %{r}2, %{r}1;", **{r + "2": with_rounding(mode, lambda: [sqrt(x, fmt) for x in values])})


def float_families():
    f2 = File("float_arithmetic.txt", "add, sub, mul, div of f32 and f64: IEEE 754, to nearest even, subnormals kept; .sat clamps to [0, 1], NaN to 0.")
    f3 = File("float_min_max.txt", "min, max, copysign of f32 and f64: a number beats a NaN (but not with .NaN), -0 is less than +0.")
    for fmt, r in ((F32, "f"), (F64, "fd")):
        for part in chunks(list(itertools.product(values_of(fmt), values_of(fmt)))):
            a, b = zip(*part)
            operands = f"%{r}3, %{r}1, %{r}2;"

            def case(f, opcode, function):
                f.case(f"{opcode} {operands}", **{r + "3": [function(x, y) for x, y in part]})

            f2.inputs(**{r + "1": a, r + "2": b})
            f3.inputs(**{r + "1": a, r + "2": b})
            operations = {"add": lambda x, y: add(x, y, fmt), "sub": lambda x, y: add(x, -y, fmt), "mul": lambda x, y: mul(x, y, fmt)}
            for opcode, function in operations.items():
                case(f2, f"{opcode}.rn.{fmt.name}", function)
                if fmt is F32:
                    case(f2, f"{opcode}.rn.sat.f32", lambda x, y, g=function: saturated(g(x, y)))
            case(f2, f"div.rn.{fmt.name}", lambda x, y: div(x, y, fmt))
            case(f3, f"min.{fmt.name}", minimum)
            case(f3, f"max.{fmt.name}", maximum)
            case(f3, f"copysign.{fmt.name}", lambda x, y: math.copysign(y, x))
            if fmt is F32:
                case(f3, "min.NaN.f32", lambda x, y: math.nan if is_nan(x, y) else minimum(x, y))
                case(f3, "max.NaN.f32", lambda x, y: math.nan if is_nan(x, y) else maximum(x, y))

    f = File("fma.txt", "fma and mad of f32 and f64 round once, after the sum.")
    for fmt, r in ((F32, "f"), (F64, "fd")):
        e = 2.0 ** (1 - fmt.precision)
        triples = [(1 + e, 1 + e, -1 - 2 * e), (1 + e, 1 - e, -1.0), (0.1, 10.0, -1.0), (fmt.max, 2.0, -fmt.max), (fmt.max, fmt.max, -math.inf),
                   (0.0, math.inf, 1.0), (math.inf, -1.0, math.inf), (fmt.smallest, 0.5, fmt.smallest), (fmt.smallest, 0.5, 0.0), (-fmt.smallest, 0.5, 0.0),
                   (0.0, -1.0, 0.0), (0.0, -1.0, -0.0), (2.0, 3.0, -6.0), (1.5, 1.5, math.nan), (fmt.smallest_normal, 1 - e, 0.0), (-3.0, 0.25, 0.5)]
        triples = [tuple(rounded(Fraction(v), fmt, v) if math.isfinite(v) else v for v in triple) for triple in triples]
        f.inputs(**{r + n: [t[k] for t in triples] for k, n in enumerate("123")})
        results = [fma(*t, fmt) for t in triples]
        for opcode in ("fma", "mad"):
            f.case(f"{opcode}.rn.{fmt.name} %{r}4, %{r}1, %{r}2, %{r}3;", **{r + "4": results})
        if fmt is F32:
            f.case("fma.rn.sat.f32 %f4, %f1, %f2, %f3;", f4=[saturated(v) for v in results])

    directed_families()

    f = File("float_unary.txt", "abs, neg, rcp, sqrt, testp of f32 and f64. Zeros count as normal.")
    for fmt, r in ((F32, "f"), (F64, "fd")):
        a = values_of(fmt) + [4.0, 2.0, 3.0, -1.0, -fmt.max, -fmt.smallest, fmt.smallest_normal - fmt.smallest]
        f.inputs(**{r + "1": a})
        for opcode, function in (("abs", abs), ("neg", lambda x: -x), ("rcp.rn", lambda x: div(1.0, x, fmt)), ("sqrt.rn", lambda x: sqrt(x, fmt))):
            f.case(f"{opcode}.{fmt.name} %{r}2, %{r}1;", **{r + "2": [function(x) for x in a]})
        for name, function in (("finite", math.isfinite), ("infinite", math.isinf), ("number", lambda x: not is_nan(x)), ("notanumber", is_nan),
                               ("normal", lambda x: x == 0 or fmt.smallest_normal <= abs(x) < math.inf),
                               ("subnormal", lambda x: 0 < abs(x) < fmt.smallest_normal)):
            f.case(f"testp.{name}.{fmt.name} %p2, %{r}1;", p2=[int(function(x)) for x in a])

    f = File("float_approx.txt", "The approximate forms: here the correctly rounded value, on a GPU something near.")
    a = [rounded(Fraction(x), F32) for x in (1.0, 2.0, 4.0, 0.1, 3.0, 1e-3, 123.456, 7e5)]
    b = [rounded(Fraction(x), F32) for x in (3.0, 0.7, -5.0, 0.3, 1.0, -2e-3, 10.0, 1.1)]
    f.inputs(f1=a, f2=b)
    near = ["near: 1e-6"]
    for opcode in ("div.approx", "div.full"):
        f.case(f"{opcode}.f32 %f3, %f1, %f2;", near, f3=[div(x, y, F32) for x, y in zip(a, b)])
    f.case("rcp.approx.f32 %f3, %f1;", near, f3=[div(1.0, x, F32) for x in a])
    f.case("sqrt.approx.f32 %f3, %f1;", near, f3=[sqrt(x, F32) for x in a])
    f.case("rsqrt.approx.f32 %f3, %f1;", near, f3=[rsqrt(x, F32) for x in a])
    f.inputs(fd1=[1.0, 4.0, 0.0625, 2.0**-20, 2.0**100, 0.0, -1.0])
    f.case("rsqrt.approx.f64 %fd2, %fd1;", ["near: 1e-5"], fd2=[rsqrt(x, F64) for x in [1.0, 4.0, 0.0625, 2.0**-20, 2.0**100, 0.0, -1.0]])
    doubles = [1.0, 4.0, 0.0625, 2.0**-20, 2.0**100, 0.0, 3.0, F64.smallest, math.inf]
    f.inputs(fd1=doubles)
    upper = lambda x: x if not math.isfinite(x) else struct.unpack("<d", struct.pack("<Q", struct.unpack("<Q", struct.pack("<d", x))[0] >> 32 << 32))[0]
    flushed = [0.0 if x < F64.smallest_normal else x for x in doubles]
    f.case("rcp.approx.ftz.f64 %fd2, %fd1;", ["near: 1e-5"], fd2=[upper(div(1.0, x, F64)) for x in flushed])
    f.case("rsqrt.approx.ftz.f64 %fd2, %fd1;", ["near: 1e-5"], fd2=[upper(rsqrt(x, F64)) for x in flushed])
    single = lambda x: rounded(Fraction(x), F32, x)
    c = [single(x) for x in (0.0, 0.5, 1.0, -1.0, 2.5, -3.0, 0.1, 3.14159)]
    f.inputs(f1=c)
    for opcode, function in (("ex2", lambda x: 2.0**x), ("sin", math.sin), ("cos", math.cos)):
        f.case(f"{opcode}.approx.f32 %f2, %f1;", near, f2=[single(function(x)) for x in c])
    f.case("tanh.approx.f32 %f2, %f1;", ["near: 1e-3"], f2=[single(math.tanh(x)) for x in c])
    f.inputs(f1=a)
    f.case("lg2.approx.f32 %f2, %f1;", near, f2=[single(math.log2(x)) for x in a])


# Half precision -----------------------------------------------------------------------------------------------------

def half_families():
    def packed(fmt, values):
        return [f"0x{int(fmt.bits(v), 16) << 16 | int(fmt.bits(w), 16):08x}" for v, w in zip(values[1:] + values[:1], values)]

    for fmt in (F16, BF16):
        f = File(f"{fmt.name}.txt", f"{fmt.name} arithmetic rounds once, to nearest even; a NaN result is 0x7FFF. Packed: two in 32 bits.")
        n, bits = fmt.name, lambda values: [fmt.bits(v) for v in values]
        for part in chunks(list(itertools.product(values_of(fmt), values_of(fmt)))):
            a, b = map(list, zip(*part))
            f.inputs(rs1=bits(a), rs2=bits(b), r1=packed(fmt, a), r2=packed(fmt, b))
            operations = {"add.rn": lambda x, y: add(x, y, fmt), "sub.rn": lambda x, y: add(x, -y, fmt), "mul.rn": lambda x, y: mul(x, y, fmt)}
            operations |= {"min": minimum, "max": maximum}
            if fmt is F16:
                operations |= {f"{op}.sat": lambda x, y, g=operations[f"{op}.rn"]: saturated(g(x, y)) for op in ("add", "sub", "mul")}
            operations |= {f"{op}.NaN": lambda x, y, g=g: math.nan if is_nan(x, y) else g(x, y) for op, g in (("min", minimum), ("max", maximum))}
            for opcode, function in operations.items():
                d = [function(x, y) for x, y in part]
                f.case(f"{opcode}.{n} %rs3, %rs1, %rs2;", rs3=bits(d))
                f.case(f"{opcode}.{n}x2 %r3, %r1, %r2;", r3=packed(fmt, d))
        e = 2.0 ** (1 - fmt.precision)
        triples = [(1 + e, 1 + e, -1 - 2 * e), (1 + e, 1 - e, -1.0), (fmt.max, 2.0, -fmt.max), (0.0, math.inf, 1.0), (fmt.smallest, 0.5, fmt.smallest),
                   (fmt.smallest, 0.5, 0.0), (-fmt.smallest, 0.5, 0.0), (2.0, 3.0, -6.0), (1.5, 1.5, math.nan), (-3.0, 0.25, 0.5), (math.inf, 1.0, -math.inf)]
        # The product is a tie and the addend far too small to be seen in between: rounded twice, these go to the even side.
        tie = (9.0, 29 / 256, 2.0**-30) if fmt is BF16 else (41.0, 53 / 2048, 2.0**-24)
        triples += [tie, (tie[0], tie[1], -tie[2]), (tie[0], tie[1], 0.0)]
        if fmt is BF16:  # far too small for 53 bits as well
            triples += [(tie[0], s * tie[1], c) for s in (1, -1) for c in (2.0**-100, -(2.0**-100))]
        a, b, c = map(list, zip(*triples))
        d = [fma(*t, fmt) for t in triples]
        f.inputs(rs1=bits(a), rs2=bits(b), rs3=bits(c), r1=packed(fmt, a), r2=packed(fmt, b), r3=packed(fmt, c))
        f.case(f"fma.rn.{n} %rs4, %rs1, %rs2, %rs3;", rs4=bits(d))
        f.case(f"fma.rn.{n}x2 %r4, %r1, %r2, %r3;", r4=packed(fmt, d))
        for opcode, e in (("fma.rn.sat", [saturated(v) for v in d]), ("fma.rn.relu", [0.0 if v <= 0 else v for v in d])):
            if opcode.endswith("sat") and fmt is BF16:
                continue
            f.case(f"{opcode}.{n} %rs4, %rs1, %rs2, %rs3;", rs4=bits(e))
            f.case(f"{opcode}.{n}x2 %r4, %r1, %r2, %r3;", r4=packed(fmt, e))
        a = [v for v in values_of(fmt) if v == v]
        f.inputs(rs1=bits(a), r1=packed(fmt, a))
        f.case(f"neg.{n} %rs2, %rs1;", rs2=bits([-v for v in a]))
        f.case(f"neg.{n}x2 %r2, %r1;", r2=packed(fmt, [-v for v in a]))
        f.case(f"abs.{n} %rs2, %rs1;", rs2=bits([abs(v) for v in a]))
        f.case(f"abs.{n}x2 %r2, %r1;", r2=packed(fmt, [abs(v) for v in a]))

    for fmt in (F16, BF16):
        half_comparisons(fmt, packed)
        half_functions(fmt, packed)


def half_comparisons(fmt, packed):
    n = fmt.name
    f = File(f"setp_{n}.txt", f"setp of {n}; with a NaN only neu holds." if fmt is F16 else f"setp of {n}.")
    ab = [(-1.5, 2.0), (2.0, 2.0), (0.0, -0.0), (2.0, -1.5), (math.inf, fmt.max), (math.nan, 1.0), (1.0, math.nan), (math.nan, math.nan), (fmt.smallest, 0.0)]
    a, b = [list(side) for side in zip(*ab)]
    f.inputs(rs1=[fmt.bits(v) for v in a], rs2=[fmt.bits(v) for v in b])
    known = comparisons("f16")
    for op in known:
        f.case(f"setp.{op}.{n} %p3, %rs1, %rs2;", p3=[int(known[op](x, y)) for x, y in ab])

    f = File(f"set_{n}.txt", f"set of {n}: 1.0 or 0 for each half; as u32, all ones or none.")
    f.inputs(rs1=[fmt.bits(v) for v in a], rs2=[fmt.bits(v) for v in b], r1=packed(fmt, a), r2=packed(fmt, b))
    for op in known:
        holds = [bool(known[op](x, y)) for x, y in ab]
        f.case(f"set.{op}.{n}.{n} %rs3, %rs1, %rs2;", rs3=[fmt.bits(float(h)) for h in holds])
        f.case(f"set.{op}.{n}x2.{n}x2 %r3, %r1, %r2;", r3=packed(fmt, [float(h) for h in holds]))
        after = holds[1:] + holds[:1]
        f.case(f"set.{op}.u32.{n}x2 %r3, %r1, %r2;", r3=[f"0x{0xffff * low | 0xffff0000 * high:08x}" for low, high in zip(holds, after)])


def half_functions(fmt, packed):
    n, error = fmt.name, "2^-10.987" if fmt is F16 else "2^-8"
    f = File(f"{n}_approx.txt", f"Functions of {n}, here rounded once, on a GPU something near: tanh is {error} off at most (PTX ISA).")
    a = [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -7.0, 15.0, math.inf, -math.inf]
    f.inputs(rs1=[fmt.bits(v) for v in a], r1=packed(fmt, a))
    for opcode, function in (("tanh.approx", math.tanh), ("ex2.approx" if fmt is F16 else "ex2.approx.ftz", lambda x: 2.0**x)):
        d = [rounded(Fraction(v), fmt, v) if math.isfinite(v) else v for v in map(function, a)]
        lines = ["near: 5e-4" if fmt is F16 else "near: 8e-3"] if opcode.startswith("tanh") or fmt is BF16 else []
        f.case(f"{opcode}.{n} %rs2, %rs1;", lines, rs2=[fmt.bits(v) for v in d])
        f.case(f"{opcode}.{n}x2 %r2, %r1;", lines, r2=packed(fmt, d))


# Conversions --------------------------------------------------------------------------------------------------------

def to_integer(value, mode, t, source_bits):
    """The manual's cvt: it clamps; a NaN is 0, or the top bit alone where the source is f64 or the destination has 64 bits."""
    if is_nan(value):
        return t.wrap(1 << (t.bits - 1)) if source_bits == 64 or t.bits == 64 else 0
    if math.isinf(value):
        return t.high if value > 0 else t.low
    return t.clamp({"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}[mode](Fraction(value)))


def to_integral(value, mode):
    if is_nan(value) or math.isinf(value):
        return value
    return math.copysign(float({"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}[mode](Fraction(value))), value)


def assembled(fmt, integer):
    """ptxas takes no cvt between bf16 and 8 bits."""
    return ["ptxas: no"] if fmt is BF16 and integer.bits == 8 else []


def conversion_families():
    types = integers("u8 s8 u16 s16 u32 s32 u64 s64")
    f = File("cvt_integer.txt", "cvt between integers: the low bits, extended by the source's sign; .sat clamps. A register may be wider than its\n"
             "type: then its low bits are read, and what is written is extended to it. ptxas takes .sat only where it can matter.")
    for s in types:
        values = [0, 1, 127, 128, 255, 256, -1, -128, -129, 32767, 32768, 65535, -32769, 2147483647, 2147483648, 4294967296, -2147483649,
                  (1 << 63) - 1, 1 << 63, 0x123456789ABCDEF0]
        held = Type("u" + str(max(s.bits, 16)))
        r1 = s.register(1)
        f.inputs(**{r1[1:]: [held.wrap(v) for v in values], "rd5": [Type("u64").wrap(v) for v in values]})
        for d in types:
            wide = Type("u" + str(max(d.bits, 16)))
            r2 = d.register(2)
            results = [d.wrap(s.wrap(v)) for v in values]
            clamped = [d.clamp(s.wrap(v)) for v in values]
            possible = [] if s.low < d.low or s.high > d.high else ["ptxas: no"]
            f.case(f"cvt.{d.name}.{s.name} {r2}, {r1};", **{r2[1:]: [wide.wrap(v) for v in results]})
            f.case(f"cvt.{d.name}.{s.name} %rd6, %rd5;", rd6=[Type("u64").wrap(v) for v in results])
            f.case(f"cvt.sat.{d.name}.{s.name} {r2}, {r1};", possible, **{r2[1:]: [wide.wrap(v) for v in clamped]})

    f = File("cvt_integer_to_float.txt", "cvt from integers to f32, f64, f16, bf16: one rounding, to nearest even, or as rz, rm, rp say.")
    for s in types:
        values = [0, 1, -1, 127, -128, 255, 2049, 2051, 65504, 65519, 65520, 16777217, 16777219, -16777217, 33554435, 2147483647, 4294967295,
                  9007199254740993, 9007199254740995, (1 << 63) - 1, (1 << 64) - 1, (1 << 62) + (1 << 38), (1 << 62) + (1 << 38) + 1,
                  (1 << 62) + (1 << 54), (1 << 62) + (1 << 54) + 1, (3 << 61) - 1]
        values = [s.wrap(v) for v in values]
        r1 = s.register(1)
        held = Type("u" + str(max(s.bits, 16)))
        f.inputs(**{r1[1:]: [held.wrap(v) for v in values]})
        f.case(f"cvt.rn.f32.{s.name} %f2, {r1};", f2=[rounded(Fraction(v), F32) for v in values])
        f.case(f"cvt.rn.f64.{s.name} %fd2, {r1};", fd2=[rounded(Fraction(v), F64) for v in values])
        for fmt in (F16, BF16):
            f.case(f"cvt.rn.{fmt.name}.{s.name} %rs2, {r1};", assembled(fmt, s), rs2=[fmt.bits(rounded(Fraction(v), fmt)) for v in values])
        for mode in ("rz", "rm", "rp"):
            for fmt in (F16, BF16):
                f.case(f"cvt.{mode}.{fmt.name}.{s.name} %rs2, {r1};", assembled(fmt, s), rs2=[fmt.bits(directed(Fraction(v), fmt, mode)) for v in values])
            f.case(f"cvt.{mode}.f32.{s.name} %f2, {r1};", f2=[directed(Fraction(v), F32, mode) for v in values])
            f.case(f"cvt.{mode}.f64.{s.name} %fd2, {r1};", fd2=[directed(Fraction(v), F64, mode) for v in values])

    f = File("cvt_float_to_integer.txt", "cvt from f32 and f64 to integers clamps. A NaN gives 0, or the top bit alone where the source is f64 or the destination\n"
             "has 64 bits. rni: nearest even, rzi: towards zero, rmi: down, rpi: up.")
    for fmt, r in ((F32, "f"), (F64, "fd")):
        values = [0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.999, -0.001, 127.5, 128.5, -128.5, -129.5, 255.5, 256.0, 32767.5, -32769.0, 65535.5,
                  2147483648.0, -2147483648.0, 4294967296.0, 2.0**63, -(2.0**63), 2.0**64, -1e30, 1e30, math.inf, -math.inf, math.nan, fmt.smallest,
                  4294967040.0]
        values = [rounded(Fraction(v), fmt, v) if math.isfinite(v) else v for v in values]
        f.inputs(**{r + "1": values})
        for d in types:
            wide = Type("u" + str(max(d.bits, 16)))
            r2 = d.register(2)
            for mode in ("rni", "rzi", "rmi", "rpi"):
                f.case(f"cvt.{mode}.{d.name}.{fmt.name} {r2}, %{r}1;", **{r2[1:]: [wide.wrap(to_integer(v, mode, d, fmt.precision + 11 & 64)) for v in values]})

    f = File("cvt_float.txt", "cvt between floating-point formats, to integral values, and .sat (clamps to [0, 1], NaN to 0).")
    for fmt, r in ((F32, "f"), (F64, "fd")):
        values = [0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.999, -0.001, 8388607.5, 2.0**60, math.inf, -math.inf, math.nan, fmt.smallest, -fmt.smallest]
        values = [rounded(Fraction(v), fmt, v) if math.isfinite(v) else v for v in values]
        f.inputs(**{r + "1": values})
        for mode in ("rni", "rzi", "rmi", "rpi"):
            f.case(f"cvt.{mode}.{fmt.name}.{fmt.name} %{r}2, %{r}1;", **{r + "2": [to_integral(v, mode) for v in values]})
        f.case(f"cvt.sat.{fmt.name}.{fmt.name} %{r}2, %{r}1;", **{r + "2": [saturated(v) for v in values]})
        f.case(f"cvt.{fmt.name}.{fmt.name} %{r}2, %{r}1;", **{r + "2": values})
    singles = [0.0, -0.0, 1.5, -2.25, F32.max, F32.smallest, -F32.smallest_normal, math.inf, -math.inf, math.nan, rounded(Fraction(1, 10), F32), 65519.0, 65520.0,
               65504.0, -65535.0, 1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-11 + 2.0**-20, 2.0**-24, 2.0**-25, 2.0**-25 * (1 + 2.0**-20), 2.0**-14 - 2.0**-26, 1 + 2.0**-8,
               1 + 3 * 2.0**-8]
    f.inputs(f1=singles, f2=singles[1:] + singles[:1])
    f.case("cvt.f64.f32 %fd2, %f1;", fd2=singles)
    for fmt in (F16, BF16):
        narrow = [rounded(Fraction(v), fmt, v) if math.isfinite(v) else v for v in singles]
        bits = [fmt.bits(v) for v in narrow]
        f.case(f"cvt.rn.{fmt.name}.f32 %rs2, %f1;", rs2=bits)
        f.case(f"cvt.rn.{fmt.name}x2.f32 %r2, %f1, %f2;", r2=["0x" + a[2:] + b[2:] for a, b in zip(bits, bits[1:] + bits[:1])])
        f.case(f"cvt.rn.relu.{fmt.name}.f32 %rs2, %f1;", rs2=[fmt.bits(0.0 if v <= 0 else v) for v in narrow])
        relu = [fmt.bits(0.0 if v <= 0 else v) for v in narrow]
        f.case(f"cvt.rn.relu.{fmt.name}x2.f32 %r2, %f1, %f2;", r2=["0x" + a[2:] + b[2:] for a, b in zip(relu, relu[1:] + relu[:1])])
        for mode in ("rz", "rm", "rp"):
            f.case(f"cvt.{mode}.{fmt.name}.f32 %rs2, %f1;", rs2=[fmt.bits(directed(v, fmt, mode)) for v in singles])
        cut = [fmt.bits(directed(v, fmt, "rz")) for v in singles]
        f.case(f"cvt.rz.{fmt.name}x2.f32 %r2, %f1, %f2;", r2=["0x" + a[2:] + b[2:] for a, b in zip(cut, cut[1:] + cut[:1])])
    doubles = [0.0, -0.0, 1.5, 0.1, -0.1, F64.max, -F64.max, F32.max, F32.max * (1 + 2.0**-26), F32.max * (1 + 2.0**-24), F64.smallest, -F32.smallest * 0.5, F32.smallest * 0.75,
               1 + 2.0**-24, 1 + 3 * 2.0**-24, 1 + 2.0**-24 + 2.0**-52, 1 + 2.0**-11 + 2.0**-40, math.inf, -math.inf, math.nan, F32.smallest_normal * (1 - 2.0**-40)]
    f.inputs(fd1=doubles)
    f.case("cvt.rn.f32.f64 %f2, %fd1;", f2=[rounded(Fraction(v), F32, v) if math.isfinite(v) else v for v in doubles])
    f.case("cvt.rz.f32.f64 %f2, %fd1;", f2=[(rounded(Fraction(v), F32, v, True) or math.copysign(0.0, v)) if math.isfinite(v) else v for v in doubles])
    for mode in ("rm", "rp"):
        f.case(f"cvt.{mode}.f32.f64 %f2, %fd1;", f2=[directed(v, F32, mode) for v in doubles])
    f.note("Which NaN a half becomes is left out: the manual's is 0x7FFF, an H200's 0x7E00.")
    doubles = [v for v in doubles if not is_nan(v)]
    f.inputs(fd1=doubles)
    for fmt in (F16, BF16):
        f.case(f"cvt.rn.{fmt.name}.f64 %rs2, %fd1;",
               rs2=[fmt.bits((rounded(Fraction(v), fmt, v) or math.copysign(0.0, v)) if math.isfinite(v) else v) for v in doubles])

    f = File("cvt_half.txt", "cvt from f16 and bf16.")
    for fmt, n in ((F16, "f16"), (BF16, "bf16")):
        halves = [rounded(Fraction(v), fmt, v) if math.isfinite(v) else v for v in values_of(fmt) + [0.5, -0.5, 2.5, -1.5, 255.75, 40000.0, -40000.0]]
        f.inputs(rs1=[fmt.bits(v) for v in halves])
        f.case(f"cvt.f32.{n} %f2, %rs1;", f2=halves)
        f.case(f"cvt.f64.{n} %fd2, %rs1;", fd2=halves)
        for t, mode in itertools.product(types, ("rni", "rzi", "rmi", "rpi")):
            r2, wide = t.register(2), Type("u" + str(max(t.bits, 16)))
            results = [wide.wrap(to_integer(v, mode, t, 64 if t.bits == 64 else 16)) for v in halves]
            f.case(f"cvt.{mode}.{t.name}.{n} {r2}, %rs1;", assembled(fmt, t), **{r2[1:]: results})
        for mode in ("rni", "rzi", "rmi", "rpi"):
            f.case(f"cvt.{mode}.{n}.{n} %rs2, %rs1;", rs2=[fmt.bits(to_integral(v, mode)) for v in halves])
        other = BF16 if fmt is F16 else F16
        crossed = [(rounded(Fraction(v), other, v) or math.copysign(0.0, v)) if math.isfinite(v) else v for v in halves]
        f.case(f"cvt.rn.{other.name}.{n} %rs2, %rs1;", rs2=[other.bits(v) for v in crossed])


# Moves and the warp's own instructions ------------------------------------------------------------------------------

def move_families():
    f = File("mov.txt", "mov: registers, packs of parts (the first is the lowest) and their unpacking.")
    f.inputs(rs1=[0x1122, 0xFFEE], rs2=[0x3344, 0x8001], rs3=[0x5566, 0], rs4=[0x7788, 0x7FFF], r1=[0x89ABCDEF, 5], r2=[0x01234567, 0xFFFFFFFF],
             rd1=[0x0123456789ABCDEF, 0x8000000000000001], f1=[1.5, -0.0], fd1=[0.1, math.inf], rb1=[0x12, 0xFF], rb2=[0x34, 0x80], rb3=[0x56, 0], rb4=[0x78, 1])
    f.case("mov.b16 %rs5, %rs1;", rs5=[0x1122, 0xFFEE])
    f.case("mov.b32 %r5, %r1;", r5=[0x89ABCDEF, 5])
    f.case("mov.b64 %rd5, %rd1;", rd5=[0x0123456789ABCDEF, 0x8000000000000001])
    f.case("mov.f32 %f5, %f1;", f5=[1.5, -0.0])
    f.case("mov.f64 %fd5, %fd1;", fd5=[0.1, math.inf])
    f.case("mov.b32 %r5, %f1;", r5=[0x3FC00000, 0x80000000])
    f.case("mov.u32 %r5, -2;", r5=[0xFFFFFFFE])
    f.case("mov.f32 %f5, 0f3F800000;", f5=[1.0])
    f.case("mov.f64 %fd5, 0dBFF8000000000000;", fd5=[-1.5])
    f.case("mov.b64 %rd5, {%r1, %r2};", rd5=[0x0123456789ABCDEF, 0xFFFFFFFF00000005])
    f.case("mov.b64 %rd5, {%rs1, %rs2, %rs3, %rs4};", rd5=[0x7788556633441122, 0x7FFF00008001FFEE])
    f.case("mov.b32 %r5, {%rs1, %rs2};", r5=[0x33441122, 0x8001FFEE])
    f.case("mov.b32 %r5, {%rb1, %rb2, %rb3, %rb4};", r5=[0x78563412, 0x010080FF])
    f.case("mov.b16 %rs5, {%rb1, %rb2};", rs5=[0x3412, 0x80FF])
    f.case("mov.b64 {%r5, %r6}, %rd1;", r5=[0x89ABCDEF, 1], r6=[0x01234567, 0x80000000])
    f.case("mov.b64 {_, %r6}, %rd1;", r6=[0x01234567, 0x80000000])
    f.case("mov.b64 {%rs5, %rs6, %rs7, %rs8}, %rd1;", rs5=[0xCDEF, 1], rs6=[0x89AB, 0], rs7=[0x4567, 0], rs8=[0x0123, 0x8000])
    f.case("mov.b32 {%rs5, %rs6}, %r1;", rs5=[0xCDEF, 5], rs6=[0x89AB, 0])
    f.case("mov.b32 {%rs5, _}, %r1;", rs5=[0xCDEF, 5])
    f.case("mov.b32 {%rb5, %rb6, %rb7, %rb8}, %r1;", rb5=[0xEF, 5], rb6=[0xCD, 0], rb7=[0xAB, 0], rb8=[0x89, 0])
    f.case("mov.b16 {%rb5, %rb6}, %rs1;", rb5=[0x22, 0xEE], rb6=[0x11, 0xFF])


def shuffle(mode, lane, b, c):
    """The manual's pseudocode: the lane read, and whether it was in range."""
    clamp, segment = c & 31, c >> 8 & 31
    most, least = lane & segment | clamp & ~segment & 31, lane & segment
    j = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": least | b & ~segment & 31}[mode]
    in_range = j >= most if mode == "up" else j <= most
    return (j if in_range else lane), int(in_range)


def warp_families():
    every, whole = range(32), 0xFFFFFFFF
    data = [(lane * 0x01010101 + 7) & whole for lane in every]
    f = File("shfl.txt", "shfl.sync in all modes: segments and clamps come in c ([12:8] segment mask, [4:0] clamp); out of range, a lane reads\n"
             "itself and the predicate is 0.")
    for mode, amounts, controls in (("up", (1, 5, 31), (0x0000, 0x1800, 0x1000, 0x1C02)), ("down", (1, 7, 31), (0x001F, 0x181F, 0x1C1F, 0x0014)),
                                    ("bfly", (1, 16, 31), (0x001F, 0x181F, 0x000F)), ("idx", (0, 3, 31, 32), (0x001F, 0x181F, 0x1C1F, 0x0002))):
        for b, c in itertools.product(amounts, controls):
            reads = [shuffle(mode, lane, b & 31, c) for lane in every]
            f.inputs(r1=data)
            f.case(f"shfl.sync.{mode}.b32 %r2|%p2, %r1, {b}, 0x{c:04x}, 0xffffffff;", ["lanes: 0xffffffff"],
                   r2=[data[j] for j, ok in reads], p2=[ok for j, ok in reads])
    turned = [(3 * lane + 1) & 31 for lane in every]
    f.inputs(r1=data, r3=turned)
    f.note("Each lane reads another one.")
    f.case("shfl.sync.idx.b32 %r2, %r1, %r3, 0x1f, 0xffffffff;", ["lanes: 0xffffffff"], r2=[data[j] for j in turned])
    f.note("Part of a warp, within itself.")
    f.case("shfl.sync.bfly.b32 %r2, %r1, 1, 0x1f, 0x0000ffff;", ["lanes: 0x0000ffff"], r2=[data[lane ^ 1] for lane in every])
    f.case("shfl.sync.down.b32 %r2|%p2, %r1, 2, 0x181f, 0xff000000;", ["lanes: 0xff000000"],
           r2=[data[shuffle("down", lane, 2, 0x181F)[0]] for lane in every], p2=[shuffle("down", lane, 2, 0x181F)[1] for lane in every])

    f = File("vote.txt", "vote.sync over the lanes of the mask; other lanes take no part, whatever their predicate.")
    for lanes, p in itertools.product((whole, 0x0000FFFF, 0x80000001), ([1], [0], [1, 0], [1] * 31 + [0], [0] * 16 + [1] * 16)):
        bits = sum(p[lane % len(p)] << lane for lane in every) & lanes
        f.inputs(p1=p)
        only = [f"lanes: {lanes:#x}"]
        f.case(f"vote.sync.all.pred %p2, %p1, {lanes:#x};", only, p2=[int(bits == lanes)])
        f.case(f"vote.sync.any.pred %p2, %p1, {lanes:#x};", only, p2=[int(bits != 0)])
        f.case(f"vote.sync.uni.pred %p2, %p1, {lanes:#x};", only, p2=[int(bits in (0, lanes))])
        f.case(f"vote.sync.ballot.b32 %r2, %p1, {lanes:#x};", only, r2=[bits])
        f.case(f"vote.sync.ballot.b32 %r2, !%p1, {lanes:#x};", only, r2=[bits ^ lanes])

    f = File("match.txt", "match.any: the lanes with the same value; match.all: all lanes and true if they agree, else 0 and false.")
    for bits, r in ((32, "r"), (64, "rd")):
        high = 1 << bits - 1
        for lanes, a in itertools.product((whole, 0x00FF00FF), ([5], [1, 2, 1 | high, 2], [high] * 16 + [0] * 16, [9] * 8 + [3] * 8)):
            value = [a[lane % len(a)] for lane in every]
            active = [lane for lane in every if lanes >> lane & 1]
            same = [sum(1 << other for other in active if value[other] == value[lane]) for lane in every]
            agree = len({value[lane] for lane in active}) == 1
            f.inputs(**{r + "1": a})
            only = [f"lanes: {lanes:#x}"]
            f.case(f"match.any.sync.b{bits} %r2, %{r}1, {lanes:#x};", only, r2=same)
            f.case(f"match.all.sync.b{bits} %r2|%p2, %{r}1, {lanes:#x};", only, r2=[lanes if agree else 0], p2=[int(agree)])

    f = File("redux.txt", "redux.sync: one value of all lanes of the mask; add wraps.")
    values = [(0x9E3779B9 * (lane + 1)) & whole for lane in every]
    operations = {"and.b32": lambda v: functools.reduce(operator.and_, v), "or.b32": lambda v: functools.reduce(operator.or_, v),
                  "xor.b32": lambda v: functools.reduce(operator.xor, v)}
    for lanes, a in itertools.product((whole, 0x0F0F0000, 0x00000400), (values, [1], [0x80000000, 0x7FFFFFFF])):
        active = [a[lane % len(a)] for lane in every if lanes >> lane & 1]
        f.inputs(r1=a)
        only = [f"lanes: {lanes:#x}"]
        for name in ("s32", "u32"):
            t = Type(name)
            for opcode, function in (("add", sum), ("min", min), ("max", max)):
                f.case(f"redux.sync.{opcode}.{name} %r2, %r1, {lanes:#x};", only, r2=[Type("u32").wrap(function(t.wrap(v) for v in active))])
        for opcode, function in operations.items():
            f.case(f"redux.sync.{opcode} %r2, %r1, {lanes:#x};", only, r2=[function(active)])

    f = File("activemask_elect.txt", "activemask: the lanes that run; elect.sync: the lowest of the mask.")
    f.lines.append("")
    for lanes in (whole, 0x0000FFF0, 0x80000000):
        f.case("activemask.b32 %r1;", [f"lanes: {lanes:#x}"], r1=[lanes])
        first = (lanes & -lanes).bit_length() - 1
        f.case(f"elect.sync %r1|%p1, {lanes:#x};", [f"lanes: {lanes:#x}"], r1=[first], p1=[int(lane == first) for lane in every])

FAMILIES = (integer_families, extended_families, packed_families, logic_families, comparison_families, selection_families, float_families, half_families,
            conversion_families, move_families, warp_families)
for family in FAMILIES:
    family()


def main():
    folder = Path(__file__).parent
    stale = 0
    for name, file in files.items():
        text = "\n".join(file.lines) + "\n"
        path = folder / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text() != text:
                print(f"{name} is not what expect.py says: run it and look at the difference")
                stale += 1
        else:
            path.write_text(text)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
