"""Whole programs, as courses hand them out: each prints what it prints with nvcc on a card, and nothing is found.

NAME.out is what a card prints; `// arguments:` and `// input:` at the top of a program are its own. Where nvcc is, each is
compiled by it too, so that the files stay ordinary programs; tests/hardware/programs.py runs them on a card."""

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

PROGRAM = Path(os.environ["WARPGRADE_BINARY_DIR"]) / "warpgrade-bin"
HERE = Path(__file__).parent
PROGRAMS = sorted(path.with_suffix("") if path.with_suffix("").is_dir() else path.with_suffix(".cu") for path in HERE.glob("*.out"))


def files_of(program):
    return sorted(program.glob("*.cu")) if program.is_dir() else [program]


def directive(path, name):
    for file in files_of(path):
        if found := re.search(rf"(?m)^// {name}: (.*)$", file.read_text()):
            return found[1]
    return ""


def run(path, *options, arguments=(), stdin=""):
    return subprocess.run([PROGRAM, "run", path, *options, "--", *arguments], input=stdin, capture_output=True, text=True,
                          env={**os.environ, "WARPGRADE_ROOT": str(ROOT)}, cwd=ROOT)


class Programs(unittest.TestCase):
    def test_each_prints_what_a_card_prints(self):
        self.assertGreater(len(PROGRAMS), 10)
        for path in part_of(PROGRAMS, 7, "programs that print"):
            with self.subTest(path.stem):
                stdin = directive(path, "input").replace("\\n", "\n")
                done = run(path.relative_to(ROOT), arguments=directive(path, "arguments").split(), stdin=stdin)
                self.assertEqual(done.stdout, path.with_suffix(".out").read_text())
                self.assertEqual(done.stderr, directive(path, "errors"))
                self.assertEqual(done.returncode, int(directive(path, "exit") or 0))

    def test_each_is_an_ordinary_program(self):
        nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
        if not nvcc:
            self.skipTest("skipped: nvcc is not here")
        for path in part_of(PROGRAMS, 15, "programs for nvcc"):
            with self.subTest(path.stem), tempfile.TemporaryDirectory() as folder:
                for file in files_of(path):
                    done = subprocess.run([nvcc, "-std=c++17", "-arch=sm_90", "-dc", file, "-o", f"{folder}/a.o"], capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_standard_output_is_the_program_s_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "run.json"
            done = run(HERE / "mistakes/leak.cu", "--format", "json", "--out", out)
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            self.assertIn("warning[leak]", done.stderr)
            told = json.loads(out.read_text())
            self.assertEqual((told["schema"], told["exit_code"]), ("warpgrade.run/1", 0))
            self.assertEqual([(f["kind"], f["line"]) for f in told["findings"]], [("leak", 3)])

    def test_the_exit_code_is_the_program_s(self):
        programs = {"int main() { return 5; }": 5, "#include <cstdlib>\nint main() { exit(300); }": 44,
                    "#include <cassert>\nint main(int argc, char**) { assert(argc > 5); }": 134,
                    "int main(int argc, char**) { int *p = (int *)(long)(argc - 1); *p = 1; }": 139, "int main() { return 1 }": 1, "void main() {}": 1,
                    "__global__ void k() {}\nint main() { k(); }": 1}
        with tempfile.TemporaryDirectory() as folder:
            for text, code in programs.items():
                with self.subTest(text):
                    path = Path(folder) / "program.cu"
                    path.write_text(text)
                    self.assertEqual(run(path).returncode, code)

    def test_no_program_harms_the_kit(self):
        """Sizes that wrap, handles that were destroyed, far too much of everything: an exit code of the program's or 1, no
        signal and no defect."""
        for path in sorted(HERE.glob("hostile/*.cu")):
            with self.subTest(path.stem):
                done = run(path.relative_to(ROOT))
                self.assertIn(done.returncode, (0, 1, 134, 139), done.stderr)
                self.assertNotIn("error[defect]", done.stderr)
                self.assertEqual(done.stderr.count("error[") > 0, done.returncode != 0)
                wanted = path.with_suffix(".out")
                if wanted.exists():
                    self.assertEqual(done.stdout, wanted.read_text())

    def test_what_is_found_names_the_file_and_its_line(self):
        files = {"main.cu": '#include "sub/kernels.cuh"\n#include "sub/kernels.cuh"\nint count();\n'
                            'int main() {\n    int *d;\n    cudaMalloc(&d, 40);\n    set<<<1, count()>>>(d);\n    cudaFree(d);\n}\n',
                 "sub/kernels.cuh": "#pragma once\n\n__global__ void set(int *p) {\n    p[threadIdx.x] = 1;\n}\n",
                 "other.cu": "int count() { return 11; }\n"}
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "sub").mkdir()
            for file, text in files.items():
                (folder / file).write_text(text)
            done = run(folder, "--format", "json", "--out", folder / "run.json")
            self.assertIn(f"--> {folder}/sub/kernels.cuh:4:5", done.stderr)
            told = json.loads((folder / "run.json").read_text())
            self.assertEqual((told["launches"][0]["path"], told["launches"][0]["line"]), (f"{folder}/main.cu", 7))
            self.assertEqual((told["findings"][0]["path"], told["findings"][0]["line"]), (f"{folder}/sub/kernels.cuh", 4))
            self.assertIn(f"{folder}/main.cu:7:", run(folder / "main.cu").stderr)  # count() is in another file
            (folder / "loop.cu").write_text('#include "loop.cu"\nint main() {}\n')
            self.assertIn("error[include_depth]", run(folder / "loop.cu").stderr)
            (folder / "up.cu").write_text('#include "../up.h"\nint main() {}\n')
            self.assertIn("includes its own files by their name", run(folder / "up.cu").stderr)

    def test_a_report_is_made_of_a_run(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            done = run(HERE / "mistakes/host_pointer.cu", "--report", folder)
            self.assertIn("error[host_pointer]", done.stderr)
            self.assertEqual(done.returncode, 1)
            if not (ROOT / ".venv").is_dir():
                self.skipTest("skipped: the package of reports is not here")
            page = (folder / "report.html").read_text()
            self.assertIn("<h1>host_pointer</h1>", page)
            self.assertIn("host_pointer], line 5", page)
            self.assertIn("What each line", page)
            self.assertNotIn("0 of 0", page)
            for program in (HERE / "several_files", ROOT / "grader/tests/legality/program_refused/vector_in_kernel.cu"):
                done = run(program, "--report", folder / program.stem)
                self.assertNotEqual(done.returncode, 2)
                self.assertIn(f"<h1>{program.stem}</h1>", (folder / program.stem / "report.html").read_text())

    def test_what_is_missing_is_said_to_be_missing(self):
        lacking = {"int main() { cudaGraph_t g; cudaGraphCreateSomething(&g, 0); }": "`run` does not have `cudaGraphCreateSomething`",
                   "#include <vector>\nint main() { std::vektor<int> v; }": "`run` does not have `std::vektor`"}
        with tempfile.TemporaryDirectory() as folder:
            for text, said in lacking.items():
                path = Path(folder) / "program.cu"
                path.write_text(text)
                self.assertIn(said, run(path).stderr)

    def test_the_kernels_of_a_program_are_explained(self):
        done = subprocess.run([PROGRAM, "explain", "grader/tests/programs/vector_add.cu"], capture_output=True, text=True, cwd=ROOT,
                              env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"global load +314 ")
        done = subprocess.run([PROGRAM, "explain", "grader/tests/programs/vector_add.cu", "--", "64"], capture_output=True, text=True,
                              cwd=ROOT, env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("all warps, run 64", done.stdout)

    def test_what_is_asked_wrongly(self):
        for words in (["no_such_file.cu"], [], ["a.cu", "--format", "json"], ["a.cu", "--out", "a.json"], ["a.cu", "--colour"]):
            with self.subTest(words):
                done = subprocess.run([PROGRAM, "run", *words], capture_output=True, text=True, cwd=ROOT,
                                      env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)


class Mistakes(unittest.TestCase):
    """Each program makes one mistake. NAME.txt is what is said of it; the text after `// right:` in place of its line makes
    the right twin, of which nothing is said."""

    MISTAKES = sorted(HERE.glob("mistakes/*.cu"))

    def test_each_is_found(self):
        self.assertGreater(len(self.MISTAKES), 20)
        for path in part_of(self.MISTAKES, 5, "mistakes of programs"):
            with self.subTest(path.stem):
                done = run(path.relative_to(ROOT))
                golden = path.with_suffix(".txt")
                self.assertRegex(done.stderr, r"^(error|warning)\[")
                if "WARPGRADE_BLESS" in os.environ:
                    golden.write_text(done.stderr)
                self.assertEqual(done.stderr, golden.read_text())
                self.assertEqual(done.returncode != 0, "error[" in done.stderr)

    def test_nothing_is_found_in_the_right_twins(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in part_of(self.MISTAKES, 5, "right twins"):
                with self.subTest(path.stem):
                    text = path.read_text()
                    self.assertIn("// right:", text)
                    twin = Path(folder) / path.name
                    twin.write_text(re.sub(r"(?m)^( *)\S.*?// right: ?(.*)$", r"\1\2", text))
                    done = run(twin)
                    self.assertEqual((done.stderr, done.returncode), ("", 0))


if __name__ == "__main__":
    unittest.main()
