"""The trees of reduction stages 1 to 3: lanes of the first warp at work in each step, and the banks that they read."""

from handouts import program
from reports.figure import FIRST, INK, LINE, PAPER, SECOND, SOFT

STAGES = (("1 interleaved", "solutions/reduction/1_interleaved.cu", (1, 2, 4, 8, 16, 32, 64, 128)),
          ("2 strided", "solutions/reduction/2_strided.cu", (1, 2, 4, 8, 16, 32, 64, 128)),
          ("3 sequential", "solutions/reduction/3_sequential.cu", (128, 64, 32, 16, 8, 4, 2, 1)))
ROW, PANEL = 0.115, 1.62


def steps(source):
    """The read of partial[...] that each of the 8 steps begins with, in the first launch."""
    reads = []
    for access in program.explain(source)["trace"]:
        if access["space"] == "global" and access["kind"] == "write":
            break
        if access["space"] == "shared" and access["kind"] == "read":
            reads.append(access)
    return reads[0:16:2]


def height():
    return 0.42 + 2 * 8 * ROW + 0.32 + 0.3


def draw(canvas):
    gap = (canvas.width - 0.32 - 3 * (PANEL + 0.42)) / 2
    for number, (title, source, distances) in enumerate(STAGES):
        left = 0.32 + number * (PANEL + 0.42 + gap)
        canvas.text(left, 0, title, fontsize=9, weight="bold")
        accesses = steps(source)
        canvas.text(left, 0.22, "lanes at work", fontsize=8, color=SOFT)
        grid(canvas, left, 0.42, [[1 if lane in program.lanes(access) else 0 for lane in range(32)]
                                  for access in accesses], [f"{len(program.lanes(access))}" for access in accesses])
        below = 0.42 + 8 * ROW + 0.32
        canvas.text(left, below - 0.2, "words wanted of each bank", fontsize=8, color=SOFT)
        grid(canvas, left, below, [program.words_by_bank(access) for access in accesses],
             [f"{access['units']}x" for access in accesses])
        for top in (0.42, below):
            canvas.text(left - 0.05, top - 0.2, "s", fontsize=8, ha="right", color=SOFT)
            for row, distance in enumerate(distances):
                canvas.text(left - 0.05, top + (row + 0.5) * ROW, str(distance), fontsize=6.5, ha="right", va="center",
                            color=SOFT)
    canvas.text(0.32, height() - 0.17, "s: the step. At the right: lanes at work, and wavefronts of the read. Orange: 2 or more "
                "words of one bank.", fontsize=8, color=SOFT)


def grid(canvas, left, top, rows, labels):
    """Rows of 32 cells: empty for 0, blue for 1, orange for more: those take turns."""
    cell = PANEL / 32
    boxes = {0: [], 1: [], 2: []}
    for row, counts in enumerate(rows):
        for column, count in enumerate(counts):
            boxes[min(count, 2)].append((left + column * cell, top + row * ROW, cell, ROW * 0.86))
        canvas.text(left + PANEL + 0.05, top + (row + 0.45) * ROW, labels[row], fontsize=7, va="center")
    canvas.rectangles(boxes[0], PAPER, LINE, 0.25)
    canvas.rectangles(boxes[1], FIRST, INK, 0.25)
    canvas.rectangles(boxes[2], SECOND, INK, 0.25)


def describe():
    return "The first warp, step by step. " + " ".join(
        f"{title}: lanes at work {', '.join(str(len(program.lanes(access))) for access in steps(source))}; wavefronts of "
        f"the first read {', '.join(str(access['units']) for access in steps(source))}." for title, source, _ in STAGES)
