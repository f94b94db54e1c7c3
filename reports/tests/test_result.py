"""Reading result JSON: what is refused, and what is derived."""

import contextlib
import io
import json
import os
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from reports import bench, page
from reports.__main__ import main
from reports.places import shown
from reports.result import BadResult, load
from reports.tests.made import case, document, result, stage
from reports.tests.markup import Tags


class Points(unittest.TestCase):
    """Of a product of a sparse matrix: its extents are rows, columns and elements, and are no factors."""

    SPARSE = {"origin": "modelled", "shape": "65536x65536x4194304", "seconds": 4e-5, "gb_per_s": 850.0}

    def test_elements_are_those_that_the_problem_counts(self):
        point = bench.Point({**self.SPARSE, "elements": 4194304})
        self.assertEqual((point.elements, point.element_rate), (4194304, 4194304 / 4e-5))
        self.assertAlmostEqual(point.bytes_an_element, 850e9 * 4e-5 / 4194304)
        swept = bench.Point({**self.SPARSE, "elements_per_s": 1e11})
        self.assertEqual(swept.elements, 4_000_000)

    def test_what_the_json_does_not_say_is_not_made_up_from_the_extents(self):
        point = bench.Point(self.SPARSE)
        self.assertEqual((point.elements, point.element_rate, point.bytes_an_element), (None, None, None))

    def test_the_caption_says_the_bytes_of_the_problems_that_were_timed(self):
        def timed(assignment, size):
            return stage(assignment=assignment, bandwidth={**self.SPARSE, "seconds": 1.0, "gb_per_s": size * 1e-9, "elements": 1})

        self.assertIn("for each element of spmv 8.11 and of transpose 8 bytes",
                      Tags(page.render(result(timed("spmv", 8.11), timed("transpose", 8)))).text)
        self.assertNotIn("for each element", page.render(result(stage(bandwidth=self.SPARSE))))


class Loading(unittest.TestCase):
    def load(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "result.json"
            path.write_text(text, encoding="utf-8")
            return load(path)

    def test_a_result_is_read(self):
        loaded = self.load(json.dumps(document(stage())))
        self.assertEqual([s.name for s in loaded.stages], ["transpose/padding"])
        self.assertEqual((loaded.total, loaded.max), (10, 10))
        self.assertTrue(loaded.is_modelled)

    def test_what_is_not_a_result_is_refused_with_its_reason(self):
        for text, reason in (("", "not JSON"), ("[1]", '"schema" is None'), ('{"schema": "other/2"}', "'other/2'"),
                             ('{"schema": "warpgrade.result/1"}', "no device and no stages")):
            with self.subTest(text), self.assertRaisesRegex(BadResult, reason):
                self.load(text)

    def test_a_trace_and_a_timeline_are_held_against_the_schema(self):
        access = {"line": 1, "kind": "read", "space": "global", "width_bytes": 4, "mask": 1, "addresses": [0], "units": 1,
                  "units_ideal": 1, "block": [0, 0, 0], "warp": 0, "values": "0000803f"}
        line = {"cycles": 9, "cut": False, "needed_bytes": 1, "reasons": ["wait"], "spans": [[0, 0, 9, 0]], "loads": [[1, 2, 32]]}
        array = {"name": "in", "space": "global", "extents": [4], "type": "float"}
        good = {"trace": [access], "timeline": line, "arrays": [array]}
        self.load(json.dumps(document(stage(**good))))
        for changes in ({"trace": [{**access, "values": "0x80"}]}, {"trace": [{**access, "values": "00" * 513}]}, {"trace": [{**access, "mask": -1}]},
                        {"trace": [{**access, "addresses": ["0"]}]}, {"trace": [{**access, "block": [0, 0]}]}, {"arrays": [{**array, "type": 4}]},
                        {"timeline": {**line, "spans": [[0, -1, 9, 0]]}}, {"timeline": {**line, "loads": [[1, 2]]}},
                        {"timeline": {"cycles": 9}}):
            with self.subTest(changes), self.assertRaisesRegex(BadResult, "damaged"):
                self.load(json.dumps(document(stage(**good, **{}) | changes)))

    def test_a_file_without_an_end_is_no_result(self):
        self.refused("/dev/zero", "is a device, not a file: write the JSON into a file, and name that")
        with tempfile.NamedTemporaryFile() as file:
            os.truncate(file.name, (64 << 20) + 1)
            self.refused(file.name, "longer than 64 MiB")

    def test_what_is_no_file_is_refused_and_not_waited_for(self):
        with tempfile.TemporaryDirectory() as folder:
            self.refused(folder, "Is a directory", verb="plot")
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            self.refused(pipe, "is a pipe that nobody writes into, not a file: write the JSON into a file, and name that")

    def test_a_pipe_is_read_while_somebody_writes_into_it(self):
        text = json.dumps({**document(stage()), "padding": "x" * (1 << 20)})  # more than a pipe holds
        writer = subprocess.Popen(["sh", "-c", "sleep 0.3; cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        feeder = threading.Thread(target=lambda: (writer.stdin.write(text.encode()), writer.stdin.close()))
        feeder.start()
        with writer:
            self.assertEqual(len(load(f"/dev/fd/{writer.stdout.fileno()}").stages), 1)
            feeder.join()

    def refused(self, path, why, verb="report"):
        words = [verb, "bandwidth", path] if verb == "plot" else [verb, path]
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.assertEqual(main(words), 2)
        self.assertEqual(errors.getvalue(), f"reports: {shown(path)}: {why}\n")

    def test_a_bad_file_is_usage_not_a_crash(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.assertEqual(main(["report", "/nonexistent.json"]), 2)
        self.assertEqual(errors.getvalue(), "reports: /nonexistent.json: No such file or directory\n")


class Derived(unittest.TestCase):
    def test_per_request(self):
        [s] = result(stage()).stages
        self.assertEqual(s.per_request("global", "load", "sectors"), 4)
        self.assertEqual(s.per_request("global", "store", "sectors"), 32)
        self.assertEqual(s.ideal_per_request("global", "store", "sectors"), 4)
        self.assertEqual(s.per_request("shared", "load", "wavefronts"), 32)

    def test_nothing_per_nothing_is_none(self):
        [s] = result(stage(counters={"shared_load_requests": 0, "shared_load_wavefronts": 0})).stages
        self.assertIsNone(s.per_request("shared", "load", "wavefronts"))
        self.assertIsNone(s.per_request("global", "load", "sectors"))

    def test_a_skipped_case_does_not_fail_a_stage(self):
        [s] = result(stage(correctness={"cases": [case("pass"), case("skipped")]})).stages
        self.assertEqual(s.verdict, "passes")


class OtherFiles(unittest.TestCase):
    def merged(self, **changes):
        made = result(stage())
        part = {"assignment": "transpose", "stage": "padding", "sha256": "0" * 64, "points": [{"shape": [8, 8]}], **changes}
        return made, bench.merge(made, [("b.json", {"schema": bench.SCHEMA, "stages": [part]})])

    def test_bench_points_of_the_same_file_are_taken(self):
        made, complaints = self.merged()
        self.assertEqual((len(made.stages[0].sweep), complaints), (1, []))

    def test_those_of_other_files_are_left_out_and_that_is_said(self):
        for changes, words in (({"stage": "open"}, "transpose/open is not in the result"),
                               ({"sha256": "1" * 64}, "transpose/padding is of another version of the file"),
                               ({"points": []}, "nothing of transpose/padding was timed")):
            made, complaints = self.merged(**changes)
            self.assertEqual(made.stages[0].sweep, [])
            self.assertEqual(len(complaints), 1)
            self.assertIn(words, complaints[0])
            self.assertIn(words, page.render(made))


if __name__ == "__main__":
    unittest.main()
