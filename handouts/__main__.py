"""./grader/warpgrade handouts: HTML and PDF of the handouts; --update rewrites tables and pictures first."""

import argparse
import sys

from handouts.document import NAMES, ROOT, pages, parts
from reports.places import from_caller, shown


def parser():
    top = argparse.ArgumentParser(prog="./grader/warpgrade handouts", description="The handouts as HTML and PDF.")
    top.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)} (default: all)")
    top.add_argument("--out", type=from_caller, default=ROOT / "build" / "handouts", help="folder (default: build/handouts)")
    top.add_argument("--no-pdf", action="store_true", help="HTML alone")
    top.add_argument("--update", action="store_true",
                     help="first rewrite the tables in the Markdown and the pictures in figures/ (needs solutions/)")
    top.add_argument("--tables", action="store_true", help="rewrite the tables in the Markdown, and nothing else")
    return top


def update(with_figures):
    from handouts import figures, tables
    from handouts.clone import binary

    if not binary().exists():
        print(f"handouts: {binary()} is not built; ./grader/warpgrade doctor builds it", file=sys.stderr)
        return 3
    for name in tables.write_all():
        print(f"handouts/{name}.md: tables renewed")
    for name in figures.write_all() if with_figures else ():
        print(f"handouts/figures/{name}: drawn anew")
    return 0


def main(arguments=None):
    top = parser()
    options = top.parse_args(arguments)
    for name in options.names:
        if name not in NAMES:
            top.error(f"there is no handout {name!r}; there are {', '.join(NAMES)}")
    if (options.update or options.tables) and update(with_figures=options.update):
        return 3
    if options.tables and not options.update:
        return 0

    from handouts import page, pdf, worked

    options.out.mkdir(parents=True, exist_ok=True)
    names = [one for name in options.names for one in (name, *(sheet.name for sheet in parts(name)[1]))] or pages()
    written = [page.write(name, options.out) for name in names]
    for path in written:
        print(f"handout: {shown(path)}")
    for path in worked.write_all(options.out):
        print(f"worked example: {shown(path)}")
    if options.no_pdf:
        return 0
    if not pdf.browser():
        print("handouts: no Chromium, so no PDF. Install it (Debian: apt-get install chromium), or print the pages from "
              "any browser.", file=sys.stderr)
        return 3
    for path in written:
        print(f"handout: {shown(pdf.write(path))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
