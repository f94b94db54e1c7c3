"""Which figures of a result are shown: a section without one is left out, and so is a bar chart of one bar."""

from reports.plots import (bandwidth, block_sweep, classes, lanes, marks, roofline, sectors, size_sweep, speedup, wavefronts)

# The sections of figures: id, heading, plots.
SECTIONS = (
    ("bandwidth", "Bandwidth", (bandwidth, classes, size_sweep, block_sweep, speedup)),
    ("limits", "What limits the stages", (roofline,)),
    ("memory", "How memory is used", (sectors, wavefronts, lanes)),
)
BARS = (marks, bandwidth, classes, speedup, sectors, wavefronts, lanes)  # a bar a stage


def is_shown(plot, result):
    """Whether there is something to draw that no table says as well."""
    return plot.height(result) > 0 and not (plot in BARS and len(plot.describe(result)) < 2)


def shown(result):
    """(id, heading, plots that are shown) of each section; it may have a table without a plot."""
    return [(name, title, [plot for plot in its if is_shown(plot, result)]) for name, title, its in SECTIONS]


def missing(result):
    """(titles, reason with the command) of what the result has no data for."""
    found = {}
    for plot in (plot for _, _, its in SECTIONS for plot in its):
        if not plot.height(result):
            found.setdefault(plot.missing(result), []).append(plot.TITLE)
    return [("; ".join(titles), reason) for reason, titles in found.items()]
