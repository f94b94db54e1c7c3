"""The course's handouts: Markdown that is true, because what can be generated or run is.

*.md         the text; each stage's section becomes a sheet, a page of its own (document.py). Tables between
             `<!-- table: ... -->` marks are written by this package; pictures in figures/ too.
tables.py    overviews from assignment.toml, counters from the reference solutions, figures of GPUs from data/
plots/       one script a picture, from trace JSON and result JSON of the program, and from data/
console.py   the commands in the text: the tests run each of them in a clone and compare what it prints
page.py, formula.py, pdf.py   Markdown to HTML with math and pictures inside, and to PDF

    python -m handouts            HTML and PDF in build/handouts
    python -m handouts --update   also rewrites the tables and the pictures first
"""
