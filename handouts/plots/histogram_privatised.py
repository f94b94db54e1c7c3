"""What a warp of privatised reads and updates, skew 90."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "privatised", "solutions/histogram/2_privatised.cu",
    ("global", "read", (0,), "32 elements"),
    ("shared", "atomic", (0,), "Their bins, where lanes that want the same word wait for each other"),
    ("global", "atomic", (0,), "At its end, 32 bins of the block, added to the counts"))
height, draw, describe = warp.height, warp.draw, warp.describe
