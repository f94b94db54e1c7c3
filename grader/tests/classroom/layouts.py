"""Classes as eight platforms pack them, with the odd hand-ins that students make.

    layouts.make(folder, platform) -> Made

Each kind of hand-in says what is true of it: which stages are the student's and with which text, which of them only a
person can say, and what may never be taken. A test asks `grade --dry-run` who gets what, and compares.

Layouts as the platforms document them: Canvas's content_zipper.rb, Moodle's assignsubmission_file, Brightspace's and
Blackboard's folder and file names, Sakai's `Submission attachment(s)`, Gradescope's submission_metadata.yml, GitHub's
repository names, and a folder a student.
"""

import csv
import dataclasses
import gzip
import io
import re
import shutil
import struct
import tarfile
import unicodedata
import warnings
import zipfile
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PLATFORMS = ("canvas", "moodle", "brightspace", "blackboard", "sakai", "gradescope", "github", "folders")
FILES = ("1_naive_read.cu", "2_naive_write.cu", "3_corner_turning.cu", "4_padding.cu")
STAGES = {file: f"transpose/{re.sub('^[0-9]+_', '', file)[:-3]}" for file in FILES}
PEOPLE = ("Ann|O'Brien", "Bo|Lee", "J\u00fcrgen|M\u00fcller", "Zo\u00eb|\u00d6zt\u00fcrk", "\u674e|\u660e", "Mary Ann|Smith", "Ann|Smith-Jones",
          "Jos\u00e9|Nu\u00f1ez", "Kai|van der Berg", "\u0141ucja|Ng", "Dia|Fox", "Eve|Stone", "Finn|Gray", "Hana|Ito", "Max|Frei",
          "Ida|Holm", "Ole|Lund", "Pia|Rossi", "Quin|Adams", "Rae|Young", "Sam|Khan", "Tim|Ross", "Uma|Patel", "Val|Cruz", "Wim|Maas",
          "Xan|Keel", "Yva|Roth", "Zed|Moor", "Ada|Kerr", "Ben|Dahl", "Cyd|Lowe", "Dov|Marx", "Eli|Pohl")


def solution(file):
    return (ROOT / "solutions" / "transpose" / file).read_text(encoding="utf-8")


def stub(file):
    return (ROOT / "assignments" / "transpose" / file).read_text(encoding="utf-8")


class Student:
    def __init__(self, number):
        self.number = number
        self.first, self.last = PEOPLE[number].split("|")
        plain = unicodedata.normalize("NFKD", f"{self.first[0]}{self.last}").encode("ascii", "ignore").decode() or "liming"
        self.login = re.sub(r"\W", "", plain).lower() + f"{number:02}"
        self.sid = f"00{71000 + number * 37}"
        self.number_there = 5000 + number * 13
        self.email = f"{self.login}@example.edu"
        self.name = f"{self.first} {self.last}"

    def text(self, file, attempt=1):
        """Right, and nobody else's."""
        return f"{solution(file)}// {self.sid} {attempt}\n"


@dataclasses.dataclass
class HandIn:
    """One attempt: files by path, and what a person would find in it."""
    files: dict
    when: str = "2026-11-02 23:59"
    is_late: bool = False


@dataclasses.dataclass
class Truth:
    """What is true of a student. `stages`: text by stage. `open`: stages that only a person can say. The rest was not
    handed in. `is_missing`: nothing was. `asks`: a person has to look in any case."""
    stages: dict
    open: frozenset = frozenset()
    is_missing: bool = False
    asks: bool = False


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


def plain(student, **changed):
    files = {file: student.text(file) for file in FILES}
    files.update(changed)
    return files


def truth(student, attempt=1, without=(), **more):
    return Truth({STAGES[file]: student.text(file, attempt) for file in FILES if file not in without}, **more)


def renamed(student, old, new, data=None):
    files = plain(student)
    text = files.pop(old)
    files[new] = text if data is None else data
    return files


def anonymous(text):
    """Without what gives the stage away: its kernel's name."""
    return re.sub(r"\b(naive_read|naive_write|corner_turning|padded)\b", "kernel", text)


ALL = frozenset(STAGES.values())
PADDING = frozenset({"transpose/padding"})


# Each kind: student -> ([HandIn, ...] in the order of time, Truth)
def in_folder(s):
    return [HandIn(plain(s))], truth(s)


def in_zip(s):
    return [HandIn({"hw3.zip": zipped(plain(s))})], truth(s)


def zip_in_zip(s):
    return [HandIn({"hw3.zip": zipped({"inner/hw3 (1).zip": zipped({f"my work/{k}": v for k, v in plain(s).items()})})})], truth(s)


def in_folders_of_assignments(s):
    return [HandIn({f"assignments/transpose/{k}": v for k, v in plain(s).items()})], truth(s)


def two_attempts(s):
    first = HandIn({file: stub(file) for file in FILES}, "2026-12-09 09:05")
    return [first, HandIn({file: s.text(file, 2) for file in FILES}, "2026-12-10 00:05")], truth(s, 2)


def copies(s):
    files = {"1_naive_read (1).cu": s.text(FILES[0]), "2_naive_write - Copy.cu": s.text(FILES[1]),
             "3_corner_turning 2.cu": s.text(FILES[2]), "4_padding_1.cu": s.text(FILES[3])}
    return [HandIn(files)], truth(s)


def decorated(s):
    files = {"01_naive_read_v2.cu": s.text(FILES[0]), "2-naive-write.cu": s.text(FILES[1]),
             f"3_corner_turning_{s.login}.cu": s.text(FILES[2]), "4padding_final.cu": s.text(FILES[3])}
    return [HandIn(files)], truth(s)


def odd_suffixes(s):
    files = {"1_naive_read.cu.txt": s.text(FILES[0]), "2_naive_write.cpp": s.text(FILES[1]),
             "3_corner_turning.cu.cu": s.text(FILES[2]), "4_padding.cu.gz": gzip.compress(s.text(FILES[3]).encode())}
    return [HandIn(files)], truth(s)


def utf16(s):
    files = plain(s)
    files[FILES[0]] = files[FILES[0]].encode("utf-16")
    files[FILES[1]] = b"\xef\xbb\xbf" + files[FILES[1]].encode("utf-8")
    return [HandIn(files)], truth(s)


def by_content(s):
    return [HandIn(renamed(s, FILES[3], "kernel new.cu"))], truth(s)


def by_nothing(s):
    files = renamed(s, FILES[3], "main.cu", anonymous(s.text(FILES[3])))
    return [HandIn(files)], truth(s, without=FILES[3:], open=PADDING)


def two_versions(s):
    files = plain(s)
    files["4_padding_new.cu"] = s.text(FILES[3], 2)
    return [HandIn(files)], truth(s, without=FILES[3:], open=PADDING)


def picture(s):
    files = plain(s)
    files.pop(FILES[3])
    files["4_padding.pdf"] = b"%PDF-1.4 not text"
    return [HandIn(files)], truth(s, without=FILES[3:], open=PADDING)


def only_a_report(s):
    return [HandIn({"report.pdf": b"%PDF-1.4 not text"})], Truth({}, open=ALL, asks=True)


def broken_zip(s):
    return [HandIn({"hw3.zip": zipped(plain(s))[:900]})], Truth({}, open=ALL, asks=True)


def half_done(s):
    files = plain(s)
    files.pop(FILES[3])
    return [HandIn(files)], truth(s, without=FILES[3:])


def wrong_number(s):
    return [HandIn(renamed(s, FILES[3], "5_padding.cu"))], truth(s, without=FILES[3:], open=PADDING)


def other_course(s):
    """A reduction under a transposition's name."""
    other = (ROOT / "solutions" / "reduction" / "2_strided.cu").read_text(encoding="utf-8") + f"// {s.sid}\n"
    return [HandIn(renamed(s, FILES[3], FILES[3], other))], truth(s, without=FILES[3:], open=PADDING)


def missing(s):
    return [], Truth({}, is_missing=True)


def put_in_tar(s):
    """A zip in a .tar.gz."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        data = zipped({f"work/{k}": v for k, v in plain(s).items()})
        entry = tarfile.TarInfo("hand-in/hw3.zip")
        entry.size = len(data)
        tar.addfile(entry, io.BytesIO(data))
    return [HandIn({"hw3.tar.gz": out.getvalue()})], truth(s)


def from_a_mac(s):
    files = {f"HW 3/{k}": v for k, v in plain(s).items()}
    files |= {f"__MACOSX/HW 3/._{k}": b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X" for k in FILES}
    return [HandIn({"HW 3.zip": zipped(files | {"HW 3/.DS_Store": b"\x00\x00\x00\x01Bud1"})})], truth(s)


def with_a_password(s):
    data = bytearray(zipped(plain(s)))
    for mark, flag in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + flag] |= 1
            at = data.find(mark, at + 4)
    return [HandIn({"hw3.zip": bytes(data)})], Truth({}, open=ALL, asks=True)


def empty_zip(s):
    return [HandIn({"hw3.zip": zipped({})})], Truth({}, open=ALL, asks=True)


def zip_of_folders(s):
    return [HandIn({"hw3.zip": zipped({"HW 3/": b"", "HW 3/code/": b""})})], Truth({}, open=ALL, asks=True)


def broken_rar(s):
    return [HandIn({"hw3.rar": b"Rar!\x1a\x07\x01\x00" + bytes(range(200))})], Truth({}, open=ALL, asks=True)


def broken_7z(s):
    return [HandIn({"hw3.7z": b"7z\xbc\xaf\x27\x1c\x00\x04" + bytes(range(200))})], Truth({}, open=ALL, asks=True)


def rich_text(s):
    """TextEdit's own format, under the right name."""
    body = s.text(FILES[3]).replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}").replace("\n", "\\\n")
    rtf = "{\\rtf1\\ansi\\ansicpg1252\\cocoartf2761\n{\\fonttbl\\f0 Menlo-Regular;}\n\\f0 " + body + "}"
    return [HandIn(renamed(s, FILES[3], ("4_padding.rtf", "4_padding.cu.rtf", FILES[3])[s.number % 3], rtf))], \
        truth(s, without=FILES[3:], open=PADDING)


def word_document(s):
    docx = zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": f"<w:t>{s.text(FILES[3])}</w:t>"})
    return [HandIn(renamed(s, FILES[3], ("homework 3.docx", "4_padding.docx", FILES[3])[s.number % 3], docx))], \
        truth(s, without=FILES[3:], open=PADDING)


def no_text(s):
    """What is called as it should be, and is something else."""
    data = (b"%PDF-1.4\n1 0 obj", b"\x7fELF\x02\x01\x01\x00\x00", b"", b"  \n\n", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
            b"<!DOCTYPE html>\n<html><body>Sign in</body></html>")[s.number % 6]
    return [HandIn(renamed(s, FILES[3], FILES[3], data))], truth(s, without=FILES[3:], open=PADDING)


def whole_pdf(s):
    """One file is left out, and something that cannot be read is there."""
    files = plain(s)
    files.pop(FILES[3])
    return [HandIn(files | {"hw3.pdf": b"%PDF-1.4 not text"})], truth(s, without=FILES[3:], open=PADDING)


def folder_a_stage(s):
    files = {f"{file[:-3]}/main.cu": anonymous(s.text(file).split("\n", 1)[1]) for file in FILES}
    return [HandIn({"hw3.zip": zipped(files)})], Truth({STAGES[file]: files[f"{file[:-3]}/main.cu"] for file in FILES})


def zip_a_stage(s):
    files = {f"{file[:-3]}.zip": zipped({"main.cu": anonymous(s.text(file).split("\n", 1)[1])}) for file in FILES}
    return [HandIn(files)], Truth({STAGES[file]: anonymous(s.text(file).split("\n", 1)[1]) for file in FILES})


def in_capitals(s):
    return [HandIn({file.upper().replace(".CU", ".Cu"): s.text(file) for file in FILES})], truth(s)


def one_for_all(s):
    """All in one file."""
    return [HandIn({"main.cu": "\n".join(s.text(file) for file in FILES)})], Truth({}, open=ALL, asks=True)


def swapped(s):
    files = plain(s)
    files[FILES[0]], files[FILES[1]] = files[FILES[1]], files[FILES[0]]
    return [HandIn(files)], truth(s, without=FILES[:2], open=frozenset({STAGES[FILES[0]], STAGES[FILES[1]]}))


def shortcut(s):
    files = plain(s)
    files.pop(FILES[3])
    return [HandIn(files | {"4_padding.cu.lnk": b"L\x00\x00\x00\x01\x14\x02\x00"})], truth(s, without=FILES[3:], open=PADDING)


def backslashes(s):
    return [HandIn({"hw3.zip": zipped({f"HW 3\\transpose\\{k}": v for k, v in plain(s).items()})})], truth(s)


def draft_beside_the_stub(s):
    """The work lies in a folder, or has a name, that says it does not count; in its place is the stub."""
    draft = ("draft/4_padding.cu", "4_padding_test.cu", "4_padding.cu~")[s.number % 3]
    return [HandIn({"hw3.zip": zipped({**plain(s), FILES[3]: stub(FILES[3]), draft: s.text(FILES[3])})})], \
        truth(s, without=FILES[3:], open=PADDING)


def draft_beside_the_work(s):
    draft = ("old/4_padding.cu", "4_padding_backup.cu", "4_padding.cu~")[s.number % 3]
    return [HandIn({"hw3.zip": zipped({**plain(s), draft: s.text(FILES[3], 2)})})], truth(s)


def kit(s):
    """All of what a student has, built and used."""
    files = {f"warpgrade/assignments/transpose/{k}": v for k, v in plain(s).items()}
    return files | {"warpgrade/README.md": "# x\n", "warpgrade/grader/warpgrade": "#!/bin/sh\n", "warpgrade/handouts/transpose.md": "x\n",
                    "warpgrade/build/release/tmp/4_padding.cu": stub(FILES[3]), "warpgrade/build/x/1_naive_read.cu": s.text(FILES[1])}


def whole_kit(s):
    return [HandIn({"hw3.zip": zipped(kit(s))})], truth(s)


def kit_and_work_beside(s):
    place = ("mine/4_padding.cu", "4_padding.txt", "4_padding.cu")[s.number % 3]
    files = kit(s) | {"warpgrade/assignments/transpose/4_padding.cu": stub(FILES[3]), f"warpgrade/{place}": s.text(FILES[3])}
    return [HandIn({"hw3.zip": zipped(files)})], truth(s)


def kit_with_solutions(s):
    """Somebody's solution in the folder of solutions, and the stub where the work should be: whose work is it?"""
    top = ("warpgrade/", "")[s.number % 2]
    files = {k: v for k, v in kit(s).items() if top or "assignments" in k}
    files = {k.replace("warpgrade/", top): v for k, v in files.items()}
    files |= {f"{top}assignments/transpose/4_padding.cu": stub(FILES[3]), f"{top}solutions/transpose/4_padding.cu": solution(FILES[3])}
    return [HandIn({"hw3.zip": zipped(files)})], truth(s, without=FILES[3:], open=PADDING)


def folder_called_solutions(s):
    return [HandIn({"hw3.zip": zipped({f"HW3 solutions/{k}": v for k, v in plain(s).items()})})], truth(s)


def no_zip(s):
    """What is called an archive, and is none."""
    return [HandIn({"hw3.zip": (b"", "I could not upload it\n")[s.number % 2]})], Truth({}, open=ALL, asks=True)


def another_archive(s):
    """A .tar.gz or a RAR that is called a zip, and a RAR."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, text in plain(s).items():
            data = text.encode("utf-8")
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    name, data = (("hw3.zip", out.getvalue()), ("hw3.zip", stored_rar(plain(s))), ("hw3.rar", stored_rar(plain(s))))[s.number % 3]
    return [HandIn({name: data})], truth(s)


def stored_rar(files):
    """RAR 4 without compression: marker, main header, a header and the bytes for each file, end."""
    def block(kind, flags, body):
        rest = struct.pack("<BHH", kind, flags, 7 + len(body)) + body
        return struct.pack("<H", zlib.crc32(rest) & 0xffff) + rest

    out = b"Rar!\x1a\x07\x00" + block(0x73, 0, bytes(6))
    for name, text in files.items():
        data, name = text.encode("utf-8"), name.encode("utf-8")
        sizes = struct.pack("<IIBIIBBHI", len(data), len(data), 3, zlib.crc32(data), 0x5a5a5a5a, 20, 0x30, len(name), 0o100644)
        out += block(0x74, 0x8000, sizes + name) + data
    return out + block(0x7b, 0x4000, b"")


def hidden(s):
    """What an editor or a system left, and the file itself is not there."""
    left = {".4_padding.cu": s.text(FILES[3]), ".4_padding.cu.swp": b"b0VIM 9.0\0" + s.text(FILES[3]).encode("utf-8"),
            "._4_padding.cu": b"\0\5\x16\7\0\2\0\0Mac OS X"}
    name = list(left)[s.number % 3]
    files = {k: v for k, v in plain(s).items() if k != FILES[3]} | {name: left[name]}
    return [HandIn(files if s.number % 2 else {"hw3.zip": zipped(files)})], truth(s, without=FILES[3:], open=PADDING)


def hidden_beside(s):
    """Resource forks and the like beside the files."""
    return [HandIn({**plain(s), **{f"._{k}": b"\0\5\x16\7\0\2\0\0Mac OS X" for k in FILES}})], truth(s)


def as_browsers_and_systems_rename(s):
    name = ("4_padding_cu", "4_padding.cu.download", "4%5Fpadding.cu", "4_pading.cu", "4_padding \u2013 Kopie.cu", "Kopie von 4_padding.cu"
            )[s.number % 6]
    return [HandIn(renamed(s, FILES[3], name))], truth(s)


def two_of_a_name_in_a_zip(s):
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(out, "w") as archive:
            for name, text in [*plain(s).items(), (FILES[3], s.text(FILES[3], 2))]:
                archive.writestr(zipfile.ZipInfo(name), text)
    return [HandIn({"hw3.zip": out.getvalue()})], truth(s, without=FILES[3:], open=PADDING)


def too_deep(s):
    data = zipped({FILES[3]: s.text(FILES[3])})
    for _ in range(4):
        data = zipped({"x.zip": data})
    return [HandIn({**{k: v for k, v in plain(s).items() if k != FILES[3]}, "rest.zip": data})], truth(s, without=FILES[3:], open=PADDING)


def notebook(s):
    return [HandIn({"hw3.ipynb": '{"cells": [{"source": ["%%cu\\n", "__global__ void padded() {}"]}]}'})], Truth({}, open=ALL, asks=True)


def only_words(s):
    name = ("link.txt", "README.md", "hw3.txt")[s.number % 3]
    return [HandIn({name: "see https://example.edu/repository\n"})], Truth({}, open=ALL, asks=True)


def only_a_screenshot(s):
    files = plain(s)
    files.pop(FILES[3])
    return [HandIn(files | {"4_padding.png": b"\x89PNG\r\n\x1a\n"})], truth(s, without=FILES[3:], open=PADDING)


def later_document(s):
    """The last attempt is of one stage, and nothing that can be read."""
    first = HandIn(plain(s), "2026-12-09 09:05")
    return [first, HandIn({"4_padding.docx": b"PK\x03\x04 cut off"}, "2026-12-10 00:05")], truth(s, without=FILES[3:], open=PADDING)


def later_nothing(s):
    """The last attempt is something that may be all of it, and what was handed in before can be graded."""
    first = HandIn(plain(s), "2026-12-09 09:05")
    return [first, HandIn({"homework.docx": b"PK\x03\x04 cut off"}, "2026-12-10 00:05")], truth(s, asks=True)


def later_report(s):
    """A report after the work is an addition."""
    first = HandIn(plain(s), "2026-12-09 09:05")
    return [first, HandIn({"report.pdf": b"%PDF-1.4 not text"}, "2026-12-10 00:05")], truth(s)


def later_stage(s):
    first = HandIn(plain(s), "2026-12-09 09:05")
    mended = truth(s)
    mended.stages[STAGES[FILES[3]]] = s.text(FILES[3], 2)
    return [first, HandIn({FILES[3]: s.text(FILES[3], 2)}, "2026-12-10 00:05")], mended


RARE_KINDS = (backslashes, draft_beside_the_stub, draft_beside_the_stub, draft_beside_the_stub, draft_beside_the_work, draft_beside_the_work,
              draft_beside_the_work, whole_kit, kit_and_work_beside, kit_and_work_beside, kit_and_work_beside, kit_with_solutions,
              kit_with_solutions, folder_called_solutions, no_zip, no_zip, another_archive, another_archive, another_archive, hidden, hidden,
              hidden, hidden, hidden, hidden, hidden_beside, two_of_a_name_in_a_zip, too_deep, notebook, only_words, only_words, only_words,
              only_a_screenshot)
RENAMED_KINDS = (as_browsers_and_systems_rename,) * 6
# Of platforms that hand out every attempt with its date.
LATER_KINDS = (later_document, later_nothing, later_report, later_stage)


MORE_KINDS = (in_folder, put_in_tar, from_a_mac, with_a_password, empty_zip, zip_of_folders, broken_rar, broken_7z, rich_text, rich_text,
              rich_text, word_document, word_document, word_document, no_text, no_text, no_text, no_text, no_text, no_text, whole_pdf,
              folder_a_stage, zip_a_stage, in_capitals, one_for_all, swapped, shortcut)
KINDS = (in_folder, in_zip, zip_in_zip, in_folders_of_assignments, two_attempts, copies, decorated, odd_suffixes, utf16,
         by_content, by_nothing, two_versions, picture, only_a_report, broken_zip, half_done, wrong_number, other_course,
         missing)


class Writer:
    def __init__(self, folder):
        self.folder = folder

    def write(self, path, data):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))


def squeezed(text):
    return re.sub(r"[\W_]", "", text).lower()


def day(when, form):
    import datetime
    return datetime.datetime.strptime(when, "%Y-%m-%d %H:%M").strftime(form)


def is_flat(files):
    return all("/" not in name for name in files)


def pack(writer, platform, s, hand_ins):
    """Writes a student's attempts as the platform hands them out. False: it does not hand out such a thing."""
    if platform in ("canvas", "moodle", "sakai", "gradescope", "github", "folders") and len(hand_ins) > 1:
        # These keep the last attempt alone; Gradescope and Sakai say when, and some people hand out both.
        if platform not in ("gradescope",):
            hand_ins = hand_ins[-1:]
    for number, one in enumerate(hand_ins):
        files = one.files
        if platform in ("canvas", "blackboard") and not is_flat(files):
            files = {"work.zip": zipped(files)}  # no folders can be uploaded there
        if platform == "canvas":
            for i, (name, data) in enumerate(files.items()):
                late = "LATE_" if one.is_late else ""
                writer.write(f"{squeezed(s.last + s.first)}_{late}{s.number_there}_{90000 + s.number * 50 + i}_{name}", data)
        elif platform == "moodle":
            for name, data in files.items():
                writer.write(f"{s.name}_{s.number_there}_assignsubmission_file_/{name}", data)
        elif platform == "brightspace":
            stamp = day(one.when, "%b ") + str(int(day(one.when, "%d"))) + day(one.when, ", %Y ") + \
                str(int(day(one.when, "%I"))) + day(one.when, "%M %p")
            for name, data in files.items():
                writer.write(f"{s.number_there}-46025 - {s.name} - {stamp}/{name}", data)
        elif platform == "blackboard":
            attempt = f"HW 3_{s.login}_attempt_{day(one.when, '%Y-%m-%d-%H-%M-%S')}"
            for name, data in files.items():
                writer.write(f"{attempt}_{name}", data)
            writer.write(f"{attempt}.txt", f"Name: {s.name} ({s.login})\nAssignment: HW 3\nDate Submitted: {one.when}\n"
                         "Current Grade: Not Yet Graded\n\nSubmission Field:\nThere is no student submission text data for this assignment.\n")
        elif platform == "sakai":
            top = f"HW 3/{s.last}, {s.first}({s.login})"
            for name, data in files.items():
                writer.write(f"{top}/Submission attachment(s)/{name}", data)
            writer.write(f"{top}/Feedback Attachment(s)/1_naive_read.cu", "// what the teacher gave back\n" + stub(FILES[0]))
            writer.write(f"{top}/timestamp.txt", day(one.when, "%Y%m%d%H%M%S000"))
            writer.write(f"{top}/comments.txt", "")
        elif platform == "gradescope":
            for name, data in files.items():
                writer.write(f"assignment_77_export/submission_{1000 - s.number * 10 + number}/{name}", data)
        elif platform == "github":
            for name, data in files.items():
                writer.write(f"cuda-101-hw3-{s.login}/{name}", data)
        else:
            for name, data in files.items():
                writer.write(f"{s.sid}/{name}", data)


def metadata(students):
    """Gradescope's; the numbers of its folders say nothing of the time."""
    lines = ["---"]
    for s, hand_ins in students:
        for number, one in enumerate(hand_ins):
            lines += [f"submission_{1000 - s.number * 10 + number}:", "  :submitters:", f"  - :name: {s.name}",
                      f"    :sid: '{s.sid}'", f"    :email: {s.email}", f"  :created_at: {one.when}:00.000000000 Z"]
    return "\n".join(lines) + "\n"


ROSTERS = {
    "canvas": lambda s: {"Student": f"{s.last}, {s.first}", "ID": s.number_there, "SIS User ID": s.sid, "SIS Login ID": s.login, "Section": "A"},
    "moodle": lambda s: {"Identifier": f"Participant {s.number_there}", "Full name": s.name, "ID number": s.sid, "Email address": s.email},
    "brightspace": lambda s: {"OrgDefinedId": f"#{s.sid}", "Username": f"#{s.login}", "Last Name": s.last, "First Name": s.first},
    "blackboard": lambda s: {"Last Name": s.last, "First Name": s.first, "Username": s.login, "Student ID": s.sid},
    "sakai": lambda s: {"Display ID": s.login, "ID": s.login, "Last Name": s.last, "First Name": s.first},
    "gradescope": lambda s: {"First Name": s.first, "Last Name": s.last, "SID": s.sid, "Email": s.email},
    "github": lambda s: {"id": s.sid, "github_username": s.login, "name": s.name},
    "folders": lambda s: {"id": s.sid, "name": s.name, "email": s.email},
}


@dataclasses.dataclass
class Made:
    hand_ins: Path
    roster: Path
    truths: dict  # by what the roster calls the student first
    kinds: dict


def roster_id(platform, s):
    return s.login if platform in ("sakai", "github") else s.sid


def make(folder, platform, kinds=KINDS):
    shutil.rmtree(folder, ignore_errors=True)
    writer = Writer(folder / "hand-ins")
    (folder / "hand-ins").mkdir(parents=True)
    truths, of_kind, students = {}, {}, []
    for number, kind in enumerate(kinds):
        s = Student(number)
        hand_ins, its = kind(s)
        pack(writer, platform, s, hand_ins)
        students.append((s, hand_ins))
        truths[roster_id(platform, s)] = its
        of_kind[roster_id(platform, s)] = kind.__name__
    if platform == "gradescope":
        writer.write("assignment_77_export/submission_metadata.yml", metadata(students))
    roster = folder / "roster.csv"
    with open(roster, "w", encoding="utf-8", newline="") as file:
        rows = [ROSTERS[platform](s) for s, _ in students]
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    return Made(folder / "hand-ins", roster, truths, of_kind)
