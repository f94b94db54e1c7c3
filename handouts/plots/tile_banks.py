"""The tile without and with padding: banks of its words, and the words that one warp reads."""

from handouts import program
from reports.figure import FIRST, INK, LINE, SOFT

TILES = (("rows of 32 floats", "solutions/transpose/3_corner_turning.cu"),
         ("rows of 33 floats", "solutions/transpose/4_padding.cu"))
BANKS = 32
GREYS = [f"{1 - 0.5 * bank / (BANKS - 1):.3f}" for bank in range(BANKS)]  # white for bank 0, mid grey for bank 31


def read_of(source):
    return program.accesses(source, "shared", "read")[0]


def pitch_of(access):
    """Floats from row to row of the tile: the lanes of this read go down a column."""
    return (access["addresses"][1] - access["addresses"][0]) // 4


def height():
    return 0.42 + 3.1 * 0.97 + 0.2 + 1.0 + 0.35


def draw(canvas):
    width = (canvas.width - 0.4) / 2
    cell = width / 33
    for number, (title, source) in enumerate(TILES):
        access = read_of(source)
        pitch, place = pitch_of(access), canvas.part(number * (width + 0.4), 0, width, canvas.height)
        place.text(0, 0, title, fontsize=9, weight="bold")
        place.text(0, 0.19, f"reading a column takes {access['units']} wavefront{'s' * (access['units'] > 1)}",
                   fontsize=8.5)
        tile = place.part(0, 0.42, width, width)
        for bank in range(BANKS):
            tile.rectangles([(column * cell, row * cell, cell, cell) for row in range(32) for column in range(pitch)
                             if (row * pitch + column) % BANKS == bank], GREYS[bank], LINE, 0.2)
        words = [access["addresses"][lane] // 4 for lane in program.lanes(access)]
        tile.rectangles([(word % pitch * cell, word // pitch * cell, cell, cell) for word in words], FIRST, INK, 0.4)
        counts = program.words_by_bank(access)
        axes = place.axes(0.28, 0.42 + 32 * cell + 0.32, 32 * cell - 0.28, 0.72)
        axes.bar(range(BANKS), counts, width=0.8, color=FIRST, edgecolor=INK, linewidth=0.4)
        axes.set_xlim(-0.7, 31.7)
        axes.set_ylim(0, 34)
        axes.set_yticks([1, 16, 32])
        axes.set_xticks(range(0, 32, 4))
        axes.set_xlabel("bank", labelpad=1)
        place.text(0, 0.42 + 32 * cell + 0.12, "words that the warp wants of each bank", fontsize=8, color=SOFT)


def describe():
    texts = []
    for title, source in TILES:
        access = read_of(source)
        counts = program.words_by_bank(access)
        texts.append(f"Tile of 32 x 32 floats in {title}: a column's words lie in {sum(map(bool, counts))} of 32 banks, up "
                     f"to {max(counts)} in one; {access['units']} wavefronts.")
    return " ".join(texts)
