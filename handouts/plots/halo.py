"""The tile of stencil stage 2 with its halo: which elements are computed, and which the first warp loads."""

from handouts import program
from reports.figure import FIRST, INK, LINE, PAPER, SHADE, SOFT, THIRD

SOURCE = "solutions/stencil/2_halo.cu"
WIDE, HIGH, HALO = 32, 8, 1  # of the block
ACROSS, DOWN = WIDE + 2 * HALO, HIGH + 2 * HALO
CELL, TOP, LEFT = 0.158, 0.5, 0.32


def turns():
    """[[(row, column) in the tile, one for each lane]], one for each store of the first warp."""
    return [[divmod(access["addresses"][lane] // 4, ACROSS) for lane in program.lanes(access)]
            for access in program.accesses(SOURCE, "shared", "write")]


def height():
    return TOP + DOWN * CELL + 0.55


def draw(canvas):
    canvas.text(0, 0, "the tile in shared memory", fontsize=9, weight="bold")
    canvas.text(0, 0.19, f"{ACROSS} x {DOWN} = {ACROSS * DOWN} elements for a block of {WIDE} x {HIGH} = {WIDE * HIGH} threads", fontsize=8.5)
    place = canvas.part(LEFT, TOP, ACROSS * CELL, DOWN * CELL)
    place.rectangles([(c * CELL, r * CELL, CELL, CELL) for r in range(DOWN) for c in range(ACROSS)], SHADE, LINE, 0.4)
    place.rectangles([(c * CELL, r * CELL, CELL, CELL) for r in range(HALO, DOWN - HALO) for c in range(HALO, ACROSS - HALO)], PAPER, LINE, 0.4)
    for colour, cells in zip((FIRST, THIRD), turns()):
        place.rectangles([(c * CELL, r * CELL, CELL, CELL) for r, c in cells], colour, INK, 0.4)
    place.rectangles([(HALO * CELL, HALO * CELL, WIDE * CELL, HIGH * CELL)], "none", INK, 1.4)
    for row in (0, DOWN - 1):
        canvas.text(LEFT - 0.06, TOP + (row + 0.5) * CELL, str(row), fontsize=7, ha="right", va="center", color=SOFT)
    key = TOP + DOWN * CELL + 0.14
    for left, colour, words in ((0, FIRST, "stored by warp 0, first turn"), (2.0, THIRD, "second turn"), (3.1, PAPER, "computed here"),
                                (4.35, SHADE, "the halo")):
        canvas.rectangles([(left, key + 0.02, 0.12, 0.12)], colour, INK, 0.4)
        canvas.text(left + 0.18, key + 0.08, words, fontsize=8.5, va="center")


def describe():
    told = "; ".join(f"turn {number}: row {cells[0][0]}, column {cells[0][1]} to row {cells[-1][0]}, column {cells[-1][1]}"
                     for number, cells in enumerate(turns(), 1))
    return (f"A tile of {ACROSS} x {DOWN} elements; the {WIDE} x {HIGH} in its middle are computed by the block, the others are the "
            f"halo. What the first warp stores: {told}.")
