"""What `grade` writes is for whoever grades, what it reads is what lies in the hand-ins, and no hand-in stops the others."""

import ctypes
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import grading  # noqa: E402

STUB = grading.ROOT / "assignments" / "transpose" / "4_padding.cu"
SOLUTION = grading.ROOT / "solutions" / "transpose" / "4_padding.cu"


@unittest.skipUnless(grading.BINARY.exists(), f"{grading.BINARY.name} is not built")
class Case(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="warpgrade-private-")
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.hand_ins = self.place / "hand-ins"
        self.hand_in("alice")

    def hand_in(self, name, file=STUB):
        folder = self.hand_ins / name
        folder.mkdir(parents=True)
        shutil.copyfile(file, folder / "4_padding.cu")
        return folder

    knows = False  # what is handed in was graded once before: it is about something else

    @classmethod
    def setUpClass(cls):
        if not cls.knows:
            return
        place = tempfile.TemporaryDirectory(prefix="warpgrade-known-")
        cls.addClassCleanup(place.cleanup)
        cls.known = Path(place.name)
        (cls.known / "hand-ins" / "alice").mkdir(parents=True)
        shutil.copyfile(STUB, cls.known / "hand-ins" / "alice" / "4_padding.cu")
        code, text = grading.run_grade(cls.known / "hand-ins", "--out", cls.known / "graded")
        assert code == 0, text

    def grade(self, *paths, cwd=None, out=None, **options):
        if self.knows:
            grading.know(Path(out) if out else (cwd or self.place) / "graded", self.known / "graded")
        words = [grading.BINARY, "grade", *(paths or [self.hand_ins]), "--seed", "7", "--device", "virtual", "--no-reports"]
        done = subprocess.run(words + (["--out", out] if out else []), cwd=cwd or self.place, capture_output=True, text=True,
                              errors="replace", timeout=300, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, WARPGRADE_ROOT=str(grading.ROOT)), **options)
        self.out = Path(out) if out else (cwd or self.place) / "graded"
        return done

    def rows(self):
        return {row["id"]: row for row in grading.read_csv(self.out / "gradebook.csv")}


class Private(Case):
    def test_nobody_else_reads_marks_and_work(self):
        done = self.grade(umask=0o022)
        self.assertEqual(done.returncode, 0, done.stderr)
        for path in [self.out, *self.out.rglob("*")]:
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)

    def test_a_store_that_others_made_or_may_write_is_refused(self):
        self.grade()
        os.chmod(self.out, 0o777)
        done = self.grade()
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("every user of this machine may write into it", done.stderr)
        os.chmod(self.out, 0o755)
        os.chmod(self.out / ".store", 0o755)
        self.assertEqual(self.grade().returncode, 0)
        self.assertEqual((self.out / ".store").stat().st_mode & 0o777, 0o700)
        if os.geteuid() == 0:
            os.chown(self.out / ".store", 65534, 65534)
            done = self.grade()
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("it belongs to another user", done.stderr)

    def test_links_in_place_of_the_folder_its_store_and_its_lock_are_refused(self):
        elsewhere = self.place / "elsewhere"
        elsewhere.mkdir()
        for name in ("graded", "graded/.store", "graded/.lock"):
            shutil.rmtree(self.place / "graded", ignore_errors=True)
            (self.place / name).parent.mkdir(exist_ok=True)
            (self.place / name).symlink_to(elsewhere if name != "graded/.lock" else self.place / "made")
            done = self.grade()
            self.assertIn(done.returncode, (2, 3), name)
            self.assertEqual(list(elsewhere.iterdir()), [], name)
            self.assertFalse((self.place / "made").exists())
            if (self.place / "graded").is_symlink():
                (self.place / "graded").unlink()

    def test_the_seed_is_nobody_elses(self):
        seed = grading.ROOT / "solutions" / "seed"
        if seed.exists():
            self.assertEqual(self.grade().returncode, 0)


class Ours(Case):
    def test_what_an_earlier_run_wrote_is_no_hand_in(self):
        for _ in range(3):
            done = self.grade(".", cwd=self.hand_ins)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(list(self.rows()), ["alice"])
        self.assertIn("`graded` was left out: an earlier `grade` wrote it", " ".join(done.stdout.split()))
        alice = self.hand_ins / "alice"
        for _ in range(2):  # one hand-in, graded from inside it
            done = self.grade(".", cwd=alice)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(list(self.rows()), ["alice"])
            self.assertNotIn("of two files", self.rows()["alice"]["notes"])
        (alice / "4_padding.cu").write_text(STUB.read_text() + "// edited\n")
        self.grade(".", cwd=alice)
        self.assertNotIn("of two files", self.rows()["alice"]["notes"])

    def test_a_student_called_graded_is_one(self):
        self.hand_in("graded")
        self.assertEqual(self.grade(out=self.place / "out").returncode, 0)
        self.assertEqual(list(self.rows()), ["alice", "graded"])


class Links(Case):
    knows = True

    def test_a_link_that_is_named_on_the_command_line_is_left_out(self):
        (self.hand_ins / "mallory").symlink_to(SOLUTION.parent)
        (self.hand_ins / "eve.zip").symlink_to("/etc/hostname")
        done = self.grade(*sorted(self.hand_ins.iterdir()))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(self.rows()), ["alice"])
        self.assertIn("mallory` was left out: it is a symbolic link", " ".join(done.stdout.split()))

    def test_a_folder_that_is_exchanged_for_a_link_wins_nothing(self):
        """As mallory would: transpose/ and a link to the solutions change places all the while."""
        libc = ctypes.CDLL(None, use_errno=True)
        mallory = self.hand_ins / "mallory"
        (mallory / "transpose").mkdir(parents=True)
        shutil.copyfile(STUB, mallory / "transpose" / "4_padding.cu")
        (mallory / "link").symlink_to(SOLUTION.parent)
        shutil.rmtree(self.hand_ins / "alice")
        one, other = os.fsencode(mallory / "transpose"), os.fsencode(mallory / "link")
        goes_on = threading.Event()

        def swap():
            while not goes_on.is_set():
                libc.renameat2(-100, one, -100, other, 2)  # AT_FDCWD, RENAME_EXCHANGE

        thread = threading.Thread(target=swap)
        thread.start()
        try:
            for run in range(12):
                self.grade(out=self.place / f"out{run}")
                for path in (self.place / f"out{run}").glob("handed-in/**/*.cu"):
                    self.assertNotEqual(path.read_bytes(), SOLUTION.read_bytes())
        finally:
            goes_on.set()
            thread.join()


class OneOfMany(Case):
    """A hand-in that cannot be read is a row with a reason; the others are graded."""
    knows = True

    def test_strange_files(self):
        odd = self.hand_in("odd")
        os.mkfifo(odd / "1_naive_read.cu")
        (odd / "2_naive_write.cu").mkdir()
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(odd / "5_coarsening.cu"))
        (odd / "6_dynamic_tile.cu").symlink_to("/etc/passwd")
        (odd / "loop").symlink_to(".")
        with open(odd / "7_any_type.cu", "wb") as file:
            file.truncate(1 << 40)  # sparse
        os.mkfifo(self.hand_ins / "pipe.zip")
        os.mkfifo(self.hand_ins / "pipe.cu")
        done = self.grade()
        self.assertEqual(list(self.rows()), ["alice", "odd"])
        notes = self.rows()["odd"]["notes"]
        for what in ("`1_naive_read.cu` was left out: it is not a file", "`5_coarsening.cu` was left out: it is not a file",
                     "`6_dynamic_tile.cu` was left out: it is a symbolic link"):
            self.assertIn(what, notes)
        self.assertEqual(done.returncode, 1, done.stderr)

    def test_too_many_files(self):
        many = self.hand_ins / "many"
        many.mkdir()
        for i in range(60_000):
            (many / f"f{i}").touch()
        for i in range(600):
            (self.hand_ins / f"sources{i % 2}" / "deep").mkdir(parents=True, exist_ok=True)
            (self.hand_ins / f"sources{i % 2}" / "deep" / f"x{i}.cu").touch()
        for name in range(300):
            (self.hand_ins / "sources0" / f"y{name}.cu").touch()
        done = self.grade()
        self.assertEqual(done.returncode, 1, done.stderr)
        rows = self.rows()
        self.assertIn(rows["alice"]["status"], ("graded", "provisional"))
        self.assertEqual((rows["many"]["status"], rows["sources0"]["status"]), ("unreadable", "unreadable"))
        self.assertIn("more than 50000 files", rows["many"]["notes"])
        self.assertIn("more than 500 .cu files", rows["sources0"]["notes"])
        self.assertLess(len(rows["sources1"]["notes"]), 5_000)

    def test_archives(self):
        with zipfile.ZipFile(self.hand_ins / "bob.zip", "w") as archive:
            archive.writestr("4_padding.cu", STUB.read_text())
            archive.writestr("\u202e../x.cu", "x")
        (self.hand_ins / "broken.zip").write_bytes(b"PK\x03\x04 and nothing more")
        (self.hand_ins / "empty.tar.gz").write_bytes(b"")
        (self.hand_ins / "text.7z").write_text("no archive")
        done = self.grade()
        self.assertEqual(done.returncode, 1, done.stderr)
        rows = self.rows()
        self.assertEqual(rows["bob"]["status"], "review")  # x.cu is no stage's file
        for name in ("broken", "empty", "text"):
            self.assertEqual(rows[name]["status"], "unreadable", name)
        self.assertEqual(list((self.out / ".store").glob("incoming*")), [])

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_what_cannot_be_opened(self):
        closed = self.hand_in("closed")
        (closed / "4_padding.cu").chmod(0)
        nothing = self.hand_in("nothing")
        nothing.chmod(0o444)
        self.addCleanup(nothing.chmod, 0o755)
        self.grade()
        self.assertEqual({self.rows()[name]["status"] for name in ("closed", "nothing")}, {"unreadable"})

    def test_what_the_kit_cannot_run_is_for_a_person_and_no_defect(self):
        file = self.hand_in("matrix", SOLUTION) / "4_padding.cu"
        file.write_text(file.read_text().replace("__syncthreads();", '__syncthreads(); asm volatile("tcgen05.wait::ld.sync.aligned;");', 1))
        done = self.grade()
        self.assertEqual(self.rows()["matrix"]["status"], "review", done.stderr)
        self.assertIn("does not support", done.stdout)
        self.assertEqual(done.returncode, 1, done.stderr)

    def test_a_class_whose_worker_answers_nonsense_is_graded_all_the_same(self):
        fake = self.place / "fake"
        for reply in (b"", b"nonsense", b"\x00" * 100):
            fake.write_bytes(b"#!/bin/sh\nprintf '" + reply.replace(b"\x00", b"\\000") + b"'\n")
            fake.chmod(0o755)
            environment = dict(os.environ, WARPGRADE_ROOT=str(grading.ROOT), WARPGRADE_WORKER=str(fake))
            done = subprocess.run([grading.BINARY, "grade", self.hand_ins, "--out", self.place / "out", "--seed", "7", "--device",
                                   "virtual", "--no-reports"], capture_output=True, text=True, env=environment, timeout=120)
            self.assertEqual(done.returncode, 70, done.stderr)
            self.out = self.place / "out"
            self.assertEqual(self.rows()["alice"]["status"], "review")


if __name__ == "__main__":
    unittest.main()
