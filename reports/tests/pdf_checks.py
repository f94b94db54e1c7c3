"""What PDF/UA-1 (ISO 14289-1) and WCAG 2.1 ask of a PDF and a program can see, in the words of their clauses. veraPDF knows
more of them: with `verapdf` on the path, `by_verapdf` asks it."""

import re
import shutil
import subprocess

import pikepdf

from reports.accessible import STANDARD, children, elements, with_artifacts

VERAPDF = shutil.which("verapdf")


def problems(path):
    """A sentence for each thing that is not as it should be."""
    with pikepdf.open(path) as pdf:
        return [*of_the_file(pdf), *of_the_tree(pdf), *of_the_pages(pdf)]


def of_the_file(pdf):
    root = pdf.Root
    with pdf.open_metadata() as metadata:
        if metadata.get("pdfuaid:part") != "1":
            yield "5: it does not say that it is PDF/UA-1"
        if not metadata.get("dc:title"):
            yield "7.1: no title"
    if not root.get("/ViewerPreferences", {}).get("/DisplayDocTitle", False):
        yield "7.1: a reader shows the file's name in place of its title"
    if not root.get("/MarkInfo", {}).get("/Marked", False) or "/StructTreeRoot" not in root:
        yield "7.1: not tagged"
    if not re.fullmatch(r"[a-z]{2}(-[A-Z]{2})?", str(root.get("/Lang", ""))):
        yield "7.2: no language"


def of_the_tree(pdf):
    tree = pdf.Root.get("/StructTreeRoot")
    if tree is None:
        return
    roles, level = tree.get("/RoleMap", {}), 0
    for element in elements(tree.K):
        kind = str(element.S)
        if kind not in STANDARD and str(roles.get(kind)) not in STANDARD:
            yield f"7.1: {kind} means nothing"
        if re.fullmatch(r"/H[1-6]", kind):
            if int(kind[2]) > level + 1:
                yield f"7.4.2: from a heading of level {level} to one of level {kind[2]}"
            level = int(kind[2])
        if kind in ("/Figure", "/Formula") and not str(element.get("/Alt", "")).strip():
            yield "7.3: a picture that is not told in words"
        if kind == "/LI" and any(str(kid.get("/S")) not in ("/Lbl", "/LBody") for kid in children(element)):
            yield "7.2: a list element holds more than a label and a body"
        if kind == "/Table":
            widths = {len(children(row)) for row in elements(element) if row.S == "/TR"}
            if len(widths) > 1:
                yield f"7.2: rows of {sorted(widths)} cells in one table"
            if not any(cell.S == "/TH" for cell in elements(element)):
                yield "7.5: a table without a header"


def of_the_pages(pdf):
    for number, page in enumerate(pdf.pages, start=1):
        contents = pikepdf.parse_content_stream(page)
        if len(with_artifacts(contents)) != len(contents):
            yield f"7.1: page {number}: something is drawn that is neither tagged nor an artifact"
        for annotation in page.get("/Annots", []):
            if not str(annotation.get("/Contents", "")).strip():
                yield f"7.18.1: page {number}: a link that does not say where it leads"
            if str(annotation.get("/A", {}).get("/URI", "")).startswith("file:"):
                yield f"page {number}: a link to a file of the machine that made this"


def spoken(path):
    """The kinds of all elements in reading order, with what replaces those that are pictures."""
    with pikepdf.open(path) as pdf:
        return [(str(element.S)[1:], str(element.get("/Alt", ""))) for element in elements(pdf.Root.StructTreeRoot.K)]


def by_verapdf(path):
    """The clauses that veraPDF finds broken; None where it is not installed."""
    if not VERAPDF:
        return None
    answer = subprocess.run([VERAPDF, "--flavour", "ua1", "--format", "text", "-v", str(path)], stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, timeout=300)
    return [] if answer.stdout.startswith("PASS") else answer.stdout.splitlines() or [answer.stderr]
