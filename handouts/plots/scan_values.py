"""Eight numbers scanned by scan stages 1 and 2, step by step: what each place of the array holds, and from where."""

from handouts.plots.tree_values import CELL, DEEP, STEP, TOP, row
from reports.figure import SOFT

NUMBERS = (5, 2, 8, 1, 4, 7, 3, 6)
WIDE = 8 * CELL


def hillis_steele():
    """[(words, [(place, [places it is made of])], values after the step)]"""
    values, steps = list(NUMBERS), []
    for s in (1, 2, 4):
        made = [(i, [i, i - s]) for i in range(s, len(values))]
        values = [sum(values[j] for j in dict(made).get(i, [i])) for i in range(len(values))]
        steps.append((f"s={s}", made, values))
    return steps


def blelloch():
    values, steps = list(NUMBERS), []
    for s in (1, 2, 4):
        made = [(last, [last, last - s]) for last in range(2 * s - 1, len(values), 2 * s)]
        for last, places in made:
            values[last] = sum(values[i] for i in places)
        steps.append((f"up {s}", made, list(values)))
    values[-1] = 0
    steps.append(("root", [(len(values) - 1, [])], list(values)))
    for s in (4, 2, 1):
        made = []
        for last in range(2 * s - 1, len(values), 2 * s):
            values[last - s], values[last] = values[last], values[last] + values[last - s]
            made += [(last - s, [last]), (last, [last, last - s])]
        steps.append((f"down {s}", made, list(values)))
    return steps


def inclusive(exclusive):
    return [before + own for before, own in zip(exclusive, NUMBERS)]


STAGES = (("1 hillis_steele", hillis_steele), ("2 blelloch", blelloch))
MOST = len(blelloch())


def height():
    return TOP + DEEP + MOST * STEP + 0.55


def draw(canvas):
    for number, (title, of) in enumerate(STAGES):
        left = 0.45 + number * (WIDE + 0.85)
        canvas.text(left, 0, title, fontsize=9, weight="bold")
        canvas.text(left, 0.2, "the array in shared memory", fontsize=7.5, color=SOFT)
        row(canvas, left, TOP, NUMBERS)
        for line, (words, made, values) in enumerate(of()):
            top = TOP + DEEP + line * STEP + (STEP - DEEP)
            canvas.text(left - 0.06, top + DEEP / 2, words, fontsize=7, ha="right", va="center", color=SOFT)
            for place, places in made:
                for other in places:
                    canvas.line(left + (other + 0.5) * CELL, top - (STEP - DEEP), left + (place + 0.5) * CELL, top, color=SOFT,
                                linewidth=0.8)
            row(canvas, left, top, values, {place for place, _ in made})
    canvas.text(0.05, height() - 0.3, "Dark: a place that the step changes, with lines from what it is made of. Left: the running sums. Right: what is before\n"
                "each number; with its own number added, the same.", fontsize=7.5, color=SOFT, linespacing=1.3, va="center")


def told(steps):
    return "; ".join(f"{words}: {', '.join(map(str, values))}" for words, _, values in steps)


def describe():
    assert inclusive(blelloch()[-1][2]) == hillis_steele()[-1][2]
    return (f"The numbers {', '.join(map(str, NUMBERS))}, scanned. " +
            " ".join(f"{title}, after each step: {told(of())}." for title, of in STAGES))
