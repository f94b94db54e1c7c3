"""Sixteen made-up stages: source lines, counters by line and first-warp accesses that agree with each other."""

from dataclasses import dataclass

LANES = 32
FIRST_LINE = 6
SIDE = 1024
WARPS = SIDE * SIDE // LANES
FULL = 0xFFFFFFFF


@dataclass(frozen=True)
class Spec:
    assignment: str
    number: int
    id: str
    title: str
    points: tuple
    share: float  # of the copy's bandwidth that the reference reaches
    limiter: str
    load: str = "row"  # how a warp reads global memory: row or column
    store: str = "row"
    tile: int = 0  # pitch of the tile in floats; 0: no shared memory
    lanes: float = 32  # active in an average instruction
    instructions: int = 40  # a warp

    @property
    def file(self):
        return f"{self.number}_{self.id}.cu"

    @property
    def line_of_load(self):
        return FIRST_LINE + 3

    @property
    def rules(self):
        found = [("global_load_sectors_per_request <= 4.1", 4.0 if self.load == "row" else 32.0)]
        if self.tile:
            found.append(("shared_load_wavefronts_per_request <= 1.1", 1.0))
        return tuple(found) if self.points[1] else ()


def t(*values, **more):
    return Spec("transpose", *values, **more)


def r(*values, **more):
    return Spec("reduction", *values, store="one", **more)


# The timing model's sentences (grader/model/limiter.cpp).
STORES = "each store touches 32 sectors where 4 would do; L2 write throughput is the limit"
LOADS = "each load touches 32 sectors where 4 would do; the way from L1 to the warps is the limit"
CONFLICTS = "each shared access takes 32 wavefronts where 1 would do; shared memory is the limit"
IN_FLIGHT = ("too few bytes are under way: 8 KiB a multiprocessor, where about 28 keep the memory busy; let each thread "
             "load more before it uses the first")
BLOCKS = "blocks of 256 threads end so soon that starting the next ones is the limit; give each block more to do"
BARRIERS = "warps wait for each other at __syncthreads"
DRAM = "DRAM bandwidth: the memory gives no more"

STAGES = (
    t(0, "copy", "The copy, a worked example", (0, 0, 0), 0.95, DRAM),
    t(1, "naive_read", "Coalesced reads", (5, 4, 1), 0.14, STORES, store="column"),
    t(2, "naive_write", "Coalesced writes", (5, 4, 1), 0.34, LOADS, load="column"),
    t(3, "corner_turning", "A tile in shared memory", (6, 6, 2), 0.26, CONFLICTS, tile=32),
    t(4, "padding", "One more column", (5, 7, 2), 0.45, BARRIERS, tile=33),
    t(5, "coarsening", "Several elements a thread", (5, 5, 4), 0.87, IN_FLIGHT, tile=33, instructions=20),
    t(6, "dynamic_tile", "Tile size chosen at launch", (5, 6, 3), 0.85, IN_FLIGHT, tile=33, instructions=24),
    t(7, "any_type", "Every element size", (6, 4, 2), 0.86, IN_FLIGHT, tile=33, instructions=21),
    t(8, "open", "As close to the copy as you can", (4, 0, 8), 0.97, DRAM, tile=33, instructions=12),
    r(1, "interleaved", "A tree that diverges", (7, 5, 1), 0.1, IN_FLIGHT, tile=1, lanes=19.0, instructions=90),
    r(2, "strided", "No divergence, but conflicts", (6, 6, 1), 0.16, CONFLICTS, tile=2, lanes=29, instructions=70),
    r(3, "sequential", "Sequential addressing", (6, 6, 2), 0.21, BARRIERS, tile=1, lanes=30, instructions=60),
    r(4, "first_add", "First add during the load", (6, 6, 3), 0.4, BARRIERS, tile=1, lanes=30, instructions=50),
    r(5, "unrolled", "The last warp needs no barrier", (6, 6, 3), 0.55, BLOCKS, tile=1, lanes=31, instructions=40),
    r(6, "multiple", "Many elements a thread", (6, 6, 3), 0.85, IN_FLIGHT, tile=1, instructions=12),
    r(7, "open", "Anything goes", (5, 0, 10), 0.98, DRAM, tile=1, instructions=6),
)


def source(spec):
    """Lines of a small kernel; the counted ones begin at FIRST_LINE."""
    index = {"row": "y * cols + x", "column": "x * cols + y"}[spec.load]
    body = [f"    int x = blockIdx.x * {spec.tile or 32} + threadIdx.x;", "    int y = blockIdx.y * 32 + threadIdx.y;"]
    if spec.assignment == "reduction":
        body += ["    partial[tid] = i < n ? in[i] : 0.0f;", "    __syncthreads();",
                 "    for (int s = 128; s > 0; s /= 2) partial[tid] += partial[tid + s];",
                 "    if (tid == 0) scratch[blockIdx.x] = partial[0];"]
    elif spec.tile:
        body += [f"    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[{index}];", "    __syncthreads();",
                 "    if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];"]
    else:
        target = "y * cols + x" if spec.id == "copy" else "x * rows + y" if spec.store == "column" else "y * rows + x"
        body += [f"    if (x < cols && y < rows) out[{target}] = in[{index}];"]
    return [f"// {spec.title}.", "#include <cstddef>", "", "constexpr int TILE = 32;", "",
            f"__global__ void {spec.id}_kernel(const float* in, float* out, int rows, int cols) {{", *body, "}", "",
            f"void {spec.assignment}(const float* in, float* out, int rows, int cols) {{",
            f"    {spec.id}_kernel<<<dim3(32, 32), dim3(32, 8)>>>(in, out, rows, cols);", "}"]


def launches(spec):
    return [{"kernel": f"{spec.id}_kernel", "grid": [32, 32, 1], "block": [32, 8, 1], "shared_bytes": 0, "line": 16}]


def accesses(spec):
    """[(line, kind, space, buffer, byte addresses, units, least)] of the first warp."""
    load_line, store_line = spec.line_of_load, spec.line_of_load + (2 if spec.tile else 0)
    row, column = [4 * lane for lane in range(LANES)], [4 * SIDE * lane for lane in range(LANES)]
    found = [(load_line, "read", "global", "in", row if spec.load == "row" else column,
              4 if spec.load == "row" else 32, 4)]
    if spec.assignment == "reduction":
        found.append((load_line, "write", "shared", "partial", row, 1, 1))
        found.append((load_line + 2, "read", "shared", "partial", [4 * lane * spec.tile for lane in range(LANES)],
                      spec.tile, 1))
        found.append((load_line + 3, "write", "global", "scratch", [0], 1, 1))
        return found
    if spec.tile:
        conflict = 32 if spec.tile % 32 == 0 else 1
        found.append((load_line, "write", "shared", "tile", row, 1, 1))
        found.append((store_line, "read", "shared", "tile", [4 * lane * spec.tile for lane in range(LANES)], conflict, 1))
    found.append((store_line, "write", "global", "out", row if spec.store == "row" else column,
                  4 if spec.store == "row" else 32, 4))
    return found


def trace(spec):
    return [{"line": line, "kind": kind, "space": space, "buffer": buffer, "width_bytes": 4,
             "mask": (1 << len(where)) - 1 if len(where) < LANES else FULL,
             "addresses": where + [0] * (LANES - len(where)), "units": units, "units_ideal": least}
            for line, kind, space, buffer, where, units, least in accesses(spec)]


NAMES = [f"{space}_{op}_{what}" for space, unit in (("global", "sectors"), ("shared", "wavefronts"))
         for op in ("load", "store") for what in ("requests", unit, f"{unit}_ideal")]


def counters(spec):
    """Of a 1024 x 1024 matrix: every warp does what the first one does."""
    by_line = {}
    for line, kind, space, _, _, units, least in accesses(spec):
        entry = by_line.setdefault(line, {"line": line, **dict.fromkeys(NAMES, 0)})
        op = "load" if kind == "read" else "store"
        unit = "sectors" if space == "global" else "wavefronts"
        entry[f"{space}_{op}_requests"] += WARPS
        entry[f"{space}_{op}_{unit}"] += units * WARPS
        entry[f"{space}_{op}_{unit}_ideal"] += least * WARPS
    for line in (FIRST_LINE + 1, FIRST_LINE + 2):
        by_line.setdefault(line, {"line": line, **dict.fromkeys(NAMES, 0)})
    for entry in by_line.values():
        entry["warp_instructions"] = spec.instructions * WARPS // len(by_line)
        entry["thread_instructions"] = int(entry["warp_instructions"] * spec.lanes)
        entry["barriers"] = 0
    lines = [by_line[line] for line in sorted(by_line)]
    total = {name: sum(entry[name] for entry in lines) for name in lines[0] if name != "line"}
    return {"shape": [SIDE, SIDE] if spec.assignment == "transpose" else [SIDE * SIDE], **total, "by_line": lines,
            "useful_bytes": SIDE * SIDE * (8 if spec.assignment == "transpose" else 4), "elements": SIDE * SIDE}
