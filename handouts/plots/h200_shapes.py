"""Aligned, odd and thin matrices: what good kernels lose."""

from handouts import measured
from reports.figure import FIRST, INK, SECOND, patch

SHAPES = (("8192x8192", "8192 x 8192"), ("8191x8193", "8191 x 8193"), ("100x1000000", "100 x 1 000 000"))
KERNELS = (("memcpy", "cudaMemcpy", "wg:shade"), ("open", "stage 8, open", FIRST), ("cublas", "cuBLAS geam", "wg:third"),
           ("coarsening", "stage 5, coarsening", SECOND))
WIDTH = 0.2


def gb_per_s(kernel, shape):
    return measured.times()["transpose", kernel, shape]


def height():
    return 3.1


def draw(canvas):
    canvas.legend([patch(colour, name) for _, name, colour in KERNELS])
    axes = canvas.axes(0.6, 0.4, canvas.width - 0.7, 2.25)
    for number, (kernel, _, colour) in enumerate(KERNELS):
        for group, (shape, _) in enumerate(SHAPES):
            value, place = gb_per_s(kernel, shape), group + (number - 1.5) * WIDTH
            axes.bar(place, value, width=WIDTH * 0.94, facecolor=colour, edgecolor=INK, linewidth=0.6)
            axes.annotate(f"{value:.0f}", (place, value), (0, 2), textcoords="offset points", ha="center", fontsize=8)
    axes.set_xticks(range(len(SHAPES)), [words for _, words in SHAPES])
    axes.tick_params(axis="x", length=0)
    axes.set_ylim(0, 4600)
    axes.set_ylabel("GB/s, one H200")
    axes.grid(axis="y")


def describe():
    return "GB/s on one H200. " + "; ".join(
        f"{words}: " + ", ".join(f"{name} {gb_per_s(kernel, shape):.0f}" for kernel, name, _ in KERNELS)
        for shape, words in SHAPES) + "."
