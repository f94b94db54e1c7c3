"""The command `warpgrade` of the wheel: `init` makes the course folder, every other word goes to the one around here."""

import os
import sys
from pathlib import Path

from . import course

HELP = """\
usage: warpgrade init [DIR]     make the course folder (default: warpgrade), or update the one you are in
       warpgrade VERB ...       inside the course folder; `warpgrade --help` lists the verbs there
"""


def fail(title, help_text, code=2):
    print(f"error: {title}\n  try: {help_text}", file=sys.stderr)
    return code


def run_init(words):
    if words and words[0] in ("-h", "--help"):
        print(HELP, end="")
        return 0
    if len(words) > 1 or any(word.startswith("-") for word in words):
        return fail("`init` takes one folder", "warpgrade init DIR")
    folder = Path(words[0]) if words else course.find() or Path("warpgrade")
    is_new, changed, kept = course.init(folder)
    shown = os.path.relpath(folder)
    for name in kept:
        print(f"kept     {name}: it is yours; the course's new text is {name}.new")
    if is_new:
        print(f"made     {shown}: {len(changed)} files\nnext     cd {shown} && warpgrade check copy")
    else:
        print(f"updated  {shown}: {len(changed)} files" if changed else f"current  {shown}: nothing to update")
    return 0


def main():
    words = sys.argv[1:]
    try:
        if words[:1] == ["init"]:
            return run_init(words[1:])
        folder = course.find()
        if folder is None and words[:1] in ([], ["-h"], ["--help"]):
            print(HELP, end="")
            return 0
        if folder is None:
            return fail("this is not a course folder, and none is above it",
                        "`warpgrade init` makes one, then `cd warpgrade`")
        if not course.is_current(folder):
            print("warpgrade: this folder is from another version of the course; `warpgrade init` updates it and keeps "
                  "your files", file=sys.stderr)
    except course.Refused as refused:
        return fail(refused, refused.help)
    except OSError as error:
        return fail(f"cannot use `{error.filename}`: {error.strerror}", "check the folder's permissions and free space",
                    3)
    launcher = course.command(folder, *words)
    os.execve(launcher[0], launcher, course.environment())


if __name__ == "__main__":
    sys.exit(main())
