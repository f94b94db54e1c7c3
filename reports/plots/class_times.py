"""When the class handed in: students by day or hour of what counts of them, and how many had by then."""

import math
from collections import Counter
from datetime import datetime, timedelta

from matplotlib.ticker import MaxNLocator

from reports.figure import FIRST, INK, SECOND, patch, stroke
from reports.text import counted

TITLE = "Submissions over time"
QUESTION = "When did students hand in?"
ORDER = 1.5
SUBJECT = "class"
MOST_BARS = 60
STEPS = tuple(timedelta(hours=hours) for hours in (1, 3, 6, 12, 24, 72, 168, 672))


def times(made):
    """[(time of the last hand-in that counts, is late)], one a student of whom it is known."""
    found = []
    for one in made.known:
        its = [time for time in (time_of(hand_in.get("time")) for hand_in in one.get("from") or []) if time]
        if its and not one.get("role"):
            found.append((max(its), bool(one.get("late"))))
    return sorted(found)


def time_of(text):
    """ "2025-11-04 01:59:00" or "... UTC"; None for anything else."""
    try:
        return datetime.strptime((text or "").removesuffix(" UTC"), "%Y-%m-%d %H:%M:%S")
    except ValueError:
        return None


def bins(made):
    """(start of the first, length, in time by bin, late by bin)."""
    found = times(made)
    first, last = found[0][0], found[-1][0]
    step = next((step for step in STEPS if (last - first) / step < MOST_BARS), None) or STEPS[-1] * math.ceil(
        (last - first) / STEPS[-1] / MOST_BARS)
    start = datetime(first.year, first.month, first.day)
    start += math.floor((first - start) / step) * step
    count = int((last - start) / step) + 1
    placed = Counter((int((time - start) / step), late) for time, late in found)
    return start, step, [placed[index, False] for index in range(count)], [placed[index, True] for index in range(count)]


def height(made):
    return 2.9 if len({time for time, _ in times(made)}) > 1 else 0


def draw(canvas, made):
    start, step, in_time, late = bins(made)
    axes = canvas.axes(0.55, 0.3, canvas.width - 1.2, 2.05)
    places = [index + 0.5 for index in range(len(in_time))]
    for values, colour, below in ((in_time, FIRST, 0), (late, SECOND, in_time)):
        axes.bar(places, values, bottom=below, width=0.92, color=colour, edgecolor=INK, linewidth=0.5)
    axes.set(xlim=(0, len(in_time)), ylabel="students")
    axes.margins(y=0.08)
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.grid(axis="y")
    ticks = range(0, len(in_time) + 1, max(1, math.ceil(len(in_time) / 6)))
    axes.set_xticks(list(ticks), [label(start + tick * step, step) for tick in ticks], fontsize=7)
    total, so_far = 0, []
    for one in zip(in_time, late):
        total += sum(one)
        so_far.append(total)
    beside = axes.twinx()
    beside.step(range(len(so_far) + 1), [0, *so_far], where="post" if len(so_far) == 1 else "pre", color=INK, linewidth=1.4)
    beside.set_ylim(0, total * 1.08)
    beside.set_ylabel("by then, all students")
    beside.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    canvas.legend([patch(FIRST, "not late, as far as is known"), *([patch(SECOND, "late")] if any(late) else []),
                   stroke(INK, "by then", linewidth=1.4)])


def label(time, step):
    return f"{time:%d %b}" if step >= timedelta(days=1) else f"{time:%d %b %H:%M}"


def describe(made):
    start, step, in_time, late = bins(made)
    return [f"from {label(start + index * step, step)}: {counted(on_time + after, 'student')}" + (f", {after} late" if after else "")
            for index, (on_time, after) in enumerate(zip(in_time, late)) if on_time + after]


def missing(made):
    return "Nothing says when hand-ins came in: names and tables of learning platforms do, plain folders do not."
