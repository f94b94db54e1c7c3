"""How a tile travels in stage corner_turning: row by row in, turned in shared memory, row by row out at the mirrored place."""

from handouts import program
from reports.figure import FIRST, INK, LINE, PAPER, SHADE, SOFT, THIRD

SOURCE = "solutions/transpose/3_corner_turning.cu"
TILE = 32
TILES_DOWN, TILES_ACROSS = 2, 3  # of the input that is drawn
ROW, COLUMN = 0, 2               # of the tile that is followed
CELL = 0.0195                    # inches a float in the matrices
ZOOM = 0.047                     # in the tile
TOP = 0.62


def first(space, kind):
    return program.accesses(SOURCE, space, kind)[0]


def places(access):
    """(row, column) of each lane in a tile with rows of 32."""
    return [divmod(access["addresses"][lane] // 4, TILE) for lane in program.lanes(access)]


def height():
    return TOP + TILES_ACROSS * TILE * CELL + 0.62


def matrix(canvas, left, rows, columns, tile, title, text):
    """A matrix of rows x columns tiles with one of them set off, and its first row as what the warp touches."""
    side = TILE * CELL
    canvas.text(left, 0, title, fontsize=9, weight="bold")
    canvas.text(left, 0.18, text, fontsize=8.5, linespacing=1.25)
    place = canvas.part(left, TOP, columns * side, rows * side)
    place.rectangles([(c * side, r * side, side, side) for r in range(rows) for c in range(columns)], PAPER, LINE, 0.7)
    row, column = tile
    place.rectangles([(column * side, row * side, side, side)], SHADE, INK, 1.2)
    place.rectangles([(column * side, row * side, side, 2.4 * CELL)], FIRST, INK, 0.4)
    place.text((column + 0.5) * side, (row + 0.6) * side, "T" if rows < columns else "T turned", fontsize=8, ha="center", va="center")
    axis(place, columns * side, rows * side)


def axis(place, width, depth):
    place.text(width, depth + 0.04, "x \N{RIGHTWARDS ARROW}", fontsize=7.5, ha="right", color=SOFT)
    place.text(0, depth + 0.04, "y \N{DOWNWARDS ARROW}", fontsize=7.5, color=SOFT)


def draw(canvas):
    side = TILE * CELL
    matrix(canvas, 0, TILES_DOWN, TILES_ACROSS, (ROW, COLUMN), "in", f"a warp reads a row of T:\n{first('global', 'read')['units']} sectors")
    left = TILES_ACROSS * side + 0.55
    stored, taken = first("shared", "write"), first("shared", "read")
    canvas.text(left, 0, "the tile, in shared memory", fontsize=9, weight="bold")
    canvas.text(left, 0.18, f"stored as a row: {stored['units']} wavefront,\nread as a column: {taken['units']} wavefronts", fontsize=8.5, linespacing=1.25)
    tile = canvas.part(left, TOP, TILE * ZOOM, TILE * ZOOM)
    tile.rectangles([(0, 0, TILE * ZOOM, TILE * ZOOM)], PAPER, "none")
    for step in range(4, TILE, 4):
        tile.line(0, step * ZOOM, TILE * ZOOM, step * ZOOM, color=SHADE, linewidth=0.5)
        tile.line(step * ZOOM, 0, step * ZOOM, TILE * ZOOM, color=SHADE, linewidth=0.5)
    tile.rectangles([(c * ZOOM, r * ZOOM, ZOOM, ZOOM) for r, c in places(stored)], THIRD, INK, 0.25)
    tile.rectangles([(c * ZOOM, r * ZOOM, ZOOM, ZOOM) for r, c in places(taken)], FIRST, INK, 0.25)
    tile.rectangles([(0, 0, TILE * ZOOM, TILE * ZOOM)], "none", INK, 1.2)
    axis_text = (("threadIdx.x \N{RIGHTWARDS ARROW}", TILE * ZOOM / 2 + 0.1, -0.01, "bottom"),
                 ("threadIdx.x\n\N{DOWNWARDS ARROW}", 0.09, TILE * ZOOM / 2, "center"))
    tile.text(TILE * ZOOM / 2, 0.1, axis_text[0][0], fontsize=7.5, ha="center")
    tile.text(0.1, TILE * ZOOM / 2, axis_text[1][0], fontsize=7.5, va="center")
    arrow = "\N{RIGHTWARDS ARROW}"
    canvas.text(TILES_ACROSS * side + 0.27, TOP + 0.6, arrow, fontsize=16, ha="center", va="center")
    canvas.text(left + TILE * ZOOM + 0.42, TOP + 0.6, arrow, fontsize=16, ha="center", va="center")
    right = left + TILE * ZOOM + 0.85
    matrix(canvas, right, TILES_ACROSS, TILES_DOWN, (COLUMN, ROW), "out",
           f"a warp writes a row:\n{first('global', 'write')['units']} sectors")
    key = height() - 0.2
    for at, colour, words in ((0, THIRD, "stored to the tile"), (1.6, FIRST, "read from the tile, or moved in global memory, by one warp")):
        canvas.rectangles([(at, key + 0.02, 0.12, 0.12)], colour, INK, 0.4)
        canvas.text(at + 0.18, key + 0.08, words, fontsize=8.5, va="center")


def describe():
    return (f"A tile T in tile row {ROW}, tile column {COLUMN} of in goes to tile row {COLUMN}, tile column {ROW} of out. A warp "
            f"reads a row of it from in: {first('global', 'read')['units']} sectors. It stores that row to the tile in shared memory: "
            f"{first('shared', 'write')['units']} wavefront. After the barrier it reads a column of the tile: "
            f"{first('shared', 'read')['units']} wavefronts, and writes it as a row of out: {first('global', 'write')['units']} sectors.")
