"""The course folder that `warpgrade init` of the wheel makes: whose file is whose when the course's own change."""

import contextlib
import hashlib
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "grader" / "python"))
from warpgrade import __main__ as command  # noqa: E402
from warpgrade import course  # noqa: E402

LAUNCHER = "#!/bin/sh\necho \"$WARPGRADE_PYTHON\" \"$@\"\n"


class Folder(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="warpgrade init ")
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.place)
        self.kit = self.place / "site" / "warpgrade" / "kit"
        for name, value in (("KIT", self.kit), ("KIT_RECORD", self.kit.with_name("kit.json"))):
            patch = mock.patch.object(course, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.package({"grader/warpgrade": LAUNCHER, "assignments/a/1_one.cu": "stub 1", "assignments/a/2_two.cu": "stub 2",
                      "handouts/a.md": "text 1"})
        self.folder = self.place / "warpgrade"

    def package(self, files):
        """Another version of the course is installed."""
        for name, text in files.items():
            (self.kit / name).parent.mkdir(parents=True, exist_ok=True)
            (self.kit / name).write_text(text)
        digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()}
        self.kit.with_name("kit.json").write_text(json.dumps({"files": digests}))

    def call(self, *words):
        """The command: exit code, standard output and error; of a verb, what would be executed."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), \
                mock.patch.object(sys, "argv", ["warpgrade", *words]), mock.patch.object(os, "execve") as execute:
            code = command.main()
        self.executed = execute.call_args
        return code, out.getvalue(), err.getvalue()

    def text(self, name):
        return (self.folder / name).read_text()

    def test_it_is_the_kit_and_its_launcher_can_be_executed(self):
        code, out, err = self.call("init")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("made     warpgrade: 4 files\nnext     cd warpgrade && warpgrade check copy\n", out)
        self.assertEqual(self.text("assignments/a/1_one.cu"), "stub 1")
        self.assertTrue(os.access(self.folder / "grader/warpgrade", os.X_OK))
        self.assertFalse(os.access(self.folder / "handouts/a.md", os.X_OK))

    def test_a_folder_that_is_in_use_is_refused(self):
        self.folder.mkdir()
        (self.folder / "thesis.tex").write_text("precious")
        code, _, err = self.call("init")
        self.assertEqual(code, 2)
        self.assertIn("`warpgrade` is there already", err)
        self.assertEqual(os.listdir(self.folder), ["thesis.tex"])
        self.assertEqual(self.call("init", "two", "words")[0], 2)
        self.assertEqual(self.call("init", "elsewhere")[0], 0)

    def test_an_update_replaces_what_is_the_kits_and_keeps_what_is_the_students(self):
        self.call("init")
        (self.folder / "assignments/a/1_one.cu").write_text("mine")
        (self.folder / "notes.txt").write_text("mine, too")
        self.package({"grader/warpgrade": LAUNCHER, "assignments/a/1_one.cu": "stub 1, better",
                      "assignments/a/2_two.cu": "stub 2, better", "assignments/a/3_three.cu": "stub 3"})
        os.chdir(self.folder / "assignments")
        code, _, err = self.call("list")
        self.assertIn("`warpgrade init` updates it", err)
        code, out, err = self.call("init")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("kept     assignments/a/1_one.cu: it is yours", out)
        self.assertIn("updated  ..: 3 files", out)
        self.assertEqual(self.text("assignments/a/1_one.cu"), "mine")
        self.assertEqual(self.text("assignments/a/1_one.cu.new"), "stub 1, better")
        self.assertEqual(self.text("assignments/a/2_two.cu"), "stub 2, better")
        self.assertEqual(self.text("assignments/a/3_three.cu"), "stub 3")
        self.assertEqual(self.text("notes.txt"), "mine, too")
        self.assertFalse((self.folder / "handouts/a.md").exists())
        self.assertEqual(self.call("init")[1], "current  ..: nothing to update\n")
        self.assertEqual(self.call("list")[2], "")

    def test_a_file_that_was_edited_and_is_no_longer_in_the_kit_stays(self):
        self.call("init")
        (self.folder / "handouts/a.md").write_text("text 1, with my notes")
        self.package({"grader/warpgrade": LAUNCHER})
        self.call("init", "warpgrade")
        self.assertEqual(self.text("handouts/a.md"), "text 1, with my notes")
        self.assertFalse((self.folder / "assignments/a/1_one.cu").exists())

    def test_a_verb_is_the_folders_launcher_with_this_python(self):
        self.call("init")
        os.chdir(self.folder / "handouts")
        self.call("check", "padding", "--shape", "3x5")
        path, words, variables = self.executed.args
        self.assertEqual(Path(path).resolve(), (self.folder / "grader/warpgrade").resolve())
        self.assertEqual(words[1:], ["check", "padding", "--shape", "3x5"])
        self.assertEqual(variables["WARPGRADE_PYTHON"], sys.executable)

    def test_outside_of_a_course_folder_it_says_how_to_make_one(self):
        code, _, err = self.call("check", "padding")
        self.assertEqual(code, 2)
        self.assertIn("`warpgrade init` makes one", err)
        self.assertIn("usage: warpgrade init", self.call("--help")[1])

    def test_a_damaged_record_changes_nothing(self):
        self.call("init")
        (self.folder / ".warpgrade.json").write_text("{")
        self.package({"grader/warpgrade": LAUNCHER, "handouts/a.md": "text 2"})
        code, _, err = self.call("init", "warpgrade")
        self.assertEqual(code, 2)
        self.assertIn("is damaged", err)
        self.assertEqual(self.text("handouts/a.md"), "text 1")


if __name__ == "__main__":
    unittest.main()
