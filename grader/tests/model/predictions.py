"""Runs model_validate and reads its lines: predictions of the time model for kernels of kernels.csv and the solutions."""
import csv
import pathlib
import subprocess

import generate

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
STALLS = ("selected not_selected wait long_scoreboard short_scoreboard barrier lg_throttle mio_throttle drain").split()


def measured(path=HERE / "h200" / "times.csv"):
    """{(kernel, shape): microseconds} as time_kernels.cu wrote them."""
    with open(path, newline="") as f:
        rows = csv.DictReader(line for line in f if not line.startswith("#"))
        return {(r["kernel"], r["shape"]): float(r["microseconds"]) for r in rows}


def families():
    """{kernel: (family, half)}"""
    with open(HERE / "kernels.csv", newline="") as f:
        return {r["name"]: (r["family"], r["half"]) for r in csv.DictReader(f)}


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

    def run(self, **parameters):
        """{(kernel, shape): dict of what was predicted}"""
        for name, value in parameters.items():
            self.process.stdin.write(f"set {name} {value}\n")
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
