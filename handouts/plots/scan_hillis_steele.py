"""What the first warp of hillis_steele reads in each step."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "hillis_steele", "solutions/scan/1_hillis_steele.cu",
    ("shared", "read", (0, 2, 4, 6, 8), ("Step s = 1, the element s before", "Step s = 2, the element s before", "Step s = 4, the element s before", "Step s = 8, the element s before", "Step s = 16, the element s before")),
    ("shared", "read", (1,), "In each step, its own element"))
height, draw, describe = warp.height, warp.draw, warp.describe
