#!/usr/bin/env python3
"""grader/lab/roots/platforms.py try PACKAGES [PLATFORM]... | table: the packages of `release --for`, as their platforms run them.

PACKAGES is the folder that `release --assignment transpose --for ... --out` made. A platform's machine is a clean Debian with the
platform's folders, user and limits; its own script sets it up once, with a network, and then grades five hand-ins, each on a
machine of its own, without one. Memory and processor time are limited by control groups where this machine has them.

Needs root and what roots.py needs."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "grader/tests/classroom")]
import platform_files  # noqa: E402
import roots  # noqa: E402

MARK = "<!-- platforms -->"
AT = Path(os.environ.get("WARPGRADE_ROOTS", ROOT / "build/roots"))
GROUPS = Path("/sys/fs/cgroup")

# What each gives: memory in MiB, processors, seconds, where its files lie, and what it starts as whom.
PLATFORMS = {
    "gradescope": {"memory": 768, "cpus": 0.5, "seconds": 600, "user": "root", "submission": "/autograder/submission",
                   "secret": "/autograder/source/seed", "result": "/autograder/results/results.json",
                   "run": "cd /autograder && mkdir -p results && ./run_autograder"},
    "prairielearn": {"memory": 2048, "cpus": 0.9, "seconds": 600, "user": "root", "submission": "/grade/student",
                     "secret": "/grade/tests/seed", "result": "/grade/results/results.json", "run": "/grader/entrypoint.sh"},
    "autolab": {"memory": 2048, "cpus": 1, "seconds": 180, "user": "student", "submission": "/home/student/autolab",
                "secret": "/home/student/autolab/grader/seed", "result": "/home/student/printed",
                "run": "cd autolab && make >../printed"},
    "classroom50": {"memory": 7168, "cpus": 2, "seconds": 600, "user": "student", "submission": "/home/student/work",
                    "secret": "/home/student/bundle/kit/grader/warpgrade", "result": "/home/student/work/result.json",
                    "run": "cd work && CLASSROOM=gpu ASSIGNMENT=transpose SUBMISSION_TAG=submit/2026-11-02 COMMIT_URL=https://x/1 "
                           "RELEASE_URL=https://x/2 WARPGRADE_NVRTC=$(echo /opt/warpgrade/lib/python3*/site-packages/nvidia/*/lib/libnvrtc.so.1?) "
                           "python3 ../bundle/autograder.py"},
}


class Group:
    """A control group with limits, of cgroup version 1 or 2; without either, no limits and no peak."""

    def __init__(self, name, memory_mb, cpus):
        self.places, self.peak_file, self.procs = [], None, []
        sets = [("memory", {"memory.limit_in_bytes": memory_mb << 20}, "memory.max_usage_in_bytes"),
                ("cpu", {"cpu.cfs_period_us": 100_000, "cpu.cfs_quota_us": int(cpus * 100_000)}, None)]
        if (GROUPS / "cgroup.controllers").exists():
            sets = [("", {"memory.max": memory_mb << 20, "cpu.max": f"{int(cpus * 100_000)} 100000"}, "memory.peak")]
        self.limits = []
        for folder, values, peak in sets:
            place = GROUPS / folder / f"warpgrade-{name}"
            try:
                place.mkdir(exist_ok=True)
            except OSError:
                continue
            self.places.append(place)
            for key, value in values.items():
                try:
                    (place / key).write_text(str(value))
                    self.limits.append(key)
                except OSError:
                    pass
            if peak:
                self.peak_file = place / peak

    def enter(self):
        for place in self.places:
            (place / "cgroup.procs").write_text(str(os.getpid()))

    def close(self):
        """The peak in MiB, or None."""
        try:
            peak = int(self.peak_file.read_text()) >> 20
        except (OSError, AttributeError, ValueError):
            peak = None
        for place in self.places:
            try:
                place.rmdir()
            except OSError:
                pass
        return peak


def copy(source, target, user="root"):
    shutil.copytree(source, target, symlinks=True)
    own(target, user)


def own(folder, user):
    for path in (folder, *folder.rglob("*")) if user != "root" else ():
        os.chown(path, roots.STUDENT, roots.STUDENT, follow_symlinks=False)


def prepared(suite, platform, packages):
    """The folders of a machine on which the package has been set up, as the platform does it once."""
    lower = [roots.base_of(suite, AT)]
    tools = AT / f"layer-platforms-{suite}"
    if not tools.exists():  # what nvrtc.sh makes is alike for all of them
        making = AT / f"making-platforms-{suite}"
        shutil.rmtree(making, ignore_errors=True)
        copy(packages / "gradescope", making / "autograder/source")
        with roots.Machine(lower, making) as machine:
            roots.quiet(*machine.words("root", "bash /autograder/source/setup.sh && apt-get -q update && apt-get install -y make git"))
        shutil.rmtree(making / "autograder")
        making.rename(tools)
    lower.insert(0, tools)
    if extra := os.environ.get("WARPGRADE_LIBRARIES"):  # of a program that is not the portable one
        lower.insert(0, Path(extra))
    layer = AT / f"package-{suite}-{platform}"
    shutil.rmtree(layer, ignore_errors=True)
    layer.mkdir()
    if platform == "gradescope":
        copy(packages / "gradescope", layer / "autograder/source")
        shutil.copy(packages / "gradescope/run_autograder", layer / "autograder/run_autograder")
    elif platform == "prairielearn":
        copy(packages / "prairielearn/image", layer / "grader")
        copy(packages / "prairielearn/question/tests", layer / "grade/tests")
    elif platform == "classroom50":
        copy(packages / "classroom50", layer / "home/student/bundle", "student")
    lower.insert(0, layer)
    return lower


def give(platform, kind, upper, packages):
    """Puts the hand-in where the platform puts it."""
    about = PLATFORMS[platform]
    place = upper / about["submission"].lstrip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    if platform != "autolab":
        platform_files.hand_in(place, kind, ROOT, about["secret"], about["result"])
        own(place, about["user"])
        return
    given = platform_files.hand_in(upper / "given", kind, ROOT, about["secret"], about["result"])
    place.mkdir()
    with tarfile.open(place / "handin.tar", "w") as archive:
        archive.add(given, "work")
    shutil.rmtree(given)
    shutil.copy(packages / "autolab/autograde-Makefile", place / "Makefile")
    shutil.copy(packages / "autolab/autograde.tar", place)
    own(place, about["user"])


def points_of(platform, text):
    if platform == "autolab":
        last = text.rstrip().rsplit("\n", 1)[-1]
        return f"{sum(json.loads(last)['scores'].values()):g}" if last.startswith('{"scores"') else "no mark"
    result = json.loads(text)
    if platform == "prairielearn":
        return f"{result['score']:.3f} of 1" if result["gradable"] else "not gradable"
    if platform == "classroom50":
        return f"{result['score'] / 100:g}" if result["tests"] else "0 of 0"
    return f"{result.get('score', sum(test.get('score', 0) for test in result['tests'])):g}"


def try_one(suite, platform, kind, lower, packages):
    about = PLATFORMS[platform]
    upper = AT / f"run-{suite}-{platform}"
    shutil.rmtree(upper, ignore_errors=True)
    give(platform, kind, upper, packages)
    if (upper / "home").exists():
        os.chown(upper / "home/student", roots.STUDENT, roots.STUDENT)
    group = Group(f"{os.getpid()}", about["memory"], about["cpus"])
    with roots.Machine(lower, upper, has_network=False) as machine:
        words = machine.words(about["user"], about["run"])
        before, started = os.times(), time.monotonic()
        done = subprocess.run(["timeout", str(about["seconds"]), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, preexec_fn=group.enter)
        wall, after = time.monotonic() - started, os.times()
    result = upper / about["result"].lstrip("/")
    text = result.read_text(encoding="utf-8") if result.is_file() else ""
    seed = (packages / "gradescope/seed").read_text().strip()
    said = platform_files.complaints(platform, text) if text else ["no file"]
    if platform == "autolab" and done.returncode == 2 and '"scores"' not in text:
        said = []  # a hand-in that nobody can mark has no such line
    points = points_of(platform, text) if text else "none"
    if (kind == "right") != (points in ("10", "0.100 of 1")):
        said.append(f"a {kind} hand-in has {points}")
    if seed in text + done.stdout:
        said.append("the seed is in it")
    (AT / f"run-{suite}-{platform}-{kind}.log").write_text(f"{done.stdout}\n{text}\n")
    return {"suite": suite, "platform": platform, "kind": kind, "exit": done.returncode, "wall_s": round(wall, 1),
            "cpu_s": round(after.children_user + after.children_system - before.children_user - before.children_system, 1),
            "peak_mib": group.close(), "limits": group.limits, "points": points, "refused": said}


def try_all(packages, platforms):
    bad = 0
    for suite in ("bookworm", "trixie"):
        for platform in platforms or PLATFORMS:
            lower = prepared(suite, platform, packages)
            rows = [try_one(suite, platform, kind, lower, packages) for kind in platform_files.KINDS]
            (AT / f"platforms-{suite}-{platform}.json").write_text(json.dumps(rows, indent=1) + "\n")
            for row in rows:
                print(json.dumps(row), flush=True)
                bad += bool(row["refused"])
    return bad


def table():
    lines = ["| platform | machine | hand-in | points | its file | wall s | CPU s | peak MiB |", "|---|---|---|--:|---|--:|--:|--:|"]
    for platform in PLATFORMS:
        for suite in ("bookworm", "trixie"):
            path = AT / f"platforms-{suite}-{platform}.json"
            for row in json.loads(path.read_text()) if path.exists() else ():
                fits = "**" + "; ".join(row["refused"]) + "**" if row["refused"] else "accepted"
                lines.append(f"| {platform} | {suite} | {row['kind']} | {row['points']} | {fits} | {row['wall_s']:g} | {row['cpu_s']:g} | "
                             f"{row['peak_mib'] or ''} |")
    readme = HERE / "README.md"
    text = "\n".join(lines)
    readme.write_text(re.sub(rf"({MARK}\n).*?({MARK})", lambda found: found[1] + text + "\n" + found[2], readme.read_text(), flags=re.S))


def main(words):
    if words == ["table"]:
        return table()
    if len(words) < 2 or words[0] != "try":
        sys.exit(__doc__)
    AT.mkdir(parents=True, exist_ok=True)
    sys.exit(bool(try_all(Path(words[1]).resolve(), words[2:])))


if __name__ == "__main__":
    main(sys.argv[1:])
