"""Speed-up over the naive kernel and over one CPU, on a scale of factors."""

from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from reports.figure import FIRST, MARKER, PAPER, SECOND, SOFT, rows_axes, rows_height
from reports.missing import no_sweep
from reports.text import factor_text

from matplotlib.lines import Line2D

TITLE = "Speed-up over the naive kernel and the CPU"
QUESTION = "What did each stage gain over the naive kernel, and over the CPU?"
ORDER = 6
SUBJECT = "result"
SECTION = "bandwidth"
IS_BAR_A_STAGE = True
OVER = (("speedup_over_naive", "the naive kernel", FIRST, -0.16), ("speedup_over_cpu", "the CPU", SECOND, 0.16))


def headline(stage):
    """The point that speaks for the stage: the largest aligned one with a speed-up, or what the marks come from."""
    points = [point for point in stage.sweep if point.is_usable and (point.speedup_over_naive or point.speedup_over_cpu)]
    aligned = [point for point in points if point.shape_class in ("aligned", None)] or points
    best = max(aligned, key=lambda point: (point.elements or 0, point.gb_per_s), default=None)
    if best is None and stage.bandwidth and (stage.bandwidth.speedup_over_naive or stage.bandwidth.speedup_over_cpu):
        best = stage.bandwidth
    return best


def stages_with(result):
    return [stage for stage in result.stages if headline(stage)]


def height(result):
    return rows_height(len(stages_with(result))) if stages_with(result) else 0


def draw(canvas, result):
    stages = stages_with(result)
    axes = rows_axes(canvas, [stage.label for stage in stages], "times as fast, on a logarithmic scale", left=2.0,
                     right=0.4)
    axes.set_xscale("log")
    origins = {headline(stage).origin for stage in stages}
    keys = [Line2D([], [], linestyle="none", marker=MARKER[origin], markersize=6, color=colour,
                   markerfacecolor=colour if origin == "measured" else PAPER, markeredgewidth=1.4,
                   label=f"over {name}, {origin}") for _, name, colour, _ in OVER for origin in sorted(origins)]
    values = [1]
    for row, stage in enumerate(stages):
        point = headline(stage)
        for field, _, colour, shift in OVER:
            value = getattr(point, field)
            if not value:
                continue
            values.append(value)
            axes.hlines(row + shift, 1, value, color=colour, linewidth=1.6)
            axes.plot(value, row + shift, marker=MARKER[point.origin], markersize=5.5, color=colour,
                      markerfacecolor=colour if point.origin == "measured" else PAPER, markeredgewidth=1.4)
            axes.annotate(factor_text(value), (max(value, 1), row + shift), (6, 0), textcoords="offset points",
                          va="center", fontsize=7)
    axes.axvline(1, color=SOFT, linewidth=1)
    axes.set_xlim(min(values) / 1.3, max(values) * 2)
    axes.xaxis.set_major_locator(LogLocator(10))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    canvas.legend(keys)


def describe(result):
    said = []
    for stage in stages_with(result):
        point = headline(stage)
        said.append(f"{stage.label}: {factor_text(point.speedup_over_naive)} over the naive kernel, "
                    f"{factor_text(point.speedup_over_cpu)} over the CPU, {point.origin}")
    return said


def missing(result):
    return no_sweep(result)
