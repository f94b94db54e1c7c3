"""The access of the first warp that costs most above its least: one picture, for what is read first."""

from reports import pictures, warp
from reports.missing import no_trace

TITLE = "The access that costs most"
QUESTION = "Which access of the first warp moves most beyond what it needs?"
ORDER = 0
SUBJECT = "stage"
NOTABLE = 1.15  # times the least


def worst(stage):
    """None where every access is served in about as few sectors or wavefronts as can be."""
    found = max(warp.patterns(stage.trace), key=lambda access: access.excess, default=None)
    return found if found and found.excess > NOTABLE else None


def height(stage):
    access = worst(stage)
    return pictures.height(access) if access else 0


def draw(canvas, stage):
    pictures.draw(canvas, worst(stage))


def describe(stage):
    return [warp.said(worst(stage))]


def missing(stage):
    return "Every access of the first warp takes as few sectors or wavefronts as can be." if stage.trace else no_trace(stage)
