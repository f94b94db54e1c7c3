"""Bandwidth of the class by stage, as shares of the reference: each student a dot, quartiles as a box."""

import statistics

from matplotlib.lines import Line2D

from reports.figure import FIRST, INK, MARK, MARKER, PAPER, SHADE, SOFT, rows_axes, rows_height, stroke
from reports.text import counted, percent_text

TITLE = "Bandwidth by stage"
QUESTION = "How is bandwidth distributed, as a share of the reference?"
ORDER = 3
SUBJECT = "class"
ROW = 0.34
GOLDEN = 0.6180339887  # spreads dots within a row without chance


def points_of(made, stage):
    return [one.point for one in made.of(stage) if one.point and one.point.share_of_reference]


def stages(made):
    return [stage for stage in made.order if points_of(made, stage)]


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3


def height(made):
    return rows_height(len(stages(made)), row=ROW) if stages(made) else 0


def draw(canvas, made):
    names = stages(made)
    axes = rows_axes(canvas, names, "share of the reference's bandwidth", left=2.0, right=0.8, row=ROW)
    most, origins = 1.1, set()
    for row, stage in enumerate(names):
        points = points_of(made, stage)
        values = [point.share_of_reference for point in points]
        low, middle, high = quartiles(values)
        axes.barh(row, high - low, left=low, height=0.8, color=SHADE, edgecolor=INK, linewidth=0.8)
        axes.vlines(middle, row - 0.4, row + 0.4, color=MARK, linewidth=2, zorder=4)
        for origin in ("measured", "modelled"):
            its = [(value, row - 0.32 + 0.64 * (index * GOLDEN % 1))
                   for index, (value, point) in enumerate(zip(values, points)) if point.origin == origin]
            if its:
                origins.add(origin)
                axes.plot(*zip(*its), linestyle="none", marker=MARKER[origin], markersize=2.4, color=FIRST, zorder=3,
                          markerfacecolor=PAPER if origin == "modelled" else FIRST, markeredgewidth=0.6)
        axes.annotate(f"{percent_text(middle)}, n {len(values)}", (1.01, row), xycoords=("axes fraction", "data"),
                      va="center", fontsize=7)
        most = max(most, max(values))
    axes.axvline(1, color=SOFT, linewidth=1)
    axes.set_xlim(0, most * 1.02)
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    keys = [Line2D([], [], linestyle="none", marker=MARKER[origin], color=FIRST, markersize=4,
                   markerfacecolor=PAPER if origin == "modelled" else FIRST, label=f"a student, {origin}")
            for origin in sorted(origins)]
    canvas.legend([*keys, stroke(MARK, "median"), stroke(SHADE, "middle half", linewidth=7)])


def describe(made):
    said = []
    for stage in stages(made):
        points = points_of(made, stage)
        low, middle, high = quartiles([point.share_of_reference for point in points])
        origins = " and ".join(sorted({point.origin for point in points}))
        said.append(f"{stage}: {counted(len(points), 'student')}, {origins}, median {percent_text(middle)} of the "
                    f"reference, middle half {percent_text(low)} to {percent_text(high)}")
    return said


def missing(made):
    return ("No submission of this class has a bandwidth. On a machine with an NVIDIA GPU `./grader/warpgrade grade` "
            "times the correct ones.")
