"""The pages in headless Chromium: quiet console, no request, contrast, names, keyboard, both themes, phone and print."""

import contextlib
import re
import tempfile
import unicodedata
import unittest
from pathlib import Path

from reports.tests import browser, pages

# Every text that is shown, with the colour behind it; WCAG 2.2's contrast ratio. Text in a picture is held against the
# fill of the topmost shape below it, other text against the background of the nearest ancestor that has one.
CONTRAST = """
(() => {
  const numbers = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const linear = c => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ratio = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const paper = numbers(getComputedStyle(document.body).backgroundColor);
  const isClear = text => { const n = numbers(text); return !n.length || n.length > 3 && n[3] === 0; };
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (!isClear(colour)) return numbers(colour);
    }
    return paper;
  };
  const filled = new Map();  // of a picture: its shapes, in the order in which they are painted
  const shapesOf = svg => {
    if (!filled.has(svg)) {
      const shapes = [...svg.querySelectorAll("path, use")].filter(shape => !shape.closest("defs"));
      filled.set(svg, shapes.map(shape => ({shape, fill: getComputedStyle(shape).fill, around: shape.getBoundingClientRect()}))
        .filter(({fill}) => fill.startsWith("rgb") && !isClear(fill)));
    }
    return filled.get(svg);
  };
  const below = text => {
    const box = text.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    const place = text.ownerSVGElement.createSVGPoint();
    let colour = paper;
    for (const {shape, fill, around} of shapesOf(text.ownerSVGElement)) {
      if (x < around.left || x > around.right || y < around.top || y > around.bottom) continue;
      if (shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_PRECEDING) continue;
      if (shape.tagName === "use") { colour = numbers(fill); continue; }
      place.x = x; place.y = y;
      if (shape.isPointInFill(place.matrixTransform(shape.getScreenCTM().inverse()))) colour = numbers(fill);
    }
    return colour;
  };
  const found = [];
  for (const text of document.querySelectorAll("svg text")) {
    const its = numbers(getComputedStyle(text).fill), value = ratio(its, below(text));
    if (value < LEAST) found.push([text.textContent.slice(0, 40), value.toFixed(2)]);
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    if (!node.textContent.trim() || element.closest("svg") || !element.getClientRects().length) continue;
    const value = ratio(numbers(getComputedStyle(element).color), behind(element));
    if (value < LEAST) found.push([node.textContent.trim().slice(0, 40), value.toFixed(2)]);
  }
  return found.slice(0, 20);
})()
"""
LEAST = 4.5


@unittest.skipUnless(browser.find(), "Chromium is not installed (apt-get install chromium): pages are NOT looked at")
class InBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.pages = {}
        for name, text in (("student", pages.student()), ("modelled", pages.student("virtual", 0.3)),
                           ("class", pages.classroom())):
            cls.pages[name] = cls.folder / f"{name}.html"
            cls.pages[name].write_text(text, encoding="utf-8")
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.__exit__)

    @contextlib.contextmanager
    def visiting(self, name, **options):
        with self.subTest(page=name, **options):
            self.browser.open(self.pages[name], **options)
            yield

    def nodes(self):
        """The accessibility tree."""
        return self.browser.call("Accessibility.getFullAXTree")["nodes"]

    def contrasts(self):
        return self.browser.evaluate(CONTRAST.replace("LEAST", str(LEAST)))

    def test_the_console_is_quiet_and_nothing_is_fetched(self):
        for name, path in self.pages.items():
            with self.visiting(name):
                self.assertEqual(self.browser.complaints, [])
                fetched = [one for one in self.browser.requests if not one.startswith("data:")]
                self.assertEqual(fetched, [path.resolve().as_uri()])

    def test_a_request_would_be_seen_and_is_refused(self):
        path = self.folder / "reaching.html"
        path.write_text(pages.student().replace("</main>", '<img src="https://example.org/a.png" alt="a"></main>'),
                        encoding="utf-8")
        self.browser.open(path)
        self.browser.evaluate("new Promise(done => setTimeout(done, 200))")
        self.assertIn("Content Security Policy", " ".join(self.browser.complaints))

    def test_contrast_is_enough_in_both_themes_and_in_print(self):
        for options in ({"theme": "light"}, {"theme": "dark"}, {"theme": "dark", "media": "print"}):
            for name in self.pages:
                with self.visiting(name, **options):
                    self.assertEqual(self.contrasts(), [])

    def test_low_contrast_would_be_seen(self):
        path = self.folder / "pale.html"
        path.write_text(pages.classroom().replace("</main>", '<p style="color: #aaa">pale words</p></main>'),
                        encoding="utf-8")
        self.browser.open(path)
        self.assertIn("pale words", [words for words, _ in self.contrasts()])

    def test_themes_differ(self):
        colours = {}
        for theme in ("light", "dark"):
            self.browser.open(self.pages["student"], theme=theme)
            colours[theme] = self.browser.evaluate(
                "['body', 'svg text', 'svg path[style*=first]'].map(one => { const s = getComputedStyle("
                "document.querySelector(one)); return [s.backgroundColor, s.fill]; })")
        for light, dark in zip(colours["light"], colours["dark"]):
            self.assertNotEqual(light, dark)

    def test_print_is_dark_on_white_whatever_the_theme(self):
        self.browser.open(self.pages["student"], theme="dark", media="print")
        self.assertEqual(self.browser.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")

    def test_every_picture_has_a_name_and_words_for_a_screen_reader(self):
        for name in self.pages:
            with self.visiting(name):
                pictures = [node for node in self.nodes() if node.get("role", {}).get("value") in ("img", "image")]
                self.assertGreater(len(pictures), 4 if name == "class" else 20)
                for node in pictures:
                    self.assertTrue(node["name"]["value"])
                wordless = self.browser.evaluate(
                    "[...document.querySelectorAll('figure')].filter(e => !e.querySelector('details li')).length")
                self.assertEqual(wordless, 0)

    def test_landmarks_and_tables_reach_a_screen_reader(self):
        for name in self.pages:
            with self.visiting(name):
                nodes = self.nodes()
                roles = [node.get("role", {}).get("value") for node in nodes]
                for role in ("main", "navigation", "banner"):
                    self.assertEqual(roles.count(role), 1, role)
                tables = [node for node in nodes if node.get("role", {}).get("value") == "table"]
                self.assertTrue(tables)
                for node in tables:
                    self.assertTrue(node["name"]["value"])

    def shown_students(self):
        return self.browser.evaluate("[...document.querySelectorAll('#roll tbody tr:not([hidden]) th')].map(e => e.textContent)")

    def set(self, name, value):
        self.browser.evaluate(f"(e => {{ e.value = {value!r}; e.dispatchEvent(new Event('input')); }})(document.getElementById({name!r}))")
        return self.browser.evaluate("document.getElementById('shown').textContent")

    def test_students_are_searched_and_filtered_and_their_number_is_announced(self):
        self.browser.open(self.pages["class"])
        all_students = self.shown_students()
        of_all = f"of {len(all_students)} students shown"
        self.assertEqual(self.set("search", ""), f"{len(all_students)} {of_all}")
        self.assertEqual(self.set("search", "no such student"), f"0 {of_all}")
        accented = next(name for name in all_students if re.search("[áéíç]", name))
        plain = "".join(c for c in unicodedata.normalize("NFKD", accented) if not unicodedata.combining(c)).lower()
        self.assertRegex(self.set("search", plain), rf"^[1-9]\d? {of_all}")
        self.assertIn(accented, self.shown_students())
        self.set("search", "")
        self.assertEqual(self.set("section", "B"), f"{len(all_students) // 3} {of_all}")
        self.set("section", "")
        for kind in ("help", "late", "nothing", "person"):
            said = self.set("kind", kind)
            self.assertTrue(0 < int(said.split()[0]) < len(all_students), (kind, said))
        [status] = [node for node in self.nodes() if node.get("role", {}).get("value") == "status"]
        self.assertIn({"name": "live", "value": {"type": "token", "value": "polite"}}, status["properties"])

    def test_heads_sort_by_keyboard_and_say_the_order(self):
        self.browser.open(self.pages["class"])
        self.browser.evaluate("document.getElementById('search').focus()")
        for _ in range(3):  # past the two lists, to the table
            self.browser.press("Tab")
        self.assertEqual(self.browser.evaluate("document.activeElement.className"), "scroll tall wide")
        for _ in range(4):
            self.browser.press("Tab")
        self.assertEqual(self.browser.evaluate("document.activeElement.textContent"), "points of 200")
        for order in ("ascending", "descending"):
            self.browser.press("Enter")
            self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('[aria-sort]')].map(e => [e.textContent, e.ariaSort])"),
                             [["points of 200", order]])
            self.assertIn(f", by points of 200, {order}", self.browser.evaluate("document.getElementById('shown').textContent"))
            points = self.browser.evaluate("[...document.querySelectorAll('#roll tbody tr')].map(e => parseFloat(e.cells[3].textContent))")
            known = [one for one in points if one is not None]
            self.assertEqual(known, sorted(known, reverse=order == "descending"))
            self.assertEqual(points[len(known):], [None] * (len(points) - len(known)))  # last in both directions
            self.assertGreater(len(points), len(known))

    def test_controls_have_names_and_are_large_enough_and_are_not_printed(self):
        self.browser.open(self.pages["class"], width=390, height=800)
        controls = [node for node in self.nodes() if node.get("role", {}).get("value") in ("button", "searchbox", "combobox")]
        self.assertEqual(len(controls), 12)  # nine heads, a search, two lists
        for node in controls:
            self.assertTrue(node["name"]["value"].strip())
        small = self.browser.evaluate("[...document.querySelectorAll('button, input, select')].filter(e => "
                                      "e.getBoundingClientRect().height < 24).length")  # WCAG 2.2, 2.5.8
        self.assertEqual(small, 0)
        self.browser.show(media="print")
        self.assertEqual(self.browser.evaluate("[getComputedStyle(document.getElementById('filter')).display, "
                                               "getComputedStyle(document.querySelector('.tall')).maxHeight]"), ["none", "none"])

    def test_without_the_script_it_is_a_plain_table(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.open(self.pages["class"])
            roles = [node.get("role", {}).get("value") for node in self.nodes()]
        finally:
            self.browser.call("Emulation.setScriptExecutionDisabled", value=False)
        self.assertEqual([role for role in roles if role in ("button", "searchbox", "combobox", "status")], [])
        self.assertGreaterEqual(roles.count("row"), pages.STUDENTS)

    def test_the_keyboard_reaches_what_scrolls_and_what_opens(self):
        self.browser.open(self.pages["student"])
        self.browser.press("Tab")
        self.assertEqual(self.browser.evaluate("document.activeElement.className"), "skip")
        self.browser.press("Enter")
        self.assertEqual(self.browser.evaluate("location.hash"), "#content")
        unreachable = self.browser.evaluate(
            "[...document.querySelectorAll('*')].filter(e => e.scrollWidth > e.clientWidth + 1 && "
            "getComputedStyle(e).overflowX === 'auto' && e.tabIndex < 0).map(e => e.className)")
        self.assertEqual(unreachable, [])
        self.browser.evaluate("document.querySelector('summary').focus()")
        self.assertFalse(self.browser.evaluate("document.activeElement.parentElement.open"))
        self.browser.press("Enter")
        self.assertTrue(self.browser.evaluate("document.activeElement.parentElement.open"))

    def test_focus_is_seen(self):
        self.browser.open(self.pages["student"])
        self.browser.press("Tab")
        self.browser.press("Tab")
        self.assertEqual(self.browser.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "solid")

    def test_a_phone_scrolls_down_only(self):
        for name in self.pages:
            with self.visiting(name, width=360, height=740):
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 360)
                smallest = self.browser.evaluate(
                    "Math.min(...[...document.querySelectorAll('main p, main td, main li')].filter("
                    "e => e.getClientRects().length).map(e => parseFloat(getComputedStyle(e).fontSize)))")
                self.assertGreaterEqual(smallest, 12)

    def test_print_unfolds_all_but_passing_cases_and_cuts_nothing_off(self):
        for name in self.pages:
            with self.visiting(name, media="print", width=794):
                hidden = self.browser.evaluate(
                    "[...document.querySelectorAll('details:not(.folded) td')].filter(e => !e.checkVisibility("
                    "{contentVisibilityAuto: true})).length")
                self.assertEqual(hidden, 0)
                shown = self.browser.evaluate(
                    "[...document.querySelectorAll('.folded td, .words li')].filter(e => e.checkVisibility()).length")
                self.assertEqual(shown, 0)
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 794)


if __name__ == "__main__":
    unittest.main()
