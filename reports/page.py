"""Result -> one HTML file that needs nothing else: no network, no script, pictures inside."""

import re

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from reports import figure, heat, plots, sections, text
from reports.excerpt import excerpt
from reports.first import wrong_first
from reports.limits import active_lanes, limits, waits_text
from reports.losses import losses, together
from reports.places import replace_file
from reports.plots import before_after, marks, speedup, touches, worst_access
from reports.replay import card_text, replay_commands, replay_words

COUNTER_ROWS = (  # space, operation, unit
    ("global", "load", "sectors"),
    ("global", "store", "sectors"),
    ("global", "atomic", "sectors"),
    ("shared", "load", "wavefronts"),
    ("shared", "store", "wavefronts"),
    ("shared", "atomic", "wavefronts"),
)


def environment():
    """Templates escape everything: a submission's text is data."""
    env = Environment(loader=PackageLoader("reports"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    env.filters.update(shape=text.shape_text, arguments=text.arguments_text, number=text.number_text,
                       points=text.points_text, rate=text.rate_text, percent=text.percent_text, factor=text.factor_text,
                       scaled=text.scaled_text, seconds=text.seconds_text, code=code, breakable=breakable)
    env.globals.update(counted=text.counted)
    return env


def code(words):
    """`like this` in running text becomes <code>."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(words))))


def breakable(name):
    """A line may end after each underscore of an identifier."""
    return Markup("_<wbr>").join(name.split("_"))


class Pictures:
    """Draws a plot as inline SVG with its words; counts them, so that ids stay unique."""

    def __init__(self):
        self.count = 0

    def of(self, plot, subject, title=None):
        self.count += 1
        name = f"{plots.name_of(plot)}-{self.count}"
        picture = {"id": name, "name": plots.name_of(plot), "title": title or plot.TITLE, "question": plot.QUESTION}
        drawn = figure.make(plot, subject, target="page")
        if drawn is None:
            return {**picture, "missing": plot.missing(subject)}
        # matplotlib's SVG holds the submission's text escaped.
        return {**picture, "svg": Markup(figure.inline_svg(figure.to_svg(drawn), name)),
                "words": plot.describe(subject)}


def case_rows(stage):
    """(case, how many like it): cases that were skipped for the same reason are one row, and those without a shape."""
    rows = []
    for case in stage.cases:
        alike = (case.get("verdict"), case.get("detail"))
        is_listed = "shape" in case and not (alike[0] == "skipped" and alike[1])
        if not is_listed and rows and rows[-1][2] == alike:
            rows[-1] = (rows[-1][0], rows[-1][1] + 1, alike)
        else:
            rows.append((case, 1, None if is_listed else alike))
    return [(case, count) for case, count, _ in rows]


def bytes_counted(timed):
    """ "scan 8 and of reduction 4": of each assignment that was timed, the bytes that it counts for an element."""
    known = {stage.assignment: stage.bandwidth.bytes_an_element for stage in timed if stage.bandwidth.bytes_an_element}
    return text.joined(f"{name} {text.rate_text(count)}" for name, count in known.items()).replace(" and ", " and of ")


def stage_view(stage, result, pictures):
    """What the template of a stage needs beside the stage itself."""
    cases = case_rows(stage)
    view = {"stage": stage, "passing": [one for one in cases if one[0].get("verdict") == "pass"],
            "cases": [one for one in cases if one[0].get("verdict") != "pass"], "limits": [], "waits": "", "heat": heat.rows(stage), "lanes": active_lanes(stage.counters),
            "findings": [(finding, excerpt(stage, finding.get("line"), finding.get("column") or 0,
                                           finding.get("label") or "")) for finding in stage.findings],
            "messages": [(message, excerpt(stage, message.get("line"), message.get("column") or 0, around=1))
                         for message in stage.compile.get("diagnostics") or []],
            "touches": None, "before": None, "missing": ""}
    if not stage.is_correct:
        return view  # what a wrong kernel costs is no advice
    view.update(limits=limits(stage), waits=waits_text(stage))
    if stage.counters and not touches.height(stage):
        view["missing"] = touches.missing(stage)
    elif stage.counters:
        view["touches"] = pictures.of(touches, stage)
        before = result.stage_before(stage)
        # What a wrong kernel touches is no progress.
        if before and before.is_correct and before_after.height((before, stage)):
            view["before"] = pictures.of(before_after, (before, stage), f"Before and after: the step from {before.id}")
    return view


def picture_of(wrong, pictures):
    """The access that shows why a right kernel falls short."""
    is_drawn = wrong and wrong.stage.is_correct and worst_access.height(wrong.stage)
    return pictures.of(worst_access, wrong.stage) if is_drawn else None


def section_views(result, pictures):
    """Sections with something in them: their table counts where it has rows for several stages, or no picture says it."""
    views = []
    for name, title, drawn in sections.shown(result):
        has_table = any(stage.bandwidth for stage in result.stages) if name == "bandwidth" else \
            name == "limits" and sum(bool(limits(stage)) for stage in result.stages if stage.is_correct) > 1
        if drawn or has_table:
            views.append({"id": name, "title": title, "has_table": has_table, "pictures": [pictures.of(one, result) for one in drawn]})
    return views


def live_pages(result, folder):
    """Of each stage the name of its page of `check --page`, where that lies beside the report; "" where it does not."""
    named = {stage: f"{stage.assignment}_{stage.id}.html" for stage in result.stages}
    return {stage: name if folder and re.fullmatch(r"\w+\.html", name) and (folder / name).is_file() else ""
            for stage, name in named.items()}


def render(result, folder=None):
    """The page's text; `folder`: where it will lie."""
    pictures = Pictures()
    lost, still_open = losses(result)
    wrong, also_wrong = wrong_first(result)
    timed = [stage for stage in result.stages if stage.bandwidth]
    points = list(result.points())
    return environment().get_template("student.html").render(
        result=result, live=live_pages(result, folder), wrong=wrong, also_wrong=also_wrong, number={stage: i for i, stage in enumerate(result.stages, 1)},
        wrong_picture=picture_of(wrong, pictures),
        marks=pictures.of(marks, result) if sections.is_shown(marks, result) else None,
        sections=section_views(result, pictures), missing=sections.missing(result), lost=together(lost),
        still_open=together(still_open),
        views=[stage_view(stage, result, pictures) for stage in result.stages], counter_rows=COUNTER_ROWS,
        bytes_counted=bytes_counted(timed), headlines=[(stage, speedup.headline(stage)) for stage in timed],
        commands=replay_commands(result), aim=replay_words(result),
        origins={point.origin for point in points}, reference_origins={point.reference_origin for point in points},
        error_band=result.device.get("error_band"), card=card_text(points))


def write_page(result, path):
    """Writes the page; returns its path."""
    return replace_file(path, render(result, path.parent))
