"""What a warp of open reads from shared memory for the products of one step."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "open", "solutions/matmul/4_open.cu",
    ("global", "read", (0, 1), ("Four words a lane, of the next tile of a", "Four words a lane, of the next tile of b")),
    ("shared", "read", (0, 1), ("Four words of the turned tile of a", "Four words of the tile of b")))
height, draw, describe = warp.height, warp.draw, warp.describe
