"""Bandwidth over the size of the matrix: a small one cannot tell good kernels apart."""

from handouts import measured
from reports.figure import FIRST, INK, SECOND

SIZES = (1024, 4096, 8192, 16384)
LINES = (  # kernel, name, colour, marker, shift of the name in points
    ("copy4", "copy, float4", INK, "s", 6),
    ("open", "8 open", FIRST, "o", 0),
    ("cublas", "cuBLAS geam", FIRST, "^", -4),
    ("coarsening", "5 coarsening", FIRST, "D", -3),
    ("copy1", "copy, one float a thread", INK, "v", 0),
    ("padding", "4 padding", SECOND, "D", 3),
    ("naive_write", "2 naive_write", SECOND, "o", 2),
    ("corner_turning", "3 corner_turning", SECOND, "s", -2),
    ("naive_read", "1 naive_read", SECOND, "v", 0),
)


def gb_per_s(kernel):
    return [measured.times()["transpose", kernel, f"{size}x{size}"] for size in SIZES]


def height():
    return 3.9


def draw(canvas):
    axes = canvas.axes(0.6, 0.1, canvas.width - 2.5, 3.3)
    for kernel, name, colour, marker, shift in LINES:
        values = gb_per_s(kernel)
        axes.plot(range(len(SIZES)), values, color=colour, marker=marker, linewidth=1.6, markersize=6,
                  markerfacecolor=colour, markeredgecolor=INK, markeredgewidth=0.7)
        axes.annotate(name, (len(SIZES) - 1, values[-1]), (9, shift), textcoords="offset points", va="center", fontsize=8)
    axes.set_xticks(range(len(SIZES)), [f"{size} x {size}" for size in SIZES])
    axes.set_xlim(-0.2, len(SIZES) - 0.9)
    axes.set_ylim(0, 4400)
    axes.set_ylabel("GB/s")
    axes.set_xlabel("floats, one H200")
    axes.grid(axis="y")


def describe():
    return "GB/s on one H200 for square matrices of 1024, 4096, 8192 and 16384 rows: " + "; ".join(
        f"{name}: {', '.join(f'{value:.0f}' for value in gb_per_s(kernel))}" for kernel, name, *_ in LINES) + "."
