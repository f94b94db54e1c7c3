"""What one warp of stage coarsening reads and writes: four rows of the tile each, eight rows apart."""

from handouts.drawing import TwoSides

sides = TwoSides("coarsening", "solutions/transpose/5_coarsening.cu", many=True)
height, draw, describe = sides.height, sides.draw, sides.describe
