"""Made-up results for tests: sixteen stages with every field of the contract. Nothing here was measured, and the JSON
says so ("synthetic": true), which every page repeats.

    python -m reports.tests.synthetic student FILE.json BENCH.json [SEED]
    python -m reports.tests.synthetic class FOLDER [STUDENTS] [SEED]
    python -m reports.tests.synthetic book FOLDER [STUDENTS] [STAGES] [SEED]
"""

import hashlib
import json
import random
import sys
from datetime import datetime, timedelta
from pathlib import Path

from reports.tests.kernels import DRAM, STAGES, counters, launches, source, trace

DEVICE = {"kind": "cuda", "name": "Synthetic GPU", "profile": "synthetic", "multiprocessors": 100,
          "sm_clock_mhz": 1500, "dram_peak_gb_per_s": 2500}
MODELLED_DEVICE = {**DEVICE, "kind": "virtual", "name": "Virtual GPU", "error_band": 0.2}
CLASS_FACTOR = {"aligned": 1, "odd": 0.72, "thin": 0.55, "small": 0.4}
CLASS_SHAPE = {"transpose": {"aligned": [8192, 8192], "odd": [8191, 8193], "thin": [100, 1000000], "small": [512, 512]},
               "reduction": {"aligned": [67108864], "odd": [67108859], "small": [65536]}}
COPY = {"transpose": 2000.0, "reduction": 2200.0}
SIZES = {"transpose": [[side, side] for side in (512, 1024, 2048, 4096, 8192, 16384)] + [[8191, 8193], [100, 1000000]],
         "reduction": [[1 << power] for power in range(16, 29, 2)] + [[67108859]]}
BLOCKS = (64, 256, 512, 1024)


def result(seed=1, kind="cuda", stages=STAGES, skill=1.0):
    """A result as a dict. `skill` below 1 loses marks in ways that students do."""
    dice = random.Random(seed)
    graded = [stage(dice, spec, kind, skill) for spec in stages]
    return {
        "schema": "warpgrade.result/1", "synthetic": True,
        "tool": {"version": "0.1.0", "git": "0123456789ab", "nvrtc": "13.0"},
        "device": DEVICE if kind == "cuda" else MODELLED_DEVICE, "seed": seed, "stages": graded,
        "score": {"total": round(sum(one["score"]["total"] for one in graded), 2),
                  "max": sum(one["score"]["max"] for one in graded)},
    }


def stage(dice, spec, kind, skill):
    lines = source(spec)
    points = dict(zip(("correctness", "technique", "performance"), spec.points))
    data = {
        "assignment": spec.assignment, "stage": spec.id, "source": f"assignments/{spec.assignment}/{spec.file}",
        "sha256": hashlib.sha256("\n".join(lines).encode()).hexdigest(),
        "compile": {"ok": True, "seconds": 0.03, "diagnostics": []},
        "correctness": {"passed": 20, "total": 20, "cases": cases(spec)}, "findings": [], "launches": launches(spec),
        "counters": counters(spec), "technique": [{"rule": rule, "value": value, "ok": True, "points": share}
                                                  for (rule, value), share in rules(spec)],
        "bandwidth": None, "score": {}, "title": spec.title, "untouched": False, "passes": True, "output": "",
        "points": points, "band": {"none": 0.4, "full": 0.9}, "source_lines": lines, "trace": trace(spec),
    }
    fate = dice.random()
    if sum(spec.points) == 0:
        data["score"] = {**dict.fromkeys(("correctness", "technique", "performance", "total", "max"), 0),
                         "state": "final"}
        del data["band"]
        return data
    hard = spec.number / 12
    if fate > skill + 0.35 * (1 - hard):
        fail(dice, data, spec)
    else:
        time(dice, data, spec, kind, skill)
        if dice.random() > skill + 0.3:
            rule = data["technique"][-1] if data["technique"] else None
            if rule:
                rule.update(ok=False, value=32.0, says="the shared loads take more than one wavefront. Pad the rows.")
                data["passes"] = False
                data["findings"].append({"kind": "bank_conflict", "severity": "advice", "line": spec.line_of_load,
                                         "message": "the lanes of a warp want different words of one bank",
                                         "help": "pad the rows of the tile by one", "facts": [], "column": 5,
                                         "label": "32 wavefronts where 1 would do"})
    score(data, points)
    return data


def rules(spec):
    share = spec.points[1] / len(spec.rules) if spec.rules else 0
    return [(rule, share) for rule in spec.rules]


def cases(spec):
    shapes = [[33, 65], [1024, 1024]] if spec.assignment == "transpose" else [[4097], [1048576]]
    return [{"shape": shapes[index % 2], "type": "float", "class": ("odd", "aligned")[index % 2], "verdict": "pass",
             "detail": ""} for index in range(20)]


FAILURES = (
    ("does_not_compile", "expected a `;`"),
    ("out_of_bounds", "read past the end of `in`"),
    ("race_shared", "two threads access `tile` without a barrier between them"),
    ("wrong_output", "the output is the input, not its transpose"),
    ("internal_error", "the worker was lost"),
)


def fail(dice, data, spec):
    kind, message = dice.choices(FAILURES, weights=(2, 5, 4, 6, 0.15))[0]
    for case in data["correctness"]["cases"]:
        case["verdict"] = "skipped"
    data.update(counters=None, launches=[], passes=False, trace=[])
    for rule in data["technique"]:
        rule.update(ok=False, value=0, says="not measured: the output is wrong on the technique shape")
    if kind == "does_not_compile":
        data["compile"] = {"ok": False, "seconds": 0.02, "diagnostics": [
            {"severity": "error", "line": spec.line_of_load, "column": 9, "message": message}]}
        return
    if kind == "internal_error":
        data["score"] = {"state": "internal_error", "why": message}
        return
    for case in data["correctness"]["cases"][::2]:
        case.update(verdict="wrong" if kind == "wrong_output" else "fault", detail=message)
    for case in data["correctness"]["cases"][1:7:2]:
        case.update(verdict="pass")
    data["findings"].append({"kind": kind, "severity": "error", "line": spec.line_of_load, "message": message,
                             "help": "guard the load with `x < cols && y < rows`", "column": 9, "label": "here",
                             "facts": ["thread (1,0,0) of block (2,2,0), shape 33 x 65"]})
    if kind == "race_shared":
        data["findings"][-1]["other_line"] = spec.line_of_load + 2


def time(dice, data, spec, kind, skill):
    copy, reference = COPY[spec.assignment], COPY[spec.assignment] * spec.share
    luck = min(1.02, max(0.3, dice.gauss(0.6 + 0.38 * skill, 0.08)))
    data["bandwidth_by_class"] = []
    for name, shape in CLASS_SHAPE[spec.assignment].items():
        factor = CLASS_FACTOR[name]
        data["bandwidth_by_class"].append({
            **bandwidth(spec, shape, reference * factor * luck, copy * (0.6 + 0.4 * factor), kind),
            "reference_gb_per_s": reference * factor, "class": name, "verdict": "ok"})
        point = data["bandwidth_by_class"][-1]
        point["share_interval"] = [end / point["reference_gb_per_s"] for end in point["share_interval"]]
    data["bandwidth"] = dict(data["bandwidth_by_class"][0])
    if dice.random() < 0.004:
        data["bandwidth"].update(verdict="impossible", gb_per_s=99999.0)
        data["bandwidth_by_class"][0].update(verdict="impossible", gb_per_s=99999.0)
    elif dice.random() < 0.006:
        data["score"] = {"state": "noisy", "why": "the interquartile range is 9 % of the median"}
    data["time"] = {"origin": "modelled", "gpu": "Made-up GPU", "seconds": data["bandwidth"]["seconds"], "limiter": spec.limiter,
                    "stalls": {"long_scoreboard": 0.6, "barrier": 0.2, "mio_throttle": 0.1},
                    "gain_without_limit": 1.0 if spec.limiter == DRAM else 1.4}


def bandwidth(spec, shape, gb_per_s, copy, kind):
    seconds = moved(spec, shape) / gb_per_s / 1e9
    return {"origin": "measured" if kind == "cuda" else "modelled", "shape": "x".join(map(str, shape)),
            "seconds": seconds, "gb_per_s": gb_per_s, "copy_gb_per_s": copy, "elements": elements(shape),
            "samples": 15 if kind == "cuda" else 0, "iqr_seconds": seconds * 0.006 if kind == "cuda" else 0,
            "limiter": spec.limiter, "share_interval": [gb_per_s * 0.99, gb_per_s * 1.01], "reference_origin": "measured",
            **({"sm_clock_mhz": 1500, "memory_clock_mhz": 2000, "temperature_c": 45, "throttled_by": []}
               if kind == "cuda" else {})}


def elements(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def moved(spec, shape):
    """Bytes: a transpose reads and writes, a sum reads."""
    return elements(shape) * 4 * (2 if spec.assignment == "transpose" else 1)


def score(data, points):
    state = data["score"].get("state", "final")
    passed, total = data["correctness"]["passed"], data["correctness"]["total"]
    passed = sum(case["verdict"] == "pass" for case in data["correctness"]["cases"])
    data["correctness"]["passed"] = passed
    got = {"correctness": points["correctness"] * passed / total if data["compile"]["ok"] else 0,
           "technique": sum(rule["points"] for rule in data["technique"] if rule["ok"]), "performance": 0}
    point = data["bandwidth"]
    if point and point.get("verdict") != "impossible" and state == "final":
        share = (point["gb_per_s"] / point["reference_gb_per_s"] - 0.4) / 0.5
        got["performance"] = points["performance"] * min(1, max(0, share))
    if state == "internal_error":
        got = dict.fromkeys(got, 0)
    data["score"] = {**got, "total": sum(got.values()), "max": sum(points.values()), "state": state,
                     **({"why": data["score"]["why"]} if "why" in data["score"] else {})}


def bench(of):
    """Bench points for a result, after schemas: sizes at 256 threads, and block sizes for the swept stage."""
    stages = []
    specs = {(spec.assignment, spec.id): spec for spec in STAGES}
    for data in of["stages"]:
        spec = specs[data["assignment"], data["stage"]]
        if not data.get("bandwidth") and spec.id != "copy":
            continue
        points = [point(spec, shape, 256, of) for shape in SIZES[spec.assignment]]
        if spec.id in ("coarsening", "sequential"):
            points += [point(spec, CLASS_SHAPE[spec.assignment]["aligned"], threads, of) for threads in BLOCKS
                       if threads != 256]
        stages.append({"assignment": spec.assignment, "stage": spec.id, "source": data["source"],
                       "sha256": data["sha256"], "points": points})
    return {"schema": "warpgrade.bench/1", "synthetic": True, "tool": of["tool"], "device": of["device"],
            "seed": of["seed"], "stages": stages}


def point(spec, shape, threads, of):
    count = elements(shape)
    fill = count / (count + 2e6)  # small problems do not fill the device
    name = "odd" if any(extent % 4 for extent in shape) else "thin" if min(shape) < 200 else "aligned"
    block = {64: 0.7, 256: 1, 512: 0.93, 1024: 0.6}[threads]
    gb_per_s = COPY[spec.assignment] * spec.share * fill * CLASS_FACTOR[name] * block
    copy = COPY[spec.assignment] * fill * (0.9 if name == "odd" else 1)
    naive, cpu = copy * 0.2, 15.0
    seconds = moved(spec, shape) / gb_per_s / 1e9
    origin = "measured" if of["device"]["kind"] == "cuda" else "modelled"
    return {"shape": shape, "class": name, "threads": threads, "origin": origin, "seconds": seconds,
            "iqr_seconds": seconds * 0.01, "samples": 15, "gb_per_s": gb_per_s, "copy_gb_per_s": copy,
            "naive_gb_per_s": naive, "cpu_gb_per_s": cpu, "share_of_copy": gb_per_s / copy,
            "speedup_over_naive": gb_per_s / naive, "speedup_over_cpu": gb_per_s / cpu,
            "elements_per_s": count / seconds, "verdict": "ok", "limiter": spec.limiter}


def write_class(folder, students=200, seed=1):
    """One result a student."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for student, data in class_results(students, seed=seed).items():
        (folder / f"{student}.json").write_text(json.dumps(data, separators=(",", ":")), encoding="utf-8")


GIVEN = ("Ada", "Bjørn", "Chloé", "Dmitri", "Eun-ji", "Fatima", "Gabriel", "Héctor", "Ines", "José", "Kwame", "李", "Maya", "Noor")
FAMILY = ("Álvarez", "Berg", "Çelik", "Dubois", "Eze", "Fischer", "García Márquez", "Haddad", "Ito", "Jensen", "Kowalska", "O'Brien")
HOSTILE = "<script>alert(1)</script>\"' onload=x {{ 7 * 7 }}"
DUE = datetime(2026, 11, 2, 23, 59)


def people(results, dice):
    """(class.json, marks.json) of results by id: some are late, some handed in nothing; one has a hostile name."""
    known, marks = [], []
    for number, (student, data) in enumerate(results.items()):
        name = HOSTILE if number == 3 else f"{dice.choice(GIVEN)} {dice.choice(FAMILY)}"
        late = max(0, int(dice.gauss(-20, 22) * 3600))
        is_missing = number % 18 == 7
        time = DUE + timedelta(seconds=late) if late else DUE - timedelta(hours=dice.expovariate(1 / 30))
        needs = any(one["score"]["state"] in ("internal_error", "noisy") for one in data["stages"])
        known.append({"id": student, "name": name, "status": "missing" if is_missing else "review" if needs else "graded",
                      "late": late > 0 and not is_missing, "on_roster": True, "role": "", "section": "ABC"[number % 3],
                      "late_seconds": 0 if is_missing else late, "result": None if is_missing else f"results/{student}.json",
                      "review": [], "notes": [], "from": [] if is_missing else [
                          {"hand_in": f"{student}.zip", "time": f"{time:%Y-%m-%d %H:%M:%S}"}]})
        lost = round(0.1 * data["score"]["total"], 2) if late else 0
        total = None if is_missing or needs else data["score"]["total"]
        marks.append({"id": student, "name": name, "total": total, "final": None if total is None else total - lost,
                      "max": data["score"]["max"], "stages": []})
    order = [f"{one['assignment']}/{one['stage']}" for one in data["stages"] if one["score"]["max"]]
    programs = [{"stage": stage, "files": len(known) - index, "different": 3 + 4 * index, "commonest": (len(known) - index) // (2 + index)}
                for index, stage in enumerate(order)]
    alike = [{"stage": order[-1], "what": "text", "students": [known[1]["id"], known[2]["id"]]}]
    return ({"schema": "warpgrade.class/1", "students": known, "alike": alike, "programs": programs},
            {"schema": "warpgrade.marks/1", "max": data["score"]["max"], "students": marks})


def class_results(students, stages=STAGES, seed=1):
    """Results by id, of a class whose skill is spread."""
    dice = random.Random(seed)
    made = {}
    for number in range(students):
        skill = min(1.0, max(0.05, dice.gauss(0.72, 0.22)))
        made[f"student-{number:03}"] = {**result(seed=seed * 100000 + number, skill=skill, stages=stages),
                                        "student": f"student-{number:03}"}
    return made


def write_book(folder, students=180, stages=8, seed=1):
    """What `grade` writes of a class: results, and who is in it."""
    folder, results = Path(folder), class_results(students, [spec for spec in STAGES if sum(spec.points)][:stages], seed)
    (folder / "results").mkdir(parents=True, exist_ok=True)
    (folder / "reports").mkdir(exist_ok=True)
    room, marks = people(results, random.Random(seed))
    for one in room["students"]:
        if one["result"]:
            (folder / one["result"]).write_text(json.dumps(results[one["id"]], separators=(",", ":")), encoding="utf-8")
    for name, data in (("class", room), ("marks", marks)):
        (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")


def main(arguments):
    if len(arguments) >= 2 and arguments[0] == "book":
        write_book(arguments[1], *map(int, arguments[2:]))
    elif len(arguments) >= 2 and arguments[0] == "class":
        write_class(arguments[1], *map(int, arguments[2:]))
    elif len(arguments) >= 3 and arguments[0] == "student":
        made = result(*map(int, arguments[3:4]), kind=arguments[4] if len(arguments) > 4 else "cuda",
                      skill=float(arguments[5]) if len(arguments) > 5 else 1.0)
        Path(arguments[1]).write_text(json.dumps(made), encoding="utf-8")
        Path(arguments[2]).write_text(json.dumps(bench(made)), encoding="utf-8")
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
