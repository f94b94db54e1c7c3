"""One script a question, found by walking. Each has:

TITLE            one line, what the reader should look for
QUESTION         what it answers, for `plot --list`
ORDER            its place among those of its section, or of its subject
SUBJECT          "result", "stage" (one picture a stage), "pair" or "class"
SECTION          of a result: the section of the page (sections.py) that shows it; None: the page names it itself
IS_BAR_A_STAGE   of a result: it is left out for one stage, of which a table says as much
height(subject)  inches; 0 where there is nothing to draw
draw(canvas, subject)
describe(subject)   the same in words, a list of entries, for readers who do not see it
missing(subject)    what is not in the JSON, and the command that gives it; asked only where height is 0

Each runs by itself:  python -m reports plot sectors result.json --out sectors.png
"""

import importlib
import pkgutil


def all_plots(subject=None):
    """The modules of this folder, by their ORDER; of one SUBJECT if it is given."""
    modules = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    chosen = [module for module in modules if subject in (None, module.SUBJECT)]
    return sorted(chosen, key=lambda module: (module.SUBJECT != "result", module.SUBJECT, module.ORDER))


def name_of(plot):
    return plot.__name__.rsplit(".", 1)[-1]
