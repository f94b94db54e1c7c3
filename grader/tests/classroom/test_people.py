"""Who is meant, by any id that the roster has, in every verb and table; and who is in no statistics and no export."""

import csv
import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from book_case import BookCase  # noqa: E402

CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section\n\"Lee, Ann\",5013,0071,annlee,A\n\"Ray, Bo\",5014,0072,boray,A\n\"Fox, Cy\",5015,0073,cyfox,A\n"


class AnyId(BookCase):
    def rows(self):
        with open(self.made / "book" / "gradebook.csv", encoding="utf-8", newline="") as file:
            return {row["SIS User ID"]: row for row in csv.DictReader(file)}

    def test_in_every_verb_and_table(self):
        for login in ("annlee", "boray"):
            self.hand_in(f"class/{login}/1_naive_read.cu")
        words = (self.made / "class", "--roster", self.roster(CANVAS), "--stage", "naive_read")
        self.write("book/overrides.csv", "student,stage,points,reason\nannlee,naive_read,7.5,talked about\n5014,naive_read,6,too\n")
        self.write("book/extensions.csv", "student,assignment,days,reason\nboray,transpose,2,ill\nCy Fox,transpose,2,ill\n")
        self.assertEqual(self.grade(*words), 0, self.text)
        self.assertEqual([row["total"] for row in self.rows().values()], ["7.5", "6", ""])
        self.write("book/extensions.csv", "student,assignment,days,reason\nborai,transpose,2,ill\n")
        self.assertEqual(self.grade(*words), 1, self.text)
        self.assertIn("extensions.csv has a row for `borai`, who is not in the class: write what the roster has under `SIS User ID`, "
                      "`SIS Login ID` or `ID`", " ".join(self.text.split()))
        (self.made / "book" / "extensions.csv").unlink()
        self.write("book/overrides.csv", "student,stage,points,reason\nannlee,naive_read,7.5,one\n71,naive_read,6,two\n")
        self.assertEqual(self.grade(*words), 2, self.text)
        self.assertIn("two rows for `0071` and transpose/naive_read", " ".join(self.text.split()))
        self.write("book/overrides.csv", "student,stage,points,reason\nannlee,naive_read,7.5,one\n")
        self.assertEqual(self.grade(*words), 0, self.text)
        for name in ("boray", "5014", "0072", "72", "Bo Ray"):
            self.assertEqual(self.verb("regrade", name, "--out", self.made / "book"), 0, self.text)
            self.assertIn("transpose/naive_read  identical", self.text)
        self.assertEqual(self.verb("regrade", "bo-ray7", "--out", self.made / "book"), 2)
        self.assertIn("write what the gradebook has under `SIS User ID`, `SIS Login ID` or `ID`", " ".join(self.text.split()))
        self.write("book/notes.txt", "her number is a part of 0.0071, of 00712 and of ab0071cd\n")
        self.assertEqual(self.verb("forget", "annlee", "--out", self.made / "book"), 0, self.text)
        self.assertEqual(list(self.rows()), ["0072", "0073"])
        self.assertNotIn("annlee", (self.made / "book" / "overrides.csv").read_text())


class Roles(BookCase):
    def test_auditors_and_who_has_dropped_are_in_no_statistics_and_no_export(self):
        for student in ("ann", "ben", "aud"):
            self.hand_in(f"class/{student}/1_naive_read.cu")
        roster = self.roster("id,name,role\nann,Ann Lee,Student\nben,Ben Ray,\naud,Au Dit,Auditor\ndan,Dan Fox,dropped\n")
        self.assertEqual(self.grade(self.made / "class", "--roster", roster, "--stage", "naive_read"), 0, self.text)
        self.assertIn("2 students: 2 provisional\nin no statistics and no export: 1 Auditor, 1 dropped\n", self.text)
        self.assertRegex(self.text, r"transpose/naive_read +2 ")
        rows = self.rows()
        self.assertEqual((rows["aud"]["total"], rows["dan"]["status"]), ("10", "dropped"))  # feedback, and no gap
        self.assertEqual(self.verb("export", "csv", "--from", self.made / "book", "--out", self.made / "marks.csv"), 0, self.text)
        with open(self.made / "marks.csv", encoding="utf-8-sig", newline="") as file:
            self.assertEqual([row["id"] for row in csv.DictReader(file)], ["ann", "ben"])
        canvas = "Student,ID,SIS Login ID,Section,HW 3 (7)\n    Points Possible,,,,10\nAnn Lee,1,ann,A,\nAu Dit,2,aud,A,3\nBen Ray,3,ben,A,\n"
        self.write("canvas.csv", canvas)
        self.assertEqual(self.verb("export", "canvas", "--into", self.made / "canvas.csv", "--from", self.made / "book", "--column", "HW 3",
                                   "--out", self.made / "filled.csv"), 0, self.text)
        self.assertIn("as they were, for they are not in the course: `aud`", self.text)
        self.assertIn("Au Dit,2,aud,A,3\n", (self.made / "filled.csv").read_text())
        # The next run knows it without the roster.
        self.assertEqual(self.grade(self.made / "class" / "ann"), 0, self.text)
        self.assertIn("in no statistics and no export: 1 Auditor, 1 dropped", self.text)
        roles = {one["id"]: one["role"] for one in json.loads((self.made / "book" / "class.json").read_text("utf-8"))["students"]}
        self.assertEqual(roles, {"ann": "", "ben": "", "aud": "Auditor", "dan": "dropped"})


if __name__ == "__main__":
    unittest.main()
