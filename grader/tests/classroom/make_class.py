"""A class of made-up students whose marks are known.

    python3 grader/tests/classroom/make_class.py FOLDER --students 60

writes FOLDER/hand-ins (folders, zips, tarballs, as platforms name them), FOLDER/roster.csv and FOLDER/expected.csv: for
each student the status and, for each stage, the points for each part.

Whose marks are known: the solutions (all points), the untouched stubs (none), and the programs of known_marks.csv, where
each line says why it has the marks it has. What is wrong earns nothing for performance; a right program that is not the
solution earns what the GPU or the model makes of it: the column `alone` names the file, which earns the same when it is
checked by itself. The same arguments make the same class.
"""

import argparse
import csv
import io
import random
import re
import shutil
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]

# (kind, of how many in 60): the first twelve students are one of each.
KINDS = (("right", 15), ("late", 5), ("half", 12), ("wrong", 6), ("technique", 5), ("slow", 3), ("faulty", 4),
         ("hostile", 3), ("packed", 2), ("unreadable", 1), ("missing", 2), ("untouched", 2))

OF_KIND = {"wrong": ("wrong_output", "not_written", "invalid_launch"), "technique": ("wrong_technique",),
           "faulty": ("race_shared", "barrier_divergence", "out_of_bounds", "timeout", "does_not_compile"),
           "hostile": ("hostile",)}
SLOW = {"transpose/open": "transpose/naive_read", "reduction/open": "reduction/interleaved"}
FIRST_NAMES = "Ann Bo Cy Dia Eve Finn Gül Hana Ívar Jo Kai Łucja".split()
LAST_NAMES = ("O'Brien", "Lee", "Öztürk", "van der Berg", "Smith-Jones", "李", "Nuñez", "Ng")


class Stage:
    def __init__(self, path, points):
        self.assignment = path.parent.name
        self.file = path.name
        self.name = f"{self.assignment}/{re.sub(r'^[0-9]+_', '', path.stem)}"
        self.stub = path.read_text(encoding="utf-8")
        self.solution = (ROOT / "solutions" / self.assignment / path.name).read_text(encoding="utf-8")
        self.correctness, self.technique, self.performance = points


def read_stages():
    """Graded stages by name. Reads the few lines of assignment.toml that it needs: Python 3.10 has no TOML."""
    stages = {}
    for path in sorted(ROOT.glob("assignments/*/assignment.toml")):
        for block in path.read_text(encoding="utf-8").split("[[stage]]")[1:]:
            head = block.split("[[stage.rule]]")[0]
            if "graded = false" in head or 'host = "runtime"' in head:
                continue  # whole programs have no kernel that is wrong in the ways below
            file = re.search(r'^file = "(.+)"', head, re.M)[1]
            points = re.search(r"correctness = ([\d.]+), technique = ([\d.]+), performance = ([\d.]+)", head)
            if not any(map(float, points.groups())):
                continue  # an exercise
            stage = Stage(path.parent / file, map(float, points.groups()))
            stages[stage.name] = stage
    return stages


class Work:
    """What a student did for a stage: the file's text, and what it is worth. `alone`: the file, below the root, that
    earns the same points for performance when it is checked by itself."""

    def __init__(self, text, correctness, technique, performance=0.0, alone=None):
        self.text, self.correctness, self.technique = text, correctness, technique
        self.performance, self.alone = performance, alone and alone.relative_to(ROOT).as_posix()

    def columns(self):
        performance = "" if self.alone else f"{self.performance:.6f}"
        return [f"{self.correctness:.6f}", f"{self.technique:.6f}", performance, self.alone or ""]


def right(stage):
    return Work(stage.solution, stage.correctness, stage.technique, stage.performance)


def stub(stage):
    return Work(stage.stub, 0, 0)


def slow(stage, of_stage):
    """The solution of another stage: right, and its technique is not asked for here."""
    return Work(of_stage.solution, stage.correctness, stage.technique,
                alone=ROOT / "solutions" / of_stage.assignment / of_stage.file)


def read_known(stages, leave_out=None):
    """{kind: [(stage's name, Work)]} of known_marks.csv; without programs whose name holds `leave_out`."""
    known = {kind: [] for kind in OF_KIND}
    with open(HERE / "known_marks.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if leave_out and leave_out in row["file"]:
                continue
            path = (HERE if row["file"].startswith("hostile/") else HERE.parent) / row["file"]
            text = path.read_text(encoding="utf-8")
            stage = stages[re.search(r"// stage: (\S+)", text)[1]]
            is_timed = 3 * float(row["right"]) >= 2 * float(row["cases"])  # enough are right
            work = Work(text, stage.correctness * float(row["right"]) / float(row["cases"]),
                        float(row["technique"]), alone=path if is_timed else None)
            for kind, folders in OF_KIND.items():
                if path.parent.name in folders:
                    known[kind].append((stage.name, work))
    return known


class Student:
    def __init__(self, number, kind, random_numbers):
        self.number, self.kind = number, kind
        self.id = f"s{1000000 + number * 7919 % 899999}"
        self.first, self.last = random_numbers.choice(FIRST_NAMES), random_numbers.choice(LAST_NAMES)
        self.email = f"{self.id}@example.edu"
        self.work = {}  # Work by stage; a stage that is not here was not handed in
        self.is_late = kind == "late"
        self.status = "missing" if kind == "missing" else "unreadable" if kind == "unreadable" else "marked"


def kinds_for(count):
    """One of each, then by how frequent they are."""
    kinds = [kind for kind, _ in KINDS]
    wanted = {kind: share * count / 60 for kind, share in KINDS}
    while len(kinds) < count:
        kinds.append(max(wanted, key=lambda kind: wanted[kind] - kinds.count(kind)))
    return kinds[:count]


def fill(student, stages, all_stages, known, random_numbers):
    """Decides what the student did. `stages`: those that are asked for."""
    if student.status != "marked":
        return
    names = list(stages)
    for place, name in enumerate(names):
        is_done = student.kind != "untouched" and not (student.kind == "half" and place >= len(names) // 2)
        student.work[name] = right(stages[name]) if is_done else stub(stages[name])
    if student.kind == "half":
        student.work.pop(names[-1])  # and one is not handed in at all
    if student.kind == "slow":
        for name in student.work.keys() & SLOW.keys():
            student.work[name] = slow(stages[name], all_stages[SLOW[name]])
    # The kind's programs, each for its stage, in any order: where two are for one stage, the last counts.
    programs = known.get(student.kind, [])
    for name, work in random_numbers.sample(programs, len(programs)):
        if name in student.work:
            student.work[name] = work


def signed(text, student, is_alike):
    """No two people write the same file: it ends in a comment. An untouched stub stays untouched."""
    return text if is_alike else f"{text}// {student.id}\n"


def files_of(student, stages, is_alike):
    """(path in the hand-in, text)"""
    for name, work in student.work.items():
        stage = stages[name]
        text = work.text if work.text == stage.stub else signed(work.text, student, is_alike)
        yield f"{stage.assignment}/{stage.file}", text


def write_zip(path, files, links=()):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            archive.writestr(zipfile.ZipInfo(name), text)
        for name, target in links:
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, 0o120777 << 16
            archive.writestr(info, target)


def write_tar(path, files):
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files:
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))


def write_folder(folder, files):
    for name, text in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def squeezed(text):
    return re.sub(r"\W", "", text.lower())


def hand_in(student, stages, folder, is_alike):
    """Writes the student's hand-in as one platform or another would."""
    files = list(files_of(student, stages, is_alike))
    canvas = f"{squeezed(student.id)}{'_LATE' if student.is_late else ''}_{5000 + student.number}_{90000 + student.number}"
    if student.kind == "missing":
        return
    if student.kind == "unreadable":
        write_tar(folder / f"{student.id}.tar.gz", [(f"{i}_x.cu", "// ") for i in range(600)])  # too many files
    elif student.kind == "packed":
        # Everything that an archive should not hold, around work that is right.
        files.append((f"../../{files[0][0]}", "#error this file must never be graded\n"))
        files.append(("notes.txt", " " * 50_000_000))  # 50 KB of zip
        write_zip(folder / f"{student.id}.zip", [(f"Prüfung/{name}" if ".." not in name else name, text)
                                                 for name, text in files],
                  links=[("passwd.cu", "/etc/passwd"), ("etc", "/etc")])
    elif student.is_late or student.number % 5 == 1:
        write_zip(folder / f"{canvas}_homework.zip", files)
    elif student.number % 5 == 2:
        write_tar(folder / f"{student.id}.tar.gz", [(f"cuda-homework-main/assignments/{name}", text)
                                                    for name, text in files])
    elif student.number % 5 == 3:
        write_folder(folder / f"homework-3-{student.id}", [(name.split("/")[1], text) for name, text in files])
    else:
        write_folder(folder / student.id, files)


def make_class(folder, count, seed=1, only=None, is_alike=False, leave_out=None):
    """`only`: the names of the stages that are asked for; None: all. `is_alike`: the same work is the same file, which
    is graded once. `leave_out`: programs of known_marks.csv that are not wanted. Returns the students."""
    random_numbers = random.Random(seed)
    all_stages = read_stages()
    stages = {name: stage for name, stage in all_stages.items() if only is None or name in only}
    known = read_known(all_stages, leave_out)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "hand-ins").mkdir(parents=True)
    students = [Student(number, kind, random_numbers) for number, kind in enumerate(kinds_for(count))]
    for student in students:
        fill(student, stages, all_stages, known, random_numbers)
        hand_in(student, stages, folder / "hand-ins", is_alike)
    with open(folder / "roster.csv", "w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file)  # CRLF, as spreadsheets write
        rows.writerow(["SID", "First Name", "Last Name", "Email", "Section"])
        for student in students:
            rows.writerow([student.id, student.first, student.last, student.email, "A"])
    with open(folder / "expected.csv", "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["id", "kind", "status", "stage", "correctness", "technique", "performance", "alone"])
        for student in students:
            if student.status != "marked":
                rows.writerow([student.id, student.kind, student.status, "", "", "", "", ""])
            for name in stages if student.status == "marked" else ():
                work = student.work.get(name) or Work("", 0, 0)
                rows.writerow([student.id, student.kind, student.status, name, *work.columns()])
    return students


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stage", action="append", help="only this stage, transpose/padding; repeatable")
    parser.add_argument("--alike", action="store_true", help="the same work is the same file, which is graded once")
    options = parser.parse_args()
    students = make_class(options.folder, options.students, options.seed, options.stage, options.alike)
    counts = {kind: sum(student.kind == kind for student in students) for kind, _ in KINDS}
    print(", ".join(f"{count} {kind}" for kind, count in counts.items() if count))


if __name__ == "__main__":
    main()
