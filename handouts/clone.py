"""A student's folder to try commands in, and the program that they start."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from handouts.document import ROOT

COPIED = ("assignments", "solutions", "handouts/kernels", "handouts/worked", "handouts/figures", "handouts/data", "grader/compile/include",
          "grader/host/include", "grader/explain/rules", "grader/launch", "grader/profiles")
LINKED = ("reports", ".venv")  # where there is one

LAUNCHER = """#!/bin/sh
exec "{binary}" "$@"
"""


def binary():
    """The program: WARPGRADE_BINARY_DIR, as the tests set it, or what the launcher builds."""
    folder = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader"))
    return folder.resolve() / "warpgrade-bin"


class Clone:
    """A temporary folder like a clone, where ./grader/warpgrade is the program under test. A context manager."""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="warpgrade-")
        self.root = Path(self._folder.name) / "warpgrade"
        (self.root / "build").mkdir(parents=True)
        for name in COPIED:
            if (ROOT / name).exists():
                shutil.copytree(ROOT / name, self.root / name)
        for path in (ROOT / "handouts").glob("*.md"):
            shutil.copyfile(path, self.root / "handouts" / path.name)
        for name in LINKED:
            if (ROOT / name).exists():
                (self.root / name).symlink_to(ROOT / name)
        launcher = self.root / "grader" / "warpgrade"
        launcher.write_text(LAUNCHER.format(binary=binary()))
        launcher.chmod(0o755)
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def run(self, command, timeout=250):
        """Runs a shell command in the clone. Returns (exit code, what it printed)."""
        answer = subprocess.run(["bash", "-c", command], cwd=self.root, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, errors="replace",
                                env=dict(os.environ, WARPGRADE_ROOT=str(self.root), NO_COLOR="1"))
        return answer.returncode, answer.stdout
