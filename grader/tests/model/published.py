#!/usr/bin/env python3
"""The GPUs that nobody here has measured: published times of transposes, sums and copies beside the modelled ones, and the
error bands of the profiles, which follow from them.

    ninja -C build/r model_validate
    python3 grader/tests/model/published.py build/r/grader/model_validate > grader/tests/model/published.md

published.csv has the rows; the kernels were written afresh after what each source says of its own. A row that cannot be
compared stays in it, with the reason. Where the card is not the profile's own, or did not run at its clock, the row names
the clock and the memory's rate, and what the profile has in nanoseconds or as a share of the rate is kept as such. l2 is
`clean` where nothing waits in the L2 to be written when a launch starts: the profiler has flushed it, or the same sum ran
before. Elsewhere it is as the model has it, full of what a copy or a cleared cache left there. Definitions with `|` between
are sizes of a block, of which the source reports the best. A row that a parameter of the profile is taken from says nothing
of the model, and does not count in the band.
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

from predictions import quantile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROFILES = ["a100", "t4", "l4", "rtx3080", "rtx4090"]
LEAST_ROWS = 6  # of a profile, of both ladders, for a band of its own
SOURCES = {
    "BBuf reduce": "BBuf, how-to-optim-algorithm-in-cuda, cuda-kernels/reduce/README.md. Times of Nsight Compute, which by "
                   "default clears the caches and holds the clock at the card's base, 765 MHz",
    "cudatorch transpose": "mmjerge, cudatorch, results/transpose/matrix_transpose_A100_performance.csv, 2025. One launch each",
    "xytpai copy": "xytpai, nvbench, README.md and standard/global_memory_bandwidth.cu. 1 GiB, the second of two launches",
    "ayush-os transpose": "ayush-os, transpose, README.md. Mean of 1000 launches",
    "fridayswithfaraday transpose": "fridayswithfaraday.com, posts on matrix transpose and on kernel optimization",
    "A100 80G ncu table": "a README, \"ncu benchmark\", A100 80G 500W",
    "reguly laplace": "reguly, laplace_vector, README.md",
    "ymlin report": "sylvia-ymlin, CUDA-Kernel-Optimization, docs/performance_report.md, December 2024. Mean of 100 launches "
                    "after 3. Another report of the author has 1910 us for the first row and 1430 to 1810 us for the second",
    "ymlin elementwise": "sylvia-ymlin, CUDA-Kernel-Optimization, docs/performance.md. 2^25 elements",
    "aniruddha reduction": "aniruddha1321, CUDA, Parallel-Reduction",
    "R100001 reduction": "R100001, Programming-Massively-Parallel-Processors, Performance-Tests-NvBench/reduction, "
                         "BenchResults3080.csv. nvbench with the L2 cleared; 32-bit integers, which take the same bytes and "
                         "instructions; about 40 us of each time are copies between its three launches",
    "cuda-optimization-samples reduce": "a README, \"CUDA Optimization Samples\", with reduce.cu. It counts GiB as GB; the times "
                                        "are used",
    "leimao transpose": "leimao, CUTLASS-Examples, examples/cute_matrix_transpose/README.md",
    "masterskepticista reduction": "MasterSkepticista, parallel_reductions_cuda, README.md. Blocks of 64 to 1024 threads were run; the "
                                   "best are taken to be reported",
    "ymlin 3090": "sylvia-ymlin, GPU-Programming, docs/COMPLETE_PERFORMANCE_ANALYSIS.md. 2^25 elements",
    "a README on transposes, RTX 3090": "a README, \"Matrix Transpose\", tested on an RTX 3090",
    "a blog series on coalesced accesses": "a blog series on coalesced accesses, RTX 3080",
    "llama.cpp pull request 16841": "ggml-org, llama.cpp, pull request 16841",
    "rtferraz reduction": "rtferraz, cuda-kernel-engineering, 03-reduction and its profiles, NVIDIA L4. 200 MB against 48 MB of "
                          "L2; the grid is not stated, 1024 blocks of 256 are modelled",
}


def rows():
    with open(HERE / "published.csv", newline="") as f:
        return list(csv.DictReader(f))


def profile_of(row):
    """The text of the row's profile with the row's clock and memory."""
    text = (ROOT / f"grader/profiles/{row['profile']}.toml").read_text()
    parsed = tomllib.loads(text)
    clock = float(row["sm_clock_mhz"] or parsed["device"]["sm_clock_mhz"])
    peak = float(row["dram_gb_per_s"] or parsed["device"]["dram_peak_gb_per_s"])
    faster = clock / parsed["device"]["sm_clock_mhz"]
    wider = peak / parsed["device"]["dram_peak_gb_per_s"]
    text = re.sub(r"^multiprocessors = .*", f"multiprocessors = {row['multiprocessors'] or parsed['device']['multiprocessors']}", text, flags=re.M)
    text = re.sub(r"^sm_clock_mhz = .*", f"sm_clock_mhz = {clock:g}", text, flags=re.M)
    text = re.sub(r"^dram_peak_gb_per_s = .*", f"dram_peak_gb_per_s = {peak:g}", text, flags=re.M)
    for name, field in parsed["model"].items():
        by = 1.0
        if name == "dirty_bytes" and row["l2"] == "clean":
            by = 0.0
        elif name.startswith("dram_") and name.endswith("_gb_per_s"):
            by = wider
        elif name.startswith("l2_") and name.endswith("_ps") and row["l2_bytes"]:
            by = parsed["device"]["l2_bytes"] / float(row["l2_bytes"])
        elif field["unit"] == "cycles" and "nanoseconds" in field["source"]:
            by = faster
        elif field["unit"] == "ns" and "clock" in field["source"]:
            by = 1 / faster
        text = re.sub(rf"^(\[model\.{name}\]\nvalue = ).*", rf"\g<1>{field['value'] * by:.6g}", text, flags=re.M)
    return text


def predict(binary, compared):
    """{row number: microseconds}"""
    result, groups = {}, {}
    for number, row in compared:
        groups.setdefault((row["profile"], row["card"], row["sm_clock_mhz"], row["l2"]), []).append((number, row))
    with tempfile.TemporaryDirectory() as folder:
        for group in groups.values():
            profile = pathlib.Path(folder) / f"{group[0][1]['profile']}.toml"
            profile.write_text(profile_of(group[0][1]))
            requests = "".join(f"{number},{row['problem']},{HERE / row['file']},{definitions},{row['shape']}\n"
                               for number, row in group for definitions in row["definitions"].split("|"))
            done = subprocess.run([binary, profile], input=requests + "run\n", text=True, check=True, stdout=subprocess.PIPE, cwd=ROOT)
            for line in done.stdout.splitlines():
                cells = line.split(",")
                if len(cells) > 2:
                    result[int(cells[0])] = min(float(cells[2]), result.get(int(cells[0]), float("inf")))
    return result


def bands(errors):
    """{profile: error band}"""
    own = {}
    for profile, found in errors.items():
        if len(found) >= LEAST_ROWS and {problem for problem, _ in found} >= {"transpose", "reduction"}:
            own[profile] = round(quantile([abs(e) for _, e in found], 0.9), 2)
    return {profile: own.get(profile, max(own.values())) for profile in PROFILES}


def compare(binary):
    """[(row, microseconds)] of the rows that can be compared."""
    compared = [(number, row) for number, row in enumerate(rows()) if not row["left_out"]]
    predicted = predict(binary, compared)
    return [(row, predicted[number]) for number, row in compared]


def errors_of(pairs):
    """{profile: [(problem, error of the time)]}"""
    errors = {profile: [] for profile in PROFILES}
    for row, us in pairs:
        if not row["taken_from_it"]:
            errors[row["profile"]].append((row["problem"], us / float(row["microseconds"]) - 1))
    return errors


def at(row):
    words = [f"{row['multiprocessors']} multiprocessors" if row["multiprocessors"] else "",
             f"{row['sm_clock_mhz']} MHz" if row["sm_clock_mhz"] else "", f"{row['dram_gb_per_s']} GB/s" if row["dram_gb_per_s"] else ""]
    return row["card"] + "".join(f", {word}" for word in words if word)


def main():
    pairs = compare(pathlib.Path(sys.argv[1]).resolve())
    errors = errors_of(pairs)
    stated = bands(errors)
    print("# Published times of GPUs that were not measured here\n")
    print("Made by published.py, which says how. A ratio above 1: the model is too slow. *: a parameter of the "
          "profile is taken from this row.\n")
    for profile in PROFILES:
        print(f"## {profile}\n\n| card | kernel | shape | published us | modelled us | ratio | source |\n|---|---|---|--:|--:|--:|---|")
        for row, us in pairs:
            if row["profile"] == profile:
                print(f"| {at(row)} | {row['what']} | {row['shape']} | {float(row['microseconds']):.0f} | {us:.0f} | "
                      f"{us / float(row['microseconds']):.2f}{' *' if row['taken_from_it'] else ''} | {row['source']} |")
        print()
    print("## Error bands\n")
    print(f"Of the rows without a star. A profile with at least {LEAST_ROWS} of them, of transposes and of sums: what nine of ten are "
          "within. Another: the widest of those bands, as nothing shows it to be better.\n")
    print("| profile | rows | median error | nine of ten within | worst | error_band |\n|---|--:|--:|--:|--:|--:|")
    for profile in PROFILES:
        size = [abs(e) for _, e in errors[profile]]
        print(f"| {profile} | {len(size)} | {quantile(size, .5):.0%} | {quantile(size, .9):.0%} | {max(size):.0%} | {stated[profile]:.2f} |")
    print("\n## Rows that cannot be compared\n\n| card | kernel | shape | published us | why | source |\n|---|---|---|---|---|---|")
    for row in rows():
        if row["left_out"]:
            print(f"| {row['card']} | {row['what']} | {row['shape']} | {row['microseconds']} | {row['left_out']} | {row['source']} |")
    print("\n## Sources\n")
    for name in dict.fromkeys(row["source"] for row in rows()):
        print(f"- {name}: {SOURCES[name]}.")


if __name__ == "__main__":
    main()
