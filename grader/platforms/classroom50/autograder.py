"""Classroom 50 runs this in the student's checkout for each hand-in, with the files of this folder beside it, and reads
result.json and, for the page of the submission, release-body.md. Students can download this folder: it holds no seed, and the
marks are those of the shapes that students have too.

Exit code 0: result.json says how it went. Else the grader could not work, and the runner says so."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    state = os.environ.setdefault("WARPGRADE_TOOLS", str(Path(tempfile.gettempdir()) / "warpgrade-tools"))
    kit = HERE / "kit"
    (kit / "grader" / "warpgrade").chmod(0o755)
    for program in kit.glob("grader/programs/*/warpgrade-bin"):
        program.chmod(0o755)
    if not os.environ.get("WARPGRADE_NVRTC"):
        # Pip fetches NVRTC, once for a machine that keeps its files.
        subprocess.run([sys.executable, "-m", "venv", state], check=True)
        subprocess.run([f"{state}/bin/pip", "install", "--quiet", "--disable-pip-version-check", "-r",
                        kit / "grader/launch/nvrtc-requirements.txt"], check=True)
        os.environ["WARPGRADE_PYTHON"] = f"{state}/bin/python"
    out = Path("result.json")
    out.unlink(missing_ok=True)
    done = subprocess.run([sys.executable, "-I", "-B", HERE / "hand_in.py", "classroom50", ".", out], stdout=subprocess.PIPE,
                          text=True, encoding="utf-8", errors="replace")
    if done.returncode:
        out.unlink(missing_ok=True)
    else:
        Path("release-body.md").write_text("```text\n" + done.stdout.replace("```", "` ` `") + "```\n", encoding="utf-8")
    print(done.stdout)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
