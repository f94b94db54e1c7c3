"""What a warp of naive reads in its first two steps."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "naive", "solutions/matmul/1_naive.cu",
    ("global", "read", (0, 1, 2, 3), ("Step 1: 32 elements of a row of b", "Step 1: the element of a that all lanes want",
                                      "Step 2: 32 elements of the next row of b", "Step 2: the next element of a")))
height, draw, describe = warp.height, warp.draw, warp.describe
