#!/usr/bin/env python3
"""grader/lab/roots/roots.py try [TRIAL]... | shell TRIAL | table: the first commands of a newcomer, on machines that have nothing.

A machine is a Debian that debootstrap makes, once a suite, with an overlay above it that each trial begins anew; trials.toml
says what a machine has and what is typed on it. Each trial has its own mounts, processes and network: its bytes are those of
its own interface (slirp4netns), its disk is its overlay.

Needs root, and: apt-get install debootstrap slirp4netns qemu-user-static binfmt-support"""

import argparse
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TRIALS = tomllib.loads((HERE / "trials.toml").read_text())
STUDENT = 1000
MARK = "<!-- table -->"
CARRIED = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "http_proxy", "https_proxy", "no_proxy")

# Run by unshare, in the new namespaces. After pivot_root the overlay is the only root there is, as on a machine: in a chroot
# the kernel refuses user namespaces, which the kit's sandbox uses.
BOOT = """set -e
mount -t overlay overlay -o "lowerdir=$LOWER,upperdir=$UPPER,workdir=$WORK" "$MERGED"
mount -t proc proc "$MERGED/proc"
mount -t tmpfs tmpfs "$MERGED/dev/shm"
mount -t devpts devpts "$MERGED/dev/pts" -o newinstance,ptmxmode=0666
ip link set lo up
cd "$MERGED"
pivot_root . .
umount -l .
echo ready
exec sleep infinity
"""


def quiet(*words, **options):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout[-2000:]}")
    return done.stdout


def mirror():
    """The one that this machine's own apt fetches Debian from."""
    listed = quiet("apt-get", "indextargets", "--format", "$(SITE)/$(RELEASE)")
    return next(found[1] for line in listed.splitlines() if (found := re.fullmatch(r"(.*/debian)/\w+", line)))


class Machine:
    """A root that runs: `lower` folders under an overlay whose upper folder is `upper`."""

    def __init__(self, lower, upper, has_network=True):
        self.upper = upper
        self.scratch = Path(tempfile.mkdtemp(prefix="roots-", dir=upper.parent))
        folders = {name: self.scratch / name for name in ("work", "merged")}
        for folder in (upper, *folders.values()):
            folder.mkdir(parents=True, exist_ok=True)
        names = {"LOWER": ":".join(map(str, lower)), "UPPER": upper, "WORK": folders["work"], "MERGED": folders["merged"]}
        self.holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private", "sh", "-c", BOOT],
            env=os.environ | {name: str(value) for name, value in names.items()}, stdout=subprocess.PIPE)
        if self.holder.stdout.readline() != b"ready\n":
            sys.exit("the root did not start")
        self.pid = int(Path(f"/proc/{self.holder.pid}/task/{self.holder.pid}/children").read_text().split()[0])
        self.network = None
        if has_network:
            ready, tell = os.pipe()
            self.network = subprocess.Popen(["slirp4netns", "--configure", "--mtu=65520", f"--ready-fd={tell}",
                                             str(self.pid), "tap0"], pass_fds=[tell],
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            os.close(tell)
            os.read(ready, 1)
            os.close(ready)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.network:
            self.network.terminate()
            self.network.wait()
        self.holder.send_signal(signal.SIGKILL)
        self.holder.wait()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def words(self, user, command):
        """What runs `command` inside, as `user`, where the command before has left off."""
        home = "/root" if user == "root" else f"/home/{user}"
        places = "/usr/local/bin:/usr/bin:/bin" + (":/usr/sbin:/sbin" if user == "root" else f":{home}/.local/bin")
        names = {"HOME": home, "USER": user, "PATH": places, "LANG": "C.UTF-8", "TERM": "dumb"}
        names |= {name: os.environ[name] for name in CARRIED if name in os.environ}
        become = [] if user == "root" else ["setpriv", f"--reuid={STUDENT}", f"--regid={STUDENT}", "--clear-groups"]
        where = f"{home}/.where"
        return ["nsenter", "--target", str(self.pid), "--net", "--mount", "--pid", *become, "env", "-i",
                *(f"{name}={value}" for name, value in names.items()), "bash", "-c",
                f'cd "$(cat {where} 2>/dev/null || echo {home})"; trap "pwd >{where}" EXIT; '
                f"[ ! -e /opt/lab/environment ] || . /opt/lab/environment; {command}"]

    def received_bytes(self):
        table = Path(f"/proc/{self.pid}/net/dev").read_text()
        return sum(int(line.split()[1]) for line in table.splitlines() if line.strip().startswith("tap0:"))


def base_of(suite, at):
    """The folder of a bare Debian with an ordinary user and this machine's way to the registries. Made once. "bookworm:arm64"
    is one of another architecture, whose programs qemu-user-static runs."""
    folder = at / f"base-{suite.replace(':', '-')}"
    if not folder.exists():
        making = at / f"making-{folder.name}"
        shutil.rmtree(making, ignore_errors=True)
        print(f"debootstrap {suite}", file=sys.stderr)
        suite, _, architecture = suite.partition(":")
        quiet("debootstrap", "--variant=minbase", *([f"--arch={architecture}"] if architecture else []), suite, making, mirror())
        (making / "etc/resolv.conf").write_text("nameserver 10.0.2.3\n")  # slirp4netns' own, which asks this machine's
        (making / "opt/lab").mkdir()
        shutil.copy("/etc/ssl/certs/ca-certificates.crt", making / "opt/lab/ca.crt")
        (making / "etc/pip.conf").write_text("[global]\ncert = /opt/lab/ca.crt\n")
        for file in Path("/etc/apt/apt.conf.d").glob("*proxy*"):
            shutil.copy(file, making / "etc/apt/apt.conf.d")
        quiet("chroot", making, "useradd", "--create-home", "--uid", str(STUDENT), "--shell", "/bin/bash", "student")
        making.rename(folder)
    return folder


def toolkit(at):
    """NVRTC and CUDA's headers as a toolkit has them, in a folder to put below others. From the wheels the kit names."""
    folder = at / "toolkit"
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=at) as scratch:
            quiet(sys.executable, "-m", "pip", "install", "--quiet", "--target", scratch, "--requirement",
                  ROOT / "grader/launch/nvrtc-requirements.txt")
            (cuda,) = [path for path in Path(scratch, "nvidia").iterdir() if (path / "include").exists()]
            place = Path(scratch, "root/usr/local/cuda")
            place.mkdir(parents=True)
            (cuda / "lib").rename(place / "lib64")
            (cuda / "include").rename(place / "include")
            Path(scratch, "root").rename(folder)
    return folder


def apply_recipe(path, upper):
    """Does what an Apptainer recipe says, as far as a root can: copies %files, keeps %environment for `words`. Returns %post."""
    sections = dict(re.findall(r"(?ms)^%(\w+)\n(.*?)(?=^%|\Z)", (ROOT / path).read_text()))
    for line in sections["files"].split("\n"):
        if line.strip():
            source, target = line.split()
            (upper / target.lstrip("/")).mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / source, upper / target.lstrip("/"))
    (upper / "opt/lab").mkdir(parents=True)
    (upper / "opt/lab/environment").write_text(sections["environment"])
    return sections["post"]


def lower_of(trial, at):
    """The folders under a trial's overlay, uppermost first: what its machine has before anybody types anything."""
    lower = [base_of(trial["suite"], at)]
    prepare = trial.get("prepare", trial.get("recipe"))
    if prepare:
        key = re.sub(r"\W+", "-", trial["suite"] + " " + prepare)[-200:]
        layer = at / f"layer-{key}"
        if not layer.exists():
            making = at / f"making-{key}"
            shutil.rmtree(making, ignore_errors=True)
            print(f"preparing {trial['suite']}: {prepare}", file=sys.stderr)
            prepare = apply_recipe(prepare, making) if "recipe" in trial else prepare
            with Machine(lower, making) as machine:
                quiet(*machine.words("root", f"set -e; export DEBIAN_FRONTEND=noninteractive; apt-get -q update\n"
                                             f"{prepare}\napt-get clean; rm -rf /root/.where"))
            making.rename(layer)
        lower.insert(0, layer)
    if trial.get("has_toolkit"):
        lower.insert(0, toolkit(at))
    return lower


def steps_of(trial):
    """(command, expected exit code) each. "handout: TITLE" stands for what that section of Getting started says to type."""
    for text in trial["steps"]:
        if text.startswith("handout: "):
            handout = (ROOT / "handouts/getting_started.md").read_text()
            section = re.search(rf"^## [\d. ]*{re.escape(text[9:])}\n(.*?)^## ", handout, re.M | re.S)[1]
            for language, block in re.findall(r"^```(console|)\n(.*?)^```", section, re.M | re.S):
                yield from ((line.removeprefix("$ "), 0) for line in block.splitlines()
                            if not language or line.startswith("$ "))
        else:
            found = re.fullmatch(r"(.*?)(?:  # exit (\d+))?", text)
            yield found[1], int(found[2] or 0)


def bring(trial, home, given):
    """Puts what the newcomer has been given into the home folder."""
    home.mkdir(parents=True, exist_ok=True)
    what = trial["brings"]
    if what == "clone":
        quiet("git", "clone", "--quiet", ROOT, home / "warpgrade")
    elif what == "kit":
        shutil.copy(given.kit, home / "warpgrade.tar.gz")
    else:
        for wheel in given.wheels.glob(f"*{trial.get('machine', 'x86_64')}*.whl"):
            shutil.copy(wheel, home)


def disk_mb(folder):
    return round(int(quiet("du", "-sm", folder).split()[0]))


def try_one(name, at, given):
    trial = TRIALS[name]
    lower, upper = lower_of(trial, at), at / f"trial-{trial.get('continues', name)}"
    user = trial.get("user", "student")
    home = upper / ("root" if user == "root" else f"home/{user}")
    if "continues" not in trial:
        shutil.rmtree(upper, ignore_errors=True)
        bring(trial, home, given)
        for path in (home, *home.rglob("*")) if user != "root" else ():
            os.chown(path, STUDENT, STUDENT, follow_symlinks=False)
    rows, brought_mb = [], disk_mb(upper)
    with Machine(lower, upper, trial.get("has_network", True)) as machine, open(at / f"{name}.log", "w") as log:
        for command, expected in steps_of(trial):
            print(f"$ {command}", file=log, flush=True)
            before, started, fetched = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), machine.received_bytes()
            code = subprocess.run(machine.words(user, command), stdin=subprocess.DEVNULL, stdout=log, stderr=log).returncode
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            rows.append({"command": command, "expected": expected, "exit": code, "wall_s": time.monotonic() - started,
                         "cpu_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                         "fetched_bytes": machine.received_bytes() - fetched})
            print(f"{name}: {command}: exit {code}, {rows[-1]['wall_s']:.1f} s", file=sys.stderr)
            if code != expected:
                break
    (at / f"{name}.json").write_text(json.dumps({"steps": rows, "disk_mb": disk_mb(upper) - brought_mb}, indent=1))
    return all(row["exit"] == row["expected"] for row in rows)


def row_of(name, at):
    trial, result = TRIALS[name], json.loads((at / f"{name}.json").read_text())
    steps = result["steps"]
    bad = [row for row in steps if row["exit"] != row["expected"]]
    total = {key: sum(row[key] for row in steps) for key in ("wall_s", "cpu_s", "fetched_bytes")}
    end = f"**exit {bad[0]['exit']}**: `{bad[0]['command']}`" if bad else trial.get("shows", "passes")
    return (f"| `{name}` | {trial['machine_has']} | {len(steps)} | {end} | {total['wall_s']:.0f} | {total['cpu_s']:.0f} | "
            f"{total['fetched_bytes'] / 1e6:.1f} | {result['disk_mb']} |")


def write_table(at):
    rows = [row_of(name, at) for name in TRIALS if (at / f"{name}.json").exists()]
    head = ["| trial | the machine | commands | result | wall s | CPU s | fetched MB | disk MB |", "|---|---|--:|---|--:|--:|--:|--:|"]
    before, _, after = (HERE / "README.md").read_text().split(MARK)
    (HERE / "README.md").write_text(MARK.join([before, "\n" + "\n".join(head + rows) + "\n", after]))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("verb", choices=("try", "shell", "table"))
    arguments.add_argument("trial", nargs="*", choices=[*TRIALS, []], help="all, where none is named")
    arguments.add_argument("--at", type=Path, default=ROOT / "build/roots", help="where the roots lie (not on an overlay)")
    arguments.add_argument("--kit", type=Path, default=ROOT / "release/warpgrade.tar.gz", help="what release made")
    arguments.add_argument("--wheels", type=Path, default=ROOT / "release", help="the folder of the wheels")
    given = arguments.parse_args()
    given.at = given.at.resolve()
    given.at.mkdir(parents=True, exist_ok=True)
    if given.verb == "table":
        write_table(given.at)
    elif given.verb == "shell":  # in what the last `try` of it has left
        (name,) = given.trial
        with Machine(lower_of(TRIALS[name], given.at), given.at / f"trial-{name}") as machine:
            return subprocess.run(machine.words(TRIALS[name].get("user", "student"), "bash")).returncode
    else:
        return 0 if all([try_one(name, given.at, given) for name in given.trial or TRIALS]) else 1


if __name__ == "__main__":
    sys.exit(main())
