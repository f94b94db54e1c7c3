"""Every number in a handout's sentences has its source: numbers.toml says which.

    python -m handouts.numbers      prints what differs, and the numbers that no entry speaks of

An entry of numbers.toml is a piece of a sentence with the place of each number in braces, and what each of them is: an
expression over the functions below, which read the measured and modelled data, the reference solutions' counters, the
GPU's profile and the figures that other courses report. Numbers that are no result of anything need no entry: sizes of
matrices and blocks, powers of two, numbers of stages and sections, and small whole numbers without a unit.
"""

import math
import re
import sys
from functools import cache

from handouts import measured, tables
from handouts.document import FOLDER, NAMES, ROOT, TABLE, text_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

UNIT = r"(?:GB/s|GB|%|us|microseconds|milliseconds|ms|s|MB|KiB|MiB|clock cycles|cycles|times as|GHz)\b|%"
NUMBER = re.compile(r"(?<![\w.$^{\\])\d+(?: \d{3})*(?:,\d{3})*(?:\.\d+)?")
SMALL = 100


# ---- what an expression may use ----

def gb(kernel, shape, problem="transpose"):
    """GB/s, measured on the H200."""
    return measured.times()[problem, kernel, shape]


def sums_gb(kernel, shape=2 ** 30):
    return gb(kernel, str(shape), "reduction")


def us(kernel, shape, problem="transpose"):
    return measured.microseconds()[problem, kernel, shape]


@cache
def profile():
    with open(ROOT / "grader" / "profiles" / "h200.toml", "rb") as file:
        return tomllib.load(file)


def device(name):
    return profile()["device"][name]


def error_band(card):
    """How far off the modelled times of a profile may be, in percent."""
    with open(ROOT / f"grader/profiles/{card}.toml", "rb") as file:
        return 100 * tomllib.load(file)["error_band"]


def parameter(name):
    """Of the time model, as the H200's microbenchmarks found it."""
    return profile()["model"][name]["value"]


@cache
def modelled():
    """{(kernel, shape): GB/s} of data/modelled_h200.csv, written by `python -m handouts.modelled`"""
    return {(row["kernel"], row["shape"]): float(row["gb_per_s"])
            for row in measured.rows_of(FOLDER / "data" / "modelled_h200.csv")}


@cache
def reported():
    """data/reported.csv: {what: number}, with the source beside it"""
    return {row["what"]: float(row["value"]) for row in measured.rows_of(FOLDER / "data" / "reported.csv")}


def said(what):
    return reported()[what]


@cache
def validation():
    """Rows of the table that compares model and H200: {half: (rows, median, ninth decile, worst)}, in percent."""
    text = (ROOT / "grader" / "tests" / "model" / "h200" / "validation.md").read_text(encoding="utf-8")
    found = {}
    for line in text.splitlines():
        row = [cell.strip() for cell in line.strip("|").split("|")]
        if len(row) in (5, 6) and row[-4].isdigit() and all(re.fullmatch(r"[\d.]+%", cell) for cell in row[-3:]):
            found.setdefault(row[0], (int(row[-4]), *(float(cell.rstrip("%")) for cell in row[-3:])))
    return found


@cache
def blind(name):
    """Of a set of kernels predicted before they were timed: (median error, ninth decile), in percent."""
    text = (ROOT / "grader" / "tests" / "model" / "h200" / f"{name}.md").read_text(encoding="utf-8")
    return tuple(map(float, re.search(r"\| all \| \d+ \| [\d.]+ % \| ([\d.]+) % \| ([\d.]+) %", text).groups()))


@cache
def marks_inside_the_band():
    """Slow variants whose modelled marks were compared with the measured ones: (all, those within 5 % of the points)."""
    text = (ROOT / "grader" / "tests" / "model" / "h200" / "validation.md").read_text(encoding="utf-8")
    return tuple(map(int, re.search(r"\| inside the band \| (\d+) \| (\d+) \|", text).groups()))


@cache
def class_of_60(what):
    """A figure of the class that the tests grade, as it was last run."""
    text = (ROOT / "grader" / "tests" / "classroom" / "results" / "class_of_60.md").read_text(encoding="utf-8")
    return float(re.search(rf"\| {what} \| ([\d.]+)", text)[1])


@cache
def sum_errors():
    return {(row["contents"], int(row["n"]), order): float(row[order])
            for row in measured.rows_of(FOLDER / "data" / "float_sums.csv") for order in row if order not in ("contents", "n")}


def counted(table, stage, column):
    """A cell of a table of counters."""
    head, _, *rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in tables.written(f"counters {table}").splitlines()]
    return float(next(row for row in rows if row[0].strip("`") == stage)[head.index(column)])


FUNCTIONS = {function.__name__: function for function in
             (gb, sums_gb, us, device, error_band, parameter, said, validation, blind, marks_inside_the_band, class_of_60, sum_errors, counted, round, max, min, abs)} | {
    "modelled": lambda kernel, shape="8192x8192": modelled()[kernel, shape], "sqrt": math.sqrt}


# ---- the comparison ----

@cache
def entries():
    with open(FOLDER / "numbers.toml", "rb") as file:
        return tomllib.load(file)


def plain(name):
    """The sentences of a handout on one line, without tables that are written by tables.py."""
    return " ".join(prose_of(name).split())


def prose_of(name):
    text = TABLE.sub("", text_of(name))
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


@cache
def claims(name):
    """(piece of text as it has to be, the entry) of each entry about a handout."""
    found = []
    for entry in entries().get("claim", []):
        if entry["in"] == name:
            values = [eval(expression, {"__builtins__": {}}, dict(FUNCTIONS)) for expression in entry["is"]]
            found.append((entry["says"].format(*values), entry))
    return found


def needs_source(match, text):
    """Whether a number is a result: it has a unit or a fraction, or is large and no power of two and no size."""
    number, after, before = match[0], text[match.end():], text[:match.start()]
    if re.match(rf" ?(?:{UNIT})", after) or "." in number:
        return not re.search(r"(sections?|stages?|chapter) $", before) or "." in number
    if re.match(r" x \d", after) or re.search(r"\d x $", before) or re.search(r"(sections?|stages?|line|lines) $", before):
        return False
    value = int(re.sub(r"[ ,]", "", number))
    return value >= SMALL and value & (value - 1) != 0


def problems(name, text=None):
    """What is wrong with the numbers of a handout, one text each; of this text in its place, if there is one."""
    text = text or plain(name)
    covered = [False] * len(text)

    def cover(piece):
        start = text.find(piece)
        while start >= 0:
            covered[start:start + len(piece)] = [True] * len(piece)
            start = text.find(piece, start + 1)
        return piece in text

    for piece, entry in claims(name):
        if not cover(piece):
            yield f"{name}.md: the data say: {piece}\n    entry: {entry['says']}"
    for entry in entries().get("plain", []):
        if entry["in"] == name and not cover(entry["says"]):
            yield f"{name}.md: numbers.toml speaks of a text that is not there: {entry['says']}"
    for match in NUMBER.finditer(re.sub(r"\$[^$]*\$|`[^`]*`|\]\([^)]*\)", lambda found: "~" * len(found[0]), text)):
        if needs_source(match, text) and not all(covered[match.start():match.end()]):
            yield f"{name}.md: no source for {match[0]}: ...{text[max(0, match.start() - 50):match.end() + 30]}..."


def main():
    found = [problem for name in NAMES for problem in problems(name)]
    print("\n".join(found) or "every number is what its source says")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
