"""The students of a class as an instructor works through them: one row each, with marks, state, lateness and why somebody
may need help. Who they are is in class.json and marks.json, which `grade` writes beside the results; without these two a row
has what the student's result says."""

import re
from dataclasses import dataclass, field
from urllib.parse import quote

from reports.text import DASH, counted, points_text

HALF = 0.5  # of the points; who has less may need help
RIGHT = ("passes", "other technique", "falls short", "impossible bandwidth")  # the output is right


@dataclass
class Row:
    student: str
    name: str = ""
    section: str = ""
    points: object = None  # after lateness; None: no mark
    max: float = 0
    state: str = ""
    late: str = ""  # "1 d 2 h, 1.00 points less"; empty: in time, as far as anybody says
    late_seconds: float = 0
    help: list = field(default_factory=list)  # why
    cells: list = field(default_factory=list)  # of `columns`, as text
    link: str = ""
    needs_person: bool = False

    @property
    def kinds(self):
        """What the page filters by."""
        return [kind for kind, holds in (("help", self.help), ("person", self.needs_person), ("late", self.late),
                                         ("nothing", self.state == "missing")) if holds]


@dataclass(frozen=True)
class Column:
    """A stage, or all stages of an assignment where a class has several."""
    label: str
    stages: tuple


def columns(made):
    """Stages of the only assignment; else assignments."""
    names = assignments(made)
    if len(names) == 1:
        return [Column(stage.split("/", 1)[-1], (stage,)) for stage in made.graded]
    return [Column(name, tuple(stage for stage in made.graded if stage.split("/")[0] == name)) for name in names]


def assignments(made):
    return list(dict.fromkeys(stage.split("/")[0] for stage in made.graded))


def sections(rows):
    """Of the class, in order; a student in two has both."""
    return sorted({one for row in rows for one in row.section.split("; ") if one},
                  key=lambda one: [int(part) if part.isdigit() else part.lower() for part in re.split(r"(\d+)", one)])


def rows(made, folder=None):
    """A row a student, in the order of the roster. `folder`: where the page is written, for links to reports in it."""
    by_student = {}
    for entry in made.entries:
        by_student.setdefault(entry.student, []).append(entry)
    totals = dict(zip(made.students, zip(made.totals, made.maxima)))
    known = [one for one in made.known if not one.get("role")] or [{"id": student} for student in made.students]
    shown, its_columns = [], columns(made)
    for one in known:
        student = one["id"]
        entries, mark = by_student.get(student, []), made.marks.get(student, {})
        total, most = totals.get(student, (None, made.max))
        graded = {entry.label: entry for entry in entries if entry.is_graded}
        row = Row(student, one.get("name") or "", one.get("section") or "", mark.get("final", total), mark.get("max", most),
                  one.get("status") or state_of(entries), link=link_of(made, student, folder))
        row.needs_person = row.state in ("review", "unreadable") or any(entry.needs_person for entry in entries)
        row.late_seconds = one.get("late_seconds") or 0
        lost = mark["total"] - mark["final"] if mark.get("total") is not None and mark.get("final") is not None else 0
        row.late = late_text(row.late_seconds, one.get("late"), lost)
        row.help = help_for(row, graded.values())
        excused = {stage["stage"] for stage in mark.get("stages") or [] if stage.get("excused")}
        row.cells = [cell(column, graded, excused) for column in its_columns]
        shown.append(row)
    return shown


def state_of(entries):
    if any(entry.needs_person for entry in entries):
        return "review"
    return "provisional" if any(entry.state == "provisional" for entry in entries) else "graded"


def link_of(made, student, folder):
    """To the student's page, where there is one for sure."""
    path = made.pages.get(student)
    if not path or folder is None:
        return ""
    # Of a class that `grade` reports of, pages are made side by side with this one.
    return quote(path) if (folder / path).exists() or path.startswith("reports/") and (folder / "reports").is_dir() else ""


def late_text(seconds, is_late, lost):
    days, hours = divmod(int(seconds) // 3600, 24)
    long = " ".join(f"{count} {unit}" for count, unit in ((days, "d"), (hours, "h")) if count) or ("under 1 h" if seconds else "")
    said = long or ("late" if is_late or lost else "")
    return f"{said}, {points_text(lost)} points less" if lost else said


def help_for(row, entries):
    """Why somebody may need help, from what was tried."""
    if row.state == "missing":
        return ["handed in nothing"]
    tried = [entry for entry in entries if entry.is_attempted]
    wrong = [entry for entry in tried if entry.verdict not in RIGHT and not entry.needs_person]
    found = []
    if entries and not tried:
        found.append("has begun no stage")
    elif tried and len(wrong) == len(tried):
        found.append(f"none of {counted(len(tried), 'stage')} right")
    elif 2 * len(wrong) > len(tried):
        found.append(f"{len(wrong)} of {counted(len(tried), 'stage')} wrong")
    if row.points is not None and row.max and row.points < HALF * row.max:
        found.append("less than half of the points")
    return found


def cell(column, graded, excused):
    """Points; "EX" where all is excused, "?" where a person has to look first, a dash where nothing was tried."""
    its = [graded[stage] for stage in column.stages if stage in graded and stage not in excused]
    if not its:
        return "EX" if excused & set(column.stages) else DASH
    if any(entry.needs_person for entry in its):
        return "?"
    return points_text(sum(entry.total for entry in its)) if any(entry.is_attempted or entry.total for entry in its) else DASH
