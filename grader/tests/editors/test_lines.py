"""`check --format line` as editors read it: VS Code by .vscode/tasks.json, Vim and Emacs as Getting started says."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build/release/grader")).resolve() / "warpgrade-bin"
TASKS = json.loads(re.sub(r"(?m)^\s*//.*$", "", (ROOT / ".vscode/tasks.json").read_text()))["tasks"]
MATCHERS = {task["label"]: task["problemMatcher"] for task in TASKS}
RIGHT = (ROOT / "solutions/transpose/1_naive_read.cu").read_text()
ENVIRONMENT = dict(os.environ, WARPGRADE_ROOT=str(ROOT), NO_COLOR="1")


def check(*words, cwd=ROOT, **more):
    return subprocess.run([BINARY, "check", "--device", "virtual", "--format", "line", *words], cwd=cwd, text=True,
                          capture_output=True, stdin=subprocess.DEVNULL, env=ENVIRONMENT, **more)


def problems(text):
    """(file, line, severity, code) of what VS Code lists."""
    pattern = MATCHERS["check this file"]["pattern"]
    found = [re.fullmatch(pattern["regexp"], line) for line in text.splitlines()]
    assert all(found), text
    return [tuple(one[pattern[name]] for name in ("file", "line", "severity", "code")) for one in found]


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Lines(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="warpgrade-lines-")
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name) / "transpose"
        self.folder.mkdir()
        self.file = self.folder / "1_naive_read.cu"

    def write(self, old="", new=""):
        assert old in RIGHT
        self.file.write_text(RIGHT.replace(old, new))

    def test_a_right_file_has_no_line(self):
        self.write()
        done = check(self.file)
        self.assertEqual((done.returncode, [severity for _, _, severity, _ in problems(done.stdout) if severity != "note"]), (0, []))
        self.assertIn("warpgrade: transpose/naive_read: done, 32 of 32 shapes right", done.stderr)

    def test_what_does_not_compile_is_at_its_line(self):
        self.write("rows, int cols) {", "rows, int cols) {\n    int x = colls;")
        done = check(self.file.name, cwd=self.folder)
        line = next(number for number, text in enumerate(self.file.read_text().splitlines(), 1) if "colls" in text)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(problems(done.stdout)[0], (self.file.name, str(line), "error", "compile"))

    def test_each_stage_is_written_as_it_ends_and_stubs_have_a_note(self):
        done = check("assignments/transpose/1_naive_read.cu", "assignments/transpose/2_naive_write.cu")
        self.assertEqual(done.returncode, 1)
        found = problems(done.stdout)
        self.assertEqual([(Path(file).name, severity, code) for file, _, severity, code in found],
                         [("1_naive_read.cu", "note", "not_attempted"), ("2_naive_write.cu", "note", "not_attempted")])
        for file, line, _, _ in found:
            self.assertIn("TODO 1", (ROOT / file).read_text().splitlines()[int(line) - 1])

    def test_another_format_is_named(self):
        done = subprocess.run([BINARY, "check", "--format", "lines"], capture_output=True, text=True, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 2)
        self.assertIn("`--format line`", done.stderr)
        self.assertIn("choices: text, json, line", done.stderr)

    def test_watching_says_where_a_check_begins_and_ends(self):
        self.write("int cols) {", "int cols) {\n    int x = colls;")
        marks = MATCHERS["check this file whenever it is saved"]["background"]
        output = self.folder / "output"
        with open(output, "w", encoding="utf-8") as both, subprocess.Popen(
                [BINARY, "check", "--device", "virtual", "--watch", "--format", "line", self.file], stdin=subprocess.DEVNULL,
                stdout=both, stderr=both, env=ENVIRONMENT) as child:
            try:
                kinds = self.wait_for(output, marks, 1)
                self.assertEqual((kinds[0], kinds[-1]), ("begins", "ends"))
                self.assertIn("problem", kinds)
                self.write()
                kinds = self.wait_for(output, marks, 2)
                again = kinds[kinds.index("ends") + 1:]
                self.assertEqual((again[0], again[-1]), ("begins", "ends"))
            finally:
                child.kill()

    def wait_for(self, output, marks, count):
        """What each line is, once so many checks have ended."""
        end = time.monotonic() + 240
        while time.monotonic() < end:
            lines = output.read_text(encoding="utf-8").splitlines()
            kinds = ["begins" if re.search(marks["beginsPattern"], line) else "ends" if re.search(marks["endsPattern"], line)
                     else "problem" if re.fullmatch(MATCHERS["check this file"]["pattern"]["regexp"], line) else "other"
                     for line in lines]
            if kinds.count("ends") >= count:
                return kinds
            time.sleep(0.1)
        self.fail(output.read_text(encoding="utf-8"))

    def messages(self):
        self.write("rows, int cols) {", "rows, int cols) {\n    int x = colls;")
        return check(self.file).stdout

    @unittest.skipUnless(shutil.which("vim"), "skipped: there is no vim here (Debian: apt-get install vim)")
    def test_vim_lists_them(self):
        handout = (ROOT / "handouts/getting_started.md").read_text(encoding="utf-8")
        settings = re.search(r"(?s)```vim\n(.*?)```", handout)[1]
        program = re.search(r"(?m)^set makeprg=(.*)$", settings)[1].replace("\\ ", " ")
        self.assertEqual(program, "./grader/warpgrade check --format line %")
        (self.folder / "out.txt").write_text("check\n" + self.messages())
        (self.folder / "vimrc").write_text(settings + "cgetfile out.txt\ncall writefile([json_encode(map(getqflist(), "
                                           "{_, one -> [bufname(one.bufnr), one.lnum, one.type, one.text]}))], 'list.json')\nqa!\n")
        subprocess.run(["vim", "-Nu", "NONE", "-es", "-S", "vimrc"], cwd=self.folder, stdin=subprocess.DEVNULL, timeout=60)
        first = next(one for one in json.loads((self.folder / "list.json").read_text()) if one[0])
        self.assertEqual([Path(first[0]).name, first[2]], [self.file.name, "e"])
        self.assertIn("colls", self.file.read_text().splitlines()[first[1] - 1])
        self.assertIn("colls", first[3])

    @unittest.skipUnless(shutil.which("emacs"), "skipped: there is no emacs here (Debian: apt-get install emacs-nox)")
    def test_emacs_goes_to_them(self):
        (self.folder / "out.txt").write_text("check\n" + self.messages())
        program = ('(progn (find-file "out.txt") (compilation-mode) (goto-char (point-min)) (compilation-next-error 1)'
                   ' (compile-goto-error) (message "at %s:%d" (buffer-name) (line-number-at-pos)))')
        said = subprocess.run(["emacs", "--batch", "-Q", "--eval", program], cwd=self.folder, capture_output=True, text=True).stderr
        place = re.search(r"at 1_naive_read\.cu:(\d+)", said)
        self.assertIsNotNone(place, said)
        self.assertIn("colls", self.file.read_text().splitlines()[int(place[1]) - 1])


if __name__ == "__main__":
    unittest.main()
