"""The tree of a PDF that matplotlib draws: which strokes are a heading, a cell, a picture. A reader that speaks follows it.

Matplotlib knows nothing of this. So each artist that belongs to an element writes, around its own strokes, that they are
piece n of the page; all others write that they are an artifact. When the pages are done, the tree that counts these
pieces is added to the file.
"""

import io
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from reports import accessible


@dataclass
class Element:
    kind: str
    words: str = ""  # in place of what is drawn, for a picture
    kids: list = field(default_factory=list)  # elements, and (page, piece)

    def add(self, kind, words=""):
        self.kids.append(Element(kind, words))
        return self.kids[-1]


def wrap(artist, begin):
    """Lets an artist say `begin` before it draws, and close that afterwards."""
    draw = artist.draw

    def marked(renderer, *rest, **options):
        write = getattr(getattr(renderer, "file", None), "write", None)
        if write is None:  # no PDF
            return draw(renderer, *rest, **options)
        write(begin + b"\n")
        result = draw(renderer, *rest, **options)
        write(b"EMC\n")
        return result

    artist.draw = marked


class Tree:
    def __init__(self):
        self.root = Element("Document")
        self.pages = []  # of each page the elements that its pieces belong to
        self.marked = set()
        self.level = 0

    def new_page(self):
        self.pages.append([])
        self.marked = set()

    def heading(self, level):
        """No level is left out on the way down, whatever the size of the letters."""
        self.level = min(level, self.level + 1)
        return self.root.add(f"H{self.level}")

    def mark(self, artist, element):
        page = self.pages[-1]
        wrap(artist, b"/%s <</MCID %d>> BDC" % (element.kind.encode(), len(page)))
        element.kids.append((len(self.pages) - 1, len(page)))
        page.append(element)
        self.marked.add(id(artist))

    def mark_rest(self, figure):
        """All that belongs to no element decorates."""
        for artist in figure.get_children():
            if id(artist) not in self.marked:
                wrap(artist, b"/Artifact BMC")


def with_tree(drawn, tree, title):
    """The bytes of the file with its tree."""
    with pikepdf.open(io.BytesIO(drawn)) as pdf:
        root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
        made = {}

        def build(element, parent):
            node = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name(f"/{element.kind}"), P=parent))
            made[id(element)] = node
            if element.words:
                node.Alt = String(element.words)
            if element.kind == "TH":
                node.A = Dictionary(O=Name.Table, Scope=Name.Column)
            node.K = Array([build(kid, node) if isinstance(kid, Element) else
                            Dictionary(Type=Name.MCR, Pg=pdf.pages[kid[0]].obj, MCID=kid[1]) for kid in element.kids])
            return node

        root.K = Array([build(tree.root, root)])
        numbers = Array()
        for number, (page, pieces) in enumerate(zip(pdf.pages, tree.pages)):
            page.obj.StructParents = number
            numbers.extend([number, pdf.make_indirect(Array([made[id(element)] for element in pieces]))])
        root.ParentTree = pdf.make_indirect(Dictionary(Nums=numbers))
        root.ParentTreeNextKey = len(tree.pages)
        pdf.Root.StructTreeRoot = root
        accessible.finish(pdf, title, is_marked=True)
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True)
        return out.getvalue()
