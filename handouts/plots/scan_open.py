"""What a warp of open moves for 512 elements."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "open", "solutions/scan/5_open.cu",
    ("global", "read", (0, 1, 2, 3), ("Four words a lane, load 1", "Four words a lane, load 2", "Four words a lane, load 3", "Four words a lane, load 4")),
    ("global", "atomic", (1,), "The sum for later blocks, one word of 8 bytes"),
    ("global", "write", (0,), "Four words a lane, the first of four stores"))
height, draw, describe = warp.height, warp.draw, warp.describe
