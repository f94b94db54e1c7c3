"""Markdown -> one HTML file with everything inside: no network, no script."""

import re
import shutil
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from handouts import figures, formula
from handouts.document import FOLDER, ROOT, pages

COMMENT = re.compile(r"^<!--.*?-->\n", re.DOTALL | re.MULTILINE)  # marks for this package and its tests
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body class="handout">
<a class="skip" href="#content">Skip to the text</a>
<header>
<p class="kit">Warpgrade</p>
{heading}
<nav aria-label="Sections"><ul>
{sections}
</ul></nav>
</header>
<main id="content">
{body}
</main>
</body>
</html>
"""


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


class Writer:
    """One handout or sheet, from tokens to HTML."""

    def __init__(self, name):
        self.name = name
        self.markdown = MarkdownIt("commonmark", {"html": False}).enable("table").use(
            dollarmath_plugin, renderer=self.math, allow_digits=False, double_inline=False)
        rules = self.markdown.renderer.rules
        rules["fence"] = rules["code_block"] = self.fence
        rules["table_open"] = self.table_open
        rules["table_close"] = lambda *_: "</table></div>\n"
        self.sections, self.title, self.tables = [], name, 0

    def table_open(self, *_):
        """A table may be wider than a phone: it scrolls, by keyboard too, and has a name of its own among the others."""
        self.tables += 1
        return f'<div class="scroll" role="region" aria-label="Table {self.tables}" tabindex="0"><table>\n'

    @staticmethod
    def math(tex, options):
        if options["display_mode"]:
            return f'<div class="display">{formula.svg(tex, is_display=True)}</div>\n'
        return formula.svg(tex)

    @staticmethod
    def fence(tokens, index, *_):
        """Code; in a console block what is typed stands out from what is printed."""
        token = tokens[index]
        if token.info != "console":
            return f'<pre tabindex="0"><code>{escape(token.content)}</code></pre>\n'
        lines = []
        for line in escape(token.content).splitlines():
            if line.startswith("$ "):
                line = f'<span class="prompt">$ </span><kbd>{line[2:]}</kbd>'
            elif line == "...":
                line = '<span class="left-out">...</span>'
            lines.append(line)
        body = "\n".join(lines)
        return f'<pre class="console" tabindex="0"><samp>{body}</samp></pre>\n'

    def render(self):
        tokens = self.markdown.parse(COMMENT.sub("", pages()[self.name]))
        out, heading, number = [], "", 0
        while number < len(tokens):
            token = tokens[number]
            if token.type == "heading_open":
                inline, words = tokens[number + 1], self.words(tokens[number + 1])
                html = self.inline(inline)
                if token.tag == "h1":
                    self.title, heading = words, f"<h1>{html}</h1>"
                else:
                    anchor = slug(words)
                    out.append(f'<{token.tag} id="{anchor}">{html}</{token.tag}>\n')
                    if token.tag == "h2":
                        self.sections.append(f'<li><a href="#{anchor}">{html}</a></li>')
                number += 3
            elif token.type == "paragraph_open" and self.picture(tokens[number + 1]):
                out.append(self.picture(tokens[number + 1]))
                number += 3
            elif token.type == "paragraph_open" and not token.hidden and self.is_caption(tokens[number + 1]):
                out.append(f'<p class="caption">{self.inline(tokens[number + 1])}</p>\n')
                number += 3
            elif token.type == "paragraph_open" and not token.hidden and self.leads(tokens[number + 3:]):
                out.append(f'<p class="lead">{self.inline(tokens[number + 1])}</p>\n')
                number += 3
            else:
                out.append(self.markdown.renderer.render([token], self.markdown.options, {}))
                number += 1
        style = (ROOT / "reports" / "templates" / "style.css").read_text(encoding="utf-8")
        style += (FOLDER / "page.css").read_text(encoding="utf-8")
        return PAGE.format(title=escape(self.title), style=style, heading=heading, sections="\n".join(self.sections),
                           body=self.joined("".join(out)))

    def inline(self, token):
        return self.markdown.renderer.render([token], self.markdown.options, {})

    @staticmethod
    def words(token):
        """The text of a heading, without its marks."""
        return "".join(child.content for child in token.children)

    @staticmethod
    def picture(token):
        """A paragraph that is a picture, as a figure; "" if it is something else."""
        children = token.children or []
        if len(children) != 1 or children[0].type != "image":
            return ""
        name = Path(children[0].attrs["src"]).stem
        title = children[0].content
        words = escape(figures.description(name))
        svg = figures.inline(name).replace('aria-hidden="true"', f'role="img" aria-label="{words}"', 1)
        return f'<figure>\n{svg}\n<figcaption>{escape(title)}.</figcaption>\n</figure>\n'

    @staticmethod
    def is_caption(token):
        """A paragraph in italics from end to end says where a table or a picture comes from."""
        children = token.children or []
        if len(children) < 3 or children[0].type != "em_open" or children[-1].type != "em_close":
            return False
        depth = 0
        for place, child in enumerate(children):
            depth += {"em_open": 1, "em_close": -1}.get(child.type, 0)
            if depth == 0 and place < len(children) - 1:
                return False
        return True

    @classmethod
    def leads(cls, following):
        """True if code, a table, a list or a picture comes next: the paragraph must not stay behind on another page."""
        if not following:
            return False
        if following[0].type == "paragraph_open":
            return bool(cls.picture(following[1]))
        return following[0].type in ("fence", "table_open", "math_block", "bullet_list_open", "ordered_list_open")

    @staticmethod
    def joined(html):
        """Links from one handout to another lead to its page; an empty cell is a cell in a printed table, too; a column
        whose header is empty holds the names of the rows."""
        html = re.sub(r"(<td[^>]*>)\s*(?=</td>)", r"\1&nbsp;", html)
        html = re.sub(r"(<th[^>]*>)\s*(?=</th>)", r'\1<span class="unseen">what</span>', html)
        html = re.sub(r"<th(?=[ >])", '<th scope="col"', html)
        return re.sub(rf'href="({"|".join(pages())})\.md(#[^"]*)?"', r'href="\1.html\2"', html)


def data_of(name):
    """The data files that a handout links to, as paths from the folder of the handouts."""
    return sorted(set(re.findall(r"\]\((data/[\w.]+)\)", pages()[name])))


def write(name, folder):
    """Writes folder/NAME.html, and beside it the data that it links to; returns its path."""
    path = Path(folder) / f"{name}.html"
    path.write_text(Writer(name).render(), encoding="utf-8")
    for data in data_of(name):
        (Path(folder) / "data").mkdir(exist_ok=True)
        shutil.copyfile(FOLDER / data, Path(folder) / data)
    return path
