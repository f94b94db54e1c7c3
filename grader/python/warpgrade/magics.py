"""What a notebook has after `%load_ext warpgrade`: %%stage, %stage, %explain, %bench and %warpgrade.

The file on disk is what counts and what is handed in: %%stage writes it and lets the course's own `check` read it.
Nothing of a cell runs in the notebook's process. What programs print is text, and is shown as text.
"""

import difflib
import html
import itertools
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class

from . import course

FRAME_PIXELS = 760


class Shown:
    """The text of a verb, and the page that goes with it; where no page can be shown, the text is all."""

    def __init__(self, text, page="", title=""):
        self.text, self.page, self.title = text.rstrip("\n"), page, title

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        text = f'<pre style="white-space:pre-wrap;font-family:monospace;line-height:1.3">{html.escape(self.text)}</pre>'
        if not self.page:
            return text
        # Links within the page would lead to the notebook, which lends the frame its address. No script runs in it.
        page = re.sub(r'(<a\b[^>]*?)\shref="#[^"]*"', r"\1", self.page)
        return (f'{text}<details open><summary>{html.escape(self.title)}</summary>'
                f'<iframe title="{html.escape(self.title)}" sandbox="allow-same-origin" srcdoc="{html.escape(page)}" '
                f'style="width:100%;height:{FRAME_PIXELS}px;border:1px solid #8884;resize:vertical"></iframe></details>')


def part_of_stage(page):
    """Of a report of one stage what is about the stage: no marks of all stages, no contents."""
    parts = re.fullmatch(r"(?s)(.*?<body>).*?(<article .*</article>).*", page)
    return f"{parts[1]}<main>{parts[2]}</main></body></html>" if parts else page


def folder_of_course():
    """The course folder around the working folder, or the one in it that `warpgrade init` makes."""
    folder = course.find() or course.find("warpgrade")
    if folder is None and course.kit_record():
        folder = Path("warpgrade").resolve()
        course.init(folder)
        print(f"made the course folder {folder}")
    if folder is None:
        raise UsageError("there is no course folder here\n  try: open the notebook inside the unpacked kit (its folder "
                         "`handouts`), or %cd to the folder that has `assignments` and `grader` in it")
    return folder


def run(folder, *words):
    """A verb of the course: (exit code, what it wrote). What it says meanwhile on its standard error appears at once."""
    with subprocess.Popen(course.command(folder, *words), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace", start_new_session=True,
                          env={**course.environment(), "NO_COLOR": "1"}) as child:
        def pass_on():
            for line in child.stderr:
                print(line, end="", file=sys.stderr, flush=True)

        teller = threading.Thread(target=pass_on, daemon=True)
        teller.start()
        try:
            written = child.stdout.read()
            code = child.wait()
        except KeyboardInterrupt:
            os.killpg(child.pid, signal.SIGINT)
            child.wait()
            raise UsageError("stopped") from None
        finally:
            teller.join(5)
    return code, written


def run_or_stop(folder, *words):
    """What a verb wrote. Without a report, which takes matplotlib, the text of a check is shown all the same."""
    code, written = run(folder, *words)
    if code > 1 and not ("--report" in words and written.strip()):
        raise UsageError(f"`warpgrade {shlex.join(words)}` ended with exit code {code}; the lines above say why")
    return written


def find_stage(folder, word):
    """(name, file, whether it is as it was handed out) of a stage that is named as transpose/padding, or padding where
    one assignment has it."""
    stages = {f"{one['assignment']}/{one['stage']}": one
              for one in json.loads(run_or_stop(folder, "list", "--format", "json"))["stages"]}
    found = [name for name in stages if word in (name, name.split("/")[1])]
    if len(found) == 1:
        one = stages[found[0]]
        return found[0], folder / one["source"], one["state"] == "untouched"
    if found:
        raise UsageError(f"`{word}` is a stage of several assignments\n  try: one of {', '.join(found)}")
    near = difflib.get_close_matches(word, [*stages, *(name.split("/")[1] for name in stages)], 1)
    raise UsageError(f"no stage is called `{word}`\n  try: {near[0] if near else '%warpgrade list shows the stages'}")


@magics_class
class WarpgradeMagics(Magics):
    def __init__(self, shell):
        super().__init__(shell)
        self.last = ""      # the stage of the last %%stage
        self.written = {}   # what cells wrote: path -> bytes

    @line_cell_magic
    def stage(self, line, cell=None):
        """%%stage transpose/padding [OPTIONS OF check]: writes the cell into the stage's file, and checks it.
        %stage transpose/padding: puts the file as it is now into a new cell below."""
        words = self.words(line, "%%stage transpose/padding")
        folder = folder_of_course()
        name, path, is_stub = find_stage(folder, words[0])
        if cell is None:
            self.shell.set_next_input(f"%%stage {name}\n{path.read_text(encoding='utf-8')}")
            return None
        if not cell.strip():
            raise UsageError(f"this cell is empty, so {path.name} was left as it is\n  try: %stage {name} in a cell of its "
                             "own, which brings the file here")
        self.write(path, cell, is_stub)
        self.last = name
        return self.check(folder, name, words[1:])

    @line_magic
    def explain(self, line):
        """%explain [STAGE] [OPTIONS OF explain]: what a warp touches, line by line."""
        return self.text_of("explain", line)

    @line_magic
    def bench(self, line):
        """%bench [STAGE] [OPTIONS OF bench]: bandwidth over sizes and block shapes."""
        return self.text_of("bench", line)

    @line_magic
    def warpgrade(self, line):
        """%warpgrade VERB ...: any verb of the course, as in a terminal: %warpgrade hint padding, %warpgrade submit."""
        words = self.words(line, "%warpgrade list")
        return Shown(run_or_stop(folder_of_course(), *words))

    @staticmethod
    def words(line, example=""):
        """Of a magic's line; `example`: what to write where there has to be one and is none."""
        try:
            words = shlex.split(line)
        except ValueError as problem:
            raise UsageError(f"{problem} in `{line}`") from None
        if example and not words:
            raise UsageError(f"a word is missing\n  try: {example}")
        return words

    def text_of(self, verb, line):
        words = self.words(line)
        folder = folder_of_course()
        if words and not words[0].startswith("-"):
            name = find_stage(folder, words.pop(0))[0]
        elif self.last:
            name = self.last
        else:
            raise UsageError(f"which stage?\n  try: %{verb} transpose/padding")
        return Shown(run_or_stop(folder, verb, name, *words))

    def write(self, path, text, is_stub):
        """What somebody wrote into the file elsewhere is kept beside it, as `reset` does; a stub `reset` gives back."""
        text = text if text.endswith("\n") else text + "\n"
        before = path.read_bytes() if path.exists() else b""
        if before == text.encode():
            return
        if before and not is_stub and before != self.written.get(path):
            kept = next(kept for number in itertools.count(1) if not (kept := path.with_name(f"{path.name}.{number}")).exists())
            kept.write_bytes(before)
            print(f"{path.name} as it was is kept in {kept.name}")
        path.write_bytes(text.encode())
        self.written[path] = text.encode()

    @staticmethod
    def check(folder, name, options):
        with tempfile.TemporaryDirectory(prefix="warpgrade-notebook-") as place:
            text = run_or_stop(folder, "check", name, "--report", place, *options)
            page = Path(place) / "report.html"
            # The last lines name files in a folder that goes away.
            text = "\n".join(line for line in text.splitlines() if place not in line)
            report = part_of_stage(page.read_text(encoding="utf-8")) if page.is_file() else ""
            return Shown(text, report, f"report of {name}")


def load(shell):
    folder_of_course()
    shell.register_magics(WarpgradeMagics)


