"""Which figures of a result are shown: a section without one is left out, and so is a bar chart of one bar."""

from reports.plots import all_plots

SECTIONS = (("bandwidth", "Bandwidth"), ("limits", "What limits the stages"), ("memory", "How memory is used"))


def plots_of(section):
    return [plot for plot in all_plots("result") if plot.SECTION == section]


def is_shown(plot, result):
    """Whether there is something to draw that no table says as well."""
    return plot.height(result) > 0 and not (plot.IS_BAR_A_STAGE and len(plot.describe(result)) < 2)


def shown(result):
    """(id, heading, plots that are shown) of each section; it may have a table without a plot."""
    return [(name, title, [plot for plot in plots_of(name) if is_shown(plot, result)]) for name, title in SECTIONS]


def missing(result):
    """(titles, reason with the command) of what the result has no data for."""
    found = {}
    for plot in (plot for name, _ in SECTIONS for plot in plots_of(name)):
        if not plot.height(result):
            found.setdefault(plot.missing(result), []).append(plot.TITLE)
    return [("; ".join(titles), reason) for reason, titles in found.items()]
