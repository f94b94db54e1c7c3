#!/usr/bin/env python3
"""grader/lab/mutants/named.py COUNT [options]: is the line of a slip named, and is a change that mends it found?

Makes one slip of a student in a solution, whose line is known, and asks `check`. Of each that compiles and is wrong: does
the first finding stand on that line, does its text name it, is there a change that was tried and makes all shapes right?
Prints a table by kind of slip and by assignment; --out keeps each mutant with what was said, for a reader."""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import mutants  # noqa: E402
from mutate import text_of, tokens_of  # noqa: E402

ROOT = mutants.ROOT
COMPARISONS = {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!="], "!=": ["=="]}
KEYWORDS = {"if", "for", "while", "return", "const", "int", "float", "void", "unsigned", "auto", "size_t", "else", "include"}


def line_at(tokens, i):
    return 1 + sum(text.count("\n") for _, text in tokens[:i])


class Slip:
    """One slip in the text of a solution: the text, its line and what was done; or nothing, where there is no place."""
    def __init__(self, text, seed):
        self.random = random.Random(seed)
        self.tokens = tokens_of(text)
        depth, self.code = 0, []  # the tokens inside of functions
        for i, (kind, text) in enumerate(self.tokens):
            depth += (text == "{") - (text == "}")
            if kind not in ("space", "line") and depth > 0:
                self.code.append(i)

    def pick(self, test):
        places = [at for at, i in enumerate(self.code) if test(at, i)]
        return self.random.choice(places) if places else None

    def text(self, at):
        return self.tokens[self.code[at]][1] if 0 <= at < len(self.code) else ""

    def put(self, at, text):
        self.tokens[self.code[at]] = ("name", text)

    def comparison(self):
        at = self.pick(lambda at, i: self.tokens[i][1] in COMPARISONS)
        if at is None:
            return None
        self.put(at, self.random.choice(COMPARISONS[self.text(at)]))
        return at

    def sign(self):
        signs = {"+": "-", "-": "+", "*": "+", "/": "%", "%": "/", "+=": "=", "&&": "||"}
        at = self.pick(lambda at, i: self.tokens[i][1] in signs and self.text(at - 1) not in ("", "(", ",", "=", "float", "int"))
        if at is not None:
            self.put(at, signs[self.text(at)])
        return at

    def number(self):
        at = self.pick(lambda at, i: self.tokens[i][0] == "number" and self.tokens[i][1].isdigit())
        if at is not None:
            value = int(self.text(at))
            self.put(at, str(self.random.choice([v for v in (value + 1, value - 1, value * 2, value // 2) if v >= 0 and v != value])))
        return at

    def summand(self):
        """`+ 1`, `- 1`, `+ j` is forgotten."""
        at = self.pick(lambda at, i: self.tokens[i][1] in "+-" and self.text(at + 2) in (")", "]", ";", ",") and
                       self.tokens[self.code[at + 1]][0] in ("number", "name") and self.text(at - 1) not in ("(", ",", "="))
        if at is not None:
            self.put(at, "")
            self.put(at + 1, "")
        return at

    def name(self):
        """A name that the text has declared for another one."""
        declared = [self.text(at) for at, i in enumerate(self.code)
                    if self.tokens[i][0] == "name" and self.text(at + 1) in ("=", ",", ")", "[") and self.text(at) not in KEYWORDS and
                    self.tokens[self.code[at - 1]][0] == "name" and self.text(at - 1) not in ("return", )]
        declared += re.findall(r"constexpr \w+ (\w+)", text_of(self.tokens))
        names = sorted(set(declared))
        at = self.pick(lambda at, i: self.tokens[i][1] in names and self.tokens[self.code[at - 1]][0] != "name" and
                       self.text(at - 1) != ".")
        if at is None or len(names) < 2:
            return None
        near = [self.text(k) for k in range(max(0, at - 80), min(len(self.code), at + 40)) if self.text(k) in names]
        others = [n for n in near if n != self.text(at)]
        if not others:
            return None
        self.put(at, self.random.choice(others))
        return at

    def axis(self):
        at = self.pick(lambda at, i: self.tokens[i][1] in "xy" and self.text(at - 1) == "." and
                       self.text(at - 2) in ("threadIdx", "blockIdx", "blockDim", "gridDim"))
        if at is not None:
            self.put(at, "y" if self.text(at) == "x" else "x")
        return at

    def built_in(self):
        others = {"threadIdx": "blockIdx", "blockIdx": "threadIdx", "blockDim": "gridDim", "gridDim": "blockDim"}
        at = self.pick(lambda at, i: self.tokens[i][1] in others)
        if at is not None:
            self.put(at, others[self.text(at)])
        return at

    def statements(self):
        """(first, last) in code of simple statements that end with ;"""
        found, start, depth = [], None, 0
        for at in range(len(self.code)):
            text = self.text(at)
            if text in "{}":
                start = None
                continue
            start = at if start is None else start
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if text == ";" and depth == 0:
                found.append((start, at))
                start = None
        return found

    def without(self):
        """A statement that declares nothing is left out."""
        ranges = [(a, b) for a, b in self.statements() if not (self.tokens[self.code[a]][0] == self.tokens[self.code[a + 1]][0] ==
                                                               "name") and self.text(a) not in ("const", "extern", "return", "for")]
        if not ranges:
            return None
        first, last = self.random.choice(ranges)
        if self.text(first) == "if":
            return None
        for at in range(first, last):
            self.put(at, "")
        return first

    def exchanged(self):
        """Two neighbouring statements."""
        found = self.statements()
        pairs = [(p, q) for p, q in zip(found, found[1:]) if q[0] == p[1] + 1 and "if" not in (self.text(p[0]), self.text(q[0])) and
                 "for" not in (self.text(p[0]), self.text(q[0]))]
        if not pairs:
            return None
        (a, b), (c, d) = self.random.choice(pairs)
        i, j, k, l = self.code[a], self.code[b] + 1, self.code[c], self.code[d] + 1
        self.tokens[i:l] = self.tokens[k:l] + self.tokens[j:k] + self.tokens[i:j]
        return a

    def guard(self):
        """A test is forgotten, or one of its comparisons."""
        at = self.pick(lambda at, i: self.tokens[i][1] == "if" and self.text(at + 1) == "(")
        if at is None:
            return None
        close, depth = at + 2, 1
        while close < len(self.code) and depth:
            depth += (self.text(close) == "(") - (self.text(close) == ")")
            close += 1
        close -= 1
        ands = [k for k in range(at + 2, close) if self.text(k) == "&&"]
        first, last = (at, close) if not ands else self.random.choice([(at + 2, ands[0]), (ands[-1], close - 1)])
        if any(self.text(k) == "else" for k in range(close, min(close + 60, len(self.code)))) and not ands:
            return None
        for k in range(first, last + 1):
            self.put(k, "")
        return at

    def run(self):
        kinds = [self.comparison, self.sign, self.number, self.summand, self.name, self.name, self.axis, self.built_in, self.without,
                 self.exchanged, self.guard]
        before = text_of(self.tokens)
        for _ in range(8):
            kind = self.random.choice(kinds)
            at = kind()
            after = text_of(self.tokens)
            if at is not None and after != before:
                return after, line_at(self.tokens, self.code[at]), kind.__name__
        return None


def judged(stage, line):
    """(state, stands on the line, names the line, tried)"""
    if not stage["compile"]["ok"]:
        return "no compile", False, False, False
    verdict = mutants.verdict_of(stage)
    if verdict == "right":
        return "right", False, False, False
    errors = [f for f in stage["findings"] if f["severity"] == "error"]
    if not errors:
        return "silent", False, False, False
    first = errors[0]
    words = json.dumps(first)
    lines = {int(n) for n in re.findall(r"lines? (\d+)", words)} | {f["line"] for f in [first] if f.get("line")}
    lines |= {m.get("line") for m in first.get("marks", [])}
    for a, b in re.findall(r"(\d+) (?:to|and) (\d+)", words):
        lines |= {int(a), int(b)}
    return verdict, first.get("line") == line, line in lines, bool(re.search(r"\d+ of \d+ runs are right", words))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--program", default=str(ROOT / "build/release/grader/warpgrade-bin"))
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start none after so many")
    parser.add_argument("--out", default=None, help="folder for each mutant and what was said")
    parser.set_defaults(slow=True, most_cpu=float("inf"))
    options = parser.parse_args()
    programs = [(p, s) for p, s in mutants.bases() if p.parts[-3] == "solutions"]
    out = Path(options.out or tempfile.mkdtemp(prefix="warpgrade-named-"))
    out.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()

    def one(seed):
        if time.monotonic() - begun > options.seconds:
            return None
        path, stage = programs[random.Random(seed).randrange(len(programs))]
        slip = Slip(path.read_text(), f"slip {seed}").run()
        if slip is None:
            return None
        text, line, kind = slip
        (out / f"{seed}.cu").write_text(text)
        with tempfile.TemporaryDirectory() as folder:
            outcome = mutants.check(text, stage, options, folder)
        if outcome.failure:
            return seed, stage, kind, line, outcome.failure, False, False, False, "", outcome.cpu
        answer = json.loads(outcome.text)["stages"][0]
        errors = [f for f in answer["findings"] if f["severity"] == "error"]
        (out / f"{seed}.json").write_text(json.dumps(errors, indent=1))
        return seed, stage, kind, line, *judged(answer, line), errors[0]["kind"] if errors else "", outcome.cpu

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = [row for row in pool.map(one, range(options.first, options.first + options.count)) if row]
    with open(out / "named.tsv", "w") as table:
        for row in rows:
            print(*row, sep="\t", file=table)
    wrong = [row for row in rows if row[4] in ("wrong", "fault", "timeout", "launch_error", "silent")]
    print(f"{len(rows)} slips, {time.monotonic() - begun:.0f} s: " +
          ", ".join(f"{n} {state}" for state, n in collections.Counter(row[4] for row in rows).most_common()))
    for title, key in (("kind", lambda r: r[2]), ("assignment", lambda r: r[1].split("/")[0]), ("", lambda r: "all")):
        for group in sorted({key(r) for r in wrong}):
            those = [r for r in wrong if key(r) == group]
            share = [100 * sum(r[i] for r in those) / len(those) for i in (5, 6, 7)]
            print(f"  {title:10} {group:14} {len(those):5}  on the line {share[0]:3.0f} %  line named {share[1]:3.0f} %  mended {share[2]:3.0f} %  "
                  f"{sum(r[9] for r in those) / len(those):5.2f} s of the processor")


if __name__ == "__main__":
    sys.exit(main())
