"""What a warp of register_tile reads from shared memory for the sixteen products of one step."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "register_tile", "solutions/matmul/3_register_tile.cu",
    ("shared", "read", (0, 1, 2, 3, 4, 5, 6, 7), tuple(f"Word {number + 1} of eight, for 16 products" for number in range(8))))
height, draw, describe = warp.height, warp.draw, warp.describe
