"""Bandwidth over the size of the block, on one shape: what more threads, and fewer elements a thread, cost or give."""

from reports import sweep
from reports.figure import FIRST, INK, bar_style, origin_keys, stroke
from reports.missing import no_sweep
from reports.text import rate_text, shape_text

TITLE = "Bandwidth over block size"
QUESTION = "How many threads a block suit a stage?"
ORDER = 5
SUBJECT = "result"
SECTION = "bandwidth"
IS_BAR_A_STAGE = False


def of_one_shape(stage):
    """The points of the shape for which most block sizes were run, the largest such; by block size."""
    points = [point for point in stage.sweep if point.is_usable and point.threads]
    shapes = {}
    for point in points:
        shapes.setdefault(tuple(point.shape), {})[point.threads] = point
    best = max(shapes.values(), key=lambda its: (len(its), next(iter(its.values())).elements or 0), default={})
    return [best[threads] for threads in sorted(best)] if len(best) >= 2 else []


def stages_swept(result):
    return [stage for stage in result.stages if of_one_shape(stage)]


def columns(result):
    return min(len(stages_swept(result)), 3)


def height(result):
    stages = stages_swept(result)
    return sweep.HEAD + -(-len(stages) // columns(result)) * (sweep.PANEL + sweep.GAP) if stages else 0


def draw(canvas, result):
    stages = stages_swept(result)
    canvas.legend([*origin_keys({point.origin for stage in stages for point in of_one_shape(stage)}),
                   stroke(INK, "copy of the same bytes", linewidth=1)])
    canvas.text(0, 0.26, "GB/s over threads a block", fontsize=7.5)
    for stage, axes in sweep.panels(canvas, stages, max(columns(result), 2)):
        points = of_one_shape(stage)
        axes.set_title(f"{stage.label}, {shape_text(points[0].shape)}", pad=4, fontsize=7.5, weight="normal")
        for place, point in enumerate(points):
            axes.bar(place, point.gb_per_s, width=0.62, **bar_style(point.origin, FIRST))
            axes.annotate(rate_text(point.gb_per_s), (place, point.gb_per_s), (0, 2), textcoords="offset points",
                          ha="center", fontsize=7)
            if point.copy_gb_per_s:
                axes.hlines(point.copy_gb_per_s, place - 0.5, place + 0.5, color=INK, linewidth=1)
        axes.set_xticks(range(len(points)), [str(point.threads) for point in points])
        axes.set_ylim(0, sweep.nice_limit([1.1 * value for point in points
                                           for value in (point.gb_per_s, point.copy_gb_per_s) if value]))


def describe(result):
    said = []
    for stage in stages_swept(result):
        points = of_one_shape(stage)
        each = ", ".join(f"{point.threads} threads {rate_text(point.gb_per_s)} GB/s" for point in points)
        said.append(f"{stage.label} at {shape_text(points[0].shape)}, {points[0].origin}: {each}")
    return said


def missing(result):
    return no_sweep(result)
