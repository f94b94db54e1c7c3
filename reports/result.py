"""Result JSON as Python objects, with what reports derive from it. The contract is "warpgrade.result/1"."""

import functools
import json
import re
from pathlib import Path

import fastjsonschema

from reports.bench import CLASSES, Point
from reports.places import read_text, shown
from reports.text import points_text, printable

SCHEMA = "warpgrade.result/1"
SCHEMAS = {SCHEMA: "result.json", "warpgrade.bench/1": "bench.json"}  # in schemas/
LEAST_KEYS = ("device", "stages")
MOST_LEVELS = 32  # of lists and objects in one another; the kit writes nine at most
MOST_PARTS = 1 << 20  # lists and objects; a whole course has some thousands
PARTS = ("correctness", "technique", "performance", "quiz")
OF_A_STUB = {"correctness": {}, "launches": [], "technique": [], "counters": None, "bandwidth": None,
             "bandwidth_by_class": [], "time": None, "trace": []}
NEEDS_A_LOOK = re.compile(r"\\[ubfrt]|\x7f")


class BadResult(Exception):
    """The file is not a result: says which file, what was expected and what was found."""


def load(path, changed_by=None):
    """Reads a result file; `changed_by` makes other JSON of it. Raises BadResult, or OSError if it cannot be opened."""
    data = read(path, SCHEMA)
    return Result(changed_by(data) if changed_by else data)


def read(path, *schemas):
    """A file's JSON, which has to be of one of the schemas."""
    data, is_plain = read_json(path)
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema not in schemas:
        raise BadResult(f'{shown(path)}: "schema" is {schema!r}; expected {" or ".join(map(repr, schemas))}')
    missing = [key for key in LEAST_KEYS if key not in data]
    if missing:
        raise BadResult(f"{shown(path)}: no {' and no '.join(missing)}")
    try:
        validator(schema)(data)
    except fastjsonschema.JsonSchemaValueException as problem:
        raise BadResult(f"{shown(path)}: damaged: {printable(damage(problem))}") from None
    return data if is_plain else harmless(data)


def read_json(path):
    """(the file's JSON, whether it can be shown as it is). BadResult: also for JSON that would take long to look through."""
    text = read_text(path)
    # Before anything is made of it: each list takes fifty times as many bytes as its two characters.
    if text.count("[") + text.count("{") > MOST_PARTS:
        raise BadResult(f"{shown(path)}: not a result: more than {MOST_PARTS} lists and objects in it")
    try:
        data = json.loads(text, parse_constant=no_number)
    except json.JSONDecodeError as problem:
        raise BadResult(f"{shown(path)}: not JSON (line {problem.lineno}: {problem.msg})") from None
    except ValueError:  # NaN, Infinity, a number of thousands of digits
        raise BadResult(f"{shown(path)}: not JSON: a number in it is none") from None
    except RecursionError:
        is_too_deep = True
    else:
        is_too_deep = is_deeper(data, MOST_LEVELS)
    if is_too_deep:
        raise BadResult(f"{shown(path)}: not a result: nested deeper than {MOST_LEVELS} levels")
    # A submission's text stands in messages, names and source lines. What is not to be shown can only come in as these.
    return data, text.isascii() and not NEEDS_A_LOOK.search(text)


def is_deeper(data, most):
    """Whether lists and objects stand in more than `most` others."""
    level = [data]
    for _ in range(most):
        inner = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, (dict, list))]
        if not inner:
            return False
        level = [one for several in inner for one in several]
    return any(isinstance(one, (dict, list)) for one in level)


def no_number(text):
    raise ValueError(text)


@functools.cache
def validator(schema):
    """Of the JSON Schema file of "warpgrade.result/1" or "warpgrade.bench/1"."""
    path = Path(__file__).parent / "schemas" / SCHEMAS[schema]
    return fastjsonschema.compile(json.loads(path.read_text(encoding="utf-8")))


def damage(problem):
    """ "stages[0].score.total must be number or null", without the value, which may be long."""
    return problem.message.removeprefix("data.").removeprefix("data ")[:200]


def harmless(value):
    """The same JSON with control characters replaced: they must not reach a terminal, a page or a font."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [harmless(one) for one in value]
    if isinstance(value, dict):
        return {printable(key): harmless(one) for key, one in value.items()}
    return value


class Result:
    """One run: `stages` in the order graded, and the run's own facts."""

    def __init__(self, data):
        self.data = data
        self.device = data.get("device") or {}
        self.tool = data.get("tool") or {}
        self.seed = data.get("seed")
        walls = data.get("walls")  # that stood around the hand-in while it was graded; None: not said
        self.walls = [str(wall) for wall in walls] if isinstance(walls, list) else None
        self.is_without_seed = bool(data.get("without_seed"))  # handed_back.py
        self.student = data.get("student") or ""
        self.name = ""  # of the student, where a class has it; no result holds names
        self.is_synthetic = bool(data.get("synthetic"))  # made up for a test or a demonstration, and says so
        self.left_out = []  # what other files had that did not fit, one sentence each
        self.stages = [Stage(stage) for stage in data.get("stages") or []]
        told_apart = [stage.name for stage in self.stages]
        for stage in self.stages:
            if told_apart.count(stage.name) > 1:
                stage.label = f"{stage.name} ({stage.source.rsplit('/', 1)[-1]})"
        score = data.get("score") or {}
        self.total = score.get("total", sum(stage.score["total"] for stage in self.stages))
        self.max = score.get("max", sum(stage.score["max"] for stage in self.stages))
        self.parts = [part for part in PARTS if part != "quiz" or any(stage.points[part] for stage in self.stages)]

    @property
    def who(self):
        """Name and id, as far as they are known."""
        return f"{self.name} ({self.student})" if self.name and self.name != self.student else self.student

    @property
    def title(self):
        """Whose it is, and the points; of a run without points what it was of."""
        if self.max == 0 and self.stages:
            return ", ".join(stage.label.removeprefix("program/") for stage in self.stages)
        return f"{self.who or 'Report'}: {points_text(self.total)} of {points_text(self.max)} points"

    def points(self):
        """Every bandwidth of every stage, of the result and of a bench run."""
        for stage in self.stages:
            yield from [stage.bandwidth] if stage.bandwidth else []
            yield from stage.by_class
            yield from stage.sweep

    def stage_before(self, stage):
        """The stage whose technique this one improves: the one before it of the same assignment; None if there is none."""
        earlier = [one for one in self.stages if one.assignment == stage.assignment and one.is_graded
                   and one.number is not None and stage.number is not None and one.number < stage.number]
        return max(earlier, key=lambda one: one.number, default=None)

    @property
    def modelled_gpu(self):
        """The GPU that times are modelled for, with its article: "an NVIDIA H200"; "the GPU" where none is named."""
        name = next((stage.time["gpu"] for stage in self.stages if stage.time.get("gpu")), "")
        return f"an {name}" if name.startswith("NVIDIA") else f"a {name}" if name else "the GPU"

    @property
    def is_modelled(self):
        """True if no GPU was there to be measured."""
        return self.device.get("kind") != "cuda"


class Stage:
    """One stage of one submission. Absent parts of the JSON are empty here."""

    def __init__(self, data):
        if data.get("untouched"):  # the stub as it was handed out: what it gets right or wrong says nothing
            data = {**data, **OF_A_STUB}
        self.data = data
        self.assignment = data.get("assignment", "")
        self.id = data.get("stage", "")
        self.name = f"{self.assignment}/{self.id}"
        self.label = self.name  # with the file's name where a result has two files of one stage
        self.title = data.get("title", "")
        self.source = data.get("source", "")
        # What was handed in is named from `assignments` on, where its student has it; all else from where it was checked.
        is_handed_in = self.source.split("/")[0] == self.assignment
        self.path = f"assignments/{self.source}" if is_handed_in and self.source else self.source
        self.sha256 = data.get("sha256", "")
        number = re.match(r"(\d+)_", self.source.rsplit("/", 1)[-1])
        self.number = int(number[1]) if number else None
        self.source_lines = data.get("source_lines") or []
        self.compile = data.get("compile") or {}
        correctness = data.get("correctness") or {}
        self.cases = correctness.get("cases") or []
        self.run_up_to = correctness.get("run_up_to")  # elements; of larger cases the launcher alone was asked
        self.planned_up_to = correctness.get("planned_up_to")
        self.findings = data.get("findings") or []
        self.launches = data.get("launches") or []
        self.technique = data.get("technique") or []
        self.proof = data.get("proof") or {}
        self.counters = data.get("counters") or {}
        self.bandwidth = Point(data["bandwidth"]) if data.get("bandwidth") else None
        by_class = [Point(one) for one in data.get("bandwidth_by_class") or []]
        self.by_class = sorted(by_class, key=lambda point: place(CLASSES, point.shape_class))
        self.sweep = [Point(one) for one in data.get("sweep") or []]
        self.trace = data.get("trace") or []
        self.time = data.get("time") or {}  # modelled
        self.band = data.get("band") or {}
        self.quiz = data.get("quiz") or {}
        self.is_program = bool(data.get("program"))  # a whole program: it is run with arguments, and not timed
        self.output = data.get("output") or ""
        score = data.get("score") or {}
        self.score = {part: score.get(part) or 0 for part in (*PARTS, "total", "max")}
        self.state = score.get("state", "final")
        self.why = score.get("why", "")  # of a state that is not final
        self.points = {part: (data.get("points") or {}).get(part) for part in PARTS}  # what there was to earn

    @property
    def is_own_program(self):
        """True for a program of no stage, which `run` ran."""
        return self.is_program and self.assignment == "program"

    @property
    def arguments(self):
        """Those of the first run of a program."""
        case = self.cases[0] if self.cases else {}
        words = case.get("contents") or ""
        return [str(part) for part in case.get("shape") or ([] if words == "without arguments" else words.split())]

    @property
    def is_named_by_path(self):
        """True if the file's name and folder say which stage it is of: transpose/4_padding.cu."""
        folder, _, name = self.path.rpartition("/")
        return folder.rsplit("/", 1)[-1] == self.assignment and re.sub(r"^\d+_|\.cu$", "", name) == self.id

    @property
    def compiles(self):
        return bool(self.compile.get("ok"))

    @property
    def cases_passed(self):
        return sum(case.get("verdict") == "pass" for case in self.cases)

    @property
    def is_graded(self):
        """False for a worked example."""
        return self.score["max"] > 0

    @property
    def is_handed_in(self):
        """False for a stage of the assignment that a student left out: the result lists it without a file."""
        return bool(self.source or self.sha256)

    @property
    def is_attempted(self):
        """False for what was not handed in, and for the stub as it was handed out."""
        return self.is_handed_in and not self.data.get("untouched")

    @property
    def is_edited(self):
        """True if the file is known to differ from the stub that was handed out."""
        return self.data.get("untouched") is False

    @property
    def has_open_performance(self):
        """True if performance marks may still come: nothing was timed, or a person has to look at what was."""
        if self.points["performance"] == 0:
            return False
        if self.state == "noisy" or self.is_impossible:
            return True
        return self.state == "provisional" and self.is_correct and not self.bandwidth

    @property
    def is_impossible(self):
        """True if a bandwidth is above what the device can do."""
        points = [self.bandwidth, *self.by_class] if self.bandwidth else self.by_class
        return any(point.verdict == "impossible" for point in points) or self.state == "impossible"

    @property
    def origin(self):
        """Of the stage's bandwidth: "measured", "modelled", or None without one."""
        return self.bandwidth.origin if self.bandwidth else None

    def add(self, key, items):
        """Bench points ("sweep") or accesses ("trace") from another file."""
        if key == "sweep":
            self.sweep = [Point(one) for one in items]
        else:
            self.trace = items

    @property
    def is_correct(self):
        """Every case that was run is right, and one was."""
        return self.compiles and self.cases_passed > 0 and all(
            case.get("verdict") in ("pass", "skipped") for case in self.cases)

    @property
    def why_no_technique(self):
        """Why no rule has a value; "" where they have."""
        says = {rule.get("says", "") for rule in self.technique if not rule.get("ok")}
        [why] = says if len(says) == 1 else [""]
        return why if why.startswith("not measured") else ""

    @property
    def shows_technique(self):
        return all(rule.get("ok") for rule in self.technique)

    @property
    def has_no_mark_yet(self):
        """The kit failed, or nobody has said yet which file is this stage's."""
        return self.state in ("internal_error", "unclear")

    @property
    def verdict(self):
        """One or two words for a table."""
        if self.state == "unclear":
            return "not graded yet"
        if self.state == "internal_error":
            return "internal error"
        if not self.is_handed_in:
            return "not handed in"
        if not self.is_attempted:
            return "not attempted"
        if not self.compiles:
            return "does not compile"
        if not self.is_correct:
            failed = {case.get("verdict") for case in self.cases} - {"pass", "skipped"}
            for word in ("launch_error", "timeout", "fault", "wrong"):
                if word in failed:
                    return word.replace("_", " ")
            return "nothing was run"
        if self.is_impossible:
            return "impossible bandwidth"
        if any(finding.get("severity") == "error" for finding in self.findings):
            return "has errors"
        if not self.shows_technique:
            return "other technique"
        return "passes" if self.data.get("passes", True) else "falls short"

    def per_request(self, space, op, unit):
        """Sectors or wavefronts per request: per_request("global", "load", "sectors"). None without requests."""
        return ratio(self.counters, f"{space}_{op}_{unit}", f"{space}_{op}_requests")

    def ideal_per_request(self, space, op, unit):
        """The least that the same bytes need, per request. None without requests or without that counter."""
        return ratio(self.counters, f"{space}_{op}_{unit}_ideal", f"{space}_{op}_requests")


def ratio(counters, above, below):
    """counters[above] / counters[below]; None where either is missing or there is nothing to divide by."""
    if above not in counters or not counters.get(below):
        return None
    return counters[above] / counters[below]


def place(order, value):
    """Where a value stands in an order; unknown ones come last."""
    return order.index(value) if value in order else len(order)
