"""The pictures of the handouts: which there are, drawn for a page and for figures/."""

import importlib
import pkgutil
import re
from html import escape

from handouts import plots
from handouts.document import FOLDER
from reports import figure


def names():
    return sorted(found.name for found in pkgutil.iter_modules(plots.__path__))


def plot(name):
    return importlib.import_module(f"handouts.plots.{name}")


def kept(name):
    """The picture as a file of its own, in light colours on white, described where screen readers and tests look."""
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", figure.to_svg(figure.make(plot(name))), flags=re.DOTALL)
    head = f'<desc>{escape(plot(name).describe())}</desc>\n <rect width="100%" height="100%" fill="#ffffff"/>'
    return re.sub(r"(<svg[^>]*>)", lambda match: f"{match[1]}\n {head}", svg, count=1)


def kept_text(name):
    return (FOLDER / "figures" / f"{name}.svg").read_text(encoding="utf-8")


def inline(name):
    """The kept picture as part of a page, in the page's colours. Needs no program and no solutions."""
    svg = re.sub(r"\s*<desc>.*?</desc>\s*<rect [^>]*>", "", kept_text(name), flags=re.DOTALL)
    for sentinel, paper in reversed(figure.COLOURS.values()):
        svg = svg.replace(paper, sentinel)
    return figure.inline_svg(svg, name)


def description(name):
    """The words of a kept picture."""
    return description_of(kept_text(name))


def description_of(svg):
    """The description in a file of figures/."""
    from xml.etree import ElementTree

    found = ElementTree.fromstring(svg).find("{http://www.w3.org/2000/svg}desc")
    return None if found is None else found.text


def write_all():
    """Draws figures/ anew; returns the names of the files that have changed."""
    changed = []
    for name in names():
        path, svg = FOLDER / "figures" / f"{name}.svg", kept(name)
        if not path.exists() or path.read_text(encoding="utf-8") != svg:
            path.write_text(svg, encoding="utf-8")
            changed.append(path.name)
    return changed
