"""A result as a student of a class gets it back: without what the class's seed decides, which others may still hand in
against. Marks, findings, counters and the cases that failed stay; the instructor keeps the whole result."""


def without_seed(data):
    """The same result JSON without the seed, without the shapes of cases that did not fail, and without what the
    submission printed: it can print the shape and the contents of every case."""
    return {**{key: value for key, value in data.items() if key != "seed"}, "without_seed": True,
            "stages": [stage_without_seed(stage) for stage in data.get("stages") or []]}


def stage_without_seed(stage):
    kept = {key: value for key, value in stage.items() if key != "output"}
    correctness = stage.get("correctness") or {}
    cases = [case if has_failed(case) else {"verdict": case.get("verdict"), "detail": case.get("detail")}
             for case in correctness.get("cases") or []]
    return {**kept, "correctness": {**correctness, "cases": cases}}


def has_failed(case):
    return case.get("verdict") not in ("pass", "skipped")
