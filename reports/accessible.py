"""What PDF/UA asks of a file and its maker has left out: a title and a language that readers find, names for links, roles
and list bodies in the tree, and a mark on everything that is decoration."""

import pikepdf
from pikepdf import Array, Dictionary, Name, Operator, String

PATH = {"m", "l", "c", "v", "y", "h", "re"}
PAINT = {"S", "s", "f", "F", "f*", "B", "B*", "b", "b*"}
SHOWN = {"Tj", "TJ", "'", '"', "sh", "Do", "INLINE IMAGE"}
# ISO 32000-1, 14.8.4
STANDARD = {f"/{name}" for name in (
    "Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody "
    "Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP "
    "Figure Formula Form").split()}


def with_artifacts(instructions):
    """The instructions of a page; what is painted outside of all marks is marked as an artifact."""
    begin, end = ([Name.Artifact], Operator("BMC")), ([], Operator("EMC"))
    done, depth, path = [], 0, None
    for instruction in instructions:
        operands, operator = instruction.operands, str(instruction.operator)
        if operator in ("BDC", "BMC"):
            depth += 1
        elif operator == "EMC":
            depth -= 1
        elif depth == 0 and operator in PATH and path is None:
            path = len(done)  # no mark may stand between here and what paints it
        elif depth == 0 and operator in PAINT and path is not None:
            done[path:] = [begin, *done[path:], (operands, instruction.operator), end]
            path = None
            continue
        elif depth == 0 and operator in SHOWN:
            shown = instruction if operator == "INLINE IMAGE" else (operands, instruction.operator)
            done += [begin, shown, end]
            continue
        elif operator == "n":
            path = None
        done.append((operands, instruction.operator))
    return done


def elements(node):
    """Every element of the tree below, from the top."""
    if isinstance(node, Array):
        for one in node:
            yield from elements(one)
    elif isinstance(node, Dictionary) and "/S" in node:
        yield node
        if "/K" in node:
            yield from elements(node.K)


def children(element):
    kids = element.get("/K", Array())
    return list(kids) if isinstance(kids, Array) else [kids]


def give_lists_bodies(pdf, element):
    """In a list element stand a label and a body, and nothing else."""
    kept, loose = [], []
    for kid in children(element):
        is_part = isinstance(kid, Dictionary) and str(kid.get("/S", "")) in ("/Lbl", "/LBody")
        (kept if is_part else loose).append(kid)
    if not loose:
        return
    body = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.LBody, P=element, K=Array(loose)))
    numbers = [kid for kid in loose if not isinstance(kid, Dictionary)]
    if numbers and "/Pg" in element:
        body.Pg = element.Pg
    for kid in loose:
        if isinstance(kid, Dictionary) and "/P" in kid:
            kid.P = body
    element.K = Array([*kept, body])


def is_frame(element):
    """A figure that holds a described figure and its caption is no picture itself."""
    return element.S == Name.Figure and "/Alt" not in element and any(
        isinstance(kid, Dictionary) and kid.get("/S") == Name.Figure for kid in children(element))


def name_links(pdf, name_of):
    """What a link says to one who does not see it; `name_of(address)` is its text, or None."""
    for page in pdf.pages:
        page.obj.Tabs = Name.S  # the order of the tree
        for annotation in page.get("/Annots", []):
            if annotation.get("/Subtype") != Name.Link:
                continue
            action = annotation.get("/A", Dictionary())
            address = str(action.get("/URI", annotation.get("/Dest", action.get("/D", ""))))
            annotation.Contents = String(name_of(address) or address)


def finish(pdf, title, language="en", name_of=lambda address: None, is_marked=False):
    """Makes the rest of a tagged file what PDF/UA-1 asks for. `title` is what a reader shows and speaks first. `is_marked`:
    nothing on its pages is without a mark."""
    root = pdf.Root
    for page in pdf.pages if not is_marked else ():
        contents = with_artifacts(pikepdf.parse_content_stream(page))
        page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(contents))
    tree = root.StructTreeRoot
    roles = tree.get("/RoleMap", Dictionary())
    for element in list(elements(tree.K)):
        if str(element.S) not in STANDARD and str(element.S) not in roles:
            roles[str(element.S)] = Name.Span
        if element.S == Name.LI:
            give_lists_bodies(pdf, element)
        elif is_frame(element):
            element.S = Name.Div
    tree.RoleMap = roles
    name_links(pdf, name_of)
    root.Lang = String(language)
    root.MarkInfo = Dictionary(Marked=True)
    preferences = root.get("/ViewerPreferences", Dictionary())
    preferences.DisplayDocTitle = True
    root.ViewerPreferences = preferences
    with pdf.open_metadata(set_pikepdf_as_editor=False) as metadata:
        metadata["dc:title"] = title
        metadata["dc:language"] = [language]
        metadata["pdfuaid:part"] = "1"
    pdf.docinfo["/Title"] = title
