"""What lies in the folder that a person types a command in is data: no Python of it runs, and no setting of it counts."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, os.path.dirname(__file__))
from launcher_tree import REPOSITORY, Tree  # noqa: E402

BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", REPOSITORY / "build" / "release" / "grader")).resolve() / "warpgrade-bin"
PYTHON = REPOSITORY / ".venv" / "bin" / "python"
# What Python, pip, matplotlib and this kit import or read.
MODULES = ("json", "re", "os", "site", "encodings", "sitecustomize", "usercustomize", "venv", "pip", "ensurepip", "argparse",
           "resource", "signal", "tempfile", "importlib", "multiprocessing", "jinja2", "markupsafe", "PIL", "mimetypes",
           "setuptools", "runpy", "pathlib", "mdit_py_plugins", "isolated")
PACKAGES = ("reports", "handouts", "numpy", "matplotlib", "markdown_it")
MARK = "open({!r}, \"w\").close()\n"  # needs no import: each of those may be one of these


def hostile_folder(folder):
    """A hand-in with a stage's solution and with everything that somebody could have put beside it. Returns the marker."""
    marker = folder.parent / "marker"
    folder.mkdir()
    text = MARK.format(str(marker))
    for name in MODULES:
        (folder / f"{name}.py").write_text(text)
    for name in PACKAGES:
        (folder / name).mkdir()
        for part in ("__init__.py", "__main__.py", "verbs.py"):
            (folder / name / part).write_text(text)
    (folder / "matplotlibrc").write_text("backend: module://json\nfont.family: nothing\nfigure.max_open_warning: -x\n")
    (folder / "pyvenv.cfg").write_text("home = .\ninclude-system-site-packages = true\n")
    (folder / "hostile.pth").write_text(f"import io; {text}")
    (folder / "pip.conf").write_text("[global]\nindex-url = file:///nonexistent\n")
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").write_text(f"#!/bin/sh\ntouch '{marker}'\n")
    (folder / ".venv" / "bin" / "python").chmod(0o755)
    (folder / ".venv" / "installed-requirements.txt").write_text("")
    shutil.copy(REPOSITORY / "solutions" / "transpose" / "4_padding.cu", folder)
    return marker


def hostile_environment(folder):
    """Variables by which Python and matplotlib are led elsewhere."""
    return {"PYTHONPATH": str(folder), "PYTHONHOME": "", "PYTHONUSERBASE": str(folder), "PYTHONSTARTUP": str(folder / "json.py"),
            "MPLCONFIGDIR": str(folder), "MATPLOTLIBRC": str(folder / "matplotlibrc"), "MPLBACKEND": "module://json"}


class InAHandIn(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="warpgrade isolation ")
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name) / "alice"
        self.marker = hostile_folder(self.folder)

    def run_here(self, *words, environment=None):
        base = environment or dict(os.environ, WARPGRADE_ROOT=str(REPOSITORY))
        done = subprocess.run(list(map(str, words)), cwd=self.folder, capture_output=True, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, env={**base, **hostile_environment(self.folder)})
        self.assertFalse(self.marker.exists(), f"{words} ran what lies in the current folder\n{done.stderr}")
        return done


@unittest.skipUnless(BINARY.exists() and PYTHON.exists(), "no program or no .venv")
class Reports(InAHandIn):
    def check(self, *more):
        return self.run_here(BINARY, "check", "4_padding.cu", "--stage", "transpose/padding", "--device", "virtual", *more)

    def test_check_report_and_plot(self):
        done = self.check("--report", "out")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("report: out/report.html\nreport: out/report.pdf\n", done.stdout)
        done = self.run_here(BINARY, "report", "out/result.json", "--out", "again")
        self.assertEqual((done.returncode, done.stdout), (0, "report: again/report.html\nreport: again/report.pdf\n"), done.stderr)
        done = self.run_here(REPOSITORY / "grader" / "warpgrade", "plot", "marks", "out/result.json")
        self.assertEqual((done.returncode, done.stdout), (0, "plot: marks.svg\n"), done.stderr)
        self.assertTrue((self.folder / "marks.svg").exists())

    def test_a_link_in_the_reports_folder_is_replaced_and_not_followed(self):
        out, elsewhere = self.folder / "out", self.folder.parent / "elsewhere"
        out.mkdir()
        elsewhere.write_text("as it was")
        for name in ("report.html", "report.pdf", "result.json"):
            (out / name).symlink_to(elsewhere)
        self.assertEqual(self.check("--report", "out").returncode, 0)
        self.assertEqual(elsewhere.read_text(), "as it was")
        self.assertFalse(any(path.is_symlink() for path in out.iterdir()))

    def test_grade(self):
        (self.folder / "alice").mkdir()
        shutil.copy(self.folder / "4_padding.cu", self.folder / "alice")
        done = self.run_here(BINARY, "grade", ".", "--device", "virtual", "--out", self.folder.parent / "graded")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)  # nothing says whose 4_padding.cu is
        self.assertNotIn("no report", done.stderr)
        self.assertTrue((self.folder.parent / "graded" / "class.html").exists())

    def test_a_hand_in_with_assignments_is_no_course(self):
        (self.folder / "assignments").mkdir()
        program = self.folder.parent / "warpgrade-bin"
        shutil.copy(BINARY, program)
        environment = {name: value for name, value in os.environ.items() if name != "WARPGRADE_ROOT"}
        (self.folder / "result.json").write_text("{}")
        done = self.run_here(program, "report", "result.json", environment=environment)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no folder with `assignments` was found", done.stderr)

    def test_handouts(self):
        if not (REPOSITORY / "handouts" / "__main__.py").exists():
            self.skipTest("a student kit")
        done = self.run_here(REPOSITORY / "grader" / "warpgrade", "handouts", "getting_started", "--out", "pages")
        self.assertIn(done.returncode, (0, 3), done.stderr)  # 3: no Chromium
        self.assertIn("handout: pages/getting_started.html\n", done.stdout)


class SetUp(InAHandIn):
    """The launcher in a tree without .venv, whose packages need nothing from the network."""

    def setUp(self):
        super().setUp()
        self.tree = Tree(self.folder.parent / "kit")
        reports = self.tree.root / "reports"
        reports.mkdir()
        (reports / "requirements.txt").write_text("")
        (reports / "__init__.py").write_text("")
        (reports / "__main__.py").write_text(
            "import os, resource, sys\n"
            "def main():\n"
            "    print(os.getcwd(), *sys.path, sep='\\n')\n"
            "    print(sorted(os.environ))\n"
            "    print([resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS)])\n")

    def test_set_up_and_plot(self):
        environment = self.tree.environment()
        done = self.run_here(self.tree.launcher, "plot", environment=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.tree.root / ".venv" / "bin" / "python").exists())
        here, *path, variables, limits = done.stdout.splitlines()
        self.assertEqual(here, str(self.tree.root / "grader" / "launch"))
        self.assertEqual(path[-1], str(self.tree.root))
        for folder in path:
            self.assertFalse(Path(folder).is_relative_to(self.folder) or folder in ("", "."), path)
        for name in hostile_environment(self.folder):
            self.assertEqual(name in variables, name in ("MPLCONFIGDIR", "MATPLOTLIBRC"), variables)
        self.assertEqual(limits, str([120, 4 << 30]))

    def test_the_check_for_missing_packages(self):
        done = self.run_here(self.tree.launcher, "list", environment=self.tree.environment())
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
