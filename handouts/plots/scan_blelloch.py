"""What the first warp of blelloch reads on its way up."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "blelloch", "solutions/scan/2_blelloch.cu",
    ("shared", "read", (0, 2, 4, 6, 8), ("Step s = 1", "Step s = 2", "Step s = 4", "Step s = 8", "Step s = 16")))
height, draw, describe = warp.height, warp.draw, warp.describe
