"""Eight numbers summed by the trees of reduction stages 1 to 3, step by step: the values, and which thread adds."""

from reports.figure import FIRST, INK, LINE, PAPER, SOFT

NUMBERS = (5, 2, 8, 1, 4, 7, 3, 6)
CELL, DEEP, STEP = 0.225, 0.22, 0.5
TOP = 0.42


def interleaved(values, s):
    return [(tid, tid, tid + s) for tid in range(len(values)) if tid % (2 * s) == 0]


def strided(values, s):
    return [(tid, 2 * s * tid, 2 * s * tid + s) for tid in range(len(values)) if 2 * s * tid < len(values)]


def sequential(values, s):
    return [(tid, tid, tid + s) for tid in range(s)]


STAGES = (("1 interleaved", interleaved, (1, 2, 4)), ("2 strided", strided, (1, 2, 4)), ("3 sequential", sequential, (4, 2, 1)))


def steps(adds, distances):
    """[(s, [(thread, element, other)], values after the step)]"""
    values, all_steps = list(NUMBERS), []
    for s in distances:
        made = adds(values, s)
        values = list(values)
        for _, element, other in made:
            values[element] += values[other]
        all_steps.append((s, made, values))
    return all_steps


def height():
    return TOP + DEEP + 3 * STEP + 0.62


def row(canvas, left, top, values, dark=()):
    for i, value in enumerate(values):
        is_dark = i in dark
        canvas.rectangles([(left + i * CELL, top, CELL, DEEP)], FIRST if is_dark else PAPER, INK if is_dark else LINE, 0.6)
        canvas.text(left + (i + 0.5) * CELL, top + DEEP / 2, str(value), fontsize=7.5, ha="center", va="center",
                    color=PAPER if is_dark else INK)


def draw(canvas):
    gap = (canvas.width - 0.3 - 3 * 8 * CELL) / 2
    for number, (title, adds, distances) in enumerate(STAGES):
        left = 0.3 + number * (8 * CELL + gap)
        canvas.text(left, 0, title, fontsize=9, weight="bold")
        canvas.text(left, 0.2, "partial[0] to partial[7]", fontsize=7.5, color=SOFT)
        row(canvas, left, TOP, NUMBERS)
        for line, (s, made, values) in enumerate(steps(adds, distances)):
            top = TOP + DEEP + line * STEP + (STEP - DEEP)
            canvas.text(left - 0.06, top + DEEP / 2, f"s={s}", fontsize=7, ha="right", va="center", color=SOFT)
            for tid, element, other in made:
                canvas.line(left + (other + 0.5) * CELL, top - (STEP - DEEP), left + (element + 0.5) * CELL + 0.04, top, color=SOFT, linewidth=0.8)
                canvas.line(left + (element + 0.5) * CELL, top - (STEP - DEEP), left + (element + 0.5) * CELL, top, color=SOFT, linewidth=0.8)
                canvas.text(left + (element + 0.5) * CELL - 0.03, top - 0.1, f"t{tid}", fontsize=6.5, ha="right", va="center", color=INK,
                            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4})
            row(canvas, left, top, values, {element for _, element, _ in made})
    canvas.text(0.3, height() - 0.34, f"t0, t1 ...: the thread that makes the addition. Dark: the element that it changes. All end with {sum(NUMBERS)} in\n"
                "partial[0]; the other elements hold what is left of the steps before.", fontsize=7.5, color=SOFT, linespacing=1.3)


def describe():
    texts = []
    for title, adds, distances in STAGES:
        told = "; ".join(f"s = {s}: " + ", ".join(f"t{tid} makes element {element} {values[element]}" for tid, element, _ in made)
                         for s, made, values in steps(adds, distances))
        texts.append(f"{title}: {told}.")
    return f"The numbers {', '.join(map(str, NUMBERS))} summed to {sum(NUMBERS)} by three trees. " + " ".join(texts)
