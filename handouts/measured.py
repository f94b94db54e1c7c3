"""Figures that were measured on a GPU and are kept in data/, with the run that they come from.

    python -m handouts.measured     writes data/h200_times.csv anew from the runs below

data/h200_times.csv goes to students; its rows are taken from files that stay with the course:
    kernels    grader/tests/model/h200/times.csv: variants of the course's kernels, by time_kernels.cu
    stages     grader/profiles/h200.toml: the reference solutions, by `calibrate`
    libraries  grader/tests/hardware/results/open_against_libraries.md: the open stages beside cuBLAS, cuTENSOR and CUB
    earlier    grader/tests/model/h200/asked_times.csv: cuBLAS where the run with the libraries has no row, and stage 1 of the
               reduction with a bound that the compiler does not know

Names that end in _first: the first launch alone.
"""

import csv
import io
import re
import sys
from functools import cache

from handouts.document import FOLDER, ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RUN = "one NVIDIA H200, driver 580, CUDA 13.0, median of 15 to 31 cold-L2 samples, float32"
PATH = FOLDER / "data" / "h200_times.csv"
HEAD = """# Measured on one NVIDIA H200 (driver 580, CUDA 13.0) on 2026-11-21: float32, cold L2 cache, events around all launches,
# median of 15 to 31 samples. gb_per_s counts bytes read and written for a copy or a transpose, bytes read for a sum.
# run: which of the runs in handouts/measured.py a row is from. Written by `python -m handouts.measured`.
"""
MODEL = ROOT / "grader" / "tests" / "model" / "h200"
LIBRARIES = ROOT / "grader" / "tests" / "hardware" / "results" / "open_against_libraries.md"
SHAPES = ("1024x1024", "2048x2048", "4096x4096", "8192x8192", "16384x16384", "8191x8193", "100x1000000", "1000000x100")
SIZES = ("1048576", "4194304", "16777216", "67108864", "268435456", "1073741824")
KERNELS = {  # of times.csv: name in the handouts
    "memcpy": "memcpy", "copy1": "copy1", "copy4_once": "copy4", "copy4": "copy4_grid",
    "solution_transpose_naive_read": "naive_read", "solution_transpose_naive_write": "naive_write",
    "solution_transpose_corner_turning": "corner_turning", "solution_transpose_padding": "padding",
    "solution_transpose_coarsening": "coarsening", "solution_transpose_coarsening_64": "coarsening_64",
    "solution_transpose_coarsening_512": "coarsening_512", "solution_transpose_coarsening_1024": "coarsening_1024",
    "solution_transpose_any_type": "any_type",
    "naive_read16": "naive_read16", "naive_write16": "naive_write16", "smem16": "smem16", "pad16": "pad16",
    "naive_read32x8": "naive_read32x8", "naive_read8x32": "naive_read8x32",
    "coarse32x8_nopad": "coarse_nopad", "coarse32x8_rolled": "coarse_rolled", "coarse32x8_unroll2": "coarse_unroll2",
    "pad32_by_columns": "pad32_by_columns", "coarse64x8": "coarse64x8", "coarse64x8_rolled": "coarse64x8_rolled",
    "vec4": "vec4", "r0_divergent": "interleaved_first", "r1_stride": "strided_first", "r2_seq": "sequential_first",
    "chunk1": "own_piece",
    **{f"solution_reduction_{stage}": stage for stage in
       ("interleaved", "strided", "sequential", "first_add", "unrolled", "multiple")},
}
PRESENT = ("dynamic_tile", "open")  # stages whose rows in times.csv are of an earlier version


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def megabytes(problem, shape):
    """Bytes that count, in 10^6."""
    elements = 1
    for extent in shape.split("x"):
        elements *= int(extent)
    return elements * (4 if problem == "reduction" else 8) / 1e6


def from_kernels():
    for row in rows_of(MODEL / "times.csv"):
        name, problem = KERNELS.get(row["kernel"]), row["problem"]
        if name and row["shape"] in (SIZES if problem == "reduction" else SHAPES):
            yield "reduction" if problem == "reduction" else "transpose", name, row["shape"], float(row["microseconds"]), "kernels"


def from_profile():
    with open(ROOT / "grader" / "profiles" / "h200.toml", "rb") as file:
        references = tomllib.load(file)["reference"]
    for row in references:
        problem, stage = row["stage"].split("/")
        shape = row["shape"].replace(" ", "")
        if problem == "transpose" and stage in PRESENT[:1]:
            yield problem, stage, shape, megabytes(problem, shape) / row["gb_per_s"] * 1e3, "stages"


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def number_of(cell):
    return float(re.match(r"\**([\d.]+)", cell)[1])


def from_libraries():
    transpose, reduction = LIBRARIES.read_text(encoding="utf-8").split("## Reduction")
    for line in transpose.splitlines():
        row, name = cells(line), cells(line)[0].replace(" ", "")
        if name in SHAPES:
            for kernel, column in (("copy4", 3), ("open", 4), ("cublas", 6), ("cutensor", 7)):
                if kernel != "copy4" or name == "8191x8193":  # times.csv has it on the other shapes
                    yield "transpose", kernel, name, megabytes("transpose", name) / number_of(row[column]) * 1e3, "libraries"
    for line in reduction.splitlines():
        power = re.match(r"\| 2\^(\d+) \|", line)
        if power and str(2 ** int(power[1])) in SIZES:
            for kernel, column in (("open", 1), ("cub", 2)):
                yield "reduction", kernel, str(2 ** int(power[1])), number_of(cells(line)[column]), "libraries"


def from_earlier(known):
    for row in rows_of(MODEL / "asked_times.csv"):
        if row["kernel"] == "r0_divergent" and row["shape"] in SIZES:
            yield "reduction", "runtime_bound_first", row["shape"], float(row["microseconds"]), "earlier"
        if row["kernel"] == "cublasSgeam" and ("transpose", "cublas", row["shape"]) not in known and row["shape"] in SHAPES:
            yield "transpose", "cublas", row["shape"], float(row["microseconds"]), "earlier"


def written():
    """The text of data/h200_times.csv, from the runs."""
    rows = [*from_kernels(), *from_profile(), *from_libraries()]
    rows += from_earlier({row[:3] for row in rows})
    text = io.StringIO()
    text.write(HEAD)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["problem", "kernel", "shape", "microseconds", "gb_per_s", "run"])
    for problem, kernel, shape, microseconds, run in rows:
        writer.writerow([problem, kernel, shape, f"{microseconds:.2f}",
                         f"{megabytes(problem, shape) / microseconds * 1e3:.1f}", run])
    return text.getvalue()


@cache
def times():
    """{(problem, kernel, shape): GB/s}"""
    return {(row["problem"], row["kernel"], row["shape"]): float(row["gb_per_s"]) for row in rows_of(PATH)}


@cache
def microseconds():
    """{(problem, kernel, shape): microseconds}"""
    return {(row["problem"], row["kernel"], row["shape"]): float(row["microseconds"]) for row in rows_of(PATH)}


@cache
def wavefronts():
    """{tile: (loads per request, stores per request)}"""
    return {row["tile"]: (int(row["load_wavefronts"]) / int(row["load_requests"]),
                          int(row["store_wavefronts"]) / int(row["store_requests"]))
            for row in rows_of(FOLDER / "data" / "h200_wavefronts.csv")}


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
    print(PATH.relative_to(ROOT))
