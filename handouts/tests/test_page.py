"""The handouts as HTML and PDF: whole, self-contained, readable by machines that read aloud, and printable."""

import os
import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from handouts import figures, formula, page, pdf, worked
from handouts.__main__ import main
from handouts.clone import binary
from handouts.document import FOLDER, NAMES, PICTURE, ROOT, WORKED, pages, parts, prose_of, text_of, worked_page
from handouts.spoken import spoken
from reports.tests import pdf_checks
from reports.tests.browser import Browser
from reports.tests.markup import Tags
from reports.tests.test_browser import CONTRAST, LEAST

sys.path.insert(0, str(ROOT / "grader" / "tests" / "support"))
from part import part_of  # noqa: E402

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PAGES = {name: page.Writer(name).render() for name in pages()}


def each(test):
    def run(self):
        for name, html in PAGES.items():
            with self.subTest(name):
                test(self, name, html, Tags(html))

    return run


class Html(unittest.TestCase):
    @each
    def test_it_needs_nothing_from_outside(self, name, html, tags):
        bare = re.sub(r'xmlns(:\w+)?="[^"]*"', "", html)
        self.assertEqual(re.findall(r"<script|<img|<link(?! rel=\"icon\")|url\((?!#)|https?://", bare), [])
        self.assertIn("default-src 'none'", html)

    @each
    def test_ids_are_unique_and_links_lead_somewhere(self, name, html, tags):
        self.assertEqual(len(tags.ids), len(set(tags.ids)))
        for address in tags.addresses:
            if address.startswith("#"):
                self.assertIn(address[1:], tags.ids)
            elif address.startswith("data/"):
                self.assertIn(address, page.data_of(name))
                self.assertTrue((FOLDER / address).is_file(), address)
            elif not address.startswith("data:"):
                self.assertIn(address.split("#")[0], {f"{other}.html" for other in PAGES} | {worked_page(other) for other in WORKED})

    @each
    def test_every_picture_and_formula_is_told_in_words(self, name, html, tags):
        shown = [match["name"] for match in PICTURE.finditer(pages()[name])]
        self.assertEqual(tags.names.count("figure"), len(shown))
        said = {attributes.get("aria-label") for tag, attributes in tags.tags if attributes.get("role") == "img"}
        for picture in shown:
            self.assertIn(figures.description(picture), said)
        formulas = [attributes for tag, attributes in tags.tags if "formula" in attributes.get("class", "")]
        for attributes in formulas:
            self.assertEqual(attributes["role"], "img")
            self.assertRegex(attributes["aria-label"], r"^[\w(][^\\{}^_$=<]*$")
        self.assertEqual(len(formulas), len(re.findall(r"(?<!\$)\$\$?[^$`]+\$\$?", prose_of(pages()[name]).replace("`$ `", ""))))

    @each
    def test_headings_go_down_one_step_at_a_time(self, name, html, tags):
        levels = [int(tag[1]) for tag in tags.names if re.fullmatch(r"h[1-6]", tag)]
        self.assertEqual(levels[0], 1)
        self.assertEqual(levels.count(1), 1)
        self.assertTrue(all(after - before <= 1 for before, after in zip(levels, levels[1:])))

    @each
    def test_tables_have_names_and_headers_of_columns(self, name, html, tags):
        names = [attributes.get("aria-label") for tag, attributes in tags.tags if attributes.get("role") == "region"]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(len(names), tags.names.count("table"))
        self.assertEqual(re.findall(r"<th(?! scope)[ >]|<th[^>]*>\s*</th>", html), [])
        self.assertIn('<html lang="en"', html)

    @each
    def test_what_scrolls_can_be_reached_by_keyboard(self, name, html, tags):
        for tag, attributes in tags.tags:
            if tag == "pre" or attributes.get("class") == "scroll":
                self.assertEqual(attributes.get("tabindex"), "0")

    @each
    def test_marks_for_the_tests_are_not_shown(self, name, html, tags):
        self.assertNotRegex(tags.text, r"end of table -->|^with solutions/")
        self.assertNotIn("<!--", html)

    def test_each_stage_has_a_sheet_and_nothing_is_lost(self):
        """The handout without its stages, the sheets and the readings together hold each sentence of the file once."""
        for name in ("transpose", "reduction", "stencil", "scan", "histogram", "matmul"):
            with self.subTest(name):
                reading, sheets = parts(name)
                stages = tomllib.loads((ROOT / "assignments" / name / "assignment.toml").read_text(encoding="utf-8"))["stage"]
                self.assertEqual([sheet.stage for sheet in sheets],
                                 [f"{name}/{one['id']}" for one in stages if one.get("graded", True)])
                said = [line for line in text_of(name).splitlines() if len(line) > 60 and not line.startswith(("<!--", "## "))]
                there = "\n".join([reading, *(sheet.body for sheet in sheets)]).splitlines()
                self.assertEqual([line for line in said if there.count(line) != said.count(line)], [])
                for sheet in sheets:
                    self.assertIn(f'href="{sheet.name}.html"', PAGES[name])
                    self.assertIn(f"./grader/warpgrade list {sheet.stage}", PAGES[sheet.name])
                    self.assertIn(f'href="{worked_page(name)}"', PAGES[sheet.name])
        self.assertIn("measured", PAGES["transpose"])
        self.assertNotIn("Claims to check", PAGES["transpose_4_padding"])

    @unittest.skipUnless(binary().exists(), f"{binary().name} is not built: worked examples are NOT made")
    def test_worked_examples_are_right_and_made_into_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = worked.write_all(Path(folder))
            self.assertEqual([path.name for path in paths], [worked_page(name) for name in WORKED])
            for path in paths:
                text = path.read_text(encoding="utf-8")
                self.assertLess(len(text), 300_000)
                self.assertNotIn("This kernel is wrong", text)
                self.assertNotIn(folder, text)

    def test_typed_and_printed_are_told_apart(self):
        self.assertIn('<span class="prompt">$ </span><kbd>./grader/warpgrade list</kbd>', PAGES["getting_started"])

    def test_formulas_are_told_as_they_are_read_out(self):
        for tex, words in ((r"\mathrm{bandwidth} = \frac{8\,R\,C}{\mathrm{time}}", "bandwidth equals 8 R C, divided by time"),
                           (r"u = 2^{-24} \approx 6 \cdot 10^{-8}",
                            "u equals 2 to the power of minus 24 is about 6 times 10 to the power of minus 8"),
                           (r"\frac{a \cdot 10^9}{33} \cdot 256\ \mathrm{bytes/s}",
                            "a times 10 to the power of 9, divided by 33, times 256 bytes a second"),
                           ("8RC", "8 R C"), ("128/s", "128 over s")):
            self.assertEqual(spoken(tex), words)

    def test_a_formula_that_cannot_be_set_is_named(self):
        with self.assertRaisesRegex(formula.BadFormula, "nosuchcommand"):
            formula.svg(r"a + \nosuchcommand")


@unittest.skipUnless(pdf.browser(), "no Chromium here")
class InABrowser(unittest.TestCase):
    def test_nothing_is_complained_of_asked_for_cut_off_or_hard_to_see(self):
        """Each page is loaded once, and looked at on a phone, in both themes and as it is printed."""
        with tempfile.TemporaryDirectory() as folder, Browser() as browser:
            for name in part_of(PAGES, 4, "handouts in a browser"):
                path = Path(folder) / f"{name}.html"
                path.write_text(PAGES[name], encoding="utf-8")
                browser.open(path, width=400)
                with self.subTest(name):
                    self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth"), 400)
                for options in ({"theme": "light"}, {"theme": "dark"}, {"theme": "dark", "media": "print"}):
                    with self.subTest(name, **options):
                        browser.show(**options)
                        self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth"), 1200)
                        self.assertEqual(browser.evaluate(CONTRAST.replace("LEAST", str(LEAST))), [])
                with self.subTest(name):
                    self.assertEqual(browser.complaints, [])
                    self.assertEqual(browser.requests, [path.resolve().as_uri()])

    def test_pdf(self):
        """Of one handout, or with WARPGRADE_ALL=1 of all: as it is printed it would be found wanting, and is not in the end."""
        with tempfile.TemporaryDirectory() as folder:
            names = tuple(PAGES) if os.environ.get("WARPGRADE_ALL") else ("getting_started",)
            with mock.patch.object(pdf, "finish") as finish:
                self.assertEqual(main([*(NAMES if len(names) > 1 else names), "--out", folder]), 0)
            self.assertEqual(finish.call_count, len(names))
            found = " ".join(pdf_checks.problems(Path(folder) / f"{names[0]}.pdf"))
            for clause in ("5:", "neither tagged nor an artifact", "means nothing", "7.2:", "7.18.1:"):
                self.assertIn(clause, found)
            for name in names:
                with self.subTest(name):
                    self.look_at_pdf(name, pdf.finish(Path(folder) / f"{name}.html", Path(folder) / f"{name}.pdf"))

    def look_at_pdf(self, name, path):
        self.assertEqual(pdf_checks.problems(path), [])
        self.assertIn(pdf_checks.by_verapdf(path), (None, []))
        said = pdf_checks.spoken(path)
        for match in PICTURE.finditer(pages()[name]):
            self.assertIn(("Figure", figures.description(match["name"])), said)
        kinds = [kind for kind, _ in said]
        self.assertLess(kinds.index("H1"), kinds.index("H2"))
        self.assertEqual(kinds.count("Table"), PAGES[name].count("<table"))


if __name__ == "__main__":
    unittest.main()
