"""The same step of two stages, before and after the technique: the access that improved most."""

from reports import pictures, warp
from reports.figure import LINE

TITLE = "Before and after"
QUESTION = "What did the step from the stage before to this one change for a warp?"
ORDER = 2
SUBJECT = "pair"  # (stage before, stage)
TITLE_ROW = 0.24
NOTABLE = 1.5  # times


def improved(before, after):
    """(access before, access after) of the space and kind in which the excess fell most; None where none fell, or where
    another rose: that step traded one for the other."""
    found = []
    for space in ("global", "shared"):
        for kind in ("read", "write"):
            old, new = worst(before, space, kind), worst(after, space, kind)
            if old and new and new.excess > NOTABLE * old.excess:
                return None
            if old and new and old.excess > NOTABLE * new.excess:
                found.append((old.excess / new.excess, old, new))
    return max(found, key=lambda one: one[0])[1:] if found else None


def worst(stage, space, kind):
    its = [access for access in warp.patterns(stage.trace) if (access.space, access.kind) == (space, kind)]
    return max(its, key=lambda access: (access.excess, len(access.lanes)), default=None)


def height(pair):
    both = improved(*pair)
    return 2 * TITLE_ROW + sum(map(pictures.height, both)) + 0.1 if both else 0


def draw(canvas, pair):
    top = 0
    for word, stage, access in zip(("before", "after"), pair, improved(*pair)):
        canvas.line(0, top + 0.01, canvas.width, top + 0.01, color=LINE, linewidth=0.8)
        canvas.text(0, top + 0.05, f"{word}: {stage.label}", fontsize=8.5)
        tall = pictures.height(access)
        pictures.draw(canvas.part(0, top + TITLE_ROW, canvas.width, tall), access)
        top += TITLE_ROW + tall + 0.06


def describe(pair):
    return [f"{word}, {stage.label}. {warp.said(access)}"
            for word, stage, access in zip(("Before", "After"), pair, improved(*pair))]


def missing(pair):
    return f"No access of {pair[1].label} is served in fewer sectors or wavefronts than in {pair[0].label}."
