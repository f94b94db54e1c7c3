"""The launcher from outside: what it builds, when it does not, and what it says when it cannot."""

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
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
        self.assertRegex(err, r"building the grader[^\n]*\n(warpgrade: building: \d+ %\n)*warpgrade: built in \d+ s\n$")

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

        def least(command):  # of processor time, of many: a busy machine adds, and never takes away
            times = []
            for _ in range(10):
                started = subprocess.Popen([command, "check"], stdout=subprocess.DEVNULL,
                                           env=self.tree.environment(WARPGRADE_ROOT=str(self.tree.root)))
                used = os.wait4(started.pid, 0)[2]
                started.returncode = 0
                times.append(used.ru_utime + used.ru_stime)
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

    def test_a_copy_of_a_built_kit_is_not_built_again(self):
        self.build()
        copy = self.place / "elsewhere"
        shutil.copytree(self.tree.root, copy, copy_function=shutil.copy)  # as `cp -r` does: all files are new
        self.tree.root, before = copy, self.tree.cmake_calls()
        for _ in range(2):
            self.assertEqual(self.tree.run("check"), (0, f"root={copy}\n[check]\n", ""))
        self.assertEqual(self.tree.cmake_calls(), before)
        main = copy / "grader" / "cli" / "main.cpp"
        main.write_text(main.read_text().replace("root=", "ROOT="))
        code, out, err = self.tree.run("check")  # and the cache that names the other place does not keep it from that
        self.assertEqual((code, out), (0, f"ROOT={copy}\n[check]\n"), err)

    def test_a_copy_whose_program_does_not_run_here_is_built(self):
        self.build()
        copy = self.place / "elsewhere"
        shutil.copytree(self.tree.root, copy)
        self.tree.root = copy
        (copy / "build" / "release" / "grader" / "warpgrade-bin").write_text("#!/bin/sh\nexit 127\n")
        self.assertEqual(self.tree.run("check")[:2], (0, f"root={copy}\n[check]\n"))

    def test_a_file_that_was_only_touched_is_not_built(self):
        self.build()
        before = self.tree.cmake_calls()
        self.tree.main.touch()
        self.assertEqual(self.tree.run("check")[2], "")
        self.assertEqual(self.tree.cmake_calls(), before)

    def test_a_build_that_takes_long_says_how_far_it_is(self):
        for number in range(5):
            (self.tree.root / "grader" / "cli" / f"part{number}.cpp").write_text(f"int part{number}() {{ return 0; }}\n")
        self.tree.shim("nproc", "#!/bin/sh\necho 1\n")
        self.tree.shim("g++", f"#!/bin/sh\ncase \" $* \" in *' -E -P '*) exit ;; *part*' -c '*) sleep 1 ;; esac\n"
                              f"exec {shutil.which('g++')} \"$@\"\n")
        self.assertRegex(self.build()[1], r"(?m)^warpgrade: building: [1-9]\d %$")

    def test_a_file_system_without_locks_is_said_and_no_obstacle(self):
        self.tree.shim("flock", "#!/bin/sh\necho 'flock: 10: No locks available' >&2\nexit 71\n")
        code, out, err = self.tree.run("check")
        self.assertEqual((code, out), (0, f"root={self.tree.root}\n[check]\n"), err)
        self.assertIn("cannot be locked", err)

    @unittest.skipIf(shutil.which("make") is None, "no make here")
    def test_a_build_that_make_began_goes_on_with_make(self):
        subprocess.run(["cmake", "--preset", "release", "-G", "Unix Makefiles"], cwd=self.tree.root,
                       stdout=subprocess.DEVNULL, check=True)
        self.build()
        cache = (self.tree.root / "build" / "release" / "CMakeCache.txt").read_text()
        self.assertIn("CMAKE_GENERATOR:INTERNAL=Unix Makefiles\n", cache)

    def test_calls_at_the_same_time_build_once(self):
        calls = [self.tree.start("check") for _ in range(3)]
        for call in calls:
            out, err = call.communicate(timeout=600)
            self.assertEqual((call.returncode, out), (0, f"root={self.tree.root}\n[check]\n"), err)
        self.assertEqual(sum("--build" in line for line in self.tree.cmake_calls()), 1)

    def test_a_report_is_provided_for_wherever_it_is_asked_for(self):
        self.build()
        python = self.tree.shims / "python3"  # what makes the environment of reports; here it says that it cannot
        python.write_text("#!/bin/sh\ncase \"$*\" in *venv*) exit 1 ;; esac\n")
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
    KNOWN = {name.replace("-", "_"): "1.0" for name in LIBRARIES.split()} | {"g++": "4:12.2.0", "g++_12": "12.2.0", "cmake": "3.25.1"}

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.tree = Tree(self.place / "kit")
        self.tree.pretend_packages(installed=False)
        self.tree.pretend_debian(**self.KNOWN)
        self.apt_log = self.place / "apt"
        self.apt_log.touch(0o666)
        self.apt_log.chmod(0o666)
        self.place.chmod(0o777)

    def pretend_apt(self, exit_code, downloads=""):
        self.tree.shim("apt-get", f"#!/bin/sh\necho \"$DEBIAN_FRONTEND $*\" >>'{self.apt_log}'\n{downloads}"
                                  f"echo 'E: no such package' >&2\nexit {exit_code}\n")

    def as_user(self, *words, **options):
        """What somebody else than root is told; the kit is theirs."""
        if os.geteuid() == 0:
            subprocess.run(["chown", "-R", str(NOBODY), self.tree.root], check=True)
            options["user"] = NOBODY
        return self.tree.run(*words, **options)

    def refused(self, **options):
        code, out, err = self.as_user("check", **options)
        self.assertEqual((code, out), (3, ""), err)
        return err

    def test_without_root_the_command_to_type_is_printed(self):
        self.pretend_apt(100)
        self.assertIn(f"\n    sudo apt-get install -y {self.LIBRARIES}\n", self.refused())
        self.assertNotIn("install ", self.apt_log.read_text())

    def test_without_root_libraries_are_unpacked_in_the_kit(self):
        self.pretend_apt(0, "for word; do case $word in lib*|nloh*) : >$word.deb ;; esac; done\n")
        self.tree.shim("dpkg", "#!/bin/sh\ncase $1 in -x) mkdir -p \"$3/usr\" ;; -f) echo 'libfmt9 (= 9.1), libc6' ;; esac\n")
        code, out, err = self.as_user("check")
        self.assertEqual((code, out), (0, f"root={self.tree.root}\n[check]\n"), err)
        first, second = (line.split("download ")[1] for line in self.apt_log.read_text().splitlines())
        self.assertEqual((first, set(second.split())), (self.LIBRARIES, {"libfmt9"}))

    def test_who_has_no_lists_of_packages_is_told_to_fetch_them(self):
        for file in (self.place / "lists").iterdir():
            file.unlink()
        self.pretend_apt(100)
        self.assertIn("\n    sudo apt-get update && sudo apt-get install -y ", self.refused())

    def test_a_compiler_that_is_too_old_is_called_so_with_one_that_is_not(self):
        self.tree.pretend_packages(installed=True)
        self.tree.pretend_compilers("10.2.1")
        self.pretend_apt(100)
        for versions, package in (({}, "g++"), ({"g++": "4:10.2.1"}, "g++-12")):
            self.tree.pretend_debian(**(self.KNOWN | versions))
            with self.subTest(package):
                err = self.refused()
                self.assertIn("g++ 10 is too old: g++ 11 or clang 16 is needed", err)
                self.assertRegex(err, rf"\n    sudo apt-get install -y {re.escape(package)}( python3-venv)?\n")

    def test_what_the_distribution_does_not_have_is_not_asked_for(self):
        self.pretend_apt(100)
        self.tree.pretend_compilers("10.2.1")
        self.tree.pretend_system('ID=debian\nNAME="Debian GNU/Linux"\nVERSION_ID="11"\n')
        self.tree.pretend_debian(g__="", **{"g++": "4:10.2.1", "nlohmann_json3_dev": "3.9.1", "libfmt_dev": "7.1.3"})
        self.tree.shim("g++", "#!/bin/sh\ncase \" $* \" in *' -E -P '*) grep -v '^#' ;; *) echo 10 ;; esac\n")
        err = self.refused()
        self.assertIn("Debian GNU/Linux 11 has no g++-11 or newer libcli11-dev libtomlplusplus-dev (here: g++ 10)", err)
        self.assertNotIn("apt-get", err)

    def test_each_distribution_gets_its_own_command(self):
        for words, line in (("ID=fedora", "sudo dnf install -y cli11-devel json-devel fmt-devel tomlplusplus-devel"),
                            ('ID=rocky\nID_LIKE="rhel centos fedora"', "sudo dnf install -y cli11-devel"),
                            ('ID=opensuse-leap\nID_LIKE="suse opensuse"', "sudo zypper install -y cli11-devel nlohmann_json-devel"),
                            ("ID=manjaro\nID_LIKE=arch", "sudo pacman -S --needed cli11 nlohmann-json fmt tomlplusplus"),
                            ("ID=linuxmint\nID_LIKE='ubuntu debian'", f"sudo apt-get install -y {self.LIBRARIES}"),
                            ("ID=other", "with the package manager of this system: CLI11 nlohmann-json fmt toml++"),
                            ("ID=alpine\nNAME='Alpine Linux'\nVERSION_ID=3.20", "Use a container of another distribution")):
            with self.subTest(words):
                self.pretend_apt(100)
                self.tree.pretend_system(words + "\n")
                self.assertIn(f"\n    {line}", self.refused())

    def test_catch2_is_asked_for_where_there_are_tests(self):
        (self.tree.root / "grader" / "tests").mkdir(parents=True, exist_ok=True)
        self.tree.pretend_debian(catch2="3.1", **self.KNOWN)
        self.pretend_apt(100)
        self.assertIn(f"{self.LIBRARIES} catch2", self.refused())

    @unittest.skipUnless(os.geteuid() == 0, "installing is for root")
    def test_root_installs_them_asked_nothing(self):
        self.pretend_apt(0, f"case \" $* \" in *' install '*) mkdir -p '{self.tree.root}/build/packages/usr' ;; esac\n")
        code, _, err = self.tree.run("check")
        self.assertEqual(code, 0, err)
        update, install = self.apt_log.read_text().splitlines()
        self.assertRegex(update, r"^noninteractive .* update$")
        self.assertRegex(install, rf"^noninteractive .* -y .* install {self.LIBRARIES}")
        self.assertIn(f"installing {self.LIBRARIES}", err)
        self.assertLess(err.index("installing"), err.index("building the grader"))

    @unittest.skipUnless(os.geteuid() == 0, "installing is for root")
    def test_an_installation_that_fails_is_shown(self):
        self.pretend_apt(100)
        code, _, err = self.tree.run("check")
        self.assertEqual(code, 3)
        self.assertIn("E: no such package", err)
        self.assertIn("build/packages.log", err)

    def test_an_old_cmake_is_said_and_a_newer_one_found(self):
        self.tree.pretend_packages(installed=True)
        self.tree.pretend_debian(cmake="3.18.4", **{key: value for key, value in self.KNOWN.items() if key != "cmake"})
        self.pretend_apt(100)
        real = shutil.which("cmake")
        self.tree.shim("cmake", f"#!/bin/sh\n[ \"$1\" = --version ] && echo 'cmake version 3.18.4' && exit\nexec {real} \"$@\"\n")
        home = self.place / "home"
        environment = self.tree.environment(WARPGRADE_WHEELS=str(home), HOME=str(home))  # pip finds none in an empty folder
        (home / ".local" / "bin").mkdir(parents=True)
        err = self.refused(environment=environment)
        self.assertIn("cmake 3.18.4 is too old: 3.22 or newer is needed", err)
        self.assertIn("python3 -m pip install --user cmake", err)
        (home / ".local" / "bin" / "cmake").symlink_to(real)
        code, _, err = self.as_user("check", environment=environment)
        self.assertEqual(code, 0, err)


class Pip(unittest.TestCase):
    """What is installed by pip; Python and pip are scripts that recite."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="warpgrade pip ")
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.tree = Tree(self.place / "kit")
        self.tree.run("check")
        reports = self.tree.root / "reports"
        reports.mkdir()
        (reports / "requirements.txt").write_text("matplotlib\n")

    def pretend_python(self, pip, has_pip=True, ensurepip=True):
        """`pip`: what an installation does. The environment's Python notes what it is started with."""
        inside = (f"echo \"$*\" >>'{self.place}/python'\n"
                  f"case \"$*\" in *'import pip'*) exit {int(not (has_pip and ensurepip))} ;; *install*) {pip} ;; esac\n")
        make = ("for folder; do :; done; mkdir -p \"$folder/bin\" \"$folder/lib/python3.11/site-packages/pip\"\n"
                f"cat >\"$folder/bin/python\" <<'END'\n#!/bin/sh\n{inside}END\nchmod +x \"$folder/bin/python\"\n")
        self.tree.shim("python3", f"#!/bin/sh\ncase \"$*\" in *--without-pip*|*'-m venv'*{'' if ensurepip else 'never'}*) {make} ;;\n"
                                  f"*'-m venv'*) exit 1 ;; *'import pip'*) {'echo /its/own/pip' if has_pip else 'exit 1'} ;; esac\n")

    def report(self, **environment):
        code, out, err = self.tree.run("check", "--report", "made", environment=self.tree.environment(**environment))
        self.assertEqual(code, 0, err)  # it grades all the same
        return err

    def calls(self):
        return (self.place / "python").read_text()

    def test_each_reason_has_its_own_line(self):
        for log, said in (("OSError: [Errno 28] No space left on device", "the disk that holds"),
                          ("SSLCertVerificationError: CERTIFICATE_VERIFY_FAILED", "export PIP_CERT=FILE"),
                          ("ProxyError(Cannot connect to proxy., 407 Proxy Authentication Required)", "HTTPS_PROXY is http://a.proxy:3128"),
                          ("Failed to establish a new connection: Temporary failure in name resolution", "pip reaches no network"),
                          ("ERROR: No matching distribution found for matplotlib==3", "reports need Python 3.10"),
                          ("ERROR: something else", "ERROR: something else")):
            with self.subTest(log):
                shutil.rmtree(self.tree.root / ".venv", ignore_errors=True)
                self.pretend_python(f"echo '{log}'; exit 1")
                err = self.report(HTTPS_PROXY="http://a.proxy:3128")
                self.assertIn("pip could not install matplotlib and jinja2", err)
                self.assertIn(said, err)
                self.assertIn("WARPGRADE_WHEELS=wheels ./grader/warpgrade", err)

    def test_files_in_a_folder_serve_without_a_network(self):
        (self.place / "wheels").mkdir()
        self.pretend_python("exit 0")
        self.assertNotIn("could not", self.report(WARPGRADE_WHEELS=str(self.place / "wheels")))
        self.assertIn(f"--no-index --find-links {self.place}/wheels --requirement", self.calls())
        self.assertIn("WARPGRADE_WHEELS names no folder", self.report_again(WARPGRADE_WHEELS="/nonexistent"))

    def report_again(self, **environment):
        shutil.rmtree(self.tree.root / ".venv")
        return self.report(**environment)

    def test_a_python_whose_pip_is_a_package_of_its_own(self):
        self.pretend_python("exit 0", has_pip=True, ensurepip=False)
        self.assertNotIn("could not", self.report())
        self.assertIn("-I /its/own/pip install", self.calls())

    def test_without_any_pip_one_in_the_folder_of_files_serves(self):
        (self.place / "wheels").mkdir()
        (self.place / "wheels" / "pip-99-py3-none-any.whl").write_text("")
        self.pretend_python("exit 0", has_pip=False, ensurepip=False)
        self.assertNotIn("could not", self.report(WARPGRADE_WHEELS=str(self.place / "wheels")))
        self.assertIn(f"-I {self.place}/wheels/pip-99-py3-none-any.whl/pip install", self.calls())

    def test_without_any_pip_what_to_type_is_said(self):
        self.tree.pretend_debian(python3_venv="3.11")
        self.tree.shim("apt-get", "#!/bin/sh\nexit 100\n")
        self.pretend_python("exit 0", has_pip=False, ensurepip=False)
        self.assertRegex(self.report(), r"has no pip.*\n    (sudo )?apt-get install -y python3-venv\n")

    def test_what_takes_long_says_how_far_it_is(self):
        self.pretend_python("dd if=/dev/zero of=\"$TMPDIR/part\" bs=1M count=30 2>/dev/null; sleep 4; exit 0")
        self.assertRegex(self.report(), r"(?m)^warpgrade: fetching: [1-9]\d %$")


class Nvrtc(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="warpgrade nvrtc ")
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.tree = Tree(self.place / "kit")
        self.tree.run("check")
        self.environment = self.tree.environment(CUDA_PATH="", CUDA_HOME="")
        del self.environment["WARPGRADE_NVRTC"]
        # What this machine has is not looked at.
        self.tree.shim("ldconfig", "#!/bin/sh\n")
        finder = self.tree.root / "grader" / "launch" / "python.sh"
        finder.write_text(finder.read_text().replace("/usr/local/cuda", "/nonexistent/cuda"))

    def test_a_toolkits_is_found_once(self):
        library = self.place / "cuda" / "lib64" / "libnvrtc.so.13"
        library.parent.mkdir(parents=True)
        library.touch()
        environment = self.environment | {"CUDA_PATH": str(self.place / "cuda")}
        self.assertEqual(self.tree.run("doctor", environment=environment)[::2], (0, ""))
        self.assertEqual((self.tree.root / "build" / "notes" / "nvrtc").read_text(), f"{library}\n")

    def test_a_named_pythons_is_found_wherever_it_keeps_it(self):
        packages = self.place / "packages"
        library = packages / "nvidia" / "cu13" / "lib" / "libnvrtc.so.13"
        library.parent.mkdir(parents=True)
        library.touch()
        python = self.place / "python"
        python.write_text(f"#!/bin/sh\necho '{packages}'\n")
        python.chmod(0o755)
        self.tree.main.write_text(self.tree.main.read_text().replace("WARPGRADE_ROOT", "WARPGRADE_NVRTC"))
        found = subprocess.run([self.tree.launcher, "doctor"], text=True, capture_output=True,
                               env=self.environment | {"WARPGRADE_PYTHON": str(python)})
        self.assertIn(f"root={library}\n", found.stdout, found.stderr)

    def test_doctor_fetches_it_and_says_the_rest_where_it_cannot(self):
        self.tree.shim("python3", "#!/bin/sh\ncase \"$*\" in *venv*) exit 1 ;; esac\n")
        code, out, err = self.tree.run("doctor", environment=self.environment)
        self.assertEqual((code, out), (0, f"root={self.tree.root}\n[doctor]\n"))  # the program, which says what is missing
        self.assertIn("could not make .venv", err)
        self.assertEqual(self.tree.run("check", environment=self.environment)[0], 3)


if __name__ == "__main__":
    unittest.main()
