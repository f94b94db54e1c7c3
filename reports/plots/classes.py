"""Share of the copy, or of the FMA loop, on each class of shapes: aligned, odd, thin, small."""

from reports.bench import CLASSES
from reports.figure import FIRST, INK, SOFT, bars, origin_keys
from reports.missing import no_bandwidth
from reports.text import percent_text

TITLE = "Share of the copy or the FMA loop by class of shape"
QUESTION = "Which shapes cost a stage its bandwidth?"
ORDER = 3
SUBJECT = "result"
SECTION = "bandwidth"
IS_BAR_A_STAGE = True
ROW, HEAD, FOOT, LEFT = 0.24, 0.5, 0.42, 2.0


def stages_with_classes(result):
    return [stage for stage in result.stages if stage.by_class]


def classes_of(result):
    found = {point.shape_class for stage in stages_with_classes(result) for point in stage.by_class}
    return [name for name in CLASSES if name in found]


def height(result):
    stages = stages_with_classes(result)
    return HEAD + ROW * len(stages) + FOOT if stages else 0


def draw(canvas, result):
    stages, classes = stages_with_classes(result), classes_of(result)
    canvas.legend(origin_keys({point.origin for stage in stages for point in stage.by_class}))
    width = (canvas.width - LEFT) / len(classes)
    for column, name in enumerate(classes):
        axes = canvas.axes(LEFT + column * width, HEAD, width - 0.42, ROW * len(stages))
        axes.set_title(name, pad=3, fontsize=8.5)
        axes.set_ylim(len(stages) - 0.5, -0.5)
        axes.set_yticks(range(len(stages)), [stage.label for stage in stages] if column == 0 else [])
        axes.tick_params(axis="y", length=0)
        axes.set_xlim(0, 1.05)
        axes.set_xticks([0, 0.5, 1], ["0", "50 %", "100 %"])
        axes.grid(axis="x")
        axes.spines["left"].set_visible(False)
        for row, stage in enumerate(stages):
            point = next((point for point in stage.by_class if point.shape_class == name), None)
            share = point.share_of_copy if point and point.is_usable else None
            if share:
                bars(axes, [row], [share], FIRST, origin=point.origin)
                words = percent_text(share) + ("" if point.verdict == "ok" else f" {point.verdict}")
            else:
                words = "impossible" if point and point.verdict == "impossible" else "not timed"
            axes.annotate(words, (share or 0, row), (3, 0), textcoords="offset points", va="center", fontsize=7,
                          annotation_clip=False, color=INK if share else SOFT)


def describe(result):
    said = []
    for stage in stages_with_classes(result):
        parts = [f"{point.shape_class} {percent_text(point.share_of_copy)} {point.origin}"
                 + (f", {point.verdict}" if point.verdict != "ok" else "") for point in stage.by_class]
        said.append(f"{stage.label}: {', '.join(parts)}")
    return said


def missing(result):
    return no_bandwidth(result)
