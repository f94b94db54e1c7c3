"""Bank conflicts: wavefronts of shared memory a request. Without conflicts a request of 4-byte words takes one."""

from reports.requests import describe_requests, draw_requests, requests_height

TITLE = "Shared memory: wavefronts a request"
QUESTION = "Do the lanes of a warp wait for each other's banks?"
ORDER = 8
SUBJECT = "result"
SECTION = "memory"
IS_BAR_A_STAGE = True


def height(result):
    return requests_height(result)


def draw(canvas, result):
    draw_requests(canvas, result, "shared", "wavefronts", "wavefronts a request of a warp")


def describe(result):
    return describe_requests(result, "shared", "wavefronts")


def missing(result):
    return "No stage has counters: none ran on its technique shape."
