"""Runs model_validate and reads its lines, and collects what a real H200 measured of the same kernels and solutions."""
import collections
import concurrent.futures
import csv
import hashlib
import os
import pathlib
import re
import subprocess
import tomllib

import generate

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
STALLS = ("selected not_selected wait long_scoreboard short_scoreboard barrier lg_throttle mio_throttle drain").split()

# Two measurements of one solution that are further apart are not of one program: two runs of time_kernels.cu agree to
# 0.1 % (median), calibrate and time_kernels.cu to 1.3 % on every solution but those that changed in between.
SAME_PROGRAM = 0.03

Measured = collections.namedtuple("Measured", "microseconds source")


def rows_of(path):
    with open(path, newline="") as f:
        yield from csv.DictReader(line for line in f if not line.startswith("#"))


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))]


def kernels():
    """The rows of kernels.csv by name."""
    return {r["name"]: r for r in rows_of(HERE / "kernels.csv")}


def families():
    """{kernel: (family, half)}"""
    return {name: (r["family"], r["half"]) for name, r in kernels().items()}


def asked_times():
    """{(kernel, shape): microseconds} of the table whose kernels must be among those here, measured by another program."""
    return {(r["kernel"], r["shape"]): float(r["microseconds"]) for r in rows_of(HERE / "h200/asked_times.csv")}


def calibrated(profile):
    """{(solution, shape): microseconds} of the run of `warpgrade calibrate` that wrote the profile: of the two assignments
    that time_kernels.cu has buffers for; described.py compares the others."""
    result = {}
    for r in tomllib.loads(pathlib.Path(profile).read_text())["reference"]:
        if r["stage"].split("/")[0] not in ("transpose", "reduction"):
            continue
        sides = [int(side) for side in r["shape"].split(" x ")]
        useful = 8 * sides[0] * sides[1] if len(sides) == 2 else 4 * sides[0]
        name = "solution_" + r["stage"].replace("/", "_")
        result[name, "x".join(map(str, sides))] = useful / r["gb_per_s"] / 1e3
    return result


def compared_with_libraries():
    """The same of grader/tests/hardware/results/open_against_libraries.md, if it is of the present open solutions."""
    text = (ROOT / "grader/tests/hardware/results/open_against_libraries.md").read_text()
    result = {}
    for problem, stage in (("transpose", "8_open"), ("reduction", "7_open")):
        path = f"solutions/{problem}/{stage}.cu"
        recorded = re.search(rf"`{re.escape(path)}` sha256 (\w+)", text).group(1)
        if not hashlib.sha256((ROOT / path).read_bytes()).hexdigest().startswith(recorded):
            continue
        name = f"solution_{problem}_open"
        if problem == "transpose":
            for rows, cols, rate in re.findall(r"^\| (\d+) x (\d+) \|.*?\*\*(\d+) \(", text, re.M):
                result[name, f"{rows}x{cols}"] = 8 * int(rows) * int(cols) / float(rate) / 1e3
        else:
            for length, us in re.findall(r"^\| (2\^\d+|\d+) \| \*\*([\d.]+) \(", text, re.M):
                length = 2 ** int(length[2:]) if length.startswith("2^") else int(length)
                result[name, str(length)] = float(us)
    return result


def measured(profile=ROOT / "grader/profiles/h200.toml"):
    """{(kernel, shape): Measured}, and the solutions whose rows in times.csv are of an earlier version."""
    timed = {(r["kernel"], r["shape"]): float(r["microseconds"]) for r in rows_of(HERE / "h200/times.csv")}
    of_open, of_calibrate = compared_with_libraries(), calibrated(profile)
    changed = {kernel for kernel, _ in of_open}
    for (kernel, shape), us in of_calibrate.items():
        if min(us, timed.get((kernel, shape), 0)) > 50 and abs(timed[kernel, shape] / us - 1) > SAME_PROGRAM:
            changed.add(kernel)
    result = {}
    for kernel, row in kernels().items():
        for (other, shape), us in asked_times().items():
            if other == row["stands_for"] and (kernel, shape) not in timed:
                result[kernel, shape] = Measured(us, "asked_times.csv")
    for key, us in of_calibrate.items():
        result[key] = Measured(us, "calibrate")
    for key, us in of_open.items():
        result.setdefault(key, Measured(us, "libraries"))
    for key, us in timed.items():
        if key[0] not in changed:
            result[key] = Measured(us, "times.csv")
    return result, changed


class Model:
    """One model_validate process: add requests once, then time them as often as parameters change."""

    def __init__(self, binary, profile):
        self.process = subprocess.Popen([str(binary), str(profile)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.requests = []

    def add(self, wanted):
        """wanted: a set of (kernel, shape)."""
        shapes = {}
        for kernel, shape in sorted(wanted):
            shapes.setdefault(kernel, []).append(shape)
        for name, problem, path, definitions in generate.variants():
            for shape in shapes.get(name, []):
                words = " ".join(f"{k}={v}" for k, v in definitions.items())
                self.process.stdin.write(f"{name},{problem},{path},{words},{shape}\n")
                self.requests.append((name, shape))

    def set(self, parameters):
        for name, value in parameters.items():
            self.process.stdin.write(f"set {name} {value}\n")

    def run(self, **parameters):
        """{(kernel, shape): dict of what was predicted}"""
        self.set(parameters)
        self.process.stdin.write("run\n")
        self.process.stdin.flush()
        result = {}
        for line in self.process.stdout:
            if line.strip() == "done":
                return result
            cells = line.strip().split(",")
            result[cells[0], cells[1]] = {
                "microseconds": float(cells[2]),
                "launches": int(cells[3]),
                "blocks": int(cells[4]),
                "registers": int(cells[5]),
                "seconds_to_trace": float(cells[14]),
                "seconds_to_simulate": float(cells[15]),
                "stalls": dict(zip(STALLS, map(float, cells[16:]))),
            }
        raise SystemExit("model_validate ended early")

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def predict(binary, profile, keys, jobs=os.cpu_count() or 1):
    """{(kernel, shape): dict of what was predicted}, by several processes."""
    kernels_in_order = sorted({kernel for kernel, _ in keys})

    def one(kernels):
        model = Model(binary, profile)
        model.add({key for key in keys if key[0] in kernels})
        result = model.run()
        model.close()
        return result

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        parts = pool.map(one, [set(kernels_in_order[i::jobs]) for i in range(jobs)])
        return {key: value for part in parts for key, value in part.items()}
