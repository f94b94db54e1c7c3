"""How well global memory is used: 32-byte sectors a request. 32 lanes of 4 bytes fill 4 sectors; a column takes 32."""

from reports.requests import describe_requests, draw_requests, requests_height

TITLE = "Global memory: sectors a request"
QUESTION = "Do the loads and stores of a warp fill the sectors that they touch?"
ORDER = 7
SUBJECT = "result"
SECTION = "memory"
IS_BAR_A_STAGE = True


def height(result):
    return requests_height(result)


def draw(canvas, result):
    draw_requests(canvas, result, "global", "sectors", "32-byte sectors a request of a warp")


def describe(result):
    return describe_requests(result, "global", "sectors")


def missing(result):
    return "No stage has counters: none ran on its technique shape."
