"""What a warp of five_points reads."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "five_points", "solutions/stencil/1_five_points.cu",
    ("global", "read", (2, 3, 4, 0, 1), ("The row above", "The row below", "This row", "To the left, one word earlier", "To the right, one word later")),
    block="33")
height, draw, describe = warp.height, warp.draw, warp.describe
