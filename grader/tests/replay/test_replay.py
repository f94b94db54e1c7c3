"""Every golden of tests/mistakes by replay: the messages are made anew of recorded evidence, without a compiler or a GPU.
tests/replay/STAGE.jsonl.xz has the evidence of a stage's programs, one a line. WARPGRADE_BLESS=1 records what is missing,
or what does not lead to the golden any more; WARPGRADE_BLESS=all records all anew. The goldens themselves are
cli/test_mistakes.py's, which runs the programs."""

import concurrent.futures
import csv
import hashlib
import json
import lzma
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER, MISTAKES = ROOT / "grader/tests/replay", ROOT / "grader/tests/mistakes"
REPLAY = pathlib.Path(os.environ["WARPGRADE_BINARY_DIR"]) / "tests/replay"
ENVIRONMENT = {**os.environ, "WARPGRADE_ROOT": str(ROOT)}


def rows():
    with open(MISTAKES / "table.tsv", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def store_of(stage):
    return FOLDER / f"{stage.replace('/', '__')}.jsonl.xz"


def recorded():
    """The evidence by file name, with the digest of the program that it is of."""
    found = {}
    for path in FOLDER.glob("*.jsonl.xz"):
        for line in lzma.decompress(path.read_bytes()).decode().splitlines():
            one = json.loads(line)
            found[one["file"]] = one
    return found


def digest(row):
    return hashlib.sha256((MISTAKES / row["file"]).read_bytes()).hexdigest()


def record(row):
    done = subprocess.run([REPLAY, "record", f"grader/tests/mistakes/{row['file']}", row["stage"], *filter(None, [row["shape"]])],
                          capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT, check=True)
    return {"file": row["file"], "sha256": digest(row), "evidence": json.loads(done.stdout)}


def told(some, evidence):
    """What is said first of each, from its evidence."""
    lines = "".join(f"grader/tests/mistakes/{row['file']}\t{row['stage']}\t{row['shape']}\t"
                    f"{json.dumps(evidence[row['file']]['evidence'], separators=(',', ':'))}\n" for row in some)
    done = subprocess.run([REPLAY, "tell"], input=lines, capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT, check=True)
    return dict(zip((row["file"] for row in some), (text.strip() for text in done.stdout.split("\f\n"))))


def golden(row):
    """The messages of the golden, without what follows them."""
    text = (MISTAKES / row["file"]).with_suffix(".txt").read_text().split("\n\n", 1)[1]
    text = text.removeprefix(f"grader/tests/mistakes/{row['file']}\n\n")  # of a header of two lines
    text = re.split(r"(?m)^(?:values|technique|limit|score) ", text)[0].strip()
    return "" if text == "nothing to say" else text


def bless(everything):
    known = recorded()
    some = [row for row in rows() if row["file"] in known and known[row["file"]]["sha256"] == digest(row)]
    anew = {} if everything else told(some, known)
    good = {row["file"] for row in some if anew.get(row["file"]) == golden(row)}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for one in pool.map(record, [row for row in rows() if row["file"] not in good]):
            known[one["file"]] = one
    for stage in {row["stage"] for row in rows()}:
        of_stage = [known[row["file"]] for row in rows() if row["stage"] == stage]
        text = "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in of_stage)
        store_of(stage).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


class Replay(unittest.TestCase):
    def test_every_golden_follows_from_its_evidence(self):
        if os.environ.get("WARPGRADE_BLESS"):
            bless(os.environ["WARPGRADE_BLESS"] == "all")
        evidence = recorded()
        self.assertEqual(sorted(evidence), sorted(row["file"] for row in rows()))
        said = told(rows(), evidence)
        for row in rows():
            with self.subTest(row["file"]):
                self.assertEqual(evidence[row["file"]]["sha256"], digest(row), "the program is another one than was recorded")
                self.assertEqual(golden(row), said[row["file"]])


if __name__ == "__main__":
    unittest.main()
