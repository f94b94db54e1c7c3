"""What the command line does once it is read. Exit codes: 0 done, 1 nothing to draw, 2 usage."""

import difflib
import sys
import textwrap

from reports import bench, figure
from reports.classroom import load_class
from reports.handed_back import without_seed
from reports.places import from_caller, shown
from reports.plots import all_plots, name_of
from reports.result import SCHEMA, BadResult, load, read
from reports.text import printable

SUFFIXES = (".png", ".svg", ".pdf")
COLUMNS = 80  # of a terminal


def fail(text):
    print(f"reports: {text}", file=sys.stderr)
    return 2


def with_more(options):
    """The result with bench points and traces of the other files."""
    result = load(options.result, without_seed if getattr(options, "without_seed", False) else None)
    documents = [(path, read(path, bench.SCHEMA, SCHEMA)) for path in options.more]
    for complaint in bench.merge(result, documents):
        print(f"reports: left out: {complaint}", file=sys.stderr)
    return result


def student(options):
    from reports.student import write_report

    if options.result.is_dir():
        options.folder = options.result
        return classroom(options)
    folder = options.out or options.result.parent
    result = with_more(options)
    result.name = printable(options.name or "")
    for path in write_report(result, folder, with_pdf=not options.no_pdf):
        print(f"report: {shown(path)}")
    return 0


def classroom(options):
    from reports.class_page import write_class

    made = load_class(options.folder)
    for problem in made.skipped:
        print(f"reports: left out {problem}", file=sys.stderr)
    for path in write_class(made, options.out or options.folder):
        print(f"report: {shown(path)}")
    return 0


def leaderboard(options):
    from reports.leaderboard import write_leaderboard

    page = write_leaderboard(options.result, options.out or options.result.with_suffix(".html"))
    print(f"leaderboard: {shown(page)}")
    return 0


def live_page(options):
    from reports.live_page import write_live_page

    stages = load(options.result).stages
    if not stages:
        raise BadResult(f"{shown(options.result)}: no stage in it")
    print(f"page: {shown(write_live_page(stages[0].data, options.out, options.served))}")
    return 0


def plot(options):
    plots = {name_of(one): one for one in all_plots()}
    if options.list:
        width = max(map(len, plots))
        for name, one in plots.items():
            start = f"{name:{width}}  {one.SUBJECT:6}  "
            print(textwrap.fill(one.QUESTION, COLUMNS, initial_indent=start, subsequent_indent=" " * len(start)))
        return 0
    if not options.name or not options.result:
        return fail("plot needs a NAME and a RESULT; `plot --list` shows the names")
    chosen = plots.get(options.name)
    if not chosen:
        near = difflib.get_close_matches(options.name, plots, 1)
        return fail(f"no plot is called {options.name!r}; " +
                    (f"is it {near[0]}?" if near else "`plot --list` shows the names"))
    path = options.out or from_caller(f"{options.name}.svg")
    if not str(path).lower().endswith(SUFFIXES):
        return fail(f"{shown(path)}: the suffix says the format; expected one of {', '.join(SUFFIXES)}")
    subject = subject_of(chosen, options)
    drawn = figure.make(chosen, subject)
    if drawn is None:
        print(f"reports: nothing to draw. {chosen.missing(subject)}", file=sys.stderr)
        return 1
    figure.save(drawn, path)
    print(f"plot: {shown(path)}")
    return 0


def subject_of(chosen, options):
    """What the plot is about: the result, one of its stages, a pair of stages, or a class."""
    if chosen.SUBJECT == "class":
        return load_class(options.result)
    result = with_more(options)
    if chosen.SUBJECT == "result":
        return result
    named = [stage for stage in result.stages if options.stage in (None, stage.name, stage.id, stage.label)]
    if not named or (len(named) > 1 and options.stage is None):
        names = ", ".join(stage.label for stage in result.stages)
        raise BadResult(f"{shown(options.result)}: --stage says which stage to draw; here are {names or 'none'}")
    if chosen.SUBJECT == "stage":
        return named[0]
    before = result.stage_before(named[0])
    if before is None:
        raise BadResult(f"{shown(options.result)}: no stage of {named[0].assignment} comes before {named[0].label}")
    return before, named[0]


RUN = {"student": student, "report": student, "class": classroom, "leaderboard": leaderboard, "page": live_page, "plot": plot}
