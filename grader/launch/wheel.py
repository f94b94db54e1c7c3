"""Makes wheels of a released kit, one for each kind of machine that the kit has a program for:

    .venv/bin/python -I -B grader/launch/wheel.py KIT OUT [VERSION]

A wheel is the Python package of grader/python with the kit inside, less the C++ sources, which nothing builds there.
Its bytes depend on nothing but the kit and the version.
"""

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

NAME = "warpgrade_course"
TAGS = {"x86_64": "manylinux_2_17_x86_64.manylinux2014_x86_64", "aarch64": "manylinux_2_17_aarch64.manylinux2014_aarch64"}
BUILT_FROM = re.compile(r"^grader/(?!compile/include/).*\.(cpp|hpp|cmake)$|(^|/)CMake(Lists\.txt|Presets\.json)$")

PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "{version}"
description = "A course of CUDA memory performance, with a grader that needs no GPU"
readme = "README.md"
license-files = ["LICENSE"]
requires-python = ">=3.10"
classifiers = ["Environment :: Console", "Intended Audience :: Education", "Operating System :: POSIX :: Linux"]
dependencies = {dependencies}

[project.scripts]
warpgrade = "warpgrade.__main__:main"

[tool.hatch.build]
ignore-vcs = true
packages = ["warpgrade"]

[tool.hatch.build.hooks.custom]
tag = "py3-none-{tag}"
"""

HOOK = """\
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Tag(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["tag"] = self.config["tag"]
        build_data["pure_python"] = False
"""


def requirements(path):
    """Of a requirements file: its lines without comments."""
    lines = (line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def dependencies(kit):
    """What a course folder's launcher would install. NVRTC of just these versions: counters are as the course was tried
    with. Of what draws reports, any later one of the same generation: a notebook's server brings its own."""
    drawn = [re.sub(r"==(\d+)\.(\d+)[.\d]*", r">=\1.\2,<" + "{}", line).format(int(re.search(r"==(\d+)", line)[1]) + 1)
             for line in requirements(kit / "reports" / "requirements.txt")]
    return requirements(kit / "grader" / "launch" / "nvrtc-requirements.txt") + drawn


def kit_version(kit):
    return re.search(r"project\(warpgrade VERSION ([\d.]+)", (kit / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def is_wanted(name, machine):
    parts = name.split("/")
    is_other_machine = parts[:2] == ["grader", "programs"] and parts[2] != machine
    return not is_other_machine and not BUILT_FROM.search(name) and "__pycache__" not in parts


def stage(kit, folder, version, machine):
    """The project that hatchling packs."""
    package = folder / "warpgrade"
    shutil.copytree(kit / "grader" / "python" / "warpgrade", package, ignore=shutil.ignore_patterns("__pycache__"))
    digests = {}
    for path in sorted(kit.rglob("*")):
        name = path.relative_to(kit).as_posix()
        if path.is_file() and is_wanted(name, machine):
            target = package / "kit" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
            digests[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    (package / "kit.json").write_text(json.dumps({"files": digests}, indent=1), encoding="utf-8")
    for name in ("README.md", "LICENSE"):
        shutil.copy(kit / name, folder / name)
    (folder / "hatch_build.py").write_text(HOOK, encoding="utf-8")
    (folder / "pyproject.toml").write_text(
        PROJECT.format(name=NAME, version=version, dependencies=json.dumps(dependencies(kit)), tag=TAGS[machine]),
        encoding="utf-8")


def make(kit, out, version, machine):
    """Path of the wheel. hatchling packs what is in its working folder."""
    from hatchling.build import build_wheel

    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="warpgrade-wheel-") as folder:
        stage(kit, Path(folder), version, machine)
        os.chdir(folder)
        try:
            return out / build_wheel(str(out))
        finally:
            os.chdir(before)


def main():
    kit, out = (Path(word).resolve() for word in sys.argv[1:3])
    version = sys.argv[3] if len(sys.argv) > 3 else kit_version(kit)
    if not re.fullmatch(r"\d+(\.\d+)*((a|b|rc|\.post|\.dev)\d+)?", version):
        print(f"error: `{version}` is not a version\n  try: numbers with dots, such as 2026.10.1", file=sys.stderr)
        return 2
    machines = [machine for machine in TAGS if (kit / "grader" / "programs" / machine / "warpgrade-bin").is_file()]
    if not machines:
        print("error: a wheel is a program for one kind of machine, and this kit has none\n  try: the command without "
              "--without-programs", file=sys.stderr)
        return 2
    try:
        import hatchling  # noqa: F401
    except ImportError:
        print("error: hatchling, which packs wheels, is not installed\n  try: ./grader/warpgrade release --wheel, which "
              "installs it", file=sys.stderr)
        return 3
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1580601600")  # what zip files cannot be older than, and what wheels have
    os.umask(0o022)
    for machine in machines:
        wheel = make(kit, out, version, machine)
        print(f"wheel    {os.path.relpath(wheel)}, {wheel.stat().st_size / 1e6:.1f} MB\n"
              f"sha256   {hashlib.sha256(wheel.read_bytes()).hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
