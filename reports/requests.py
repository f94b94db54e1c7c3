"""Loads and stores of each stage, sectors or wavefronts a request, with a mark at the least that the bytes need."""

from matplotlib.ticker import MultipleLocator

from reports.figure import FIRST, MARK, SOFT, THIRD, bars, patch, rows_axes, rows_height, stroke
from reports.text import rate_text

HALF = 0.2
WORST = 32  # of a request of up to 4-byte elements: one scale for every report
SIDES = (("load", FIRST, -HALF), ("store", THIRD, HALF))


def stages_with_counters(result):
    return [stage for stage in result.stages if stage.counters]


def requests_height(result):
    stages = stages_with_counters(result)
    return rows_height(len(stages), row=0.3) if stages else 0


def draw_requests(canvas, result, space, unit, x_label):
    stages = stages_with_counters(result)
    axes = rows_axes(canvas, [stage.label for stage in stages], x_label, left=2.0, right=0.35, row=0.3)
    most = WORST
    for op, colour, shift in SIDES:
        values = [stage.per_request(space, op, unit) for stage in stages]
        most = max([most, *(value for value in values if value)])
        rows = [row + shift for row in range(len(stages))]
        bars(axes, rows, values, colour, height=2 * HALF * 0.92)
        least = [(row, stage.ideal_per_request(space, op, unit)) for row, stage in zip(rows, stages)]
        least = [(row, value) for row, value in least if value is not None]
        axes.vlines([value for _, value in least], [row - HALF for row, _ in least], [row + HALF for row, _ in least],
                    color=MARK, linewidth=2)
        for row, value in zip(rows, values):
            if value:
                axes.annotate(rate_text(value), (value, row), (4, 0), textcoords="offset points", va="center",
                              fontsize=7)
    for row, stage in enumerate(stages):
        if stage.per_request(space, "load", unit) is None and stage.per_request(space, "store", unit) is None:
            axes.annotate(f"no {space} memory", (0, row), (4, 0), textcoords="offset points", va="center", fontsize=7.5,
                          color=SOFT)
    axes.set_xlim(0, most)
    axes.xaxis.set_major_locator(MultipleLocator(4 if most < 70 else 16))
    canvas.legend([patch(FIRST, "loads"), patch(THIRD, "stores"), stroke(MARK, "the least that those bytes need")])


def describe_requests(result, space, unit):
    """The same bars in words, one entry a stage."""
    def number(value):
        return "none" if value is None else f"{value:.3g}"

    return [f"{stage.label}: loads {number(stage.per_request(space, 'load', unit))}, "
            f"stores {number(stage.per_request(space, 'store', unit))}" for stage in stages_with_counters(result)]
