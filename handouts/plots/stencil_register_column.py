"""What a warp of register_column reads."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "register_column", "solutions/stencil/3_register_column.cu",
    ("global", "read", (0, 1, 2), ("Before the loop, the row above", "Before the loop, this row", "In the loop, one row")),
    ("global", "read", (3, 4), ("In the loop, the neighbour after the last lane", "In the loop, the neighbour before the first lane")),
    ("global", "write", (0,), ("The store",)),
    block="33")
height, draw, describe = warp.height, warp.draw, warp.describe
