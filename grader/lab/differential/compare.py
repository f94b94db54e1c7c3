"""What differs between the two sides, kernel by kernel; for a person, the first word that does.

    python3 compare.py STEM SEED [KERNELS]     # of a unit that run_virtual and run_card have run
"""
import struct
import sys

from expressions import TYPES
from sides import records
from units import KernelUnit


class Difference:
    """Of one kernel. `kind`: finding, unsupported, card_fault, virtual_fault, words, raw_nan (words, in a kernel that lets NaN keep its bits)."""

    def __init__(self, kind, kernel, detail):
        self.kind, self.kernel, self.detail = kind, kernel, detail


def place_of(kernel, word):
    """What a word of `out` is, in words."""
    thread, offset = divmod(word, kernel.words)
    if thread >= kernel.grid * kernel.threads:
        return f"word {word - kernel.grid * kernel.threads * kernel.words} after the threads' own (atomics)"
    at = 0
    for variable in sorted(kernel.used, key=lambda v: (TYPES[kernel.type_of(v)][1] != 64, v)):
        width = 2 if TYPES[kernel.type_of(variable)][1] == 64 else 1
        if at <= offset < at + width:
            half = "" if width == 1 else ", low word" if offset == at else ", high word"
            block, lane = divmod(thread, kernel.threads)
            return f"{variable}{half} of block {block}, thread {lane}"
        at += width
    return f"word {word}"


def words_that_differ(kernel, virtual, card):
    count = len(virtual) // 4
    ours, theirs = struct.unpack(f"<{count}I", virtual), struct.unpack(f"<{count}I", card)
    return [(i, ours[i], theirs[i]) for i in range(count) if ours[i] != theirs[i]]


def differences(kernels, virtual, virtual_text, card=None):
    """Of a unit. `card` None: what the virtual side alone says against itself, since every kernel is right."""
    found, findings = [], {}
    for line in virtual_text:
        name, kind, rest = line.split(" ", 2)
        findings.setdefault(name, []).append(f"{kind} {rest}")
    ours = records(virtual, kernels)
    theirs = records(card, kernels) if card is not None else [None] * len(kernels)
    if "*" in findings:
        return [Difference("unsupported", kernels[0], findings["*"][0])]
    for kernel, (status, words), other in zip(kernels, ours, theirs):
        if kernel.name in findings:
            kind = "unsupported" if findings[kernel.name][0].startswith("unsupported") else "finding"
            found.append(Difference(kind, kernel, "; ".join(findings[kernel.name])))
        elif status:
            found.append(Difference("virtual_fault", kernel, f"status {status}"))
        elif other is not None and other[0]:
            found.append(Difference("card_fault", kernel, f"status {other[0]}"))
        elif other is not None and words != other[1]:
            rows = words_that_differ(kernel, words, other[1])
            text = "; ".join(f"{place_of(kernel, i)}: virtual 0x{a:08x}, card 0x{b:08x}" for i, a, b in rows[:3])
            found.append(Difference("raw_nan" if kernel.raw_nan else "words", kernel, f"{len(rows)} words: {text}"))
    return found


def main():
    stem, seed, count = sys.argv[1], int(sys.argv[2]), int((sys.argv + ["100"])[3])
    unit = KernelUnit(seed, count)
    sides = {}
    for name in ("virtual", "card"):
        with open(f"{stem}.{name}.bin", "rb") as file:
            sides[name] = file.read()
    with open(f"{stem}.virtual.txt", encoding="utf-8") as file:
        found = differences(unit.kernels, sides["virtual"], file.read().splitlines(), sides["card"])
    for difference in found:
        print(f"{difference.kernel.name} {difference.kind}: {difference.detail}")
    if found:
        print(found[0].kernel.source())
    print(f"{count - len(found)} of {count} kernels are equal")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
