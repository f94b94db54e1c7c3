"""What one warp of stage corner_turning reads and writes in global memory: both sides are coalesced."""

from handouts.drawing import TwoSides

sides = TwoSides("corner_turning", "solutions/transpose/3_corner_turning.cu")
height, draw, describe = sides.height, sides.draw, sides.describe
