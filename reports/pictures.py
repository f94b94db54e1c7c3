"""Pictures of one access of a warp, drawn into a canvas: 32-byte sectors of global memory, banks of shared memory."""

from reports import warp
from reports.figure import FIRST, INK, LINE, MARK, ON_SECOND, PAPER, SECOND, SHADE, SOFT

PER_ROW = 8  # sectors
SECTOR_GAP = 0.1
SECTOR_ROW, BANK_CELL = 0.36, 0.15
LANES_ROW, CAPTION = 0.2, 0.34
MOST_SECTOR_ROWS, NUMBERED_BANK_ROWS = 4, 4
SMALLEST = 5.2  # points, of the numbers in cells


def height(access):
    """Inches that the picture of an access takes, its caption included."""
    tall = CAPTION + (LANES_ROW if len(access.lanes) < warp.LANES else 0)
    if access.space == "global":
        return tall + SECTOR_ROW * min(-(-len(warp.sectors(access)) // PER_ROW), MOST_SECTOR_ROWS) + 0.08
    return tall + bank_cell(access) * deepest(access) + 0.34


def deepest(access):
    return max([len(words) for words in warp.banks(access)] + [1])


def bank_cell(access):
    return BANK_CELL if deepest(access) <= NUMBERED_BANK_ROWS else 0.042


def draw(canvas, access):
    caption(canvas, access)
    top = CAPTION
    if len(access.lanes) < warp.LANES:
        lanes_row(canvas, access, top)
        top += LANES_ROW
    (draw_sectors if access.space == "global" else draw_banks)(canvas, access, top)


def caption(canvas, access):
    verb = {"read": "reads", "write": "writes", "atomic": "updates"}.get(access.kind, access.kind)
    units = f"{access.units} {access.unit}{'' if access.units == 1 else 's'}"
    few = access.units <= access.least
    canvas.text(0, 0, f"line {access.line}: the warp {verb} `{access.buffer}`", fontsize=8.5, weight="bold")
    canvas.text(0, 0.155, units + (", as few as can be" if few else f"; {access.least} would do"), fontsize=8,
                color=INK if few else MARK, weight="normal" if few else "bold")
    if access.likes > 1:
        lanes = f", {access.lanes_to} to {len(access.lanes)} lanes" if access.lanes_to < len(access.lanes) else ""
        canvas.text(canvas.width, 0.155, f"{'one' if few else 'the worst'} of {access.likes}{lanes}", ha="right", fontsize=7.5, color=SOFT)


def lanes_row(canvas, access, top):
    """Which of the 32 lanes take part."""
    width = min(canvas.width, 3.2)
    place = canvas.part(0, top, canvas.width, LANES_ROW)
    left, step = 0.45, (width - 0.45) / warp.LANES
    place.text(0, 0.06, "lanes", fontsize=7, va="center", color=SOFT)
    place.rectangles([(left + lane * step, 0.01, step * 0.86, 0.1) for lane in range(warp.LANES)
                   if lane not in access.lanes], PAPER)
    place.rectangles([(left + lane * step, 0.01, step * 0.86, 0.1) for lane in access.lanes], FIRST)
    place.text(left + width - 0.4, 0.06, f"{len(access.lanes)} active", fontsize=7, va="center", color=SOFT)


def draw_sectors(canvas, access, top):
    """Boxes of 32 bytes with 8 words each; a word that a lane touches is filled."""
    found = warp.sectors(access)
    shown = found if len(found) <= PER_ROW * MOST_SECTOR_ROWS else found[:PER_ROW * MOST_SECTOR_ROWS]
    columns = min(PER_ROW, max(len(shown), 4))
    pitch = canvas.width / PER_ROW if columns == PER_ROW else min(canvas.width / columns, 1.3)
    place = canvas.part(0, top, canvas.width, SECTOR_ROW * -(-len(shown) // PER_ROW) + 0.08)
    box, cell = pitch - SECTOR_GAP, (pitch - SECTOR_GAP) / 8
    used, empty, frames = [], [], []
    for index, (address, words) in enumerate(shown):
        x, y = index % PER_ROW * pitch, index // PER_ROW * SECTOR_ROW + 0.02
        frames.append((x, y, box, 0.15))
        for word in range(8):
            (used if word in words else empty).append((x + word * cell, y, cell, 0.15))
        lanes = warp.lanes_text({lane for lane, where in access.addresses.items()
                                 if where < address + warp.SECTOR_BYTES and where + access.width > address})
        follows = index and shown[index - 1][0] + warp.SECTOR_BYTES == address
        if not follows or columns < PER_ROW:
            place.text(x, y + 0.17, f"{address}", fontsize=6, va="top", color=SOFT)
        place.text(x + box, y + 0.17, lane_label(lanes, bool(index)), fontsize=6, va="top", ha="right", color=INK)
        if index % PER_ROW and not follows:
            place.line(x - SECTOR_GAP / 2, y - 0.01, x - SECTOR_GAP / 2, y + 0.16, color=MARK, linewidth=1, linestyle=":")
    place.rectangles(empty, PAPER, LINE)
    place.rectangles(used, FIRST if access.units <= access.least else SECOND)
    place.rectangles(frames, "none", INK, 0.8)
    if len(shown) < len(found):
        canvas.text(canvas.width, 0, f"{len(found) - len(shown)} more sectors not drawn", ha="right", fontsize=7)


def lane_label(lanes, was_said):
    """Which lanes; the plural, which is long, is said once."""
    word = "lane " if lanes.isdigit() else "" if was_said else "lanes "
    return "" if len(lanes) > 9 else word + lanes


def draw_banks(canvas, access, top):
    """32 columns; each cell is a word that the bank has to give, with the lane that wants it."""
    columns, rows, cell = warp.banks(access), deepest(access), bank_cell(access)
    place = canvas.part(0, top, canvas.width, cell * rows + 0.34)
    left, step = 0.45, (canvas.width - 0.45) / warp.BANKS
    numbered = rows <= NUMBERED_BANK_ROWS and step >= 0.14
    place.text(0, 0.05, "bank", fontsize=7, va="center", color=SOFT)
    for bank in range(0, warp.BANKS, 4 if step < 0.16 else 2):
        place.text(left + (bank + 0.5) * step, 0.05, str(bank), fontsize=6, ha="center", va="center", color=SOFT)
    used, empty = [], []
    for bank, words in enumerate(columns):
        for row in range(rows):
            (used if row < len(words) else empty).append(
                (left + bank * step, 0.12 + row * cell, step * 0.94, cell * 0.94))
        if numbered:
            for row, lane in enumerate(words.values()):
                place.text(left + (bank + 0.47) * step, 0.12 + (row + 0.47) * cell, str(lane), fontsize=SMALLEST,
                          ha="center", va="center", color=PAPER if access.units <= access.least else ON_SECOND)
    place.rectangles(empty, SHADE if rows <= NUMBERED_BANK_ROWS else PAPER, LINE if rows <= NUMBERED_BANK_ROWS else LINE,
            0.3)
    place.rectangles(used, FIRST if access.units <= access.least else SECOND, INK, 0.4)
    note = "the number is the lane that wants the word" if numbered else \
        f"each cell is a 4-byte word; {rows} words of one bank take turns"
    place.text(left, 0.12 + rows * cell + 0.05, note, fontsize=7, va="top", color=SOFT)
