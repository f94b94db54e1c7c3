"""What a parser does not complain about: which element may stand in which, and what assistive technology relies on.

After the HTML standard's content models and "ARIA in HTML", as far as these pages use them.
"""

PARENTS = {  # element -> where it may stand
    "li": {"ul", "ol"}, "dt": {"dl", "div"}, "dd": {"dl", "div"}, "tr": {"thead", "tbody", "tfoot"}, "td": {"tr"},
    "th": {"tr"}, "thead": {"table"}, "tbody": {"table"}, "tfoot": {"table"}, "caption": {"table"},
    "summary": {"details"}, "figcaption": {"figure"}, "title": {"head"}, "style": {"head"}, "meta": {"head"},
    "link": {"head"}, "main": {"body"},
}
CHILDREN = {  # element -> the only ones it may hold
    "ul": {"li"}, "ol": {"li"}, "dl": {"dt", "dd", "div"}, "tr": {"td", "th"},
    "table": {"caption", "thead", "tbody", "tfoot"},
}
PHRASING = {"a", "abbr", "b", "br", "code", "em", "i", "small", "span", "strong", "sub", "sup", "svg"}
HOLD_PHRASING = {"p", "h1", "h2", "h3", "h4", "span", "strong", "code", "em", "pre", "summary", "sup", "dt"}
REFERENCES = ("aria-labelledby", "aria-describedby")
SVG = "{http://www.w3.org/2000/svg}"
HTML = "{http://www.w3.org/1999/xhtml}"


def complaints(document):
    """Sentences about an html5lib tree of a whole document."""
    return [*structure(document), *references(document), *outline(document), *named(document)]


def name(element):
    return element.tag.replace(HTML, "") if isinstance(element.tag, str) else "comment"


def structure(document):
    for parent in document.iter():
        if not isinstance(parent.tag, str) or parent.tag.startswith(SVG):
            continue
        outer = name(parent)
        children = [child for child in parent if isinstance(child.tag, str)]
        for child in children:
            inner = "svg" if child.tag.startswith(SVG) else name(child)
            if inner in PARENTS and outer not in PARENTS[inner]:
                yield f"<{inner}> stands in <{outer}>"
            if outer in CHILDREN and inner not in CHILDREN[outer]:
                yield f"<{outer}> holds <{inner}>"
            if outer in HOLD_PHRASING and inner not in PHRASING:
                yield f"<{outer}> holds <{inner}>, which is no phrasing content"
        if outer == "details" and (not children or name(children[0]) != "summary"):
            yield "<details> does not begin with <summary>"
        if outer == "th" and parent.get("scope") not in ("col", "row", "rowgroup"):
            yield f"<th>{parent.text} has no scope"
        if outer == "table" and (not children or name(children[0]) != "caption"):
            yield "<table> has no caption"


def references(document):
    ids = [element.get("id") for element in document.iter() if isinstance(element.tag, str) and element.get("id")]
    for one in {one for one in ids if ids.count(one) > 1}:
        yield f"id {one} stands twice"
    known = set(ids)
    for element in document.iter():
        if not isinstance(element.tag, str):
            continue
        for attribute in REFERENCES:
            for one in (element.get(attribute) or "").split():
                if one not in known:
                    yield f"{attribute} of <{name(element)}> names {one}, which is nowhere"
        address = element.get("href") or ""
        if address.startswith("#") and address[1:] not in known:
            yield f"a link leads to {address}, which is nowhere"


def outline(document):
    """One h1, one main, no level left out."""
    levels = [int(name(element)[1]) for element in document.iter() if name(element) in ("h1", "h2", "h3", "h4", "h5")]
    if levels.count(1) != 1:
        yield f"there are {levels.count(1)} h1"
    for before, after in zip(levels, levels[1:]):
        if after > before + 1:
            yield f"h{after} follows h{before}"
    if sum(name(element) == "main" for element in document.iter()) != 1:
        yield "there is not one main"


def named(document):
    """What can be reached or seen as one thing has a name."""
    for element in document.iter():
        if not isinstance(element.tag, str):
            continue
        label = element.get("aria-label") or element.get("aria-labelledby")
        if (element.get("role") == "img" or element.get("tabindex") == "0") and not label:
            yield f"<{name(element)}> has no name"
        if element.tag == SVG + "svg" and element.get("aria-hidden") != "true":
            yield "an svg is neither hidden nor named"
        if name(element) == "img" and not element.get("alt"):
            yield "an img has no alt"
