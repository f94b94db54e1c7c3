"""`explain --page` in headless Chromium: its numbers against the kit's, its rule against the counters, its controls, and
text that would like to be more than text."""

import base64
import hashlib
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from reports import live_page
from reports.tests import browser, made
from reports.tests.test_browser import CONTRAST, LEAST

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grader" / "tests" / "support"))
from part import part_of  # noqa: E402

PROGRAM = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")) / "warpgrade-bin"
PROGRAMS = sorted(str(path.relative_to(ROOT / "solutions").with_suffix("")) for pattern in ("*/[0-9]*.cu", "*/wrong/*.cu")
                  for path in (ROOT / "solutions").glob(pattern) if not path.parts[-2].startswith("seed"))
SIZES = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "uint2", 16: "uint4"}
MOST_PITCH = 80
HOSTILE = "</script><script>document.title='ran'</script><img src=x onerror=\"document.title='ran'\">\u2028'\"&`${1}`"


def in_browser(test):
    return unittest.skipUnless(browser.find(), "Chromium is not installed (apt-get install chromium): the page is NOT "
                               "looked at")(test)


def with_kit(test):
    return unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM.name} is not built: the page is NOT compared with its JSON")(test)


def explained(*arguments, codes=(0,)):
    """What `explain --format json` prints of a file, and writes to a page where it is asked to."""
    done = subprocess.run([PROGRAM, "explain", "--format", "json", *map(str, arguments)], cwd=ROOT, capture_output=True,
                          text=True, env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
    if done.returncode not in codes:
        raise AssertionError(f"explain {arguments} ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["stages"][0]


def lanes(access):
    """[[lane, address], ...]; what lies before the start of an array has an address below 0."""
    return [[lane, address - (address >> 63 << 64)] for lane, address in enumerate(access["addresses"])
            if access["mask"] >> lane & 1]


def values(one, shown, with_values):
    """What a page may say of each lane: its bytes, as any number that they can be, or nothing of a read outside of the array."""
    data, width, said = bytes.fromhex(one["values"]) if with_values else b"", one["width_bytes"], []
    for i, ((_, address), text) in enumerate(zip(lanes(one), shown)):
        its = data[i * width:(i + 1) * width]
        inside = 0 <= address - one["buffer_start"] < one["buffer_bytes"]
        if not data or one["kind"] == "read" and not inside:
            said.append("")
        elif text == "nothing stored yet":
            said.append(text if its == b"\xcd" * width and one["space"] == "shared" else f"bytes {its.hex()}")
        elif text.startswith("0x"):
            said.append(f"0x{its[::-1].hex()}")
        else:
            numbers = re.findall(r"[^(), ]+", text)
            size = width // len(numbers)
            good = {code: struct.unpack(f"<{len(numbers)}{code}", its) for code in {1: "bB", 2: "hH", 4: "iIf", 8: "qQd"}[size]}
            right = any(all(is_number(word, value) for word, value in zip(numbers, found)) for found in good.values())
            said.append(text if right else f"bytes {its.hex()}")
    return said


def is_number(word, value):
    """Seven digits are shown of a float, and all of any other number."""
    if isinstance(value, int):
        return word == str(value)
    return math.isnan(value) and word == "NaN" or math.isclose(float(word.replace("Infinity", "inf")), value, rel_tol=1e-6)


def access(warp, line=2, space="global", step=4, block=(0, 0, 0), **changes):
    return {"line": line, "kind": "read", "space": space, "buffer": "in" if space == "global" else "tile", "width_bytes": 4,
            "mask": 0xFFFFFFFF, "addresses": [(warp * 32 + lane) * step for lane in range(32)], "units": step, "units_ideal": 4,
            "buffer_bytes": 1 << 16, "buffer_start": 0, "block": list(block), "warp": warp, "launch": 0, **changes}


def made_stage(**changes):
    """Two warps of two blocks: a global read in line 2, twice, then shared memory in line 3."""
    trace = [one for block in ((0, 0, 0), (7, 0, 0)) for warp in (0, 1) for one in (
        access(warp, block=block), access(warp, step=8, units=8, block=block),
        access(warp, 3, "shared", 128, units=32, units_ideal=1, block=block, buffer_bytes=1 << 14))]
    line = {"line": 2, "global_load_requests": 10, "global_load_sectors": 80, "global_load_sectors_ideal": 40}
    return made.stage(**{"source_lines": ["// a kernel", "  float v = in[i];", "  tile[j] = v;"], "trace": trace, "arrays": [
        {"name": "in", "space": "global", "extents": [128, 128]}, {"name": "tile", "space": "shared", "extents": [128, 32]}],
        "counters": {**made.COUNTERS, "by_line": [line]}, **changes})


class Text(unittest.TestCase):
    def test_only_the_page_s_own_code_is_allowed(self):
        text = live_page.render(made_stage())
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
        self.assertIn("default-src 'none'", policy)
        for tag, name in (("script type=\"module\"", "script-src"), ("style", "style-src")):
            inside = re.search(f"<{tag}>(.*?)</", text, re.DOTALL)[1]
            digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
            self.assertIn(f"{name} 'sha256-{digest}'", policy)
        self.assertNotIn("unsafe", policy)

    def test_a_long_trace_is_cut_and_says_so(self):
        stage = made_stage()
        scattered = access(0, addresses=[(lane * 7919 + lane * lane) * 1000003 for lane in range(32)])
        stage["trace"] = [{**scattered, "line": line % 3, "warp": line % 32} for line in range(20000)]
        text = live_page.render(stage)
        self.assertLessEqual(len(text.encode()), live_page.MOST_BYTES)
        self.assertRegex(text, r"20000 accesses recorded, of 1 block; only \d+ are on this page, the first of each warp")
        self.assertIn("later ones of these blocks were not recorded", live_page.render(made_stage(trace_is_cut=True)))

    def test_addresses_are_packed_without_loss(self):
        for values in ([4 * lane for lane in range(32)], [(lane * lane) % 77 for lane in range(32)], [7] * 32,
                       [-1] * 32, [100 - lane for lane in range(32)]):
            packed = live_page.addresses(access(0, addresses=[value % (1 << 64) for value in values]))
            first, rest = (packed[1], [0, *packed[2:]]) if packed[0] == -1 else (packed[0], [packed[1] * i for i in range(32)])
            self.assertEqual([first + one for one in rest], values)


@in_browser
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.file = Path(folder.name) / "page.html"
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.__exit__)

    def open(self, stage, **options):
        self.file.write_text(live_page.render(stage), encoding="utf-8")
        self.browser.open(self.file, **options)

    def quiet(self):
        self.assertEqual(self.browser.complaints, [])
        self.assertEqual(self.browser.requests, [self.file.resolve().as_uri()])

    def text(self, name):
        return self.browser.evaluate(f"document.getElementById('{name}').textContent")

    def focus(self, selector):
        self.browser.evaluate(f"document.querySelector({json.dumps(selector)}).focus()")

    def click(self, selector):
        x, y = self.browser.evaluate(f"(() => {{ const one = document.querySelector({json.dumps(selector)}); one.scrollIntoView("
                                     "{block: 'center'}); const b = one.getBoundingClientRect(); return [b.x + b.width / 2, "
                                     "b.y + b.height / 2]; })()")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "End": 35}
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key], **text)

    def test_every_control_by_mouse(self):
        self.open(made_stage(), width=1200)
        said = lambda: self.text("said")
        self.assertIn("Line 2, warp 0, access 1 of 2: reads in (global memory): 4 sectors, as few as can be.", said())
        for button, words in (("on", "access 2 of 2: reads in (global memory): 8 sectors; at best 4."), ("on", "Line 3"),
                              ("back", "access 2"), ("first", "access 1"), ("last", "32 wavefronts; at best 1")):
            self.click(f"#{button}")
            self.assertIn(words, said(), button)
        self.click("[data-line='2']")
        self.assertIn("access 1 of 2", said())
        self.click("#picture g[data-lanes='5']")
        self.assertIn("Lane 5, thread (5, 0, 0): reads in[0][5], byte 20, sector 0", self.text("lane-now"))
        self.click("summary")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#lanes tbody tr').length"), 32)
        self.click("#play")
        self.assertEqual(self.text("play"), "Pause")
        self.browser.evaluate("new Promise(done => setTimeout(done, 2500))")
        self.assertIn("Line 3", said())
        self.assertEqual(self.text("play"), "Play")
        self.click("#pitches rect.catcher:nth-of-type(2)")
        self.quiet()

    def test_every_control_by_keyboard(self):
        self.open(made_stage(), width=1200)
        self.press("ArrowRight")
        self.assertIn("access 2 of 2", self.text("said"))
        self.press("ArrowLeft")
        self.assertIn("access 1 of 2", self.text("said"))
        self.focus("[data-line='2']")
        self.press("ArrowDown")
        self.press("Enter")
        self.assertIn("Line 3, warp 0: reads tile (shared memory): 32 wavefronts; at best 1.", self.text("said"))
        for name, key, words in (("step", "ArrowLeft", ("said", "Line 2")), ("lane", "ArrowRight", ("lane-now", "Lane 0,")),
                                 ("turn", "ArrowUp", ("said", "access 1")), ("warp", "ArrowDown", ("said", "warp 1")),
                                 ("warp", "ArrowUp", ("said", "warp 0")), ("warp", "ArrowUp", ("step-now", "of 6")),
                                 ("block", "ArrowDown", ("step-now", "of 6")), ("pitch", "ArrowRight", ("would", "read takes 1 ")),
                                 ("size", "ArrowRight", ("size-now", "8 bytes")), ("pattern", "ArrowDown", ("would", "read takes 2 ")),
                                 ("play", "Enter", ("play", "Pause")), ("play", "Enter", ("play", "Play"))):
            self.focus(f"#{name}")
            self.press(key)
            where, expected = words
            self.assertIn(expected, self.text(where), name)
        self.quiet()

    def test_everything_has_a_name_and_fits_in_both_themes(self):
        self.open(made_stage(findings=[{"kind": "race", "severity": "error", "line": 3, "message": "a race", "help": "wait"}]))
        named = {"button", "slider", "combobox", "region", "link"}
        for node in self.browser.call("Accessibility.getFullAXTree")["nodes"]:
            if node.get("role", {}).get("value") in named and not node.get("ignored"):
                self.assertTrue(node.get("name", {}).get("value"), node)
        for theme in ("light", "dark"):
            for width in (400, 700, 1600):
                with self.subTest(theme=theme, width=width):
                    self.browser.show(width=width, theme=theme)
                    self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)
                    pale = self.browser.evaluate(CONTRAST.replace("LEAST", str(LEAST)).replace('"svg text"', '"svg text.soft"'))
                    self.assertEqual(pale, [])
        self.quiet()

    def test_numbers_on_lanes_can_be_read(self):
        pairs = self.browser.evaluate(f"(() => {{ {live_page.script('access_view')}; return Array.from({{length: 32}}, "
                                      "(_, lane) => colourOf(lane)); })()")
        for pair in pairs:
            red, green, blue = (((c / 255 + 0.055) / 1.055) ** 2.4 for c in map(int, re.findall(r"\d+", pair["fill"])))
            light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
            self.assertGreaterEqual(1.05 / (light + 0.05) if pair["ink"] == "#fff" else (light + 0.05) / 0.05, LEAST, pair)

    def test_text_of_a_submission_stays_text(self):
        stage = made_stage(source=HOSTILE, title=HOSTILE, source_lines=[HOSTILE] * 3, findings=[
            {"kind": "k", "severity": "error", "line": 2, "message": HOSTILE, "help": HOSTILE, "facts": [HOSTILE]}],
            launches=[{"kernel": HOSTILE, "grid": [8, 1, 1], "block": [64, 1, 1], "shared_bytes": 0}])
        stage["stage"] = HOSTILE
        for one in stage["trace"]:
            one["buffer"] = HOSTILE
        for one in stage["arrays"]:
            one["name"] = HOSTILE
        self.open(stage)
        self.click("#on")
        self.assertNotEqual(self.browser.evaluate("document.title"), "ran")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('script').length"), 2)
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('img').length"), 0)
        self.assertIn("onerror", self.text("said"))
        self.assertIn("onerror", self.browser.evaluate("document.querySelector('#source code').textContent"))
        self.quiet()

    def test_a_wrong_kernel_opens_where_it_leaves_its_array(self):
        stage = made_stage(findings=[{"kind": "k", "severity": "error", "line": 9, "message": "read before `in`", "help": ""}])
        stage["trace"][4]["addresses"] = [(4 * lane - 8) % (1 << 64) for lane in range(32)]
        self.open(stage)
        self.assertIn("Line 2, warp 1, access 2 of 2: reads in", self.text("said"))
        self.assertIn("Outside of in: lanes 0\u20131.", self.text("said"))
        self.assertIn("read before in", self.browser.evaluate("document.querySelector('header .note').textContent"))
        self.quiet()

    def test_injected_code_would_be_refused(self):
        text = live_page.render(made_stage()).replace("</main>", "<script>document.title = 'ran'</script></main>")
        self.file.write_text(text, encoding="utf-8")
        self.browser.open(self.file)
        self.assertNotEqual(self.browser.evaluate("document.title"), "ran")
        self.assertIn("Content Security Policy", " ".join(self.browser.complaints))


@in_browser
@with_kit
class Kit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.__exit__)

    def costs(self, accesses):
        """Sectors or wavefronts by the page's rule, of [space, kind, width, [[lane, address], ...]]."""
        return self.browser.evaluate(
            f"(() => {{ {live_page.script('rules')}; return {json.dumps(accesses)}.map(([space, kind, width, found]) => {{"
            "const lanes = found.map(([lane, address]) => ({lane, address})); return space === 'shared' "
            "? wavefrontsOf(lanes, width, kind).length : sectorsOf(lanes, width).length; }); })()")

    def compare_rule(self, trace):
        trace = [one for one in trace if one["space"] in ("global", "shared")]
        found = self.costs([[one["space"], one["kind"], one["width_bytes"], lanes(one)] for one in trace])
        for one, cost in zip(trace, found):
            self.assertEqual(cost, one["units"], one)
        return len(trace)

    def test_what_if_is_the_counters_for_every_pitch_and_size(self):
        source = self.folder / "pitches.cu"
        loops = "".join(f"    down<{kind}>(in, out, memory);\n" for kind in SIZES.values())
        source.write_text("#include <cuda_runtime.h>\n" + PITCHES.replace("LOOPS", loops), encoding="utf-8")
        trace = explained("--stage", "transpose/open", source)["trace"]
        self.assertEqual(len(trace), 4 * MOST_PITCH * len(SIZES))
        self.compare_rule(trace)
        would = self.browser.evaluate(
            f"(() => {{ {live_page.script('what_if')}; return SIZES.map(size => Array.from({{length: MOST_PITCH}}, (_, i) => "
            "costs(PATTERNS[0].places({}), i + 1, size))); })()")
        counted = iter(trace)
        for size, row in zip(SIZES, would):
            for pitch, cost in enumerate(row, 1):
                four = [next(counted) for _ in range(4)]
                self.assertEqual([(one["space"], one["kind"], one["width_bytes"]) for one in four],
                                 [("global", "read", size), ("shared", "write", size), ("shared", "read", size),
                                  ("global", "write", size)])
                self.assertEqual([one["units"] for one in four], [cost["sectors"], cost["write"], cost["read"], cost["sectors"]],
                                 (size, pitch))

    def test_numbers_on_the_page_are_those_of_the_json(self):
        for name in part_of(PROGRAMS, 32, "programs whose page is walked through"):
            with self.subTest(name=name):
                page, file = self.folder / "page.html", ROOT / "solutions" / f"{name}.cu"
                said = re.match("// expect: stage=(\\w+)", file.read_text(encoding="utf-8"))
                page.unlink(missing_ok=True)
                stage = explained("--page", page, *(["--stage", f"{name.split('/')[0]}/{said[1]}"] if said else []), file, codes=(0, 1))
                if not page.exists():
                    self.assertFalse(stage.get("trace"), "nothing to draw")
                    continue
                self.assertLessEqual(page.stat().st_size, live_page.MOST_BYTES)
                self.compare_rule(stage["trace"])
                self.browser.open(page)
                self.assertEqual(self.browser.complaints, [])
                shown = self.browser.evaluate(WALK)
                self.assertEqual(bool(shown["note"]), any(one["severity"] == "error" for one in stage["findings"]))
                self.compare_steps(stage["trace"], shown["steps"], with_values="values are left out" not in shown["recorded"])
                self.compare_lines(stage, shown["lines"])

    def test_another_warp_and_another_block(self):
        file = "solutions/transpose/4_padding.cu"
        trace = explained("--block", "1,2", "--warp", "3", file)["trace"]
        self.assertEqual({(tuple(one["block"]), one["warp"]) for one in trace}, {((1, 2, 0), 3)})
        self.assertEqual(trace[0]["addresses"][0], 4 * (1024 * (2 * 32 + 3) + 32))
        shown = subprocess.run([PROGRAM, "explain", "--block", "1,2", "--warp", "3", file], cwd=ROOT, capture_output=True,
                               text=True, env={**os.environ, "WARPGRADE_ROOT": str(ROOT)}).stdout
        self.assertIn("warp 3 of block (1,2,0)", shown)
        whole = explained("--page", self.folder / "page.html", "--block", "31,31", file)["trace"]
        self.assertEqual({(tuple(one["block"]), one["warp"]) for one in whole}, {((31, 31, 0), warp) for warp in range(32)})

    def test_values_are_what_moves_from_in_through_the_tile_to_out(self):
        """0_copy, 4_padding: what an element of `out` gets is what was read of `in`; what the tile gives is what it got."""
        for file, place in (("0_copy", lambda at: at), ("4_padding", lambda at: at % 1024 * 1024 + at // 1024)):
            seen, count = {}, 0
            for one in explained("--page", self.folder / "page.html", f"solutions/transpose/{file}.cu")["trace"]:
                for i, (_, address) in enumerate(lanes(one)):
                    value, block = one["values"][8 * i:8 * i + 8], tuple(one["block"]) if one["space"] == "shared" else None
                    key = (one["buffer"], block, address)
                    if one["kind"] == "write" and one["buffer"] == "out":
                        self.assertEqual(value, seen["in", None, 4 * place(address // 4)])
                        count += 1
                    elif key in seen:
                        self.assertEqual(value, seen[key])
                    seen[key] = value
            self.assertGreaterEqual(count, 512)

    def compare_steps(self, trace, steps, with_values):
        places = {}
        for one in trace:
            places.setdefault((one["launch"], tuple(one["block"]), one["warp"]), []).append(one)
        self.assertGreater(len(steps), 0)
        for step in steps:
            one = places[step["launch"], tuple(step["block"]), step["warp"]][step["step"]]
            self.assertIn(f"Line {one['line']}, warp {one['warp']}", step["said"])
            if one["space"] in ("global", "shared"):
                unit = "wavefront" if one["space"] == "shared" else "sector"
                self.assertRegex(step["said"], rf": {one['units']} {unit}s?(, as few as can be|; at best {one['units_ideal']})\.")
            self.assertEqual(step["bytes"], [address for _, address in lanes(one)])
            self.assertEqual(step["values"], values(one, step["values"], with_values))
            if one["space"] == "global":
                self.assertEqual(step["frames"], one["units"])

    def compare_lines(self, stage, lines):
        by_line = {entry["line"]: entry for entry in stage["counters"]["by_line"]}
        self.assertGreater(len(lines), 0)
        for line, rows in lines.items():
            for access_, requests, units, least, _ in rows:
                name, unit = next((name, unit) for text, _, name, unit, _ in live_page.KINDS if text == access_)
                entry = by_line[int(line)]
                self.assertEqual(int(requests), entry[f"{name}_requests"])
                self.assertEqual(int(units.split()[0]), entry[f"{name}_{unit}"])
                if least:
                    self.assertEqual(int(least), entry[f"{name}_{unit}_ideal"])


PITCHES = """
template <class T> __device__ unsigned first(T v) { return static_cast<unsigned>(*reinterpret_cast<const unsigned char*>(&v)); }
template <class T> __device__ void down(const float* in, float* out, char* memory) {
    const T* from = reinterpret_cast<const T*>(in);
    T* to = reinterpret_cast<T*>(out);
    T* tile = reinterpret_cast<T*>(memory);
#pragma unroll 1
    for (int pitch = 1; pitch <= 80; ++pitch) {
        tile[threadIdx.x * pitch] = from[threadIdx.x * pitch];
        __syncthreads();
        to[threadIdx.x * pitch] = tile[threadIdx.x * pitch];
        __syncthreads();
    }
}
__global__ void pitches(const float* in, float* out) {
    __shared__ __align__(16) char memory[31 * 80 * 16 + 16];
LOOPS}
void transpose(const float* in, float* out, int rows, int cols) { pitches<<<1, 32>>>(in, out); }
"""

# The first and the last warp of each block, step by step, as a reader sees them; then each line's costs.
WALK = """
(() => {
  const id = name => document.getElementById(name);
  const set = (name, at) => { id(name).selectedIndex = at; id(name).dispatchEvent(new Event("change")); };
  const cells = row => [...row.children].map(cell => cell.textContent), steps = [], lines = {};
  const texts = name => [...id(name).options].map(option => option.text);
  for (let launch = 0; launch < id("launch").options.length; ++launch) {
    set("launch", launch);
    for (let block = 0; block < id("block").options.length; ++block) {
      set("block", block);
      for (const warp of new Set([1, id("warp").options.length - 1])) {
        set("warp", warp);
        id("first").click();
        for (let step = 0; step < 40; ++step) {
          steps.push({launch: Number(texts("launch")[launch].split(":")[0]) - 1, step, said: id("said").textContent,
            block: texts("block")[block].match(/\\d+/g).map(Number), warp: Number(texts("warp")[warp].split(" ")[1]),
            bytes: [...document.querySelectorAll("#lanes tbody tr")].map(row => Number(cells(row)[3])),
            values: [...document.querySelectorAll("#lanes tbody tr")].map(row => cells(row)[5]),
            frames: document.querySelectorAll("#picture .frame").length});
          lines[id("said").textContent.match(/\\d+/)[0]] = [...document.querySelectorAll("#costs tbody tr")].map(cells);
          if (id("on").disabled) break;
          id("on").click();
        }
      }
    }
  }
  return {steps, lines, note: document.querySelectorAll("header > p.note").length,
    recorded: document.querySelector("header > p.soft").textContent};
})()
"""


if __name__ == "__main__":
    unittest.main()
