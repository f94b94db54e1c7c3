"""What one access of a warp touches: 32-byte sectors of global memory, words in the 32 banks of shared memory.

Sector rule and bank rule are those of the counters: distinct aligned 32-byte sectors over the active lanes; a bank is
the index of a 4-byte word modulo 32. `units` of the trace is what the counters say and is what is printed.
"""

from dataclasses import dataclass, field

SECTOR_BYTES, WORD_BYTES, BANKS, LANES = 32, 4, 32, 32


@dataclass
class Access:
    line: int
    kind: str
    space: str
    buffer: str
    width: int
    lanes: list  # active
    addresses: dict = field(repr=False)  # lane -> byte
    units: int
    least: int
    likes: int = 1  # accesses of this line, kind and buffer
    lanes_to: int = 32  # fewest active lanes among them

    @property
    def unit(self):
        return "sector" if self.space == "global" else "wavefront"

    @property
    def excess(self):
        return self.units / self.least if self.least else 1


def read_access(data):
    lanes = [lane for lane in range(LANES) if data["mask"] >> lane & 1]
    return Access(data["line"], data["kind"], data["space"], data.get("buffer") or data["space"],
                  data["width_bytes"], lanes, {lane: data["addresses"][lane] for lane in lanes}, data["units"],
                  data["units_ideal"], 1, len(lanes))


def patterns(trace):
    """One access for each line, kind and buffer, the worst of its likes, in the order of the run."""
    groups = {}
    for data in trace:
        if data.get("space") not in ("global", "shared"):
            continue
        access = read_access(data)
        groups.setdefault((access.line, access.kind, access.space, access.buffer), []).append(access)
    chosen = []
    for accesses in groups.values():
        worst = max(accesses, key=lambda access: (access.excess, len(access.lanes)))
        worst.likes = len(accesses)
        worst.lanes_to = min(len(access.lanes) for access in accesses)
        chosen.append(worst)
    return chosen


def telling(trace, most=4):
    """The patterns to show: at most so many, dropping the ones that repeat what another shows; and how many were dropped."""
    found = patterns(trace)
    ranked = sorted(found, key=lambda access: (-access.excess, access.least == 0))
    kept, seen = [], set()
    for access in ranked:
        look = (access.space, access.kind, access.units, access.least, access.width)
        if len(kept) < most and (look not in seen):
            kept.append(access)
            seen.add(look)
    kept.sort(key=found.index)
    return kept, len(found) - len(kept)


def sectors(access):
    """[(address of the sector, {word: first lane that touches it})], ascending."""
    touched = {}
    for lane, address in access.addresses.items():
        for byte in range(address, address + max(access.width, 1), min(WORD_BYTES, max(access.width, 1))):
            words = touched.setdefault(byte // SECTOR_BYTES * SECTOR_BYTES, {})
            words.setdefault(byte % SECTOR_BYTES // WORD_BYTES, lane)
    return sorted(touched.items())


def banks(access):
    """For each of the 32 banks: {word: first lane that wants it}, words ascending."""
    found = [{} for _ in range(BANKS)]
    for lane, address in access.addresses.items():
        for byte in range(address, address + max(access.width, 1), WORD_BYTES):
            word = byte // WORD_BYTES
            found[word % BANKS].setdefault(word, lane)
    return [dict(sorted(words.items())) for words in found]


def lanes_text(lanes):
    """[0, 1, 2, 5] -> "0-2, 5"."""
    runs = []
    for lane in sorted(lanes):
        if runs and runs[-1][1] == lane - 1:
            runs[-1][1] = lane
        else:
            runs.append([lane, lane])
    return ", ".join(str(a) if a == b else f"{a}\N{EN DASH}{b}" for a, b in runs)


def said(access):
    """The access in a sentence, for readers who do not see the picture."""
    verb = {"read": "reads", "write": "writes", "atomic": "updates"}.get(access.kind, access.kind)
    text = f"Line {access.line}: the warp {verb} {access.buffer} ({access.space} memory): {access.units} {access.unit}" \
           f"{'' if access.units == 1 else 's'}"
    text += ", as few as can be" if access.units <= access.least else f" where {access.least} would do"
    if len(access.lanes) < LANES:
        text += f"; {len(access.lanes)} of 32 lanes active"
    if access.space == "shared" and access.units > access.least:
        full = [words for words in banks(access) if words]
        text += f"; {len(full)} of 32 banks used, up to {max(map(len, full))} different words in one"
    return text
