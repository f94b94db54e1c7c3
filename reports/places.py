"""Paths as the caller means and reads them: relative to the caller's folder, while this program runs in one of the kit's
(grader/launch/isolated.py)."""

import os
from pathlib import Path

from reports.text import printable


def caller():
    return Path(os.environ.get("WARPGRADE_CALLER") or os.getcwd())


def from_caller(text):
    """The path that the caller means by a word on the command line."""
    return caller() / text


def shown(path):
    """As short as can be from the caller's folder, and fit for a terminal."""
    whole = os.path.abspath(from_caller(path))
    relative = os.path.relpath(whole, caller())
    return printable(min(relative, whole, key=len).encode("utf-8", "replace").decode())


def replace_file(path, content):
    """Writes bytes or text beside the file and renames: a link that stands there is replaced, not followed, and who is
    killed in the middle leaves the old file or none."""
    path = Path(path)
    part = path.with_name(f".new-{os.getpid()}-{path.name}"[-200:])
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        with open(handle, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return path
