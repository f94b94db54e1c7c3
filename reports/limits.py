"""What limits a stage, in words, and what to try. From the timing model's limiter where the result has one, and from
counters always: a counter far above the least that the same bytes need is work that can be saved."""

from dataclasses import dataclass

from reports.text import factor_text, percent_text, rate_text

LANES = 32
WORTH_SAYING = 1.15  # times the least; odd edges cost a few percent and are nobody's fault
BUSY_LANES = 0.9


@dataclass
class Limit:
    what: str
    to_try: str
    origin: str  # "counted", "modelled" or "measured"


# Limiter or stall reason (Nsight Compute's names for stalls) -> what it means, what to try.
WORDS = {
    "dram": ("device memory is busy all the time, as in every copy",
             "Move fewer bytes, and each once; then look at the shapes where the share of the copy is lowest."),
    "l2": ("the L2 cache is the busiest part", "Touch fewer sectors: coalesce both ways, and read each byte once."),
    "l2_read": ("the way from the L2 cache to the multiprocessors is busy",
                "Touch fewer sectors a load: coalesce, and read each byte once."),
    "l2_write": ("the way from the multiprocessors to the L2 cache is busy",
                 "Touch fewer sectors a store: coalesce, and write each byte once."),
    "l1": ("the L1 cache serves too many sectors or wavefronts",
           "Look at the heat map: the line with the most sectors a request is the one to change."),
    "load_store": ("the load and store unit is busy: it serves one wavefront after the other",
                   "Fewer wavefronts: no bank conflicts, fewer sectors a request, wider loads and stores."),
    "store_port": ("stores leave the multiprocessor one sector after the other",
                   "Touch fewer sectors a store: let neighbouring threads write neighbouring elements."),
    "atomics": ("atomics to one address take turns", "Add up within the block first, so that one atomic a block is left."),
    "shared": ("shared memory is the busiest part: its wavefronts queue",
               "Remove bank conflicts by padding rows, or move wider words."),
    "issue": ("the schedulers issue instructions all the time: the kernel computes more than it moves",
              "Do more bytes an instruction: vector loads, fewer index computations in the loop."),
    "latency": ("too few loads are in flight to hide the time that memory takes",
                "Give each thread several independent loads before the first use, or run more warps."),
    "launch": ("starting the kernels costs more than the work", "Use fewer, larger launches."),
    "long_scoreboard": ("warps wait for global memory",
                        "Start several independent loads before the first use, or run more warps."),
    "short_scoreboard": ("warps wait for shared memory", "Remove bank conflicts; use shuffles in the last warp."),
    "mio_throttle": ("the queue to shared memory is full", "Remove bank conflicts, or move wider words."),
    "lg_throttle": ("the queue to global memory is full", "Coalesce, and use wider loads and stores."),
    "barrier": ("warps wait for each other at barriers",
                "Fewer barriers, or smaller blocks so that other blocks fill the wait."),
    "branch_resolving": ("warps wait for branches", "Take branches out of the loop, or let whole warps agree."),
    "math_pipe_throttle": ("the arithmetic pipe is busy", "Take divisions and remainders out of the loop."),
    "drain": ("finished warps wait for their stores", "Touch fewer sectors a store."),
    "not_selected": ("more warps are ready than the schedulers can start", "Fewer instructions a byte."),
    "selected": ("the schedulers issue instructions all the time", "Fewer instructions a byte."),
    "wait": ("warps wait for their own short instructions", "More independent work a thread."),
    "divergence": ("lanes of a warp take different ways, and each way is run for the whole warp",
                   "Let neighbouring threads do the same: index by tid, not by tid % step."),
}


def limits(stage):
    """What limits the stage, the most important first; empty where nothing is known."""
    return [*from_time(stage), *from_counters(stage)]


def from_time(stage):
    """The limiter that the timing model or the measurement names."""
    limiter = stage.time.get("limiter") or (stage.bandwidth.limiter if stage.bandwidth else None)
    if not limiter:
        return []
    origin = stage.time.get("origin") or stage.origin or "modelled"
    what, to_try = WORDS.get(limiter, (printable_limiter(limiter), ""))
    gain = stage.time.get("gain_without_limit")
    if gain and gain > 1.02:
        what += f"; without that limit the kernel would run {factor_text(gain)} as fast"
    return [Limit(what, to_try, origin)]


def printable_limiter(limiter):
    return str(limiter).replace("_", " ")


def from_counters(stage):
    found = []
    for op, advice in (("load", "Let threadIdx.x run along a row of what is read."),
                       ("store", "Let threadIdx.x run along a row of what is written; turn the tile in shared memory.")):
        each, least = stage.per_request("global", op, "sectors"), stage.ideal_per_request("global", op, "sectors")
        if each and least and each > WORTH_SAYING * least:
            found.append((each / least, Limit(
                f"global {op}s touch {rate_text(each)} sectors a request where {rate_text(least)} would do: "
                f"{percent_text(1 - least / each)} of the bytes moved are not used", advice, "counted")))
    for op in ("load", "store"):
        each, least = stage.per_request("shared", op, "wavefronts"), stage.ideal_per_request("shared", op, "wavefronts")
        if each and least and each > WORTH_SAYING * least:
            found.append((each / least, Limit(
                f"bank conflicts: shared {op}s take {rate_text(each)} wavefronts a request where {rate_text(least)} "
                "would do", "Pad the rows of the tile by one bank, or change which lane takes which word.",
                "counted")))
    lanes = active_lanes(stage.counters)
    if lanes is not None and lanes < BUSY_LANES * LANES:
        found.append((LANES / lanes, Limit(
            f"divergence: {rate_text(lanes)} of 32 lanes are active in an average instruction",
            WORDS["divergence"][1], "counted")))
    local = stage.counters.get("local_requests") or 0
    if local:
        found.append((1, Limit("registers spill to local memory, which is global memory in disguise",
                               "Index small arrays by constants only, or let a thread hold fewer elements.", "counted")))
    return [limit for _, limit in sorted(found, key=lambda pair: -pair[0])]


def active_lanes(counters):
    """Lanes that an average instruction runs for; None without instructions."""
    warps = counters.get("warp_instructions")
    return counters.get("thread_instructions", 0) / warps if warps else None
