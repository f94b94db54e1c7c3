"""How far float32 sums are off, by the order of the additions: data/float_sums.csv.

    python -m handouts.sums       computes the file anew (NumPy; some seconds, 1 GB of memory)
"""

import csv
import sys

import numpy

from handouts.document import FOLDER

PATH = FOLDER / "data" / "float_sums.csv"
SEED = 1
EXPONENTS = (10, 12, 14, 16, 18, 20, 22, 24, 26)
GRID_THREADS = 1056 * 256  # of stage 6: all threads that an H200 holds
HEAD = """# Relative error of a float32 sum of n numbers against the sum in float64, computed by `python -m handouts.sums`
# (NumPy). contents: `tenths` = n times 0.1; `uniform` = n random numbers from [0, 1), seed {}.
# one: one after the other; threads_1024, threads_270336: that many sums in turn, then a tree; tree: pairs of pairs.
"""


def contents(kind, n):
    if kind == "tenths":
        return numpy.full(n, 0.1, numpy.float32)
    return numpy.random.default_rng(SEED).random(n, dtype=numpy.float32)


def one_after_the_other(values):
    return numpy.add.accumulate(values)[-1]


def tree(values):
    while values.size > 1:
        if values.size % 2:
            values = numpy.append(values, numpy.float32(0))
        half = values.size // 2
        values = values[:half] + values[half:]
    return values[0]


def by_threads(values, threads):
    """Each thread adds every `threads`-th number, as in a grid-stride loop; then a tree over the threads."""
    padded = numpy.append(values, numpy.zeros(-values.size % threads, numpy.float32))
    sums = numpy.zeros(threads, numpy.float32)
    for step in padded.reshape(-1, threads):
        sums = sums + step
    return tree(sums)


ORDERS = {
    "one": one_after_the_other,
    "threads_1024": lambda values: by_threads(values, 1024),
    f"threads_{GRID_THREADS}": lambda values: by_threads(values, GRID_THREADS),
    "tree": tree,
}


def errors(kind, n):
    """{order: relative error}"""
    values = contents(kind, n)
    exact = float(values.sum(dtype=numpy.float64))
    return {name: abs(float(order(values)) - exact) / exact for name, order in ORDERS.items()}


def compute(exponents=EXPONENTS):
    """Rows of the file, as text."""
    for kind in ("tenths", "uniform"):
        for exponent in exponents:
            yield [kind, str(2 ** exponent)] + [f"{error:.2e}" for error in errors(kind, 2 ** exponent).values()]


def main():
    with open(PATH, "w", encoding="utf-8", newline="\n") as file:
        file.write(HEAD.format(SEED))
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["contents", "n", *ORDERS])
        writer.writerows(compute())
    print(PATH.relative_to(FOLDER.parent))


if __name__ == "__main__":
    sys.exit(main())
