"""Pages of worked examples: what `explain --page` shows of a file that is handed out, made beside the sheets that link to it."""

import os
import subprocess

from handouts.clone import binary
from handouts.document import ROOT, WORKED, worked_page


def write(name, folder):
    """Writes folder/NAME_worked.html; returns its path. Needs the program."""
    path = folder / worked_page(name)
    done = subprocess.run([binary(), "explain", "--page", path.resolve(), WORKED[name].relative_to(ROOT)], cwd=ROOT, capture_output=True,
                          text=True, stdin=subprocess.DEVNULL, env=dict(os.environ, WARPGRADE_ROOT=str(ROOT)))
    if done.returncode:
        raise RuntimeError(f"{WORKED[name].name}: {done.stdout}{done.stderr}")
    return path


def write_all(folder):
    return [write(name, folder) for name in WORKED] if binary().exists() else []
