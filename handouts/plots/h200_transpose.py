"""Bandwidth of each stage's reference solution on an H200, with the copies as marks."""

from handouts import drawing, measured
from handouts.tables import TRANSPOSES

SHAPE = "8192x8192"
COPIES = ("memcpy", "copy4", "copy1")


def gb_per_s(kernel):
    return measured.times()["transpose", kernel, SHAPE]


def rows():
    return [(words.replace("`", ""), gb_per_s(kernel)) for kernel, words in TRANSPOSES if kernel not in COPIES]


def height():
    return drawing.bandwidth_bars_height(len(rows()))


def draw(canvas):
    marks = [(gb_per_s("copy1"), "copy, one float", "center"), (gb_per_s("copy4"), "copies: memcpy, float4", "center")]
    drawing.bandwidth_bars(canvas, rows(), marks, 4800, "GB/s, measured: 8192 x 8192 floats, one H200")


def describe():
    return (f"GB/s on one H200, {SHAPE.replace('x', ' x ')} floats: "
            + ", ".join(f"{name} {value:.0f}" for name, value in rows())
            + f". Marks: copy with one float a thread {gb_per_s('copy1'):.0f}, float4 copy {gb_per_s('copy4'):.0f}, "
              f"cudaMemcpy {gb_per_s('memcpy'):.0f}.")
