"""HTML read strictly enough for tests: tags that do not close, ids, addresses, text as a reader meets it."""

import html.parser
import re

BLOCKS = {"p", "h1", "h2", "h3", "h4", "li", "tr", "summary", "figcaption", "dt", "dd", "caption", "pre", "header",
          "nav", "main", "section", "article", "figure", "div", "footer", "table"}
UNREAD = {"style", "svg", "title"}


class Tags(html.parser.HTMLParser):
    """Collects tags, ids, addresses and text, and checks that what opens closes."""

    VOID = {"meta", "br", "link", "img", "input", "hr"}

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.addresses, self.open, self.text, self.lines = [], [], [], [], "", [""]
        self.feed(text)

    @property
    def names(self):
        return [tag for tag, _ in self.tags]

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.ids += [value for key, value in attributes if key == "id"]
        self.addresses += [value for key, value in attributes if key in ("href", "src", "xlink:href")]
        if tag not in self.VOID:
            self.open.append(tag)
        if tag in BLOCKS:
            self.lines.append("")
        elif tag in ("td", "th"):
            self.lines[-1] = self.lines[-1].rstrip() + " | " if self.lines[-1].strip() else ""

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        opened = self.open.pop()
        if opened != tag:
            raise AssertionError(f"<{opened}> is closed by </{tag}> at {self.getpos()}")
        if tag in BLOCKS:
            self.lines.append("")

    def handle_data(self, data):
        self.text += data
        if not UNREAD & set(self.open):
            self.lines[-1] += data if "pre" in self.open else re.sub(r"[ \n]+", " ", data)

    def reading(self):
        """The page's text, one line a block or table row."""
        lines = "\n".join(line.strip(" |") if "\n" not in line else line for line in self.lines).split("\n")
        return "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"
