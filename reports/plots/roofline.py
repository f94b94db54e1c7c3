"""The roofline of kernels that only move data: GB/s over the bytes that a warp instruction moves.

A kernel cannot move bytes faster than the copy (the flat roof), nor faster than the schedulers issue its instructions
(the slope): four warp instructions a cycle on each multiprocessor of compute capability 7.0 to 9.0 (CUDA C++ Programming
Guide, section "Compute Capabilities"). Bytes are the problem's useful_bytes, so wasted sectors lower a point and
wasted instructions move it to the left.
"""

import math

from matplotlib.ticker import FuncFormatter, NullLocator

from reports.bench import over
from reports.figure import (FIRST, INK, MARKER, ON_SECOND, PAPER, SECOND, SOFT, THIRD, origin_keys, stroke)
from reports.missing import bandwidth_command, no_bandwidth
from reports.text import rate_text

from matplotlib.lines import Line2D

TITLE = "Roofline"
QUESTION = "Is a stage held back by memory, by instructions, or by neither?"
ORDER = 3.5
SUBJECT = "result"
SECTION = "limits"
IS_BAR_A_STAGE = False
SCHEDULERS = 4
COLOUR = (FIRST, SECOND, THIRD)  # of the first assignments; those after them share one, and numbers tell them apart
OTHERS = SOFT
NAMES_FROM, NAME_HEIGHT = 0.55, 0.17  # of the list beside the axes


def bytes_an_instruction(stage):
    """Bytes that the problem must move, as it counts them, over warp instructions; None where the JSON has not both."""
    return over(stage.counters.get("useful_bytes"), stage.counters.get("warp_instructions"))


def placed(result):
    """[(stage, bytes an instruction, point)] of the stages that are compared with the copy"""
    return [(stage, bytes_an_instruction(stage), stage.bandwidth) for stage in timed(result)
            if stage.bandwidth.yardstick == "copy" and bytes_an_instruction(stage)]


def timed(result):
    return [stage for stage in result.stages if stage.bandwidth and stage.bandwidth.is_usable]


def issue_rate(result):
    """Warp instructions a second, in G; None where the result does not say how large the device is."""
    device = result.device
    if not device.get("multiprocessors") or not device.get("sm_clock_mhz"):
        return None
    return device["multiprocessors"] * SCHEDULERS * device["sm_clock_mhz"] / 1000


def height(result):
    found = placed(result)
    return max(4.3, NAMES_FROM + NAME_HEIGHT * len(found)) if found else 0


def draw(canvas, result):
    found = placed(result)
    assignments = list(dict.fromkeys(stage.assignment for stage, _, _ in found))
    colours = dict(zip(assignments, COLOUR))
    axes = canvas.axes(0.6, 0.55, canvas.width - 2.35, 3.2)
    axes.set(xscale="log", yscale="log", xlabel="useful bytes a warp instruction", ylabel="GB/s")
    xs, ys = [x for _, x, _ in found], [point.gb_per_s for _, _, point in found]
    low, high = min(xs) / 1.8, max(xs) * 2.5
    roofs = {name: max((point.copy_gb_per_s or 0) for stage, _, point in found if stage.assignment == name)
             for name in assignments}
    issue = issue_rate(result)
    peak = result.device.get("dram_peak_gb_per_s")
    for name, roof in roofs.items():
        if roof:
            knee = roof / issue if issue else low
            axes.plot([max(low, knee), high], [roof, roof], color=INK, linewidth=1.4)
    if issue:
        top = peak or max(roofs.values())
        axes.plot([low, top / issue], [low * issue, top], color=INK, linewidth=1.4)
    if peak:
        axes.plot([max(low, peak / issue) if issue else low, high], [peak, peak], color=SOFT, linewidth=0.8)
        axes.annotate(f"peak of the memory {rate_text(peak)}", (high, peak), (0, 2), textcoords="offset points",
                      ha="right", fontsize=7, color=SOFT)
    for number, (stage, x, point) in enumerate(found, 1):
        modelled = point.origin == "modelled"
        colour = colours.get(stage.assignment, OTHERS)
        axes.plot(x, point.gb_per_s, marker=MARKER[point.origin], markersize=11, linestyle="none", color=colour,
                  markerfacecolor=PAPER if modelled else colour, markeredgecolor=INK if not modelled else colour,
                  markeredgewidth=1.6 if modelled else 0.6, zorder=3 + number)
        axes.annotate(str(number), (x, point.gb_per_s), ha="center", va="center_baseline", fontsize=6.5, zorder=3.5 + number,
                      color=PAPER if colour in (FIRST, OTHERS) and not modelled else INK if modelled else ON_SECOND)
    axes.set_xlim(low, high)
    axes.set_ylim(min(ys) / 1.8, max([*roofs.values(), *ys, peak or 0]) * 1.5)
    for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        axis.set_minor_locator(NullLocator())
        axis.set_ticks([tick for tick in ticks(*limits)])
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlim(low, high)
    axes.grid()
    place_names(canvas, found)
    keys = [*origin_keys({point.origin for _, _, point in found}, as_bars=False)]
    for key in keys:
        key.set_linestyle("none")
    keys += [Line2D([], [], linestyle="none", marker="s", color=colour, label=name)
             for name, colour in [*colours.items(), *([("others", OTHERS)] if len(assignments) > len(colours) else [])]]
    keys.append(stroke(INK, "roofs: the copy" + (", the issue rate" if issue else ""), linewidth=1.4))
    canvas.legend(keys, columns=5)


def ticks(low, high):
    """1, 2 and 5 times powers of ten within the limits, thinned to a handful."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found = [step * 10.0 ** power for power in powers for step in (1, 2, 5) if low <= step * 10.0 ** power <= high]
    return found if len(found) <= 9 else [tick for tick in found if f"{tick:e}"[0] == "1"]


def place_names(canvas, found):
    """Which number is which stage, beside the axes."""
    for number, (stage, _, point) in enumerate(found, 1):
        canvas.text(canvas.width - 1.65, NAMES_FROM + NAME_HEIGHT * (number - 1), f"{number}  {stage.label}", fontsize=7)


def describe(result):
    said = [f"{stage.label}: {rate_text(point.gb_per_s)} GB/s {point.origin} at {rate_text(x)} useful bytes a warp "
            f"instruction" for stage, x, point in placed(result)]
    return said


def missing(result):
    if timed(result) and all(stage.bandwidth.yardstick != "copy" for stage in timed(result)):
        return "The stages of this result are held back by arithmetic, and this figure is about moving data."
    if any(stage.bandwidth and stage.counters for stage in result.stages):
        return ("This result does not say how many bytes its problems must move. This command checks the files again: "
                f"`{bandwidth_command(result)}`")
    return no_bandwidth(result)
