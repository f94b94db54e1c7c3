"""What all pictures share: a canvas in inches, fonts, colours, and the way to SVG, PNG and PDF.

Colours are names ("wg:first"). What a name stands for is chosen when a picture is drawn: in a page a sentinel that
becomes a CSS variable, so that one picture serves light and dark; on paper the light colour. Series differ in lightness
by at least a fifth of the scale, so they hold in greyscale. In pictures of memory "first" is what a warp asks for or
loads, "third" what it stores, and "second" what is moved or done beyond the least. A hatch, a hollow marker and a dashed
line mean "modelled" and are used for nothing else.
"""

import io
import re
import warnings

import matplotlib

matplotlib.use("Agg")
from matplotlib import rc_context  # noqa: E402
from matplotlib.colors import get_named_colors_mapping  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.patches import Patch, PathPatch  # noqa: E402
from matplotlib.path import Path  # noqa: E402
from matplotlib.transforms import Affine2D  # noqa: E402

from reports.places import replace_file  # noqa: E402

# name: (sentinel in a page, colour on paper). The page's own colours, light and dark, are in templates/style.css.
COLOURS = {
    "ink": ("#010203", "#1d2126"),
    "soft": ("#010204", "#545d68"),
    "line": ("#010205", "#c3c9d2"),
    "paper": ("#010206", "#ffffff"),
    "shade": ("#010207", "#e9edf2"),
    "first": ("#010208", "#0b4f86"),
    "second": ("#010209", "#f0b95c"),
    "third": ("#01020a", "#4d9d92"),
    "mark": ("#01020b", "#b3261e"),
    "lost": ("#01020c", "#ffffff"),
    "heat1": ("#01020d", "#fff0cc"),
    "heat2": ("#01020e", "#ffd58a"),
    "heat3": ("#01020f", "#f9ad62"),
    "heat4": ("#010210", "#ee8161"),
}
INK, SOFT, LINE, PAPER, SHADE, FIRST, SECOND, THIRD, MARK, LOST = (
    f"wg:{name}" for name in ("ink", "soft", "line", "paper", "shade", "first", "second", "third", "mark", "lost"))
ON_SECOND = "#1d2126"  # text on "second", which is light in both themes
HEAT = ("wg:paper", "wg:heat1", "wg:heat2", "wg:heat3", "wg:heat4")

warnings.filterwarnings("ignore", "Glyph .* missing from")  # a submission's names may hold any character

STYLE = {
    "svg.fonttype": "none",  # text stays text: it can be searched, and it follows the page's font
    "svg.hashsalt": "warpgrade",
    "pdf.fonttype": 42,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib, so every machine draws the same
    "font.size": 8.5,
    "axes.labelsize": 8.5,
    "axes.titlesize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 8,
    "text.parse_math": False,  # a "$" in a name is a "$"
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": LINE,
    "grid.linewidth": 0.5,
    "axes.axisbelow": True,
    "hatch.linewidth": 0.8,
    "hatch.color": INK,
    "legend.frameon": False,
    "legend.handlelength": 2.2,
    "legend.columnspacing": 1.4,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}
WIDTH = 6.6  # inches, of every picture: it fits an A4 page and reads without zoom in a browser window
MARGIN = 0.06  # inches around a picture that stands alone


def use_colours(target):
    """What the names stand for from here on: "page" (sentinels) or "paper" (light colours)."""
    mapping = get_named_colors_mapping()
    for name, (sentinel, paper) in COLOURS.items():
        mapping[f"wg:{name}"] = sentinel if target == "page" else paper


use_colours("paper")


class Canvas:
    """A rectangle of a figure, measured in inches from its upper left corner: a whole picture, or a part of a page."""

    def __init__(self, figure, left, top, width, height):
        self.figure, self.left, self.top, self.width, self.height = figure, left, top, width, height
        self.page_width, self.page_height = figure.get_size_inches()

    def axes(self, left, top, width, height, **options):
        """Axes of that size; y grows downwards on a canvas."""
        return self.figure.add_axes([(self.left + left) / self.page_width,
                                     1 - (self.top + top + height) / self.page_height,
                                     width / self.page_width, height / self.page_height], **options)

    def text(self, left, top, text, **options):
        options.setdefault("va", "top")
        return self.figure.text((self.left + left) / self.page_width, 1 - (self.top + top) / self.page_height, text,
                                **options)

    def rectangles(self, boxes, face, edge=INK, line=0.4):
        """Rectangles (left, top, width, height) as one path: a thousand of them stay small in a file."""
        if boxes:
            corners = [point for x, y, w, h in boxes for point in ((x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y))]
            codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(boxes)
            self.figure.add_artist(PathPatch(Path(corners, codes), facecolor=face, edgecolor=edge, linewidth=line,
                                             transform=self.inches()))

    def line(self, left, top, right, bottom, **options):
        self.figure.add_artist(Line2D([left, right], [top, bottom], transform=self.inches(), **options))

    def inches(self):
        """From inches on the canvas to the figure."""
        return Affine2D().translate(self.left, self.top).scale(1 / self.page_width, -1 / self.page_height).translate(
            0, 1) + self.figure.transFigure

    def legend(self, handles, top=0.0, left=0.0, columns=4):
        self.figure.legend(handles=handles, loc="upper left", ncols=columns, borderaxespad=0, borderpad=0,
                           bbox_to_anchor=((self.left + left) / self.page_width,
                                           1 - (self.top + top) / self.page_height))

    def part(self, left, top, width, height):
        return Canvas(self.figure, self.left + left, self.top + top, width, height)


# How each origin looks, whatever the plot.
MARKER = {"measured": "o", "modelled": "D"}
LINESTYLE = {"measured": "-", "modelled": (0, (4, 2))}


def marker_style(origin, colour):
    """Arguments for plot(): filled circle and solid line, or hollow diamond and dashes."""
    modelled = origin == "modelled"
    return {"marker": MARKER.get(origin, "o"), "linestyle": LINESTYLE.get(origin, "-"), "color": colour,
            "markerfacecolor": PAPER if modelled else colour, "markeredgecolor": INK if not modelled else colour,
            "markeredgewidth": 1.4 if modelled else 0.6, "markersize": 5.5}


def bar_style(origin, colour):
    """Arguments for bar() and barh(): full, or hollow and hatched."""
    if origin == "modelled":
        return {"facecolor": PAPER, "edgecolor": colour, "linewidth": 1.2, "hatch": "//////"}
    return {"facecolor": colour, "edgecolor": INK, "linewidth": 0.6}


def patch(colour, label, origin="measured"):
    return Patch(label=label, **bar_style(origin, colour))


def stroke(colour, label, **options):
    return Line2D([], [], color=colour, label=label, **{"linewidth": 2.2, **options})


def origin_keys(origins, colour=FIRST, as_bars=True):
    """Legend entries that name the origins present."""
    keys = []
    for origin in ("measured", "modelled"):
        if origin in origins:
            keys.append(patch(colour, origin, origin) if as_bars else
                        Line2D([], [], label=origin, **marker_style(origin, colour)))
    return keys


def bars(axes, rows, values, colour, height=0.62, left=None, origin="measured"):
    """Horizontal bars; a value of None or 0 leaves its row empty."""
    starts = left or [0] * len(values)
    present = [(row, value, start) for row, value, start in zip(rows, values, starts) if value]
    if present:
        axes.barh([p[0] for p in present], [p[1] for p in present], height=height, left=[p[2] for p in present],
                  **bar_style(origin, colour))


def rows_axes(canvas, names, x_label, left=1.75, top=0.3, right=0.15, row=0.27):
    """Axes with one row a name, the first on top."""
    axes = canvas.axes(left, top, canvas.width - left - right, row * len(names))
    axes.set_yticks(range(len(names)), [short(name, left - 0.1) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel(x_label)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    return axes


def short(name, inches):
    """The end of a name, where names differ, in so much room."""
    most = int(inches / 0.066)  # of the font's usual letters
    return name if len(name) <= most else "\N{HORIZONTAL ELLIPSIS}" + name[1 - most:]


def rows_height(count, row=0.27, top=0.3, bottom=0.48):
    return top + row * count + bottom


def make(plot, *subject, target="paper"):
    """The plot as a figure of its own; None where there is nothing to draw."""
    height = plot.height(*subject)
    if not height:
        return None
    use_colours(target)
    with rc_context(STYLE):
        figure = Figure(figsize=(WIDTH + 2 * MARGIN, height + 2 * MARGIN))
        plot.draw(Canvas(figure, MARGIN, MARGIN, WIDTH, height), *subject)
    return figure


def to_svg(figure):
    buffer = io.StringIO()
    with rc_context(STYLE):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def inline_svg(svg, name):
    """SVG of target "page" to stand inside a page: no XML prologue, ids of its own, CSS variables for colours."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(\bid="|\bxlink:href="#|url\(#)', rf"\g<1>{name}-", svg)
    for role, (sentinel, _) in COLOURS.items():
        svg = svg.replace(sentinel, f"var(--{role})")
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)  # it would reach beyond the picture; style.css has it
    svg = re.sub(r' transform="rotate\(-0[^"]*\)"|(?<=; )font-family: [^;"]*; ', "", svg)  # the page's font
    svg = re.sub(r'(?<=[ "ML])(-?\d+\.\d\d)\d+', r"\1", svg)  # a hundredth of a point is enough
    svg = re.sub(r"\s*\n\s*", " ", svg).replace(" L ", "L").replace(" M ", "M").replace(" z", "z").replace("> <", "><")
    return svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)


def save(figure, path):
    """Writes .svg, .png or .pdf by the path's suffix, on white."""
    format = str(path).rsplit(".", 1)[-1].lower()
    metadata = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None},
                "pdf": {"CreationDate": None}}[format]
    drawn = io.BytesIO()
    with rc_context(STYLE):
        figure.savefig(drawn, format=format, facecolor="white", dpi=200, metadata=metadata)
    replace_file(path, drawn.getvalue())
