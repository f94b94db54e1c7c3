"""Marks into the files that platforms exported, and what each platform would refuse. Nothing is graded: marks.json is made up."""

import csv
import io
import json
import os
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import grading  # noqa: E402
from test_intake import Case  # noqa: E402

NAMES = ("J\u00fcrgen|M\u00fcller", "\u674e|\u660e", "Ann \"Annie\"|O'Brien", "Bo|Lee, Jr.", "=cmd|calc", "Zo\u00eb|\u00d6zt\u00fcrk", "Max|Frei", "Pia|Rossi")
KIND = {"id": 1, "email": 2, "name": 4, "number": 5}


class Student:
    def __init__(self, number):
        self.first, self.last = NAMES[number % len(NAMES)].split("|")
        self.last += f" {number}"
        self.sid, self.login, self.number = f"00{4000 + number}", f"u{number:03}", 7000 + number
        self.email, self.name = f"{self.login}@example.edu", f"{self.first} {self.last}"
        self.points = None if number % 10 == 9 else round(number * 1.37 % 100, 2)


STUDENTS = [Student(number) for number in range(60)]


def table(rows, delimiter=",", end="\r\n"):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
    return out.getvalue()


def canvas():
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "HW 2 (111)", "HW 3 (222)", "Final Score"]
    rows = [head, ["    Points Possible", "", "", "", "", "10", "100", "(read only)"]]
    rows += [[f"{s.last}, {s.first}", s.number, s.sid, s.login, "A; B", "7", "", "70"] for s in STUDENTS]
    rows.append(["Student, Test", 1, "", "t", "A", "", "", ""])
    return b"\xef\xbb\xbf" + table(rows).encode(), 6, ("--column", "HW 3")


def moodle():
    head = ["ID", "Vollst\u00e4ndiger Name", "ID-Nummer", "E-Mail-Adresse", "Status", "Bewertung", "Bestwertung", "Bewertung kann ge\u00e4ndert werden",
            "Zuletzt ge\u00e4ndert (Bewertung)", "Feedback als Kommentar"]
    rows = [head] + [[f"Teilnehmer/in{s.number}", s.name, s.sid, s.email, "Zur Bewertung abgegeben", "", "100,00", "Ja", "-", ""] for s in STUDENTS]
    return table(rows).encode(), 5, ()


def brightspace():
    head = ["OrgDefinedId", "Username", "Last Name", "First Name", "Email", "HW 3 Points Grade <Numeric MaxPoints:100>", "End-of-Line Indicator"]
    return table([head] + [[f"#{s.sid}", f"#{s.login}", s.last, s.first, s.email, "", "#"] for s in STUDENTS]).encode(), 5, ()


def blackboard():
    head = ["Last Name", "First Name", "Username", "Student ID", "Availability", "HW 3 [Total Pts: 100 Score] |1234567"]
    text = table([head] + [[s.last, s.first, s.login, s.sid, "Yes", ""] for s in STUDENTS], delimiter="\t", end="\n")
    return text.encode("utf-16"), 5, ()


def sakai():
    head = ["Display ID", "ID", "Last Name", "First Name", "grade", "Submission date", "Late submission?"]
    rows = [["HW 3", "SCORE_GRADE_TYPE"], [""], head] + [[s.login, s.login, s.last, s.first, "", "", ""] for s in STUDENTS]
    return table(rows, end="\n").encode(), 4, ()


PLATFORMS = {"canvas": canvas, "moodle": moodle, "brightspace": brightspace, "blackboard": blackboard, "sakai": sakai}


def marks(students=STUDENTS):
    return {"schema": "warpgrade.marks/1", "max": 100, "students": [
        {"id": s.sid, "name": s.name, "email": s.email, "file": s.sid, "status": "graded", "on_roster": True, "late": False, "max": 100,
         "keys": [{"kind": KIND["id"], "text": s.sid}, {"kind": KIND["id"], "text": s.login}, {"kind": KIND["email"], "text": s.email},
                  {"kind": KIND["name"], "text": s.name}],
         "total": s.points, "final": s.points, "from": "", "hand_ins": [f"{s.name}_{s.number}_assignsubmission_file_"], "notes": "",
         "stages": [{"stage": "transpose/padding", "total": s.points, "max": 100, "handed_in": True, "attempted": True, "excused": False,
                     "override": "", "sha256": ""}]} for s in students]}


def cells(data):
    text = data.decode("utf-16") if data[:2] in (b"\xff\xfe", b"\xfe\xff") else data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in text.splitlines()[0] else ","))


class Exports(Case):
    def setUp(self):
        super().setUp()
        self.write("graded/marks.json", json.dumps(marks()))

    def export(self, *words):
        done = subprocess.run([grading.BINARY, "export", *words, "--from", self.made / "graded"], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, WARPGRADE_ROOT=str(grading.ROOT), NO_COLOR="1"))
        self.text = done.stdout + done.stderr
        return done.returncode

    def test_a_platforms_file_comes_back_with_marks_and_nothing_else_changed(self):
        for name, made in PLATFORMS.items():
            with self.subTest(name):
                before, column, more = made()
                self.write(f"{name}.csv", before)
                self.assertEqual(self.export(name, "--into", self.made / f"{name}.csv", "--out", self.made / "filled", *more), 0, self.text)
                self.assertEqual((self.made / f"{name}.csv").read_bytes(), before)
                after = (self.made / "filled").read_bytes()
                self.assertEqual(after[:3] == b"\xef\xbb\xbf", before[:3] == b"\xef\xbb\xbf")
                old, new = cells(before), cells(after)
                self.assertEqual(len(old), len(new))
                points = {key: s.points for s in STUDENTS for key in (s.sid, f"#{s.sid}", s.login, f"#{s.login}")}
                filled = 0
                for was, now in zip(old, new):
                    comment = 9 if name == "moodle" else None
                    for i, (a, b) in enumerate(zip(was, now)):
                        if a == b or i == comment:
                            continue
                        self.assertEqual(i, column, (was, now))
                        mine = next(points[cell] for cell in was if points.get(cell) is not None)
                        self.assertEqual(float(b.replace(",", ".")), mine)
                        filled += 1
                self.assertEqual(filled, sum(s.points is not None for s in STUDENTS))
                self.assertEqual(self.export(name, "--into", self.made / "filled", "--check", *more), 0, self.text)

    def test_what_a_platform_would_refuse_is_refused_here(self):
        text = brightspace()[0].decode()
        m = moodle()[0].decode()
        c = canvas()[0].decode("utf-8-sig")
        broken = {
            "no end of line": ("brightspace", text.replace("End-of-Line Indicator", "End")),
            "a row without its #": ("brightspace", text.replace(",,#\r\n", ",5,\r\n", 1)),
            "no grade column": ("brightspace", text.replace("Points Grade", "Points")),
            "a word for a grade": ("moodle", m.replace(",,\"100,00\"", ",good,\"100,00\"", 1)),
            "above the maximum": ("moodle", m.replace(",,\"100,00\"", ",101,\"100,00\"", 1)),
            "below zero": ("moodle", m.replace(",,\"100,00\"", ",-1,\"100,00\"", 1)),
            "no participant": ("moodle", m.replace("Teilnehmer/in7000", "Teilnehmer", 1)),
            "twice": ("moodle", m.replace("Teilnehmer/in7001", "Teilnehmer/in7000", 1)),
            "a cell too few": ("moodle", m.replace(",Ja,-,", ",Ja,-", 1)),
            "no column of Moodle's": ("moodle", m.replace("Zuletzt ge\u00e4ndert (Bewertung)", "x")),
            "no Student": ("canvas", c.replace("Student,ID", "Name,ID", 1)),
            "an assignment without its number": ("canvas", c.replace("HW 3 (222)", "HW 3", 1)),
            "three decimals": ("canvas", c.replace(",7,,70", ",7,1.234,70", 1)),
            "a quote left open": ("canvas", c + '"x'),
            "another platform's": ("canvas", text),
        }
        for what, (name, bad) in broken.items():
            with self.subTest(what):
                self.assertNotEqual(bad, {"brightspace": text, "moodle": m, "canvas": c}[name])
                self.write("bad.csv", bad)
                self.assertEqual(self.export(name, "--into", self.made / "bad.csv", "--check", *(("--column", "HW 3") if name == "canvas" else ())), 2, self.text)

    def test_who_is_not_sure_stays_as_he_was(self):
        twins = [Student(1), Student(2)]
        for s in twins:
            s.name, s.first, s.last, s.sid, s.login, s.email = "Bob Smith", "Bob", "Smith", f"x{s.number}", f"y{s.number}", f"z{s.number}@e"
        self.write("graded/marks.json", json.dumps(marks(twins)))
        self.write("moodle.csv", table([["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)"],
                                        ["Participant 1", "Bob Smith", "", "100", ""], ["Participant 2", "Bob Smith", "3", "100", ""]]))
        self.assertEqual(self.export("moodle", "--into", self.made / "moodle.csv", "--out", self.made / "filled"), 1)
        self.assertEqual(cells((self.made / "filled").read_bytes()), cells((self.made / "moodle.csv").read_bytes()))
        self.assertIn("more than one student fits", self.text)

    def test_another_maximum_is_said_and_scaled_on_request(self):
        self.write("c.csv", canvas()[0].replace(b",10,100,", b",10,50,"))
        self.assertEqual(self.export("canvas", "--into", self.made / "c.csv", "--column", "HW 3"), 2)
        self.assertIn("error[another_maximum]", self.text)
        self.assertEqual(self.export("canvas", "--into", self.made / "c.csv", "--column", "HW 3", "--scale", "--out", self.made / "filled"), 0)
        row = next(row for row in cells((self.made / "filled").read_bytes()) if row[2] == STUDENTS[20].sid)
        self.assertAlmostEqual(float(row[6]), STUDENTS[20].points / 2, places=2)

    def test_reports_go_back_under_the_platforms_names(self):
        self.write(f"graded/reports/{STUDENTS[3].sid}/report.pdf", b"%PDF-1.4 made up")
        self.write("m.csv", moodle()[0])
        self.assertEqual(self.export("moodle", "--into", self.made / "m.csv", "--out", self.made / "filled", "--feedback", self.made / "f.zip"), 0, self.text)
        with zipfile.ZipFile(self.made / "f.zip") as archive:
            self.assertIsNone(archive.testzip())
            [name] = archive.namelist()
            self.assertEqual(name, f"{STUDENTS[3].name}_{STUDENTS[3].number}_assignsubmission_file_/report.pdf")
            self.assertEqual(archive.read(name), b"%PDF-1.4 made up")

    def test_a_folder_is_no_file_to_write(self):
        self.write("m.csv", moodle()[0])
        self.write(f"graded/reports/{STUDENTS[3].sid}/report.pdf", b"%PDF-1.4 made up")
        self.assertEqual(self.export("moodle", "--into", self.made / "m.csv", "--out", self.made / "filled", "--feedback", self.made), 2)
        self.assertIn("it is a folder\n   = try: name a file", self.text)

    def test_a_spreadsheet_and_junit(self):
        self.assertEqual(self.export("csv", "--out", self.made / "m.csv"), 0, self.text)
        data = (self.made / "m.csv").read_bytes()
        self.assertTrue(data.startswith(b"\xef\xbb\xbf"))
        rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
        self.assertEqual([row["id"] for row in rows], [s.sid for s in STUDENTS])
        self.assertTrue(all(not cell.startswith("=") for row in rows for cell in row.values()))
        self.assertEqual(self.export("junit", "--out", self.made / "j.xml"), 0, self.text)
        import xml.etree.ElementTree as tree
        suites = tree.parse(self.made / "j.xml").getroot()
        self.assertEqual(len(suites), 60)

    def test_a_name_that_no_xml_may_hold_costs_nobody_the_file(self):
        made = marks()
        made["students"][0]["id"] = "a\ufffe\x01<b>&\U0010ffff"
        self.write("graded/marks.json", json.dumps(made))
        self.assertEqual(self.export("junit", "--out", self.made / "j.xml"), 0, self.text)
        import xml.etree.ElementTree as tree
        self.assertEqual(tree.parse(self.made / "j.xml").getroot()[0].get("name"), "a\\ufffe\\x01<b>&\\U0010ffff")


if __name__ == "__main__":
    unittest.main()
