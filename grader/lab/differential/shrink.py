"""Makes a kernel that differs smaller, by leaving out statements as long as it still differs in the same way."""
from compare import differences
from nvrtc import compile_text
from sides import SideLost, remove_unit, write_unit


def still_differ(unit, kernel, kind, choices, virtual, card, stem):
    """Those of `choices`, sets of numbers of statements, without which the kernel differs all the same."""
    variants = [kernel.without(omitted, f"k{i:03d}") for i, omitted in enumerate(choices)]
    try:
        write_unit(stem, compile_text(unit.head() + "\n".join(v.source() for v in variants)),
                   f"seed {unit.seed}\n" + "".join(v.launch() + "\n" for v in variants))
        data, text = virtual.run(stem)
        other = card.run(stem)[0] if card is not None else None
    except (ValueError, SideLost):
        return []
    finally_differ = {d.kernel.name: d for d in differences(variants, data, text, other) if d.kind == kind}
    remove_unit(stem)
    return [(v.omitted, finally_differ[v.name].detail) for v in variants if v.name in finally_differ]


def shrink(unit, kernel, kind, virtual, card, stem, most_rounds=12):
    """The text of the kernel with as few statements as this found, and what differs then."""
    omitted, detail = frozenset(), ""
    for _ in range(most_rounds):
        left = [n for n in range(kernel.count) if n not in omitted]
        singles = still_differ(unit, kernel, kind, [omitted | {n} for n in left], virtual, card, stem)
        if not singles:
            break
        goods = [next(iter(choice - omitted)) for choice, _ in singles]
        # All at once, or as many of them, from either end, as go together.
        choices, size = [], len(goods)
        while size > 1:
            choices += [omitted | set(goods[:size]), omitted | set(goods[-size:])]
            size = size * 2 // 3
        found = still_differ(unit, kernel, kind, choices, virtual, card, stem) if choices else []
        omitted, detail = max(found or singles[:1], key=lambda row: len(row[0]))
    return kernel.without(omitted, kernel.name).source(), detail
