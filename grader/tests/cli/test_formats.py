"""`check --format github|junit|sarif|gradescope|prairielearn`: of right, racy, untouched, broken and missing files comes a
document that its reader takes. The validators below say what the readers require (junit-10.xsd of Jenkins' xUnit plugin, the
JSON schema of SARIF 2.1.0, GitHub's actions/runner, the tables of Gradescope's and PrairieLearn's manuals), and each is held
against documents that are broken on purpose."""

import json
import os
import re
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ["WARPGRADE_BINARY_DIR"]) / "warpgrade-bin"
SUBMISSIONS = "grader/tests/submissions"
RACE = f"{SUBMISSIONS}/race_global/add_without_atomic.cu"
STUB = "assignments/transpose/1_naive_read.cu"
BROKEN = f"{SUBMISSIONS}/does_not_compile/missing_semicolon.cu"
RIGHT = "solutions/transpose/1_naive_read.cu"
MISSING = "not_there,100%.cu"
EXIT_CODES = {RIGHT: 0, RACE: 1, STUB: 1, BROKEN: 1, MISSING: 2}


class Refused(ValueError):
    """The reader does not take the document."""


def require(holds, why):
    if not holds:
        raise Refused(why)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool)


# JUnit. Name of an element: attributes that it must have, and may have; what it may hold. `file` and `line` of a test case
# are not of the schema: GitLab and others read them.
RESULT = (set(), {"message", "type"}, set())
ELEMENTS = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors"}, {"time", "skipped", "file"}, {"testcase"}),
    "testcase": ({"name", "classname"}, {"time", "file", "line"}, {"failure", "error", "skipped"}),
    "failure": RESULT, "error": RESULT, "skipped": RESULT}


def read_junit(text):
    try:
        top = xml.fromstring(text.encode())
    except xml.ParseError as error:
        raise Refused(error) from error
    require(top.tag == "testsuites", "another document element")
    for one in top.iter():
        require(one.tag in ELEMENTS, one.tag)
        needed, allowed, children = ELEMENTS[one.tag]
        require(needed <= set(one.attrib) <= needed | allowed, f"attributes of {one.tag}: {sorted(one.attrib)}")
        require({child.tag for child in one} <= children, f"elements of {one.tag}")
        if "time" in one.attrib:
            digits = "{1,9}" if one.tag == "testcase" else "{1,3}"
            require(re.fullmatch(r"\d+(\.\d%s)?" % digits, one.attrib["time"]), "a time")
        if "line" in one.attrib:
            require(re.fullmatch(r"[1-9]\d*", one.attrib["line"]), "a line")
    for one in top.iter():
        cases = list(one.iter("testcase"))
        for attribute, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            if attribute in one.attrib:
                require(one.attrib[attribute] == str(len(list(one.iter(element)))), attribute)
        if "tests" in one.attrib:
            require(one.attrib["tests"] == str(len(cases)), "tests")
    for suite in top:
        names = [(case.attrib["classname"], case.attrib["name"]) for case in suite]
        require(len(set(names)) == len(names), "two cases with one name")
        require(all(len(case) <= 1 for case in suite), "two results of a case")
    return top


# SARIF. Of an object: what it must have, and all that ours may have (the schema allows no other properties).
URI = re.compile(r"(file:///)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+")


def fields(value, needed, allowed=()):
    require(isinstance(value, dict), "no object")
    require(set(needed) <= set(value) <= set(needed) | set(allowed), f"properties {sorted(value)}")


def read_message(value):
    fields(value, {"text"})
    require(isinstance(value["text"], str) and value["text"], "an empty message")


def read_location(value):
    fields(value, {"physicalLocation"}, {"message"})
    fields(value["physicalLocation"], {"artifactLocation"}, {"region"})
    fields(value["physicalLocation"]["artifactLocation"], {"uri"})
    require(URI.fullmatch(value["physicalLocation"]["artifactLocation"]["uri"]), "no URI")
    if "region" in value["physicalLocation"]:
        region = value["physicalLocation"]["region"]
        fields(region, {"startLine"}, {"startColumn"})
        require(all(is_count(number) and number >= 1 for number in region.values()), "lines and columns count from 1")
    if "message" in value:
        read_message(value["message"])


def read_sarif(text):
    log = json.loads(text)
    fields(log, {"version", "runs", "$schema"})
    require(log["version"] == "2.1.0", "another version")
    require(len(log["runs"]) == 1, "one run")
    run = log["runs"][0]
    fields(run, {"tool", "results", "invocations"}, {"columnKind"})
    require(run.get("columnKind") in (None, "utf16CodeUnits", "unicodeCodePoints"), "columnKind")
    fields(run["tool"], {"driver"})
    fields(run["tool"]["driver"], {"name", "rules"}, {"semanticVersion"})
    rules = run["tool"]["driver"]["rules"]
    for rule in rules:
        fields(rule, {"id", "shortDescription", "help"})
        read_message(rule["shortDescription"])
        read_message(rule["help"])
    ids = [rule["id"] for rule in rules]
    require(len(set(ids)) == len(ids), "two rules with one id")
    fingerprints = set()
    for one in run["results"]:
        fields(one, {"ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"}, {"relatedLocations"})
        require(is_count(one["ruleIndex"]) and 0 <= one["ruleIndex"] < len(ids), "ruleIndex")
        require(ids[one["ruleIndex"]] == one["ruleId"], "the index is of another rule")
        require(one["level"] in ("none", "note", "warning", "error"), "level")
        read_message(one["message"])
        for place in one["locations"] + one.get("relatedLocations", []):
            read_location(place)
        require(one["partialFingerprints"] and all(isinstance(value, str) for value in one["partialFingerprints"].values()),
                "fingerprints")
        fingerprints.add(json.dumps(one["partialFingerprints"]))
    require(len(fingerprints) == len(run["results"]), "two results with one fingerprint")
    for invocation in run["invocations"]:
        fields(invocation, {"executionSuccessful"}, {"toolExecutionNotifications"})
        require(isinstance(invocation["executionSuccessful"], bool), "executionSuccessful")
        for one in invocation.get("toolExecutionNotifications", []):
            fields(one, {"message"}, {"level", "descriptor", "locations"})
            read_message(one["message"])
            for place in one.get("locations", []):
                read_location(place)
    return log


# GitHub: ActionCommand.TryParseV2 of actions/runner, and what a step may have.
DATA = {"%0D": "\r", "%0A": "\n", "%25": "%"}
PROPERTY = {**DATA, "%3A": ":", "%2C": ","}


def unescaped(text, escapes):
    require(all(text[at.start():at.start() + 3] in escapes for at in re.finditer("%", text)), f"an escape in {text}")
    return re.sub("%..", lambda found: escapes[found.group()], text)


def read_github(text):
    require(text == "" or text.endswith("\n"), "half a line")
    commands = []
    for line in text.split("\n")[:-1]:
        require(line.isprintable(), "a character that steers")
        found = re.fullmatch(r"::(error|warning|notice) ([^:]+)::(.+)", line)
        require(found, line)
        one = {"command": found[1], "message": unescaped(found[3], DATA)}
        for pair in found[2].split(","):
            require(pair.count("=") >= 1, pair)
            key, value = pair.split("=", 1)
            require(key in ("file", "line", "col", "title") and key not in one and value, pair)
            one[key] = unescaped(value, PROPERTY)
        for key in ("line", "col"):
            require(re.fullmatch(r"[1-9]\d*", one.get(key, "1")), key)
        commands.append(one)
    for kind in ("error", "warning", "notice"):
        require(sum(one["command"] == kind for one in commands) <= 10, f"more than 10 of {kind}")
    return commands


VISIBILITY = ("visible", "hidden", "after_due_date", "after_published")
GRADESCOPE = {"score": is_number, "execution_time": is_number, "output": str, "output_format": str, "test_name_format": str,
              "visibility": VISIBILITY, "extra_data": dict, "tests": list}
GRADESCOPE_TEST = {"score": is_number, "max_score": is_number, "status": ("passed", "failed"), "name": str, "number": str,
                   "output": str, "output_format": ("text", "html", "simple_format", "md", "ansi"), "visibility": VISIBILITY,
                   "extra_data": dict}
PRAIRIELEARN = {"score": is_number, "gradable": bool, "format_errors": list, "message": str, "output": str, "tests": list}
PRAIRIELEARN_TEST = {"name": str, "description": str, "points": is_number, "max_points": is_number, "message": str,
                     "output": str}


def read_fields(value, table):
    require(isinstance(value, dict) and set(value) <= set(table), f"fields {sorted(value)}")
    for key, one in value.items():
        kind = table[key]
        holds = one in kind if isinstance(kind, tuple) else isinstance(one, kind) if isinstance(kind, type) else kind(one)
        require(holds, f"{key} is {one!r}")


def read_gradescope(text):
    result = json.loads(text)
    read_fields(result, GRADESCOPE)
    require("tests" in result, "no tests")
    for test in result["tests"]:
        read_fields(test, GRADESCOPE_TEST)
        require(test.get("name"), "a test without a name")
        require("\r" not in test.get("output", ""), "line ends")
        require(0 <= test.get("score", 0) <= test.get("max_score", 1e9), "more than there is")
    require("score" in result or any("score" in test for test in result["tests"]), "no score anywhere")
    return result


def read_prairielearn(text):
    require(len(text.encode()) <= 1_000_000, "more than 1 MB")
    result = json.loads(text)
    read_fields(result, PRAIRIELEARN)
    require(isinstance(result.get("gradable"), bool), "gradable")
    require(result["gradable"] == ("score" in result), "a score if it is gradable, and only then")
    require(0 <= result.get("score", 0) <= 1, "the score is a share")
    require(not result["gradable"] or "format_errors" not in result, "errors of what is gradable")
    for test in result.get("tests", []):
        read_fields(test, PRAIRIELEARN_TEST)
        require({"points", "max_points"} <= set(test), "points on all tests")
        require(0 <= test["points"] <= test["max_points"], "more than there is")
    return result


READERS = {"junit": read_junit, "sarif": read_sarif, "github": read_github, "gradescope": read_gradescope,
           "prairielearn": read_prairielearn}


def environment(**more):
    inherited = {key: value for key, value in os.environ.items() if key != "GITHUB_STEP_SUMMARY"}
    return {**inherited, "WARPGRADE_ROOT": str(ROOT), **more}


def check(*arguments, **more):
    return subprocess.run([PROGRAM, "check", "--device", "virtual", *map(str, arguments)], capture_output=True, cwd=ROOT,
                          stdin=subprocess.DEVNULL, text=True, env=environment(**more))


class Formats(unittest.TestCase):
    """One run over all five programs of each format; each alone only where that is quick."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            summary = Path(folder) / "summary.md"
            summary.write_text("before\n")
            cls.ran = {name: check(*EXIT_CODES, "--format", name, GITHUB_STEP_SUMMARY=str(summary)) for name in READERS}
            cls.summary = summary.read_text()
        cls.text = {name: ran.stdout for name, ran in cls.ran.items()}

    def test_each_is_taken_by_its_reader(self):
        for name, read in READERS.items():
            with self.subTest(name):
                self.assertEqual(self.ran[name].returncode, 2, self.ran[name].stderr)
                read(self.text[name])

    def test_each_file_alone_has_its_document_and_exit_code(self):
        for file, code in EXIT_CODES.items():
            for name, read in READERS.items():
                if file in (RIGHT, STUB) and name != "github":
                    continue  # seconds each, and among the five above
                with self.subTest(file, format=name):
                    ran = check(file, "--format", name)
                    self.assertEqual(ran.returncode, code, ran.stderr)
                    read(ran.stdout)
                    if name == "github":
                        self.assertEqual(ran.stdout == "", file == RIGHT)

    def test_what_is_no_file_has_one_too(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "1_naive_read.cu"
            path.mkdir()
            for name, read in READERS.items():
                with self.subTest(name):
                    ran = check(path, "--stage", "transpose/naive_read", "--format", name)
                    self.assertNotIn(ran.returncode, (0, 1))
                    read(ran.stdout)
                    self.assertNotEqual(ran.stdout, "")

    def test_junit(self):
        right, race, stub, broken, missing = read_junit(self.text["junit"])
        self.assertEqual([suite.get("name") for suite in (right, race, missing)],
                         ["transpose/naive_read", "reduction/open", MISSING])
        names = [case.get("name") for case in right]
        for name in ("compiles", "shape 64 x 96", "rule global_load_sectors_per_request <= 4.1", "bandwidth"):
            self.assertIn(name, names)
        self.assertEqual((right.get("failures"), right.get("errors"), right.get("skipped")), ("0", "0", "0"))
        failed = [case for case in race if case.find("failure") is not None]
        self.assertEqual(failed[-1].get("line"), "14")
        self.assertEqual(failed[-1].find("failure").get("type"), "race_global")
        self.assertEqual(names[:-1], [case.get("name") for case in stub][:-1])  # the same whatever the file does
        self.assertEqual(names, [case.get("name") for case in broken])
        self.assertEqual(broken[0].find("failure").get("message"), "expected a `;` at the end of this line")
        self.assertEqual(len(list(broken.iter("skipped"))), len(broken) - 1)
        self.assertEqual([suite.get("errors") for suite in (race, stub, broken, missing)], ["0", "0", "0", "1"])
        self.assertEqual(missing[0].find("error").get("type"), "no_such_file")

    def test_sarif(self):
        run = read_sarif(self.text["sarif"])["runs"][0]
        race = next(one for one in run["results"] if one["ruleId"] == "race_global")
        self.assertEqual(race["level"], "error")
        self.assertEqual(race["locations"][0]["physicalLocation"]["region"], {"startLine": 14, "startColumn": 28})
        self.assertEqual(race["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 14)
        self.assertEqual({one["ruleId"] for one in run["results"]}, {"race_global", "not_attempted", "compile"})
        self.assertFalse(run["invocations"][0]["executionSuccessful"])
        self.assertEqual(run["invocations"][0]["toolExecutionNotifications"][0]["descriptor"]["id"], "no_such_file")

    def test_fingerprints_stay_where_lines_move(self):
        with tempfile.TemporaryDirectory() as folder:
            moved = Path(folder) / "moved.cu"
            moved.write_text("// one more line\n\n" + (ROOT / RACE).read_text())
            one, = read_sarif(check(moved, "--stage", "reduction/open", "--format", "sarif").stdout)["runs"][0]["results"]
        there = next(result for result in json.loads(self.text["sarif"])["runs"][0]["results"]
                     if result["ruleId"] == "race_global")
        self.assertEqual(one["locations"][0]["physicalLocation"]["region"]["startLine"], 16)
        self.assertEqual(one["partialFingerprints"], there["partialFingerprints"])

    def test_github(self):
        commands = read_github(self.text["github"])
        self.assertEqual([one["command"] for one in commands], ["error", "error", "error", "notice"])
        self.assertEqual([one["file"] for one in commands], [RACE, BROKEN, MISSING, STUB])
        self.assertEqual((commands[0]["line"], commands[0]["col"]), ("14", "28"))
        self.assertEqual(commands[0]["title"], "reduction/open: race_global")
        table = [line for line in self.summary.splitlines() if line.startswith("|")]
        self.assertTrue(self.summary.startswith("before\n"))
        self.assertEqual(len(table), 2 + len(EXIT_CODES))
        self.assertEqual({line.count("|") for line in table}, {6})
        self.assertIn("| 32/32 | 3/3 | 10 of 10 |", self.summary)

    def test_gradescope(self):
        result = read_gradescope(self.text["gradescope"])
        self.assertNotIn("score", result)
        scores = {test["name"]: test.get("score") for test in result["tests"]}
        self.assertIsNone(scores[MISSING])
        self.assertEqual(scores["reduction/open, correctness"], 0)
        self.assertEqual(sum(test.get("score", 0) for test in result["tests"]), 10)
        alone = read_gradescope(check(MISSING, "--format", "gradescope").stdout)
        self.assertIn("not a mark", alone["output"])

    def test_prairielearn(self):
        result = read_prairielearn(self.text["prairielearn"])
        self.assertFalse(result["gradable"])
        self.assertEqual(len(result["format_errors"]), 1)
        alone = read_prairielearn(check(RACE, "--format", "prairielearn").stdout)
        self.assertEqual((alone["gradable"], alone["score"]), (True, 0))

    def test_out_is_whole_after_each_stage_and_a_killed_run_leaves_what_it_graded(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("junit", "sarif", "gradescope", "prairielearn"):
                out = Path(folder) / name
                run = subprocess.Popen([PROGRAM, "check", "--device", "virtual", BROKEN, RIGHT, "--format", name, "--out", out],
                                       cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
                with self.subTest(name):
                    for _ in range(2000):  # until the first stage ended
                        text = out.read_text() if out.exists() else ""
                        if "expected a `;`" in text or run.poll() is not None:
                            break
                        time.sleep(0.005)
                    run.kill()
                    self.assertEqual(run.communicate()[0], "")
                    text = out.read_text()
                    READERS[name](text)
                    self.assertIn("expected a `;`", text)
                    self.assertIn("not graded yet", text)

    def test_where_out_cannot_be(self):
        for arguments in (("--format", "github"), ("--format", "line"), ()):
            ran = check(BROKEN, *arguments, "--out", "build/never")
            self.assertEqual((ran.returncode, ran.stdout), (2, ""))
            self.assertIn("out_is_for_documents", ran.stderr)

    def test_ten_broken_documents_of_each_are_refused(self):
        for name, changes in BROKEN_DOCUMENTS.items():
            self.assertEqual(len(changes), 10, name)
            for number, change in enumerate(changes):
                with self.subTest(name, number=number):
                    text = change(self.text[name])
                    self.assertNotEqual(text, self.text[name], "nothing is broken")
                    with self.assertRaises((Refused, ValueError)):
                        READERS[name](text)


def swap(old, new):
    """The first `old` of the text is `new`."""
    return lambda text: text.replace(old, new, 1)


def edit(change):
    """Of JSON, by a statement on `it`."""
    def changed(text):
        it = json.loads(text)
        exec(change, {"it": it})  # the changes below, and nothing else
        return json.dumps(it)
    return changed


RUN, RESULT_0 = "it['runs'][0]", "it['runs'][0]['results'][0]"
BROKEN_DOCUMENTS = {
    "junit": [swap("</testsuites>", ""), swap("<testcase", "<test"), swap(' failures="0"', ""), swap("&lt;=", "<="),
              swap('tests="', 'tests="1'), swap('name="compiles"', 'name="bandwidth"'), swap('name="compiles"', 'name="\x1b"'),
              swap('time="', 'time="about '), swap("<failure ", "<failure cause=\"x\" "), swap(' line="', ' line="-')],
    "sarif": [edit("it['version'] = '2.0.0'"), edit("del it['runs']"), edit(f"del {RUN}['tool']['driver']['name']"),
              edit(f"{RESULT_0}['ruleIndex'] = 999"), edit(f"{RESULT_0}['ruleIndex'] += 1"), edit(f"{RESULT_0}['level'] = 'advice'"),
              edit(f"{RESULT_0}['message'] = 'text'"), edit(f"{RUN}['results'] += [{RESULT_0}]"),
              edit(f"{RESULT_0}['locations'][0]['physicalLocation']['region']['startLine'] = 0"),
              edit(f"{RESULT_0}['locations'][0]['physicalLocation']['artifactLocation']['uri'] = 'a b'")],
    "github": [swap("::error ", "::fault "), swap("::error ", "error "), swap("%3A", ":"), swap("%2C", ","), swap("%25", "%"),
               swap(",line=", ",line=0"), swap(",title=", ",file="), swap("::error ", "\x1b::error "), lambda text: text[:-1],
               lambda text: text + 11 * "::warning file=a::b\n"],
    "gradescope": [edit("del it['tests']"), edit("it['points'] = 1"), edit("it['visibility'] = 'shown'"),
                   edit("it['tests'][0]['score'] = '1'"), edit("it['tests'][0]['score'] = True"),
                   edit("it['tests'][0]['score'] = 100"), edit("it['tests'][0]['output_format'] = 'ascii'"),
                   edit("del it['tests'][0]['name']"), edit("[test.pop('score', None) for test in it['tests']]"), lambda text: text[:-3]],
    "prairielearn": [edit("it['score'] = 0.5"), edit("it['gradable'] = True"), edit("it['gradable'] = 'no'"),
                     edit("del it['tests'][0]['points']"), edit("del it['tests'][1]['max_points']"),
                     edit("it['tests'][0]['points'] = 99"), edit("it['tests'][0]['points'] = 'all'"), edit("it['max'] = 1"),
                     edit("it['output'] = 'x' * 1000000"), lambda text: text[1:]]}


if __name__ == "__main__":
    unittest.main()
