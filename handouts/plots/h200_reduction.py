"""Bandwidth of each step of the reduction on an H200."""

from handouts import drawing, measured
from handouts.tables import REDUCTIONS

N = "1073741824"
PEAK = 4800  # GB/s, of the datasheet


def rows():
    return [(words.replace("`", ""), measured.times()["reduction", kernel, N]) for kernel, words in REDUCTIONS]


def height():
    return drawing.bandwidth_bars_height(len(rows()))


def draw(canvas):
    drawing.bandwidth_bars(canvas, rows(), [(PEAK, "datasheet", "center")], 5200,
                           "GB/s read, 2^30 = 1 073 741 824 floats, one H200")


def describe():
    return ("GB/s read on one H200, 2^30 floats: "
            + ", ".join(f"{name} {value:.0f}" for name, value in rows()) + f". Datasheet: {PEAK}.")
