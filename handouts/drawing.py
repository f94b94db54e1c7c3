"""Parts that several pictures of the handouts share, in the style of reports/figure.py."""

from handouts import program
from reports.figure import FIRST, INK, LINE, MARK, PAPER, SECOND, SHADE, SOFT, bars, rows_axes

SECTOR_FLOATS = 8


def matrix(canvas, left, top, size, accesses, row_floats, shown=32):
    """The upper left corner of a matrix: what a warp asked for, and what moved with it in the same sectors."""
    wanted = {access["addresses"][lane] // 4 for access in accesses for lane in program.lanes(access)}
    moved = {word // SECTOR_FLOATS * SECTOR_FLOATS + i for word in wanted for i in range(SECTOR_FLOATS)} - wanted
    cell = size / shown
    place = canvas.part(left, top, size, size)

    def boxes(words):
        places = [divmod(word, row_floats) for word in sorted(words)]
        return [(column * cell, row * cell, cell, cell) for row, column in places if row < shown and column < shown]

    place.rectangles([(0, 0, size, size)], PAPER, LINE, 0.6)
    for row in range(1, shown):
        place.line(0, row * cell, size, row * cell, color=SHADE, linewidth=0.5)
    for column in range(0, shown + 1, SECTOR_FLOATS):
        place.line(column * cell, 0, column * cell, size, color=LINE, linewidth=0.7)
    place.rectangles(boxes(moved), SECOND, INK, 0.25)
    place.rectangles(boxes(wanted), FIRST, INK, 0.25)


def sectors_text(*accesses):
    """'32 sectors: 128 of 1024 bytes were wanted'; of several: 'in 4 requests, 16 sectors: ...'"""
    wanted = sum(len(program.lanes(access)) * access["width_bytes"] for access in accesses)
    sectors = sum(access["units"] for access in accesses)
    start = f"{len(accesses)} requests, " if len(accesses) > 1 else ""
    return f"{start}{sectors} sectors: {wanted} of {32 * sectors} bytes were wanted"


def two_matrices(canvas, *panels):
    """Panels (title, accesses, floats in a row) side by side, with a key below."""
    width = (canvas.width - 0.4) / 2
    for number, (title, accesses, row_floats) in enumerate(panels):
        left = number * (width + 0.4)
        canvas.text(left, 0, title, fontsize=9, weight="bold")
        canvas.text(left, 0.19, sectors_text(*accesses), fontsize=8.5)
        matrix(canvas, left, 0.42, width, accesses, row_floats)
    key = 0.42 + width + 0.1
    for left, colour, words in ((0, FIRST, "a float that a lane of the warp asks for"),
                                (2.75, SECOND, "moved with it, in the same sector of 8 floats")):
        canvas.rectangles([(left, key + 0.02, 0.12, 0.12)], colour, INK, 0.4)
        canvas.text(left + 0.18, key + 0.08, words, fontsize=8.5, va="center")
    canvas.text(0, key + 0.23, "32 rows (y, downwards) and 32 columns (x, to the right) are drawn; vertical lines are sector boundaries.",
                fontsize=8, color=SOFT)


def two_matrices_height(canvas_width=6.6):
    return 0.42 + (canvas_width - 0.4) / 2 + 0.1 + 0.43


class TwoSides:
    """The picture of a stage: what its first warp reads of `in` and writes to `out`, two matrices of 1024 columns."""

    PITCH = 1024

    def __init__(self, name, source, many=False):
        self.name, self.source, self.ending = name, source, "s" if many else ""

    def accesses(self):
        return (program.accesses(self.source, "global", "read"), program.accesses(self.source, "global", "write"))

    def height(self):
        return two_matrices_height()

    def draw(self, canvas):
        loads, stores = self.accesses()
        two_matrices(canvas, (f"the load{self.ending}, from in", loads, self.PITCH),
                     (f"the store{self.ending}, to out", stores, self.PITCH))

    def describe(self):
        loads, stores = self.accesses()
        return (f"What one warp of {self.name} touches in two matrices of 1024 x 1024 floats. The load{self.ending}: "
                f"{sectors_text(*loads)}. The store{self.ending}: {sectors_text(*stores)}.")


class OneWarp:
    """Accesses of the first warp of a block, one below the other: the sectors of a global one, from left to right without what
    lies between them, or the banks of a shared one with a row for each wavefront. `shown`: (space, kind, indices, words)."""

    BANKS, TOP, STRIP, ROW, GAP, MANY = 32, 0.36, 0.17, 0.1, 0.14, 8

    def __init__(self, name, source, *shown, block=""):
        self.name, self.source, self.shown, self.block = name, source, shown, block

    def accesses(self):
        for space, kind, indices, words in self.shown:
            found = program.accesses(self.source, space, kind, block=self.block)
            for number, index in enumerate(indices):
                yield found[index], words if isinstance(words, str) else words[number]

    @staticmethod
    def words_of(access):
        """(lane, index of a 4-byte word) of all that the lanes touch."""
        return [(lane, word) for lane in program.lanes(access) for word in range(
            access["addresses"][lane] // 4, -(-(access["addresses"][lane] + access["width_bytes"]) // 4))]

    def rows_of(self, access):
        """By bank: the words of a shared access, of an atomic one as many times as lanes want them."""
        found = [[] for _ in range(self.BANKS)]
        for _, word in self.words_of(access):
            if access["kind"] == "atomic" or word not in found[word % self.BANKS]:
                found[word % self.BANKS].append(word)
        return found

    def row(self, access):
        """(rows of a shared access, height of one)"""
        rows = max(map(len, self.rows_of(access)))
        return rows, self.ROW if rows <= self.MANY else self.ROW / 2

    def deep(self, access):
        rows, high = self.row(access)
        return 0.17 + (rows * high if access["space"] == "shared" else self.STRIP) + self.GAP

    def said(self, access):
        unit = "wavefront" if access["space"] == "shared" else "sector"
        several = "s" if access["units"] > 1 else ""
        lanes = len(program.lanes(access))
        return f"{access['units']} {unit}{several}" + (f", {lanes} of 32 lanes" if lanes < 32 else "")

    def height(self):
        return self.TOP + sum(self.deep(access) for access, _ in self.accesses()) + 0.12

    def draw(self, canvas):
        spaces, left = {access["space"] for access, _ in self.accesses()}, 0.0
        for space, colour, words, width in (("", FIRST, "a word that a lane asks for", 1.85), ("global", SECOND, "moved with it; a frame is a sector of 8 words", 2.85),
                                            ("shared", PAPER, "column: bank, row: wavefront", 2)):
            if space and space not in spaces:
                continue
            canvas.rectangles([(left, 0.02, 0.12, 0.12)], colour, INK, 0.4)
            canvas.text(left + 0.18, 0.08, words, fontsize=8 if len(spaces) > 1 else 8.5, va="center")
            left += width
        top = self.TOP
        for access, words in self.accesses():
            canvas.text(0, top, f"{words}: {self.said(access)}", fontsize=8.5)
            (self.draw_banks if access["space"] == "shared" else self.draw_sectors)(canvas.part(0, top + 0.17, canvas.width, 1), access)
            top += self.deep(access)

    def draw_sectors(self, place, access):
        wanted = {word for _, word in self.words_of(access)}
        sectors = sorted({word // SECTOR_FLOATS for word in wanted})
        cell = min(0.16, (place.width - 0.04 * len(sectors)) / (SECTOR_FLOATS * len(sectors)))
        asked, moved, frames, x = [], [], [], 0.0
        for number, sector in enumerate(sectors):
            x += 0.04 if number and sector != sectors[number - 1] + 1 else 0
            for i in range(SECTOR_FLOATS):
                (asked if sector * SECTOR_FLOATS + i in wanted else moved).append((x + i * cell, 0, cell, self.STRIP))
            frames.append((x, 0, SECTOR_FLOATS * cell, self.STRIP))
            x += SECTOR_FLOATS * cell
        place.rectangles(moved, SECOND, INK, 0.2)
        place.rectangles(asked, FIRST, INK, 0.2)
        place.rectangles(frames, "none", INK, 0.9)

    def draw_banks(self, place, access):
        (deepest, high), cell = self.row(access), place.width / self.BANKS
        place.rectangles([(bank * cell, row * high, cell, high) for bank in range(self.BANKS) for row in range(deepest)], PAPER, LINE, 0.4)
        place.rectangles([(bank * cell, row * high, cell, high) for bank, words in enumerate(self.rows_of(access)) for row in range(len(words))],
                         FIRST, INK, 0.25)

    def describe(self):
        where = f"of block {self.block}" if self.block else "of the first block"
        return f"The first warp {where} of {self.name}. " + ". ".join(f"{words}: {self.said(access)}" for access, words in self.accesses()) + "."


def bandwidth_bars(canvas, rows, marks, most, x_label, left=2.15):
    """Rows (name, GB/s) as bars with their values, and marks (GB/s, name, side) as lines with names above."""
    axes = rows_axes(canvas, [name for name, _ in rows], x_label, left=left, top=0.32, right=0.3, row=0.25)
    bars(axes, list(range(len(rows))), [value for _, value in rows], FIRST)
    for row, (_, value) in enumerate(rows):
        inside = value > 0.6 * most  # where the marks are
        axes.annotate(f"{value:.0f}", (value, row), (-5 if inside else 4, 0), textcoords="offset points", va="center",
                      ha="right" if inside else "left", fontsize=8, color=PAPER if inside else INK)
    axes.set_xlim(0, most)
    for value, name, side in marks:
        axes.axvline(value, color=MARK, linewidth=1.4)
        axes.annotate(name, (value, -0.5), (0, 3), textcoords="offset points", ha=side, va="bottom", fontsize=8)


def bandwidth_bars_height(count):
    return 0.32 + 0.25 * count + 0.45
