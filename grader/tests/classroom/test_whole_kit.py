"""A whole kit that a student packs, a class in a folder of an archive, names beside addresses."""

import json
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import grading  # noqa: E402
import layouts  # noqa: E402
from book_case import BookCase  # noqa: E402
from test_intake import Case, digest  # noqa: E402

FILE = "1_naive_read.cu"
STAGE = "transpose/naive_read"


class Layouts(Case):
    def hand_in(self, path, mark):
        self.write(f"class/{path}", f"// {mark}\n")

    def assert_placed(self, marks):
        """`marks`: what the student's file says, by id; None: nothing of it is the student's."""
        found = {student: its["stages"][STAGE]["sha256"] if STAGE in its["stages"] and not its["doubt"] else None
                 for student, its in self.by_id.items() if student in marks}
        self.assertEqual(found, {student: mark and digest(f"// {mark}\n") for student, mark in marks.items()}, self.all_of["questions"])


class NameAndAddress(Layouts):
    def test_both_of_one_student_are_evidence(self):
        self.hand_in(f"Ann Lee (annlee@x.edu)/{FILE}", "ann")
        self.hand_in(f"Ann Lee <boray@x.edu>/{FILE}", "whose")
        self.assertEqual(self.plan("class", roster=self.roster("id,name,email\nann,Ann Lee,annlee@x.edu\nbo,Bo Ray,boray@x.edu\n")), 1)
        self.assert_placed({"ann": "ann", "bo": None})


class WhatIsAClass(Layouts):
    def test_a_class_in_a_folder_in_an_archive(self):
        files = {f"hw3/leeann_5013_90001_{FILE}": "// ann\n", f"hw3/team7_5099_90002_{FILE}": layouts.stub(FILE)}
        self.write("download.zip", layouts.zipped(files))
        roster = self.roster('Student,ID,SIS Login ID,Section\n"Lee, Ann",5013,annlee,A\n"Ray, Bo",5014,boray,A\n')
        self.assertEqual(self.plan("download.zip", roster=roster), 1)
        self.assert_placed({"annlee": "ann", "boray": None})
        self.assertIn("nobody on the roster is called `team7_5099`", " ".join(self.all_of["questions"]))
        self.assertEqual(self.plan("download.zip"), 0)
        self.assertEqual(len(self.all_of["students"]), 2)


class WholeKit(BookCase):
    def test_it_is_the_stages_that_count_and_a_line(self):
        """A student packs all that is there: problems and headers came with the kit, and so did the stubs of other weeks."""
        kit = self.made / "class" / "ann" / "warpgrade"
        shutil.copytree(grading.ROOT / "assignments", kit / "assignments")
        self.write("class/ann/warpgrade/grader/warpgrade", "#!/bin/sh\n")
        self.write("class/ann/warpgrade/assignments/transpose/1_naive_read.cu", layouts.solution(FILE))
        roster = self.roster("id,name\nann,Ann Lee\n")
        self.assertEqual(self.plan("class", roster=roster), 0)
        self.assertEqual((self.by_id["ann"]["notes"], self.by_id["ann"]["unclear"]), ([], {}))
        self.assertEqual(self.grade(self.made / "class", "--roster", roster, "--stage", "naive_read"), 0, self.text)
        self.assertEqual(self.text.count("note:"), 0, self.text)
        for name in ("2_naive_write.cu", "4_padding.cu"):
            self.write(f"class/ann/warpgrade/assignments/transpose/{name}", layouts.solution(name))
        self.assertEqual(self.grade(self.made / "class", "--stage", "naive_read"), 0, self.text)
        said = " ".join(self.text.split())
        self.assertIn("transpose/naive_write, transpose/padding were handed in and do not count; `--stage NAME` makes one count", said)
        self.assertLess(len(self.text.splitlines()), 20)
        [kit] = {line["kit"] for line in self.lines("mark")}
        tool = json.loads((self.made / "book" / "results" / "ann.json").read_text("utf-8"))["tool"]
        self.assertEqual(kit, f"{tool['version']} {tool['git']}".strip())

    def test_a_problem_of_the_kit_is_no_hand_in(self):
        problem = (grading.ROOT / "assignments" / "convolution" / "problem.cu").read_text("utf-8")
        for place in ("assignments/convolution", "convolution"):
            with self.subTest(place):
                shutil.rmtree(self.made / "class", ignore_errors=True)
                self.write(f"class/ann/{place}/problem.cu", problem)
                self.write(f"class/ann/{FILE}", "// ann\n")
                self.assertEqual(self.plan("class", roster=self.roster("id,name\nann,Ann Lee\n")), 0)
                self.assertEqual(list(self.by_id["ann"]["stages"]), [STAGE])


if __name__ == "__main__":
    unittest.main()
