"""The live page in Firefox: what Chromium is shown in test_live_page and test_page_views, as another engine has it."""

import tempfile
import unittest
from pathlib import Path

from reports import live_page
from reports.tests import axe, firefox
from reports.tests.test_live_page import HOSTILE, made_stage
from reports.tests.test_page_views import racing_stage, timed_stage

FILLED = "[...document.querySelectorAll('#picture svg, #array svg, #would-banks svg, #would-sectors svg, #pitches svg')].length"


@unittest.skipUnless(firefox.find(), "Firefox is not installed (apt-get install firefox-esr): the page is NOT looked at in it")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.file = Path(folder.name) / "page.html"
        cls.browser = firefox.Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, stage, **options):
        self.file.write_text(live_page.render(stage), encoding="utf-8")
        self.browser.open(self.file, **options)
        self.assertEqual(self.browser.evaluate("performance.getEntriesByType('resource').length"), 0)

    def text(self, name):
        return self.browser.evaluate(f"document.getElementById('{name}').textContent")

    def test_every_control_by_mouse(self):
        self.open(made_stage())
        self.assertEqual(self.browser.evaluate(FILLED), 5)
        for button, words in (("on", "access 2 of 2: reads in (global memory): 8 sectors; at best 4."), ("on", "Line 3"), ("back", "access 2"),
                              ("first", "access 1"), ("last", "32 wavefronts; at best 1")):
            self.browser.click(f"#{button}")
            self.assertIn(words, self.text("said"), button)
        self.browser.click("[data-line='2']")
        self.browser.click("#picture g[data-lanes='5']")
        self.assertIn("Lane 5, thread (5, 0, 0): reads in[0][5], byte 20, sector 0", self.text("lane-now"))
        self.browser.click("#ask")
        self.assertIn("answer the question first", self.text("said"))
        self.browser.click("#another")
        self.browser.click("#choices button:nth-child(1)")
        self.browser.click("#question [type=submit]")
        self.assertRegex(self.text("verdict"), "^(Right|No): ")

    def test_every_control_by_keyboard(self):
        self.open(made_stage())
        for name, key, where, words in (("step", "ArrowRight", "said", "access 2 of 2"), ("lane", "ArrowRight", "lane-now", "Lane 0,"),
                                        ("turn", "ArrowUp", "said", "access 1 of 2"), ("warp", "ArrowDown", "said", "warp 1"),
                                        ("pitch", "ArrowRight", "would", "read takes 1 "), ("size", "ArrowRight", "size-now", "8 bytes"),
                                        ("pattern", "ArrowDown", "would", "read takes 2 "), ("play", "Enter", "play", "Pause"),
                                        ("play", "Enter", "play", "Play")):
            self.browser.evaluate(f"document.getElementById('{name}').focus()")
            self.browser.press(key)
            self.assertIn(words, self.text(where), name)

    def test_it_fits_and_axe_finds_no_violation(self):
        for stage in (made_stage(), racing_stage(), timed_stage()):
            self.open(stage, width=500)
            self.assertTrue(self.browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
            if axe.find():
                self.assertEqual(axe.violations(self.browser), [])

    def test_text_of_a_submission_stays_text(self):
        self.open(made_stage(source=HOSTILE, title=HOSTILE, source_lines=[HOSTILE] * 3, findings=[
            {"kind": "k", "severity": "error", "line": 2, "message": HOSTILE, "help": HOSTILE, "facts": [HOSTILE]}]))
        self.assertNotEqual(self.browser.evaluate("document.title"), "ran")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('img').length"), 0)
        self.assertIn("onerror", self.browser.evaluate("document.querySelector('#source code').textContent"))


if __name__ == "__main__":
    unittest.main()
