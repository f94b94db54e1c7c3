"""Small pictures side by side, one a stage, over the points of a bench run."""

from reports.figure import FIRST, INK, LINESTYLE, marker_style

COLUMNS = 4
PANEL, GAP, HEAD = 1.0, 0.58, 0.66
LEFT = 0.36


def panels_height(count):
    return HEAD + -(-count // COLUMNS) * (PANEL + GAP) if count else 0


def panels(canvas, stages, columns=COLUMNS):
    """Yields (stage, axes)."""
    width = (canvas.width - LEFT) / columns
    for index, stage in enumerate(stages):
        row, column = divmod(index, columns)
        axes = canvas.axes(LEFT + column * width, HEAD + row * (PANEL + GAP), width - 0.42, PANEL)
        axes.set_title(stage.label, pad=4, fontsize=7.5, weight="normal")
        axes.tick_params(labelsize=7, length=2, pad=2)
        axes.grid(axis="y")
        yield stage, axes


def line(axes, points, x, colour=FIRST, y="gb_per_s"):
    """A line for each origin, so that measured and modelled points never share one."""
    for origin in ("measured", "modelled"):
        its = [point for point in points if point.origin == origin and getattr(point, y)]
        if its:
            axes.plot([x(point) for point in its], [getattr(point, y) for point in its],
                      **{**marker_style(origin, colour), "markersize": 4, "linewidth": 1.5})


def yardstick(axes, points, x):
    """The copy of the same bytes, of the same run."""
    for origin in ("measured", "modelled"):
        its = [point for point in points if point.origin == origin and point.copy_gb_per_s]
        if its:
            axes.plot([x(point) for point in its], [point.copy_gb_per_s for point in its], color=INK, linewidth=1,
                      linestyle=LINESTYLE[origin])


def nice_limit(values):
    """The next value with one or two digits above all."""
    most = max(values)
    scale = 10 ** (len(str(int(most))) - 1)
    return next(step * scale for step in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * scale >= most)
