"""The course folder: where a student works, made and brought up to date from the kit inside this package.

A course folder is a whole student kit. Beside its files it holds `.warpgrade.json`, which says of each file what the
kit gave, by digest: a file that still is what was given is the kit's, and is replaced or removed with it; any other
file is the student's, and stays. grader/launch/wheel.py puts the kit and its own record into the package.
"""

import hashlib
import json
import os
import sys
import sysconfig
from pathlib import Path

KIT = Path(__file__).resolve().parent / "kit"
SITE = KIT.parents[1]  # where pip has put this package
KIT_RECORD = KIT.with_name("kit.json")
RECORD = ".warpgrade.json"


class Refused(Exception):
    """What cannot be done as asked, in words for the student: `title`, and one thing to try."""

    def __init__(self, title, help_text):
        super().__init__(title)
        self.help = help_text


def find(start=None):
    """The course folder that `start`, by default the working folder, lies in; None outside of one."""
    start = Path(start or os.getcwd()).resolve()
    for folder in (start, *start.parents):
        if (folder / "grader" / "warpgrade").is_file() and (folder / "assignments").is_dir():
            return folder
    return None


def environment():
    """The variables with which a course folder's launcher takes this Python and its packages, and installs nothing."""
    variables = dict(os.environ)
    if KIT_RECORD.is_file():
        variables.setdefault("WARPGRADE_PYTHON", sys.executable)
        variables["WARPGRADE_SITE"] = str(SITE)  # `python -I` leaves the user's own packages out
        nvrtc = own_nvrtc()
        if nvrtc and not has_toolkit():
            variables.setdefault("WARPGRADE_NVRTC", str(nvrtc))
    return variables


def own_nvrtc():
    """NVRTC beside this package, wherever pip has put both: in an environment, the user's folder or the system's."""
    for folder in (SITE, *map(Path, (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))):
        for library in sorted(folder.glob("nvidia/*/lib/libnvrtc.so.1[23]")):
            return library
    return None


def has_toolkit():
    named = any(os.environ.get(name) for name in ("CUDA_PATH", "CUDA_HOME"))
    return named or any(Path("/usr/local").glob("cuda*/lib64/libnvrtc.so.1[23]*"))


def command(folder, *words):
    """The course folder's launcher with these words, for subprocess or exec."""
    return [str(folder / "grader" / "warpgrade"), *words]


def digest(data):
    return hashlib.sha256(data).hexdigest()


def kit_record():
    """Of the kit in this package: name -> digest; None where there is none, as in a kit's own grader/python."""
    return json.loads(KIT_RECORD.read_text(encoding="utf-8"))["files"] if KIT_RECORD.is_file() else None


def read_record(folder):
    """What an earlier `init` gave: name -> digest; None where there was none."""
    try:
        return json.loads((folder / RECORD).read_text(encoding="utf-8"))["files"]
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        raise Refused(f"`{folder / RECORD}` is damaged", "move your own files away, and make a new folder") from None


def write(path, data):
    """All of a file or nothing of it; programs can be executed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.chmod(0o755 if data.startswith((b"#!", b"\x7fELF")) else 0o644)
    part.replace(path)


def init(folder):
    """Makes or updates a course folder. Returns (is_new, changed, kept): of the student's own files, `kept` are those
    for which the course has a newer text, which is then beside them as NAME.new."""
    folder = Path(folder)
    before = read_record(folder)
    is_new = before is None
    if is_new and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"`{folder}` is there already, and `warpgrade init` did not make it",
                      "name another folder: warpgrade init DIR")
    given, before, changed, kept = kit_record(), before or {}, [], []
    if given is None:
        raise Refused("this package holds no kit", "install the course's wheel: pip install FILE.whl")
    for name, new in given.items():
        path = folder / name
        own = digest(path.read_bytes()) if path.is_file() else None
        if own == new:
            continue
        if own is None or own == before.get(name):
            write(path, (KIT / name).read_bytes())
            changed.append(name)
        elif new != before.get(name):
            write(path.with_name(path.name + ".new"), (KIT / name).read_bytes())
            kept.append(name)
    for name in before.keys() - given.keys():
        path = folder / name
        if path.is_file() and digest(path.read_bytes()) == before[name]:
            path.unlink()
            changed.append(name)
    write(folder / RECORD, json.dumps({"files": given}, indent=1, sort_keys=True).encode())
    return is_new, changed, kept


def is_current(folder):
    """Whether the folder's kit is this package's. True for a kit that `init` did not make, and without one here."""
    before, given = read_record(folder), kit_record()
    return before is None or given is None or before == given
