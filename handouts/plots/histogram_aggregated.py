"""What a warp of aggregated reads and updates, skew 90."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "aggregated", "solutions/histogram/3_aggregated.cu",
    ("global", "read", (0,), "32 elements"),
    ("shared", "atomic", (0,), "Their bins, where one lane adds for all with its value"),
    ("global", "atomic", (0,), "At its end, 32 bins of the block, added to the counts"))
height, draw, describe = warp.height, warp.draw, warp.describe
