"""README and CONTRIBUTING stay true: the commands in their code blocks exist, and those marked `sh run` work."""

import json
import os
import re
import shlex
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY_DIR = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader"))
BINARY = BINARY_DIR / "warpgrade-bin"
DOCUMENTS = ("README.md", ".github/CONTRIBUTING.md")
LAUNCHER_VERBS = ("demo", "test", "plot", "handouts")  # those that the launcher answers itself


def blocks(document):
    """(is_runnable, lines) of each shell block."""
    text = (ROOT / document).read_text(encoding="utf-8")
    for mark, body in re.findall(r"^```sh( run)?\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        yield bool(mark), [line for line in body.splitlines() if line.strip()]


def commands():
    """(document, words) of each command line, without its comment and its redirection."""
    for document in DOCUMENTS:
        for _, lines in blocks(document):
            for line in lines:
                words = shlex.split(line, comments=True)
                yield document, words[:words.index(">")] if ">" in words else words


def run(words):
    environment = dict(os.environ, WARPGRADE_ROOT=str(ROOT))
    return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL)


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class Verbs(unittest.TestCase):
    def of_the_launcher(self):
        found = [(document, words[1:]) for document, words in commands() if words[0] == "./grader/warpgrade"]
        self.assertGreater(len(found), 8)
        return found

    def test_verbs_and_options_exist(self):
        for document, (verb, *arguments) in self.of_the_launcher():
            if verb in LAUNCHER_VERBS:
                self.assertRegex((ROOT / "grader" / "warpgrade").read_text(), rf"(?m)^ +(\w+ \| )*{verb}( \| \w+)*\)")
                continue
            with self.subTest(document=document, verb=verb):
                answer = run([BINARY, verb, "--help"])
                self.assertEqual(answer.returncode, 0, answer.stderr)
                for option in (word for word in arguments if word.startswith("--")):
                    self.assertIn(option, answer.stdout)

    def test_stages_and_files_exist(self):
        for document, (_, *arguments) in self.of_the_launcher():
            for word in arguments:
                with self.subTest(document=document, word=word):
                    if re.match(r"(assignments|solutions)/", word):
                        self.assertTrue(list(ROOT.glob(word)))
                    elif re.fullmatch(r"[a-z]+/[a-z_]+", word) and not word.startswith("build/"):
                        assignment, stage = word.split("/")
                        self.assertTrue(list((ROOT / "assignments" / assignment).glob(f"[0-9]*_{stage}.cu")))

    def test_commands_marked_as_runnable_work(self):
        lines = [line for document in DOCUMENTS for is_runnable, body in blocks(document) if is_runnable for line in body]
        self.assertGreater(len(lines), 1)
        for line in lines:
            with self.subTest(line):
                # The program that is under test, in place of the launcher, which would build another.
                words = [str(BINARY) if word == "./grader/warpgrade" else word for word in shlex.split(line)]
                answer = run(words)
                self.assertEqual(answer.returncode, 0, answer.stderr)
                self.assertTrue(answer.stdout)


class Names(unittest.TestCase):
    def test_presets_exist(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        tests = {preset["name"] for preset in presets["testPresets"]}
        workflows = {preset["name"] for preset in presets["workflowPresets"]}
        used = [words for _, words in commands() if "--preset" in words]
        self.assertTrue(used)
        for words in used:
            known = tests if words[0] == "ctest" else workflows
            self.assertIn(words[words.index("--preset") + 1], known)

    @unittest.skipUnless((BINARY_DIR / "tests" / "test_ptx").exists(), "the tests are not built")
    def test_tests_that_are_named_exist(self):
        used = [(words[0], words[words.index(flag) + 1], flag) for _, words in commands() for flag in ("-R", "-L")
                if flag in words]
        self.assertTrue(used)
        for _, pattern, flag in used:
            listed = run(["ctest", "--test-dir", BINARY_DIR.parent, "-N", flag, pattern]).stdout
            with self.subTest(pattern):
                self.assertRegex(listed, r"Total Tests: [1-9]")

    def test_paths_in_backticks_and_links_exist(self):
        made_later = ("build/", ".venv", "warpgrade.", "solutions/seed")
        for document in DOCUMENTS:
            text = re.sub(r"^```.*?^```$", "", (ROOT / document).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
            paths = [path for path in re.findall(r"`([\w.]+/[\w./]*)`", text) if not path.startswith(made_later)]
            links = re.findall(r"\]\(([^)#]+)\)", text)
            self.assertTrue(paths)
            for path in paths + links:
                with self.subTest(document=document, path=path):
                    self.assertTrue((ROOT / path).exists())


if __name__ == "__main__":
    unittest.main()
