"""How a block of stage tile walks along the depth: pairs of tiles of a and b, one tile of c."""

from reports.figure import FIRST, INK, LINE, PAPER, SECOND, SHADE, SOFT

SIDE = 0.34  # inches, of a tile
ROWS, COLS, DEPTH = 3, 4, 4  # tiles
ROW, COLUMN, STEP = 1, 2, 1  # of the tile of c, and the pair that is multiplied
GAP, LEFT = 0.3, 0.35


def height():
    return (DEPTH + ROWS) * SIDE + GAP + 0.45


def tiles(canvas, left, top, down, across, marked, name, extents):
    for r in range(down):
        for c in range(across):
            canvas.rectangles([(left + c * SIDE, top + r * SIDE, SIDE, SIDE)], marked(r, c), LINE, 0.7)
    canvas.rectangles([(left, top, across * SIDE, down * SIDE)], "none", INK, 1)
    canvas.text(left + across * SIDE + 0.08, top + 0.02, name, fontsize=9, weight="bold")
    canvas.text(left + across * SIDE + 0.08, top + 0.2, extents, fontsize=8, color=SOFT)


def draw(canvas):
    a_left, b_left, b_top = LEFT, LEFT + DEPTH * SIDE + 1.3, 0.05
    c_top = b_top + DEPTH * SIDE + GAP
    tiles(canvas, b_left, b_top, DEPTH, COLS,
          lambda r, c: PAPER if c != COLUMN else SECOND if r == STEP else SHADE, "b", "depth x cols")
    tiles(canvas, a_left, c_top, ROWS, DEPTH,
          lambda r, c: PAPER if r != ROW else SECOND if c == STEP else SHADE, "a", "rows x depth")
    tiles(canvas, b_left, c_top, ROWS, COLS,
          lambda r, c: FIRST if (r, c) == (ROW, COLUMN) else PAPER, "c", "rows x cols")
    canvas.text(LEFT, c_top + ROWS * SIDE + 0.12, "dark: the block's tile of c; lighter: the tiles in shared memory; grey: those before and after", fontsize=8)


def describe():
    return ("A block computes one tile of c. It multiplies a tile of a and a tile of b at a time: those of its row of tiles of a, "
            "from left to right, and of its column of tiles of b, from top to bottom.")
