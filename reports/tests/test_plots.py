"""Each plot by itself: a picture where there is data, a reason and a command where there is none."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from reports import bench, figure, sections
from reports.__main__ import main
from reports.places import shown
from reports.plots import all_plots, instructions, name_of, roofline
from reports.result import Result
from reports.tests import pages, synthetic
from reports.tests.made import COUNTERS, result, stage

PNG, PDF = b"\x89PNG", b"%PDF"
OF_STUDENTS = [plot for plot in all_plots() if plot.SUBJECT != "class"]


def subject_of(plot, kind="cuda"):
    made = pages.result(kind)
    by_name = {stage.name: stage for stage in made.stages}
    padding = by_name["transpose/padding"]
    conflicts = by_name["transpose/corner_turning"]
    return {"result": made, "stage": conflicts, "pair": (conflicts, padding),
            "class": pages.class_result()}[plot.SUBJECT]


class EachPlot(unittest.TestCase):
    def test_it_draws_and_tells_in_words(self):
        for plot in all_plots():
            with self.subTest(name_of(plot)):
                subject = subject_of(plot)
                svg = figure.to_svg(figure.make(plot, subject))
                self.assertGreater(len(svg), 4000)
                words = plot.describe(subject)
                self.assertTrue(words and all(words))
                self.assertLessEqual(len(plot.TITLE), 60)
                self.assertTrue(plot.QUESTION.endswith("?"))

    def test_a_result_of_many_assignments_is_drawn(self):
        many = synthetic.result()
        many["stages"] = [{**stage, "assignment": f"problem{number}"}
                          for number in range(7) for stage in many["stages"]]
        subject = Result(many)
        for plot in OF_STUDENTS:
            if plot.SUBJECT == "result":
                with self.subTest(name_of(plot)):
                    self.assertTrue(figure.make(plot, subject) or plot.missing(subject))

    def test_without_data_it_says_what_is_missing(self):
        bare = result(stage(counters={}, launches=[], score={"total": 0, "max": 0}))
        for plot in OF_STUDENTS:
            with self.subTest(name_of(plot)):
                subject = {"result": bare, "stage": bare.stages[0], "pair": (bare.stages[0],) * 2}[plot.SUBJECT]
                self.assertIsNone(figure.make(plot, subject))
                self.assertTrue(plot.missing(subject).rstrip("`").strip())

    def test_plots_of_bandwidth_name_the_command_that_gives_it(self):
        by_name = {name_of(plot): plot for plot in all_plots()}
        bare = result(stage())
        for name in ("bandwidth", "classes", "roofline"):
            self.assertIn("`./grader/warpgrade check ", by_name[name].missing(bare))
        for name in ("size_sweep", "block_sweep", "speedup"):
            self.assertIn("`./grader/warpgrade bench ", by_name[name].missing(bare))

    def test_modelled_figures_never_look_like_measured_ones(self):
        for name in ("bandwidth", "classes", "size_sweep", "block_sweep", "speedup", "roofline"):
            with self.subTest(name):
                plot = next(plot for plot in all_plots() if name_of(plot) == name)
                svg = {kind: figure.to_svg(figure.make(plot, subject_of(plot, kind))) for kind in ("cuda", "virtual")}
                self.assertIn("modelled", svg["virtual"])
                self.assertNotIn("modelled", svg["cuda"])
                self.assertIn("measured", svg["cuda"])
                self.assertNotIn("measured", svg["virtual"])
                if name in ("bandwidth", "classes", "block_sweep"):
                    self.assertIn("<pattern", svg["virtual"])
                    self.assertNotIn("<pattern", svg["cuda"])

    def test_measured_and_modelled_points_of_a_sweep_share_no_line(self):
        data = synthetic.result()
        points = synthetic.bench(data)
        for one in points["stages"]:
            for point in one["points"][::2]:
                point["origin"] = "modelled"
        made = Result(data)
        bench.merge(made, [("b.json", points)])
        plot = next(plot for plot in all_plots() if name_of(plot) == "size_sweep")
        svg = figure.to_svg(figure.make(plot, made))
        self.assertIn("modelled", svg)
        self.assertIn("measured", svg)
        self.assertIn("stroke-dasharray", svg)

    def test_an_impossible_bandwidth_is_said_not_drawn(self):
        point = {"origin": "measured", "shape": "8192x8192", "seconds": 1e-6, "gb_per_s": 99999.0,
                 "copy_gb_per_s": 2000.0, "reference_gb_per_s": 1000.0, "verdict": "impossible"}
        plot = next(plot for plot in all_plots() if name_of(plot) == "bandwidth")
        svg = figure.to_svg(figure.make(plot, result(stage(bandwidth=point))))
        self.assertIn("99999 GB/s is impossible: a person has to look", svg)

    def test_the_roofline_counts_bytes_as_the_problem_does(self):
        # A convolution reads each element 25 times: what its loads ask for says nothing of what it must move.
        counters = {**COUNTERS, "warp_instructions": 9_437_184, "global_load_sectors_ideal": 6_553_600,
                    "useful_bytes": 8_388_708, "elements": 1_048_576}
        timed = {"origin": "modelled", "shape": "8192x8192", "seconds": 5.6e-4, "gb_per_s": 962.0}
        made = result(stage("direct", "convolution", counters=counters, bandwidth=timed))
        self.assertIn("962 GB/s modelled at 0.889 useful bytes a warp instruction", roofline.describe(made)[0])
        made = result(stage(bandwidth=timed))  # of a kit that did not say so
        self.assertEqual(roofline.height(made), 0)
        self.assertIn("does not say how many bytes its problems must move", roofline.missing(made))
        made = result(stage("tile", "matmul", counters=counters, bandwidth={**timed, "yardstick": "compute"}))
        self.assertEqual(roofline.height(made), 0)  # its roof is no copy
        self.assertIn("held back by arithmetic", roofline.missing(made))

    def test_the_instructions_of_a_stage_are_shared_out_once(self):
        counters = {"elements": 64, "warp_instructions": 200, "global_load_requests": 20, "shared_store_requests": 10,
                    "shuffles": 6, "barriers": 4, "double_instructions": 40}
        made = result(stage(counters=counters))
        parts = [value for _, _, value in instructions.shares(made.stages[0])]
        self.assertEqual(parts, [10, 5, 5, 20, 60])
        self.assertIn("100, of these 10\u202f% global memory", instructions.describe(made)[0])
        bare = result(stage(counters={**counters, "elements": None}))
        self.assertIsNone(figure.make(instructions, bare))
        self.assertIn("does not say how many elements", instructions.missing(bare))

    def test_each_section_has_plots_and_each_plot_of_a_result_a_section(self):
        self.assertTrue(all(sections.plots_of(name) for name, _ in sections.SECTIONS))
        names = {None, *(name for name, _ in sections.SECTIONS)}
        self.assertLessEqual({plot.SECTION for plot in all_plots("result")}, names)

    def test_greys_of_the_series_differ(self):
        def grey(name):
            r, g, b = (int(figure.COLOURS[name][1][i:i + 2], 16) / 255 for i in (1, 3, 5))
            return 0.2126 * r + 0.7152 * g + 0.0722 * b

        greys = sorted(grey(name) for name in ("first", "third", "second", "paper"))
        self.assertTrue(all(b - a > 0.15 for a, b in zip(greys, greys[1:])), greys)


class CommandLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        data = synthetic.result()
        (cls.folder / "result.json").write_text(json.dumps(data))
        (cls.folder / "bench.json").write_text(json.dumps(synthetic.bench(data)))

    def run_main(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(one) for one in arguments])
        return code, out.getvalue(), err.getvalue()

    def test_list_names_every_plot_with_its_question(self):
        code, out, _ = self.run_main("plot", "--list")
        self.assertEqual(code, 0)
        lines = out.splitlines()
        self.assertEqual(sum(not line.startswith(" ") for line in lines), len(all_plots()))
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertIn("roofline", out)

    def test_each_format_is_written(self):
        for suffix, start in (("png", PNG), ("svg", b"<?xml"), ("pdf", PDF)):
            path = self.folder / f"marks.{suffix}"
            code, out, err = self.run_main("plot", "marks", self.folder / "result.json", "--out", path)
            self.assertEqual((code, out), (0, f"plot: {shown(path)}\n"), err)
            self.assertTrue(path.read_bytes().startswith(start))

    def test_a_plot_of_a_sweep_takes_the_bench_file(self):
        path = self.folder / "sweep.svg"
        without = self.run_main("plot", "size_sweep", self.folder / "result.json", "--out", path)
        self.assertEqual(without[0], 1)
        self.assertIn("nothing to draw. This result has no bandwidths over sizes", without[2])
        code, _, _ = self.run_main("plot", "size_sweep", self.folder / "result.json", self.folder / "bench.json", "--out",
                                   path)
        self.assertEqual(code, 0)

    def test_usage_is_explained(self):
        result_json = self.folder / "result.json"
        for arguments, words in (
            (("plot", "rofline", result_json), "is it roofline?"),
            (("plot", "marks", result_json, "--out", "a.jpg"), "expected one of .png, .svg, .pdf"),
            (("plot",), "needs a NAME and a RESULT"),
            (("plot", "touches", result_json), "--stage says which stage to draw"),
            (("plot", "before_after", result_json, "--stage", "naive_read"), "no stage of transpose comes before"),
            (("plot", "class_marks", result_json), "no results"),
            (("student", self.folder / "none.json"), "No such file"),
            (("student", self.folder / "bench.json"), "expected 'warpgrade.result/1'"),
        ):
            with self.subTest(words):
                code, _, err = self.run_main(*arguments)
                self.assertEqual(code, 2)
                self.assertIn(words, err)

    def test_a_bench_of_another_version_of_the_file_is_left_out_and_said(self):
        points = json.loads((self.folder / "bench.json").read_text())
        points["stages"][0]["sha256"] = "0" * 64
        points["stages"][1]["stage"] = "unheard_of"
        other = self.folder / "other.json"
        other.write_text(json.dumps(points))
        _, _, err = self.run_main("plot", "size_sweep", self.folder / "result.json", other, "--out",
                                  self.folder / "o.svg")
        self.assertIn("transpose/copy is of another version of the file", err)
        self.assertIn("transpose/unheard_of is not in the result", err)


if __name__ == "__main__":
    unittest.main()
