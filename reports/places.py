"""Paths as the caller means and reads them: relative to the caller's folder, while this program runs in one of the kit's
(grader/launch/isolated.py)."""

import errno
import os
import stat
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


MOST_BYTES = 64 << 20  # of a file; a whole course's result is a million


def read_text(path):
    """A file's text; bytes that are no UTF-8 are replaced. A pipe is read while somebody writes into it (`plot NAME <(...)`).
    OSError: also for what has no end, or would be waited for without one."""
    def refuse(what):
        raise OSError(errno.EINVAL, f"{what}, not a file: write the JSON into a file, and name that", path)

    # O_NONBLOCK: opening a pipe does not wait for who writes into it.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK | os.O_NOCTTY)) as file:
        kind = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISFIFO(kind):
            refuse("is a device")
        start = file.raw.read(1)  # None: nothing yet, but somebody may write it
        if start == b"" and stat.S_ISFIFO(kind):
            refuse("is a pipe that nobody writes into")
        os.set_blocking(file.fileno(), True)
        whole = (start or b"") + file.read(MOST_BYTES)
    if len(whole) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"longer than {MOST_BYTES >> 20} MiB", path)
    return whole.decode("utf-8", "replace")


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
