"""Results that were damaged, or made to do damage: refused in one line, or drawn; never a traceback, never for long.

A run tries a few in each way; WARPGRADE_DAMAGE=N tries N."""

import contextlib
import copy
import io
import json
import os
import random
import tempfile
import time
import unittest
from pathlib import Path

from reports.__main__ import main
from reports.result import SCHEMA, validator
from reports.tests import synthetic
from reports.tests.kernels import STAGES

TRIES = int(os.environ.get("WARPGRADE_DAMAGE", "24"))
SECONDS = 20
NOTHING = object()
JUNK = (None, True, -1, 0, 3, 1.5, -1e300, 10**30, "", "x", "4x", "x" * 100_000, "\u202e<b>", [], [None], [[]], {}, {"a": 1},
        [1] * 50, NOTHING)


def places(value, path=()):
    """The path of everything in a JSON value."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*path, key))


def damaged(document, dice):
    """A copy with one or two values replaced by something else, or gone."""
    made = copy.deepcopy(document)
    for _ in range(dice.choice((1, 1, 2))):
        path = dice.choice([one for one in places(made) if one])
        inside = made
        for key in path[:-1]:
            inside = inside[key]
        junk = dice.choice(JUNK)
        if junk is NOTHING:
            del inside[path[-1]]
        else:
            inside[path[-1]] = copy.deepcopy(junk)
    return made


class Damaged(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="warpgrade-damaged-")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def run_reports(self, *words):
        errors, start = io.StringIO(), time.process_time()
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            code = main([str(word) for word in words])
        self.assertLess(time.process_time() - start, SECONDS)
        self.assertIn(code, (0, 1, 2))
        if code == 2:
            self.assertEqual(errors.getvalue().count("\n"), 1, errors.getvalue())
            self.assertLess(len(errors.getvalue()), 1000)
        return code

    def written(self, text):
        path = self.folder / "result.json"
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        return path

    def test_values_of_another_kind(self):
        document = json.loads(json.dumps(synthetic.result(3, "virtual", STAGES[3:5], skill=0.5)))
        validator(SCHEMA)(document)
        refused = 0
        for number in range(TRIES):
            with self.subTest(number):
                path = self.written(json.dumps(damaged(document, random.Random(number))))
                code = self.run_reports("report", path, "--out", self.folder, "--no-pdf")
                refused += code == 2
        self.assertGreater(refused, TRIES // 10)  # else the mutations hit nothing

    def test_text_that_is_cut_or_changed(self):
        text = json.dumps(synthetic.result(3, "virtual", STAGES[3:4]))
        dice = random.Random(7)
        for number in range(TRIES // 2):
            at = dice.randrange(len(text))
            changed = text[:at] if number % 2 else text[:at] + dice.choice('{}[]",:0e\x00\\') + text[at + 1:]
            with self.subTest(number):
                self.run_reports("report", self.written(changed), "--out", self.folder, "--no-pdf")

    def test_numbers_that_are_none(self):
        for number in ("NaN", "-Infinity", "1e999", "9" * 5000):
            with self.subTest(number[:9]):
                path = self.written('{"schema": "warpgrade.result/1", "device": {}, "stages": [], "score": {"total": '
                                    + number + "}}")
                self.assertEqual(self.run_reports("report", path, "--out", self.folder, "--no-pdf"), 2)

    def test_lists_in_lists_and_very_many(self):
        start = '{"schema": "warpgrade.result/1", "device": {}, "stages": [], "\\u0007": '
        for inner in ("[" * 33 + "]" * 33, '{"a": ' * 900 + "1" + "}" * 900, "[" * 100_000 + "]" * 100_000,
                      "[" + "[]," * (1 << 20) + "0]", "[" + '[{"a": []}],' * (1 << 19) + "0]"):
            with self.subTest(inner[:20]):
                path = self.written(start + inner + "}")
                begin = time.process_time()
                self.assertEqual(self.run_reports("report", path, "--out", self.folder, "--no-pdf"), 2)
                self.assertLess(time.process_time() - begin, 2)

    def test_one_damaged_result_does_not_stop_a_class(self):
        good = json.dumps(synthetic.result(1, "virtual", STAGES[3:4]))
        room = self.folder / "class"
        for student, text in (("ann", good), ("bob", good.replace('"total"', '"total": [], "x"', 1)), ("eve", "{")):
            (room / student).mkdir(parents=True)
            (room / student / "result.json").write_text(text, encoding="utf-8")
        (room / "pipe").mkdir()
        os.mkfifo(room / "pipe" / "result.json")
        self.assertEqual(self.run_reports("class", room), 0)


if __name__ == "__main__":
    unittest.main()
