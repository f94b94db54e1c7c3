"""What a warp of register_row reads for one row of its tile."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "register_row", "solutions/stencil/6_register_row.cu",
    ("shared", "read", (0, 1, 2, 3, 4), ("One of five reads of a row, for up to five sums, column x - 2", "One of five reads of a row, for up to five sums, column x - 1", "One of five reads of a row, for up to five sums, column x", "One of five reads of a row, for up to five sums, column x + 1", "One of five reads of a row, for up to five sums, column x + 2")),
    block="5")
height, draw, describe = warp.height, warp.draw, warp.describe
