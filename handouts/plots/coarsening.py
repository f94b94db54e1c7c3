"""Stage coarsening: which elements a thread owns, and how many of its loads are on their way at a time."""

from handouts import program
from reports.figure import FIRST, INK, LINE, PAPER, SHADE, SOFT, THIRD

TILE = 32
CELL = 0.083
LANE = 5
STAGES = (("stage 4: one element a thread", "solutions/transpose/4_padding.cu"),
          ("stage 5: four elements a thread", "solutions/transpose/5_coarsening.cu"))
WAIT, ISSUE = 1.75, 0.1  # inches: how long a load is drawn, and how much later the next one starts


def loads_before_barrier(source):
    """Loads of a thread that do not depend on each other: those in front of the one barrier of these kernels."""
    return len(program.accesses(source, "global", "read"))


def rows_of_warp():
    """Rows of the tile that the first warp loads, in a matrix of 1024 columns."""
    return [access["addresses"][0] // 4 // 1024 for access in program.accesses(STAGES[1][1], "global", "read")]


def height():
    return 0.42 + TILE * CELL + 0.32


def draw(canvas):
    canvas.text(0, 0, "the tile of a block of 32 x 8 threads", fontsize=9, weight="bold")
    canvas.text(0, 0.19, f"warp 0 has 4 of its rows; lane {LANE} has 4 elements", fontsize=8.5)
    tile = canvas.part(0.42, 0.42, TILE * CELL, TILE * CELL)
    size = TILE * CELL
    tile.rectangles([(0, 0, size, size)], PAPER, LINE, 0.6)
    for row in range(1, TILE):
        tile.line(0, row * CELL, size, row * CELL, color=SHADE, linewidth=0.5)
    rows = rows_of_warp()
    tile.rectangles([(0, row * CELL, size, CELL) for row in rows], SHADE, INK, 0.25)
    tile.rectangles([(LANE * CELL, row * CELL, CELL, CELL) for row in rows], FIRST, INK, 0.4)
    for row in range(0, TILE, 4):
        tile.text(-0.06, (row + 0.5) * CELL, str(row), fontsize=7, ha="right", va="center", color=SOFT)
    for number, row in enumerate(rows):
        tile.text(size + 0.06, (row + 0.5) * CELL, f"j = {8 * number}", fontsize=7.5, va="center")
    canvas.text(0.42, 0.42 + size + 0.06, "rows 1 to 7 belong to warps 1 to 7, and again from 9, 17 and 25 on", fontsize=7.5, color=SOFT)

    left, top = 0.42 + size + 0.62, 0.0
    for title, source in STAGES:
        loads = loads_before_barrier(source)
        canvas.text(left, top, title, fontsize=9, weight="bold")
        canvas.text(left, top + 0.19, f"a thread has {4 * loads} bytes on their way at a time", fontsize=8.5)
        lane = top + 0.45
        for number in range(loads):
            place = (left + number * ISSUE, lane + number * 0.19, WAIT, 0.14)
            canvas.rectangles([place], FIRST, INK, 0.4)
            canvas.text(place[0] + WAIT / 2, place[1] + 0.07, f"load {number + 1} waits for memory", fontsize=7, ha="center", va="center", color=PAPER)
        end = left + WAIT + (loads - 1) * ISSUE
        for number in range(loads):
            canvas.rectangles([(end + number * ISSUE, lane + number * 0.19, ISSUE, 0.14)], THIRD, INK, 0.4)
        top = lane + loads * 0.19 + 0.32
    canvas.text(left, top - 0.1, "time \N{RIGHTWARDS ARROW}   blue: a load on its way;\ngreen: stored to the tile. Drawn to no scale:\n"
                "a load is issued in a few clock cycles and\nwaits for many hundreds.", fontsize=7.5, color=SOFT, linespacing=1.3)


def describe():
    counts = [loads_before_barrier(source) for _, source in STAGES]
    return (f"A block of 32 x 8 threads moves a tile of 32 x 32. Its first warp loads rows {', '.join(map(str, rows_of_warp()))}; lane "
            f"{LANE} owns column {LANE} of these. In stage 4 a thread has {counts[0]} load on its way at a time, in stage 5 {counts[1]}: "
            f"{4 * counts[0]} and {4 * counts[1]} bytes. A schematic in time, to no scale.")
