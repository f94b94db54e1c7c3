"""A warp that reads a row, and one that reads a column: the copy of stage 0, and the same with its threads exchanged."""

from handouts import drawing, program

COPY = "assignments/transpose/0_copy.cu"
EXCHANGED = (("BLOCK_ROWS = 8", "BLOCK_ROWS = 32"), ("BLOCK_COLS + threadIdx.x", "BLOCK_COLS + threadIdx.y"),
             ("BLOCK_ROWS + threadIdx.y", "BLOCK_ROWS + threadIdx.x"))
COLUMNS = 1024


def loads():
    return (program.accesses(COPY, "global", "read")[0],
            program.accesses(COPY, "global", "read", stage="transpose/copy", edits=EXCHANGED)[0])


def height():
    return drawing.two_matrices_height()


def draw(canvas):
    row, column = loads()
    drawing.two_matrices(canvas, ("threadIdx.x along a row", [row], COLUMNS),
                         ("threadIdx.x down a column", [column], COLUMNS))


def describe():
    row, column = loads()
    return ("What one warp reads of a matrix of 1024 columns. Neighbouring threads on neighbouring elements: "
            f"{drawing.sectors_text(row)}. Neighbouring threads below each other: {drawing.sectors_text(column)}.")
