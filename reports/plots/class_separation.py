"""Which stages tell students apart: item-rest correlation over mean share of marks."""

from reports.classroom import HARDLY, SEPARATES
from reports.figure import FIRST, INK, LINE, SECOND, SHADE, SOFT, patch, stroke
from reports.text import percent_text

TITLE = "Stages that separate students"
QUESTION = "Do those who do well elsewhere do well here?"
ORDER = 5
SUBJECT = "class"
CLEAR = "separates students"


def known(made):
    return [(stage, found) for stage, found in made.discrimination().items() if found.r is not None]


def height(made):
    return 4.0 if known(made) else 0


def draw(canvas, made):
    found = known(made)
    axes = canvas.axes(0.6, 0.32, canvas.width - 2.4, 3.15)
    axes.axhspan(SEPARATES, 1.02, facecolor=SHADE, edgecolor=LINE, linewidth=0.5)
    axes.axhline(HARDLY, color=LINE, linewidth=0.8)
    for number, (stage, (facility, r, low, high, words)) in enumerate(found, 1):
        colour = FIRST if words == CLEAR else SECOND
        axes.vlines(facility, low, high, color=LINE, linewidth=1.6, zorder=2)
        axes.plot(facility, r, marker="o", markersize=11, color=colour, markeredgecolor=INK, markeredgewidth=0.6,
                  zorder=3 + number)
        axes.annotate(str(number), (facility, r), ha="center", va="center_baseline", fontsize=6.5,
                      zorder=3.5 + number,
                      color="wg:paper" if colour == FIRST else "#1d2126")
        canvas.text(canvas.width - 1.7, 0.32 + 0.17 * (number - 1), f"{number}  {stage}", fontsize=7,
                    color=INK if words == CLEAR else SOFT)
    least = min(one.facility for _, one in found)
    axes.set(xlim=(max(0, least - 0.08), 1.02), ylim=(min(-0.1, *(one.low for _, one in found)) - 0.05, 1.02),
             xlabel="mean share of the stage's marks (right: easy)",
             ylabel="correlation with the marks of the other stages")
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.grid()
    canvas.legend([patch(FIRST, CLEAR), patch(SECOND, "weakly, not, or not to be told"), stroke(LINE, "95 % interval", linewidth=1.6)])


def describe(made):
    return [f"{stage}: " + (f"mean {percent_text(facility)} of its marks; " if facility is not None else "") +
            (f"correlation {r:.2f}, 95 % interval {low:.2f} to {high:.2f}; " if r is not None else "") + words
            for stage, (facility, r, low, high, words) in made.discrimination().items()]


def missing(made):
    return "Too few students, or all with the same marks: nothing to correlate."
