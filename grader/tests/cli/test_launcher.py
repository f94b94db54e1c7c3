"""The launcher from outside: what it builds, when it does not, and what it says when it cannot."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, os.path.dirname(__file__))
from launcher_tree import Tree  # noqa: E402

NOBODY = 65534


class Launcher(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="warpgrade launcher ")  # a space: paths are quoted everywhere
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.tree = Tree(self.place / "kit")

    def build(self):
        code, out, err = self.tree.run("check")
        self.assertEqual(code, 0, err)
        return out, err

    def test_the_first_call_builds_and_then_is_the_program(self):
        code, out, err = self.tree.run("check", "a b", "--format", "json")
        self.assertEqual(code, 0, err)
        # Standard output is the program's alone.
        self.assertEqual(out, f"root={self.tree.root}\n[check]\n[a b]\n[--format]\n[json]\n")
        self.assertRegex(err, r"building the grader[^\n]*\nwarpgrade: built in \d+ s\n$")

    def test_the_exit_code_is_the_programs(self):
        self.build()
        self.assertEqual(self.tree.run("fail")[0], 1)

    def test_a_second_call_says_nothing_and_starts_no_cmake(self):
        self.build()
        before = self.tree.cmake_calls()
        self.assertEqual(self.tree.run("check")[2], "")
        self.assertEqual(self.tree.cmake_calls(), before)

    def test_a_second_call_costs_at_most_50_ms(self):
        self.build()
        binary = self.tree.root / "build" / "release" / "grader" / "warpgrade-bin"

        def least(command):  # the least of many: a busy machine adds, and never takes away
            times = []
            for _ in range(15):
                started = time.perf_counter()
                subprocess.run([command, "check"], env=self.tree.environment(WARPGRADE_ROOT=str(self.tree.root)),
                               stdout=subprocess.DEVNULL, check=True)
                times.append(time.perf_counter() - started)
            return min(times)

        self.assertLess(least(self.tree.launcher) - least(binary), 0.050)

    def test_a_report_of_nothing_sets_nothing_up(self):
        self.build()
        (self.tree.root / "reports").mkdir()
        (self.tree.root / "reports" / "requirements.txt").write_text("")
        for verb in ("report", "grade"):
            self.assertEqual(self.tree.run(verb, "nothing")[2], "")  # the program says that it is not there
        self.assertFalse((self.tree.root / ".venv").exists())

    def test_an_edit_a_new_file_and_a_removed_file_are_built(self):
        self.build()
        extra = self.tree.root / "grader" / "cli" / "extra.cpp"
        for change in (lambda: self.tree.main.write_text(self.tree.main.read_text().replace("root=", "ROOT=")),
                       lambda: extra.write_text("int extra() { return 1; }\n"), extra.unlink):
            before = len(self.tree.cmake_calls())
            change()
            code, out, err = self.tree.run("check")
            self.assertEqual(code, 0, err)
            self.assertIn("ROOT=", out)
            self.assertIn("building what has changed", err)
            self.assertGreater(len(self.tree.cmake_calls()), before)

    def test_a_compiler_error_is_shown_and_is_a_defect_of_the_kit(self):
        self.build()
        self.tree.main.write_text("int main() { return nothing; }\n")
        for _ in range(2):  # and the old program is not run in its place, not by the next call either
            code, out, err = self.tree.run("check")
            self.assertEqual((code, out), (70, ""))
            self.assertRegex(err, r"main\.cpp:1:\d+: error:")
            self.assertIn("whole output is in build/build.log", err)

    def test_a_tree_that_cmake_refuses_is_said(self):
        (self.tree.root / "CMakeLists.txt").write_text("message(FATAL_ERROR \"fmt is not installed\")\n")
        code, _, err = self.tree.run("check")
        self.assertEqual(code, 3)
        self.assertIn("fmt is not installed", err)
        self.assertIn("build/configure.log", err)

    def test_it_is_found_through_a_link_and_from_any_folder(self):
        self.build()
        link = self.place / "link"
        link.symlink_to("kit/grader/warpgrade")
        for launcher, folder in ((link, "/"), ("./warpgrade", self.tree.root / "grader"),
                                 ("grader/../grader/warpgrade", self.tree.root)):
            with self.subTest(launcher):
                code, out, err = self.tree.run("check", launcher=launcher, cwd=folder)
                self.assertEqual((code, out), (0, f"root={self.tree.root}\n[check]\n"), err)

    def test_a_folder_that_was_moved_is_built_anew(self):
        self.build()
        moved = self.place / "elsewhere"
        self.tree.root.rename(moved)
        self.tree.root = moved
        (moved / "grader" / "cli" / "main.cpp").touch()
        code, out, err = self.tree.run("check")
        self.assertEqual((code, out), (0, f"root={moved}\n[check]\n"), err)

    def test_a_build_that_make_began_goes_on_with_make(self):
        subprocess.run(["cmake", "--preset", "release", "-G", "Unix Makefiles"], cwd=self.tree.root,
                       stdout=subprocess.DEVNULL, check=True)
        self.build()
        cache = (self.tree.root / "build" / "release" / "CMakeCache.txt").read_text()
        self.assertIn("CMAKE_GENERATOR:INTERNAL=Unix Makefiles\n", cache)

    def test_calls_at_the_same_time_build_once(self):
        calls = [self.tree.start("check") for _ in range(3)]
        for call in calls:
            out, err = call.communicate(timeout=120)
            self.assertEqual((call.returncode, out), (0, f"root={self.tree.root}\n[check]\n"), err)
        self.assertEqual(sum("--build" in line for line in self.tree.cmake_calls()), 1)

    def test_help_names_the_launchers_own_verbs(self):
        code, out, err = self.tree.run("--help")  # a student kit's: there are no solutions
        self.assertEqual(code, 0, err)
        self.assertNotRegex(out, r"(?m)^  (demo|test|handouts) ")
        (self.tree.root / "solutions").mkdir()
        for arguments in ((), ("--help",)):
            code, out, err = self.tree.run(*arguments)
            self.assertEqual(code, 0, err)
            self.assertRegex(out, r"(?m)^  demo +sets up")
            self.assertRegex(out, r"(?m)^  test +builds and runs")

    def test_a_report_is_provided_for_wherever_it_is_asked_for(self):
        self.build()
        python = self.tree.shims / "python3"  # what makes the environment of reports; here it says that it cannot
        python.write_text("#!/bin/sh\nexit 1\n")
        python.chmod(0o755)
        for words in (("check", "padding", "--report", "made"), ("check", "--report", "made", "padding"), ("check", "--report=made")):
            with self.subTest(words):
                self.assertIn("could not make .venv", self.tree.run(*words)[2])
        self.assertEqual(self.tree.run("check", "padding")[2], "")
        (self.tree.root / "solutions").mkdir(exist_ok=True)
        err = self.tree.run("release")[2]
        self.assertIn("could not make .venv", err)  # for the handouts' pages
        self.assertNotIn("command not found", err)
        code, out, err = self.tree.run("verify", "--update")  # tables of handouts follow what is verified
        self.assertEqual((code, out), (3, f"root={self.tree.root}\n[verify]\n[--update]\n"))
        self.assertIn("could not make .venv", err)
        self.assertEqual(self.tree.run("verify")[2], "")

    def test_demo_without_solutions_is_refused(self):
        self.build()
        code, _, err = self.tree.run("demo")
        self.assertEqual(code, 2)
        self.assertIn("`demo` is not in the student kit", err)


class Prebuilt(unittest.TestCase):
    """Programs that need no build: the kit's own for this kind of machine, or a named one."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="warpgrade prebuilt ")
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.tree = Tree(self.place / "kit")
        self.tree.pretend_packages(installed=False)  # nothing is asked of them
        self.program = self.tree.root / "grader" / "programs" / platform.machine() / "warpgrade-bin"
        self.program.parent.mkdir(parents=True)
        self.write(self.program, "echo prebuilt \"$@\"\n")

    def write(self, path, body):
        path.write_text(f"#!/bin/sh\n{body}")
        path.chmod(0o755)

    def test_it_runs_without_packages_or_a_build(self):
        for _ in range(2):
            self.assertEqual(self.tree.run("check", "a b"), (0, "prebuilt check a b\n", ""))
        self.assertEqual(self.tree.cmake_calls(), [])

    def test_whether_it_runs_is_tried_once(self):
        calls = self.place / "asked"
        self.write(self.program, f"echo \"$1\" >>'{calls}'\n")
        self.tree.run("check")
        self.tree.run("list")
        self.assertEqual(calls.read_text(), "--version\ncheck\nlist\n")

    def test_one_that_does_not_run_here_is_said_and_built(self):
        self.write(self.program, "echo 'too old a library' >&2; exit 1\n")
        self.tree.pretend_packages(installed=True)
        code, out, err = self.tree.run("check")
        self.assertEqual((code, out), (0, f"root={self.tree.root}\n[check]\n"), err)
        self.assertIn("does not run here (too old a library)", err)

    def test_a_developers_checkout_and_whoever_asks_build_from_source(self):
        self.tree.pretend_packages(installed=True)
        built = f"root={self.tree.root}\n[check]\n"
        environment = self.tree.environment(WARPGRADE_FROM_SOURCE="1")
        self.assertEqual(self.tree.run("check", environment=environment)[1], built)
        (self.tree.root / "grader" / "tests").mkdir()
        self.assertEqual(self.tree.run("check")[1], built)

    def test_a_named_program_and_a_named_python_need_nothing(self):
        (self.tree.root / "grader" / "tests").mkdir()
        (self.tree.root / "reports").mkdir()
        named, python = self.place / "named program", self.place / "elsewhere" / "bin" / "python"
        python.parent.mkdir(parents=True)
        self.write(named, "echo named \"$@\"\n")
        self.write(python, "echo python\n")
        environment = self.tree.environment(WARPGRADE_PROGRAM=str(named), WARPGRADE_PYTHON=str(python))
        self.assertEqual(self.tree.run("check", "--report", "made", environment=environment), (0, "named check --report made\n", ""))
        self.assertEqual(self.tree.run("plot", environment=environment), (0, "python\n", ""))
        environment["WARPGRADE_PROGRAM"] = str(self.place / "nothing")
        self.assertEqual(self.tree.run("check", environment=environment)[0], 2)


class State(unittest.TestCase):
    """Where the kit's folder cannot be written, what it keeps is in the user's cache."""

    def test_a_folder_that_cannot_be_written(self):
        place = tempfile.TemporaryDirectory(prefix="warpgrade state ")
        self.addCleanup(place.cleanup)
        tree, cache = Tree(Path(place.name) / "kit"), Path(place.name) / "cache"
        user = {}
        if os.geteuid() == 0:
            os.chmod(place.name, 0o755)
            cache.mkdir()
            for folder in (cache, tree.log.parent):
                os.chown(folder, NOBODY, NOBODY)
            user = {"user": NOBODY}
        else:
            tree.root.chmod(0o555)
            self.addCleanup(tree.root.chmod, 0o755)
        code, out, err = tree.run("check", environment=tree.environment(XDG_CACHE_HOME=str(cache)), **user)
        self.assertEqual((code, out), (0, f"root={tree.root}\n[check]\n"), err)
        self.assertFalse((tree.root / "build").exists())
        self.assertEqual(len(list(cache.glob("warpgrade/kit-*/build/release/grader/warpgrade-bin"))), 1)
        self.assertEqual(tree.run("check", environment=tree.environment(XDG_CACHE_HOME=str(cache)), **user)[2], "")
        code, out, err = tree.run("check", environment=tree.environment(XDG_CACHE_HOME="/proc"), **user)
        self.assertEqual((code, out), (3, ""))
        self.assertIn("Set WARPGRADE_STATE to a folder", err)


class Packages(unittest.TestCase):
    LIBRARIES = "libcli11-dev nlohmann-json3-dev libfmt-dev libtomlplusplus-dev"

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.tree = Tree(Path(place.name) / "kit")
        self.tree.pretend_packages(installed=False)
        self.apt_log = Path(place.name) / "apt"
        os.chmod(place.name, 0o755)

    def pretend_apt(self, exit_code):
        self.tree.shim("apt-get", f"#!/bin/sh\necho \"$DEBIAN_FRONTEND $*\" >>'{self.apt_log}'\n"
                                  f"echo 'E: no such package' >&2\nexit {exit_code}\n")

    def test_without_root_the_command_to_type_is_printed(self):
        self.pretend_apt(0)
        user = {}
        if os.geteuid() == 0:
            subprocess.run(["chown", "-R", str(NOBODY), self.tree.root], check=True)
            user = {"user": NOBODY}
        code, out, err = self.tree.run("check", **user)
        self.assertEqual((code, out), (3, ""), err)
        self.assertIn(f"\n    sudo apt-get install -y {self.LIBRARIES}\n", err)
        self.assertFalse(self.apt_log.exists())

    def test_catch2_is_asked_for_where_there_are_tests(self):
        (self.tree.root / "grader" / "tests").mkdir(parents=True, exist_ok=True)
        self.pretend_apt(100)
        err = self.tree.run("check")[2]
        self.assertIn(f"{self.LIBRARIES} catch2\n", err)

    @unittest.skipUnless(os.geteuid() == 0, "installing is for root")
    def test_root_installs_them_asked_nothing(self):
        self.pretend_apt(0)
        code, _, err = self.tree.run("check")
        self.assertEqual(code, 0, err)
        update, install = self.apt_log.read_text().splitlines()
        self.assertRegex(update, r"^noninteractive .* update$")
        self.assertRegex(install, rf"^noninteractive .* -y .* install {self.LIBRARIES}$")
        self.assertIn(f"installing {self.LIBRARIES}", err)

    @unittest.skipUnless(os.geteuid() == 0, "installing is for root")
    def test_an_installation_that_fails_is_shown(self):
        self.pretend_apt(100)
        code, _, err = self.tree.run("check")
        self.assertEqual(code, 3)
        self.assertIn("E: no such package", err)
        self.assertIn("build/packages.log", err)

    def test_an_old_cmake_and_an_old_compiler_are_said(self):
        self.tree.pretend_packages(installed=True)
        real = shutil.which("cmake")
        self.tree.shim("cmake", f"#!/bin/sh\n[ \"$1\" = --version ] && echo 'cmake version 3.18.4' && exit\nexec {real} \"$@\"\n")
        code, _, err = self.tree.run("check")
        self.assertEqual(code, 3)
        self.assertIn("cmake 3.18.4 is too old: 3.22 or newer is needed", err)


if __name__ == "__main__":
    unittest.main()
