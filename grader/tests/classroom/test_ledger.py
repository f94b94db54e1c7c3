"""One place for a course's run: weeks, late work, one student again, kills, a full disk. What was there stays."""

import csv
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import grading  # noqa: E402
import layouts  # noqa: E402
from book_case import BookCase  # noqa: E402


# Runs an array's elements at once, and what waits for it never.
SBATCH = """#!/bin/sh
echo "$*" >> "$FAKE_SLURM/asked"
number=$(wc -l < "$FAKE_SLURM/asked")
for last; do :; done
case "$*" in
    *--dependency*) ;;
    *) SLURM_ARRAY_JOB_ID=$number SLURM_ARRAY_TASK_ID=0 sh -c "$last" > "$FAKE_SLURM/log" 2>&1 ;;
esac
echo "$number;trial"
"""


class Book(BookCase):
    def test_weeks_late_work_and_one_student_add_up_and_change_nobody_else(self):
        self.week_1()
        first = self.rows()
        self.assertEqual([row["total"] for row in first.values()], ["10", "10", ""])
        self.assertEqual(first["ann"]["max"], "10")
        book = (self.made / "book" / "gradebook.csv").read_bytes()
        # One student again, from another folder and without the roster.
        self.assertEqual(self.grade(self.made / "week1" / "ann"), 0, self.text)
        self.assertEqual((self.made / "book" / "gradebook.csv").read_bytes(), book)
        # Foreign files stay.
        self.write("book/results/thesis.json", "{}")
        self.write("book/handed-in/ann/notes.txt", "mine")
        # Late work of one who had nothing.
        self.hand_in("late/dan/1_naive_read.cu")
        self.assertEqual(self.grade(self.made / "late"), 0, self.text)
        self.assertIn("of 2 students this run has heard nothing", self.text)
        rows = self.rows()
        self.assertEqual(rows["dan"]["total"], "10")
        self.assertEqual({**rows["ann"]}, {**first["ann"]})
        # A second week: the maximum grows for all, the first week's marks stay.
        self.hand_in("week2/ben/2_naive_write.cu")
        self.assertEqual(self.grade(self.made / "week2", "--stage", "naive_write"), 0, self.text)
        rows = self.rows()
        self.assertEqual([row["total"] for row in rows.values()], ["10", "20", "10"])
        self.assertEqual({row["max"] for row in rows.values()}, {"20"})
        self.assertEqual((self.made / "book" / "handed-in" / "ben" / "transpose" / "1_naive_read.cu").read_text(encoding="utf-8"),
                         layouts.solution("1_naive_read.cu"))
        # Another file for a stage: said, logged, and the old one is kept.
        self.hand_in("again/ann/1_naive_read.cu", stub=True)
        self.assertEqual(self.grade(self.made / "again"), 0, self.text)
        self.assertRegex(self.text, r"ann +transpose/naive_read: 10 -> 0 of 10 \(another file\)")
        self.assertEqual(self.rows()["ann"]["total"], "0")
        mark = [line for line in self.lines("mark") if line["student"] == "ann" and line["stage"] == "transpose/naive_read"][-1]
        self.assertEqual((mark["before"], mark["total"], mark["seed"], mark["why"]), (10, 0, 7, "another file"))
        for key in ("when", "who", "kit", "sha256", "from"):
            self.assertTrue(mark[key], key)
        for taken in self.lines("file"):
            self.assertTrue((self.made / "book" / ".store" / "kept" / f"{taken['sha256']}.cu").exists())
        self.assertEqual((self.made / "book" / "results" / "thesis.json").read_text(), "{}")
        self.assertEqual((self.made / "book" / "handed-in" / "ann" / "notes.txt").read_text(), "mine")

    def test_what_a_kill_or_a_full_disk_left_of_a_line_is_no_line(self):
        self.week_1()
        book = (self.made / "book" / "gradebook.csv").read_bytes()
        ledger = self.made / "book" / "ledger.jsonl"
        whole = ledger.read_bytes()
        with open(ledger, "ab") as file:
            file.write(b'{"kind":"mark","student":"ann","stage":"transpose/naive_re')
        self.assertEqual(self.grade(self.made / "week1" / "ben"), 0, self.text)
        self.assertIn("1 line of ledger.jsonl cannot be read", self.text)
        self.assertEqual((self.made / "book" / "gradebook.csv").read_bytes(), book)
        self.assertTrue(ledger.read_bytes().startswith(whole))

    def test_the_book_of_another_course_is_refused(self):
        self.week_1()
        with open(self.made / "book" / "ledger.jsonl", "a", encoding="utf-8") as file:
            file.write('{"kind":"course","course":"scan"}\n')
        self.assertEqual(self.grade(self.made / "week1"), 2)
        self.assertIn("error[another_course]", self.text)

    def test_what_a_person_decides_wins_and_what_lateness_costs_stands_beside_it(self):
        self.week_1()
        first = self.rows()
        self.write("book/overrides.csv", "student,stage,points,reason\nann,naive_read,7.5,talked about in the lab\ndan,naive_read,excused,ill\n")
        self.assertEqual(self.grade(self.made / "week1"), 0, self.text)
        rows = self.rows()
        self.assertEqual(rows["ann"]["total"], "7.5")
        self.assertIn("set by a person: talked about in the lab", rows["ann"]["notes"])
        self.assertEqual((rows["dan"]["transpose/naive_read"], rows["dan"]["max"]), ("EX", "0"))
        self.assertEqual(rows["ben"], first["ben"])
        self.assertIn("(set by a person: talked about in the lab)", " ".join(self.text.split()))
        result = json.loads((self.made / "book" / "results" / "ann.json").read_text(encoding="utf-8"))
        [stage] = [stage for stage in result["stages"] if stage["stage"] == "naive_read"]
        self.assertEqual((stage["score"]["total"], stage["override"]["was"]), (7.5, 10))
        self.write("book/overrides.csv", "student,stage,points,reason\nann,naive_read,7.5,\n")
        self.assertEqual(self.grade(self.made / "week1"), 2)
        (self.made / "book" / "overrides.csv").unlink()
        # Late by a day and a half, with one late day to spend.
        self.write("book/policy.toml", "late_days = 1\npercent_a_day = 10\n[due]\ntranspose = \"2026-11-02 23:59\"\n")
        self.hand_in("late/7-1 - Dan Fox - Nov 4, 2026 1000 AM/1_naive_read.cu")
        self.assertEqual(self.grade(self.made / "late"), 0, self.text)
        row = self.rows()["dan"]
        self.assertEqual((row["total"], row["days late"], row["late points"], row["final"]), ("10", "2", "-1", "9"))
        self.write("book/extensions.csv", "student,assignment,days,reason\ndan,transpose,2,ill\n")
        self.assertEqual(self.grade(self.made / "late"), 0, self.text)
        self.assertEqual((self.rows()["dan"]["late points"], self.rows()["dan"]["final"]), ("0", "10"))

    def test_a_date_without_a_zone_is_not_compared_with_a_time_in_utc(self):
        self.write("class/submission_metadata.yml", "submission_1:\n  :submitters:\n  - :name: Ann Lee\n    :sid: ann\n"
                   "  :created_at: 2025-11-03 04:30:00.000000000 Z\n")
        self.hand_in("class/submission_1/1_naive_read.cu")
        roster = self.roster("id,name\nann,Ann Lee\n")
        self.write("book/policy.toml", "percent_a_day = 10\n[due]\ntranspose = \"2025-11-02 23:59\"\n")
        words = (self.made / "class", "--roster", roster, "--stage", "naive_read")
        self.assertEqual(self.grade(*words), 2)
        self.assertIn("has no time zone", self.text)
        self.assertIn("zone =", self.text)
        self.assertFalse((self.made / "book" / "gradebook.csv").exists())
        self.write("book/policy.toml", "zone = \"-05:00\"\npercent_a_day = 10\n[due]\ntranspose = \"2025-11-02 23:59\"\n")
        self.assertEqual(self.grade(*words), 0, self.text)
        self.assertEqual((self.rows()["ann"]["days late"], self.rows()["ann"]["late points"]), ("0", "0"))

    def test_an_excuse_from_a_part_is_no_mark_for_who_handed_in_nothing(self):
        self.week_1()
        self.write("book/overrides.csv", "student,stage,points,reason\ndan,transpose/naive_read,excused,ill\n")
        words = (self.made / "week1", "--roster", self.names, "--stage", "naive_read")
        self.assertEqual(self.grade(*words, "--stage", "naive_write"), 0, self.text)
        row = self.rows()["dan"]
        self.assertEqual((row["status"], row["total"]), ("missing", ""))
        self.write("book/overrides.csv", "student,stage,points,reason\ndan,transpose,excused,ill\n")
        self.assertEqual(self.grade(*words, "--stage", "naive_write"), 0, self.text)
        self.assertNotEqual(self.rows()["dan"]["status"], "missing")

    def test_a_book_keeps_the_seed_of_its_first_run(self):
        self.week_1()
        done = subprocess.run([grading.BINARY, "grade", self.made / "week1", "--out", self.made / "book", "--no-reports", "--seed", "8",
                               "--device", "virtual"], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, WARPGRADE_ROOT=str(grading.ROOT), NO_COLOR="1"))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("graded with seed 7, and not 8", " ".join(done.stderr.split()))
        self.assertEqual([line["seed"] for line in self.lines("course") if "seed" in line], [7])
        self.assertEqual({line["seed"] for line in self.lines("mark")}, {7})

    def test_lateness_that_nobody_can_count_is_for_a_person(self):
        """Canvas says late, and not by how much; a folder says nothing at all."""
        self.write("class/leeann_LATE_5013_90000_1_naive_read.cu", layouts.solution("1_naive_read.cu"))
        self.hand_in("class/ben/1_naive_read.cu")
        self.write("book/policy.toml", "percent_a_day = 10\n[due]\ntranspose = \"2026-11-02 23:59\"\n")
        roster = self.roster("id,name\nann,Ann Lee\nben,Ben Ray\n")
        words = (self.made / "class", "--roster", roster, "--stage", "naive_read")
        self.assertEqual(self.grade(*words), 1, self.text)
        self.assertIn("`ann` is late, as the platform says, and not by how much", " ".join(self.text.split()))
        self.assertIn("nothing says when 1 student handed in", " ".join(self.text.split()))
        self.assertEqual((self.rows()["ann"]["total"], self.rows()["ann"]["final"], self.rows()["ben"]["final"]), ("10", "", "10"))
        self.write("book/extensions.csv", "student,assignment,days,reason\nann,transpose,2,ill\nbem,transpose,2,ill\n")
        self.assertEqual(self.grade(*words), 1, self.text)
        self.assertEqual(self.rows()["ann"]["final"], "10")
        self.assertIn("extensions.csv has a row for `bem`, who is not in the class", " ".join(self.text.split()))
        self.write("book/extensions.csv", "student,assignment,days,reason\nann,transpose,2,ill\n")
        self.assertEqual(self.grade(*words), 0, self.text)

    def test_what_submit_packs_is_what_grade_reads(self):
        for name in ("1_naive_read.cu", "2_naive_write.cu"):
            self.write(f"kit/assignments/transpose/{name}", layouts.solution(name))
        self.write("kit/assignments/transpose/3_corner_turning.cu", layouts.stub("3_corner_turning.cu"))
        for path in ("transpose/assignment.toml", "transpose/problem.toml", "copy/problem.toml"):
            self.write(f"kit/assignments/{path}", (grading.ROOT / "assignments" / path).read_bytes())
        done = subprocess.run([grading.BINARY, "submit", "transpose", "--out", self.made / "class" / "s1.zip"], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, WARPGRADE_ROOT=str(self.made / "kit"), NO_COLOR="1"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("2 stages in", done.stdout)
        self.assertIn("left out, as handed out: 1 stage", done.stdout)
        self.assertEqual([line for line in done.stdout.splitlines() if len(line) > 80 and "s1.zip" not in line], [])
        self.assertEqual(self.plan("class", roster=self.roster("id\ns1\n")), 0)
        self.assertEqual(sorted(self.by_id["s1"]["stages"]), ["transpose/naive_read", "transpose/naive_write"])

    def holders(self, *words):
        """Files of the book in whose names or bytes one of the words stands."""
        return sorted(path.relative_to(self.made / "book").as_posix() for path in (self.made / "book").rglob("*")
                      if path.is_file() and any(word in path.name or word.encode() in path.read_bytes() for word in words))

    def test_pseudonyms_leave_names_in_one_file_and_exports_join_them(self):
        names = ("annlee77", "Ann Lee", "annlee@x.edu", "benray78", "Ben Ray", "danfox79")
        roster = self.roster("id,name,email\nannlee77,Ann Lee,annlee@x.edu\nbenray78,Ben Ray,b@x.edu\ndanfox79,Dan Fox,d@x.edu\n")
        for student in ("annlee77", "benray78"):
            self.hand_in(f"week1/hw_{student}/1_naive_read.cu")
        self.write("week1/hw_annlee77/notes of Ann Lee.pdf", b"%PDF-1.4 not text")
        done = self.grade(self.made / "week1", "--roster", roster, "--stage", "naive_read", "--pseudonyms")
        self.assertEqual(done, 0, self.text)
        self.assertEqual([name for name in names if name in self.text], [])
        # What a person edits, and who is who; nothing else.
        self.assertEqual(self.holders(*names), [".store/map.csv", "identities.json", "map.csv"])
        with open(self.made / "book" / "gradebook.csv", encoding="utf-8", newline="") as file:
            book = {row["pseudonym"]: row for row in csv.DictReader(file)}
        self.assertEqual(sorted(row["total"] for row in book.values()), ["", "10", "10"])
        self.assertEqual(list(book), sorted(book))  # the roster's order says nothing
        who = {one["id"]: one["pseudonym"] for one in json.loads((self.made / "book" / "identities.json").read_text("utf-8"))["students"]}
        # The same people in the next run, without being told again; decisions may call them by either name.
        self.write("book/overrides.csv", "student,stage,points,reason\nbenray78,naive_read,7.5,asked\n")
        self.assertEqual(self.grade(self.made / "week1"), 0, self.text)
        (self.made / "book" / "overrides.csv").unlink()
        self.assertEqual(self.holders(*names), [".store/map.csv", "identities.json", "map.csv"])
        self.assertEqual(self.verb("export", "csv", "--from", self.made / "book", "--out", self.made / "marks.csv"), 0, self.text)
        with open(self.made / "marks.csv", encoding="utf-8-sig", newline="") as file:
            out = {row["id"]: row for row in csv.DictReader(file)}
        self.assertEqual([(out[name]["name"], out[name]["points"]) for name in ("annlee77", "benray78")], [("Ann Lee", "10"), ("Ben Ray", "7.5")])
        self.write("moodle.csv", "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (grade),Feedback comments\n"
                   "Participant 7,Ann Lee,annlee@x.edu,Submitted,,10.00,Yes,-,\n")
        self.assertEqual(self.verb("export", "moodle", "--into", self.made / "moodle.csv", "--from", self.made / "book", "--out",
                                   self.made / "filled.csv"), 1, self.text)  # Ben is not in it
        self.assertIn("Submitted,10,", (self.made / "filled.csv").read_text(encoding="utf-8"))
        # Similar texts: listed by pseudonym, and packed so for other tools.
        [group] = json.loads((self.made / "book" / "class.json").read_text("utf-8"))["alike"]
        self.assertEqual((group["what"], sorted(group["students"])), ("text", sorted((who["annlee77"], who["benray78"]))))
        for tool, suffix in (("jplag", ".cpp"), ("dolos", ".cpp"), ("moss", ".cc")):
            self.assertEqual(self.verb("export", "similarity", "--tool", tool, "--from", self.made / "book"), 0, self.text)
            place = self.made / "book" / "export" / tool
            copy = place / "submissions" / who["annlee77"] / f"transpose_naive_read{suffix}"
            text, source = copy.read_text(encoding="utf-8"), layouts.solution("1_naive_read.cu")
            self.assertEqual([len(line) for line in text.split("\n")], [len(line) for line in source.split("\n")])
            self.assertTrue((place / "base" / f"transpose_padding{suffix}").exists())
            self.assertEqual((place / "info.csv").exists(), tool == "dolos")
        self.assertEqual(self.verb("regrade", "annlee77", "--out", self.made / "book"), 0, self.text)
        self.assertEqual(self.verb("forget", "annlee77", "--out", self.made / "book"), 0, self.text)
        self.assertEqual(self.holders("annlee77", "Ann Lee", "annlee@x.edu", who["annlee77"]), [])

    def test_a_cluster_gives_the_same_book_and_what_never_ends_is_for_a_person(self):
        """Stand-ins for Slurm's programs; grader/lab/slurm tries the real ones."""
        self.week_1()
        tools = self.made / "bin"
        for name, text in {"sbatch": SBATCH, "squeue": "#!/bin/sh\ncat \"$FAKE_SLURM/queue\" 2>/dev/null; exit 0\n",
                           "scontrol": "#!/bin/sh\necho JobState=TIMEOUT\n", "sacct": "#!/bin/sh\nexit 1\n"}.items():
            self.write(f"bin/{name}", text)
            (tools / name).chmod(0o755)
        (self.made / "slurm").mkdir()
        os.environ.update(PATH=f"{tools}:{os.environ['PATH']}", FAKE_SLURM=str(self.made / "slurm"))
        self.addCleanup(os.environ.update, PATH=os.environ["PATH"].split(":", 1)[1])
        words = (self.made / "week1", "--roster", self.names, "--stage", "naive_read", "--executor", "slurm", "--slurm=--gres=gpu:1", "--chunk", "1")
        self.assertEqual(self.grade(*words, out="cluster", knows=False), 0, self.text)
        self.assertIn("sent 1 stages as job 1 of 1 elements; job 2 collects", " ".join(self.text.split()))
        self.assertFalse((self.made / "cluster" / "gradebook.csv").exists())
        asked = (self.made / "slurm" / "asked").read_text().splitlines()
        self.assertIn("--gres=gpu:1", asked[0])
        self.assertIn("--dependency=afterany:1", asked[1])
        self.assertNotIn("--gres", asked[1].split("--wrap")[0])
        self.assertIn("WARPGRADE_COLLECTS=1", asked[1])
        # While the array is at work nothing is sent twice.
        store = self.made / "cluster" / ".store"
        [result] = store.glob("*.json")
        kept = result.read_bytes()
        result.unlink()
        (self.made / "slurm" / "queue").write_text("RUNNING\n")
        self.assertEqual(self.grade(*words, out="cluster"), 0)
        self.assertIn("job 1 is at work", self.text)
        (self.made / "slurm" / "queue").unlink()
        # Begun three times, and never done.
        with open(store / "slurm" / "started" / result.stem, "a", encoding="utf-8") as file:
            file.write("again\nagain\n")
        self.assertEqual(self.grade(*words, out="cluster"), 70, self.text)
        self.assertIn("it was begun 3 times on the cluster and never ended (Slurm says: TIMEOUT)", " ".join(self.text.split()))
        self.assertEqual({row["total"] for row in self.rows("cluster").values()}, {""})
        result.write_bytes(kept)
        self.assertEqual(self.grade(*words, out="cluster"), 0, self.text)
        self.assertEqual((self.made / "cluster" / "gradebook.csv").read_bytes(), (self.made / "book" / "gradebook.csv").read_bytes())

    def test_a_class_with_names_gets_no_pseudonyms_later(self):
        self.week_1()
        self.assertEqual(self.grade(self.made / "week1", "--pseudonyms"), 2)
        self.assertIn("error[has_names]", self.text)

    def test_regrade_diff_and_forget(self):
        self.week_1()
        self.assertEqual(self.verb("regrade", "ann", "--out", self.made / "book"), 0, self.text)
        self.assertIn("transpose/naive_read  identical", self.text)
        self.assertEqual(self.verb("regrade", "dan", "--out", self.made / "book"), 2)
        self.assertIn("`dan` has no result: nothing of it was graded", self.text)
        path = self.made / "book" / "results" / "ann.json"
        path.write_text(path.read_text(encoding="utf-8").replace('"technique": 4', '"technique": 3', 1), encoding="utf-8")
        self.assertEqual(self.verb("regrade", "ann", "--stage", "naive_read", "--out", self.made / "book"), 1)
        self.assertIn("nothing was written; --apply keeps it", self.text)
        self.hand_in("again/ann/1_naive_read.cu", stub=True)
        self.assertEqual(self.grade(self.made / "again", "--roster", self.names, "--stage", "naive_read", out="other"), 0, self.text)
        self.assertEqual(self.verb("diff", self.made / "book", self.made / "other"), 0)
        self.assertRegex(self.text, r"ann  10 -> 0 \(-10\.00\)")
        self.assertEqual(self.verb("forget", "ann", "--out", self.made / "book"), 0, self.text)
        held = [path for path in (self.made / "book").rglob("*") if path.is_file() and (b'"ann"' in path.read_bytes() or b"Ann Lee" in path.read_bytes())]
        self.assertEqual(held, [])
        self.assertEqual(sorted(self.rows()), ["ben", "dan"])
        self.assertEqual(self.verb("forget", "zed", "--out", self.made / "book"), 2)


if __name__ == "__main__":
    unittest.main()
