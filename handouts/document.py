"""Where the handouts are, and the parts of their Markdown that something else has to agree with."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "handouts"
NAMES = ("getting_started", "first_program", "transpose", "reduction", "stencil", "scan", "histogram", "experiments",
         "reference", "instructor", "teaching", "authoring", "answers")
NOT_FOR_STUDENTS = ("instructor", "teaching", "authoring", "answers")  # what a student's package leaves out

TABLE = re.compile(r"(?P<head>^<!-- table: (?P<what>[^>]+?) -->\n)(?P<body>.*?)(?P<end><!-- end of table -->)",
                   re.DOTALL | re.MULTILINE)
FENCE = re.compile(r"^```(?P<language>[^\n`]*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
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
    return re.sub(r"<!--.*?-->", "", FENCE.sub("", text_of(name)), flags=re.DOTALL)
