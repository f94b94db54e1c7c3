"""Tables in the handouts that are written by this package: `<!-- table: WHAT -->` ... `<!-- end of table -->`.

WHAT is the name of a function below with its arguments. A test compares every table with what these write today.
"""

import sys
from functools import cache

from handouts import measured, program
from handouts.document import NAMES, ROOT, TABLE, path_of, text_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def assignment(name):
    """assignment.toml as a dictionary, with `stages` by their ids."""
    with open(ROOT / "assignments" / name / "assignment.toml", "rb") as file:
        data = tomllib.load(file)
    return data | {"stages": {stage["id"]: stage for stage in data["stage"]}}


def rows_text(head, rows):
    """A Markdown table; columns after the first are right-aligned if their cells are numbers."""
    def is_number(text):
        return not text.strip("0123456789. %\N{EN DASH}")

    sides = ["---:" if all(is_number(row[i]) for row in rows) and i else "---" for i in range(len(head))]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [head, sides, *rows])


def points_text(value):
    return f"{value:.3f}".rstrip("0").rstrip(".")


def overview(name):
    """The stages of an assignment and what they are worth."""
    rows = [[str(stage["number"]), f"`{stage_id}`", stage["title"],
             points_text(sum(stage["points"].values())) if stage.get("graded", True) else "\N{EN DASH}"]
            for stage_id, stage in assignment(name)["stages"].items()]
    return rows_text(["", "stage", "what it is about", "points"], rows)


def number_text(value):
    return "\N{EN DASH}" if value is None else f"{value:.3g}"


def per(counters, above, below):
    return counters[above] / counters[below] if counters.get(below) else None


def counters(name):
    """What the reference solutions do, counted by the virtual GPU on the technique shape."""
    rows = []
    for stage in map(program.explain, program.solutions(name).values()):
        c, launches = stage["counters"], stage["launches"]
        blocks = launches[0]["grid"][0] * launches[0]["grid"][1] * launches[0]["grid"][2]
        threads = blocks * launches[0]["block"][0] * launches[0]["block"][1] * launches[0]["block"][2]
        elements = 1
        for extent in c["shape"]:
            elements *= extent
        row = [f"`{stage['stage']}`"]
        if name == "transpose":
            row += [number_text(per(c, "global_load_sectors", "global_load_requests")),
                    number_text(per(c, "global_store_sectors", "global_store_requests")),
                    number_text(per(c, "shared_load_wavefronts", "shared_load_requests")),
                    number_text(per(c, "shared_store_wavefronts", "shared_store_requests"))]
        else:
            all_blocks = sum(l["grid"][0] * l["grid"][1] * l["grid"][2] for l in launches)
            warps = sum(l["grid"][0] * l["block"][0] // 32 for l in launches)
            row += [f"{blocks}", number_text(c["barriers"] / warps),
                    number_text(c["shared_load_wavefronts"] / all_blocks),
                    number_text(per(c, "shared_load_wavefronts", "shared_load_requests")),
                    number_text(c["divergent_branches"] / warps)]
        rows.append(row + [number_text(elements / threads), number_text(32 * c["warp_instructions"] / elements)])
    common = ["elements a thread", "instructions for 32 elements"]
    if name == "transpose":
        return rows_text(["stage", "sectors a load", "sectors a store", "wavefronts a shared load",
                          "wavefronts a shared store", *common], rows)
    return rows_text(["stage", "blocks of the first launch", "barriers", "shared-load wavefronts a block",
                      "wavefronts a shared load", "branches at which a warp splits", *common], rows)


COUNTED = {  # counters, in the reader's words
    "global_load_requests": "loads from global memory",
    "global_load_sectors": "sectors loaded",
    "shared_load_requests": "loads from shared memory",
    "shared_load_wavefronts": "wavefronts of these",
    "global_atomic_operations": "atomics on global memory",
    "shared_atomic_operations": "atomics on shared memory",
    "barriers": "barriers",
    "shuffles": "shuffles",
    "warp_instructions": "instructions",
}


def counts(name, *names):
    """Counters of the reference solutions on the technique shape, for 32 elements each; where operations are counted, for 32
    multiply-adds."""
    rows = []
    for stage in map(program.explain, program.solutions(name).values()):
        c = stage["counters"]
        rows.append([f"`{stage['stage']}`", *(number_text(32 * c[counter] / (c["flops"] / 2 if "flops" in c else 2 ** 20)) for counter in names)])
    return rows_text(["stage", *(COUNTED[counter] for counter in names)], rows)


TRANSPOSES = (  # kernel in data/h200_times.csv, what it is in the reader's words
    ("memcpy", "`cudaMemcpy`, device to device"),
    ("copy4", "copy, one `float4` a thread"),
    ("copy1", "copy, one float a thread"),
    ("naive_read", "1 `naive_read`"),
    ("naive_write", "2 `naive_write`"),
    ("corner_turning", "3 `corner_turning`"),
    ("padding", "4 `padding`"),
    ("coarse_nopad", "stage 5 without the padding"),
    ("coarsening", "5 `coarsening`, 256 threads"),
    ("dynamic_tile", "6 `dynamic_tile`"),
    ("any_type", "7 `any_type`, float"),
    ("open", "8 `open`"),
    ("coarse64x8", "tile 64 x 65, 512 threads"),
    ("cublas", "cuBLAS `geam`"),
)
OTHER_TRANSPOSES = (
    ("naive_read16", "naive read, 16 x 16 threads"),
    ("naive_write16", "naive write, 16 x 16 threads"),
    ("smem16", "tile 16 x 16, 256 threads"),
    ("pad16", "tile 16 x 17, 256 threads"),
    ("naive_read32x8", "naive read, 32 x 8 threads"),
    ("coarsening_64", "5 `coarsening`, 64 threads"),
    ("coarsening_512", "5 `coarsening`, 512 threads"),
    ("coarsening_1024", "5 `coarsening`, 1024 threads"),
    ("coarse_rolled", "stage 5, loops not unrolled"),
    ("coarse_unroll2", "stage 5, unrolled by 2"),
    ("coarse64x8_rolled", "tile 64 x 65, 512 threads, not unrolled"),
    ("pad32_by_columns", "stage 4, blocks numbered down the columns"),
)
REDUCTIONS = (
    ("interleaved", "1 `interleaved`"),
    ("strided", "2 `strided`"),
    ("sequential", "3 `sequential`"),
    ("first_add", "4 `first_add`"),
    ("unrolled", "5 `unrolled`"),
    ("multiple", "6 `multiple`"),
    ("open", "7 `open`"),
    ("cub", "CUB `DeviceReduce`"),
)


def gb_text(value):
    return "\N{EN DASH}" if value is None else f"{value:.0f}"


def shape_text(shape):
    """'8191x8193' -> '8191 x 8193'; '1048576' -> '$2^{20}$'"""
    if shape.isdigit() and int(shape).bit_count() == 1:
        return f"$2^{{{int(shape).bit_length() - 1}}}$"
    return shape.replace("x", " x ")


def h200(problem, *shapes):
    """GB/s on the H200, by kernel and shape."""
    kernels = TRANSPOSES if problem == "transpose" else REDUCTIONS
    rows = [[words, *(gb_text(measured.times().get((problem, kernel, shape))) for shape in shapes)]
            for kernel, words in kernels]
    return rows_text(["GB/s", *map(shape_text, shapes)], rows)


def h200_some(problem, kernels, *shapes):
    """Microseconds and GB/s on the H200 of the KERNELS, with commas between."""
    words = dict(TRANSPOSES + OTHER_TRANSPOSES if problem == "transpose" else REDUCTIONS)
    rows = [[words[kernel], *(text for shape in shapes for text in (
        f"{measured.microseconds()[problem, kernel, shape]:.1f}", gb_text(measured.times()[problem, kernel, shape])))]
            for kernel in kernels.split(",")]
    return rows_text(["", *(f"{shape_text(shape)}, {unit}" for shape in shapes for unit in ("us", "GB/s"))], rows)


CARDS = ("h200", "h100")  # profiles of GPUs on which the stages were timed


@cache
def references(card):
    """The rows of the profile's references, by stage and class of the shape."""
    with open(ROOT / "grader" / "profiles" / f"{card}.toml", "rb") as file:
        return {(row["stage"], row["class"]): row for row in tomllib.load(file)["reference"]}


def cards(name, shape_class="aligned"):
    """The reference solutions on each of CARDS: GB/s, and as a share of the fastest copy, or read, of that size."""
    mark, heads, rows = "read" if name == "histogram" else "copy", ["stage"], []
    for stage in assignment(name)["stages"].values():
        found = [references(card)[f"{name}/{stage['id']}", shape_class] for card in CARDS]
        rows.append([f"{stage['number']} `{stage['id']}`", *(text for row in found for text in (
            f"{row['gb_per_s']:.0f}", f"{100 * row['share_of_copy']:.2g} %"))])
    for card in CARDS:  # on each, all stages have one size
        shapes = {row["shape"] for (stage, its_class), row in references(card).items() if stage.startswith(name) and its_class == shape_class}
        heads += [f"{card.upper()}, GB/s at {shape_text(shapes.pop().split(' x ')[0] if name == 'histogram' else shapes.pop())}", f"of the {mark}"]
        if shapes:
            raise ValueError(f"{card}: {name} was timed at several sizes")
    return rows_text(heads, rows)


TILES = ("tile_32_32", "tile_32_33", "tile_32_34", "tile_16_16", "tile_16_17")  # kernels of kernels/tiles.cu


def tile_text(tile):
    """'tile_16_17' -> '16 x 16, rows of 17'"""
    _, width, pitch = tile.split("_")
    return f"{width} x {width}, rows of {pitch}"


def tile_wavefronts():
    """{tile: (wavefronts a load, wavefronts a store)}, counted by the virtual GPU."""
    traced = program.explain("handouts/kernels/tiles.cu", stage="transpose/corner_turning", shape="32x32")
    source = (ROOT / "handouts" / "kernels" / "tiles.cu").read_text(encoding="utf-8").splitlines()
    found = {tile: {} for tile in TILES}
    for line in traced["counters"]["by_line"]:
        kernel = next(text.split("(")[0].split()[-1] for text in reversed(source[:line["line"]]) if "__global__" in text)
        for op in ("load", "store"):
            if line[f"shared_{op}_requests"]:
                found[kernel][op] = per(line, f"shared_{op}_wavefronts", f"shared_{op}_requests")
    return {tile: (ops["load"], ops["store"]) for tile, ops in found.items()}


def tiles():
    """Wavefronts a request for the tiles of kernels/tiles.cu, counted here and measured on the H200."""
    rows = []
    for tile, counts in tile_wavefronts().items():
        on_gpu = measured.wavefronts().get(tile)
        rows.append([tile_text(tile), *map(number_text, counts),
                     *((f"{value:.2f}" for value in on_gpu) if on_gpu else ("\N{EN DASH}",) * 2)])
    return rows_text(["tile", "loads, counted", "stores, counted", "loads, H200", "stores, H200"], rows)


def steps(problem, shape):
    """The stages on the H200, each beside the stage before, the first, and the best copy or CUB."""
    kernels = [row for row in (TRANSPOSES if problem == "transpose" else REDUCTIONS) if row[1][0].isdigit()]
    speeds = [measured.times().get((problem, kernel, shape)) for kernel, _ in kernels]
    known = [(words, speed) for (_, words), speed in zip(kernels, speeds) if speed]
    mark = max(measured.times()[problem, kernel, shape]
               for kernel in (("memcpy", "copy4") if problem == "transpose" else ("cub",)))
    rows = []
    for number, (words, speed) in enumerate(known):
        before = known[number - 1][1] if number else None
        rows.append([words, gb_text(speed), f"{speed / before:.2f}" if before else "\N{EN DASH}",
                     f"{speed / known[0][1]:.2f}", f"{100 * speed / mark:.0f} %"])
    return rows_text(["", "GB/s", "times the stage before", "times stage 1",
                      "of the best copy" if problem == "transpose" else "of CUB"], rows)


WRITERS = {writer.__name__: writer for writer in (overview, cards, counters, counts, h200, h200_some, steps, tiles)}


def written(what):
    """The table that WHAT asks for."""
    name, *arguments = what.split()
    return WRITERS[name](*arguments)


def renew(text):
    """A handout's text with its tables as they have to be."""
    return TABLE.sub(lambda match: match["head"] + written(match["what"]) + match["end"], text)


def write_all():
    """Rewrites the handouts whose tables have changed; returns their names."""
    changed = []
    for name in NAMES:
        text = text_of(name)
        if renew(text) != text:
            path_of(name).write_text(renew(text), encoding="utf-8")
            changed.append(name)
    return changed
