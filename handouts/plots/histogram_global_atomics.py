"""What a warp of global_atomics reads and updates, skew 90."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "global_atomics", "solutions/histogram/1_global_atomics.cu",
    ("global", "read", (0,), "32 elements"),
    ("global", "atomic", (0,), "Their counts, in 256 words that all warps of the GPU share"))
height, draw, describe = warp.height, warp.draw, warp.describe
