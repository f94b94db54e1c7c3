"""Modelled figures that the handouts quote: python -m handouts.modelled writes data/modelled_h200.csv anew."""

import sys

from handouts import program
from handouts.document import FOLDER, ROOT

PATH = FOLDER / "data" / "modelled_h200.csv"
SHAPE = "8192x8192"
FILES = {  # name in the file: (source, stage)
    "transpose/naive_read": ("solutions/transpose/1_naive_read.cu", "transpose/naive_read"),
}
HEAD = """# Modelled for an H200 by `bench --device virtual --profile h200 --shape 8192x8192`.
# Written by `python -m handouts.modelled`.
kernel,shape,gb_per_s
"""


def gb_per_s(source, stage):
    extra = ["--stage", stage] if stage else []
    stages = program.run("bench", "--device", "virtual", "--profile", "h200", "--shape", SHAPE, *extra, source)["stages"]
    return stages[0]["points"][0]["gb_per_s"]


def written():
    return HEAD + "".join(f"{name},{SHAPE},{gb_per_s(*file):.0f}\n" for name, file in FILES.items())


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
    print(PATH.relative_to(ROOT))
    sys.exit(0)
