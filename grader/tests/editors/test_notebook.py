"""The notebook of the student kit, from top to bottom and with a student's mistakes, by nbconvert in a fresh environment
of the oldest and the newest Python that are here. Packages come from pip; where it has no network this is skipped."""

import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "grader/tests/support"))
from part import part_of  # noqa: E402

BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build/release/grader")).resolve() / "warpgrade-bin"
REPORTS = ROOT / ".venv/bin/python"  # has matplotlib, and NVRTC where the machine has none
OLDEST = (3, 10)
NUMBERS = itertools.count()  # of cells
NOTEBOOK = json.loads((ROOT / "handouts/warpgrade.ipynb").read_text(encoding="utf-8"))


def pythons():
    """version -> program, from the path and from pyenv."""
    places = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    places += sorted(pyenv.glob("versions/*/bin")) if os.access(pyenv, os.R_OK) else []
    found = {sys.version_info[:2]: Path(sys.executable)}
    for program in (program for place in places for program in place.glob("python3.*")):
        version = re.fullmatch(r"python3\.(\d+)", program.name)
        if version and (3, int(version[1])) >= OLDEST and "shims" not in program.parts:
            found.setdefault((3, int(version[1])), program)
    return found


def source_of(cell):
    return "".join(cell["source"])


def code_cell(text):
    return {"cell_type": "code", "execution_count": None, "id": f"c{next(NUMBERS)}", "metadata": {}, "outputs": [],
            "source": text}


class Text(unittest.TestCase):
    def test_the_worked_example_is_the_courses_and_nothing_was_run(self):
        cells = [source_of(cell) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
        example = next(text for text in cells if text.startswith("%%stage transpose/copy\n"))
        self.assertEqual(example.partition("\n")[2].rstrip(), (ROOT / "assignments/transpose/0_copy.cu").read_text().rstrip())
        self.assertTrue(all(not cell["outputs"] for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"))

    def test_the_first_cell_finds_the_course_or_says_what_to_do(self):
        first = next(source_of(cell) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code")
        with tempfile.TemporaryDirectory() as empty:
            place = Path(empty).resolve()

            def said():
                done = subprocess.run([sys.executable, "-E", "-s", "-c", first], cwd=place, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                return done.stdout

            self.assertIn("upload your course's wheel", said())
            (place / "warpgrade.whl").write_text("nothing")
            self.assertIn("pip could not install", said())
            (place / "warpgrade.whl").unlink()
            for name in ("kit/warpgrade/grader/python/warpgrade", "kit/warpgrade/assignments"):
                (place / name).mkdir(parents=True)
            (place / "kit/warpgrade/grader/warpgrade").write_text("")
            shutil.make_archive(str(place / "warpgrade"), "gztar", place / "kit", "warpgrade")
            for _ in range(2):  # unpacked now, and a second time
                self.assertIn(f"the course is in {place / 'warpgrade'}", said())


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
@unittest.skipUnless(REPORTS.exists(), "skipped: no .venv (matplotlib, jinja2); ./grader/warpgrade test makes it")
class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="warpgrade-notebook-")
        cls.addClassCleanup(folder.cleanup)
        cls.place = Path(folder.name)
        done = subprocess.run([BINARY, "release", "--out", cls.place], env=dict(os.environ, WARPGRADE_ROOT=str(ROOT)),
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        cls.kit = cls.place / "warpgrade"
        cls.environment = {**os.environ, "WARPGRADE_PROGRAM": str(BINARY), "WARPGRADE_PYTHON": str(REPORTS),
                           "JUPYTER_DATA_DIR": str(cls.place / "jupyter"), "IPYTHONDIR": str(cls.place / "ipython")}
        for name in ("WARPGRADE_ROOT", "WARPGRADE_BINARY_DIR"):
            cls.environment.pop(name, None)

    @classmethod
    def jupyter(cls, version, program):
        """The Python of a fresh environment with nbconvert."""
        venv = cls.place / f"venv-{version[0]}.{version[1]}"
        python = venv / "bin/python"
        if not python.exists():
            subprocess.run([program, "-I", "-m", "venv", venv], check=True, capture_output=True)
            done = subprocess.run([python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries",
                                   "1", "nbconvert", "ipykernel"], capture_output=True, text=True)
            if done.returncode != 0:
                shutil.rmtree(venv)
                raise unittest.SkipTest(f"skipped: pip could not install nbconvert for {program}: {done.stderr[-300:]}")
        return python

    def run_cells(self, python, cells, folder, to="notebook"):
        """The notebook with its outputs, or its page."""
        (folder / "try.ipynb").write_text(json.dumps({**NOTEBOOK, "cells": cells}))
        done = subprocess.run([python.with_name("jupyter-nbconvert"), "--to", to, "--execute", "--allow-errors",
                               "--ExecutePreprocessor.timeout=900", "--output", "done", "try.ipynb"], cwd=folder,
                              env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((folder / "done.ipynb").read_text(encoding="utf-8"))["cells"]

    def chosen(self):
        found = pythons()
        for version in part_of(sorted({min(found), max(found)}), 2, "the oldest Python and the newest"):
            if version == min(found) and version != OLDEST:
                print(f"no Python {OLDEST[0]}.{OLDEST[1]} is here: the oldest tried is {version[0]}.{version[1]}", file=sys.stderr)
            yield version, self.jupyter(version, found[version])

    def test_from_top_to_bottom(self):
        for version, python in self.chosen():
            with self.subTest(version):
                cells = self.run_cells(python, NOTEBOOK["cells"], self.kit / "handouts")
                for cell in cells:
                    self.assertNotIn("error", [one["output_type"] for one in cell.get("outputs", [])], cell)
                shown = {source_of(cell).split("\n")[0]: one["data"] for cell in cells for one in cell.get("outputs", [])
                         if one["output_type"] == "execute_result"}
                text = "".join(shown["%%stage transpose/copy"]["text/plain"])
                page = "".join(shown["%%stage transpose/copy"]["text/html"])
                self.assertIn("32 of 32 shapes right", text)
                self.assertRegex(page, r'<iframe [^>]*sandbox="allow-same-origin" srcdoc="')  # and no scripts
                self.assertIn("&lt;svg", page)
                self.assertIn("What each line costs", page)
                self.assertNotIn("Marks by stage", page)
                self.assertIn("sectors", "".join(shown["%explain"]["text/plain"]))
                self.assertIn("GB/s", "".join(shown["%bench --shape 1024x1024"]["text/plain"]))
                self.assertIn("naive_read", "".join(shown["%warpgrade status"]["text/plain"]))

    def test_what_students_do(self):
        version, python = next(iter(self.chosen()))
        path = self.kit / "assignments/warmup/1_one_thread.cu"
        stub = path.read_text()
        hostile = ("%%stage warmup/one_thread\n" + stub.replace("TODO", "</pre><script>alert(1)</script>") +
                   '\n#error "</pre><script>alert(2)</script>"\n')
        load = f"import sys; sys.path.insert(0, {str(self.kit / 'grader/python')!r})"
        texts = [load, "%load_ext warpgrade", "%%stage transpose/paddin\nint x;", "%%stage warmup/one_thread\n\n", "%explain",
                 "%stage", "%warpgrade hint nothing", hostile, "%%stage one_thread --shape 7x\n" + stub,
                 "%%stage one_thread\n" + stub, "%stage one_thread", f"open({str(path)!r}, 'a').write('// mine\\n')",
                 "%%stage one_thread\n" + stub, "%%stage one_thread\n" + stub]
        cells = self.run_cells(python, [code_cell(text) for text in texts], self.kit)
        outputs = ["".join("".join(one.get("text", "") or one.get("traceback", "") or one.get("data", {}).get("text/plain", ""))
                           for one in cell["outputs"]) for cell in cells]
        for number, words in ((2, "no stage is called `transpose/paddin`\n  try: transpose/padding"), (3, "this cell is empty"),
                              (4, "which stage?"), (5, "%%stage transpose/padding"), (6, "no stage is called `nothing`"),
                              (8, "7x"), (9, "ot attempted yet"), (12, "is kept in 1_one_thread.cu.1"), (13, "ot attempted")):
            with self.subTest(texts[number][:40]):
                self.assertIn(words, outputs[number])
                self.assertNotIn("Traceback", outputs[number])
        page = "".join("".join(one.get("data", {}).get("text/html", "")) for one in cells[7]["outputs"])
        self.assertIn("alert(2)", page)
        self.assertNotIn("<script", page)
        self.assertEqual(path.read_text(), stub)
        self.assertEqual({kept.name: kept.read_text() for kept in path.parent.glob("*.cu.*")}, {path.name + ".1": stub + "// mine\n"})

    def test_an_installed_wheel_makes_its_course_folder(self):
        """A wheel is this package with a kit in it (grader/launch/wheel.py)."""
        version, python = next(iter(self.chosen()))
        package = self.place / "site/warpgrade"
        shutil.copytree(self.kit / "grader/python/warpgrade", package)
        shutil.copytree(self.kit, package / "kit")
        files = {path.relative_to(self.kit).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
                 for path in self.kit.rglob("*") if path.is_file()}
        (package / "kit.json").write_text(json.dumps({"files": files}))
        folder = self.place / "home"
        folder.mkdir()
        first = next(cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code")
        load = f"import sys; sys.path.insert(0, {str(package.parent)!r})"
        cells = self.run_cells(python, [code_cell(load), first, code_cell("%load_ext warpgrade"),
                                        code_cell("%warpgrade check copy")], folder)
        said = [json.dumps(cell["outputs"]) for cell in cells]
        self.assertIn("the course is installed", said[1])
        self.assertIn(f"made the course folder {folder / 'warpgrade'}", said[2])
        self.assertIn("32 of 32 shapes right", said[3])

    def test_without_a_course(self):
        version, python = next(iter(self.chosen()))
        nowhere = self.place / "nowhere"
        nowhere.mkdir()
        load = f"import sys; sys.path.insert(0, {str(ROOT / 'grader/python')!r})"
        cells = self.run_cells(python, [code_cell(load), code_cell("%load_ext warpgrade")], nowhere)
        self.assertIn("there is no course folder here", json.dumps(cells[1]["outputs"]))


if __name__ == "__main__":
    unittest.main()
