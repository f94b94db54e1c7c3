"""How the class did: students by total of marks."""

import statistics

from matplotlib.ticker import MaxNLocator

from reports.figure import FIRST, INK, MARK, stroke
from reports.text import counted, points_text

TITLE = "Distribution of marks"
QUESTION = "How many students have how many marks?"
ORDER = 1
SUBJECT = "class"
BINS = 20


def height(made):
    return 2.9 if made.students and made.max else 0


def draw(canvas, made):
    axes = canvas.axes(0.55, 0.3, canvas.width - 0.75, 2.05)
    axes.hist(made.totals, bins=BINS, range=(0, made.max), color=FIRST, edgecolor=INK, linewidth=0.6)
    axes.axvline(statistics.median(made.totals), color=MARK, linewidth=2)
    axes.set(xlim=(0, made.max), xlabel="points", ylabel="students")
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.grid(axis="y")
    canvas.legend([stroke(MARK, f"median {points_text(statistics.median(made.totals))}")])


def describe(made):
    step = made.max / BINS
    bins = [0] * BINS
    for total in made.totals:
        bins[min(int(total / step), BINS - 1)] += 1
    return [f"{points_text(step * index)} to {points_text(step * (index + 1))} points: {counted(count, 'student')}"
            for index, count in enumerate(bins) if count]


def missing(made):
    return "No result of this folder carries marks."
