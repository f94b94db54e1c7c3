"""What five other courses teach and report, element by element, each with a command that shows it here.

    python -m handouts.elements [ID]...     runs all of them, or these, and prints what does not hold

elements.toml: one [[element]] each, with its id (document and place), what it is, the command, what its output has to
hold, and where the learner is by then: `solved`, the default, has every stage's solution in place; otherwise a state of
states.toml. Commands of the courses' kernels are those of handouts/kernels.
"""

import re
import shutil
import sys
from functools import cache

from handouts import console
from handouts.clone import Clone
from handouts.document import FOLDER, ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCUMENTS = ("000", "001", "002", "003", "004")


@cache
def elements():
    with open(FOLDER / "elements.toml", "rb") as file:
        return tomllib.load(file)["element"]


def solve(clone):
    for folder in ("transpose", "reduction"):
        for file in (ROOT / "solutions" / folder).glob("*.cu"):
            shutil.copyfile(file, clone.root / "assignments" / folder / file.name)


def try_one(element):
    """None if the output holds what it has to, otherwise what is missing."""
    with Clone() as clone:
        solve(clone)
        if "state" in element:
            state = console.states()[element["state"]]
            console.prepare(clone, [(state["source"], tuple(map(tuple, state["edits"])))])
        _, output = clone.run(element["command"])
    plain = re.sub(r"\s+", " ", output)
    missing = [text for text in element["holds"] if re.sub(r"\s+", " ", text) not in plain]
    return f"{element['id']}: $ {element['command']}\ndoes not hold {missing}:\n{output}" if missing else None


def main(ids):
    wrong = [problem for element in elements() if not ids or element["id"] in ids for problem in [try_one(element)] if problem]
    print("\n\n".join(wrong) or "every element is shown")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
