"""Where marks were lost, and which are still open: one row a reason, the dearest first."""

from dataclasses import dataclass

from reports.limits import limits
from reports.result import PARTS
from reports.text import counted, joined, number_text, percent_text, rate_text

LEAST = 0.005  # points; less is rounding


@dataclass
class Loss:
    stage: object
    part: str  # correctness, technique, performance, quiz, or all
    points: float
    why: str
    to_try: str = ""


def losses(result):
    """(lost, open): lists of Loss."""
    lost, still_open = [], []
    for stage in result.stages:
        if not stage.is_graded:
            continue
        if not stage.is_handed_in and not stage.has_no_mark_yet:
            lost.append(Loss(stage, "all", stage.score["max"], stage.why or "no file was handed in"))
            continue
        if stage.is_handed_in and not stage.is_attempted:
            to_try = next((finding.get("help", "") for finding in stage.findings), "")
            lost.append(Loss(stage, "all", stage.score["max"], "not attempted: the stub as it was handed out", to_try))
            continue
        if not stage.is_correct and not stage.has_no_mark_yet:
            # Technique and performance of what is wrong are not looked at: one cause, one row.
            gone = stage.score["max"] - stage.score["total"]
            lost += [Loss(stage, "all", gone, *why_wrong(stage))] if gone > LEAST else []
            continue
        for part in PARTS:
            for loss in OF_PART[part](stage):
                if loss.points > LEAST:
                    (still_open if is_open(stage, part) else lost).append(loss)
    return sorted(lost, key=lambda loss: -loss.points), sorted(still_open, key=lambda loss: -loss.points)


@dataclass
class Row:
    """Losses of one part for one reason, of one stage or of several."""
    stages: str
    part: str
    points: float
    why: str
    to_try: str


ALIKE = 3  # from so many stages on, one row says it for all


def together(found):
    """Rows for a table; stages that share part and reason share a row."""
    groups = {}
    for loss in found:
        groups.setdefault((loss.part, loss.why, loss.to_try), []).append(loss)
    rows = []
    for (part, why, to_try), its in groups.items():
        shared = [its] if len(its) >= ALIKE else [[loss] for loss in its]
        rows += [Row(joined(loss.stage.label for loss in some), part, sum(loss.points for loss in some), why, to_try)
                 for some in shared]
    return sorted(rows, key=lambda row: -row.points)


def is_open(stage, part):
    return stage.has_no_mark_yet or (part == "performance" and stage.has_open_performance)


def missing(stage, part):
    """Points of the part that the stage did not get; 0 where the JSON does not say what there was to earn."""
    return (stage.points[part] or 0) - stage.score[part]


def correctness(stage):
    return [Loss(stage, "correctness", missing(stage, "correctness"), *why_wrong(stage))]


def why_wrong(stage):
    """(why, what to try) of the first thing that is wrong."""
    if stage.state == "unclear":
        return stage.why, "Ask whoever grades to look at your files."
    if stage.state == "internal_error":
        return stage.why or "the kit failed; this is not the submission's fault", "Ask for a regrade."
    if not stage.compiles:
        first = next((message for message in stage.compile.get("diagnostics") or []
                      if message.get("severity") == "error"), {})
        line = f"line {first['line']}: " if first.get("line") else ""
        return f"does not compile: {line}{first.get('message', 'no message')}", ""
    failed = [case for case in stage.cases if case.get("verdict") not in ("pass", "skipped")]
    error = next((finding for finding in stage.findings if finding.get("severity") == "error"), {})
    why = f"{stage.cases_passed} of {counted(len(stage.cases), 'case')} pass"
    if error:
        line = f", line {error['line']}" if error.get("line") else ""
        why += f"; {error.get('message', '')}{line}"
    elif failed:
        why += f"; {failed[0].get('detail', '')}"
    return why, error.get("help", "")


def technique(stage):
    rules = [rule for rule in stage.technique if not rule.get("ok")]
    gone = missing(stage, "technique")
    if not rules:
        return [Loss(stage, "technique", gone, "the technique shape did not run")]
    known = sum(rule.get("points") or 0 for rule in rules)
    return [Loss(stage, "technique", rule.get("points") or (gone - known) / len(rules),
                 f"{rule.get('rule')}: found {number_text(rule.get('value'))}", rule.get("says", "")) for rule in rules]


def performance(stage):
    gone = missing(stage, "performance")
    point = stage.bandwidth
    if stage.is_impossible:
        return [Loss(stage, "performance", gone, "above what the device can do: a person has to look", "")]
    if not point:
        why = stage.why if stage.has_open_performance and stage.why else "not timed: only a correct stage is"
        return [Loss(stage, "performance", gone, why)]
    if stage.state == "noisy":
        return [Loss(stage, "performance", gone, stage.why or "the timing was too noisy to grade", "Grade it again.")]
    full = f"; full marks from {percent_text(stage.band['full'])}" if stage.band.get("full") else ""
    why = (f"{rate_text(point.rate)} {point.unit} {point.origin}, {percent_text(point.share_of_reference)} of the "
           f"reference{full}")
    found = limits(stage)
    return [Loss(stage, "performance", gone, why, next((limit.to_try for limit in found if limit.to_try), ""))]


def quiz(stage):
    asked = stage.quiz
    why = (f"{asked.get('right', 0)} of {counted(asked['questions'], 'question')} about the kernel answered right"
           if asked.get("questions") else "no question about the kernel could be asked")
    return [Loss(stage, "quiz", missing(stage, "quiz"), why)]


OF_PART = {"correctness": correctness, "technique": technique, "performance": performance, "quiz": quiz}
