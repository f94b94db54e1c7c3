"""What one warp of stage naive_write reads and writes."""

from handouts.drawing import TwoSides

sides = TwoSides("naive_write", "solutions/transpose/2_naive_write.cu")
height, draw, describe = sides.height, sides.draw, sides.describe
