"""Where the handouts are, and the parts of their Markdown that something else has to agree with."""

import functools
import re
import sys
from dataclasses import dataclass
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "handouts"
NAMES = ("getting_started", "first_program", "transpose", "reduction", "stencil", "scan", "histogram", "matmul",
         "experiments", "reference", "instructor", "teaching", "authoring", "answers")
NOT_FOR_STUDENTS = ("instructor", "teaching", "authoring", "answers")  # what a student's package leaves out

# Of assignments with sheets: the example before the first stage, or a program that does one step on a few numbers (worked.py).
WORKED = {name: path for name, path in (("transpose", ROOT / "assignments" / "transpose" / "0_copy.cu"), *(
    (path.stem, path) for path in sorted((FOLDER / "worked").glob("*.cu")))) if path.exists() and (FOLDER / f"{name}.md").exists()}

TABLE = re.compile(r"(?P<head>^<!-- table: (?P<what>[^>]+?) -->\n)(?P<body>.*?)(?P<end><!-- end of table -->)",
                   re.DOTALL | re.MULTILINE)
FENCE = re.compile(r"^```(?P<language>[^\n`]*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
STAGE = re.compile(r"^## (?P<title>(?P<section>\d+)\. Stage (?P<number>\d+), (?P<words>[^:\n]+)[^\n]*)\n", re.MULTILINE)
READING = re.compile(r"^<!-- reading: (?P<title>[^>]+?) -->\n(?P<body>.*?)^<!-- end of reading -->\n", re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\(figures/(?P<name>\w+)\.svg\)")


@dataclass(frozen=True)
class Fence:
    """A fenced block: its language, its lines, and the comments that stand directly above it."""

    document: str
    line: int
    language: str
    body: str
    comments: tuple


def path_of(name):
    return FOLDER / f"{name}.md"


def text_of(name):
    return path_of(name).read_text(encoding="utf-8")


def fences(name):
    """The fenced blocks of a handout, in order."""
    text = text_of(name)
    for match in FENCE.finditer(text):
        above = text[:match.start()].rstrip()
        comments = []
        while above.endswith("-->") and "<!--" in above:
            start = above.rindex("<!--")
            comments.insert(0, above[start + 4:-3].strip().replace("\n", " "))
            above = above[:start].rstrip()
        yield Fence(name, text.count("\n", 0, match.start()) + 1, match["language"].strip(), match["body"],
                    tuple(comments))


def prose(name):
    """The text without fenced blocks and comments: what a person reads as sentences."""
    return prose_of(text_of(name))


def prose_of(text):
    return re.sub(r"<!--.*?-->", "", FENCE.sub("", text), flags=re.DOTALL)


@dataclass(frozen=True)
class Sheet:
    """One stage's section as a page of its own."""

    name: str  # "transpose_4_padding"
    stage: str  # "transpose/padding"
    title: str
    body: str


@functools.cache
def parts(name):
    """(the handout without its stages, their sheets). What stands between `reading` marks in a stage's section is no
    part of its sheet, which is to be a page: it follows in the handout, below the links to the sheets."""
    text, sheets, readings, rest, end = text_of(name), [], [], "", 0
    found = list(STAGE.finditer(text))
    for match in found:
        after = re.compile(r"^## ", re.MULTILINE).search(text, match.end())
        body = text[match.end():after.start() if after else len(text)]
        stage = stage_of(name, int(match["number"]))
        sheets.append(Sheet(f"{name}_{match['number']}_{stage}", f"{name}/{stage}", match["title"], READING.sub("", body)))
        readings += [f"### {part['title']}\n\n{part['body'].strip()}\n\n" for part in READING.finditer(body)]
        rest += text[end:match.start()]
        if match is found[-1]:
            rest += f"## Stages, a sheet each\n\n{links(sheets)}\n{''.join(readings)}"
        end = after.start() if after else len(text)
    return rest + text[end:], tuple(sheets)


def stage_of(name, number):
    stages = tomllib.loads((ROOT / "assignments" / name / "assignment.toml").read_text(encoding="utf-8"))["stage"]
    return next(stage["id"] for stage in stages if stage["number"] == number)


def links(sheets):
    return "".join(f"- [{sheet.title}]({sheet.name}.md)\n" for sheet in sheets)


def sheet_text(name, index):
    """A sheet with its heading, and at its end where its points are told and what comes before and after."""
    sheets = parts(name)[1]
    sheet, body = sheets[index], re.sub(r"^###", "##", sheets[index].body, flags=re.MULTILINE)
    beside = [f"{word}: [{sheets[at].title}]({sheets[at].name}.md)" for word, at in (("Before", index - 1), ("Next", index + 1))
              if 0 <= at < len(sheets)]
    ends = [f"Points: `./grader/warpgrade list {sheet.stage}`",
            f"See it move: `./grader/warpgrade explain --page {sheet.stage}`", *beside, f"[The whole handout]({name}.md)"]
    if name in WORKED:
        ends.insert(2, f"A worked example, to click through: [`{WORKED[name].name}`]({worked_page(name)})")
    return f"# {sheet.title}\n\n{body.strip()}\n\n" + "".join(f"- {one}\n" for one in ends)


def worked_page(name):
    return f"{name}_worked.html"


@functools.cache
def pages():
    """Name -> Markdown of every page that is made: the handouts, each with its sheets behind it."""
    found = {}
    for name in NAMES:
        if not path_of(name).exists():  # a student's kit may leave some out
            continue
        reading, sheets = parts(name)
        found[name] = reading
        found |= {sheet.name: sheet_text(name, index) for index, sheet in enumerate(sheets)}
    return found
