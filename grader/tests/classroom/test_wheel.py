"""The wheels of a release: their metadata, that they are the kit and no more, and that installing one is enough.

What needs a network, pip with the wheel's dependencies, is tried with WARPGRADE_WHEEL=FILE.whl."""

import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "grader" / "launch" / "wheel.py"
MACHINES = ("x86_64", "aarch64")
LAUNCHER = "#!/bin/sh\necho \"$WARPGRADE_PYTHON: $*\"\n"


def make_kit(folder):
    """A small kit with programs that are none."""
    texts = {"README.md": "# Kit\n", "LICENSE": "free\n", "CMakeLists.txt": "project(warpgrade VERSION 1.2.3 LANGUAGES CXX)\n",
             "grader/cli/main.cpp": "int main() {}\n", "grader/cli/main.hpp": "", "grader/compile/include/thing.hpp": "kept\n",
             "grader/launch/programs.cmake": "", "assignments/a/1_one.cu": "stub\n", ".vscode/tasks.json": "{}\n",
             "grader/warpgrade": LAUNCHER}
    for name in ("reports/requirements.txt", "grader/launch/nvrtc-requirements.txt"):
        texts[name] = (ROOT / name).read_text(encoding="utf-8")
    for path in (ROOT / "grader/python/warpgrade").glob("*.py"):
        texts[f"grader/python/warpgrade/{path.name}"] = path.read_text(encoding="utf-8")
    for machine in MACHINES:
        texts[f"grader/programs/{machine}/warpgrade-bin"] = f"\x7fELF for {machine}"
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for path in ("grader/warpgrade", *(f"grader/programs/{machine}/warpgrade-bin" for machine in MACHINES)):
        (folder / path).chmod(0o755)


@unittest.skipUnless(importlib.util.find_spec("hatchling"), "hatchling is not here; ./grader/warpgrade test installs it")
class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory(prefix="warpgrade wheel ")
        cls.addClassCleanup(place.cleanup)
        cls.place = Path(place.name)
        cls.kit, cls.out = cls.place / "warpgrade", cls.place / "out"
        cls.out.mkdir()
        make_kit(cls.kit)
        made = cls.make(cls.out)
        assert made.returncode == 0, made.stderr
        cls.wheels = {machine: cls.out / f"warpgrade_course-1.2.3-py3-none-manylinux_2_17_{machine}.manylinux2014_{machine}.whl"
                      for machine in MACHINES}

    @classmethod
    def make(cls, out, *version):
        return subprocess.run([sys.executable, "-I", "-B", SCRIPT, cls.kit, out, *version], text=True, capture_output=True)

    def member(self, name, machine="x86_64"):
        with zipfile.ZipFile(self.wheels[machine]) as archive:
            return archive.read(name).decode()

    def test_it_holds_the_kit_with_one_program_and_without_what_builds_it(self):
        for machine, wheel in self.wheels.items():
            with zipfile.ZipFile(wheel) as archive:
                names = {name[len("warpgrade/kit/"):] for name in archive.namelist() if name.startswith("warpgrade/kit/")}
                modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
            all_of_kit = {path.relative_to(self.kit).as_posix() for path in self.kit.rglob("*") if path.is_file()}
            other = next(name for name in MACHINES if name != machine)
            self.assertEqual(all_of_kit - names, {
                "CMakeLists.txt", "grader/cli/main.cpp", "grader/cli/main.hpp", "grader/launch/programs.cmake",
                f"grader/programs/{other}/warpgrade-bin"})
            self.assertEqual(names - all_of_kit, set())
            for program in ("grader/warpgrade", f"grader/programs/{machine}/warpgrade-bin"):
                self.assertTrue(modes[f"warpgrade/kit/{program}"] & 0o100, program)
            digests = json.loads(self.member("warpgrade/kit.json", machine))["files"]
            self.assertEqual(digests, {name: hashlib.sha256((self.kit / name).read_bytes()).hexdigest() for name in names})

    def test_its_metadata(self):
        metadata = self.member("warpgrade_course-1.2.3.dist-info/METADATA")
        self.assertIn("Requires-Python: >=3.10\n", metadata)
        for line in (ROOT / "grader/launch/nvrtc-requirements.txt").read_text().splitlines():
            if not line.startswith("#"):
                self.assertIn(f"Requires-Dist: {line.split('#')[0].strip()}\n", metadata)
        for line in (ROOT / "reports/requirements.txt").read_text().splitlines():
            if not line.startswith("#"):
                self.assertRegex(metadata, rf"Requires-Dist: {re.split('[=<>]', line)[0]}<\d+,>=\d")
        self.assertIn("warpgrade = warpgrade.__main__:main", self.member("warpgrade_course-1.2.3.dist-info/entry_points.txt"))
        self.assertIn("Tag: py3-none-manylinux_2_17_aarch64\n",
                      self.member("warpgrade_course-1.2.3.dist-info/WHEEL", "aarch64"))

    def test_its_bytes_are_the_same_every_time(self):
        for path in self.kit.rglob("*"):
            os.utime(path, (1e9, 1e9))
        again = self.place / "again"
        again.mkdir()
        self.assertEqual(self.make(again).returncode, 0)
        for wheel in self.wheels.values():
            self.assertEqual(wheel.read_bytes(), (again / wheel.name).read_bytes())

    def test_the_course_may_have_a_version_of_its_own(self):
        out = self.place / "versions"
        out.mkdir()
        self.assertEqual(self.make(out, "2026.10.1").returncode, 0)
        self.assertEqual(len(list(out.glob("warpgrade_course-2026.10.1-py3-none-*.whl"))), 2)
        refused = self.make(out, "autumn")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("`autumn` is not a version", refused.stderr)

    def test_unpacked_it_makes_a_course_folder_that_runs(self):
        site, course = self.place / "site", self.place / "my course"
        with zipfile.ZipFile(self.wheels["x86_64"]) as archive:
            archive.extractall(site)
        environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "warpgrade"]
        made = subprocess.run([*command, "init", course], text=True, capture_output=True, env=environment)
        self.assertEqual(made.returncode, 0, made.stderr)
        ran = subprocess.run([*command, "check", "one"], cwd=course / "assignments", text=True, capture_output=True,
                             env=environment)
        self.assertEqual((ran.stdout, ran.stderr), (f"{sys.executable}: check one\n", ""))


@unittest.skipUnless(os.environ.get("WARPGRADE_WHEEL"), "takes a network: WARPGRADE_WHEEL=FILE.whl tries one")
class Installed(unittest.TestCase):
    def test_pip_and_three_commands_are_enough(self):
        with tempfile.TemporaryDirectory(prefix="warpgrade-installed-") as place:
            subprocess.run([sys.executable, "-m", "venv", f"{place}/venv"], check=True)
            subprocess.run([f"{place}/venv/bin/pip", "-q", "install", os.environ["WARPGRADE_WHEEL"]], check=True)
            environment = {name: value for name, value in os.environ.items() if not name.startswith("WARPGRADE_")}
            command = [f"{place}/venv/bin/warpgrade"]
            subprocess.run([*command, "init", f"{place}/course"], check=True, env=environment)
            checked = subprocess.run([*command, "check", "copy", "--report", "made"], cwd=f"{place}/course", text=True,
                                     capture_output=True, env=environment)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
            self.assertIn("30 of 30 shapes right", checked.stdout)
            self.assertTrue(Path(place, "course", "made", "report.pdf").is_file(), checked.stdout)


if __name__ == "__main__":
    unittest.main()
