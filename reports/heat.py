"""The source with what each line costs: sectors and wavefronts a request, and its share of all."""

from dataclasses import dataclass

from reports.limits import LANES

AROUND = 2  # lines shown before the first and after the last counted one
LEVELS = (1.15, 2, 4, 8)  # times the least: heat 1 to 4


@dataclass
class Row:
    line: int
    text: str
    sectors: list  # (op, a request, least, level) for loads, stores, atomics
    wavefronts: list
    sector_share: float  # of all sectors of the run
    wavefront_share: float
    lanes: float | None  # active, of 32
    instruction_share: float

    @property
    def is_counted(self):
        return self.instruction_share > 0


def level(each, least):
    """0 to 4: how far above the least."""
    return sum(each >= limit * least for limit in LEVELS) if least else 0


def rows(stage):
    """Rows from shortly before the first counted line to shortly after the last; empty without counters by line."""
    by_line = {entry["line"]: entry for entry in stage.counters.get("by_line") or [] if entry.get("line")}
    if not by_line:
        return []
    total = {unit: sum(count(entry, space, unit) for entry in by_line.values()) or 1
             for space, unit in (("global", "sectors"), ("shared", "wavefronts"))}
    instructions = sum(entry.get("warp_instructions", 0) for entry in by_line.values()) or 1
    first, last = max(1, min(by_line) - AROUND), max(by_line) + AROUND
    if stage.source_lines:
        last = min(last, len(stage.source_lines))
        numbers = range(first, max(last, max(by_line)) + 1)
    else:
        numbers = sorted(by_line)
    return [row(number, text_of(stage, number), by_line.get(number, {}), total, instructions) for number in numbers]


def text_of(stage, number):
    lines = stage.source_lines
    return lines[number - 1].rstrip().expandtabs(4) if 0 < number <= len(lines) else ""


def count(entry, space, unit):
    return sum(entry.get(f"{space}_{op}_{unit}", 0) for op in ("load", "store", "atomic"))


def row(number, text, entry, total, instructions):
    warps = entry.get("warp_instructions", 0)
    return Row(number, text, each(entry, "global", "sectors"), each(entry, "shared", "wavefronts"),
               count(entry, "global", "sectors") / total["sectors"],
               count(entry, "shared", "wavefronts") / total["wavefronts"],
               entry["thread_instructions"] / warps if warps and "thread_instructions" in entry else None,
               warps / instructions)


def each(entry, space, unit):
    found = []
    for op in ("load", "store", "atomic"):
        requests = entry.get(f"{space}_{op}_requests", 0)
        if requests:
            mean = entry.get(f"{space}_{op}_{unit}", 0) / requests
            least = entry.get(f"{space}_{op}_{unit}_ideal", 0) / requests
            found.append((op, mean, least, level(mean, least)))
    return found


def lanes_level(lanes):
    """Heat of few active lanes."""
    return level(LANES, lanes) if lanes else 0
