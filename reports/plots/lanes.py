"""Divergence: how many of a warp's 32 lanes are active in an average instruction."""

from matplotlib.ticker import MultipleLocator

from reports.figure import FIRST, bars, rows_axes, rows_height
from reports.limits import LANES, active_lanes
from reports.requests import stages_with_counters
from reports.text import rate_text

TITLE = "Active lanes an instruction"
QUESTION = "Do the lanes of a warp go the same way?"
ORDER = 9
SUBJECT = "result"
SECTION = "memory"
IS_BAR_A_STAGE = True


def height(result):
    return rows_height(len(stages_with_counters(result)), row=0.22, top=0.05) if stages_with_counters(result) else 0


def draw(canvas, result):
    stages = stages_with_counters(result)
    axes = rows_axes(canvas, [stage.label for stage in stages], "active lanes of 32, mean over all warp instructions",
                     left=2.0, top=0.05, right=0.35, row=0.22)
    values = [active_lanes(stage.counters) for stage in stages]
    bars(axes, list(range(len(stages))), values, FIRST)
    for row, value in enumerate(values):
        axes.annotate(rate_text(value), (value or 0, row), (4, 0), textcoords="offset points", va="center", fontsize=7.5)
    axes.set_xlim(0, LANES)
    axes.xaxis.set_major_locator(MultipleLocator(4))


def describe(result):
    return [f"{stage.label}: {rate_text(active_lanes(stage.counters))} of 32"
                     for stage in stages_with_counters(result)]


def missing(result):
    return "No stage has counters: none ran on its technique shape."
