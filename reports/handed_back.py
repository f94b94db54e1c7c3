"""A result as a student of a class gets it back: without what the class's seed decides, which others may still hand in
against. Marks, findings, counters and the cases that failed stay; the instructor keeps the whole result."""

import re

from reports.bench import Point

A_TIMED_SHAPE = "a shape that is timed"
DIGITS = 3  # of rates: bytes, and with them a size, are a rate times its seconds
RATES = ("gb_per_s", "elements_per_s", "bytes_an_element")


def without_seed(data):
    """The same result JSON without the seed, without the shapes of cases that did not fail and those that are timed, and
    without what the submission printed: it can print the shape and the contents of every case."""
    return {**{key: value for key, value in data.items() if key != "seed"}, "without_seed": True,
            "stages": [stage_without_seed(stage) for stage in data.get("stages") or []]}


def stage_without_seed(stage):
    kept = {key: value for key, value in stage.items() if key != "output"}
    correctness = stage.get("correctness") or {}
    cases = correctness.get("cases") or []
    failed = {spelled(case.get("shape")) for case in cases if has_failed(case)}
    timed = [one for one in (stage.get("bandwidth"), stage.get("time"), *(stage.get("bandwidth_by_class") or [])) if one]
    hidden = {spelled(one.get("shape")) for one in timed} - failed - {""}
    for key in ("bandwidth", "time"):
        if stage.get(key):
            kept[key] = bandwidth_without_shape(stage[key])
    if stage.get("bandwidth_by_class"):
        kept["bandwidth_by_class"] = [bandwidth_without_shape(one) for one in stage["bandwidth_by_class"]]
    kept["findings"] = [finding_without_shape(finding, failed) for finding in stage.get("findings") or []]
    kept["correctness"] = {**correctness, "cases": [case if has_failed(case) else
                                                    {"verdict": case.get("verdict"), "detail": case.get("detail")}
                                                    for case in cases]}
    return without_texts(kept, hidden)


def has_failed(case):
    return case.get("verdict") not in ("pass", "skipped")


def spelled(shape):
    """[8576, 9216], "8576x9216" and "8576 x 9216" -> "8576 x 9216"."""
    if isinstance(shape, (list, tuple)):
        return " x ".join(str(extent) for extent in shape)
    return " x ".join(re.findall(r"\d+", str(shape or "")))


def bandwidth_without_shape(point):
    kept = {key: value for key, value in point.items() if key not in ("shape", "seconds", "iqr_seconds", "elements")}
    whole = Point(point)
    kept.update((key, value) for key, value in (("elements_per_s", whole.element_rate), ("bytes_an_element", whole.bytes_an_element))
                if value)
    for key, value in kept.items():
        if isinstance(value, float) and (key.endswith(RATES) or key.startswith("share_")):
            kept[key] = float(f"{value:.{DIGITS}g}")
    return kept


def finding_without_shape(finding, failed):
    """What is no error was seen on a shape that may have passed."""
    facts = [fact for fact in finding.get("facts") or []
             if not str(fact).startswith("shape ") or any(shape and shape in str(fact) for shape in failed)]
    return {**finding, "facts": facts} if "facts" in finding else finding


def without_texts(value, hidden):
    """The shapes are in sentences, too: why a mark is open, what a finding is about."""
    if isinstance(value, dict):
        return {key: one if key == "source_lines" else without_texts(one, hidden) for key, one in value.items()}
    if isinstance(value, list):
        return [without_texts(one, hidden) for one in value]
    if isinstance(value, str):
        for shape in hidden:
            extents = r"\s*[x\u00d7]\s*".join(shape.split(" x "))
            value = re.sub(rf"(?<![\w.]){extents}(?![\w.]*\d)", A_TIMED_SHAPE, value)
    return value
