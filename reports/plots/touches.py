"""What the first warp touches: which 32-byte sectors of global memory, which banks of shared memory."""

from reports import pictures, warp
from reports.figure import SOFT
from reports.missing import no_trace
from reports.text import counted

TITLE = "What the first warp touches"
QUESTION = "Which sectors and which banks does a warp touch, line by line?"
ORDER = 1
SUBJECT = "stage"
GAP = 0.12


def height(stage):
    shown, rest = warp.telling(stage.trace)
    return sum(pictures.height(access) + GAP for access in shown) + (0.2 if rest else 0) if shown else 0


def draw(canvas, stage):
    shown, rest = warp.telling(stage.trace)
    top = 0
    for access in shown:
        tall = pictures.height(access)
        pictures.draw(canvas.part(0, top, canvas.width, tall), access)
        top += tall + GAP
    if rest:
        canvas.text(0, top, f"{counted(rest, 'more access pattern')} like these not drawn", fontsize=7.5, color=SOFT)


def describe(stage):
    return [warp.said(access) for access in warp.telling(stage.trace)[0]]


def missing(stage):
    return no_trace(stage)
