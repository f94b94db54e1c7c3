"""What a warp of wide_halo loads, and what it reads of its tile."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "wide_halo", "solutions/stencil/5_wide_halo.cu",
    ("global", "read", (0, 1), ("First turn of the loop over the tile", "Second turn")),
    ("shared", "read", (0, 2, 1), ("One of 25 reads of the tile", "The next one, a word later", "One of 25 reads of the weights, the same word for all lanes")),
    block="33")
height, draw, describe = warp.height, warp.draw, warp.describe
