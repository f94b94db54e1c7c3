#!/usr/bin/env python3
"""The race finder on published suites of racy and race-free kernels, given their folders; nothing of them is kept here.

    suites.py --virtual run_virtual [--indigo FOLDER] [--scor FOLDER] [--gpuverify FOLDER] [--most N] [--verbose]

FOLDER of Indigo: generated CUDA sources (IndigoSuite/CUDA, or indigo/indigo_sources of HiRace's artifact); of ScoR:
microbenchmarks/src; of GPUVerify: testsuite/CUDA. Each kernel is compiled as it stands, called by a kernel of ours on
memory of its own, and the verdict compared with what the suite says of it in the file's name or head. Prints a table.
"""
import argparse
import collections
import glob
import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../differential"))
from nvrtc import compile_text  # noqa: E402
from sides import Side, SideLost, remove_unit, write_unit  # noqa: E402

HEADERS = os.path.abspath(os.path.join(HERE, "../../compile/include"))
GRAPH_NODES = 128


class Case:
    def __init__(self, name, is_racy, source, grid, block):
        self.name, self.is_racy, self.source, self.grid, self.block = name, is_racy, source, grid, block


def called(text):
    """The suite's text with its kernels as functions, which one of ours calls."""
    return re.sub(r"\b__global__\b", "__device__ __forceinline__", text)


def array(name, values):
    return f"__device__ int {name}[] = {{{', '.join(map(str, values))}}};\n"


def graph_text():
    """Sorted neighbours, both ways; padded, so that what reads one node too far finds one without neighbours."""
    rng, near = random.Random("graph"), [set() for _ in range(GRAPH_NODES)]
    for i in range(GRAPH_NODES):
        for j in rng.sample(range(GRAPH_NODES), 4):
            if i != j:
                near[i].add(j)
                near[j].add(i)
    firsts, edges = [0], []
    for row in near:
        edges += sorted(row)
        firsts.append(len(edges))
    size = max(GRAPH_NODES, len(edges))
    text = array("graph_nindex", firsts + [len(edges)] * 9000) + array("graph_nlist", edges)
    text += array("graph_data1", [0] + [rng.randrange(GRAPH_NODES) for _ in range(size - 1)] + [0] * 64)
    return text + array("graph_data2", [0] + [rng.randrange(len(edges)) for _ in range(size - 1)] + [0] * 64)


def indigo(folder):
    graph = graph_text()
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.cu"), recursive=True)):
        name = os.path.basename(path)[:-3]
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        text = re.sub(r'#include\s*[<"].*', "", text[:text.index("void serial_code")])
        is_racy = any(bug in name for bug in ("atomicBug", "raceBug", "guardBug", "syncBug"))
        block = 64
        # Each node has a thread, a warp or a block. A launch of many blocks takes as much again where all of them loop.
        grid = GRAPH_NODES if "_block" in name else GRAPH_NODES // 2 if "_warp" in name else GRAPH_NODES // block
        source = graph + called(text) + 'extern "C" __global__ void run(const unsigned*, unsigned*) {\n' \
            f"    test_kernel(graph_nindex, graph_nlist, (data_t*)graph_data1, (data_t*)graph_data2, {GRAPH_NODES});\n}}\n"
        yield Case(name, is_racy, source, grid, block)


def scor(folder):
    """`volatile` accesses are no data race by PTX's memory model, whatever their order; the suite has it on all data, and means
    plain ones. So without it."""
    for path in sorted(glob.glob(os.path.join(folder, "*.cu"))):
        name = os.path.basename(path)[:-3]
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        text = re.sub(r"void errCheck\(\)\s*\{.*?\n\}\n", "", text[:re.search(r"int main", text).start()], flags=re.S)
        text = re.sub(r"\bvolatile\b", "", text)
        sizes = {key: int(value) for key, value in re.findall(r"#define\s+(NBLOCKS|TPERBLK)\s+(\d+)", text)}
        arguments = re.search(r"__global__ void (\w+)\(([^)]*)\)", text)
        values = ", ".join(f"({a.rsplit('*', 1)[0]}*)memory_{i}" for i, a in enumerate(arguments.group(2).split(",")) if "*" in a)
        memory = "".join(f"__device__ unsigned memory_{i}[1024];\n" for i in range(arguments.group(2).count(",") + 1))
        yield Case(name, name.startswith("race"), called(text) + memory + 'extern "C" __global__ void run(const unsigned*, unsigned*) {\n'
                   f"    {arguments.group(1)}({values});\n}}\n", sizes.get("NBLOCKS", 1), sizes.get("TPERBLK", 32))


# As expressions: they stand in the conditions of loops, too.
ANNOTATIONS = "#define __builtin_memcpy memcpy\n" + "".join(f"#define {name}(...) ((void)0)\n" for name in
                      ("__requires", "__ensures", "__assume", "__assert", "__invariant", "__global_invariant", "__requires_fresh_array",
                       "__at_most_one", "__function_wide_invariant", "__axiom", "__global_assert", "__barrier_invariant"))


def numbers(text, name):
    found = re.search(rf"--{name}=\[?([\d,]+)", text)
    return [int(n) for n in found.group(1).split(",")] if found else [1]


def gpuverify(folder):
    """Of one-dimensional launches of one kernel on pointers and numbers. A number is what `__requires` or the head says, else 1."""
    for path in sorted(glob.glob(os.path.join(folder, "**", "kernel.cu"), recursive=True)):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        head = text[:600]
        name = os.path.relpath(os.path.dirname(path), folder)
        block, grid = numbers(head, "blockDim"), numbers(head, "gridDim")
        kernels = re.findall(r"__global__\s+(?:[\w()]+\s+)*?void\s+(?:[\w()]+\s+)*?(\w+)\s*\(([^)]*)\)\s*\{", text)
        comments = " ".join(re.findall(r"^//.*", head, re.M))
        is_racy = True if re.search(r"possible.*race", comments) or re.search(r"race|shared_int", name) and "xfail" in head else \
            False if head.startswith("//pass") else None
        if is_racy is None or len(kernels) != 1 or len(block) + len(grid) != 2 or block[0] > 1024:
            continue
        memory, values = "", []
        for i, parameter in enumerate(p.strip() for p in kernels[0][1].split(",") if p.strip() and p.strip() != "void"):
            if "*" in parameter or "[" in parameter:
                memory += f"__device__ __align__(16) unsigned memory_{i}[1 << 17];\n"
                type = re.sub(r"\b(__restrict__|__restrict|restrict)\b", "", parameter)
                type = type.rsplit("*", 1)[0] + "*" if "*" in type else re.sub(r"\w+\s*\[.*", "", type) + "*"
                values.append(f"({type})memory_{i}")
            else:
                own = re.escape(parameter.split()[-1])
                number = re.search(rf"__requires\(\s*{own}\s*==\s*(\d+|blockDim\.x)\s*\)|^//{own} = (\d+)", text, re.M)
                values.append(f"({' '.join(parameter.split()[:-1])}){number.group(1) or number.group(2) if number else '1'}")
        defines = "".join(f"#define {d.replace('=', ' ')}\n" for d in re.findall(r"-D(\S+)", head.split("\n")[1]))
        groups = "#include <cooperative_groups.h>\n" if "cooperative_groups" in text else ""
        yield Case(name, is_racy, groups + ANNOTATIONS + defines + called(text) + memory + 'extern "C" __global__ void run(const unsigned*, unsigned*) {\n'
                   f"    {kernels[0][0]}({', '.join(values)});\n}}\n", min(grid[0], 64), block[0])


def run(cases, side, stem, verbose):
    """Counts, by what the suite says and what was said."""
    counts = collections.Counter()
    for case in cases:
        told = "racy" if case.is_racy else "race-free"
        try:
            ptx = compile_text(case.source, more=[f"-I{HEADERS}", "-include=cuda_runtime.h"])
            write_unit(stem, ptx, f"seed 1\nrun {case.grid} {case.block} 1 0 64\n")
            _, text = side.run(stem)
        except (ValueError, SideLost) as error:
            lines = [line for line in str(error).split("\n") if "error" in line] + [str(error)]
            said, text = "not run", [lines[0]]
        else:
            kinds = [line.split(" ")[1] for line in text]
            said = "race" if any(k.startswith("race") for k in kinds) else "not run" if {"unsupported", "not_loaded"} & set(kinds) else \
                "other finding" if kinds else "clean"
        counts[told, said] += 1
        if verbose and (told, said) not in (("racy", "race"), ("race-free", "clean")):
            print(f"{case.name}: {told}, said {said}: {'; '.join(text[:2])[:200]}", flush=True)
    remove_unit(stem)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--virtual", required=True)
    for suite in ("indigo", "scor", "gpuverify"):
        parser.add_argument(f"--{suite}", metavar="FOLDER")
    parser.add_argument("--most", type=int, default=1 << 30, help="kernels of a suite, evenly taken")
    parser.add_argument("--verbose", action="store_true", help="a line for each kernel of which something else is said")
    options = parser.parse_args()
    side, rows = Side(options.virtual, "virtual", 60), []
    with tempfile.TemporaryDirectory() as folder:
        for name, read in (("indigo", indigo), ("scor", scor), ("gpuverify", gpuverify)):
            if getattr(options, name):
                cases = list(read(getattr(options, name)))
                step = max(1, -(-len(cases) // options.most))
                rows.append((name, run(cases[::step], side, os.path.join(folder, "unit"), options.verbose)))
    side.close()
    print("| suite | racy found | race-free blamed | other findings, racy / race-free | not run |\n|---|---|---|---|---|")
    for name, counts in rows:
        of = {told: sum(n for (t, said), n in counts.items() if t == told and said != "not run") for told in ("racy", "race-free")}
        print(f"| {name} | {counts['racy', 'race']} of {of['racy']} | {counts['race-free', 'race']} of {of['race-free']} | "
              f"{counts['racy', 'other finding']} / {counts['race-free', 'other finding']} | {counts['racy', 'not run'] + counts['race-free', 'not run']} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
