"""Bandwidth of each stage against its reference, the band that earns marks, and the copy."""

from reports.figure import FIRST, INK, LINE, MARK, SHADE, SOFT, bars, origin_keys, patch, rows_axes, stroke
from reports.missing import no_bandwidth
from reports.text import percent_text, rate_text, shape_text

TITLE = "Bandwidth by stage"
QUESTION = "How fast is each stage, beside its reference, the band and the copy?"
ORDER = 2
SUBJECT = "result"
SECTION = "bandwidth"
IS_BAR_A_STAGE = True
ROW, HEAD, FOOT = 0.3, 0.26, 0.5


def groups(result):
    """[(assignment, its stages)] where a stage of it has a bandwidth."""
    names = list(dict.fromkeys(stage.assignment for stage in result.stages))
    found = [(name, [stage for stage in result.stages if stage.assignment == name]) for name in names]
    return [(name, stages) for name, stages in found if any(stage.bandwidth for stage in stages)]


def height(result):
    return sum(HEAD + ROW * len(stages) + FOOT for _, stages in groups(result)) + 0.3 if groups(result) else 0


def draw(canvas, result):
    origins = {stage.origin for stage in result.stages if stage.bandwidth}
    canvas.legend([*origin_keys(origins), stroke(MARK, "reference"), patch(SHADE, "band: none to full marks"),
                   stroke(INK, yardsticks(result), linewidth=1.2)], columns=5)
    top = 0.3
    for assignment, stages in groups(result):
        tall = HEAD + ROW * len(stages) + FOOT
        draw_group(canvas.part(0, top, canvas.width, tall), assignment, stages)
        top += tall


def yardsticks(result):
    """What the thin line is."""
    kinds = {stage.bandwidth.yardstick for stage in result.stages if stage.bandwidth}
    words = {"copy": "copy of the same bytes", "FMA loop": "FMA loop of as many operations"}
    return " or ".join(words[kind] for kind in sorted(kinds))


def draw_group(canvas, assignment, stages):
    axes = rows_axes(canvas, [stage.id if stage.label == stage.name else stage.label.split("/", 1)[1]
                              for stage in stages], next(stage.bandwidth.unit for stage in stages if stage.bandwidth), left=1.35, top=HEAD, right=1.3, row=ROW)
    canvas.text(0, 0.02, assignment, weight="bold", fontsize=9)
    points = [stage.bandwidth for stage in stages]
    most = max(value for point in points if point
               for value in map(point.in_unit, (point.gb_per_s, point.copy_gb_per_s, point.reference_gb_per_s)) if value)
    for row, (stage, point) in enumerate(zip(stages, points)):
        if not point:
            axes.annotate("not timed" if stage.is_graded else "not graded, not timed", (0, row), (4, 0),
                          textcoords="offset points", va="center", fontsize=7.5, color=SOFT)
            continue
        reference, copy = point.in_unit(point.reference_gb_per_s), point.in_unit(point.copy_gb_per_s)
        if reference and stage.band:
            none, full = stage.band.get("none", 0) * reference, stage.band.get("full", 0) * reference
            axes.barh(row, full - none, left=none, height=0.92, color=SHADE, edgecolor=LINE, linewidth=0.5, zorder=0.5)
        if copy:
            axes.vlines(copy, row - 0.46, row + 0.46, color=INK, linewidth=1.2, zorder=3)
        if not point.is_usable:
            axes.annotate(unusable(point), (0, row), (4, 0), textcoords="offset points", va="center", fontsize=7.5,
                          color=MARK, weight="bold")
            continue
        bars(axes, [row], [point.rate], FIRST, height=0.5, origin=point.origin)
        if point.interval:
            low, high = point.interval
            axes.hlines(row, low, high, color=INK, linewidth=1, zorder=5)
            axes.vlines([low, high], row - 0.12, row + 0.12, color=INK, linewidth=1, zorder=5)
        if reference:
            axes.vlines(reference, row - 0.4, row + 0.4, color=MARK, linewidth=2.4, zorder=4)
        axes.annotate(f"{rate_text(point.rate)}, {percent_text(point.share_of_copy)} of {point.yardstick}", (1.01, row),
                      xycoords=("axes fraction", "data"), va="center", fontsize=7.5)
    axes.set_xlim(0, most * 1.02)


def between(point):
    return f", 95 % interval {rate_text(point.interval[0])} to {rate_text(point.interval[1])}" \
        if point.interval else ""


def unusable(point):
    """Why there is no bar."""
    if point.verdict == "impossible":
        return f"{rate_text(point.rate)} {point.unit} is impossible: a person has to look"
    return f"not timed: {point.detail or point.verdict.replace('_', ' ')}"


def describe(result):
    said = []
    for stage in result.stages:
        point = stage.bandwidth
        if point:
            said.append(f"{stage.label}: {rate_text(point.rate)} {point.unit} {point.origin} at {shape_text(point.shape)}, "
                        f"{percent_text(point.share_of_reference)} of the reference, "
                        f"{percent_text(point.share_of_copy)} of the {point.yardstick}" + between(point)
                        + ("" if point.verdict == "ok" else f", {point.verdict}"))
    return said


def missing(result):
    return no_bandwidth(result)
