"""What a warp of open reads and stores."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "open", "solutions/stencil/7_open.cu",
    ("global", "read", (25,), "Four words a lane, in one load"),
    ("global", "write", (0,), "Four words a lane, in one store"))
height, draw, describe = warp.height, warp.draw, warp.describe
