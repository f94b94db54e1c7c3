"""A few source lines around a finding, with a caret under the place."""

AROUND = 2


def excerpt(stage, line, column=0, label="", around=AROUND):
    """[(number, text, kind)], kind "" for context, "here" for the line itself, "caret" for what stands under it."""
    lines = stage.source_lines
    if not line or not 0 < line <= len(lines):
        return []
    rows = []
    for number in range(max(1, line - around), min(len(lines), line + around) + 1):
        text = lines[number - 1].rstrip().replace("\t", " ")
        rows.append((number, text, "here" if number == line else ""))
        if number == line and (column or label):
            before = column - 1 if column else len(text) - len(text.lstrip())
            rows.append((None, " " * before + "^ " + label, "caret"))
    return rows
