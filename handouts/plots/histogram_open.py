"""What a warp of open reads and updates, skew 90."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "open", "solutions/histogram/4_open.cu",
    ("global", "read", (0,), "Four elements a lane, in one load"),
    ("shared", "atomic", (0,), "The bins of the first element of each lane"))
height, draw, describe = warp.height, warp.draw, warp.describe
