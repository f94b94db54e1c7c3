#!/usr/bin/env python3
"""grader/lab/soak.py [CHECKS]: one process checks a file many times (2000), as a session of --watch or a class does.

Looked at from outside, every second: memory (PSS of the process and its children, so that pages shared between them count
once), open files, children, what lies in the temporary folder and in /dev/shm. Prints a row for every tenth of the run and
exits with 1 where the last tenth holds more than the second one (the first one fills caches)."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = ROOT / "build" / "release" / "grader" / "warpgrade-bin"
# Right, wrong, stopped by a budget, refused by the compiler, and killed by a fault: each leaves in its own way.
SUBMISSIONS = ["solutions/transpose/1_naive_read.cu", "assignments/transpose/4_padding.cu",
               "grader/tests/submissions/out_of_bounds", "grader/tests/submissions/does_not_compile",
               "grader/tests/submissions/race_shared", "grader/tests/submissions/ptx_syntax",
               "grader/tests/submissions/trap", "solutions/reduction/3_sequential.cu"]
KEPT_KB = 4096  # more than this from the second tenth to the last is a leak: 2000 checks would lose 2 kB each


def family(pid):
    """The process and all that descend from it."""
    found, rest = [], [pid]
    while rest:
        one = rest.pop()
        found.append(one)
        try:
            for task in Path(f"/proc/{one}/task").iterdir():
                rest += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            pass  # it has ended
    return found


def value_of(path, name):
    try:
        for line in Path(path).read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def look(pid, scratch):
    try:
        files = len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        files = 0
    own = value_of(f"/proc/{pid}/smaps_rollup", "Pss:")
    return {"own_kb": own, "files": files, "children": len(family(pid)) - 1,
            "left": sum(len(names) + len(folders) for _, folders, names in os.walk(scratch)) + len(os.listdir("/dev/shm"))}


def sources():
    for name in SUBMISSIONS:
        path = ROOT / name
        yield path if path.is_file() else sorted(path.glob("*.cu"))[0]


def main():
    checks = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    files = [str(path) for path in sources()]
    words = [files[i % len(files)] for i in range(checks)]
    with tempfile.TemporaryDirectory(prefix="warpgrade-soak-") as scratch, open(os.path.join(scratch, "out"), "w+") as out:
        run = subprocess.Popen([BINARY, "check", "--device", "virtual", *words], stdin=subprocess.DEVNULL, stdout=out,
                               stderr=subprocess.STDOUT, env=dict(os.environ, WARPGRADE_ROOT=str(ROOT), TMPDIR=scratch))
        begun, seen = time.monotonic(), []
        while run.poll() is None:
            seen.append(look(run.pid, scratch) | {"seconds": time.monotonic() - begun})
            time.sleep(1)
        out.seek(0)
        done = sum(line.startswith("score") for line in out)
    tenth = max(1, len(seen) // 10)
    print(f"{checks} checks of {len(files)} files in one process: exit {run.returncode}, {done} with a score, {seen[-1]['seconds']:.0f} s")
    print(f"{'seconds':>8} {'own kB':>8} {'files':>6} {'children':>9} {'left behind':>12}   (the most in each tenth; kB: the least)")
    rows = []
    for first in range(0, len(seen) - tenth + 1, tenth):
        part = seen[first:first + tenth]
        rows.append({key: max(one[key] for one in part) for key in part[0]} | {"own_kb": min(one["own_kb"] for one in part)})
        row = rows[-1]
        print(f"{row['seconds']:8.0f} {row['own_kb']:8} {row['files']:6} {row['children']:9} {row['left']:12}")
    early, late = rows[min(1, len(rows) - 1)], rows[-1]
    leaks = [key for key, more in (("own_kb", KEPT_KB), ("files", 0), ("children", 1), ("left", 1))
             if late[key] > early[key] + more]
    if done < checks // 2 or run.returncode not in (0, 1):
        leaks.append("checks that did not end as they should")
    print("flat" if not leaks else "NOT FLAT: " + ", ".join(leaks))
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main())
