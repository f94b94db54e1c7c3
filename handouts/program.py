"""What the program says of a file: result JSON, with the trace of a warp's accesses."""

import json
import os
import resource
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from handouts.clone import binary
from handouts.document import ROOT


@cache
def explain(source, stage="", shape="", edits=(), block=""):
    """The stage of `explain --format json` for one file, as a dictionary: "trace", "counters" and the rest.

    edits: pairs (old, new), made in a copy of the file; then `stage` has to be named. block: whose first warp is traced.
    """
    extra = (["--stage", stage] if stage else []) + (["--shape", shape] if shape else [])
    extra += ["--block", block] if block else []
    if not edits:
        return run("explain", "--counts", *extra, source)["stages"][0]
    text = (ROOT / source).read_text(encoding="utf-8")
    for old, new in edits:
        if old not in text:
            raise ValueError(f"{source} does not hold `{old}`")
        text = text.replace(old, new)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / Path(source).name
        copy.write_text(text, encoding="utf-8")
        return run("explain", "--counts", *extra, str(copy))["stages"][0]


def with_all_memory():
    """For a program that is started from here: the limit of its starter is not its own."""
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def run(verb, *arguments):
    answer = subprocess.run([binary(), verb, "--format", "json", *arguments], cwd=ROOT, text=True, capture_output=True,
                            stdin=subprocess.DEVNULL, env=dict(os.environ, WARPGRADE_ROOT=str(ROOT)), preexec_fn=with_all_memory)
    if answer.returncode > 1:
        raise RuntimeError(f"warpgrade {verb} {' '.join(arguments)}: exit code {answer.returncode}\n{answer.stderr}")
    return json.loads(answer.stdout)


def accesses(source, space, kind, **options):
    """The first warp's accesses of one kind, in the order in which they were made."""
    return [access for access in explain(source, **options)["trace"]
            if access["space"] == space and access["kind"] == kind]


def lanes(access):
    """The lanes that took part."""
    return [lane for lane in range(32) if access["mask"] >> lane & 1]


def words_by_bank(access):
    """Distinct 4-byte words in each of the 32 banks, of a shared access of 4 bytes a lane."""
    words = {access["addresses"][lane] // 4 for lane in lanes(access)}
    return [sum(word % 32 == bank for word in words) for bank in range(32)]


def solutions(assignment):
    """The reference of each stage, by stage id, as paths from the root."""
    files = sorted((ROOT / "solutions" / assignment).glob("[0-9]*_*.cu"))
    return {file.stem.split("_", 1)[1]: str(file.relative_to(ROOT)) for file in files}
