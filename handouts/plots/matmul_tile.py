"""What a warp of tile loads and stores for one pair of tiles, and reads of them for its first product."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "tile", "solutions/matmul/2_tile.cu",
    ("global", "read", (0, 1), ("A row of the tile of a", "A row of the tile of b")),
    ("shared", "read", (0, 1), ("Products 1 to 4: four words of a_tile for each row of threads", "Product 1: a row of b_tile, for both rows of threads")))
height, draw, describe = warp.height, warp.draw, warp.describe
