"""Commands in the handouts, as a person would type them, with what they print.

A block of the language `console` holds commands, each after "$ ", and below each the lines that it prints. A line "..."
stands for any lines. A comment above the block says what the learner has written by then:

    <!-- with solutions/transpose/1_naive_read.cu -->   the stage's file is this one
    <!-- with state naive_read_2 -->                    a file with what states.toml changes in it

Every block starts from untouched assignments. What is changed stands in states.toml, never in the Markdown: that goes to
students, and the changes hold lines of the solutions.
"""

import re
import sys
from dataclasses import dataclass
from functools import cache

from handouts.document import FOLDER, NAMES, ROOT, fences

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

WITH = re.compile(r"with (?:state (?P<state>\w+)|(?P<source>[\w./]+))")


@dataclass(frozen=True)
class Command:
    typed: str
    printed: tuple  # lines; "..." for any


@dataclass(frozen=True)
class Session:
    """One console block."""

    document: str
    line: int
    states: tuple  # (source, ((old, new), ...))
    commands: tuple


class BadBlock(Exception):
    """A console block that says something else than this module can read."""


def sessions(names=NAMES):
    for name in names:
        for fence in fences(name):
            if fence.language == "console":
                yield Session(name, fence.line, tuple(state_of(text, fence) for text in fence.comments),
                              tuple(commands_of(fence)))


def state_of(comment, fence):
    found = WITH.fullmatch(comment)
    if not found:
        raise BadBlock(f"{fence.document}.md:{fence.line}: no state: {comment}")
    if found["source"]:
        return found["source"], ()
    if found["state"] not in states():
        raise BadBlock(f"{fence.document}.md:{fence.line}: states.toml has no [{found['state']}]")
    state = states()[found["state"]]
    return state["source"], tuple(map(tuple, state["edits"]))


@cache
def states():
    """states.toml: {name: {"source": path, "edits": [[old, new], ...]}}"""
    with open(FOLDER / "states.toml", "rb") as file:
        return tomllib.load(file)


def commands_of(fence):
    typed, printed = None, []
    for line in fence.body.splitlines():
        if line.startswith("$ "):
            if typed is not None:
                yield Command(typed, tuple(printed))
            typed, printed = line[2:], []
        elif typed is None:
            raise BadBlock(f"{fence.document}.md:{fence.line}: a console block starts with `$ `")
        else:
            printed.append(line.rstrip())
    if typed is not None:
        yield Command(typed, tuple(printed))


def prepare(clone, states):
    """Puts what the learner has written into the clone."""
    for source, edits in states:
        text = (ROOT / source).read_text(encoding="utf-8")
        for old, new in edits:
            if old not in text:
                raise BadBlock(f"{source} does not hold `{old}`")
            text = text.replace(old, new)
        target = "assignments/" + source.split("/", 1)[1] if source.startswith("solutions/") else source
        (clone.root / target).write_text(text, encoding="utf-8")


def difference(expected, output):
    """None if the output is as expected, otherwise what to show. "..." is any number of lines."""
    actual = [line.rstrip() for line in output.strip("\n").splitlines()]
    pieces, piece = [], []
    for line in "\n".join(expected).strip("\n").splitlines():
        if line == "...":
            pieces.append(piece)
            piece = []
        else:
            piece.append(line)
    pieces.append(piece)

    place = 0
    for number, piece in enumerate(pieces):
        if number == 0:
            starts = [0]
        elif number == len(pieces) - 1:
            starts = [len(actual) - len(piece)]
        else:
            starts = range(place, len(actual) - len(piece) + 1)
        start = next((s for s in starts if s >= place and actual[s:s + len(piece)] == piece), None)
        if start is None or (len(pieces) == 1 and len(piece) != len(actual)):
            return "expected:\n" + "\n".join(expected) + "\n\nprinted:\n" + "\n".join(actual)
        place = start + len(piece)
    return None


def try_session(session, clone):
    """Runs a block. Returns the differences, each with its command and place; none if the text is true."""
    prepare(clone, session.states)
    wrong = []
    for command in session.commands:
        _, output = clone.run(command.typed)
        found = difference(command.printed, output)
        if found:
            place = (FOLDER / f"{session.document}.md").relative_to(ROOT)
            wrong.append(f"{place}:{session.line}: $ {command.typed}\n{found}")
    return wrong


def main(names):
    """python -m handouts.console [NAME]...: tries the commands of these handouts and prints what differs."""
    from handouts.clone import Clone

    wrong = []
    for session in sessions(names or NAMES):
        with Clone() as clone:
            wrong += try_session(session, clone)
    print("\n\n".join(wrong) or "every command prints what the text shows")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
