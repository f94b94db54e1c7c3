"""Reports of what the grader really writes: solutions, a stub, and submissions that are wrong in several ways."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from reports import bench, page, warp
from reports.classroom import ClassResult
from reports.class_page import render as render_class
from reports.result import Result, load
from reports.tests.markup import Tags

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")) / "warpgrade-bin"
FILES = ("solutions/transpose/3_corner_turning.cu", "solutions/transpose/4_padding.cu",
         "solutions/reduction/2_strided.cu", "assignments/transpose/1_naive_read.cu")
FAULTY = ("race_shared", "out_of_bounds", "does_not_compile", "wrong_output")


@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM.name} is not built: the grader's own JSON is NOT rendered")
class Kit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        faulty = [next(path for path in sorted((ROOT / "grader" / "tests" / "submissions" / kind).rglob("*.cu"))
                       if "// stage: transpose/" in path.read_text(encoding="utf-8")) for kind in FAULTY]
        cls.result = cls.checked("good.json", *FILES)
        cls.faulty = cls.checked("faulty.json", "--stage", "transpose/padding", *faulty)

    @classmethod
    def checked(cls, name, *arguments):
        path = cls.folder / name
        with path.open("w") as file:
            done = subprocess.run([PROGRAM, "check", "--device", "virtual", "--format", "json", *map(str, arguments)],
                                  cwd=ROOT, stdout=file, stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
        if done.returncode not in (0, 1):
            raise AssertionError(f"check ended with {done.returncode}: {done.stderr}")
        return load(path)

    def test_the_page_shows_the_stages_and_what_their_first_warp_touches(self):
        text = Tags(page.render(self.result)).text
        for expected in ("transpose/corner_turning", "32 wavefronts where 1 would do", "Before and after",
                         "this is the stub as it was handed out", "too few bytes are under way"):
            self.assertIn(expected, text)

    def test_findings_carry_their_source(self):
        page_text = page.render(self.faulty)
        self.assertIn('class="here"', page_text)
        self.assertIn('class="caret"', page_text)

    def test_what_is_drawn_is_what_is_counted(self):
        """Sectors and wavefronts read off the addresses are those that the grader counted, for narrow accesses."""
        seen = 0
        for stage in self.result.stages:
            for access in warp.patterns(stage.trace):
                if access.kind == "atomic" or access.width > 4:
                    continue
                found = (len(warp.sectors(access)) if access.space == "global"
                         else max(map(len, warp.banks(access))))
                self.assertEqual(found, access.units, (stage.name, access.line))
                seen += 1
        self.assertGreater(seen, 10)

    def test_explain_s_file_brings_the_trace_to_a_result_without(self):
        data = json.loads((self.folder / "good.json").read_text())
        for stage in data["stages"]:
            stage.pop("trace", None)
        made = Result(data)
        explained = subprocess.run([PROGRAM, "explain", "--format", "json", FILES[1]], cwd=ROOT, capture_output=True,
                                   env={**os.environ, "WARPGRADE_ROOT": str(ROOT)}, check=True).stdout
        self.assertEqual(bench.merge(made, [("explain.json", json.loads(explained))]), [])
        self.assertEqual([bool(stage.trace) for stage in made.stages], [False, True, False, False])

    def test_a_class_of_what_the_grader_writes(self):
        text = Tags(render_class(ClassResult([("a", self.result), ("b", self.faulty)]))).text
        self.assertIn("2 students", text)
        self.assertIn("race_shared", text)


if __name__ == "__main__":
    unittest.main()
