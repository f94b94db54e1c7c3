"""The student kit: what is in it, what is not, and that it works."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from grading import BINARY, ROOT  # noqa: E402

SEED = "98765432101234"
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".cache", "tests", "bench", "lab")


def run(root, *words, cwd=None):
    return subprocess.run([BINARY, *words], cwd=cwd, text=True, capture_output=True, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, WARPGRADE_ROOT=str(root), NO_COLOR="1"))


def texts(folder):
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8", errors="replace")


def code_lines(text):
    """Lines without blanks and comments, apart from those that say nothing."""
    lines = (re.sub(r"\s+", "", line.split("//")[0]) for line in text.splitlines())
    return [line for line in lines if len(line) > 3]


class Copy(unittest.TestCase):
    """A course of our own, so that nothing of the real one is touched."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="warpgrade-release-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.place = Path(cls.folder.name)
        cls.root, cls.out = cls.place / "course", cls.place / "out"
        cls.root.mkdir()
        for name in ("assignments", "solutions", "grader", "handouts", "reports", ".github", ".vscode"):
            shutil.copytree(ROOT / name, cls.root / name, ignore=LEFT_OUT, symlinks=True)
        for name in ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md"):
            shutil.copy(ROOT / name, cls.root / name)
        # In place of thousands of files, one of each kind that must stay out.
        for name in ("grader/tests/submissions/right/tile.cu", "reports/tests/test_page.py", "grader/bench/bench.cpp",
                     "grader/lab/lab.cpp"):
            (cls.root / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.root / name).write_text("not for students")
        (cls.root / "solutions" / "seed").write_text(SEED + "\n")
        for machine in ("aarch64", "x86_64"):
            cls.make_program(machine, b"\x7fELF\0made up for " + machine.encode())

    @classmethod
    def make_program(cls, machine, content):
        """What grader/launch/programs.sh leaves after a build of minutes, which test_programs.py tries."""
        path = cls.root / "build" / "programs" / machine / "warpgrade-bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    @classmethod
    def release(cls, out=None):
        return run(cls.root, "release", "--out", out or cls.out)


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Kit(Copy):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.root / "exam.md").write_text("question 1")
        (cls.root / "assignments" / "transpose" / "my_solution.cu").write_text("secret")
        (cls.root / "grader" / "cli" / "notes").symlink_to("/etc/passwd")
        pages = cls.root / "build" / "handouts"
        pages.mkdir(parents=True)
        for name in ("transpose", "transpose_4_padding", "transpose_worked", "transposed", "answers"):
            (pages / f"{name}.html").write_text("a page")
        answer = cls.release()
        assert answer.returncode == 0, answer.stderr
        cls.kit = cls.out / "warpgrade"

    def test_the_archive_is_the_folder_and_the_same_every_time(self):
        with tarfile.open(self.out / "warpgrade.tar.gz") as archive:
            members = archive.getmembers()
            packed = {member.name: archive.extractfile(member).read() for member in members}
        self.assertEqual(packed, {f"warpgrade/{name}": (self.kit / name).read_bytes() for name, _ in texts(self.kit)})
        self.assertEqual({(member.mtime, member.uid, member.uname) for member in members}, {(0, 0, "")})
        self.assertTrue(next(m for m in members if m.name == "warpgrade/grader/warpgrade").mode & 0o100)
        for path in self.root.rglob("*"):  # times do not matter
            os.utime(path, (1e9, 1e9), follow_symlinks=False)
        for _ in range(2):  # the second time it replaces its own
            self.assertEqual(self.release(self.place / "again").returncode, 0)
            self.assertEqual((self.out / "warpgrade.tar.gz").read_bytes(),
                             (self.place / "again" / "warpgrade.tar.gz").read_bytes())

    def test_what_is_in_it(self):
        names = {name for name, _ in texts(self.kit)}
        self.assertEqual({name.split("/")[0] for name in names},
                         {".vscode", "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "assignments", "grader",
                          "handouts", "reports"})
        for name in names:
            for word in ("solutions/", "seed.toml", "instructor", "answers", "tests/", "submissions", "/notes", "my_"):
                self.assertNotIn(word, name)
        stubs = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("assignments/*/[0-9]*_*.cu")}
        problems = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("assignments/*/problem.*")}
        editor = {path.relative_to(ROOT).as_posix() for path in (ROOT / "assignments/editor").rglob("*") if path.is_file()}
        editor |= {"assignments/compile_flags.txt", "assignments/editor.h"}
        self.assertEqual(stubs | problems | editor, {name for name in names if name.startswith("assignments/")
                                                     and not name.endswith("/assignment.toml")})
        self.assertLessEqual({"handouts/warpgrade.ipynb", "handouts/compile_flags.txt", ".vscode/tasks.json"}, names)
        for stub in stubs:
            self.assertEqual((self.kit / stub).read_bytes(), (ROOT / stub).read_bytes())

    def test_a_handout_brings_its_pages(self):
        self.assertEqual({path.name for path in (self.kit / "handouts").glob("*.html")},
                         {"transpose.html", "transpose_4_padding.html", "transpose_worked.html"})
        self.assertTrue((self.kit / "handouts" / "worked" / "scan.cu").is_file())

    def test_programs_are_packed_where_the_launcher_looks(self):
        program = self.kit / "grader/programs/aarch64/warpgrade-bin"
        self.assertEqual(program.read_bytes(), b"\x7fELF\0made up for aarch64")
        self.assertTrue(os.access(program, os.X_OK))
        with tarfile.open(self.out / "warpgrade.tar.gz") as archive:
            self.assertEqual(archive.getmember("warpgrade/grader/programs/x86_64/warpgrade-bin").mode, 0o755)
        answer = run(self.root, "release", "--out", self.place / "bare", "--without-programs")
        self.assertIn("programs none; students build it from source", answer.stdout, answer.stderr)
        self.assertFalse((self.place / "bare/warpgrade/grader/programs").exists())

    def test_no_file_holds_the_seed(self):
        for name, text in texts(self.kit):
            self.assertNotIn(SEED, text, name)

    def test_no_file_holds_three_lines_of_a_solution_in_a_row(self):
        handed_out = set()
        for path in ROOT.glob("assignments/*/*.cu"):
            handed_out.update(code_lines(path.read_text(encoding="utf-8")))
        runs = {}
        for path in ROOT.glob("solutions/*/*.cu"):
            lines = code_lines(path.read_text(encoding="utf-8"))
            for i in range(len(lines) - 2):
                if not handed_out.intersection(lines[i:i + 3]):
                    runs["\n".join(lines[i:i + 3])] = path.name
        self.assertGreater(len(runs), 50)
        for name, text in texts(self.kit):
            whole = "\n".join(code_lines(text))
            for passage, solution in runs.items():
                self.assertNotIn(passage, whole, f"{name} holds lines of {solution}")

    def test_one_assignment_with_one_hint(self):
        out = self.place / "one"
        answer = run(self.root, "release", "--out", out, "--assignment", "transpose", "--hints", "1")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        kit = out / "warpgrade"
        # The worked example copies: a problem with a folder of its own.
        self.assertEqual(sorted(path.name for path in (kit / "assignments").iterdir()),
                         ["compile_flags.txt", "copy", "editor", "editor.h", "transpose"])
        self.assertEqual([path.name for path in (kit / "assignments/copy").iterdir()], ["problem.toml"])
        self.assertFalse((kit / "handouts" / "reduction.md").exists())
        self.assertTrue((kit / "handouts" / "warpgrade.ipynb").exists())
        for name, text in texts(kit):
            if name.endswith(".md"):
                self.assertNotIn("reduction/", text, name)
                for target in re.findall(r"\]\(([^)#:]+)\)", text):
                    self.assertTrue(((kit / name).parent / target).exists(), f"{name}: {target}")
        hint = lambda level: run(kit, "hint", "transpose/padding", "--level", level, cwd=kit)  # noqa: E731
        self.assertEqual(hint("1").returncode, 0, hint("1").stderr)
        self.assertEqual(hint("2").returncode, 2)
        self.assertIn("padding", run(kit, "list", cwd=kit).stdout)
        self.assertEqual(run(self.root, "release", "--assignment", "transposed").returncode, 2)

    def test_solutions_are_packed_where_they_are_asked_for_and_shown_to_who_is_done(self):
        self.assertFalse((self.kit / "grader" / "shown").exists())
        out = self.place / "shown"
        answer = run(self.root, "release", "--out", out, "--assignment", "warmup", "--solutions")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        kit, solution = out / "warpgrade", self.root / "solutions" / "warmup" / "2_guard.cu"
        self.assertFalse((kit / "handouts/warpgrade.ipynb").exists(), "it works on a stage that is not handed out")
        (kit / "build").mkdir()
        self.assertEqual(run(kit, "solution", "guard", cwd=kit).returncode, 1)
        (kit / "assignments" / "warmup" / "2_guard.cu").write_text(solution.read_text().replace("i < n", "n > i"))
        self.assertEqual(run(kit, "check", "guard", cwd=kit).returncode, 0)
        shown = run(kit, "solution", "guard", cwd=kit)
        self.assertIn(solution.read_text().rstrip(), shown.stdout, shown.stderr)

    def test_links_of_its_documents_lead_somewhere(self):
        for path in self.kit.rglob("*.md"):
            for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
                self.assertTrue((path.parent / target).exists(), f"{path.name}: {target}")

    def test_a_student_can_work_with_it(self):
        kit = self.place / "mine"
        shutil.copytree(self.kit, kit, ignore=LEFT_OUT)
        shutil.rmtree(kit / "grader" / "programs")  # these do not run
        stub = run(kit, "check", "transpose/naive_read", cwd=kit)
        self.assertEqual(stub.returncode, 1, stub.stderr)
        self.assertIn("Not attempted yet", stub.stdout)
        shutil.copy(ROOT / "solutions/transpose/1_naive_read.cu", kit / "assignments/transpose/1_naive_read.cu")
        solved = run(kit, "check", "transpose/naive_read", cwd=kit)
        self.assertEqual(solved.returncode, 0, solved.stdout + solved.stderr)
        self.assertIn("32 of 32 shapes right", solved.stdout)
        self.assertIn("naive_write", run(kit, "list", cwd=kit).stdout)
        for verb in ("demo", "test", "handouts"):
            answer = subprocess.run([kit / "grader" / "warpgrade", verb], text=True, capture_output=True)
            self.assertEqual((answer.returncode, answer.stderr), (2, f"warpgrade: `{verb}` is not in the student kit\n"))

    def test_no_source_needs_what_is_not_there(self):
        sources = [path for path in (self.kit / "grader").rglob("*") if path.suffix in (".cpp", ".hpp")]
        self.assertGreater(len(sources), 100)
        for path in sources:
            for name in re.findall(r'^#include "(.+)"', path.read_text(encoding="utf-8"), re.M):
                self.assertTrue((self.kit / "grader" / name).exists() or (path.parent / name).exists(), f"{path}: {name}")

    @unittest.skipUnless(shutil.which("ninja"), "make cannot say what it would build")
    def test_it_can_be_built(self):
        build = self.place / "build"
        made = subprocess.run(["cmake", "-G", "Ninja", "-S", self.kit, "-B", build, "-DCMAKE_BUILD_TYPE=Release"],
                              text=True, capture_output=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        # Compiling it all again would take minutes; this says that every file is there.
        steps = subprocess.run(["ninja", "-C", build, "-n", "warpgrade-bin"], text=True, capture_output=True)
        self.assertEqual(steps.returncode, 0, steps.stdout[-2000:] + steps.stderr)
        tests = subprocess.run(["ctest", "--test-dir", build, "-N", "-L", "student"], text=True, capture_output=True)
        self.assertIn("student.transpose.padding", tests.stdout)


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Refusals(Copy):
    def refused(self, path, change, *said):
        """A file of the course is changed, and the kit is not made."""
        before = (self.root / path).read_text(encoding="utf-8")
        self.addCleanup((self.root / path).write_text, before, encoding="utf-8")
        (self.root / path).write_text(change(before), encoding="utf-8")
        answer = self.release()
        self.assertEqual(answer.returncode, 2, answer.stdout)
        for words in said:
            self.assertIn(words, answer.stderr)
        self.assertFalse(self.out.exists())

    def solution(self):
        return (self.root / "solutions/transpose/4_padding.cu").read_text(encoding="utf-8")

    def test_a_stub_that_is_filled_in(self):
        self.refused("assignments/transpose/4_padding.cu", lambda _: self.solution(),
                     "this is not the stub that is handed out")

    def test_all_stubs_that_are_filled_in_are_named(self):
        stub = self.root / "assignments/transpose/2_naive_write.cu"
        before = stub.read_text(encoding="utf-8")
        self.addCleanup(stub.write_text, before, encoding="utf-8")
        stub.write_text(before + "// mine\n", encoding="utf-8")
        self.refused("assignments/transpose/4_padding.cu", lambda _: self.solution(),
                     "2 files are not the stubs that are handed out", "2_naive_write.cu", "4_padding.cu")

    def test_a_handout_that_holds_a_solution(self):
        self.refused("handouts/transpose.md", lambda text: text + "\n```cpp\n" + self.solution() + "```\n",
                     "error[leaks_solution]", "solutions/transpose/")

    def test_a_program_that_holds_a_solution_or_the_seed(self):
        before = (self.root / "build/programs/x86_64/warpgrade-bin").read_bytes()
        self.addCleanup(self.make_program, "x86_64", before)
        texts_of_one = {"a solution": self.solution().encode(), "its lines apart": self.solution().replace("\n", "\0").encode(),
                        "the seed": f"seed {SEED}".encode()}
        for what, text in texts_of_one.items():
            self.make_program("x86_64", b"\x7fELF\1\0" + text + b"\0\2")
            answer = self.release()
            self.assertEqual(answer.returncode, 2, what)
            self.assertIn("error[leaks_", answer.stderr, what)

    def test_a_file_that_holds_the_seed(self):
        self.refused("reports/__init__.py", lambda text: f"{text}\nSEED = {SEED}\n",
                     "this file holds the course's seed")

    def test_a_folder_that_is_no_kit_is_not_replaced(self):
        out = self.place / "thesis"
        (out / "warpgrade").mkdir(parents=True)
        (out / "warpgrade" / "thesis.tex").write_text("precious")
        answer = self.release(out)
        self.assertEqual(answer.returncode, 2)
        self.assertTrue((out / "warpgrade" / "thesis.tex").exists())


if __name__ == "__main__":
    unittest.main()
