#!/usr/bin/env python3
"""Random kernels with and without races, and what the virtual GPU says of them. Needs no card.

    races.py --virtual run_virtual [--units 30] [--first 1] [--kernels 100] --out FILE.md

A kernel is one to three patterns (patterns.py) on memory of their own; of the racy ones, one pattern lacks one edge.
Exits with 1 if the verdict on a kernel is not what is known of it.
"""
import argparse
import collections
import os
import random
import re
import sys
import tempfile

from nvrtc import compile_text
from patterns import GLOBAL, SHARED
from sides import Side, SideLost, write_unit


class Phase:
    """A pattern with its edges chosen; `lacking` the edge that is not there, or None."""

    def __init__(self, rng, number, is_racy, threads):
        table, self.is_global = (GLOBAL, True) if rng.random() < 0.5 else (SHARED, False)
        rows = [(name, row) for name, row in table.items() if not is_racy or any(weak for _, weak in row[1].values())]
        self.pattern, (text, edges) = rng.choice(rows)
        self.lacking = rng.choice([edge for edge, (_, weak) in edges.items() if weak]) if is_racy else None
        self.form = ""
        for edge, (strong, weak) in edges.items():
            if edge == "AB":  # two places that go together
                first, second = (weak[0], weak[1]) if edge == self.lacking else strong
                text = text.replace("{A}", first).replace("{B}", second)
                continue
            form = rng.choice(weak) if edge == self.lacking else rng.choice(strong)
            self.form = form if edge == self.lacking else self.form
            text = text.replace("{" + edge + "}", form)
        text = text.replace("{X}", str(rng.choice([1, 2, 3, 8, 16, 31])))
        names = {"S": f"s{number}", "d": f"d{number}", "c": f"c{number}", "k": str(rng.choice([1, 5, 7, 11])), "T": f"{threads}u"}
        text = re.sub(r"\b[SdckT]\b(?!\")", lambda m: names[m.group()], text).replace("_N", f"_{number}")
        self.number, self.lines = number, [line for line in text.split("\n") if line.strip()]


class RaceKernel:
    def __init__(self, rng, name):
        self.name, self.is_racy = name, rng.random() < 0.5
        self.threads, self.grid = rng.choice([64, 128]), rng.choice([3, 4])
        count = rng.randint(1, 3)
        racy = rng.randrange(count) if self.is_racy else None
        self.phases = [Phase(rng, i, i == racy, self.threads) for i in range(count)]
        self.racy = self.phases[racy] if self.is_racy else None
        self.joints = [rng.choice(["", "__syncthreads();", "v = v * 5 + 1;", "if (v & 1) v += r;"]) for _ in self.phases]
        self.in_out = [rng.random() < 0.5 for _ in self.phases]  # d lies in `out`, else in __device__ memory

    def out_words(self):
        return self.grid * self.threads * (1 + len(self.phases))

    def launch(self):
        return f"{self.name} {self.grid} {self.threads} 1 0 {self.out_words()}"

    def source(self, first_line):
        """Text; notes the lines of the patterns, counted from `first_line`."""
        words, lines = self.grid * self.threads, []
        for p, in_out in zip(self.phases, self.in_out):
            lines.append(f"__device__ unsigned c{p.number}_{self.name}[32];" + ("" if in_out else f" __device__ unsigned d{p.number}_{self.name}[{words}];"))
        lines += [f'extern "C" __global__ void {self.name}(const unsigned* in, unsigned* out) {{',
                  "    const unsigned t = threadIdx.x, lane = t & 31, b = blockIdx.x, G = gridDim.x;",
                  f"    unsigned v = in[b * {self.threads}u + t], r = lane;"]
        for p, in_out, joint in zip(self.phases, self.in_out, self.joints):
            lines.append("    {")
            if any(f"s{p.number}" in line for line in p.lines):
                lines.append(f"    __shared__ unsigned s{p.number}[{2 * self.threads}];")
            lines.append(f"    unsigned* d{p.number} = " + (f"out + {words * (1 + p.number)}u;" if in_out else f"d{p.number}_{self.name};"))
            lines.append(f"    unsigned* c{p.number} = c{p.number}_{self.name};")
            p.first_line = first_line + len(lines)
            lines += ["    " + line for line in p.lines] + ["    }"] + (["    " + joint] if joint else [])
        return "\n".join([*lines, f"    out[b * {self.threads}u + t] = r;", "}", ""])


def make_unit(seed, count):
    """Source and kernels."""
    kernels = [RaceKernel(random.Random(f"races {seed} {i}"), f"k{i:03d}") for i in range(count)]
    text = ""
    for kernel in kernels:
        text += kernel.source(text.count("\n") + 1)
    return text, kernels


def verdicts(kernel, findings):
    """What is wrong, and with which pattern: ('false alarm', phase) ..."""
    blamed = {}
    for kind, line, other, _ in findings:
        phase = next((p for p in kernel.phases if any(0 <= n - p.first_line < len(p.lines) for n in (line, other))), None)
        blamed.setdefault(phase, kind)
    wrong = [(f"false alarm, {kind}" if phase else f"{kind} elsewhere", phase) for phase, kind in blamed.items() if phase is not kernel.racy or not phase]
    return wrong + ([("missed", kernel.racy)] if kernel.is_racy and kernel.racy not in blamed else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--virtual", required=True)
    parser.add_argument("--units", type=int, default=30)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--kernels", type=int, default=100)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    side, total, wrong, example = Side(options.virtual, "virtual", 60), collections.Counter(), collections.Counter(), {}
    seen = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.units):
            source, kernels = make_unit(seed, options.kernels)
            stem = os.path.join(folder, "unit")
            try:
                write_unit(stem, compile_text(source), f"seed {seed}\n" + "".join(k.launch() + "\n" for k in kernels))
                _, text = side.run(stem)
            except (ValueError, SideLost) as error:
                sys.exit(f"seed {seed}: {error}")
            findings = collections.defaultdict(list)
            for line in text:
                name, kind, place, other, detail = (line + " ").split(" ", 4)
                if name == "*":
                    sys.exit(f"seed {seed}: {line}")
                findings[name].append((kind, int(place), int(other), detail.strip()))
            lines = source.split("\n")
            for kernel in kernels:
                total["racy" if kernel.is_racy else "clean"] += 1
                for phase in kernel.phases:
                    seen[(phase.pattern, phase.lacking, phase.form)] += 1
                begin = source.index(f'extern "C" __global__ void {kernel.name}(')
                text_of = source[begin:source.index("\n}\n", begin) + 3]
                for said, phase in verdicts(kernel, findings[kernel.name]):
                    key = (said, phase.pattern, phase.lacking, phase.form) if phase else (said, "", None, "")
                    wrong[key] += 1
                    row = (len(text_of), seed, kernel.name, text_of, [(*f, lines[f[1] - 1].strip()) for f in findings[kernel.name][:3]])
                    example[key] = min(example.get(key, row), row)
    side.close()
    report(options, total, wrong, example, seen)
    return 1 if wrong else 0


def report(options, total, wrong, example, seen):
    by_kind = collections.Counter()
    for key, count in wrong.items():
        by_kind[key[0]] += count
    head = f"{total['racy']} racy and {total['clean']} clean kernels, seeds from {options.first} on: " + \
        (", ".join(f"{kind} {count}" for kind, count in by_kind.items()) or "every verdict as known")
    print(head)
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(f"# Race finder against kernels with a known answer\n\n{head}\n\n| what | pattern | edge | form | wrong | of |\n|---|---|---|---|---|---|\n")
        for key, count in wrong.most_common():
            file.write("| " + " | ".join(str(part).replace("|", "\\|") for part in key) + f" | {count} | {seen.get(key[1:], '')} |\n")
        for key, count in wrong.most_common(40):
            _, seed, name, text, findings = example[key]
            file.write(f"\n## {' / '.join(str(part) for part in key)}\n\nseed {seed}, {name}; said: {findings or 'nothing'}\n\n```cuda\n{text}```\n")


if __name__ == "__main__":
    sys.exit(main())
