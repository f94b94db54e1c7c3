"""The live page's views beside the access: one element, the array's edge, the time, questions, block widths, a served page."""

import http.server
import itertools
import json
import re
import struct
import tempfile
import threading
import time
import unittest
from pathlib import Path

from reports import live_page, page
from reports.tests import axe, browser, pages
from reports.tests.made import result
from reports.tests.test_live_page import ROOT, SIZES, access, explained, in_browser, made_stage, part_of, with_kit

WIDTHS, TILES = range(1, 33), (1, 2, 3, 7, 8, 16, 24, 32, 33, 48, 64)
RACE = {"kind": "race_shared", "severity": "error", "line": 3, "other_line": 4, "message": "a race", "help": ""}


def racing_stage(**changes):
    """Warp 0 reads `in` and stores `tile`; warp 1 reads `tile` without a barrier and stores `out`."""
    shared = {"space": "shared", "buffer": "tile", "buffer_bytes": 128, "units": 1, "units_ideal": 1}
    back = [4 * (31 - lane) for lane in range(32)]
    trace = [access(0, line=2), access(0, line=3, kind="write", **shared),
             access(1, line=4, **{**shared, "addresses": back}),
             access(1, line=5, kind="write", buffer="out")]
    named = {"kind": "race_shared", "array": "tile", "space": "shared", "byte": 20, "accesses": [
        {"kind": "write", "line": 3, "block": [0, 0, 0], "thread": [5, 0, 0]},
        {"kind": "read", "line": 4, "block": [0, 0, 0], "thread": [58, 0, 0]}]}
    return made_stage(**{"source_lines": [f"line {i}" for i in range(1, 7)], "trace": trace, "findings": [RACE],
                         "wrong_elements": [named], "arrays": [{"name": "tile", "space": "shared", "extents": [32]}],
                         "launches": [{"kernel": "k", "grid": [1, 1, 1], "block": [64, 1, 1], "shared_bytes": 0}], **changes})


def timed_stage(**changes):
    """Two warps that wait for memory, and one load of each under way: of the second one later, and of both between."""
    time = {"origin": "modelled", "gpu": "a GPU", "shape": [64, 64], "limiter": "a limit", "line": 2, "gain_without_limit": 2,
            "stalls": {"barrier": 0.25, "long_scoreboard": 0.75, "wait": 0}}
    line = {"cycles": 1000, "cut": False, "needed_bytes": 28000, "reasons": ["selected", "long_scoreboard", "barrier"],
            "spans": [[0, 0, 10, 0], [0, 10, 600, 1], [1, 0, 100, 2], [1, 100, 110, 0], [1, 110, 1000, 1]],
            "loads": [[10, 600, 4096], [110, 1000, 1024]]}
    return made_stage(**{"time": time, "timeline": line, **changes})


class Text(unittest.TestCase):
    def test_of_a_file_elsewhere_only_its_name_is_shown(self):
        for path, shown in (("/home/ada/secret/4_padding.cu", "4_padding.cu"), ("../x/a.cu", "a.cu"),
                            ("assignments/transpose/4_padding.cu", "assignments/transpose/4_padding.cu")):
            text = live_page.render(made_stage(source=path))
            self.assertIn(f">{shown}, shape", text)
            self.assertNotIn("secret", text)

    def test_a_program_has_no_shape_and_types_come_from_its_source(self):
        self.assertNotIn("shape", re.search('<p class="soft">(.*?)</p>', live_page.render(made_stage(counters=None)))[1])
        source = "void k(const unsigned int* __restrict__ in, float4 *out, int n) { __shared__ double tile[32]; return tile[n]; }"
        self.assertEqual([live_page.reader_of(live_page.type_in(source, name)) for name in ("in", "out", "tile", "n", "other")],
                         ["u32", "f32", "f64", "", ""])

    def test_only_a_served_page_may_ask_its_server(self):
        self.assertNotIn("connect-src", live_page.render(made_stage()))
        self.assertNotIn("data-version", re.sub("(?s)<script.*", "", live_page.render(made_stage())))
        self.assertIn("connect-src 'self'", live_page.render(made_stage(), True))

    def test_time_is_for_right_kernels_and_marked(self):
        stage = timed_stage()
        time, found = stage["time"], live_page.time_of(stage)
        self.assertEqual([(one["reason"], one["share"]) for one in found["waits"]], [("long scoreboard", 0.75), ("barrier", 0.25)])
        self.assertIn('"time":null', live_page.render(racing_stage(time=time)))
        self.assertIn('"time":{', live_page.render(made_stage(time=time)))


class InPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.__exit__)

    def open(self, stage, **options):
        path = self.folder / "page.html"
        path.write_text(live_page.render(stage), encoding="utf-8")
        self.browser.open(path, **options)
        self.assertEqual(self.browser.complaints, [])

    def text(self, selector):
        return self.browser.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")

    def rows(self, name):
        return self.browser.evaluate(f"[...document.querySelectorAll('#{name} tbody tr')].map(row => [...row.children].map(one => "
                                     "one.textContent))")

    def set(self, name, value, event="change"):
        self.browser.evaluate(f"(e => {{ e.value = {json.dumps(value)}; e.dispatchEvent(new Event('{event}')); }})"
                              f"(document.getElementById('{name}'))")


@in_browser
class Views(InPage):
    def test_a_race_shows_both_threads_and_both_moments(self):
        self.open(racing_stage())
        self.assertIn("tile[5]: 2 accesses of block (0, 0, 0).", self.text("#element-said"))
        self.assertEqual(self.rows("element-table"), [["1", "(5, 0, 0)", "0, 0, 0", "0", "writes", "", "3"],
                                                      ["2", "(58, 0, 0)", "0, 0, 0", "1", "reads", "", "4"]])
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#moments .named').length"), 2)
        self.assertIn("thread (5, 0, 0) of block (0, 0, 0) writes tile[5] in line 3", self.text("#way"))
        self.assertIn("reads in[5] in line 2", self.text("#way"))

    def test_a_value_is_followed_back_to_the_input(self):
        self.open(racing_stage(findings=[], wrong_elements=[]))
        self.set("of-array", "2")
        self.set("of-index", "34")
        way = self.text("#way")
        for step in ("(34, 0, 0) of block (0, 0, 0) writes out[34] in line 5", "reads tile[29] in line 4, which thread (29, 0, 0) of block (0, 0, 0) writes in line 3",
                     "reads in[29] in line 2"):
            self.assertIn(step, way)
        self.set("of-index", "9999")
        self.assertIn("no access of the recorded blocks", self.text("#element-said"))

    def test_the_edge_of_the_array_is_drawn(self):
        stage = made_stage(findings=[{"kind": "out_of_bounds", "severity": "error", "line": 2, "message": "m", "help": ""}])
        stage["trace"][0]["addresses"] = [(4 * lane - 8) % (1 << 64) for lane in range(32)]
        self.open(stage)
        self.assertIn("Lane 0 is at index -2, 2 elements before the start of in, which has 16384 elements.", self.text("#edge"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#edge .hit').length"), 2)
        stage["trace"][0]["addresses"] = [(1 << 16) - 64 + 4 * lane for lane in range(32)]
        self.open(stage)
        self.assertIn("Lane 16 is at index 16384, 1 element past the end of in", self.text("#edge"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#edge .hit').length"), 16)

    def test_what_other_blocks_of_the_launch_touch_is_told_apart(self):
        stage = made_stage()
        for one in stage["trace"]:
            if one["space"] == "global" and one["block"][0]:
                one["addresses"] = [4 * (128 + 32 * one["warp"] + lane) for lane in range(32)]  # the next row
        self.open(stage)
        self.assertIn("Other recorded blocks of this launch touch rows 1 to 1, columns 0 to 63 (dotted, where drawn).", self.text("#array"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#array .elsewhere').length"), 64)
        self.browser.evaluate("document.querySelector('[data-line=\"3\"]').click()")
        self.assertNotIn("Other recorded blocks", self.text("#array"))  # shared memory is of one block

    def test_a_dynamic_array_has_a_pitch_that_the_reader_can_change(self):
        stage = made_stage(arrays=[{"name": "tile", "space": "shared", "extents": []}])
        for one in stage["trace"]:
            if one["space"] == "shared":
                one["addresses"] = [lane * 33 * 4 for lane in range(32)]
        self.open(stage)
        self.browser.evaluate("document.querySelector('[data-line=\"3\"]').click()")
        self.assertEqual((self.browser.evaluate("document.getElementById('pitch-of').hidden"), self.text("#row-length-now")), (False, "33 elements"))
        self.assertIn("Pitch: 33 elements, 132 bytes; each row starts 1 bank after the row above.", self.text("#array"))
        self.set("row-length", "32", "input")
        self.assertIn("Pitch: 32 elements, 128 bytes; each row starts in the same bank", self.text("#array"))

    def test_a_time_line_tells_what_warps_do_and_what_is_under_way(self):
        self.open(timed_stage())
        self.assertIn("Cycle 500: 2 long scoreboard. 5 KiB under way.", self.text("#cycle-now"))
        for cycle, said in ((5, "Cycle 5: 1 selected, 1 barrier. 0 KiB under way."), (50, "1 long scoreboard, 1 barrier. 4 KiB under way."),
                            (999, "1 long scoreboard. 1 KiB under way.")):
            self.set("cycle", cycle, "input")
            self.assertIn(said, self.text("#cycle-now"))
        self.assertIn("2 resident warps, over 1000 cycles.", self.text("#line-picture"))
        self.assertIn("at most 5 KiB, 3.25 KiB on average. Dashed: about 27.3 KiB keep the memory busy", self.text("#line-picture"))
        self.assertIn("Modelled, not measured", self.text("#waits"))
        self.assertIn("modelled", self.text("#line h3"))

    def test_what_lanes_read_and_store_is_shown(self):
        stage = racing_stage()
        floats, words = ["".join(struct.pack(f"<{code}", value).hex() for value in numbers) for code, numbers in (
            ("f", [lane / 4 for lane in range(32)]), ("I", [0xCDCDCDCD] + [lane << 24 for lane in range(1, 32)]))]
        for one, values in zip(stage["trace"], (floats, floats, words, words)):
            one["values"] = values
        stage["arrays"] += [{"name": "in", "space": "global", "extents": [1 << 14], "type": "float"},
                            {"name": "out", "space": "global", "extents": [1 << 14], "type": "const std::int4096"}]
        stage["arrays"][0]["type"] = "unsigned int"
        self.open(stage)
        self.browser.evaluate("document.querySelector('[data-line=\"2\"]').click()")
        self.assertEqual([row[5] for row in self.rows("lanes")], [f"{lane / 4:g}" for lane in range(32)])
        self.browser.evaluate("document.querySelector('[data-line=\"4\"]').click()")
        self.assertEqual([row[5] for row in self.rows("lanes")], ["nothing stored yet"] + [str(lane << 24) for lane in range(1, 32)])
        self.assertIn("No thread has stored yet what lane 0 reads.", self.text("#said"))
        self.set("lane", 3, "input")
        self.assertIn("reads tile[28] = 50331648, byte 112", self.text("#lane-now"))
        self.browser.evaluate("document.querySelector('[data-line=\"5\"]').click()")
        self.assertEqual(self.rows("lanes")[1][5], "0x01000000")  # of a type that the page does not know
        self.assertIn("reads in[5] = 1.25 in line 2", self.text("#way"))

    def test_the_element_comes_first_where_a_kernel_is_wrong_and_says_where_its_thread_is_absent(self):
        heads = "[...document.querySelectorAll('main h2')].map(one => one.textContent).slice(1, 3)"
        stage = racing_stage()
        stage["trace"].insert(1, access(0, line=2, mask=0xF0F))
        self.open(stage)
        self.assertNotIn("takes no part", self.text("#way"))  # a race is of two threads that do
        stage["findings"][0] = {**RACE, "kind": "wrong_output"}
        stage["wrong_elements"][0]["kind"] = "wrong_output"
        self.open(stage, width=400)
        self.assertTrue(self.browser.evaluate("document.querySelector('#code > .scroll').clientHeight < 400"))
        self.assertEqual(self.browser.evaluate(heads), ["One element", "What a warp touches"])
        self.assertIn("Before that, its lane 5 takes no part in line 2, access 2 of 2 (lanes 0\u20133, 8\u201311 do).", self.text("#way"))
        self.open(made_stage())
        self.assertEqual(self.browser.evaluate(heads), ["What a warp touches", "One element"])

    def test_beside_an_element_that_nobody_stores_is_who_stores_its_neighbours(self):
        stage = racing_stage(findings=[], wrong_elements=[])
        stage["trace"][3]["mask"] ^= 1 << 7
        self.open(stage)
        self.set("of-array", "2")
        self.set("of-index", "39")
        self.assertEqual(self.text("#way"), "No recorded access stores it. The nearest ones: thread (38, 0, 0) of block (0, 0, 0) writes out[38] "
                         "in line 5; thread (40, 0, 0) of block (0, 0, 0) writes out[40] in line 5.")

    def test_lanes_and_sectors_are_chosen_as_an_answer(self):
        self.open(made_stage())
        click = lambda selector: self.browser.evaluate(f"document.querySelector({json.dumps(selector)}).click()")
        click("#on")
        click("#ask")
        click("#another")  # lanes that share a sector with lane 12: two floats apart, four lanes to a sector
        self.assertIn("Choose every lane that touches a sector of lane 12", self.text("#asked"))
        for lane in (12, 13, 14):
            click(f"#choices button:nth-child({lane + 1})")
        click("#question [type=submit]")
        self.assertEqual(self.text("#verdict"), "No: Lane 12 touches sector 3, as lanes 12–15 do.")
        click("#choices button:nth-child(16)")
        click("#question [type=submit]")
        self.assertIn("Right: ", self.text("#verdict"))
        click("#another")
        self.assertIn("Choose the sector that lane 19 touches", self.text("#asked"))
        click("#choices button:nth-child(5)")
        click("#question [type=submit]")
        self.assertEqual(self.text("#verdict"), "Right: Lane 19 begins at byte 152; 32 bytes are a sector.")

    def test_a_question_hides_the_answer_until_it_is_given(self):
        self.open(made_stage())
        self.browser.evaluate("document.getElementById('ask').click()")
        for shown in ("4 sectors", "as few"):
            self.assertNotIn(shown, self.text("#said"))
        self.assertEqual(self.browser.evaluate("getComputedStyle(document.getElementById('picture')).visibility"), "hidden")
        for guess, verdict in ((9, "No: 4 sectors."), (4, "Right: 4 sectors.")):
            self.browser.evaluate(f"document.getElementById('guess').value = {guess}; document.getElementById('question').requestSubmit()")
            self.assertIn(verdict, self.text("#verdict"))
        self.assertEqual(self.browser.evaluate("getComputedStyle(document.getElementById('picture')).visibility"), "visible")
        self.browser.evaluate("document.getElementById('on').click()")
        self.assertIn("answer the question first", self.text("#said"))
        self.assertEqual(self.text("#verdict"), "")

    @axe.needed
    def test_axe_finds_no_violation(self):
        path = self.folder / "page.html"
        made = {"student": pages.student, "class": pages.classroom, "live": lambda: live_page.render(made_stage()),
                "race": lambda: live_page.render(racing_stage()), "time": lambda: live_page.render(timed_stage()),
                "report": lambda: page.render(result(made_stage(), racing_stage()))}
        all_pages = itertools.product(made, (("light", 1600), ("dark", 400)))
        for name, (theme, width) in part_of(all_pages, 4, "pages that axe reads"):
            with self.subTest(page=name, theme=theme, width=width):
                path.write_text(made[name](), encoding="utf-8")
                self.browser.open(path, theme=theme, width=width)
                self.browser.evaluate("document.querySelectorAll('details, [hidden]').forEach(one => { one.open = true; one.hidden = false; })")
                self.assertEqual(axe.violations(self.browser), [])

    def test_a_served_page_follows_its_file_and_keeps_the_place(self):
        first, second = (live_page.render(stage, True) for stage in (racing_stage(findings=[]), racing_stage(findings=[], title="new")))
        served = Served([first, second.replace("line 6", "line six")])
        with served:
            self.browser.go(served.address)
            self.browser.evaluate("document.querySelector('[data-line=\"5\"]').click()")
            served.say("it does not compile: this page is of an earlier version")
            self.assertIn("does not compile", self.until("document.getElementById('served').textContent"))
            served.next()
            self.until("document.querySelector('#source').textContent.includes('line six')")
            self.assertIn("Line 5, warp 1", self.text("#said"))
            self.assertEqual([one for one in self.browser.complaints if "favicon" not in one and "404" not in one], [])
        self.assertIn("has ended", self.until("document.getElementById('served').textContent.match(/.*has ended.*/)?.[0]"))

    def until(self, script, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                found = self.browser.evaluate(script)
            except RuntimeError:  # the page is being loaded
                found = None
            if found:
                return found
            time.sleep(0.05)
        self.fail(f"after {seconds} s: {script}")


class Served:
    """Pages one after the other, as grader/cli/page_server.cpp gives them."""

    def __init__(self, pages):
        self.pages, self.version, self.note = pages, 1, ""
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps({"version": outer.version, "note": outer.note}) if self.path == "/t/version" else \
                    outer.pages[outer.version - 1].replace('data-version="', f'data-version="{outer.version}', 1) if self.path == "/t/" else ""
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "application/json" if self.path.endswith("version") else "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/t/"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def say(self, note):
        self.note = note

    def next(self):
        self.version, self.note = self.version + 1, ""


@in_browser
@with_kit
class Kit(InPage):
    def test_block_widths_are_the_counters_for_every_pitch(self):
        source = self.folder / "widths.cu"
        source.write_text(BLOCKS, encoding="utf-8")
        trace = explained("--stage", "transpose/open", source)["trace"]
        self.assertEqual(len(trace), 4 * 80 * len(WIDTHS))
        self.compare(trace, "block", WIDTHS, 4)

    def test_tiles_are_the_counters_for_every_pitch_and_size(self):
        for size, kind in SIZES.items():
            source = self.folder / "tiles.cu"
            source.write_text(TILED.replace("TYPE", kind).replace("WIDTHS", ", ".join(map(str, TILES))), encoding="utf-8")
            trace = explained("--stage", "transpose/open", source)["trace"]
            self.assertEqual(len(trace), 4 * 80 * len(TILES), kind)
            self.compare(trace, "tile", TILES, size)

    def compare(self, trace, name, widths, size):
        """Of each width and pitch: loads in rows, stores in rows, then both turned."""
        would = self.browser.evaluate(
            f"(() => {{ {live_page.script('what_if')}; const its = PATTERNS.filter(one => one.of === '{name}'); return {list(widths)}.map(width => "
            f"Array.from({{length: 80}}, (_, i) => its.map(one => costs(one.places({{block: width, tile: width}}), i + 1, {size})))); }})()")
        counted = iter(trace)
        for width, row in zip(widths, would):
            for pitch, (straight, turned) in enumerate(row, 1):
                read, write, back, store = (next(counted)["units"] for _ in range(4))
                self.assertEqual((read, write, back, store),
                                 (straight["sectors"], straight["write"], turned["read"], turned["sectors"]), (width, pitch, size))

    def test_wrong_kernels_open_at_the_element_that_the_message_is_about(self):
        for name, said, way in (("scan/blelloch/no_barrier_on_the_way_up", r"partial\[5\]: \d+ accesses of block", "in line"),
                                ("stencil/five_points/guard_missing", r"in\[-1\] \(outside of in\): \d+ access", "No recorded access"),
                                ("histogram/privatised/too_few_bins", r"bins\[147\] \(outside of bins\): \d+ access", "in line")):
            with self.subTest(name):
                problem, stage, file = name.split("/")
                explained("--page", self.folder / "page.html", "--stage", f"{problem}/{stage}",
                          ROOT / "solutions" / problem / "wrong" / f"{file}.cu")
                self.browser.open(self.folder / "page.html")
                self.assertRegex(self.text("#element-said"), said)
                self.assertIn(way, self.text("#way"))
                self.assertGreaterEqual(self.browser.evaluate("document.querySelectorAll('#moments .named').length"), 1)


BLOCKS = """#include <cuda_runtime.h>
__global__ void blocks(const float* in, float* out) {
    __shared__ float tile[31 * 80 + 32];
#pragma unroll 1
    for (int pitch = 1; pitch <= 80; ++pitch) {
        tile[threadIdx.y * pitch + threadIdx.x] = in[threadIdx.y * pitch + threadIdx.x];
        __syncwarp();
        out[threadIdx.x * pitch + threadIdx.y] = tile[threadIdx.x * pitch + threadIdx.y];
        __syncwarp();
    }
}
void transpose(const float* in, float* out, int rows, int cols) {
    for (int width = 1; width <= 32; ++width) blocks<<<1, dim3(width, (32 + width - 1) / width)>>>(in, out);
}
"""

TILED = """#include <cuda_runtime.h>
__global__ void tiled(const TYPE* in, TYPE* out, int tile, int pitch) {
    extern __shared__ __align__(16) unsigned char memory[];
    TYPE* shared = reinterpret_cast<TYPE*>(memory);
    int row = threadIdx.x / tile, column = threadIdx.x % tile;
    shared[row * pitch + column] = in[row * pitch + column];
    __syncwarp();
    out[column * pitch + row] = shared[column * pitch + row];
}
void transpose(const float* in, float* out, int rows, int cols) {
    int widths[] = {WIDTHS};
    for (int tile : widths)
        for (int pitch = 1; pitch <= 80; ++pitch)
            tiled<<<1, 32, (32 * 80 + 64) * sizeof(TYPE)>>>(reinterpret_cast<const TYPE*>(in), reinterpret_cast<TYPE*>(out), tile, pitch);
}
"""


if __name__ == "__main__":
    unittest.main()
