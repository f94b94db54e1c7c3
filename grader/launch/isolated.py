"""Runs one of the kit's Python packages, and nothing of the caller's:

    .venv/bin/python -I -B -X utf8 grader/launch/isolated.py reports|handouts ARGUMENTS...

-I leaves out the caller's folder, PYTHON... and the user's own packages. From here on the working folder is this one,
where no library finds anything to read, the variables are those below, and time and memory have an end. Whose paths
are relative to the caller's folder finds it in WARPGRADE_CALLER (reports/places.py).
"""

import importlib
import os
import resource
import signal
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KEPT = ("HOME", "PATH", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_PATH", "CUDA_HOME")  # and WARPGRADE_...
CPU_SECONDS = {"reports": 120, "handouts": 600}
WALL_SECONDS = {"reports": 600, "handouts": 1800}  # the last resort: a file that cannot be read to its end
MEMORY_BYTES = 4 << 30  # of address space; a report takes half a GiB


def limit(package):
    """Ends this process, with one line, when it takes too long; what it asks for beyond its memory is a MemoryError."""
    def stop(number, frame):
        long = f"{CPU_SECONDS[package]} s of processor time" if number == signal.SIGXCPU else f"{WALL_SECONDS[package]} s"
        os.write(2, f"{package}: stopped after {long}: what it was given is too large, or damaged\n".encode())
        os._exit(2)

    for number in (signal.SIGXCPU, signal.SIGALRM):
        signal.signal(number, stop)
    set_limit(resource.RLIMIT_CPU, CPU_SECONDS[package], CPU_SECONDS[package] + 5)
    set_limit(resource.RLIMIT_AS, MEMORY_BYTES)
    set_limit(resource.RLIMIT_CORE, 0, 0)
    signal.alarm(WALL_SECONDS[package])


def set_limit(kind, soft, hard=resource.RLIM_INFINITY):
    """No more than the machine's own limit. A program that is started from here may lift the soft ones for itself."""
    most = resource.getrlimit(kind)[1]
    soft, hard = (value if most == resource.RLIM_INFINITY or 0 <= value < most else most for value in (soft, hard))
    resource.setrlimit(kind, (soft, hard))


def caller():
    """The working folder of who started this; the root of the file system where it has been removed."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return "/"


def environment(folder):
    """The variables of this process. matplotlib takes its settings from a file of the kit's, and keeps a list of fonts."""
    fonts = ROOT / ".cache" / "matplotlib"
    try:
        fonts.mkdir(parents=True, exist_ok=True)
    except OSError:
        pass
    if not os.access(fonts, os.W_OK):
        fonts = tempfile.mkdtemp(prefix="warpgrade-fonts-")
    kept = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("WARPGRADE_")}
    return {**kept, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "MPLCONFIGDIR": str(fonts),
            "MATPLOTLIBRC": str(HERE / "matplotlibrc"), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
            "WARPGRADE_CALLER": folder}


def main():
    package = sys.argv.pop(1)
    variables = environment(caller())
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(HERE)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    limit(package)
    # A wheel may be among the user's own packages, which -I leaves out (grader/python/warpgrade/course.py).
    if os.environ.get("WARPGRADE_SITE"):
        sys.path.append(os.environ["WARPGRADE_SITE"])
    sys.path.append(str(ROOT))  # last: what a library asks for is never looked for here
    return importlib.import_module(f"{package}.__main__").main()


if __name__ == "__main__":
    sys.exit(main())
