"""Small results made by hand after the contract, for tests. Nothing here was measured."""

import copy

from reports.result import Result

COUNTERS = {
    "shape": [1024, 1024], "warp_instructions": 100, "thread_instructions": 3200,
    "global_load_requests": 10, "global_load_sectors": 40, "global_load_sectors_ideal": 40,
    "global_store_requests": 10, "global_store_sectors": 320, "global_store_sectors_ideal": 40,
    "shared_load_requests": 4, "shared_load_wavefronts": 128, "shared_load_wavefronts_ideal": 4,
    "shared_store_requests": 4, "shared_store_wavefronts": 4, "shared_store_wavefronts_ideal": 4,
    "barriers": 8, "by_line": [],
}


def stage(name="padding", assignment="transpose", **changes):
    """A stage's JSON: right, with the technique shown and full marks, but for what `changes` says."""
    data = {
        "assignment": assignment, "stage": name, "title": "A title", "source": f"solutions/{assignment}/4_{name}.cu",
        "sha256": "0" * 64, "compile": {"ok": True, "seconds": 0.05, "diagnostics": []},
        "correctness": {"passed": 1, "total": 1, "cases": [case("pass")]},
        "findings": [], "launches": [{"kernel": "padded", "grid": [32, 32, 1], "block": [32, 32, 1], "shared_bytes": 0}],
        "counters": copy.deepcopy(COUNTERS),
        "technique": [{"rule": "global_load_sectors_per_request <= 4.1", "value": 4.0, "ok": True}],
        "score": {"correctness": 6, "technique": 4, "performance": 0, "total": 10, "max": 10, "state": "final"},
    }
    data.update(changes)
    return data


def case(verdict, detail=""):
    return {"shape": [33, 65], "type": "float", "class": "odd", "verdict": verdict, "detail": detail}


def stub(name="padding", **changes):
    """An untouched stub's JSON: compiles, is wrong, has no marks; a rule that asks for nothing holds."""
    data = {
        "source": f"assignments/transpose/4_{name}.cu", "untouched": True, "passes": False,
        "correctness": {"passed": 0, "total": 1, "cases": [case("wrong", "out[0] was never written")]},
        "findings": [{"kind": "untouched_stub", "severity": "advice", "line": 0, "help": "Copy your kernel in.",
                      "message": "this is the stub as it was handed out"}],
        "technique": [{"rule": "shared_load_requests == 0", "value": 0, "ok": False,
                       "says": "not measured: the output is wrong on the technique shape"}],
        "score": {"correctness": 0, "technique": 0, "performance": 0, "total": 0, "max": 10, "state": "final"},
    }
    data.update(changes)
    return stage(name, **data)


def document(*stages):
    return {
        "schema": "warpgrade.result/1", "tool": {"version": "0.1.0", "git": "abc", "nvrtc": "13.0"},
        "device": {"kind": "virtual", "name": "virtual GPU", "profile": ""}, "seed": 7, "stages": list(stages),
        "score": {"total": sum(s["score"]["total"] for s in stages), "max": sum(s["score"]["max"] for s in stages)},
    }


def result(*stages):
    return Result(document(*stages))
