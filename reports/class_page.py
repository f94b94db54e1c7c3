"""A class's report: class.html and class.pdf."""

import base64
import hashlib
import statistics
from pathlib import Path

from markupsafe import Markup

from reports import people, text
from reports.page import Pictures, environment
from reports.places import replace_file
from reports.plots import all_plots, class_marks
from reports.sheet import Sheets

FIRST_HELP, FIRST_MISTAKES, NAMED_STAGES = 12, 5, 3
SHOWN_FINDINGS = 12
SHOWN_MISSED = 8
SHOWN_ALIKE = 20
PLOTS = all_plots("class")
SCRIPT = (Path(__file__).parent / "templates" / "class.js").read_text(encoding="utf-8")
STATES = {"graded": "graded", "provisional": "provisional", "review": "needs a person", "unreadable": "cannot be read",
          "missing": "handed in nothing"}


def summary(made):
    """Name and value of the figures that open the report."""
    totals = made.totals
    low, middle, high = statistics.quantiles(totals, n=4, method="inclusive") if len(totals) > 1 else totals * 3
    return [("with marks" if made.without_results else "students", str(len(made.students))), ("points to earn", text.points_text(made.max)),
            ("mean", text.points_text(statistics.fmean(totals))),
            ("standard deviation", text.points_text(statistics.stdev(totals)) if len(totals) > 1 else text.DASH),
            ("least", text.points_text(min(totals))), ("lower quartile", text.points_text(low)),
            ("median", text.points_text(middle)), ("upper quartile", text.points_text(high)),
            ("most", text.points_text(max(totals)))]


def stage_rows(made):
    """For each graded stage: name, attempted, pass, mean share, correlation, words."""
    rows = []
    for stage, found in made.discrimination().items():
        its = [one for one in made.of(stage) if one.is_attempted]
        passing = sum(one.verdict == "passes" for one in its) / len(its) if its else None
        rows.append({"stage": stage, "count": len(its), "passing": passing,
                     "facility": found.facility, "r": correlation_text(found), "words": found.words})
    return rows


def correlation_text(found):
    """ "0.41 (0.28 to 0.53)": never without its interval."""
    return text.DASH if found.r is None else f"{found.r:.2f} ({found.low:.2f} to {found.high:.2f})"


def alike_rows(made):
    """Groups of files that are alike: stage, what is, who."""
    words = {"text": "the same text", "program": "the same program once it is compiled"}
    return [{"stage": one["stage"], "what": words.get(one["what"], one["what"]), "students": ", ".join(map(made.who, one["students"]))}
            for one in made.alike]


def by_rule(made):
    """Mistakes by rule, the commonest first: kind, how many students in which stages, the first message and example."""
    found = {}
    for one in made.common_findings:
        row = found.setdefault(one.kind, {"kind": one.kind, "students": set(), "stages": [], "message": one.message,
                                          "example": one.example})
        row["students"] |= one.students
        row["stages"].append(one.stage)
    for row in found.values():
        more = len(row["stages"]) - NAMED_STAGES
        row["where"] = ", ".join(row["stages"]) if more <= 1 else \
            f"{', '.join(row['stages'][:NAMED_STAGES])} and {text.counted(more, 'more stage')}"
    return sorted(found.values(), key=lambda row: -len(row["students"]))


def first(made, rows):
    """What a teacher reads first: who may need help, the commonest mistakes, stages that separate nobody."""
    return {"help": [row for row in rows if row.help][:FIRST_HELP], "more_help": max(0, sum(bool(row.help) for row in rows) - FIRST_HELP),
            "mistakes": by_rule(made)[:FIRST_MISTAKES],
            "same_for_all": [row for row in stage_rows(made) if row["words"].startswith("does not separate")]}


def check_rows(made):
    """Every check of every stage with its pass rate, by stage."""
    return [{"stage": stage, "check": check, "met": met, "asked": asked, "rate": met / asked}
            for (stage, check), (met, asked) in made.checks.items()]


def write_class(made, folder):
    """Writes class.html and class.pdf; returns their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / "class.html", render(made, folder))
    write_pdf(made, folder / "class.pdf")
    return [folder / "class.html", folder / "class.pdf"]


def render(made, folder=None):
    rows, pictures = people.rows(made, folder), Pictures()
    drawn = {plot.__name__.rsplit(".", 1)[-1]: pictures.of(plot, made) for plot in PLOTS}
    return environment().get_template("class.html").render(
        made=made, rows=rows, most=rows[0].max if len({row.max for row in rows}) == 1 else None, columns=people.columns(made), sections=people.sections(rows), states=STATES,
        first=first(made, rows), script=Markup(SCRIPT), script_digest=base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode(),
        summary=summary(made), pictures=drawn, stages=stage_rows(made), checks=check_rows(made),
        findings=made.common_findings[:SHOWN_FINDINGS], more_findings=max(0, len(made.findings) - SHOWN_FINDINGS),
        persons=made.for_a_person, missed=made.most_missed[:SHOWN_MISSED], alike=alike_rows(made)[:SHOWN_ALIKE],
        more_alike=max(0, len(made.alike) - SHOWN_ALIKE))


def write_pdf(made, path):
    with Sheets(path, made.title, "Warpgrade, class report" + (", made-up data" if made.is_synthetic else "")) as sheets:
        sheets.heading(made.title, 1)
        if made.is_synthetic:
            sheets.paragraph("Made-up data: these results were written by a generator.", weight="bold")
        if made.on_modelled:
            sheets.paragraph(made.on_modelled, size=8)
        first_sheet(sheets, first(made, people.rows(made, None)))
        sheets.heading("Marks", 2)
        sheets.paragraph("; ".join(f"{name} {value}" for name, value in summary(made)) + ".")
        sheets.picture(class_marks, made)
        if made.for_a_person:
            sheets.heading("Submissions that need a person", 2)
            sheets.table(("student", "stage", "what is the matter", "what to do"),
                         [(made.who(one.student), one.label, what, to_do) for one, what, to_do in made.for_a_person],
                         (1.3, 1.5, 2.1, 1.7), size=7)
        for plot in PLOTS[1:]:
            sheets.picture(plot, made)
        sheets.heading("Stages", 2)
        sheets.table(("stage", "attempted", "pass", "mean share", "correlation (95 %)", "what that says"),
                     [(row["stage"], row["count"], text.percent_text(row["passing"]),
                       text.percent_text(row["facility"]), row["r"], row["words"]) for row in stage_rows(made)],
                     (1.7, 0.7, 0.5, 0.7, 1.25, 1.75), size=7, right=(1, 2, 3, 4))
        if made.findings:
            sheets.heading("Commonest findings", 2)
        for finding in made.common_findings[:SHOWN_FINDINGS]:
            sheets.need(1.2)  # the words stay with their example
            sheets.paragraph(f"{finding.kind} in {finding.stage}, {text.counted(len(finding.students), 'student')}: "
                             f"{finding.message}", size=8, weight="bold")
            if finding.example:
                sheets.code(finding.example)
        if made.alike:
            sheets.heading("Files that are alike", 2)
            sheets.table(("stage", "what", "students"), [(row["stage"], row["what"], row["students"])
                                                         for row in alike_rows(made)[:SHOWN_ALIKE]], (1.6, 1.8, 3.2), size=7)
        if made.most_missed:
            sheets.heading("Checks that are missed most", 2)
            for row in made.most_missed[:SHOWN_MISSED]:
                sheets.need(0.8)
                sheets.paragraph(f"{row['stage']}: {row['check']}, missed by {row['missed']} of {row['asked']}"
                                 + (f". {row['words']}" if row["words"] else ""), size=8)
                if row["example"]:
                    sheets.code(row["example"])
        sheets.heading("Pass rate of each check", 2)
        sheets.table(("stage", "check", "meet it", "of", "rate"),
                     [(row["stage"], row["check"], row["met"], row["asked"], text.percent_text(row["rate"]))
                      for row in check_rows(made)], (1.8, 3.0, 0.6, 0.6, 0.6), size=6.5, right=(2, 3, 4))
    return path


def first_sheet(sheets, found):
    if found["help"]:
        sheets.heading("Who may need help", 2)
        sheets.table(("student", "why"), [(row.name or row.student, "; ".join(row.help)) for row in found["help"]], (2.2, 4.4), size=7)
        if found["more_help"]:
            sheets.paragraph(f"and {text.counted(found['more_help'], 'more student')}, in class.html", size=8)
    if found["mistakes"]:
        sheets.heading("The commonest mistakes", 2)
        sheets.table(("rule", "students", "stages", "for example"),
                     [(row["kind"], len(row["students"]), row["where"], row["message"]) for row in found["mistakes"]],
                     (1.3, 0.7, 2.2, 2.4), size=7, right=(1,))
    if found["same_for_all"]:
        sheets.heading("Stages that separate nobody", 2)
        for row in found["same_for_all"]:
            sheets.paragraph(f"{row['stage']}: {row['words']}", size=8)
