"""A class: one result a student, boiled down to what a class report says. Who somebody is stands only in the table of
students, among those who may need help, and where a person has to look at a submission; examples carry no name, no
comment and no string."""

import functools
import math
import re
import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from reports.bench import CLASSES
from reports.excerpt import AROUND, excerpt
from reports.places import shown
from reports.result import SCHEMA, BadResult, Result, harmless, place, read, read_json
from reports.text import counted, joined, percent_text

FULL_BANDWIDTH = "bandwidth earns full marks"
FEW = 10  # students; below, a correlation says nothing
SEPARATES, HARDLY = 0.3, 0.15  # item-rest correlation, the usual limits for test items
NORMAL_95 = 1.96  # standard deviations on either side hold 95 % of a normal distribution
ASKS_A_PERSON = ("internal_error", "unclear", "noisy", "impossible")  # states in which a mark is none


@dataclass
class Entry:
    """One stage of one student."""
    student: str
    label: str
    is_graded: bool
    is_handed_in: bool
    is_attempted: bool
    verdict: str
    state: str
    why: str
    total: float
    max: float
    checks: dict  # name -> holds
    point: object  # bandwidth, or None
    impossible: object  # the bandwidth that cannot be, or None

    @property
    def needs_person(self):
        return bool(self.impossible) or self.state in ASKS_A_PERSON


class Separation(NamedTuple):
    """How hard a stage is, and its item-rest correlation with the ends of the 95 % interval; None where not known."""
    facility: object
    r: object
    low: object
    high: object
    words: str


@dataclass
class Finding:
    """One kind of finding in one stage, over the class."""
    kind: str
    severity: str
    stage: str
    message: str
    help: str
    students: set = field(default_factory=set)
    example: list = field(default_factory=list)


class ClassResult:
    """What the class report is made from."""

    def __init__(self, results):
        """`results`: (student, Result) pairs; each may be dropped once it is read."""
        self.students, self.entries, self.findings = [], [], {}
        self.totals, self.maxima, self.max = [], [], 0
        self.known, self.marks = [], {}  # students of class.json; of marks.json, by id
        self.programs = []  # of each stage how many different ones: stage, files, different, commonest
        self.pages = {}  # student -> address of the report, beside the class's
        self.seeds, self.tools, self.devices, self.skipped = set(), set(), set(), []
        self.walls = set()
        self.modelled_gpus = set()  # with their articles; empty where every bandwidth was measured
        self.is_synthetic = False
        self.without_marks = []  # as without_marks() gives them
        self.without_results = 0  # students of the class beside those in `students`
        self.alike = []  # groups of files that are alike: stage, what, students
        self.missed_examples = {}  # (stage, check) -> (rows of an excerpt, words) of the first who missed it
        self.order = []
        for student, result in results:
            self.add(student, result)

    def add(self, student, result):
        self.students.append(student)
        self.totals.append(result.total)
        self.maxima.append(result.max)
        self.max = max(self.max, result.max)
        self.seeds.add(result.seed)
        self.tools.add(f"{result.tool.get('version', '')} ({result.tool.get('git') or 'no commit'})")
        self.devices.add(f"{result.device.get('name') or 'virtual GPU'}" +
                         (f", profile {result.device['profile']}" if result.device.get("profile") else ""))
        if result.walls is not None:
            self.walls.add(", ".join(result.walls) or "none")
        self.is_synthetic |= result.is_synthetic
        if any(stage.origin == "modelled" for stage in result.stages):
            self.modelled_gpus.add(result.modelled_gpu)
        for stage in result.stages:
            if stage.name not in self.order:
                self.order.append(stage.name)
            self.entries.append(entry(student, stage))
            self.note_missed(stage)
            self.note_findings(student, stage)

    def take(self, known, marks):
        """The students of the class, from class.json and marks.json."""
        self.known = known.get("students") or []
        self.marks = {one["id"]: one for one in marks.get("students") or []}
        self.alike, self.programs = known.get("alike") or [], known.get("programs") or []
        self.without_marks = without_marks(known)
        self.without_results = sum(one["result"] is None for one in self.known if not one.get("role"))

    def note_missed(self, stage):
        for check, holds in self.entries[-1].checks.items():
            if not holds and (stage.name, check) not in self.missed_examples:
                self.missed_examples[stage.name, check] = example_of(stage, check)

    def note_findings(self, student, stage):
        for finding in stage.findings:
            if finding.get("kind") == "untouched_stub":
                continue
            key = (finding.get("kind"), stage.name)
            noted = self.findings.get(key)
            if noted is None:
                noted = self.findings[key] = Finding(
                    finding.get("kind", ""), finding.get("severity", ""), stage.name, finding.get("message", ""),
                    finding.get("help", ""))
            noted.students.add(student)
            if not noted.example:
                noted.example = anonymous(stage, finding)

    @property
    def on_modelled(self):
        """What stands above all marks where bandwidths were not measured; "" where they were."""
        if not self.modelled_gpus:
            return ""
        return (f"Bandwidths are modelled, computed for {joined(sorted(self.modelled_gpus))} and not timed: hollow points in the "
                "picture. Points for performance that come of them are provisional.")

    @property
    def title(self):
        some = f", {len(self.students)} with marks" if self.without_results else ""
        names = list(dict.fromkeys(stage.split("/")[0] for stage in self.graded))
        about = f"{joined(names) if len(names) <= 3 else counted(len(names), 'assignment')}, " if names else ""
        return f"Class report: {about}{counted(len(self.students) + self.without_results, 'student')}{some}"

    def who(self, student):
        """Name and id, as far as they are known."""
        name = self.names.get(student)
        return f"{name} ({student})" if name and name != student else student

    @functools.cached_property
    def names(self):
        return {one["id"]: one.get("name") for one in self.known}

    @property
    def graded(self):
        """Names of the graded stages, in the order met."""
        return [name for name in self.order if any(one.is_graded for one in self.of(name))]

    def of(self, stage):
        return [one for one in self.entries if one.label == stage]

    @property
    def checks(self):
        """(stage, check) -> (students that meet it, students that were asked)."""
        found = {}
        for one in self.entries:
            for check, holds in one.checks.items():
                met, asked = found.get((one.label, check), (0, 0))
                found[one.label, check] = (met + bool(holds), asked + 1)
        return found

    @property
    def most_missed(self):
        """Checks that somebody misses, the most missed first: stage, check, how many miss it, of how many, an example. That a
        bandwidth is not the best one is no mistake."""
        rows = [{"stage": stage, "check": check, "missed": asked - met, "asked": asked, "rate": (asked - met) / asked,
                 "example": self.missed_examples[stage, check][0], "words": self.missed_examples[stage, check][1]}
                for (stage, check), (met, asked) in self.checks.items() if met < asked and check != FULL_BANDWIDTH]
        return sorted(rows, key=lambda row: (-row["missed"], -row["rate"], row["stage"], row["check"]))

    @property
    def common_findings(self):
        """The most frequent first."""
        return sorted(self.findings.values(), key=lambda one: (-len(one.students), one.kind, one.stage))

    @property
    def for_a_person(self):
        """Entries that no rule can settle: (entry, what is the matter, what to do)."""
        found = list(self.without_marks)
        for one in self.entries:
            if one.state == "internal_error":
                found.append((one, one.why or "the kit failed on it", "Grade it again; if it fails again, report it."))
            elif one.impossible or one.state == "impossible":
                what = (f"{one.impossible.gb_per_s:.0f} GB/s on {one.impossible.shape_class or 'its'} shapes "
                        "is more than the device can do") if one.impossible else one.why or "too fast to be true"
                found.append((one, what, "Read the file: what it skips, caches or precomputes."))
            elif one.state == "unclear":
                found.append((one, one.why, "Say in map.csv which file it is, and run the same command."))
            elif one.state == "noisy":
                found.append((one, one.why or "the timing was too noisy", "Grade it again on a quiet device."))
        return found

    def discrimination(self):
        """For each graded stage its Separation; where nobody tried, no facility."""
        rest_of = dict(zip(self.students, self.totals))
        found = {}
        for stage in self.graded:
            its = [one for one in self.of(stage) if one.max]
            if not its:
                continue
            if not any(one.is_attempted for one in its):
                words = "not attempted" if any(one.is_handed_in for one in its) else "not handed in"
                found[stage] = Separation(None, None, None, None, words)
                continue
            # Who has not begun says nothing of how hard it is.
            its = [one for one in its if one.is_attempted]
            shares = [one.total / one.max for one in its]
            rest = [rest_of[one.student] - one.total for one in its]
            r = correlation(shares, rest) if len(its) >= FEW else None
            low, high = interval(r, len(its)) if r is not None else (None, None)
            found[stage] = Separation(statistics.fmean(shares), r, low, high, separation(shares, low, high, len(its)))
        return found


def separation(shares, low, high, count):
    """In words, and only what the whole interval says."""
    if count < FEW:
        return f"fewer than {FEW} students: not computed"
    if low is None:
        return "does not separate: all have the same marks" if len(set(shares)) == 1 else "not computed"
    if low >= HARDLY:
        return "separates students"
    if high < HARDLY:
        return "does not separate students"
    return "separates weakly" if high < SEPARATES else f"cannot be told from {count} students"


def interval(r, count):
    """Ends of the 95 % interval of a correlation, by Fisher's transformation."""
    if abs(r) > 1 - 1e-12:
        return r, r
    half = NORMAL_95 / math.sqrt(count - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def correlation(xs, ys):
    """Pearson's r; None where one side does not vary."""
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    return statistics.correlation(xs, ys)


def entry(student, stage):
    points = ([stage.bandwidth] if stage.bandwidth else []) + stage.by_class
    impossible = next((point for point in reversed(points) if point.verdict == "impossible"), None)
    point = stage.bandwidth if stage.bandwidth and stage.bandwidth.is_usable else None
    return Entry(student, stage.name, stage.is_graded, stage.is_handed_in, stage.is_attempted, stage.verdict,
                 stage.state, stage.why, stage.score["total"], stage.score["max"], checks_of(stage), point, impossible)


def example_of(stage, check):
    """Where a stage misses a check: (rows of an excerpt, words); no name, no comment."""
    for rule in stage.technique:
        if rule.get("rule") == check:
            return [], rule.get("says") or ""
    if check.startswith("bandwidth"):
        share = stage.bandwidth.share_of_reference if stage.bandwidth else None
        return [], f"{percent_text(share)} of the reference" if share else ""
    if check == "compiles":
        for message in stage.compile.get("diagnostics") or []:
            if message.get("severity") == "error":
                return anonymous(stage, message, around=1), message.get("message") or ""
        return [], ""
    for finding in hazards(stage) or [one for one in stage.findings if one.get("severity") == "error"]:
        return anonymous(stage, finding), finding.get("message") or ""
    return [], ""


def hazards(stage):
    return [one for one in stage.findings if one.get("severity") == "error" and one.get("kind") != "wrong_output"]


def checks_of(stage):
    """Every check of a stage by name, in the order of grading. What was not attempted, or what the kit failed on, was not
    checked; nor was what could not be right or did not run because of something else: that is counted once, as its cause."""
    if stage.has_no_mark_yet or not stage.is_attempted:
        return {}
    checks = {"compiles": stage.compiles}
    if stage.compiles:
        kinds = {case.get("class") or "other" for case in stage.cases}
        for kind in sorted(kinds, key=lambda kind: (place(CLASSES, kind), kind)):
            verdicts = {case.get("verdict") for case in stage.cases if (case.get("class") or "other") == kind}
            if verdicts == {"pass"} or verdicts - {"pass", "skipped"} and not hazards(stage):
                checks[f"right on {kind} shapes"] = verdicts == {"pass"}
        checks["no hazard found"] = not hazards(stage)
    for rule in stage.technique:
        if rule.get("ok") or rule.get("measured", not (rule.get("says") or "").startswith("not measured")):
            checks[rule.get("rule", "")] = bool(rule.get("ok"))
    point = stage.bandwidth
    if point and point.is_usable and point.share_of_reference and stage.band:
        checks["bandwidth earns marks"] = point.share_of_reference > stage.band.get("none", 0)
        checks[FULL_BANDWIDTH] = point.share_of_reference >= stage.band.get("full", 1)
    return checks


COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def anonymous(stage, finding, around=AROUND):
    """An excerpt without comments and what strings say: those are where names stand. Columns stay where they are."""
    return excerpt(Unsigned(without_words(stage.source_lines)), finding.get("line"), finding.get("column") or 0,
                   finding.get("label") or "", around)


def without_words(lines):
    def blank(found):
        text = found[0]
        return f'"{"." * (len(text) - 2)}"' if text[0] == '"' else re.sub(r"[^\n]", " ", text)

    return [line.rstrip() for line in COMMENT_OR_STRING.sub(blank, "\n".join(lines)).split("\n")]


@dataclass(frozen=True)
class Unsigned:
    """Source that an excerpt is taken from."""

    source_lines: list


@dataclass(frozen=True)
class Standing:
    """A student without a result, in the place of an entry."""

    student: str
    label: str = "\N{EN DASH}"


def read_beside(folder, name):
    """What `grade` wrote of the class beside the folder of results, "class" or "marks"; an empty one where there is none."""
    path = folder.parent / f"{name}.json"
    known = harmless(read_json(path)[0]) if path.exists() else {}
    return known if isinstance(known, dict) and known.get("schema") == f"warpgrade.{name}/1" else {}


def without_marks(known):
    """Who handed in what no mark could be made of: as `for_a_person` lists them."""
    found = []
    for one in known.get("students") or []:
        if not one.get("role") and one["status"] != "missing" and one["result"] is None:
            found.append((Standing(one["id"]), "; ".join(one["review"]) or one["status"], "Look at what was handed in."))
    return found


def load_class(folder):
    """The results under a folder: FOLDER/*.json, FOLDER/*/result.json, or what `grade` wrote. Files that are none are
    listed as skipped."""
    folder = Path(folder)
    if (folder / "results").is_dir() and (folder / "class.json").exists():
        folder /= "results"
    paths = sorted(folder.glob("*.json")) + sorted(folder.glob("*/result.json"))
    if not paths:
        raise BadResult(f"{shown(folder)}: no results; expected *.json or */result.json in it")
    known = read_beside(folder, "class")
    people = known.get("students") or []
    beside = {one["result"] for one in people if one.get("role")}  # not in the course
    paths = [path for path in paths if f"{folder.name}/{path.name}" not in beside]
    skipped, pages = [], {}

    def results():
        for path in paths:
            try:
                data = read(path, SCHEMA)
                result = Result(data)
            except BadResult as problem:
                skipped.append(str(problem))
                continue
            except OSError as problem:
                skipped.append(f"{shown(path)}: {problem.strerror}")
                continue
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                skipped.append(f"{shown(path)}: damaged: its parts do not fit together")
                continue
            name = path.parent.name if path.name == "result.json" and path.parent != folder else path.stem
            student = str(data.get("student") or name)
            pages[student] = f"reports/{name}/report.html" if people else f"{name}/report.html"
            yield student, result

    made = ClassResult(results())
    made.skipped = skipped
    made.take(known, read_beside(folder, "marks"))
    made.pages = pages
    if not made.students:
        raise BadResult(f"{shown(folder)}: {len(paths)} JSON files and no result among them. The first: {skipped[0]}")
    return made
