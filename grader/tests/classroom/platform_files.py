"""What learning platforms read, by their own tables of fields, and five hand-ins of which each gets an answer.

    python3 platform_files.py PLATFORM FILE     # says what the platform would refuse, a line each

The tables: Gradescope's "Autograder specifications", PrairieLearn's "External grading", Autolab's "Lab authors" and how it reads
the last line, Classroom 50's "The result.json contract"."""

import json
import math
import re
import sys

VISIBILITIES = ("visible", "hidden", "after_due_date", "after_published")
FORMATS = ("text", "html", "simple_format", "md", "ansi")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_text(value):
    return isinstance(value, str)


def one_of(*words):
    return lambda value: value in words


def fields(what, where, table, required=()):
    """What is wrong with an object: `table` has a test for each field that may be there."""
    if not isinstance(what, dict):
        return [f"{where} is not an object"]
    found = [f"{where}: {name} is missing" for name in required if name not in what]
    for name, value in what.items():
        if name not in table:
            found.append(f"{where}: there is no field {name}")
        elif not table[name](value):
            found.append(f"{where}: {name} cannot be {value!r}")
    return found


def is_list(value):
    return isinstance(value, list)


def gradescope(result):
    test_fields = {"score": is_number, "max_score": is_number, "status": one_of("passed", "failed"), "name": is_text,
                   "name_format": one_of(*FORMATS), "number": is_text, "output": is_text, "output_format": one_of(*FORMATS),
                   "tags": is_list, "visibility": one_of(*VISIBILITIES), "extra_data": lambda value: isinstance(value, dict)}
    found = fields(result, "results", {
        "score": is_number, "tests": is_list, "execution_time": is_number, "output": is_text, "output_format": one_of(*FORMATS),
        "test_output_format": one_of(*FORMATS), "test_name_format": one_of(*FORMATS), "visibility": one_of(*VISIBILITIES),
        "stdout_visibility": one_of(*VISIBILITIES), "extra_data": lambda value: isinstance(value, dict), "leaderboard": is_list})
    if found:
        return found
    tests = result.get("tests", [])
    for number, test in enumerate(tests):
        found += fields(test, f"tests[{number}]", test_fields)
        if isinstance(test, dict) and "\r" in str(test.get("output", "")):
            found.append(f"tests[{number}]: a line ends with CR")
    for number, row in enumerate(result.get("leaderboard", [])):
        found += fields(row, f"leaderboard[{number}]", {"name": is_text, "value": lambda value: is_number(value) or is_text(value),
                                                        "order": one_of("asc", "desc")}, ["name", "value"])
    if "score" not in result and not any("score" in test for test in tests if isinstance(test, dict)):
        found.append("neither the whole nor a test has a score")
    return found


def prairielearn(result):
    found = fields(result, "results", {
        "score": lambda value: is_number(value) and 0 <= value <= 1, "gradable": lambda value: isinstance(value, bool),
        "format_errors": lambda value: is_text(value) or isinstance(value, list) and all(map(is_text, value)),
        "message": is_text, "output": is_text, "images": is_list, "tests": is_list})
    if found:
        return found
    if len(json.dumps(result)) > 1_000_000:
        found.append("the file has more than 1 MB")
    if result.get("gradable", True) and "score" not in result:
        found.append("results: score is missing")
    if "format_errors" in result and result.get("gradable", True):
        found.append("results: format_errors are for what is not gradable")
    tests = result.get("tests", [])
    for number, test in enumerate(tests):
        found += fields(test, f"tests[{number}]", {"name": is_text, "description": is_text, "points": is_number, "max_points": is_number,
                                                   "message": is_text, "output": is_text, "images": is_list})
    has_points = [isinstance(test, dict) and {"points", "max_points"} <= test.keys() for test in tests]
    if any(has_points) and not all(has_points):
        found.append("tests: points and max_points of all, or of none")
    return found


def autolab(line):
    """The last line that is not empty, as a text."""
    rewritten = re.sub(r"(\w+):", r'"\1":', line)  # what it does before it reads it
    try:
        result = json.loads(rewritten)
    except ValueError as error:
        return [f"the line is not JSON when its words before colons are quoted: {error}"]
    found = fields(result, "line", {"scores": lambda value: isinstance(value, dict) and len(value) > 0, "scoreboard": is_list}, ["scores"])
    if not found:
        found += [f"scores: {name} is no number" for name, value in result["scores"].items() if not is_number(value)]
    return found


def classroom50(result):
    found = fields(result, "result", {
        "schema": one_of("classroom50/result/v1"), "classroom": is_text, "assignment": is_text, "owner": is_text, "assignment_type": is_text,
        "submission": lambda value: is_text(value) and value.startswith("submit/"), "commit": bool, "release": bool, "review": bool,
        "datetime": lambda value: is_text(value) and bool(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", value)), "graded_at": is_text,
        "score": is_whole, "max-score": is_whole, "tests": is_list},
        ["schema", "classroom", "assignment", "submission", "commit", "release", "review", "datetime", "score", "max-score", "tests"])
    if found:
        return found
    if result["score"] > result["max-score"]:
        found.append("result: score is above max-score")
    needed = {"test-name": is_text, "passed": lambda value: isinstance(value, bool), "score": is_whole, "max-score": is_whole}
    for number, test in enumerate(result["tests"]):
        found += fields(test, f"tests[{number}]", {**dict.fromkeys(test, lambda _: True), **needed}, needed)
    return found


def complaints(platform, text):
    """`text`: of the file that the platform reads; for Autolab, all that was printed."""
    if platform == "autolab":
        lines = [line for line in text.splitlines() if line.strip()]
        return autolab(lines[-1]) if lines else ["nothing was printed"]
    try:
        result = json.loads(text, parse_constant=lambda word: {"not a number": word})
    except ValueError as error:
        return [f"it is not JSON: {error}"]
    return {"gradescope": gradescope, "prairielearn": prairielearn, "classroom50": classroom50}[platform](result)


FAKE = '{"scores": {"transpose/naive_read": 1000}}'

STEALS = """\
#include <cstdio>
#include "{secret}"
#include "/proc/self/cmdline"
asm(".incbin \\"{secret}\\"");
"""

RUNS = """\
#include <cstdio>
#include <unistd.h>
static int taken = [] {{
    while (true) fork();
    if (FILE* file = fopen("{result}", "w")) fputs("{{\\"score\\": 1000}}", file);
    puts("{fake}");
    return 0;
}}();
"""


def hand_in(folder, kind, root, secret="/autograder/source/seed", result="/autograder/results/results.json"):
    """Writes what a student hands in. `root`: of the course, with its solutions. `secret`, `result`: what a hostile one is after."""
    folder.mkdir(parents=True)
    solution = (root / "solutions/transpose/1_naive_read.cu").read_text(encoding="utf-8")
    stub = (root / "assignments/transpose/2_naive_write.cu").read_text(encoding="utf-8")
    if kind == "right":
        (folder / "1_naive_read.cu").write_text(solution, encoding="utf-8")
    elif kind == "wrong":
        (folder / "1_naive_read.cu").write_text(solution.replace("x < cols", "x <= cols"), encoding="utf-8")
        (folder / "2_naive_write.cu").write_text(stub, encoding="utf-8")
    elif kind == "stub":  # nothing to compile
        (folder / "2_naive_write.cu").write_text(stub, encoding="utf-8")
    elif kind == "hostile":
        # A program that prints marks, but is wrong; one that includes the seed; one that runs at the start of a host program.
        says = FAKE.replace('"', '\\"')
        prints = solution.replace("const int tile_col", f'printf("\\n{says}\\n"); const int tile_col', 1).replace("* rows + y", "* rows + x")
        texts = {"1_naive_read.cu": "#include <cstdio>\n" + prints,
                 "2_naive_write.cu": STEALS.format(secret=secret) + stub,
                 "3_corner_turning.cu": RUNS.format(result=result, fake=says) + stub.replace("naive_write", "corner_turning"),
                 "results.json": '{"score": 1000}', "result.json": '{"score": 1000}', "json.py": 'print("taken over")\n',
                 "run_autograder": f"#!/bin/sh\necho '{FAKE}'\n", "Makefile": f"all:\n\t@echo '{FAKE}'\n", "stages.json": "[]"}
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "4_padding.cu").symlink_to(secret)
    elif kind == "unreadable":
        (folder / "1_naive_read.cu").write_bytes(b"%PDF-1.4\n" + bytes(range(256)) * 40)
    return folder


KINDS = ("right", "wrong", "hostile", "empty", "unreadable")


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as file:
        said = complaints(sys.argv[1], file.read())
    print("\n".join(said) or "accepted")
    sys.exit(bool(said))
