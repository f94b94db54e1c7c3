"""The source with the sectors and wavefronts that each line costs."""

from reports import heat
from reports.figure import HEAT, INK, LINE, SOFT
from reports.missing import no_source
from reports.text import cut, percent_text, rate_text

TITLE = "What each line costs"
QUESTION = "Which source line costs the sectors and the wavefronts?"
ORDER = 3
SUBJECT = "stage"
ROW, HEAD = 0.155, 0.36
CODE, SECTORS, WAVEFRONTS, LANES = 0.28, 4.28, 5.18, 6.15  # left edges in inches
CELL = 0.84
CHARACTERS = 75


def height(stage):
    found = heat.rows(stage)
    return rows_height(found) if found else 0


def rows_height(rows):
    return HEAD + ROW * len(rows) + 0.05


def draw(canvas, stage):
    draw_rows(canvas, heat.rows(stage))


def draw_rows(canvas, found):
    """Some of the rows: a page may not hold all."""
    for left, words in ((SECTORS, "sectors\na request"), (WAVEFRONTS, "wavefronts\na request"), (LANES, "active\nlanes")):
        canvas.text(left, 0.02, words, fontsize=7, va="top", linespacing=1.1)
    canvas.text(CODE, 0.13, "source", fontsize=7, va="top")
    canvas.line(0, HEAD - 0.03, canvas.width, HEAD - 0.03, color=LINE, linewidth=0.8)
    cells = {level: [] for level in range(1, len(HEAT))}
    for index, row in enumerate(found):
        top = HEAD + index * ROW
        middle = top + ROW / 2
        canvas.text(CODE - 0.06, middle, str(row.line), fontsize=6.5, ha="right", va="center", color=SOFT)
        canvas.text(CODE, middle, cut(row.text, CHARACTERS), fontsize=6.3, va="center", family="DejaVu Sans Mono",
                  color=INK if row.is_counted else SOFT)
        for left, costs, share in ((SECTORS, row.sectors, row.sector_share),
                                   (WAVEFRONTS, row.wavefronts, row.wavefront_share)):
            if costs:
                worst = max(cost[3] for cost in costs)
                if worst:
                    cells[worst].append((left - 0.03, top + 0.008, CELL, ROW - 0.016))
                canvas.text(left, middle, " / ".join(dict.fromkeys(rate_text(cost[1]) for cost in costs)), fontsize=6.8, va="center",
                          weight="bold" if worst else "normal")
                canvas.text(left + CELL - 0.06, middle, percent_text(share), fontsize=6, va="center", ha="right",
                          color=SOFT if not worst else INK)
        if row.lanes is not None and row.lanes < 31.5:
            worst = heat.lanes_level(row.lanes)
            if worst:
                cells[worst].append((LANES - 0.03, top + 0.008, 0.45, ROW - 0.016))
            canvas.text(LANES, middle, rate_text(row.lanes), fontsize=6.8, va="center")
    for level, boxes in cells.items():
        canvas.rectangles(boxes, HEAT[level], LINE, 0.4)


def describe(stage):
    return words(heat.rows(stage))


def words(rows):
    said = []
    for row in rows:
        parts = [f"{op}s {rate_text(mean)} sectors a request" for op, mean, _, _ in row.sectors]
        parts += [f"shared {op}s {rate_text(mean)} wavefronts a request" for op, mean, _, _ in row.wavefronts]
        if parts:
            said.append(f"line {row.line}: {', '.join(parts)}")
    return said


def missing(stage):
    return no_source(stage) if stage.counters else "The stage has no counters: its technique shape was not run."
