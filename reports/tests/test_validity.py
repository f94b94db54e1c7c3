"""The pages are valid HTML, and the checks that say so can say no."""

import unittest

from reports.tests import pages, validity

try:
    import html5lib
except ImportError:
    html5lib = None

BROKEN = {
    "unexpected-end-tag": "<p><div></p></div>",
    "duplicate-attribute": '<p id="a" id="b">x</p>',
    "unexpected-start-tag-implies-table-voodoo": "<table><p>a</p></table>",
}
BAD = {
    "<ul> holds <p>": "<ul><p>a</p></ul>",
    "<span> holds <div>, which is no phrasing content": "<span><div></div></span>",
    "aria-labelledby of <p> names nothing, which is nowhere": '<p aria-labelledby="nothing">a</p>',
    "id a stands twice": '<p id="a"></p><p id="a"></p>',
    "h4 follows h2": "<h2>a</h2><h4>b</h4>",
    "<div> has no name": '<div role="img"></div>',
    "an img has no alt": '<img src="data:,">',
    "<th>a has no scope": "<table><caption>c</caption><tbody><tr><th>a</th></tr></tbody></table>",
}
FRAME = '<!doctype html><html lang="en"><head><title>t</title></head><body><main><h1>h</h1>{}</main></body></html>'


@unittest.skipUnless(html5lib, "html5lib is not installed: reports/tests/test-requirements.txt; HTML is NOT validated")
class Validity(unittest.TestCase):
    def parse(self, text):
        parser = html5lib.HTMLParser()
        return parser, parser.parse(text)

    def check(self, text):
        parser, document = self.parse(text)
        self.assertEqual(parser.errors, [])
        self.assertEqual(list(validity.complaints(document)), [])

    def test_a_student_s_page(self):
        self.check(pages.student())
        self.check(pages.student("virtual", 0.3))

    def test_a_class_s_page(self):
        self.check(pages.classroom())

    def test_the_parser_finds_what_is_broken(self):
        for code, text in BROKEN.items():
            with self.subTest(code):
                parser, _ = self.parse(FRAME.format(text))
                self.assertIn(code, [error[1] for error in parser.errors])

    def test_the_rules_find_what_is_bad(self):
        for complaint, text in BAD.items():
            with self.subTest(complaint):
                _, document = self.parse(FRAME.format(text))
                self.assertIn(complaint, list(validity.complaints(document)))


if __name__ == "__main__":
    unittest.main()
