"""A small tree with the real launcher and a program of five lines in place of the grader, to test the launcher by itself."""

import os
import shutil
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]

CMAKE = """\
cmake_minimum_required(VERSION 3.22)
project(small LANGUAGES CXX)
file(GLOB sources CONFIGURE_DEPENDS grader/cli/*.cpp)
add_executable(warpgrade-bin ${sources})
set_target_properties(warpgrade-bin PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/grader)
"""
PRESETS = """\
{"version": 6,
 "configurePresets": [{"name": "release", "binaryDir": "${sourceDir}/build/release"}],
 "buildPresets": [{"name": "release", "configurePreset": "release"}]}
"""
PROGRAM = """\
#include <cstdio>
#include <cstdlib>
int main(int argc, char* argv[]) {
    std::printf("root=%s\\n", std::getenv("WARPGRADE_ROOT"));
    for (int i = 1; i < argc; ++i) std::printf("[%s]\\n", argv[i]);
    return argc > 1 && argv[1][0] == 'f' ? 1 : 0;
}
"""
# Stands before a real tool on PATH: notes the call, then is that tool.
RECORDER = """\
#!/bin/sh
echo "$(basename "$0") $*" >>"{log}"
exec "{tool}" "$@"
"""


class Tree:
    """`folder` becomes the root of the small tree; tools in `shims` come first on PATH."""

    def __init__(self, folder):
        self.root = Path(folder)
        self.shims = self.root.parent / "shims"
        self.log = self.root.parent / "calls"
        (self.root / "grader" / "cli").mkdir(parents=True)
        self.shims.mkdir(exist_ok=True)
        shutil.copy(REPOSITORY / "grader" / "warpgrade", self.root / "grader")
        shutil.copytree(REPOSITORY / "grader" / "launch", self.root / "grader" / "launch")
        (self.root / "CMakeLists.txt").write_text(CMAKE)
        (self.root / "CMakePresets.json").write_text(PRESETS)
        self.main = self.root / "grader" / "cli" / "main.cpp"
        self.main.write_text(PROGRAM)
        self.shim("cmake", RECORDER.format(log=self.log, tool=shutil.which("cmake")))
        self.pretend_packages(installed=True)
        self.pretend_system('ID=debian\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\n')

    def shim(self, name, text):
        path = self.shims / name
        path.write_text(text)
        path.chmod(0o755)

    def pretend_packages(self, installed):
        """What the compiler says when it is asked for the libraries' headers; the small program needs none of them."""
        answer = "exit 0" if installed else f"[ -d '{self.root}/build/packages/usr' ] || grep -v '^#'; exit 0"
        self.shim("g++", f"#!/bin/sh\ncase \" $* \" in *' -E -P '*) {answer} ;; esac\nexec {shutil.which('g++')} \"$@\"\n")

    def pretend_compilers(self, version):
        """Every compiler that the launcher may find is of this version."""
        for name in ("g++", "clang++", *(f"g++-{n}" for n in range(11, 16)), *(f"clang++-{n}" for n in range(16, 22))):
            self.shim(name, f"#!/bin/sh\n[ \"$1\" != -dumpversion ] || echo {version}\n")

    def pretend_debian(self, **versions):
        """What apt knows: package -> version, with _ for -; without any it has no lists yet."""
        lists = self.root.parent / "lists"
        lists.mkdir(exist_ok=True)
        if versions:
            (lists / "of_a_mirror_Packages").write_text("")
        cases = "".join(f"{name.replace('_', '-')}) echo '  Candidate: {version}' ;; " for name, version in versions.items())
        self.shim("apt-cache", f"#!/bin/sh\ncase \"$2\" in {cases}*) ;; esac\n")
        self.shim("apt-config", f"#!/bin/sh\necho \"lists='{lists}/'\"\n")

    def pretend_system(self, words):
        (self.root.parent / "os-release").write_text(words)

    def environment(self, **changes):
        base = {key: value for key, value in os.environ.items() if not key.startswith("WARPGRADE_")}
        base.update(PATH=f"{self.shims}:{os.environ['PATH']}", WARPGRADE_NVRTC="/nonexistent/not-needed",
                    WARPGRADE_OS_RELEASE=str(self.root.parent / "os-release"))
        base.update(changes)
        return base

    @property
    def launcher(self):
        return self.root / "grader" / "warpgrade"

    def start(self, *arguments, launcher=None, environment=None, **options):
        return subprocess.Popen([launcher or self.launcher, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, text=True, env=environment or self.environment(), **options)

    def run(self, *arguments, **options):
        """Returns (exit code, standard output, standard error)."""
        with self.start(*arguments, **options) as process:
            out, err = process.communicate(timeout=600)
            return process.returncode, out, err

    def cmake_calls(self):
        return self.log.read_text().splitlines() if self.log.exists() else []
