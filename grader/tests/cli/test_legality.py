"""What nvcc refuses is refused, on the line that it names; what nvcc takes is taken.

grader/tests/legality/{refused,taken}/*.cu: the folder is the verdict of `nvcc -std=c++17 -arch=sm_80 -c`, and a line that
ends in `// refused` is the first that it names (none where the assembler refuses, which names no line); program_refused
and program_taken hold whole programs, for `run`. Where nvcc exists, it is asked again about a part of them, and of the stubs, solutions, wrong programs and files of the corpus;
with WARPGRADE_ALL=1 about all, which takes half an hour."""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "grader/tests/support"))
from part import part_of  # noqa: E402

FILES = ROOT / "grader/tests/legality"
PROGRAM = pathlib.Path(os.environ["WARPGRADE_BINARY_DIR"]) / "warpgrade-bin"
NVCC = shutil.which("nvcc") or next(iter(map(str, pathlib.Path("/usr/local/cuda/bin").glob("nvcc"))), None)

# What only the kit refuses: a submission is no host program (include_scan, advice, launcher). nvcc takes these.
OURS = {"host_vector", "library_reduction", "memory_copy_in_launcher", "own_main", "stream_of_its_own", "include_of_a_secret",
        "include_by_macro", "include_by_parent_path", "static_constructor", "empty_file", "template_missing",
        # of grader/tests/mistakes: <vector>, main, <thrust/...>, <bits/stdc++.h>
        *(f"transpose__naive_read__{number}" for number in ("022", "024", "050", "313"))}

OF_THE_LINKER = {"thread_index_in_launcher", "transpose__naive_read__533"}


def verdicts(paths, stage, shape):
    """path -> (does it compile, line of the first error)"""
    of_launcher = ["--shape", shape] if shape else []
    done = subprocess.run([PROGRAM, "check", *map(str, paths), "--stage", stage, *of_launcher, "--format", "json"],
                          capture_output=True, text=True, cwd=ROOT, env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
    found = {}
    for result in json.loads(done.stdout)["stages"]:
        errors = [m for m in result["compile"]["diagnostics"] if m["severity"] == "error"]
        errors += [f for f in result["findings"] if f["kind"] == "undefined_function"]  # nvcc's assembler refuses these
        found[result["source"]] = not errors and result["compile"]["ok"], errors[0]["line"] if errors else 0
    return found


def of_program(path):
    """The same of a whole program, by `run`"""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, "run", path, "--format", "json", "--out", f"{folder}/out.json"], stdin=subprocess.DEVNULL,
                       capture_output=True, cwd=ROOT, env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
        result = json.loads(pathlib.Path(folder, "out.json").read_text())
    return result["compiles"], next((f["line"] for f in result["findings"] if f["kind"] == "compile"), 0)


# A template is looked at in full only where somebody asks for a type.
INSTANCES = "".join(f"\ntemplate void transpose(const {t}*, {t}*, int, int);" for t in ("unsigned char", "float", "double", "float4"))


def asked(path, instances=""):
    """nvcc's verdict, the same way"""
    with tempfile.TemporaryDirectory() as folder:
        if instances:
            path = shutil.copy(path, folder)
            with open(path, "a", encoding="utf-8") as file:
                file.write(instances)
            path = pathlib.Path(path)
        # What is only declared is missed by the linker, where the launcher calls or reads it.
        is_linked = path.parent.name == "undefined_function" or path.stem in OF_THE_LINKER
        ends = ["-shared", "-Xcompiler=-fPIC", "-Xlinker=-zdefs"] if is_linked else ["-c"]
        for arch in ("sm_80", "sm_90"):  # some of the corpus use what only the younger one has
            done = subprocess.run([NVCC, "-std=c++17", f"-arch={arch}", *ends, str(path), "-o", folder + "/a.o"],
                                  capture_output=True, text=True)
            if done.returncode == 0 or path.parent.parent == FILES:
                break
    line = re.search(r"\.cu[(:](\d+)[):].* error", done.stderr)
    return done.returncode == 0, int(line[1]) if line else 0


def marked(path):
    lines = path.read_text().splitlines()
    return next((n for n, line in enumerate(lines, 1) if line.endswith("// refused")), 0)


def stage_of(path):
    text = path.read_text(errors="replace")
    if match := re.match(r"// stage: (\S+)", text):
        return match[1]
    if match := re.match(r"// expect: stage=(\S+)", text):
        return f"{path.parent.parent.name}/{match[1]}"
    if path.parent.name == "mistakes":
        return "/".join(path.stem.split("__")[:2])
    return f"{path.parent.name}/{path.stem.split('_', 1)[1]}"


def shape_of(stage):
    assignment, name = stage.split("/")
    text = (ROOT / f"assignments/{assignment}/assignment.toml").read_text()
    problems = re.findall(r'(?m)^problem = "(\w+)"', text.split("[[stage]]")[0])
    for part in text.split("[[stage]]")[1:]:
        if re.search(rf'(?m)^id = "{name}"', part):
            problems += re.findall(r'(?m)^problem = "(\w+)"', part)
    if not problems:
        return ""  # of a whole program
    return "1" if problems[-1] in ("reduction", "scan", "histogram") else "1x1"


class Legality(unittest.TestCase):
    def test_each_file_is_as_its_folder_says(self):
        refused, taken = sorted(FILES.glob("refused/*.cu")), sorted(FILES.glob("taken/*.cu"))
        self.assertGreaterEqual(len(refused) + len(taken), 60)
        found = verdicts(refused + taken, "transpose/naive_read", "1x1")
        for path in refused:
            with self.subTest(path.name):
                self.assertEqual((False, marked(path)), found[str(path)])
        for path in taken:
            with self.subTest(path.name):
                self.assertEqual((True, 0), found[str(path)])

    def test_each_program_is_as_its_folder_says(self):
        programs = sorted(FILES.glob("program_*/*.cu"))
        self.assertGreaterEqual(len(programs), 25)
        for path in programs:
            with self.subTest(path.name):
                self.assertEqual((path.parent.name == "program_taken", marked(path)), of_program(path))

    @unittest.skipUnless(NVCC, "skipped: there is no nvcc here")
    def test_nvcc_says_the_same(self):
        paths = part_of(sorted(FILES.glob("*/*.cu")), 40, "files of legality/")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for path, (takes, line) in zip(paths, pool.map(asked, paths)):
                with self.subTest(path.name):
                    self.assertEqual(path.parent.name.endswith("taken"), takes)
                    if line != 0:
                        self.assertEqual(marked(path), line)

    @unittest.skipUnless(NVCC, "skipped: there is no nvcc here")
    def test_nvcc_says_the_same_of_every_other_file(self):
        course = sorted([*ROOT.glob("assignments/*/[0-9]*.cu"), *ROOT.glob("solutions/*/*.cu")])
        others = sorted([*ROOT.glob("solutions/*/wrong/*.cu"), *ROOT.glob("grader/tests/submissions/*/*.cu"),
                         *ROOT.glob("grader/tests/mistakes/*.cu")])
        paths = part_of(course, 42, "stubs and solutions") + part_of(others, 400, "wrong programs and files of the corpus")
        paths = [p for p in paths if p.stem not in OURS and p.parent.name not in ("too_large", "ptx_syntax", "unsupported")]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            said = pool.map(lambda path: verdicts([path], stage_of(path), shape_of(stage_of(path)))[str(path)][0], paths)
            for path, (takes, line), is_taken in zip(paths, pool.map(asked, paths), said):
                with self.subTest(path.name):
                    if takes and not is_taken and stage_of(path) == "transpose/any_type":
                        takes, line = asked(path, INSTANCES)
                    self.assertEqual(takes, is_taken, line)


if __name__ == "__main__":
    unittest.main()
