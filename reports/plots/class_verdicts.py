"""What became of each stage: how many students pass, show another technique, are wrong, did not attempt it."""

from reports.figure import FIRST, INK, LOST, SECOND, SHADE, SOFT, THIRD, bars, patch, rows_axes, rows_height
from reports.text import percent_text

TITLE = "Outcome by stage"
QUESTION = "Where do students get stuck?"
ORDER = 2
SUBJECT = "class"
OUTCOMES = (  # label, colour, verdicts
    ("passes", FIRST, ("passes",)),
    ("right, other technique", THIRD, ("other technique", "falls short", "impossible bandwidth")),
    ("wrong or faulty", SECOND, ("wrong", "fault", "timeout", "launch error", "has errors")),
    ("does not run", SOFT, ("does not compile", "nothing was run")),
    ("kit failed", INK, ("internal error",)),
    ("not attempted", SHADE, ("not attempted",)),
    ("not handed in", LOST, ()),
)


def shares(made, stage):
    """Share of the class with each outcome."""
    its = made.of(stage)
    counts = [sum(one.verdict in verdicts for one in its) for _, _, verdicts in OUTCOMES]
    counts[-1] = len(made.students) - len({one.student for one in its if one.is_handed_in})
    return [count / len(made.students) for count in counts]


def height(made):
    return rows_height(len(made.graded), top=0.5) if made.graded else 0


def draw(canvas, made):
    axes = rows_axes(canvas, made.graded, "share of the class", left=2.0, right=0.35, top=0.5)
    left = [0] * len(made.graded)
    columns = list(zip(*(shares(made, stage) for stage in made.graded)))
    for (_, colour, _), values in zip(OUTCOMES, columns):
        bars(axes, list(range(len(values))), values, colour, left=left)
        left = [start + value for start, value in zip(left, values)]
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
    canvas.legend([patch(colour, label) for (label, colour, _), values in zip(OUTCOMES, columns) if any(values)],
                  columns=3)


def describe(made):
    said = []
    for stage in made.graded:
        parts = [f"{label} {percent_text(share)}" for (label, _, _), share in zip(OUTCOMES, shares(made, stage)) if share]
        said.append(f"{stage}: {', '.join(parts)}")
    return said


def missing(made):
    return "No result of this folder has a graded stage."
