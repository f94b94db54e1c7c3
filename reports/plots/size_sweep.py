"""Bandwidth over the size of the problem: where it takes off, and where it levels out."""

import math

from matplotlib.lines import Line2D

from reports import sweep
from reports.figure import INK, MARK, origin_keys, stroke
from reports.missing import no_sweep
from reports.text import rate_text, scaled_text

TITLE = "Bandwidth over size"
QUESTION = "From which size on does a stage reach its bandwidth, and what do odd and thin shapes cost?"
ORDER = 4
SUBJECT = "result"
SECTION = "bandwidth"
IS_BAR_A_STAGE = False
OTHER = {"odd": "x", "thin": "+", "small": "."}


def one_block_size(stage):
    """The points of the block size that was swept over sizes: the one with the most of them."""
    points = [point for point in stage.sweep if point.is_usable and point.elements]
    sizes = [point.threads for point in points]
    usual = max(set(sizes), key=lambda size: (sizes.count(size), size is None, size or 0)) if sizes else None
    return [point for point in points if point.threads == usual]


def stages_swept(result):
    return [stage for stage in result.stages if len({point.elements for point in one_block_size(stage)}) >= 2]


def height(result):
    return sweep.panels_height(len(stages_swept(result)))


def exponent(point):
    return math.log2(point.elements)


def draw(canvas, result):
    stages = stages_swept(result)
    points = [point for stage in stages for point in one_block_size(stage)]
    others = {point.shape_class for point in points} & set(OTHER)
    keys = origin_keys({point.origin for point in points}, as_bars=False)
    keys.append(stroke(INK, "copy of the same bytes", linewidth=1))
    keys += [Line2D([], [], linestyle="none", marker=OTHER[name], color=MARK, label=f"{name} shapes")
             for name in OTHER if name in others]
    canvas.legend(keys, columns=6)
    canvas.text(0, 0.26, "GB/s over the number of elements", fontsize=7.5)
    low, high = math.floor(min(map(exponent, points))), math.ceil(max(map(exponent, points)))
    step = max(2, -(-(high - low) // 3))
    for stage, axes in sweep.panels(canvas, stages):
        its = sorted(one_block_size(stage), key=exponent)
        square = [point for point in its if point.shape_class not in others]
        sweep.yardstick(axes, square, exponent)
        sweep.line(axes, square, exponent)
        for name in others:
            odd = [point for point in its if point.shape_class == name]
            axes.plot([exponent(point) for point in odd], [point.gb_per_s for point in odd], linestyle="none",
                      marker=OTHER[name], color=MARK, markersize=5)
        axes.set_xlim(low - 0.5, high + 0.5)
        axes.set_xticks(range(low, high + 1, step), [f"2^{power}" for power in range(low, high + 1, step)])
        axes.set_ylim(0, sweep.nice_limit([value for point in its
                                           for value in (point.gb_per_s, point.copy_gb_per_s) if value]))


def describe(result):
    said = []
    for stage in stages_swept(result):
        its = sorted(one_block_size(stage), key=exponent)
        best = max(its, key=lambda point: point.gb_per_s)
        said.append(f"{stage.label}: from {rate_text(its[0].gb_per_s)} GB/s at {scaled_text(its[0].elements, '')} "
                    f"elements to {rate_text(its[-1].gb_per_s)} GB/s at {scaled_text(its[-1].elements, '')}, best "
                    f"{rate_text(best.gb_per_s)} GB/s, {best.origin}")
    return said


def missing(result):
    return no_sweep(result)
