#!/usr/bin/env python3
"""grader/lab/proof/proved_mutants.py COUNT [options]: is what is proved true? Programs with slips through `explain --proof`; whatever
is proved of one of them must hold where the virtual GPU runs it, on drawn shapes: thin, odd and large ones.

The slips are those that a proof is about: another comparison, another index, an extent for the other, a rounding, a barrier
left out, a cast left out, another number. One or two of them are made in a solution, a stub or a wrong program. Each row of
a proof is compared with the finding that would deny it: `bounds` with out_of_bounds, `races` with race_shared, and so on.
Prints a table; a proof that a run denies is a defect, as is an end without an answer; they are kept in OUT, and the exit code is 1."""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mutants"))
import mutants as others  # noqa: E402

ROOT = others.ROOT
ASSIGNMENTS = ("transpose", "warmup", "repair", "stencil", "reduction", "scan")
SLIPS = [(r" < ", " <= "), (r" <= ", " < "), (r" >= ", " > "), (r" > ", " >= "), (r"&&", "||"), (r"\|\|", "&&"),
         (r"threadIdx\.x", "threadIdx.y"), (r"threadIdx\.y", "threadIdx.x"), (r"blockIdx\.x", "blockIdx.y"),
         (r"\brows\b", "cols"), (r"\bcols\b", "rows"), (r" - 1\b", ""), (r" \+ 1\b", ""), (r" \+ 1\b", " + 2"), (r" - 1\b", " - 2"),
         (r"= 32\b", "= 16"), (r"= 32\b", "= 31"), (r"= 8\b", "= 16"), (r"= 8\b", "= 4"), (r"__syncthreads\(\);", ""),
         (r" \* TILE\b", ""), (r" \* TILE\b", " * TILE + 1"), (r" \+ j\b", ""), (r"\btile_row\b", "tile_col"),
         (r"\btile_col\b", "tile_row"), (r"blockIdx\.z \* gridDim\.y \+ ", ""), (r" - HALO\b", ""), (r" \+ HALO\b", ""),
         (r"65535", "1"), (r"65535", "65536"), (r" / ", " % "), (r" % ", " / "), (r"static_cast<std::size_t>\((\w+)\)", r"\1"),
         (r"\bint (?=\w+ =)", "unsigned "), (r"\bint (?=\w+ =)", "short "), (r" \+ ", " - "), (r" \* ", " + "), (r"\bx\b", "y"), (r"\by\b", "x")]
# A row, and the findings and verdicts that deny it.
DENIED_BY = {"launch": {"invalid_launch", "launch_error"}, "barriers": {"barrier_divergence"},
             "bounds": {"out_of_bounds", "out_of_bounds_shared", "misaligned"}, "races": {"race_shared", "write_to_input"}, "once": {"race_global"},
             "covered": {"not_written"}, "values": {"uninitialized", "wrong_output"}}
SEVERE = "error"
NOT_DENIED_BY = {"pass", "skipped", "timeout"}  # timeout: more blocks than a check runs, of the solution too


def is_of_block_size(finding):
    """Found with another THREADS than the file's, which is another program than the one that is proved."""
    return any("THREADS=" in fact for fact in finding["facts"])


def slips(text):
    """Every place of a slip: (start, end, replacement), comments and preprocessor lines left out."""
    kept = [m.span() for m in re.finditer(r"//[^\n]*|^#[^\n]*|\([^()\n]*\bint rows[^()\n]*\)", text, re.M)]
    for pattern, other in SLIPS:
        for match in re.finditer(pattern, text):
            if not any(a <= match.start() < b for a, b in kept):
                yield match.start(), match.end(), match.expand(other)


def mutant(text, seed):
    drawn = random.Random(seed)
    for _ in range(drawn.choice((1, 1, 1, 2))):
        start, end, other = drawn.choice(list(slips(text)) or [(0, 0, "")])
        text = text[:start] + other + text[end:]
    return text


def shapes(seed):
    drawn = random.Random(seed ^ 0x5EED)
    some = [(1, 1), (1, 33), (33, 1), (31, 32), (32, 31), (64, 96), (65, 63), (2097121, 1), (1, 2097121), (524289, 3), (3, 524289)]
    some += [(drawn.randint(1, 200), drawn.randint(1, 200)) for _ in range(17)]
    some += [(drawn.randint(1, 4), drawn.randint(1, 70000)) for _ in range(4)] + [(drawn.randint(1, 70000), drawn.randint(1, 4)) for _ in range(4)]
    some += [(32 * drawn.randint(1, 12), 32 * drawn.randint(1, 12)) for _ in range(3)] + [(drawn.randint(800, 1300), drawn.randint(800, 1300))]
    return [f"{rows}x{cols}" for rows, cols in some]


def lengths(seed):
    drawn = random.Random(seed ^ 0x5EED)
    edges = [2 ** k + d for k in (0, 5, 6, 8, 9, 10, 11, 16, 18) for d in (-1, 0, 1) if 2 ** k + d > 0]
    return [str(n) for n in drawn.sample(edges, 18) + [drawn.randint(1, 5000) for _ in range(12)] + [drawn.randint(5000, 300000) for _ in range(8)]
            + [2 ** 20 + drawn.randint(1, 5000), 3 * 2 ** 20 + drawn.randint(1, 5000)]]


class Trial:
    def __init__(self, options):
        self.options = options
        known = list(others.bases())
        self.bases = [(path, stage) for path, stage in known if stage.split("/")[0] in ASSIGNMENTS
                      and (not options.solutions or path.is_relative_to(ROOT / "solutions") and path.parent.name != "wrong")]

    def ask(self, folder, *words):
        run = subprocess.run([self.options.program, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=folder,
                             env=os.environ | {"WARPGRADE_ROOT": str(ROOT), "TMPDIR": folder})
        try:
            return json.loads(run.stdout)
        except ValueError:
            return {"failed": f"exit {run.returncode}: {run.stderr.strip()[-200:]}"}

    def run(self, seed):
        """(base, verdict, what denies the proof)"""
        path, stage = self.bases[random.Random(seed).randrange(len(self.bases))]
        text = mutant(path.read_text(errors="replace"), seed)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "mutant.cu"
            file.write_text(text)
            proof = self.ask(folder, "explain", "--proof", "--format", "json", str(file), "--stage", stage)
            if "proof" not in proof:
                failed = proof.get("failed", "")
                return path, failed or "does not compile", [failed] if failed else [], text
            rows = [{row["name"] for row in one.get("obligations", []) if row["proved"]} for one in proof["proof"]]
            held = set.intersection(*rows) if rows else set()
            whole = all(one["whole"] for one in proof["proof"])
            if not held:
                return path, "nothing proved", [], text
            is_matrix = "," in proof["proof"][0]["assumptions"][0]
            drawn = shapes(seed) if is_matrix else lengths(seed)
            # `races` speaks of two stores to the output where several launches leave `once` open.
            whys = [row.get("why", "") for one in proof["proof"] for row in one["obligations"] if row["name"] == "once"]
            has_several = any("several launches" in why for why in whys)
            result = self.ask(folder, "check", "--format", "json", "--device", "virtual", str(file), "--stage", stage,
                              *[word for shape in drawn for word in ("--shape", shape)])
            usual = self.ask(folder, "check", "--format", "json", "--device", "virtual", str(file), "--stage", stage) if whole else None
        denied, wrong = [], False
        for found in filter(None, (result, usual)):
            if "stages" not in found:
                return path, "no result", [f"`check` gave no result: {found.get('failed')}"], text
            stage_found = found["stages"][0]
            cases = [case for case in stage_found["correctness"]["cases"] if not case.get("variant", "").startswith("THREADS=")]
            verdicts = {case["verdict"] for case in cases} - NOT_DENIED_BY
            wrong = wrong or bool(verdicts)
            said = {one["kind"] for one in stage_found["findings"] if one["severity"] == SEVERE and not is_of_block_size(one)} | verdicts
            denied += [f"{row}: {', '.join(sorted(said & by))}" for row, by in DENIED_BY.items() if row in held and said & by]
            if has_several and "races" in held and "race_global" in said:
                denied.append("races: race_global")
            if whole and verdicts:
                denied.append("whole: " + ", ".join(sorted(verdicts)))
        kind = "whole" if whole else f"{len(held)} rows"
        return path, f"{kind}, {'wrong' if wrong else 'right'}", denied, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seconds", type=float, default=1e9, help="no new mutants after these")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--program", default=str(ROOT / "build/release/grader/warpgrade-bin"))
    parser.add_argument("--solutions", action="store_true", help="slips in solutions only, of which more is proved")
    parser.add_argument("--out", default="", help="a folder for what is proved and denied")
    parser.add_argument("--seeds", default="", help="a file for the seeds that were tried, with what was found")
    options = parser.parse_args()
    options.program = str(Path(options.program).resolve())
    trial, begun, counts, failed = Trial(options), time.monotonic(), collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def run(seed):
            return (seed, *trial.run(seed)) if time.monotonic() - begun < options.seconds else None
        for done in pool.map(run, range(options.first, options.first + options.count)):
            if done is None:
                continue
            seed, path, verdict, denied, text = done
            counts[verdict] += 1
            if options.seeds:
                with open(options.seeds, "a") as tried:
                    tried.write(f"{seed}\t{path.relative_to(ROOT)}\t{verdict}\n")
            if denied:
                failed += 1
                print(f"seed {seed}: {path.relative_to(ROOT)}: {verdict}, but {'; '.join(denied)}", flush=True)
                if options.out:
                    Path(options.out).mkdir(parents=True, exist_ok=True)
                    (Path(options.out) / f"{seed}.cu").write_text(text)
    for verdict, count in counts.most_common():
        print(f"{count:6} {verdict}")
    print(f"{sum(counts.values()):6} mutants, {failed} with a proof that a run denies or without an answer, {time.monotonic() - begun:.0f} s")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
