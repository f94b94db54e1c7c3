"""Layouts in other languages, of groups and without names; rosters with roles, groups and a student twice; which id is which."""

import csv
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
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


class MoodleInAnyLanguage(Layouts):
    WORKSHEETS = {
        "German": "ID,Vollst\u00e4ndiger Name,E-Mail-Adresse,Status,Bewertung\n{}",
        "French": "Identifiant,Nom complet,Adresse de courriel,Statut,Note\n{}",
        "Polish": "Identyfikator,Nazwa pe\u0142na,Adres e-mail,Status,Ocena\n{}",
        "Russian": "\u0418\u0434\u0435\u043d\u0442\u0438\u0444\u0438\u043a\u0430\u0442\u043e\u0440,\u041f\u043e\u043b\u043d\u043e\u0435 \u0438\u043c\u044f,\u0410\u0434\u0440\u0435\u0441,\u0421\u043e\u0441\u0442\u043e\u044f\u043d\u0438\u0435,\u041e\u0446\u0435\u043d\u043a\u0430\n{}",
        "Japanese": "\u8b58\u5225\u5b50,\u30d5\u30eb\u30cd\u30fc\u30e0,\u30e1\u30fc\u30eb\u30a2\u30c9\u30ec\u30b9,\u30b9\u30c6\u30fc\u30bf\u30b9,\u8a55\u70b9\n{}",
    }
    WORDS = {"German": "Teilnehmer/in ", "French": "Participant ", "Polish": "Uczestnik ", "Russian": "\u0423\u0447\u0430\u0441\u0442\u043d\u0438\u043a ",
             "Japanese": "\u53c2\u52a0\u8005"}

    def worksheet(self, language, with_names=True):
        people = [(5001, "Anna Lee", "al@x"), (5002, "Max Weber", "mw@x"), (5003, "Max Weber", "mw2@x"), (5004, "J\u00fcrgen M\u00fcller", "jm@x")]
        word = self.WORDS[language]
        lines = [f"{word}{number},{name},{mail}.edu,Zur Bewertung abgegeben,\n" for number, name, mail in people]
        text = self.WORKSHEETS[language].format("".join(lines))
        if not with_names:
            text = "\n".join(",".join(cell for i, cell in enumerate(line.split(",")) if i not in (1, 2)) for line in text.splitlines()) + "\n"
        return self.roster(text)

    def test_numbers_of_its_worksheet_place_names_teams_and_namesakes(self):
        for number, name in ((5001, "Team 3-Anna Lee"), (5002, "Team 3-Max Weber"), (5003, "Labor A-Max Weber"), (5004, "Labor A-Ju\u0308rgen Mu\u0308ller")):
            self.hand_in(f"{name}_{number}_assignsubmission_file/{FILE}", number)
        for language in self.WORKSHEETS:
            with self.subTest(language):
                self.assertEqual(self.plan("class", roster=self.worksheet(language)), 0)
                self.assert_placed({one["id"]: number for one, number in zip(self.all_of["students"], (5001, 5002, 5003, 5004))})

    def test_and_blind_ones(self):
        for number in (5001, 5003, 5004):
            self.hand_in(f"Teilnehmerin_{number}_assignsubmission_file/{FILE}", number)
        for language in ("German", "Japanese"):
            with self.subTest(language):
                self.assertEqual(self.plan("class", roster=self.worksheet(language, with_names=False)), 0)
                self.assert_placed({one["id"]: number for one, number in zip(self.all_of["students"], (5001, None, 5003, 5004))})

    def test_a_team_before_the_name_where_the_roster_has_no_numbers(self):
        for number, name in ((1, "Group A-Ann Lee"), (2, "Group B-1-Bo Ray"), (3, "Group B-1-Mary-Ann Fox")):
            self.hand_in(f"{name}_{number}_assignsubmission_file_/{FILE}", number)
        self.assertEqual(self.plan("class", roster=self.roster("id,name\nal,Ann Lee\nbr,Bo Ray\nmf,Mary-Ann Fox\naf,Ann Fox\n")), 1)
        self.assert_placed({"al": 1, "br": 2})
        self.assertTrue(self.by_id["mf"]["doubt"])  # or Ann Fox, of group "B-1-Mary"


class WithoutNames(Layouts):
    def test_of_canvas(self):
        for name in ("anon_aB3xQ_90001", "LATE_anon_9Zk2P_90002", "anon_LATE_77Abc_90003"):
            self.hand_in(f"{name}_{FILE}", name)
        self.assertEqual(self.plan("class"), 0)
        self.assertEqual(sorted((one["id"], one["late"], len(one["stages"])) for one in self.all_of["students"]),
                         [("anon_77Abc", True, 1), ("anon_9Zk2P", True, 1), ("anon_aB3xQ", False, 1)])
        roster = self.roster("id,name\nann,Ann Lee\nbo,Bo Ray\n")
        self.assertEqual(self.plan("class", roster=roster), 1)
        self.assertIn("nobody on the roster is called `anon_aB3xQ`", " ".join(self.all_of["questions"]))
        # The very name that the message has is the map's.
        self.write("map.csv", "hand_in,student\nanon_aB3xQ,ann\nanon_9Zk2P,bo\nanon_77Abc,-\n")
        self.assertEqual(self.plan("class", roster=roster, more=("--map", self.made / "map.csv")), 0)
        self.assert_placed({"ann": "anon_aB3xQ_90001", "bo": "LATE_anon_9Zk2P_90002"})

    def test_files_of_several_whom_nothing_here_knows_are_no_one_person(self):
        for name in ("xk42", "pq77", "zz19"):
            self.hand_in(f"{name}-{FILE}", name)
        self.assertEqual(self.plan("class"), 0)
        self.assertEqual(sorted(self.by_id), ["pq77", "xk42", "zz19"])
        self.assertEqual(self.plan("class", roster=self.roster("id\nann\nbo\n")), 1)
        self.assertEqual(sorted(self.by_id), ["ann", "bo", "pq77", "xk42", "zz19"])


class Groups(Layouts):
    GITHUB = "assignment_name,github_username,roster_identifier,group_name,student_repository_name,submission_timestamp\n" \
        "hw3,annlee,ann,Team One,hw3-team-one,2026-11-02T10:00:00Z\nhw3,boray,bo,Team One,hw3-team-one,2026-11-02T10:00:00Z\n" \
        "hw3,cyfox,cy,The Foxes,hw3-the-foxes,2026-11-02T10:00:00Z\n"

    def test_of_github_classroom(self):
        for columns in ("all", "no repository", "no group"):
            with self.subTest(columns):
                left_out = {"no repository": "student_repository_name", "no group": "group_name"}.get(columns)
                rows = list(csv.reader(self.GITHUB.splitlines()))
                keep = [i for i, name in enumerate(rows[0]) if name != left_out]
                roster = self.roster("".join(",".join(row[i] for i in keep) + "\n" for row in rows))
                self.hand_in(f"hw3-team-one/{FILE}", 1)
                self.hand_in(f"hw3-the-foxes/{FILE}", 2)
                self.assertEqual(self.plan("class", roster=roster), 0, self.all_of)
                self.assertEqual([digest("// 1\n"), digest("// 1\n"), digest("// 2\n")], [one["stages"][STAGE]["sha256"] for one in self.all_of["students"]])

    def test_of_canvas(self):
        roster = self.roster("name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id\n"
                             "Ann Lee,5013,S1,annlee,A,Team 3,7,\nBo Ray,5014,S2,boray,A,Team 3,7,\nCy Fox,5015,S3,cyfox,A,The Foxes,8,\n")
        self.hand_in(f"team3_LATE_5013_90000_{FILE}", 1)
        self.hand_in(f"thefoxes_5015_90001_{FILE}", 2)
        self.assertEqual(self.plan("class", roster=roster), 0)
        self.assertEqual([(digest("// 1\n"), True), (digest("// 1\n"), True), (digest("// 2\n"), False)],
                         [(one["stages"][STAGE]["sha256"], one["late"]) for one in self.all_of["students"]])

    def test_a_number_that_is_of_no_member_contradicts(self):
        roster = self.roster("name,canvas_user_id,user_id,group_name\nAnn Lee,5013,S1,Team 3\nBo Ray,5014,S2,Team 4\n")
        self.hand_in(f"team3_5014_90000_{FILE}", 1)
        self.assertEqual(self.plan("class", roster=roster), 1)
        self.assert_placed({"S1": None, "S2": None})

    def test_a_group_that_is_called_as_a_student_is_asks(self):
        self.hand_in(f"fox/{FILE}", 1)
        self.assertEqual(self.plan("class", roster=self.roster("id,name,group\nfox,Cy Fox,bears\nann,Ann Lee,fox\n")), 1)
        self.assert_placed({"fox": None, "ann": None})

    def test_numbers_of_groups(self):
        self.hand_in(f"group_1/{FILE}", 1)
        self.hand_in(f"Group 12/{FILE}", 12)
        self.assertEqual(self.plan("class", roster=self.roster("id,name,group\nann,Ann Lee,1\nbo,Bo Ray,1\ncy,Cy Fox,12\n")), 0)
        self.assert_placed({"ann": 1, "bo": 1, "cy": 12})


class Rosters(Layouts):
    def test_a_student_twice_is_one(self):
        self.hand_in(f"ann/{FILE}", "ann")
        self.assertEqual(self.plan("class", roster=self.roster("id,name,email,section\nann,Ann Lee,a@x,A\nbo,Bo Ray,b@x,A\nann,Ann Lee,a@x,B\n")), 0)
        self.assertEqual([one["id"] for one in self.all_of["students"]], ["ann", "bo"])
        self.assertIn("`ann` is on the roster twice, in lines 2 and 4", " ".join(self.all_of["notes"]))
        with self.assertRaisesRegex(AssertionError, "two students have the id `ann`"):
            self.plan("class", roster=self.roster("id,name\nann,Ann Lee\nann,Anna Leeds\n"))

    def test_any_id_column_says_whose_it_is_in_a_map(self):
        self.hand_in(f"x1/{FILE}", 1)
        self.hand_in(f"x2/{FILE}", 2)
        self.hand_in(f"x3/{FILE}", 3)
        roster = self.roster("Student,ID,SIS User ID,SIS Login ID,Section\n\"Lee, Ann\",5013,0071,annlee,A\n\"Ray, Bo\",5014,0072,boray,A\n\"Fox, Cy\",5015,0073,cyfox,A\n")
        self.write("map.csv", "hand_in,student\nx1,annlee\nx2,5014\nx3,Cy Fox\n")
        self.assertEqual(self.plan("class", roster=roster, more=("--map", self.made / "map.csv")), 0, self.all_of)
        self.assert_placed({"0071": 1, "0072": 2, "0073": 3})

    def test_a_row_of_a_map_that_matches_nothing_is_named(self):
        self.hand_in(f"x1/{FILE}", 1)
        self.hand_in(f"Mu\u0308ller stuff/{FILE}", 2)
        self.hand_in("main.cu", "stray")
        roster = self.roster("id,name\nann,Ann Lee\nbo,Bo Ray\n")
        self.write("map.csv", "hand_in,file,student,stage\nx_1,,ann,\nM\u00fcller stuff,,bo,\nM\u00fcller stuff,2_naive_write.cu,,naive_write\n")
        self.assertEqual(self.plan("class", roster=roster, more=("--map", self.made / "map.csv")), 1)
        self.assert_placed({"ann": None, "bo": 2})
        said = " ".join(self.all_of["questions"])
        self.assertIn("the map has a row for `x_1`, and no hand-in is called so: `x1`?", said)
        self.assertIn("the map has a row for `2_naive_write.cu` of `M\u00fcller stuff`, which holds no such file", said)

    def test_a_stray_file_is_whose_the_map_says(self):
        self.hand_in(f"ann/{FILE}", "ann")
        self.hand_in(f"bo/{FILE}", "bo")
        self.hand_in("2_naive_write.cu", "stray")
        roster = self.roster("id,name\nann,Ann Lee\nbo,Bo Ray\n")
        self.assertEqual(self.plan("class", roster=roster), 1)
        self.assertIn("`2_naive_write.cu` lies among the hand-ins", " ".join(self.all_of["questions"]))
        self.write("map.csv", "hand_in,student\n2_naive_write.cu,bo\n")
        self.plan("class", roster=roster, more=("--map", self.made / "map.csv"))
        self.assertEqual(sorted(self.by_id["bo"]["stages"]), [STAGE, "transpose/naive_write"])
        self.assertNotIn("lies among", " ".join(self.all_of["questions"]))


if __name__ == "__main__":
    unittest.main()
