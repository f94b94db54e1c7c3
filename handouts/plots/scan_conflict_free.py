"""The same reads with one unused word after every 32."""

from handouts.drawing import OneWarp

warp = OneWarp(
    "conflict_free", "solutions/scan/3_conflict_free.cu",
    ("shared", "read", (1, 3, 5, 7, 9), ("Step s = 1", "Step s = 2", "Step s = 4", "Step s = 8", "Step s = 16")))
height, draw, describe = warp.height, warp.draw, warp.describe
