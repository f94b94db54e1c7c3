"""Marks by stage: what was earned of correctness, technique, performance and the quiz, and what was lost."""

from reports.figure import FIRST, INK, LOST, SECOND, SHADE, THIRD, bars, patch, rows_axes, rows_height
from reports.result import PARTS
from reports.text import points_text

TITLE = "Marks by stage"
QUESTION = "What did each stage earn, and what is missing?"
ORDER = 1
SUBJECT = "result"
SECTION = None  # the page places it
IS_BAR_A_STAGE = True
COLOURS = dict(zip(PARTS, (FIRST, THIRD, SECOND, INK)))


def graded(result):
    return [stage for stage in result.stages if stage.is_graded]


def height(result):
    return rows_height(len(graded(result))) if graded(result) else 0


def open_points(stage):
    """What may still come."""
    if stage.has_no_mark_yet:
        return stage.score["max"] - stage.score["total"]
    return (stage.points["performance"] or 0) - stage.score["performance"] if stage.has_open_performance else 0


def draw(canvas, result):
    stages = graded(result)
    most = max(stage.score["max"] for stage in stages)
    axes = rows_axes(canvas, [stage.label for stage in stages], "points", left=2.0, right=0.85)
    rows = list(range(len(stages)))
    bars(axes, rows, [stage.score["max"] for stage in stages], LOST)
    left = [0] * len(stages)
    for part in result.parts:
        colour = COLOURS[part]
        values = [stage.score[part] for stage in stages]
        bars(axes, rows, values, colour, left=left)
        left = [start + value for start, value in zip(left, values)]
    still_open = [open_points(stage) for stage in stages]
    bars(axes, rows, still_open, SHADE, left=left)
    for row, stage in enumerate(stages):
        axes.annotate(f"{points_text(stage.score['total'])} of {points_text(stage.score['max'])}",
                      (stage.score["max"], row), (5, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_xlim(0, most)
    keys = [patch(COLOURS[part], part) for part in result.parts]
    if any(still_open):
        keys.append(patch(SHADE, "still open"))
    canvas.legend([*keys, patch(LOST, "lost")], columns=5)


def describe(result):
    return [f"{stage.label}: {points_text(stage.score['total'])} of {points_text(stage.score['max'])}"
                     for stage in graded(result)]


def missing(result):
    return "No stage of this result carries marks."
