"""Every command in the handouts is run, and prints what the text says."""

import os
import re
import shlex
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

from handouts import console
from handouts.clone import Clone, binary
from handouts.document import NAMES, ROOT, fences, prose

sys.path.insert(0, str(ROOT / "grader/tests/support"))
from part import part_of  # noqa: E402

LAUNCHER_VERBS = ("demo", "test", "handouts")  # those that the launcher answers itself


def tried(session):
    with Clone() as clone:
        return console.try_session(session, clone)


@unittest.skipUnless(binary().exists(), f"{binary().name} is not built")
class Commands(unittest.TestCase):
    def test_they_print_what_the_text_shows(self):
        sessions = list(console.sessions())
        self.assertGreater(len(sessions), 10)
        sessions = part_of(sessions, 3, "sessions of the handouts")
        with ThreadPoolExecutor(max(2, os.cpu_count() or 1)) as pool:
            wrong = [text for texts in pool.map(tried, sessions) for text in texts]
        self.assertFalse(wrong, "\n\n" + "\n\n".join(wrong))

    def test_verbs_and_options_in_sentences_exist(self):
        """A command in a sentence, such as `./grader/warpgrade check --watch`, is asked for its help."""
        helps = {}
        found = [(name, words.split()[1:]) for name in NAMES
                 for words in re.findall(r"`((?:\./)?grader/warpgrade [^`]+)`", prose(name))]
        found += [(fence.document, shlex.split(line, comments=True)[1:]) for name in NAMES for fence in fences(name)
                  if fence.language in ("sh", "bash") for line in fence.body.splitlines()
                  if line.startswith("./grader/warpgrade")]
        self.assertTrue(found)
        for name, (verb, *arguments) in found:
            with self.subTest(document=name, verb=verb, arguments=arguments):
                if verb in LAUNCHER_VERBS:  # test_documents.py and their own tests try them
                    self.assertRegex((ROOT / "grader" / "warpgrade").read_text(), rf"(?m)^ +(\w+ \| )*{verb}( \| \w+)*\)")
                    continue
                if verb not in helps:
                    helps[verb] = subprocess.run([binary(), verb, "--help"], text=True, capture_output=True,
                                                 env=dict(os.environ, WARPGRADE_ROOT=str(ROOT)))
                self.assertEqual(helps[verb].returncode, 0, helps[verb].stderr)
                for option in (word for word in arguments if word.startswith("--")):
                    self.assertIn(option.split("=")[0], helps[verb].stdout)


class Blocks(unittest.TestCase):
    def test_commands_stand_in_blocks_that_are_run(self):
        for name in NAMES:
            self.assertNotRegex(prose(name), r"(?m)^ {4,}(\./|python|ctest|cmake)", f"{name}.md: a command in an indented block")
            for fence in fences(name):
                if fence.language == "sh":
                    self.assertRegex(fence.body, r"\A(\./grader/warpgrade .+\n)+\Z", f"{name}.md:{fence.line}")
                if fence.language not in ("console", "sh"):
                    self.assertNotRegex(fence.body, r"(?m)^\$ ", f"{name}.md:{fence.line}")

    def test_scripts_are_scripts(self):
        scripts = [fence for name in NAMES for fence in fences(name) if fence.language == "bash"]
        self.assertTrue(scripts)
        for fence in scripts:
            answer = subprocess.run(["bash", "-n"], input=fence.body, text=True, capture_output=True)
            self.assertEqual(answer.returncode, 0, f"{fence.document}.md:{fence.line}: {answer.stderr}")

    def test_each_command_shows_something_or_writes_a_file(self):
        for session in console.sessions():
            for command in session.commands:
                self.assertTrue(set(command.printed) - {"...", ""} or " > " in command.typed or command.typed.startswith(("cp ", "mkdir ")),
                                f"{session.document}.md:{session.line}: $ {command.typed}")

    def test_a_difference_is_found(self):
        same, other = "a\nb\nc\n", "a\nb\n"
        self.assertIsNone(console.difference(("a", "b", "c"), same))
        self.assertIsNone(console.difference(("a", "..."), same))
        self.assertIsNone(console.difference(("...", "c"), same))
        self.assertIsNone(console.difference(("a", "...", "c"), same))
        for expected in (("a", "b"), ("b", "c"), ("a", "...", "b"), ("...", "x", "...")):
            self.assertIsNotNone(console.difference(expected, same), expected)
        self.assertIsNotNone(console.difference(("a", "b", "c"), other))
        self.assertIsNotNone(console.difference((), same))


if __name__ == "__main__":
    unittest.main()
