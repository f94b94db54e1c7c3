"""What the instructions of a warp do: memory, exchange between threads, arithmetic in double precision, all else."""

from reports.figure import FIRST, INK, SECOND, SHADE, THIRD, bars, patch, rows_axes, rows_height
from reports.text import percent_text, rate_text

TITLE = "Instructions for 32 elements"
QUESTION = "How many instructions does a stage need, and for what?"
ORDER = 10
SUBJECT = "result"
SECTION = "limits"
IS_BAR_A_STAGE = True
KINDS = (
    ("global memory", FIRST, ("global_load_requests", "global_store_requests", "global_atomic_requests",
                              "wide_copy_requests", "local_requests")),
    ("shared memory", THIRD, ("shared_load_requests", "shared_store_requests", "shared_atomic_requests")),
    ("barriers and shuffles", SECOND, ("barriers", "shuffles")),
    ("double precision", INK, ("double_instructions",)),
)
REST = "all else: addresses, tests, arithmetic"


def counted(result):
    return [stage for stage in result.stages if stage.counters.get("elements") and stage.counters.get("warp_instructions")]


def shares(stage):
    """(kind, colour, instructions for 32 elements), the rest last."""
    counters = stage.counters
    numbers = [sum(counters.get(name) or 0 for name in names) for _, _, names in KINDS]
    numbers.append(max(0, counters["warp_instructions"] - sum(numbers)))
    kinds = [*((words, colour) for words, colour, _ in KINDS), (REST, SHADE)]
    return [(words, colour, 32 * number / counters["elements"]) for (words, colour), number in zip(kinds, numbers)]


def height(result):
    return rows_height(len(counted(result)), top=0.5) if counted(result) else 0


def draw(canvas, result):
    stages = counted(result)
    axes = rows_axes(canvas, [stage.label for stage in stages], "instructions of a warp for 32 elements", left=2.0,
                     top=0.5, right=0.45)
    left, keys = [0] * len(stages), []
    for parts in zip(*map(shares, stages)):
        (words, colour, _), values = parts[0], [value for _, _, value in parts]
        bars(axes, list(range(len(stages))), values, colour, left=left)
        left = [start + value for start, value in zip(left, values)]
        if any(values):
            keys.append(patch(colour, words))
    for row, value in enumerate(left):
        axes.annotate(rate_text(value), (value, row), (4, 0), textcoords="offset points", va="center", fontsize=7.5)
    axes.set_xlim(left=0)
    canvas.legend(keys, columns=3)


def describe(result):
    told = []
    for stage in counted(result):
        parts = [part for part in shares(stage) if part[2]]
        whole = sum(value for _, _, value in parts)
        told.append(f"{stage.label}: {rate_text(whole)}, of these "
                    + ", ".join(f"{percent_text(value / whole)} {words}" for words, _, value in parts))
    return told


def missing(result):
    if any(stage.counters for stage in result.stages):
        return "This result does not say how many elements its counters are for: check the files again."
    return "No stage has counters: none ran on its technique shape."
