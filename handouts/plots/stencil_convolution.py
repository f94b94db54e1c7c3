"""What a warp of convolution reads for one row of the weights."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "convolution", "solutions/stencil/4_convolution.cu",
    ("global", "read", (1, 3, 5, 7, 9), ("One of five loads of a row, column x - 2", "One of five loads of a row, column x - 1", "One of five loads of a row, column x", "One of five loads of a row, column x + 1", "One of five loads of a row, column x + 2")),
    ("global", "read", (0,), "A weight, the same for all lanes"),
    block="33")
height, draw, describe = warp.height, warp.draw, warp.describe
