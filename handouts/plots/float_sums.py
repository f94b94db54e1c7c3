"""Relative error of a float sum over the number of elements, for four orders of addition."""

from matplotlib.lines import Line2D

from handouts import measured
from handouts.document import FOLDER
from reports.figure import FIRST, INK, MARK, SECOND

KINDS = (("tenths", "n times 0.1"), ("uniform", "n random numbers from [0, 1)"))
ORDERS = (("one", "one after the other", MARK, "s"), ("threads_1024", "1024 threads, then a tree", SECOND, "D"),
          ("threads_270336", "270 336 threads, then a tree", FIRST, "o"), ("tree", "tree", INK, "v"))
FLOOR = 1e-9


def rows(kind):
    return [row for row in measured.rows_of(FOLDER / "data" / "float_sums.csv") if row["contents"] == kind]


def height():
    return 3.55


def draw(canvas):
    canvas.legend([Line2D([], [], label=name, color=colour, marker=marker, markeredgecolor=INK, markeredgewidth=0.6,
                          markersize=5.5) for _, name, colour, marker in ORDERS], columns=2)
    width = (canvas.width - 0.75 - 0.35) / 2
    for number, (kind, title) in enumerate(KINDS):
        axes = canvas.axes(0.75 + number * (width + 0.35), 0.75, width, 2.3)
        for order, _, colour, marker in ORDERS:
            axes.plot([int(row["n"]) for row in rows(kind)], [max(float(row[order]), FLOOR) for row in rows(kind)],
                      color=colour, marker=marker, linewidth=1.5, markersize=5.5, markeredgecolor=INK,
                      markeredgewidth=0.6, clip_on=False)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_ylim(FLOOR, 1)
        axes.set_xticks([2 ** k for k in (10, 14, 18, 22, 26)], [f"2^{k}" for k in (10, 14, 18, 22, 26)])
        axes.set_yticks([1e-9, 1e-7, 1e-5, 1e-3, 1e-1], ["1e-9", "1e-7", "1e-5", "0.001", "0.1"])
        axes.minorticks_off()
        axes.set_title(title)
        axes.set_xlabel("n")
        axes.grid()
        if number == 0:
            axes.set_ylabel("relative error")
        else:
            axes.set_yticklabels([])


def describe():
    return "Relative error of a float32 sum. " + " ".join(
        f"{title[0].upper() + title[1:]}, n = 2^26: " + ", ".join(
            f"{name} {float(rows(kind)[-1][order]):.2g}" for order, name, _, _ in ORDERS) + "."
        for kind, title in KINDS)
