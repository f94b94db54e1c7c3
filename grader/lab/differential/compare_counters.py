#!/usr/bin/env python3
"""The virtual GPU's counters and Nsight Compute's, for random kernels.

    compare_counters.py make FOLDER UNITS                    # PTX of kernels (accesses.py), 100 a unit
    run_virtual FOLDER/unit1 FOLDER/unit2 ...                # writes FOLDER/unit1.virtual.csv ...
    ncu --csv --page raw --metrics "$(compare_counters.py metrics)" run_card FOLDER/unit1 ... >FOLDER/ncu.csv
    compare_counters.py compare FOLDER [--ptxas PTXAS]       # prints the table; exits with 1 if a count differs

With --ptxas (and cuobjdump beside it) each kernel's accesses are counted in PTX and in machine code: where ptxas left
out, merged or added one, the counts cannot be equal, and the table says so in place of a difference.
"""
import csv
import glob
import os
import re
import subprocess
import sys

from accesses import AccessUnit
from nvrtc import compile_text
from sides import write_unit

COUNTERS = [  # the kit's name, Nsight Compute's, how far below the card's the kit's may be, as a fraction
    ("global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0),
    ("global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0),
    ("global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 0),
    ("global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0),
    ("shared_load_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 0.06),
    ("shared_store_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 0.06),
]


def make(folder, units):
    os.makedirs(folder, exist_ok=True)
    for seed in range(1, units + 1):
        unit = AccessUnit(seed)
        write_unit(os.path.join(folder, f"unit{seed}"), compile_text(unit.source()), unit.manifest())


def of_card(path):
    """By kernel: its counters by ncu's names."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    start = text.find('"ID"')
    if start < 0:
        sys.exit(f"there is no table of ncu in {path}: {text[-500:]}")
    rows = list(csv.DictReader(text[start:].splitlines()))[1:]  # the first holds the units
    return {row["Kernel Name"].split("(")[0]: row for row in rows if row.get("Kernel Name")}


def static_accesses(ptxas, stem):
    """By kernel: how many loads and stores there are in PTX, less those in machine code."""
    with open(stem + ".ptx", encoding="utf-8") as file:
        text = file.read()
    cubin = stem + ".cubin"
    subprocess.run([ptxas, "-arch=sm_90", stem + ".ptx", "-o", cubin], check=True, stderr=subprocess.DEVNULL)
    dump = subprocess.run([os.path.join(os.path.dirname(ptxas) or "/usr/local/cuda/bin", "cuobjdump"), "-sass", cubin], check=True,
                          capture_output=True, text=True).stdout
    names = {"LDG": r"\bld\.global", "STG": r"\bst\.global", "LDS": r"\bld\.shared", "STS": r"\bst\.shared"}
    found = {}
    for part in re.split(r"\.entry ", text)[1:]:
        body = part[:part.find("\n}")]
        found[re.match(r"\w+", part).group()] = {k: len(re.findall(pattern, body)) for k, pattern in names.items()}
    for part in re.split(r"Function : ", dump)[1:]:
        name = re.match(r"\w+", part).group()
        for key in names:
            if name in found:
                found[name][key] -= len(re.findall(rf"\b{key}\b", part))
    return {name: ", ".join(f"{-n:+d} {k}" for k, n in row.items() if n) for name, row in found.items()}


def compare(folder, ptxas):
    card = of_card(os.path.join(folder, "ncu.csv"))
    equal = off = uncounted = 0
    changed, rows, worst = 0, [], {}
    for path in sorted(glob.glob(os.path.join(folder, "*.virtual.csv"))):
        changes = static_accesses(ptxas, path[:-len(".virtual.csv")]) if ptxas else {}
        with open(path, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                seen = card.get(row["kernel"])
                if seen is None:
                    continue
                if any(seen[theirs] in ("", "nan") for _, theirs, _ in COUNTERS):
                    uncounted += 1  # ncu says so of a launch it could not count, beside other work on the card
                    continue
                cells = []
                for ours, theirs, below in COUNTERS:
                    virtual, hardware = int(row[ours]), int(float(seen[theirs].replace(",", "")))
                    part = (virtual - hardware) / hardware if hardware else float(virtual != 0)
                    if part < 0:
                        worst[ours] = min(worst.get(ours, 0), part)
                    if not (part == 0 or -below <= part <= 0):
                        cells.append(f"{ours} {virtual} / {hardware}")
                if not cells:
                    equal += 1
                elif changes.get(row["kernel"]):
                    changed += 1
                    rows.append((1, row["kernel"], "; ".join(cells), "ptxas: " + changes[row["kernel"]]))
                else:
                    off += 1
                    rows.append((0, row["kernel"], "; ".join(cells), ""))
    print(f"{equal + changed + off} launches: {equal} as on the card, {off} not, {changed} whose accesses ptxas changed"
          + (f"; {uncounted} more that ncu could not count." if uncounted else "."))
    print("Furthest below the card: " + (", ".join(f"{name} {100 * part:.1f} %" for name, part in worst.items()) or "nowhere") + "\n")
    print("| kernel | virtual / card | machine code against PTX |\n|---|---|---|")
    for _, kernel, cells, note in sorted(rows)[:300]:
        print(f"| {kernel} | {cells} | {note} |")
    return 1 if off else 0


def main():
    verb = sys.argv[1] if len(sys.argv) > 1 else ""
    if verb == "make" and len(sys.argv) == 4:
        make(sys.argv[2], int(sys.argv[3]))
    elif verb == "metrics":
        print(",".join(metric for _, metric, _ in COUNTERS))
    elif verb == "compare" and len(sys.argv) in (3, 5):
        return compare(sys.argv[2], sys.argv[4] if len(sys.argv) == 5 else None)
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
