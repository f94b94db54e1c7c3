#!/usr/bin/env python3
"""Grades a small class on a real Slurm of two nodes, six times: as it should be, and with what goes wrong on clusters.

    grader/lab/slurm/trials.py [--keep FOLDER] [TRIAL]...

Each time the gradebook has to be the same, to the byte, as the one that `grade` makes without Slurm. Prints a line a
trial; exit code 0 if all are so."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE))
from cluster import Cluster  # noqa: E402

BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve() / "warpgrade-bin"
STAGES = ("1_naive_read.cu", "2_naive_write.cu")
STUDENTS = ("ann", "bo", "cy")
COUNT = len(STAGES) * len(STUDENTS)
ENVIRONMENT = dict(os.environ, WARPGRADE_ROOT=str(ROOT), NO_COLOR="1")


def make_class(folder):
    for student in STUDENTS:
        for file in STAGES:
            target = folder / "class" / student / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text((ROOT / "solutions" / "transpose" / file).read_text(encoding="utf-8") + f"// {student}\n", encoding="utf-8")
    (folder / "roster.csv").write_text("id\n" + "\n".join(STUDENTS) + "\n")


class Trials:
    def __init__(self, cluster, folder):
        self.cluster, self.folder, self.failures = cluster, folder, 0

    def words(self, out, *more):
        return [BINARY, "grade", self.folder / "class", "--roster", self.folder / "roster.csv", "--out", self.folder / out, "--seed", "7",
                "--device", "virtual", "--no-reports", "--stage", "naive_read", "--stage", "naive_write", *more]

    def grade(self, out, *more):
        done = subprocess.run(list(map(str, self.words(out, *more))), capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env=dict(ENVIRONMENT, SLURM_CONF=str(self.cluster.config)))
        return done.returncode, done.stdout + done.stderr

    def send(self, out, *more):
        chunk = () if "--chunk" in more else ("--chunk", "2")
        return self.grade(out, "--executor", "slurm", *chunk, "--slurm=--gres=gpu:1", *more)

    def known(self, out):
        return len(list((self.folder / out / ".store").glob("*.json")))

    def starts(self, out):
        return sum(len(path.read_text().splitlines()) for path in (self.folder / out / ".store" / "slurm" / "started").glob("*"))

    def wait(self, is_so, what, seconds=900):
        self.cluster.wait_for(is_so, what, seconds)

    def is_quiet(self):
        return not self.cluster.queue()

    def workers(self):
        return [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/cmdline")
                if self.cmdline(path)[1:2] == ["grade-worker"] and os.path.realpath(f"/proc/{path.parent.name}/exe") == str(BINARY)]

    def cmdline(self, path):
        try:
            return path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            return []

    def tell(self, name, out, began, more=""):
        book, wanted = self.folder / out / "gradebook.csv", self.folder / "local" / "gradebook.csv"
        is_same = book.exists() and book.read_bytes() == wanted.read_bytes()
        self.failures += not is_same
        print(f"{name:34} {'same gradebook' if is_same else 'ANOTHER GRADEBOOK':18} {self.known(out):2} stages, {self.starts(out):2} starts, "
              f"{time.monotonic() - began:5.0f} s{more}", flush=True)

    def as_it_should_be(self):
        began = time.monotonic()
        code, text = self.send("plain")
        assert code == 0 and f"sent {COUNT} stages" in text, text
        self.wait(self.is_quiet, "the end")
        self.tell("as it should be", "plain", began)

    def killed(self):
        """An element is killed as the kernel kills for memory: what was in the making goes alone next time."""
        began = time.monotonic()
        self.send("killed")
        self.wait(lambda: self.workers() and self.known("killed") >= 1, "a stage")
        victims = [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/cmdline") if self.cmdline(path)[1:2] == ["grade-chunk"]]
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
        self.wait(self.is_quiet, "the end")
        self.tell("an element killed (SIGKILL)", "killed", began, f"; {len(victims)} killed")

    def cancelled(self):
        """Somebody cancels the array: nothing is sent again until somebody asks for it."""
        began = time.monotonic()
        self.send("cancelled")
        self.wait(lambda: self.known("cancelled") >= 1, "a stage")
        arrays = {line.split("_")[0] for line in self.cluster.queue() if " warpgrade " in line}
        self.cluster.run("scancel", *arrays)
        self.wait(self.is_quiet, "the end")
        held = not (self.folder / "cancelled" / "gradebook.csv").exists()
        self.failures += not held
        self.send("cancelled")
        self.wait(self.is_quiet, "the end")
        self.tell("cancelled, and typed again", "cancelled", began, "; held until then" if held else "; NOT HELD")

    def timed_out(self):
        """A worker hangs (SIGSTOP) until the element's time is over."""
        began = time.monotonic()
        self.send("late", "--slurm=--time=00:02:00", "--chunk", "1")
        self.wait(lambda: self.workers(), "a worker")
        [os.kill(pid, signal.SIGSTOP) for pid in self.workers()[:1]]
        self.wait(self.is_quiet, "the end")
        self.tell("an element over its time", "late", began)

    def drained(self):
        """The node goes down under a running element and comes back: Slurm queues the element again."""
        began = time.monotonic()
        self.send("drained")
        self.wait(lambda: self.known("drained") >= 1, "a stage")
        self.cluster.run("scontrol", "update", "nodename=one,two", "state=drain", "reason=trial")
        self.cluster.run("scontrol", "update", "nodename=one,two", "state=down", "reason=trial")
        time.sleep(3)
        before = self.known("drained")
        waits = [line for line in self.cluster.queue() if "PENDING" in line]
        self.cluster.run("scontrol", "update", "nodename=one,two", "state=resume")
        self.wait(self.is_quiet, "the end")
        self.tell("the node drained and down", "drained", began, f"; {before} stages then, {len(waits)} entries waiting")

    def lost(self):
        """A node goes without a word in the middle of an element: Slurm notices, and the other one does its work."""
        began = time.monotonic()
        self.send("lost", "--chunk", "1")
        self.wait(lambda: self.starts("lost") >= self.known("lost") + 2 > 2, "stages begun on both nodes")
        self.cluster.lose_node("two")
        before = self.known("lost")
        self.wait(self.is_quiet, "the end")
        self.tell("a node lost in the middle", "lost", began, f"; {before} stages then")
        self.cluster.start_node("two")

    def run(self, only):
        began = time.monotonic()
        code, text = self.grade("local")
        assert code == 0, text
        print(f"{'without Slurm':34} {'':18} {self.known('local'):2} stages,            {time.monotonic() - began:5.0f} s", flush=True)
        for trial in (self.as_it_should_be, self.killed, self.cancelled, self.drained, self.timed_out, self.lost):
            if not only or trial.__name__ in only:
                trial()
        return self.failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--keep", type=Path, help="a folder for all of it, which stays")
    parser.add_argument("only", nargs="*", help="as_it_should_be, killed, cancelled, drained, timed_out, lost; none: all")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="warpgrade-slurm-") as folder:
        place = options.keep or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        make_class(place)
        with Cluster(place / "cluster") as cluster:
            print(cluster.run("sinfo", "--version").stdout.strip(), "|", cluster.run("sinfo", "-h", "-o", "%n %c CPUs, %G").stdout.strip(), flush=True)
            failures = Trials(cluster, place).run(options.only)
    print("all the same" if failures == 0 else f"{failures} went wrong")
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
