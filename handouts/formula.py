"""TeX formulas as SVG that stands in a line of text: matplotlib's math, as outlines, in the colour of the text.

Outlines need no font on the reader's machine, and look the same on the screen and on paper.
"""

from functools import cache
from html import escape

import matplotlib
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser
from matplotlib.path import Path
from matplotlib.textpath import TextPath

from handouts.spoken import spoken

matplotlib.use("Agg")

SIZE = 10  # points that stand for 1 em of the text around
SCALE = 1.12  # Computer Modern is small beside a page's font
FONT = FontProperties(math_fontfamily="cm", size=SIZE)
LETTER = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C", Path.CLOSEPOLY: "Z"}
NOT_IN_MATPLOTLIB = {r"\bmod": r"\ \mathrm{mod}\ "}


class BadFormula(ValueError):
    """A formula that cannot be set: names it, and the reason."""


def as_matplotlib_has_it(tex):
    for command, replacement in NOT_IN_MATPLOTLIB.items():
        tex = tex.replace(command, replacement)
    return " ".join(tex.split())


@cache
def svg(tex, is_display=False):
    """An <svg> element; its baseline is that of the text. A formula on a line of its own has full-size fractions."""
    text = f"${as_matplotlib_has_it(tex)}$"
    if is_display:
        text = text.replace(r"\frac", r"\dfrac")
    try:
        width, height, depth, _, _ = MathTextParser("path").parse(text, dpi=72, prop=FONT)
        outline = TextPath((0, 0), text, size=SIZE, prop=FONT)
    except ValueError as problem:
        raise BadFormula(f"{tex}: {problem}") from None
    pad = 0.5
    top = height + depth + 2 * pad
    place = f"height:{SCALE * top / SIZE:.3f}em;vertical-align:{-SCALE * (depth + pad) / SIZE:.3f}em"
    return (f'<svg class="formula" role="img" aria-label="{escape(spoken(tex))}" style="{place}" '
            f'viewBox="0 {-height - pad:.2f} {width:.2f} {top:.2f}"><path d="{path_data(outline)}"/></svg>')


def path_data(outline):
    """SVG's letters for a path; y grows downwards there."""
    pieces = []
    for points, code in outline.iter_segments(curves=True, simplify=False):
        flipped = [value if i % 2 == 0 else -value for i, value in enumerate(points)]
        pieces.append("Z" if code == Path.CLOSEPOLY else LETTER[code] + " ".join(f"{value:.2f}" for value in flipped))
    return "".join(pieces)
