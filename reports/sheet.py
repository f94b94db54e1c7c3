"""A4 pages drawn by matplotlib: headings, paragraphs, tables, code and pictures, one below the other, and tagged as such."""

import contextlib
import functools
import io

from matplotlib import rc_context
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font

from reports.figure import INK, LINE, MARK, SHADE, SOFT, STYLE, WIDTH, Canvas, use_colours
from reports.places import replace_file
from reports.tagging import Tree, with_tree
from reports.text import printable

PAGE = (8.27, 11.69)
LEFT, TOP, BOTTOM = (PAGE[0] - WIDTH) / 2, 0.75, 0.8
POINTS = 72
SPACING = 1.35  # of lines
SANS, MONO = "DejaVu Sans", "DejaVu Sans Mono"
SIZES = {1: 17, 2: 13, 3: 10.5, 4: 9}


@functools.lru_cache(maxsize=None)
def advance(character, family, bold):
    """Width of a character in ems; None where the font lacks it."""
    font = get_font(findfont(FontProperties(family=family, weight="bold" if bold else "normal")))
    if not font.get_char_index(ord(character)):
        return None
    font.set_size(100, POINTS)
    return font.load_char(ord(character)).linearHoriAdvance / 65536 / 100


def drawable(text, family=SANS, bold=False):
    """The text with what the font lacks replaced."""
    return "".join(c if advance(c, family, bold) is not None else "?" for c in printable(text).replace("\n", " "))


def width_of(text, size, family=SANS, bold=False):
    return sum(advance(c, family, bold) or 0.6 for c in text) * size / POINTS


def fitting(word, width, size, family, bold):
    """How many characters of a word fit into `width` inches, at least one."""
    used = 0
    for count, character in enumerate(word):
        used += (advance(character, family, bold) or 0.6) * size / POINTS
        if used > width and count > 0:
            return count
    return len(word)


def wrap(text, width, size, family=SANS, bold=False):
    """Lines of at most `width` inches; a word that is longer is cut."""
    lines, line = [], ""
    for word in drawable(text, family, bold).split(" "):
        while (count := fitting(word, width, size, family, bold)) < len(word):
            lines += [line, word[:count]] if line else [word[:count]]
            line, word = "", word[count:]
        longer = f"{line} {word}" if line else word
        if width_of(longer, size, family, bold) <= width:
            line = longer
        else:
            lines.append(line)
            line = word
    return [*lines, line] if line or not lines else lines


class Sheets:
    """Pages under way. Use as a context: leaving it writes the file."""

    def __init__(self, path, title, footer):
        self.path, self.title, self.drawn, self.tree = path, title, io.BytesIO(), Tree()
        self.pdf = PdfPages(self.drawn, metadata={"Title": title, "Creator": "Warpgrade", "CreationDate": None})
        self.footer, self.number, self.figure = footer, 0, None
        self.style = rc_context({**STYLE, "figure.max_open_warning": 0})

    def __enter__(self):
        use_colours("paper")
        self.style.__enter__()
        self.new_page()
        return self

    def __exit__(self, kind, *rest):
        if kind is None:
            self.end_page()
        self.pdf.close()
        self.style.__exit__(kind, *rest)
        if kind is None:
            replace_file(self.path, with_tree(self.drawn.getvalue(), self.tree, self.title))

    def new_page(self):
        if self.figure is not None:
            self.end_page()
        self.figure = Figure(figsize=PAGE, facecolor="white")
        self.canvas = Canvas(self.figure, LEFT, 0, WIDTH, PAGE[1])
        self.number += 1
        self.top = TOP
        self.tree.new_page()

    def end_page(self):
        self.canvas.text(0, PAGE[1] - 0.5, drawable(self.footer), fontsize=7, color=SOFT)
        self.canvas.text(WIDTH, PAGE[1] - 0.5, str(self.number), fontsize=7, color=SOFT, ha="right")
        self.tree.mark_rest(self.figure)
        self.pdf.savefig(self.figure)
        self.figure = None

    @contextlib.contextmanager
    def described(self, words):
        """What is drawn meanwhile, all on this page, is one picture, which `words` tell of."""
        before = set(map(id, self.figure.get_children()))
        yield
        element = self.tree.root.add("Figure", words)
        for artist in self.figure.get_children():
            if id(artist) not in before:
                self.tree.mark(artist, element)

    @property
    def is_fresh(self):
        return self.top <= TOP

    def room(self):
        return PAGE[1] - BOTTOM - self.top

    def need(self, height):
        """A new page if so many inches are not left, unless this one is empty."""
        if self.room() < height and not self.is_fresh:
            self.new_page()

    def gap(self, height):
        if not self.is_fresh:
            self.top += height

    def heading(self, text, level=2, with_next=1.2):
        size = SIZES[level]
        self.gap({1: 0, 2: 0.3, 3: 0.2, 4: 0.12}[level])
        lines = wrap(text, WIDTH, size, bold=True)
        self.need(len(lines) * size * SPACING / POINTS + with_next)
        self.lines(lines, size, self.tree.heading(level), weight="bold")
        self.top += 0.06

    def paragraph(self, text, size=9, color=INK, indent=0.0, weight="normal", after=0.07):
        lines = wrap(text, WIDTH - indent, size, bold=weight == "bold")
        self.lines(lines, size, self.tree.root.add("P"), color=color, indent=indent, weight=weight)
        self.top += after

    def lines(self, lines, size, element, indent=0.0, family=SANS, **options):
        step = size * SPACING / POINTS
        for line in lines:
            self.need(step)
            self.tree.mark(self.canvas.text(indent, self.top, line, fontsize=size, family=family, **options), element)
            self.top += step

    def code(self, rows, size=7):
        """Rows (number, text, kind) of an excerpt, on a shade."""
        step = size * SPACING / POINTS
        self.need(step * len(rows) + 0.1)
        self.canvas.rectangles([(0, self.top - 0.02, WIDTH, step * len(rows) + 0.06)], SHADE, "none")
        most = int((WIDTH - 0.5) * POINTS / size / 0.602)
        element = self.tree.root.add("P")
        for number, text, kind in rows:
            color = {"here": INK, "caret": MARK}.get(kind, SOFT)
            if number:
                self.tree.mark(self.canvas.text(0.35, self.top, str(number), fontsize=size, family=MONO, color=SOFT, ha="right"),
                               element)
            self.tree.mark(self.canvas.text(0.45, self.top, drawable(text[:most], MONO), fontsize=size, family=MONO,
                                            color=color), element)
            self.top += step
        self.top += 0.1

    def table(self, headers, rows, widths, size=7.5, right=()):
        """Columns of `widths` inches; those in `right` are flushed right. Rows do not break over pages."""
        step, pad = size * SPACING / POINTS, 0.08
        lefts = [sum(widths[:column]) for column in range(len(widths))]

        def cells(row, bold=False):
            return [wrap(str(cell), width - pad, size, bold=bold) for cell, width in zip(row, widths)]

        def draw(row, kind, **options):
            tall = step * max(map(len, row)) + 0.045
            tagged = table.add("TR") if kind else None
            for column, (lines, left, width) in enumerate(zip(row, lefts, widths)):
                cell = tagged and tagged.add(kind)
                for index, line in enumerate(lines):
                    flush = {"ha": "right"} if column in right else {}
                    text = self.canvas.text(left + (width - pad if column in right else 0), self.top + index * step, line,
                                            fontsize=size, **flush, **options)
                    if cell:
                        self.tree.mark(text, cell)
            self.top += tall
            self.canvas.line(0, self.top - 0.03, sum(widths), self.top - 0.03, color=LINE, linewidth=0.5)

        def head(kind=None):
            draw(cells(headers, bold=True), kind, weight="bold", color=SOFT)

        self.need(3 * step)
        table = self.tree.root.add("Table")
        head("TH")
        for row in rows:
            drawn = cells(row)
            if self.room() < step * max(map(len, drawn)) + 0.05:
                self.new_page()
                head()  # again, for the eye alone
            draw(drawn, "TD")
        self.top += 0.12

    def pictures(self, plots, subject):
        """One after the other; those that miss the same thing say so once."""
        absent = {}
        for plot in plots:
            if plot.height(subject):
                self.picture(plot, subject)
            else:
                absent.setdefault(plot.missing(subject), []).append(plot.TITLE)
        for reason, titles in absent.items():
            self.heading("; ".join(titles), 4, with_next=0.3)
            self.paragraph(reason.replace("`", ""), size=8, color=SOFT)

    def picture(self, plot, subject, title=None):
        """The plot with its title above; what is missing, in words, where there is nothing to draw."""
        height = plot.height(subject)
        title = title or plot.TITLE
        if not height:
            self.heading(title, 4, with_next=0.3)
            self.paragraph(plot.missing(subject).replace("`", ""), size=8, color=SOFT)
            return
        height = min(height, PAGE[1] - TOP - BOTTOM - 0.5)
        self.heading(title, 4, with_next=height + 0.25)
        with self.described(". ".join([title, *plot.describe(subject)])):
            plot.draw(Canvas(self.figure, LEFT, self.top + 0.04, WIDTH, height), subject)
        self.top += height + 0.16
