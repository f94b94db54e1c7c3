#!/usr/bin/env python3
"""grader/lab/proof/random_instructions.py COUNT [options]: does grader/proof know what instructions compute?

Some whole-number instructions are drawn, as an asm of a kernel that copies. They make a value v of the thread's index. One
thread leaves its element out: the one for which v is what Python computes, or is the largest or the least value that there
is. So `covered` is false; where it is proved, the proof takes an instruction for another. Prints such programs' instructions,
then a table; the exit code is 1 if there is one."""
import argparse
import collections
import concurrent.futures
import os
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from reader_programs import ROOT, proved  # noqa: E402
from reader_table import HEAD  # noqa: E402

THREADS, WORD = 256, 2 ** 32 - 1
SMALL = [1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 100, 255, 256, 1000, 4096]
LARGE = [65535, 65536, -1, -2, -8, -32, 2 ** 31 - 1, -2 ** 31, 43691, 1431655766]
COMPARISONS = {"lt": lambda x, y: x < y, "le": lambda x, y: x <= y, "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y,
               "eq": lambda x, y: x == y, "ne": lambda x, y: x != y}


def signed(value, bits=32):
    value &= 2 ** bits - 1
    return value - 2 ** bits if value >> (bits - 1) else value


def toward_zero(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def instruction(drawn, target, sources):
    """Its text, which sets x<target>, and what it makes of the registers before it."""
    a, b, k, far = drawn.choice(sources), drawn.choice(sources), drawn.choice([1, 2, 3, 4, 5, 8]), drawn.choice([1, 2, 4, 8, 16, 31])
    c = drawn.choice(SMALL + LARGE * (drawn.random() < 0.4))
    A, B, D, u, d, half = f"x{a}", f"x{b}", f"x{target}", c & WORD, abs(c), f"cvt.u16.u32 h0, x{a};"
    rows = [
        (f"add.s32 {D}, {A}, {c};", lambda v: v[a] + c), (f"sub.s32 {D}, {c}, {A};", lambda v: c - v[a]),
        (f"add.u32 {D}, {A}, {B};", lambda v: v[a] + v[b]), (f"sub.u32 {D}, {A}, {B};", lambda v: v[a] - v[b]),
        (f"mul.lo.s32 {D}, {A}, {c};", lambda v: v[a] * c), (f"mad.lo.s32 {D}, {A}, {c}, {B};", lambda v: v[a] * c + v[b]),
        (f"neg.s32 {D}, {A};", lambda v: -v[a]), (f"not.b32 {D}, {A};", lambda v: ~v[a]),
        (f"and.b32 {D}, {A}, {2 ** k - 1};", lambda v: v[a] & (2 ** k - 1)), (f"and.b32 {D}, {A}, {-2 ** k};", lambda v: v[a] & -2 ** k),
        (f"and.b32 {D}, {A}, {c};", lambda v: v[a] & c), (f"or.b32 {D}, {A}, {c};", lambda v: v[a] | c), (f"xor.b32 {D}, {A}, {c};", lambda v: v[a] ^ c),
        (f"shl.b32 {D}, {A}, {far};", lambda v: v[a] << far), (f"shl.b32 y0, {A}, {k}; or.b32 {D}, y0, {2 ** k - 1};", lambda v: (v[a] << k) | (2 ** k - 1)),
        (f"shr.u32 {D}, {A}, {far};", lambda v: v[a] >> far), (f"shr.s32 {D}, {A}, {far};", lambda v: signed(v[a]) >> far),
        (f"mul.hi.u32 {D}, {A}, {u};", lambda v: v[a] * u >> 32), (f"mul.hi.s32 {D}, {A}, {c};", lambda v: signed(v[a]) * c >> 32),
        (f"div.u32 {D}, {A}, {d};", lambda v: v[a] // d), (f"rem.u32 {D}, {A}, {d};", lambda v: v[a] % d),
        (f"div.s32 {D}, {A}, {d};", lambda v: toward_zero(signed(v[a]), signed(d))),
        (f"rem.s32 {D}, {A}, {d};", lambda v: signed(v[a]) - toward_zero(signed(v[a]), signed(d)) * signed(d)),
        (f"min.u32 {D}, {A}, {u};", lambda v: min(v[a], u)), (f"max.s32 {D}, {A}, {c};", lambda v: max(signed(v[a]), c)),
        (f"min.s32 {D}, {A}, {B};", lambda v: min(signed(v[a]), signed(v[b]))), (f"max.u32 {D}, {A}, {B};", lambda v: max(v[a], v[b])),
        (f"{half} cvt.u32.u16 {D}, h0;", lambda v: v[a] & 65535), (f"{half} cvt.s32.s16 {D}, h0;", lambda v: signed(v[a], 16)),
        (f"cvt.s32.s8 {D}, {A};", lambda v: signed(v[a], 8)), (f"cvt.u32.u8 {D}, {A};", lambda v: v[a] & 255), (f"cvt.s32.s16 {D}, {A};", lambda v: signed(v[a], 16)),
        (f"{half} mul.wide.u16 {D}, h0, {d & 65535};", lambda v: (v[a] & 65535) * (d & 65535)),
        (f"{half} add.s16 h1, h0, {c % 30000}; cvt.u32.u16 {D}, h1;", lambda v: (v[a] + c % 30000) & 65535),
        (f"{half} shr.u16 h1, h0, {k}; cvt.u32.u16 {D}, h1;", lambda v: (v[a] & 65535) >> k), (f"{half} shr.s16 h1, h0, {k}; cvt.s32.s16 {D}, h1;", lambda v: signed(v[a], 16) >> k),
        (f"{half} shl.b16 h1, h0, {k}; cvt.s32.s16 {D}, h1;", lambda v: signed(v[a] << k, 16)),
        (f"cvt.s64.s32 w0, {A}; mul.lo.s64 w1, w0, {c}; shr.s64 w2, w1, {far}; cvt.u32.u64 {D}, w2;", lambda v: signed(signed(v[a]) * c, 64) >> far),
        (f"mul.wide.u32 w0, {A}, {u}; shr.u64 w1, w0, {far}; cvt.u32.u64 {D}, w1;", lambda v: v[a] * u >> far),
        (f"mul.wide.s32 w0, {A}, {c}; shr.u64 w1, w0, 32; cvt.u32.u64 {D}, w1;", lambda v: signed(v[a]) * c >> 32),
        (f"cvt.s64.s32 w0, {A}; div.u64 w1, w0, {d}; cvt.u32.u64 {D}, w1;", lambda v: (signed(v[a]) & (2 ** 64 - 1)) // d),
        (f"or.b32 y0, {A}, {B}; setp.lt.s32 p, y0, 0; selp.u32 {D}, {u}, {A}, p;", lambda v: u if signed(v[a] | v[b]) < 0 else v[a]),
        (f"or.b32 y0, {A}, {B}; and.b32 y1, y0, {-2 ** k}; setp.eq.s32 p, y1, 0; selp.u32 {D}, {u}, {A}, p;", lambda v: v[a] if (v[a] | v[b]) >> k else u),
    ]
    halves = f"{half} cvt.u16.u32 h1, {B};"
    h, g, e = (lambda v: v[a] & 65535), (lambda v: v[b] & 65535), abs(c) % 30000 + 1
    rows += [(f"{halves} {text}".format(D, A), made) for text, made in (
        ("or.b16 h2, h0, h1; and.b16 h2, h2, %d; setp.eq.s16 p, h2, 0; selp.u32 {}, 5, {}, p;" % -2 ** k, lambda v: v[a] if (h(v) | g(v)) >> k else 5),
        ("or.b16 h2, h0, h1; setp.lt.s16 p, h2, 0; selp.u32 {}, 5, {}, p;", lambda v: 5 if signed(h(v) | g(v), 16) < 0 else v[a]),
        ("setp.lt.u16 p, h0, h1; selp.u32 {}, 5, {}, p;", lambda v: 5 if h(v) < g(v) else v[a]), ("setp.ge.s16 p, h0, h1; selp.u32 {}, 5, {}, p;", lambda v: 5 if signed(h(v), 16) >= signed(g(v), 16) else v[a]),
        ("setp.eq.b16 p, h0, %d; selp.u32 {}, 5, {}, p;" % e, lambda v: 5 if h(v) == e else v[a]), ("not.b16 h2, h0; cvt.u32.u16 {}, h2;", lambda v: ~h(v) & 65535),
        ("mul.lo.u16 h2, h0, %d; cvt.u32.u16 {}, h2;" % e, lambda v: h(v) * e & 65535), ("mad.lo.s16 h2, h0, %d, h1; cvt.s32.s16 {}, h2;" % e, lambda v: signed(h(v) * e + g(v), 16)),
        ("mul.hi.u16 h2, h0, %d; cvt.u32.u16 {}, h2;" % e, lambda v: h(v) * e >> 16), ("div.u16 h2, h0, %d; cvt.u32.u16 {}, h2;" % e, lambda v: h(v) // e),
        ("rem.u16 h2, h0, %d; cvt.u32.u16 {}, h2;" % e, lambda v: h(v) % e), ("min.s16 h2, h0, h1; cvt.s32.s16 {}, h2;", lambda v: min(signed(h(v), 16), signed(g(v), 16))),
        ("max.u16 h2, h0, h1; cvt.u32.u16 {}, h2;", lambda v: max(h(v), g(v))), ("and.b16 h2, h0, %d; cvt.u32.u16 {}, h2;" % (2 ** k - 1), lambda v: h(v) & (2 ** k - 1)),
        ("sub.s16 h2, h0, h1; cvt.s64.s16 w0, h2; cvt.u32.u64 {}, w0;", lambda v: signed(h(v) - g(v), 16)), ("cvt.u64.u16 w0, h0; shl.b64 w1, w0, %d; cvt.u32.u64 {}, w1;" % far, lambda v: h(v) << far))]
    # A constant that has wrapped: 2^32 + k, or k - 2^32.
    for wrapped in (f"mov.u32 y0, 4294967295; add.u32 y0, y0, {k + 1};", f"mov.u32 y0, {-2 ** 31}; add.s32 y0, y0, {-2 ** 31 + k};"):
        rows += [(f"{wrapped} {text.format(D, A)}", made) for text, made in (
            ("shl.b32 {}, {}, y0;", lambda v: v[a] << k), ("shr.u32 {}, {}, y0;", lambda v: v[a] >> k), ("shr.s32 {}, {}, y0;", lambda v: signed(v[a]) >> k),
            ("and.b32 {}, {}, y0;", lambda v: v[a] & k), ("or.b32 {}, {}, y0;", lambda v: v[a] | k), ("xor.b32 {}, {}, y0;", lambda v: v[a] ^ k),
            ("mul.lo.u32 {}, {}, y0;", lambda v: v[a] * k), ("mul.hi.u32 {}, {}, y0;", lambda v: v[a] * k >> 32), ("div.u32 {}, {}, y0;", lambda v: v[a] // k),
            ("rem.s32 {}, {}, y0;", lambda v: signed(v[a]) - toward_zero(signed(v[a]), k) * k), ("min.u32 {}, {}, y0;", lambda v: min(v[a], k)),
            ("max.s32 {}, {}, y0;", lambda v: max(signed(v[a]), k)), ("sub.u32 {}, {}, y0;", lambda v: v[a] - k),
            ("or.b32 y1, {1}, y0; setp.lt.s32 p, y1, 0; selp.u32 {0}, y0, {1}, p;", lambda v: k if signed(v[a] | k) < 0 else v[a]),
            ("setp.lt.u32 p, {1}, y0; selp.u32 {0}, y0, {1}, p;", lambda v: k if v[a] < k else v[a]),
            ("setp.eq.u32 p, {1}, y0; selp.u32 {0}, 77, {1}, p;", lambda v: 77 if v[a] == k else v[a]))]
    for word, holds in COMPARISONS.items():
        for kind, read, other in (("s32", signed, c), ("u32", lambda x: x, u)):
            rows += [(f"setp.{word}.{kind} p, {A}, {other}; selp.u32 {D}, {B}, {u}, p;", lambda v, holds=holds, read=read, other=other: v[b] if holds(read(v[a]), other) else u),
                     (f"setp.{word}.{kind} p, {A}, {B}; selp.u32 {D}, {A}, {B}, p;", lambda v, holds=holds, read=read: v[a] if holds(read(v[a]), read(v[b])) else v[b]),
                     (f"setp.{word}.{kind} p, {A}, {other}; mov.u32 {D}, {A}; @p add.s32 {D}, {D}, 1;", lambda v, holds=holds, read=read, other=other: v[a] + holds(read(v[a]), other))]
    return drawn.choice(rows)


def program(seed):
    """(instructions, source)"""
    drawn = random.Random(seed)
    steps = [instruction(drawn, k, range(max(0, k - 2), k)) for k in range(1, drawn.choice([1, 1, 2, 2, 3, 4, 5]) + 1)]
    values = []
    for thread in range(THREADS):
        registers = [thread]
        for _, computed in steps:
            registers.append(computed(registers) & WORD)
        values.append(registers[-1])
    stores = drawn.choice([f"v != {drawn.choice(values)}u", f"v < {max(values)}u", f"v > {min(values)}u"])
    text = " ".join(text for text, _ in steps)
    names = ", ".join(f"x{k}" for k in range(len(steps) + 1))
    return text, HEAD + f"""__global__ void copied(const float* in, float* out, size_t n) {{
    const size_t i = static_cast<size_t>(blockIdx.x) * {THREADS} + threadIdx.x;
    unsigned v;
    asm volatile("{{.reg .b32 {names}, y0, y1; .reg .b16 h0, h1, h2; .reg .b64 w0, w1, w2; .reg .pred p; mov.u32 x0, %1; {text} mov.u32 %0, x{len(steps)};}}"
                 : "=r"(v) : "r"(threadIdx.x));
    if ({stores} && i < n) out[i] = in[i];
}}
void copy(const float* in, float* out, int rows, int cols) {{
    const size_t n = static_cast<size_t>(rows) * cols;
    if (n > 0) copied<<<static_cast<unsigned>((n - 1) / {THREADS} + 1), {THREADS}>>>(in, out, n);
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seconds", type=float, default=1e9, help="no new programs after these")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--program", default=str(ROOT / "build/release/grader/warpgrade-bin"))
    options = parser.parse_args()
    begun, counts, failed = time.monotonic(), collections.Counter(), 0

    def run(seed):
        if time.monotonic() - begun > options.seconds:
            return None
        text, source = program(seed)
        return seed, text, proved(options.program, source, "warmup/guard")

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, text, held in filter(None, pool.map(run, range(options.first, options.first + options.count))):
            counts["not asked" if held is None else "not followed" if "bounds" not in held else "followed"] += 1
            if held and "covered" in held:
                failed += 1
                print(f"seed {seed}: {text}", flush=True)
    for kind, count in counts.most_common():
        print(f"{count:6} {kind}")
    print(f"{sum(counts.values()):6} programs, {failed} with an instruction that is taken for another")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
