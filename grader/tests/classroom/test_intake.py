"""Who handed in what, from outside: eight platforms, nineteen odd hand-ins each, and what goes wrong between them. Nothing
is graded here."""

import csv
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import grading  # noqa: E402
import layouts  # noqa: E402


def plan(paths, roster, out, *more):
    """(exit code, plan)"""
    words = [grading.BINARY, "grade", *paths, *(["--roster", roster] if roster else []), "--out", out, "--dry-run", "--format", "json",
             "--seed", "7", "--device", "virtual", *more]
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=dict(os.environ, WARPGRADE_ROOT=str(grading.ROOT)))
    if done.returncode not in (0, 1):
        raise AssertionError(f"{done.returncode}: {done.stdout}{done.stderr}")
    return done.returncode, json.loads(done.stdout)


def digest(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def wrong_about(kind, truth, student):
    """What the plan says of a student that is not true; one line each."""
    found = []
    if truth.is_missing:
        return [] if student["missing"] else [f"{kind}: is not missing"]
    if student["missing"]:
        return [f"{kind}: is missing, and handed in"]
    asks = bool(student["doubt"] or student["problem"] or student["questions"] or student["unclear"])
    if truth.asks and not asks:
        found.append(f"{kind}: nobody is asked")
    if student["doubt"]:
        return found  # no mark until a person has said whose it is
    for stage in layouts.STAGES.values():
        taken = student["stages"].get(stage)
        is_open = stage in student["unclear"] or (student["problem"] and not student["stages"])
        if stage in truth.open:
            if taken:
                found.append(f"{kind}: {stage} was taken from {taken}, and only a person can say")
            elif not is_open:
                found.append(f"{kind}: {stage} becomes a zero")
        elif stage in truth.stages:
            if is_open:
                found.append(f"{kind}: {stage} is asked for: {student['unclear'].get(stage) or student['problem']}")
            elif not taken:
                found.append(f"{kind}: {stage} is lost")
            elif taken["sha256"] != digest(truth.stages[stage]):
                found.append(f"{kind}: {stage} is another text, of {taken}")
        elif taken or is_open:
            found.append(f"{kind}: {stage} was not handed in, and is {taken or 'asked for'}")
    return found


@unittest.skipUnless(grading.BINARY.exists(), f"{grading.BINARY.name} is not built")
class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="warpgrade-intake-")
        self.addCleanup(folder.cleanup)
        self.made = Path(folder.name)

    def write(self, path, text="// x\n"):
        target = self.made / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())

    def roster(self, text):
        self.write("roster.csv", text)
        return self.made / "roster.csv"

    def plan(self, *paths, roster=None, more=()):
        code, all_of = plan([self.made / path for path in paths], roster, self.made / "out", *more)
        self.by_id = {student["id"]: student for student in all_of["students"]}
        self.all_of = all_of
        return code


class EveryPlatform(Case):
    def look_at(self, made, *paths, code=1):
        ended, found = plan(paths or [made.hand_ins], made.roster, self.made / "out")
        students = {student["id"]: student for student in found["students"]}
        wrong = []
        for identity, truth in made.truths.items():
            wrong += wrong_about(made.kinds[identity], truth, students.pop(identity))
        wrong += [f"{name} is nobody: {student['notes']}" for name, student in students.items()]
        self.assertEqual(ended, code)  # 1: some are for a person
        return wrong

    def test_each_hand_in_reaches_its_student_or_a_person(self):
        for platform in layouts.PLATFORMS:
            with self.subTest(platform):
                self.assertEqual(self.look_at(layouts.make(self.made / platform, platform)), [])

    def test_what_is_no_program_is_for_a_person(self):
        """Documents, shortcuts, empty files and archives that cannot be opened; never a zero."""
        for platform in layouts.PLATFORMS:
            with self.subTest(platform):
                self.assertEqual(self.look_at(layouts.make(self.made / platform, platform, layouts.MORE_KINDS)), [])

    def test_what_students_really_send(self):
        for platform in layouts.PLATFORMS:
            dated = layouts.LATER_KINDS if platform in ("brightspace", "blackboard", "gradescope") else ()
            for number, kinds in enumerate((layouts.RARE_KINDS, layouts.RENAMED_KINDS + dated)):
                with self.subTest(platform, number=number):
                    made = layouts.make(self.made / f"{platform}{number}", platform, kinds)
                    self.assertEqual(self.look_at(made, code=1 if number == 0 or dated else 0), [])

    def test_the_platforms_own_download_is_the_class(self):
        for platform in layouts.PLATFORMS:
            with self.subTest(platform):
                made = layouts.make(self.made / platform, platform, layouts.KINDS[:13])
                download = self.made / f"{platform}.zip"
                with zipfile.ZipFile(download, "w") as archive:
                    for path in sorted(made.hand_ins.rglob("*")):
                        if path.is_file():
                            archive.write(path, path.relative_to(made.hand_ins).as_posix())
                self.assertEqual(self.look_at(made, download), [])


class WhoseItIs(Case):
    def test_a_part_of_a_name_is_nobodys_evidence(self):
        self.write("class/hw3-ann/1_naive_read.cu", "// ann\n")
        self.write("class/hw3-mary-ann/2_naive_write.cu", "// mary\n")
        self.write("class/group with bob/1_naive_read.cu", "// group\n")
        self.assertEqual(self.plan("class", roster=self.roster("id,name\nann,Ann Lee\nbob,Bob Ray\n")), 1)
        self.assertEqual(list(self.by_id["ann"]["stages"]), ["transpose/naive_read"])
        self.assertEqual(self.by_id["ann"]["doubt"], "")
        self.assertIn("group with bob", self.by_id["bob"]["doubt"])
        self.assertFalse(self.by_id["bob"]["missing"])

    def test_two_who_are_called_alike_are_for_a_person(self):
        for number in (11, 12):
            self.write(f"class/Bob Smith_{number}_assignsubmission_file_/1_naive_read.cu", f"// {number}\n")
        self.assertEqual(self.plan("class", roster=self.roster("id,name\ns1,Bob Smith\ns2,Bob Smith\n")), 1)
        for student in self.by_id.values():
            self.assertNotEqual(student["doubt"], "")
            self.assertFalse(student["missing"])

    def test_a_map_decides(self):
        for number in (11, 12):
            self.write(f"class/Bob Smith_{number}_assignsubmission_file_/main.cu", f"__global__ void k() {{}}  // {number}\n")
        roster = self.roster("id,name\ns1,Bob Smith\ns2,Bob Smith\n")
        self.assertEqual(self.plan("class", roster=roster), 1)
        with open(self.made / "out" / "map.csv", encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["hand_in"], row["file"], row["student"], row["stage"]) for row in rows],
                         [(f"Bob Smith_{number}_assignsubmission_file_", "main.cu", "", "") for number in (11, 12)])
        for row, student in zip(rows, ("s2", "s1")):
            row["student"], row["stage"] = student, "transpose/padding"
        for way in ("edited in place", "given"):
            with self.subTest(way):
                table = self.made / "out" / "map.csv" if way == "edited in place" else self.made / "mine.csv"
                with open(table, "w", encoding="utf-8", newline="") as file:
                    writer = csv.DictWriter(file, rows[0])
                    writer.writeheader()
                    writer.writerows(rows)
                self.assertEqual(self.plan("class", roster=roster, more=() if way == "edited in place" else ("--map", table)), 0)
                self.assertEqual(self.by_id["s1"]["stages"]["transpose/padding"]["hand_in"], "Bob Smith_12_assignsubmission_file_")
                self.assertEqual(self.plan("class", roster=roster), 0)  # and it stays decided
                shutil.rmtree(self.made / "out")

    def test_a_map_as_a_spreadsheet_saves_it(self):
        """Zeros in front of ids are gone, the delimiter is another, and so is the encoding."""
        for number in (11, 12):
            self.write(f"class/J\u00f6rg Smith_{number}_assignsubmission_file_/1_naive_read.cu", f"// {number}\n")
        roster = self.roster("id,name\n0071,J\u00f6rg Smith\n0072,J\u00f6rg Smith\n")
        self.assertEqual(self.plan("class", roster=roster), 1)
        written = (self.made / "out" / "map.csv").read_bytes()
        self.assertTrue(written.startswith(b"\xef\xbb\xbf"))
        rows = list(csv.DictReader(written.decode("utf-8-sig").splitlines()))
        for row, student in zip(rows, ("72", "71")):
            row["student"] = student
        out = [";".join(rows[0]), *(";".join(row.values()) for row in rows)]
        (self.made / "out" / "map.csv").write_bytes("\r\n".join(out).encode("windows-1252"))
        self.assertEqual(self.plan("class", roster=roster), 0)
        self.assertIn("_12_", self.by_id["0071"]["stages"]["transpose/naive_read"]["hand_in"])

    def test_a_map_with_a_slip_is_no_silent_one(self):
        self.write("class/x1/1_naive_read.cu")
        roster = self.roster("id,name\nann,Ann Lee\n")
        self.write("map.csv", "hand_in,student\nx1,anm\n")
        self.assertEqual(self.plan("class", roster=roster, more=("--map", self.made / "map.csv")), 1)
        self.assertIn("the map gives `x1` to `anm`", " ".join(self.all_of["questions"]))
        shutil.rmtree(self.made / "out")
        self.assertEqual(self.plan("class", roster=roster), 1)
        with open(self.made / "out" / "map.csv", "a", encoding="utf-8") as file:
            file.write("x1,1_naive_read.cu,ann,,,,\nx1,2_naive_write.cu,bob,,,,\n")
        with self.assertRaisesRegex(AssertionError, "two rows give `x1` to two students"):
            self.plan("class", roster=roster)

    def test_hand_ins_of_nobody_are_for_a_person(self):
        self.write("class/zed/1_naive_read.cu")
        self.write("class/s1/1_naive_read.cu")
        self.assertEqual(self.plan("class", roster=self.roster("id,name\ns1,Ann Lee\n")), 1)
        self.assertIn("nobody on the roster is called `zed`", " ".join(self.all_of["questions"]))

    def test_a_blackboard_name_with_a_bar_is_no_shorter_one(self):
        self.write("class/HW3_mary_ann_attempt_2026-11-02-10-00-00_1_naive_read.cu")
        self.assertEqual(self.plan("class", roster=self.roster("username,name\nann,Ann Lee\n")), 1)
        self.assertEqual(self.by_id["ann"]["stages"] if not self.by_id["ann"]["doubt"] else {}, {})

    def test_a_group_is_each_member(self):
        self.write("x/submission_1/1_naive_read.cu")
        self.write("x/submission_metadata.yml", "submission_1:\n  :submitters:\n  - :name: A\n    :sid: s1\n    :email: a@x\n"
                   "  - :name: B\n    :sid: s2\n    :email: b@x\n  :created_at: 2026-11-02 10:00:00 Z\n")
        self.assertEqual(self.plan("x", roster=self.roster("SID,Name\ns1,A\ns2,B\n")), 0)
        self.assertEqual([len(student["stages"]) for student in self.by_id.values()], [1, 1])


    def test_gradescopes_metadata_however_it_is_written(self):
        people = [{":name": "J\u00fcrgen M", ":sid": "007", ":email": "j@x"}, {":name": "O'B: x", ":sid": "s2", ":email": "b@x"}]
        when = "2026-11-02 10:00:00.000000000 Z"
        plain = "---\nsubmission_1:\n  :submitters:\n  - :name: J\u00fcrgen M\n    :sid: '007'\n    :email: j@x\n" \
            f"  - :name: 'O''B: x'\n    :sid: s2\n    :email: b@x\n  :created_at: {when}\n"
        quoted = "submission_1:\n    \":created_at\": " + when + "\n    \":submitters\":\n      - \":email\": j@x\n" \
            "        \":name\": \"J\\xFCrgen M\"\n        \":sid\": \"007\"\n      - ':email': b@x\n        ':name': \"O'B: x\"\n        ':sid': s2\n"
        as_json = json.dumps({"submission_1": {":created_at": when, ":submitters": people, ":history": []}})
        for form in (plain, quoted, as_json):
            with self.subTest(form):
                self.write("x/submission_1/1_naive_read.cu")
                self.write("x/submission_metadata.yml", form)
                self.assertEqual(self.plan("x", roster=self.roster("SID,Name,Email\n007,J\u00fcrgen M,j@x\ns2,O'B: x,b@x\n")), 0)
                self.assertEqual([len(student["stages"]) for student in self.by_id.values()], [1, 1])
                self.assertEqual(self.by_id["007"]["hand_ins"][0]["time"], "2026-11-02 10:00:00 UTC")

    def test_a_group_name_in_front_of_moodles(self):
        self.write("class/Group A-Ann Lee_4711_assignsubmission_file_/1_naive_read.cu", "// ann\n")
        self.write("class/Group B-Bo Ray_4712_assignsubmission_file_/1_naive_read.cu", "// bo\n")
        self.assertEqual(self.plan("class", roster=self.roster("Identifier,Full name\nParticipant 4711,Ann Lee\nParticipant 4712,Bo Ray\n")), 0)
        self.assertEqual([len(student["stages"]) for student in self.by_id.values()], [1, 1])

    def test_a_roster_as_blackboard_writes_it(self):
        self.write("class/HW3_annlee_attempt_2026-11-02-10-00-00_1_naive_read.cu", "// ann\n")
        self.write("class/HW3_boray_attempt_2026-11-02-10-00-00_1_naive_read.cu", "// bo\n")
        roster = "Last Name\tFirst Name\tUsername\nLee\tAnn\tannlee\nRay\tBo\tboray\n"
        self.assertEqual(self.plan("class", roster=self.roster(roster.encode("utf-16"))), 0)
        self.assertEqual([len(student["stages"]) for student in self.by_id.values()], [1, 1])

    def test_names_that_are_addresses(self):
        for name in ("ann@example.edu", "Bo.Ray@Example.edu"):
            self.write(f"class/{name}/1_naive_read.cu", f"// {name}\n")
        self.assertEqual(self.plan("class", roster=self.roster("id,email\n1,ann@example.edu\n2,bo.ray@example.edu\n")), 0)
        self.assertEqual([len(student["stages"]) for student in self.by_id.values()], [1, 1])


    def test_one_name_however_systems_write_it(self):
        """Composed and decomposed accents, capitals, curly apostrophes, a hard blank."""
        pairs = (("J\u00fcrgen M\u00fcller", "NFD"), ("Nguy\u1ec5n \u00c1nh", "NFD"), ("\uae40\ubbfc\uc218", "NFD"), ("\u304c\u304f", "NFD"),
                 ("\u0410\u043d\u0434\u0440\u0435\u0439", "NFD"), ("\u0391\u03bb\u03ad\u03be\u03b7\u03c2", "NFD"))
        names = [(name, unicodedata.normalize(form, name)) for name, form in pairs]
        names += [("\u0418\u0432\u0430\u043d\u043e\u0432 \u041e\u043b\u0435\u0433", "\u0418\u0412\u0410\u041d\u041e\u0412 \u041e\u041b\u0415\u0413"),
                  ("Ann O'Brien", "Ann O\u2019Brien"), ("Bo Lee", "Bo\u00a0Lee"), ("Max Frei", "MAX FREI")]
        for number, (_, folder) in enumerate(names):
            self.write(f"class/{folder}/1_naive_read.cu", f"// {number}\n")
        roster = "id,name\n" + "".join(f"s{number},{name}\n" for number, (name, _) in enumerate(names))
        self.assertEqual(self.plan("class", roster=self.roster(roster)), 0, self.all_of["questions"])
        self.assertEqual([len(student["stages"]) for student in self.all_of["students"]], [1] * len(names))

    def test_what_differs_in_more_than_writing_is_another_name(self):
        self.write("class/\u304c\u304f/1_naive_read.cu")
        self.write("class/m\u00fcller/1_naive_read.cu")
        self.assertEqual(self.plan("class", roster=self.roster("id,name\ns1,\u304b\u304f\nmuller,X Y\n")), 1)
        self.assertTrue(self.by_id["s1"]["missing"])
        self.assertNotEqual(self.by_id["muller"]["doubt"], "")

    def test_a_login_with_an_accent(self):
        self.write(f"class/{unicodedata.normalize('NFD', 'm' + chr(0xfc) + 'ller')}/1_naive_read.cu")
        self.assertEqual(self.plan("class", roster=self.roster("id,name\nm\u00fcller,X Y\n")), 0)

    def test_two_with_one_address(self):
        self.write("class/a@x.edu/1_naive_read.cu")
        self.assertEqual(self.plan("class", roster=self.roster("id,name,email\ns1,Ann Lee,a@x.edu\ns2,Bo Ray,A@X.edu\n")), 1)
        self.assertNotEqual(self.by_id["s1"]["doubt"], "")
        self.assertNotEqual(self.by_id["s2"]["doubt"], "")

    def test_a_group_under_the_number_of_one_of_it(self):
        """Canvas: the file of a group is called as the group is, and has the number of one member."""
        roster = 'Student,ID,SIS Login ID,Section\n"Lee, Ann",5013,annlee,A\n"Ray, Bo",5014,boray,A\n'
        self.write("class/group1_5013_90000_1_naive_read.cu")
        self.assertEqual(self.plan("class", roster=self.roster(roster)), 1)
        self.assertIn("by the number 5013", self.by_id["annlee"]["doubt"])
        self.write("map.csv", "hand_in,file,student,stage\ngroup1_5013_90000_1_naive_read.cu,,annlee + boray,\n")
        self.assertEqual(self.plan("class", roster=self.roster(roster), more=("--map", self.made / "map.csv")), 0)
        self.assertEqual([len(student["stages"]) for student in self.all_of["students"]], [1, 1])

    def test_numbers_where_names_are_kept_back(self):
        roster = "Identifier,Full name\nParticipant 4711,Ann Lee\nParticipant 4712,Bo Ray\nParticipant 4713,Cy Fox\n"
        for number in (4711, 4712):
            self.write(f"class/Participant_{number}_assignsubmission_file_/1_naive_read.cu", f"// {number}\n")
        self.assertEqual(self.plan("class", roster=self.roster(roster)), 0)
        self.assertEqual([len(student["stages"]) for student in self.all_of["students"]], [1, 1, 0])
        canvas = 'Student,ID,SIS Login ID,Section\n"Lee, Ann",5013,annlee,A\n"Ray, Bo",5014,boray,A\n'
        self.write("anonymous/anon_5013_90000_1_naive_read.cu")
        self.assertEqual(self.plan("anonymous", roster=self.roster(canvas)), 0)

    def test_what_has_another_ones_name_is_for_a_person(self):
        roster = self.roster("id,name\nann,Ann Lee\nbob,Bob Ray\n")
        for path in ("bob/2_naive_write.cu", "bob_2_naive_write.cu", "of Bob Ray/2_naive_write.cu", "bob.zip"):
            with self.subTest(path):
                shutil.rmtree(self.made / "class", ignore_errors=True)
                self.write("class/ann/1_naive_read.cu", "// ann\n")
                is_zip = path.endswith(".zip")
                self.write(f"class/ann/{path}", layouts.zipped({"2_naive_write.cu": "// whose?\n"}) if is_zip else "// whose?\n")
                self.assertEqual(self.plan("class", roster=roster), 1)
                self.assertEqual(list(self.by_id["ann"]["stages"]), ["transpose/naive_read"])
                self.assertIn("the name of `bob`", self.by_id["ann"]["unclear"]["transpose/naive_write"])
        # Somebody says that it is hers all the same.
        with open(self.made / "out" / "map.csv", encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        [row] = [row for row in rows if row["stage"] == ""]
        row["stage"] = "transpose/naive_write"
        with open(self.made / "out" / "map.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, row)
            writer.writeheader()
            writer.writerows(rows)
        self.assertEqual(self.plan("class", roster=roster), 0)
        self.assertEqual(len(self.by_id["ann"]["stages"]), 2)

    def test_rosters_as_spreadsheets_save_them(self):
        self.write("class/s1/1_naive_read.cu")
        for text in ("\ufeffsep=;\r\nid;name\r\ns1;Ann\r\n".encode("utf-8"), "id\tname\r\ns1\tAnn\r\n".encode("utf-16"),
                     "id;name\rs1;M\u00fcller\r".encode("windows-1252"), "id,name\r\n s1 ,Ann\r\n,\r\n".encode("utf-16-le")):
            with self.subTest(text):
                self.assertEqual(self.plan("class", roster=self.roster(text)), 0)
                self.assertEqual(len(self.by_id["s1"]["stages"]), 1)

    def test_a_hidden_hand_in_is_no_missing_one(self):
        self.write("class/s1/1_naive_read.cu")
        self.write("class/.s2/1_naive_read.cu")
        self.write("class/.git/config", "x")
        self.write("class/._s1.zip", b"\0\5\x16\7")
        self.assertEqual(self.plan("class", roster=self.roster("id\ns1\ns2\n")), 1)
        self.assertEqual(len(self.all_of["questions"]), 1)
        self.assertIn("`.s2`", self.all_of["questions"][0])

    def test_loose_files_with_names_in_theirs_are_a_class(self):
        self.write("class/ann_1_naive_read.cu", "// ann\n")
        self.write("class/ann2_1_naive_read.cu", "// ann2\n")
        self.write("class/ann_2_naive_write.cu", "// ann\n")
        self.assertEqual(self.plan("class", roster=self.roster("id,name\nann,Ann Lee\nann2,Ann Two\n")), 0)
        self.assertEqual([len(student["stages"]) for student in self.all_of["students"]], [2, 1])
        # One person's, who writes the own name into each.
        self.write("ann/1_naive_read_ann.cu", "// ann\n")
        self.write("ann/2_naive_write.cu", "// ann\n")
        self.assertEqual(self.plan("ann", roster=self.roster("id,name\nann,Ann Lee\nann2,Ann Two\n")), 0)
        self.assertEqual(len(self.by_id["ann"]["stages"]), 2)


class WhatFormsHold(Case):
    """What was typed into a box, and not handed in as a file."""

    def test_of_canvas(self):
        roster = 'Student,ID,SIS Login ID,Section\n"Lee, Ann",5013,annlee,A\n"Ray, Bo",5014,boray,A\n"Fox, Cy",5015,cyfox,A\n'
        text = layouts.solution("1_naive_read.cu")
        self.write("class/leeann_5013_text.html", "<p>see my repository</p>")
        self.write("class/raybo_LATE_5014_text.html", "<pre>" + text.replace("&", "&amp;").replace("<", "&lt;") + "</pre>")
        self.write("class/foxcy_5015_link.html", "<a href='https://example.edu'>x</a>")
        self.assertEqual(self.plan("class", roster=self.roster(roster)), 1)
        for student in ("annlee", "cyfox"):
            self.assertFalse(self.by_id[student]["missing"])
            self.assertNotEqual(self.by_id[student]["problem"], "")
        self.assertEqual(list(self.by_id["boray"]["stages"]), ["transpose/naive_read"])
        self.assertTrue(self.by_id["boray"]["late"])

    def test_a_saved_page_or_a_document_is_asked_about_and_no_zero(self):
        text = layouts.solution("1_naive_read.cu")
        page = "<html><head><title>gist</title></head><body><pre>" + text.replace("&", "&amp;").replace("<", "&lt;") + "</pre></body></html>"
        for student, name, content in (("ann", "1_naive_read.html", page), ("bo", "1_naive_read.cu", page),
                                       ("cy", "1_naive_read.cu", '{"cells": [{"source": ["__global__ void f() {}"]}]}'),
                                       ("di", "1_naive_read.cu", "--- a/1_naive_read.cu\n+++ b/1_naive_read.cu\n" + text),
                                       ("ed", "1_naive_read.cu", "Please see my repository for this one.")):
            self.write(f"class/{student}/{name}", content)
        self.assertEqual(self.plan("class", roster=self.roster("id\nann\nbo\ncy\ndi\ned\n")), 1)
        for student in ("ann", "bo", "cy", "di", "ed"):
            self.assertEqual(self.by_id[student]["stages"], {}, student)
            self.assertTrue(self.by_id[student]["problem"] or self.by_id[student]["unclear"], student)

    def test_line_ends_of_old_macs_end_lines(self):
        text = layouts.solution("1_naive_read.cu")
        (self.made / "class" / "ann").mkdir(parents=True)
        (self.made / "class" / "ann" / "1_naive_read.cu").write_bytes(text.replace("\n", "\r").encode())
        self.assertEqual(self.plan("class", roster=self.roster("id\nann\n")), 0)
        self.assertEqual(self.by_id["ann"]["stages"]["transpose/naive_read"]["sha256"], digest(text))

    def receipt(self, who, when, typed, heading="Submission Field:"):
        login = who.split("(")[1][:-1]
        self.write(f"class/HW 3_{login}_attempt_{when}.txt", f"Name: {who}\nAssignment: HW 3\nDate Submitted: x\nCurrent Grade: Not Yet Graded\n\n"
                   f"{heading}\n{typed}\n\nComments:\nThere are no student comments for this assignment.\n")

    def test_of_blackboard(self):
        nothing = "There is no student submission text data for this assignment."
        text = layouts.solution("1_naive_read.cu")
        roster = self.roster("Last Name,First Name,Username\nLee,Ann,annlee\nRay,Bo,boray\nFox,Cy,cyfox\nAdo,Di,diado\nEsk,Ed,edesk\nFay,Fe,fefay\nGo,Gi,gigo\n")
        first, second = "2026-11-02-10-00-00", "2026-11-03-10-00-00"
        self.receipt("Ann Lee (annlee)", first, "please look at my repository")  # and no file
        self.receipt("Bo Ray (boray)", first, text)
        self.receipt("Cy Fox (cyfox)", first, nothing)
        self.write(f"class/HW 3_cyfox_attempt_{first}_1_naive_read.cu", "// cy\n")
        self.receipt("Di Ado (diado)", first, nothing)
        self.write(f"class/HW 3_diado_attempt_{first}_1_naive_read.cu", "// di\n")
        self.receipt("Di Ado (diado)", second, "sorry, that was the wrong one")
        self.receipt("Ed Esk (edesk)", first, text, "Abgabefeld:")
        self.receipt("Fe Fay (fefay)", first, nothing)
        self.assertEqual(self.plan("class", roster=roster), 1)
        self.assertEqual([student for student in self.by_id if self.by_id[student]["missing"]], ["gigo"])
        for student in ("annlee", "edesk", "fefay"):
            self.assertNotEqual(self.by_id[student]["problem"], "", student)
        self.assertEqual(self.by_id["boray"]["stages"]["transpose/naive_read"]["sha256"], digest("\n" + text + "\n"))
        self.assertEqual((len(self.by_id["cyfox"]["stages"]), self.by_id["cyfox"]["questions"]), (1, []))
        self.assertIn("is the last attempt, and nothing in it", " ".join(self.by_id["diado"]["questions"]))
        self.assertTrue(self.by_id["edesk"]["unclear"])


class WhichIsTheLast(Case):
    def test_canvas_counts_uploads_of_one_name(self):
        for file, text in (("90001_1_naive_read.cu", "first"), ("90003_1_naive_read-2.cu", "last"), ("90002_1_naive_read-1.cu", "second")):
            self.write(f"class/leeann_4711_{file}", f"// {text}\n")
        self.assertEqual(self.plan("class", roster=self.roster("Student,ID,Section\n\"Lee, Ann\",4711,A\n")), 0)
        self.assertEqual(self.all_of["students"][0]["stages"]["transpose/naive_read"]["file"], "1_naive_read-2.cu")

    def test_dates_decide_and_never_numbers_or_the_alphabet(self):
        for day, text in (("Dec 9, 2026 905 AM", "first"), ("Dec 10, 2026 905 AM", "last"), ("Nov 30, 2026 905 PM", "older")):
            self.write(f"class/7-46025 - Ann Lee - {day}/1_naive_read.cu", f"// {text}\n")
        self.assertEqual(self.plan("class", roster=self.roster("id,name\ns1,Ann Lee\n")), 0)
        self.assertIn("Dec 10", self.by_id["s1"]["stages"]["transpose/naive_read"]["hand_in"])

    def test_where_nothing_decides_a_person_does(self):
        self.write("class/heidi/1_naive_read.cu", "// stub\n")
        self.write("class/heidi.zip", layouts.zipped({"1_naive_read.cu": "// solution\n"}))
        self.assertEqual(self.plan("class", roster=self.roster("id\nheidi\n")), 1)
        self.assertIn("transpose/naive_read", self.by_id["heidi"]["unclear"])
        self.assertEqual(self.by_id["heidi"]["stages"], {})
        self.assertIn("nothing says which is the last", self.by_id["heidi"]["problem"])

    def test_the_same_text_twice_is_no_question_of_which(self):
        self.write("class/s1/1_naive_read.cu", "// same\n")
        self.write("class/s1/copy of it/1_naive_read (1).cu", "// same\n")
        self.assertEqual(self.plan("class", roster=self.roster("id\ns1\n")), 0)
        self.assertEqual(list(self.by_id["s1"]["stages"]), ["transpose/naive_read"])


class WhatLiesInAClass(Case):
    def test_a_stray_file_is_a_stray_and_the_class_a_class(self):
        for student in ("s1", "s2", "s3"):
            self.write(f"class/{student}/1_naive_read.cu", f"// {student}\n")
        self.write("class/1_naive_read.cu", "// whose?\n")
        for roster in (self.roster("id\ns1\ns2\ns3\n"), None):
            self.assertEqual(self.plan("class", roster=roster), 1)
            self.assertEqual(sorted(self.by_id), ["s1", "s2", "s3"])
            self.assertIn("`1_naive_read.cu` lies among the hand-ins", " ".join(self.all_of["questions"]))

    def test_what_is_no_file_is_named(self):
        self.write("class/s1/1_naive_read.cu")
        os.mkfifo(self.made / "class" / "s2")
        (self.made / "class" / "s3").symlink_to("s1")
        self.assertEqual(self.plan("class", roster=self.roster("id\ns1\ns2\ns3\n")), 1)
        said = " ".join(self.all_of["questions"])
        self.assertIn("`s2` was left out: it is not a file", said)
        self.assertIn("`s3` was left out: it is a symbolic link", said)

    def test_a_file_with_another_name_elsewhere_is_noted(self):
        self.write("class/s1/1_naive_read.cu")
        self.write("class/s2/notes.txt", "mine")
        os.link(self.made / "class" / "s1" / "1_naive_read.cu", self.made / "class" / "s2" / "1_naive_read.cu")
        self.plan("class", roster=self.roster("id\ns1\ns2\n"))
        self.assertIn("`1_naive_read.cu` is a hard link: the same file has 2 names", " ".join(self.by_id["s2"]["notes"]))

    def test_whoever_sent_a_document_is_not_missing(self):
        self.write("class/s1/1_naive_read.cu")
        self.write("class/s2.pdf", b"%PDF-1.4 not text")
        self.write("class/Cy Fox.txt", layouts.solution("1_naive_read.cu"))
        self.write("class/syllabus.txt", "week 1: read")
        self.assertEqual(self.plan("class", roster=self.roster("id,name\ns1,Ann Lee\ns2,Bo Ray\ns3,Cy Fox\n")), 1)
        self.assertNotEqual(self.by_id["s2"]["problem"], "")
        self.assertFalse(self.by_id["s2"]["missing"])
        self.assertEqual(list(self.by_id["s3"]["stages"]), ["transpose/naive_read"])
        self.assertIn("`syllabus.txt` was left out: it is no hand-in", self.all_of["notes"])

    def test_another_weeks_files_are_no_zero(self):
        self.write("class/s1/3_corner_turning.cu", "// s1\n")
        self.write("class/s2/1_naive_read.cu", "// s2\n")
        self.assertEqual(self.plan("class", roster=self.roster("id\ns1\ns2\n"), more=("--stage", "corner_turning")), 1)
        self.assertIn("transpose/naive_read", " ".join(self.by_id["s2"]["questions"]))
        self.assertEqual(self.by_id["s1"]["questions"], [])

    def test_a_folder_for_each_assignment_or_week(self):
        for top in (("transpose", "reduction"), ("week1", "week 2"), ("hw 1", "hw2")):
            shutil.rmtree(self.made / "class", ignore_errors=True)
            for student in ("s1", "s2"):
                self.write(f"class/{top[0]}/{student}/1_naive_read.cu", f"// {student}\n")
                self.write(f"class/{top[1]}/{student}/2_strided.cu", f"// {student}\n")
            for roster in (self.roster("id\ns1\ns2\n"), None):
                with self.subTest(top=top, roster=bool(roster)):
                    self.assertEqual(self.plan("class", roster=roster), 0)
                    self.assertEqual(sorted(self.by_id), ["s1", "s2"])
                    self.assertEqual(sorted(self.by_id["s1"]["stages"]), ["reduction/strided", "transpose/naive_read"])

    def test_one_persons_folders_are_one_person(self):
        self.write("dave/transpose/1_naive_read.cu")
        self.write("dave/reduction/1_interleaved.cu")
        self.write("dave/notes/readme.txt")
        self.assertEqual(self.plan("dave", roster=self.roster("id\ndave\n")), 0)
        self.assertEqual(len(self.by_id["dave"]["stages"]), 2)

    def test_a_bomb_three_archives_down_costs_only_its_student(self):
        bomb = {"1_naive_read.cu": " " * 1000}
        for _ in range(6):
            bomb = {"x.zip": layouts.zipped(bomb)}
        self.write("class/s1/hw.zip", layouts.zipped(bomb))
        self.write("class/s2/hw.zip", layouts.zipped({f"{i}.zip": layouts.zipped({"1_naive_read.cu": f"// {i}"}) for i in range(200)}))
        self.write("class/s3/1_naive_read.cu")
        self.assertEqual(self.plan("class", roster=self.roster("id\ns1\ns2\ns3\n")), 1)
        self.assertEqual(self.by_id["s1"]["stages"], {})
        self.assertNotEqual(self.by_id["s1"]["problem"], "")
        self.assertTrue(self.by_id["s2"]["unclear"])
        self.assertEqual(len(self.by_id["s3"]["stages"]), 1)


class WhatCounts(Case):
    def test_a_stray_upload_changes_nobodys_maximum(self):
        for i in range(6):
            self.write(f"class/s{i}/1_naive_read.cu", f"// {i}\n")
        self.write("class/s0/2_strided.cu")
        self.assertEqual(self.plan("class", roster=self.roster("id\n" + "".join(f"s{i}\n" for i in range(6)))), 1)
        self.assertIn("only `s0` handed in reduction", " ".join(self.all_of["questions"]))


if __name__ == "__main__":
    unittest.main()
