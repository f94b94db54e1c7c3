"""The tile without and with padding: the bank of each word, in numbers, and the words that one warp reads."""

from handouts import program
from reports.figure import FIRST, INK, LINE, PAPER, SHADE, SOFT

TILES = (("rows of 32 floats", "solutions/transpose/3_corner_turning.cu"),
         ("rows of 33 floats", "solutions/transpose/4_padding.cu"))
BANKS = 32
ROWS = (0, 1, 2, 3, 4, 5, None, 30, 31)  # of the tile that are drawn; None: a gap
COLUMNS = (0, 1, 2, 3, None, 30, 31, 32)
CELL, DEEP = 0.345, 0.2
TOP = 0.62


def read_of(source):
    return program.accesses(source, "shared", "read")[0]


def pitch_of(access):
    """Floats from row to row of the tile: the lanes of this read go down a column."""
    return (access["addresses"][1] - access["addresses"][0]) // 4


def height():
    return TOP + len(ROWS) * DEEP + 0.42 + 0.72 + 0.35


def draw(canvas):
    width = (canvas.width - 0.4) / 2
    for number, (title, source) in enumerate(TILES):
        access = read_of(source)
        pitch, place = pitch_of(access), canvas.part(number * (width + 0.4), 0, width, canvas.height)
        place.text(0, 0, title, fontsize=9, weight="bold")
        place.text(0, 0.19, f"reading a column takes {access['units']} wavefront{'s' * (access['units'] > 1)}",
                   fontsize=8.5)
        wanted = {access["addresses"][lane] // 4 for lane in program.lanes(access)}
        cells(place, pitch, wanted)
        counts = program.words_by_bank(access)
        below = TOP + len(ROWS) * DEEP
        axes = place.axes(0.28, below + 0.36, width - 0.28, 0.72)
        axes.bar(range(BANKS), counts, width=0.8, color=FIRST, edgecolor=INK, linewidth=0.4)
        axes.set_xlim(-0.7, 31.7)
        axes.set_ylim(0, 34)
        axes.set_yticks([1, 16, 32])
        axes.set_xticks(range(0, 32, 4))
        axes.set_xlabel("bank", labelpad=1)
        place.text(0, below + 0.14, "words that the warp wants of each bank", fontsize=8, color=SOFT)


def cells(place, pitch, wanted):
    """Part of the tile: every cell with its bank, those that the warp reads dark, the padding hatched grey."""
    left = 0.28
    for i, column in enumerate(COLUMNS):
        if column is not None and column < pitch:
            words = "unused" if column == 32 else str(column)
            place.text(left + (i + 0.5) * CELL, TOP - 0.04, words, fontsize=6.5 if column == 32 else 7, ha="center", va="bottom", color=SOFT)
    place.text(0.22, TOP - 0.04, "row", fontsize=7, ha="right", va="bottom", color=SOFT)
    for j, row in enumerate(ROWS):
        y = TOP + j * DEEP
        if row is not None:
            place.text(0.22, y + DEEP / 2, str(row), fontsize=7, ha="right", va="center", color=SOFT)
        for i, column in enumerate(COLUMNS):
            x = left + i * CELL
            if column is not None and column >= pitch:
                continue
            if row is None or column is None:
                if row is not None or column is not None:
                    dots = "\N{HORIZONTAL ELLIPSIS}" if row is not None else "\N{VERTICAL ELLIPSIS}"
                    place.text(x + CELL / 2, y + DEEP / 2, dots, fontsize=7, ha="center", va="center", color=SOFT)
                continue
            word = row * pitch + column
            is_wanted, is_padding = word in wanted, column == 32
            place.rectangles([(x, y, CELL, DEEP)], FIRST if is_wanted else SHADE if is_padding else PAPER, INK if is_wanted else LINE, 0.6)
            place.text(x + CELL / 2, y + DEEP / 2, str(word % BANKS), fontsize=7.5, ha="center", va="center",
                       color=PAPER if is_wanted else SOFT if is_padding else INK)


def describe():
    texts = []
    for title, source in TILES:
        access = read_of(source)
        counts = program.words_by_bank(access)
        texts.append(f"Tile of 32 x 32 floats in {title}: a column's words lie in {sum(map(bool, counts))} of 32 banks, up "
                     f"to {max(counts)} in one; {access['units']} wavefronts.")
    return " ".join(texts) + " The numbers in the cells are banks; dark cells are the words that one warp reads."
