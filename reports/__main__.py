"""Command line of the reports; `./grader/warpgrade report --help` and `plot --help` say what they take."""

import argparse
import os
import sys
import traceback

from reports.places import from_caller, shown
from reports.result import BadResult


def parser():
    top = argparse.ArgumentParser(prog="./grader/warpgrade", description="Figures and pages from Warpgrade's result JSON.")
    verbs = top.add_subparsers(dest="verb", required=True)
    for name in ("student", "report"):
        student = verbs.add_parser(name, help="one student's report: report.html and report.pdf" +
                                   (", as `student`" if name == "report" else ""))
        student.add_argument("result", type=from_caller, help="what `check --format json` wrote")
        student.add_argument("more", type=from_caller, nargs="*",
                             help="what `bench --format json` or `explain --format json` wrote of the same files")
        student.add_argument("--out", type=from_caller, help="folder of the report (default: the result's folder)")
        student.add_argument("--without-seed", action="store_true",
                             help="for a student of a class: nothing that tells the seed of the class's shapes")
        student.add_argument("--name", help="of the student, for the titles")
        student.add_argument("--no-pdf", action="store_true", help="only the HTML page")
    room = verbs.add_parser("class", help="a class's report: class.html and class.pdf")
    room.add_argument("folder", type=from_caller, help="results of the class: FOLDER/*.json or FOLDER/*/result.json")
    room.add_argument("--out", type=from_caller, help="folder of the report (default: the results' folder)")
    board = verbs.add_parser("leaderboard", help="bandwidths by pseudonym: one HTML page")
    board.add_argument("result", type=from_caller, help="what `export leaderboard` wrote")
    board.add_argument("--out", type=from_caller, help="the page (default: beside the file)")
    live = verbs.add_parser("page", help="what a kernel touches, access by access: one HTML page")
    live.add_argument("result", type=from_caller, help="what `explain --format json` wrote")
    live.add_argument("--out", type=from_caller, required=True, help="the page: FILE.html")
    live.add_argument("--served", action="store_true", help="for `check --watch --page`, which serves it")
    one = verbs.add_parser("plot", help="one picture, as PNG, SVG or PDF", add_help=True)
    one.add_argument("name", nargs="?", help="which: `plot --list` names them")
    one.add_argument("result", type=from_caller, nargs="?", help="result JSON; for a plot of a class, the folder of results")
    one.add_argument("more", type=from_caller, nargs="*", help="bench or explain JSON of the same files")
    one.add_argument("--stage", help="for a plot of one stage: transpose/padding")
    one.add_argument("--out", type=from_caller, help="FILE.png, FILE.svg or FILE.pdf (default: NAME.svg)")
    one.add_argument("--list", action="store_true", help="the plots and what each answers")
    return top


def main(arguments=None):
    options = parser().parse_args(arguments)
    try:
        # Wrong arguments are said before Python needs more than itself.
        from reports import verbs

        return verbs.RUN[options.verb](options)
    except BadResult as problem:
        print(f"reports: {problem}", file=sys.stderr)
        return 2
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        # What no schema can say: two parts of a file that do not fit together.
        if os.environ.get("WARPGRADE_TRACEBACK"):
            raise
        place = traceback.extract_tb(problem.__traceback__)[-1]
        what = getattr(options, "result", None) or getattr(options, "folder", None)
        print(f"reports: {shown(what)}: cannot be drawn, its parts do not fit together ({type(problem).__name__}, "
              f"{os.path.basename(place.filename)}:{place.lineno}); if the kit wrote it so, please report this", file=sys.stderr)
        return 2
    except MemoryError:
        print(f"reports: {shown(getattr(options, 'result', None) or options.folder)}: takes more memory than there is for a "
              "report: what it was given is too large, or damaged", file=sys.stderr)
        return 2
    except OSError as problem:
        print(f"reports: {shown(problem.filename)}: {problem.strerror}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
