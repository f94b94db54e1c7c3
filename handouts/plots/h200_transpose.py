"""Bandwidth of each step of the transpose on an H200, with the copies as marks."""

from handouts import drawing, measured
from handouts.tables import TRANSPOSES

SHAPE = "16384x16384"
COPIES = ("memcpyD2D", "copy4", "copy1")


def gb_per_s(kernel):
    return measured.times()["transpose", kernel, SHAPE]


def rows():
    return [(words.replace("`", ""), gb_per_s(kernel)) for kernel, words in TRANSPOSES if kernel not in COPIES]


def height():
    return drawing.bandwidth_bars_height(len(rows()))


def draw(canvas):
    marks = [(gb_per_s("copy1"), "copy, one float", "center"), (gb_per_s("copy4"), "float4 copy", "right"),
             (gb_per_s("memcpyD2D"), "cudaMemcpy", "left")]
    drawing.bandwidth_bars(canvas, rows(), marks, 4800, "GB/s, 16384 x 16384 floats, one H200")


def describe():
    return (f"GB/s on one H200, {SHAPE.replace('x', ' x ')} floats: "
            + ", ".join(f"{name} {value:.0f}" for name, value in rows())
            + f". Marks: copy with one float a thread {gb_per_s('copy1'):.0f}, float4 copy {gb_per_s('copy4'):.0f}, "
              f"cudaMemcpy {gb_per_s('memcpyD2D'):.0f}.")
