"""What one warp of stage naive_read reads and writes."""

from handouts.drawing import TwoSides

sides = TwoSides("naive_read", "solutions/transpose/1_naive_read.cu")
height, draw, describe = sides.height, sides.draw, sides.describe
