"""What a student reads first: of the first stage that falls short its first message, the access that shows it, and one
next step; the other stages by name."""

from dataclasses import dataclass

from reports.excerpt import excerpt
from reports.limits import limits
from reports.losses import losses
from reports.missing import command
from reports.text import number_text

MOST_FACTS = 3


@dataclass
class Wrong:
    """Why a stage falls short."""
    stage: object
    heading: str  # "error[out_of_bounds], line 8"
    message: str
    rows: list  # of an excerpt
    facts: list
    help: str
    command: str  # the next step
    line: int = 0


def falls_short(stage):
    return stage.is_attempted and not stage.has_no_mark_yet and stage.verdict != "passes"


def wrong_first(result):
    """(Wrong of the first stage that falls short or None, the other such stages)."""
    short = [stage for stage in result.stages if falls_short(stage)]
    # What is wrong comes before what is slow.
    short.sort(key=lambda stage: stage.is_correct)
    return (wrong_of(short[0]) if short else None), short[1:]


def wrong_of(stage):
    if not stage.compiles:
        message = next((one for one in stage.compile.get("diagnostics") or [] if one.get("severity") == "error"), {})
        return made(stage, "does not compile", message, message.get("message") or "", check_command(stage), around=1)
    errors = [one for one in stage.findings if one.get("severity") == "error"]
    if errors:
        return made(stage, f"error[{errors[0].get('kind')}]", errors[0], errors[0].get("message") or "", check_command(stage))
    failed = [case for case in stage.cases if case.get("verdict") not in ("pass", "skipped")]
    if failed:
        return made(stage, failed[0]["verdict"], {}, failed[0].get("detail") or "", check_command(stage))
    rules = [rule for rule in stage.technique if not rule.get("ok")]
    if rules:
        words = f"{rules[0].get('rule')} is {number_text(rules[0].get('value'))}"
        return made(stage, "other technique", {"help": rules[0].get("says", "")}, words, explain_command(stage))
    found = next(iter(limits(stage)), None)
    message = found.what if found else next((loss.why for loss in losses_of(stage)), stage.why)
    return made(stage, "falls short", {"help": found.to_try if found else "", "line": stage.time.get("line")}, message,
                explain_command(stage))


def losses_of(stage):
    return losses(One(stage))[0]


@dataclass(frozen=True)
class One:
    """A result of one stage."""
    stage: object

    @property
    def stages(self):
        return [self.stage]


def made(stage, heading, found, message, to_type, around=2):
    line, other = found.get("line") or 0, found.get("other_line")
    where = f", line {line}" if line else ""
    where += f" and line {other}" if line and other and other != line else ""
    rows = excerpt(stage, line, found.get("column") or 0, found.get("label") or "", around=around)
    return Wrong(stage, heading + where, message, rows, (found.get("facts") or [])[:MOST_FACTS], found.get("help") or "",
                 to_type, line)


def check_command(stage):
    """On the first shape that fails, where one does; a program has arguments of the stage's."""
    shape = next((case.get("shape") for case in stage.cases if case.get("verdict") not in ("pass", "skipped")), None)
    if not shape or stage.is_program:
        return command("check", stage)
    return command("check", stage, "--shape", shape if isinstance(shape, str) else "x".join(map(str, shape)))


def explain_command(stage):
    return command("explain --page", stage)
