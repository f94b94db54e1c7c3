"""Figures that were measured on a GPU and are kept in data/, with the run that they come from."""

import csv
from functools import cache

from handouts.document import FOLDER

RUN = "one NVIDIA H200, driver 580, CUDA 13.0, median of 15 cold-L2 samples, float32"


def rows_of(name):
    with open(FOLDER / "data" / name, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


@cache
def times():
    """{(problem, kernel, shape): GB/s}"""
    return {(row["problem"], row["kernel"], row["shape"]): float(row["gb_per_s"]) for row in rows_of("h200_times.csv")}


@cache
def microseconds():
    """{(problem, kernel, shape): microseconds}"""
    return {(row["problem"], row["kernel"], row["shape"]): float(row["microseconds"])
            for row in rows_of("h200_times.csv")}


@cache
def wavefronts():
    """{tile: (loads per request, stores per request)}"""
    return {row["tile"]: (int(row["load_wavefronts"]) / int(row["load_requests"]),
                          int(row["store_wavefronts"]) / int(row["store_requests"]))
            for row in rows_of("h200_wavefronts.csv")}
