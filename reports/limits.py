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
    about: str = ""  # two limits about the same thing are one


# How the model's sentences begin (grader/model/limiter.cpp): what they are about, and what to try.
ADVICE = (
    ("each load touches", "load", "Let threadIdx.x run along a row of what is read."),
    ("each store touches", "store",
     "Let threadIdx.x run along a row of what is written."),
    ("each shared access takes", "shared", "Pad the rows of the tile by one bank, or change which lane takes which word."),
    ("atomic additions to the same address", "",
     "Fewer of them: add up within the block first, and give each block more to do."),
    ("warps wait for each other at __syncthreads", "",
     "Fewer barriers, or smaller blocks so that other blocks fill the wait."),
    ("the multiprocessors are busy with instructions", "",
     "Do more bytes an instruction: vector loads, fewer index computations in the loop."),
    ("DRAM bandwidth", "",
     "Move fewer bytes, and each once; then look at the shapes where the share of the copy is lowest."),
)
ADVICE_INSIDE = ("let each thread ", "give each block ")  # the last clause of a sentence that says it itself
ALL_POINTS = "Nothing in this stage, which has all its points."
ASKED_FOR = "Nothing in this stage: it is to show this."
TURN = "Turn the tile in shared memory."  # where a stage may have one
OF = {about: to_try for _, about, to_try in ADVICE if about}

# Nsight Compute's stall reasons that the model has, as `explain` says them.
WAITS = {
    "not_selected": "ready, but another warp issues",
    "wait": "for the result of the instruction before",
    "long_scoreboard": "for global memory",
    "short_scoreboard": "for shared memory, a shuffle or threadIdx",
    "barrier": "for the other warps at __syncthreads",
    "lg_throttle": "to put one more global access into the queue",
    "mio_throttle": "for the queue of shared memory, shuffles, threadIdx",
    "drain": "for its stores to leave, at its end",
}
LEAST_WAIT = 0.03  # of the warps' time


def limits(stage):
    """What limits the stage, the most important first; empty where nothing is known."""
    named = from_time(stage)
    said = {limit.about for limit in named if limit.about}
    found = [*named, *(limit for limit in from_counters(stage) if limit.about not in said)]
    # What a stage is to show, uncoalesced stores say, is not to be mended in it.
    found = [Limit(limit.what, asked_of(stage, limit), limit.origin, limit.about) for limit in found]
    if stage.is_graded and stage.score["max"] - stage.score["total"] < 0.005:
        found = [Limit(limit.what, ALL_POINTS, limit.origin, limit.about) for limit in found]
    return found


# The counters of rules that a limit shows in, by what it is about.
COUNTERS = {"load": "global_load_sectors", "store": "global_store_sectors", "shared": "shared_", "lanes": "divergent_branches"}


def asked_of(stage, limit):
    """What to try, as far as the stage's rules let one."""
    rules = [rule.get("rule", "") for rule in stage.technique]
    counter = COUNTERS.get(limit.about)
    if counter and any(rule.startswith(counter) and ("_requests " not in rule) and " >= " in rule for rule in rules):
        return ASKED_FOR
    if limit.about == "store" and limit.to_try == OF["store"] and "shared_load_requests == 0" not in rules:
        return f"{limit.to_try} {TURN}"
    return limit.to_try


def from_time(stage):
    """The limiter that the timing model or the measurement names: a sentence."""
    sentence = stage.time.get("limiter") or (stage.bandwidth.limiter if stage.bandwidth else None)
    if not sentence:
        return []
    origin = stage.time.get("origin") or stage.origin or "modelled"
    about, to_try = next(((about, to_try) for start, about, to_try in ADVICE if sentence.startswith(start)), ("", ""))
    what, _, last = sentence.rpartition("; ")
    if last.startswith(ADVICE_INSIDE):
        to_try = f"{last[0].upper()}{last[1:]}."
    else:
        what = sentence
    if stage.time.get("line"):
        what += f" (line {stage.time['line']})"
    gain = stage.time.get("gain_without_limit")
    if gain and gain > 1.05:
        what += f"; without that limit the kernel would run {factor_text(gain)} as fast"
    return [Limit(what, to_try, origin, about)]


def waits(stage):
    """(reason, what for, share) of the time that the model has warps wait, the longest first."""
    shares = {reason: share for reason, share in (stage.time.get("stalls") or {}).items()
              if share >= LEAST_WAIT and reason != "selected"}
    return [(reason.replace("_", " "), WAITS.get(reason, ""), share)
            for reason, share in sorted(shares.items(), key=lambda pair: -pair[1])]


def waits_text(stage):
    """In one sentence; "" where the model says nothing."""
    return "; ".join(f"{percent_text(share)} {what} ({reason})" if what else f"{percent_text(share)} {reason}"
                     for reason, what, share in waits(stage))


def from_counters(stage):
    found = []
    for op in ("load", "store"):
        each, least = stage.per_request("global", op, "sectors"), stage.ideal_per_request("global", op, "sectors")
        if each and least and each > WORTH_SAYING * least:
            found.append((each / least, Limit(
                f"global {op}s touch {rate_text(each)} sectors a request where {rate_text(least)} would do: "
                f"{percent_text(1 - least / each)} of the bytes moved are not used", OF[op], "counted", op)))
    for op in ("load", "store"):
        each, least = stage.per_request("shared", op, "wavefronts"), stage.ideal_per_request("shared", op, "wavefronts")
        if each and least and each > WORTH_SAYING * least:
            found.append((each / least, Limit(
                f"bank conflicts: shared {op}s take {rate_text(each)} wavefronts a request where {rate_text(least)} "
                "would do", OF["shared"], "counted", "shared")))
    lanes = active_lanes(stage.counters)
    if lanes is not None and lanes < BUSY_LANES * LANES:
        found.append((LANES / lanes, Limit(
            f"divergence: {rate_text(lanes)} of 32 lanes are active in an average instruction",
            "Let neighbouring threads do the same: index by tid, not by tid % step.", "counted", "lanes")))
    local = stage.counters.get("local_requests") or 0
    if local:
        found.append((1, Limit("registers spill to local memory, which is global memory in disguise",
                               "Index small arrays by constants only, or let a thread hold fewer elements.", "counted")))
    return [limit for _, limit in sorted(found, key=lambda pair: -pair[0])]


def active_lanes(counters):
    """Lanes that an average instruction runs for; None without instructions."""
    warps = counters.get("warp_instructions")
    return counters.get("thread_instructions", 0) / warps if warps else None
