"""All that a warp of warp_shuffles asks of memory."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "warp_shuffles", "solutions/scan/4_warp_shuffles.cu",
    ("global", "read", (0,), "Its elements"),
    ("shared", "write", (0,), "Its sum"),
    ("shared", "read", (0,), "The sums of all warps, by the first one"),
    ("global", "write", (0,), "Its prefixes"))
height, draw, describe = warp.height, warp.draw, warp.describe
