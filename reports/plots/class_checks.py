"""Pass rate of each check of each stage: which requirement students miss."""

from reports.figure import FIRST, LOST, SOFT, bars, rows_axes, rows_height
from reports.text import cut, percent_text

TITLE = "Checks that students miss most"
QUESTION = "Which requirement do students miss?"
ORDER = 4
SUBJECT = "class"
MOST = 25


def hardest(made):
    """[(stage, check, rate, asked)], the lowest pass rate first; checks that all meet are left out."""
    found = [(row["stage"], row["check"], 1 - row["rate"], row["asked"]) for row in made.most_missed]
    return sorted(found, key=lambda one: (one[2], one[0], one[1]))[:MOST]


def height(made):
    return rows_height(len(hardest(made)), row=0.22, top=0.1) if hardest(made) else 0


def draw(canvas, made):
    found = hardest(made)
    names = [f"{stage}: {check}" for stage, check, _, _ in found]
    axes = rows_axes(canvas, names, "students that meet it", left=3.7, top=0.1, right=0.75, row=0.22)
    axes.set_yticks(range(len(names)), [cut(name, 66) for name in names])
    axes.tick_params(axis="y", labelsize=6.8)
    rows = list(range(len(found)))
    bars(axes, rows, [1] * len(found), LOST)
    bars(axes, rows, [rate for _, _, rate, _ in found], FIRST)
    for row, (_, _, rate, asked) in enumerate(found):
        axes.annotate(f"{percent_text(rate)} of {asked}", (1, row), (4, 0), textcoords="offset points", va="center",
                      fontsize=7, color=SOFT)
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.5, 1], ["0", "50 %", "100 %"])


def describe(made):
    return [f"{stage}: {check}: {percent_text(rate)} of {asked}" for stage, check, rate, asked in hardest(made)]


def missing(made):
    return "Every student meets every check."
