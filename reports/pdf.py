"""A student's result as a PDF: the same facts as the page, drawn by matplotlib."""

from reports import heat, sections, text
from reports.excerpt import excerpt
from reports.figure import MARK, SOFT, WIDTH
from reports.first import wrong_first
from reports.limits import limits, waits_text
from reports.losses import losses, together
from reports.plots import before_after, marks, source_heat, speedup, touches, worst_access
from reports.replay import card_text, replay_commands, replay_words
from reports.sheet import Sheets


def write_pdf(result, path):
    title = result.title
    footer = "Warpgrade" + (f", {result.who}" if result.who else "")
    if result.is_synthetic:
        footer += ", made-up data"
    with Sheets(path, title, footer) as sheets:
        opening(sheets, result, title)
        for name, heading, plots in sections.shown(result):
            has_numbers = name == "bandwidth" and any(stage.bandwidth for stage in result.stages)
            if plots or has_numbers:
                sheets.heading(heading, 2, with_next=1.2 if has_numbers else plots[0].height(result) + 0.6)
            if has_numbers:
                numbers(sheets, result)
            for plot in plots:
                sheets.picture(plot, result)
        for stage in result.stages:
            one_stage(sheets, result, stage)
        made(sheets, result)
    return path


def opening(sheets, result, title):
    sheets.heading(title, 1)
    passing = sum(stage.verdict == "passes" for stage in result.stages)
    device = result.device.get("name") or "the virtual GPU"
    if result.device.get("profile"):
        device += f", profile {result.device['profile']}"
    sheets.paragraph(f"{text.counted(len(result.stages), 'stage')}, {passing} pass, on {device}.")
    if result.is_synthetic:
        sheets.paragraph("Made-up data: this result was written by a generator. Nothing here was measured.", color=MARK,
                         weight="bold")
    if any(point.origin == "modelled" for point in result.points()):
        sheets.paragraph(f"Some bandwidths are modelled: computed from counters and a description of {result.modelled_gpu}, "
                         "not timed. They are hatched, hollow or dashed in every picture.", size=8)
    if result.left_out:
        sheets.paragraph(f"Left out, as it does not fit this result: {'; '.join(result.left_out)}.", size=8)
    if result.is_modelled:
        sheets.paragraph("No GPU took part. Counters come from the virtual GPU, which counts as Nsight Compute does.",
                         size=8)
    wrong_message(sheets, result)
    sheets.heading("Marks", 2)
    if sections.is_shown(marks, result):
        sheets.picture(marks, result)
    lost, still_open = losses(result)
    if lost:
        sheets.heading("Where marks were lost", 3)
        sheets.table(("stage", "part", "points", "why", "what to try"),
                     [(row.stages, row.part, text.points_text(row.points), row.why, row.to_try)
                      for row in together(lost)], (1.35, 0.85, 0.5, 2.1, 1.8), size=7, right=(2,))
    if still_open:
        sheets.heading("Points that are still open", 3)
        sheets.table(("stage", "part", "points", "why"),
                     [(row.stages, row.part, text.points_text(row.points), row.why) for row in together(still_open)],
                     (2.4, 0.85, 0.55, 2.8), size=7, right=(2,))


def wrong_message(sheets, result):
    """What is wrong first, with one next step."""
    wrong, others = wrong_first(result)
    if not wrong:
        return
    sheets.heading("What is wrong first", 2)
    sheets.paragraph(f"{wrong.stage.label}: {wrong.heading}. {wrong.message}", size=8.5, weight="bold")
    code(sheets, wrong.rows)
    for fact in wrong.facts:
        sheets.paragraph(fact, size=7.5, indent=0.15, after=0.02)
    if wrong.help:
        sheets.paragraph(f"try: {wrong.help}", size=8, indent=0.15)
    sheets.paragraph(f"next: {wrong.command}", size=8, indent=0.15)
    if wrong.stage.is_correct and worst_access.height(wrong.stage):
        sheets.picture(worst_access, wrong.stage)
    if others:
        sheets.paragraph(f"Then: {', '.join(f'{stage.label} ({stage.verdict})' for stage in others)}.", size=8)


def numbers(sheets, result):
    rows = []
    for stage in (stage for stage in result.stages if stage.bandwidth):
        point, headline = stage.bandwidth, speedup.headline(stage)
        rows.append((stage.label, text.shape_text(point.shape), point.origin, text.rate_text(point.rate) + ("" if point.unit == "GB/s" else f" {point.unit}"),
                     text.percent_text(point.share_of_reference), text.percent_text(point.share_of_copy),
                     text.factor_text(headline and headline.speedup_over_naive),
                     text.factor_text(headline and headline.speedup_over_cpu),
                     text.scaled_text(point.element_rate, "/s")))
    sheets.table(("stage", "shape", "origin", "GB/s", "of ref.", "of copy", "over naive", "over CPU", "elements"),
                 rows, (1.6, 0.95, 0.75, 0.5, 0.55, 0.55, 0.55, 0.55, 0.6), size=7, right=(1, 3, 4, 5, 6, 7, 8))


def one_stage(sheets, result, stage):
    rows = heat.rows(stage)
    sheets.heading(f"{stage.label}: {stage.title}" if stage.title else stage.label, 2,
                   with_next=1.6 + (source_heat.rows_height(rows) if rows else 0))
    points = (f", {text.points_text(stage.score['total'])} of {text.points_text(stage.score['max'])} points"
              if stage.is_graded else "")
    state = f" ({stage.state.replace('_', ' ')}{': ' + stage.why if stage.why else ''})" if stage.state != "final" else ""
    sheets.paragraph(f"{stage.verdict}{points}{state}. {stage.source}", size=8.5)
    for message in stage.compile.get("diagnostics") or []:
        line = f", line {message['line']}" if message.get("line") else ""
        sheets.paragraph(f"{message.get('severity')}{line}: {message.get('message')}", size=8)
        code(sheets, excerpt(stage, message.get("line"), message.get("column") or 0, around=1))
    for finding in stage.findings:
        sheets.need(1.2)  # the words stay with their example
        line = f", line {finding['line']}" if finding.get("line") else ""
        line += f" and line {finding['other_line']}" if finding.get("other_line") else ""
        sheets.paragraph(f"{finding.get('severity')}[{finding.get('kind')}]{line}: {finding.get('message')}", size=8,
                         weight="bold")
        code(sheets, excerpt(stage, finding.get("line"), finding.get("column") or 0, finding.get("label") or ""))
        for fact in finding.get("facts") or []:
            sheets.paragraph(fact, size=7.5, indent=0.15, after=0.02)
        if finding.get("help"):
            sheets.paragraph(f"try: {finding['help']}", size=7.5, indent=0.15)
    for limit in limits(stage) if stage.is_correct else ():
        sheets.paragraph(f"{limit.what} ({limit.origin}). Try: {limit.to_try}" if limit.to_try else
                         f"{limit.what} ({limit.origin})", size=8)
    if waits_text(stage) and stage.is_correct:
        sheets.paragraph(f"What its warps wait for ({stage.time.get('origin') or 'modelled'}): {waits_text(stage)}.", size=8)
    for rule in stage.technique:
        if not rule.get("ok") and stage.is_correct:
            sheets.paragraph(f"{rule.get('rule')}: found {text.number_text(rule.get('value'))}. {rule.get('says', '')}",
                             size=8)
    if not stage.counters or not stage.is_correct:
        return  # what a wrong kernel costs is no advice
    heat_pages(sheets, stage)
    sheets.picture(touches, stage)
    before = result.stage_before(stage)
    if before and before.is_correct and before_after.height((before, stage)):
        sheets.picture(before_after, (before, stage), f"Before and after: the step from {before.id}")


def code(sheets, rows):
    if rows:
        sheets.code(rows)


def heat_pages(sheets, stage):
    """The source in pieces that fit a page."""
    rows = heat.rows(stage)
    while rows:
        sheets.need(source_heat.rows_height(rows[:12]) + 0.4)
        fitting = max(int((sheets.room() - 0.9) / source_heat.ROW), 8)
        part, rows = rows[:fitting], rows[fitting:]
        sheets.heading(source_heat.TITLE, 4, with_next=0.3)
        with sheets.described(". ".join([source_heat.TITLE, *source_heat.words(part)])):
            source_heat.draw_rows(sheets.canvas.part(0, sheets.top, WIDTH, 0), part)
        sheets.top += source_heat.rows_height(part) + 0.05


def made(sheets, result):
    sheets.heading("How it was made", 2, with_next=2)
    tool, device = result.tool, result.device
    seed = "the seed is with your instructor" if result.is_without_seed else f"seed {result.seed}"
    sheets.paragraph(f"Warpgrade {tool.get('version', '')}, commit {tool.get('git') or 'not stated'}, NVRTC "
                     f"{tool.get('nvrtc') or 'not stated'}; device {device.get('name') or 'virtual GPU'} "
                     f"({device.get('kind') or 'virtual'}); {seed}.", size=8)
    if card_text(list(result.points())):
        sheets.paragraph(f"The card while timing: {card_text(list(result.points()))}.", size=8)
    sheets.paragraph(replay_words(result), size=8)
    sheets.code([(None, line, "here") for line in replay_commands(result)], size=6.5)
    sheets.table(("stage", "file", "SHA-256"), [(stage.label, stage.source, stage.sha256) for stage in result.stages if stage.is_handed_in],
                 (1.6, 2.2, 2.8), size=6)
    sheets.paragraph("The page beside this file holds the same facts for screen readers, with every case and counter.",
                     size=8, color=SOFT)
