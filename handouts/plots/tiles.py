"""Wavefronts a request for five tiles: counted on the virtual GPU, and on an H200 by Nsight Compute."""

from matplotlib.lines import Line2D

from handouts import measured, tables
from reports.figure import FIRST, INK, MARK, PAPER, THIRD, patch, rows_axes


def rows():
    """(name, loads, stores, H200's loads and stores or None)"""
    counted = tables.tile_wavefronts()
    return [(tables.tile_text(tile), *counts, measured.wavefronts().get(tile)) for tile, counts in counted.items()]


def height():
    return 0.35 + 0.42 * len(rows()) + 0.5


def draw(canvas):
    canvas.legend([patch(FIRST, "shared loads"), patch(THIRD, "shared stores"),
                   Line2D([], [], label="counted on an H200", marker="o", linestyle="", markerfacecolor=PAPER,
                          markeredgecolor=MARK, markeredgewidth=1.4)])
    axes = rows_axes(canvas, [name for name, *_ in rows()], "wavefronts a request (1 is best)", left=1.75, top=0.32,
                     right=0.3, row=0.42)
    for row, (_, load, store, on_gpu) in enumerate(rows()):
        for value, shift, colour, real in ((load, -0.19, FIRST, on_gpu and on_gpu[0]),
                                           (store, 0.19, THIRD, on_gpu and on_gpu[1])):
            axes.barh(row + shift, value, height=0.34, facecolor=colour, edgecolor=INK, linewidth=0.6)
            axes.annotate(f"{value:g}", (max(value, real or 0), row + shift), (7, 0), textcoords="offset points",
                          va="center", fontsize=8)
            if real:
                axes.plot(real, row + shift, marker="o", markerfacecolor=PAPER, markeredgecolor=MARK,
                          markeredgewidth=1.4, markersize=5)
    axes.set_xlim(0, 35)


def describe():
    texts = []
    for name, load, store, on_gpu in rows():
        real = f" (H200: {on_gpu[0]:.2f} and {on_gpu[1]:.2f})" if on_gpu else ""
        texts.append(f"{name}: loads {load:g}, stores {store:g}{real}")
    return "Wavefronts a request: " + "; ".join(texts) + "."
