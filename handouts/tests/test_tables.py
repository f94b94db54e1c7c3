"""Tables in the handouts say what assignment.toml, the program and the measured data say."""

import contextlib
import io
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from handouts import sums, tables
from handouts.clone import binary
from handouts.document import FOLDER, NAMES, ROOT, TABLE, fences, prose, text_of
from handouts.plots import h200_reduction

H200 = tables.tomllib.loads((ROOT / "grader" / "profiles" / "h200.toml").read_text(encoding="utf-8"))["device"]
PEAK_GB_PER_S = H200["dram_peak_gb_per_s"]
MADE_LATER = ("solutions/seed", "assignments/left_out.md")  # by `grade`, by `release --assignment`


def cells(what):
    """A written table as {first cell: {column: cell}}"""
    head, _, *rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in tables.written(what).splitlines()]
    return {row[0].strip("`"): dict(zip(head, row)) for row in rows}


class Alone(unittest.TestCase):
    def test_a_stale_table_is_renewed_and_nothing_else_is_made(self):
        from handouts.__main__ import main

        with tempfile.TemporaryDirectory() as place:
            stale = Path(place) / "scan.md"
            stale.write_text("Before.\n<!-- table: overview scan -->\n\nold\n\n<!-- end of table -->\nAfter.\n", encoding="utf-8")
            with mock.patch.multiple(tables, NAMES=("scan",), text_of=lambda name: stale.read_text(encoding="utf-8"),
                                     path_of=lambda name: stale), \
                    mock.patch("handouts.clone.binary", return_value=stale), \
                    mock.patch("handouts.figures.write_all", side_effect=AssertionError), \
                    mock.patch("handouts.page.write", side_effect=AssertionError), \
                    contextlib.redirect_stdout(io.StringIO()) as said:
                self.assertEqual(main(["--tables"]), 0)
            self.assertEqual(said.getvalue(), "handouts/scan.md: tables renewed\n")
            text = stale.read_text(encoding="utf-8")
            self.assertNotIn("old", text)
            self.assertIn(tables.written("overview scan"), text)
            self.assertTrue(text.startswith("Before.\n") and text.endswith("After.\n"), text)


@unittest.skipUnless(binary().exists(), f"{binary().name} is not built")
class Tables(unittest.TestCase):
    def test_they_are_up_to_date(self):
        for name in NAMES:
            text = text_of(name)
            self.assertEqual(len(re.findall(r"(?m)^<!-- table: ", text)), len(list(TABLE.finditer(text))), f"{name}: a mark without end")
            for match in TABLE.finditer(text):
                with self.subTest(document=name, table=match["what"]):
                    self.assertEqual(match["body"], tables.written(match["what"]), "python -m handouts --update")

    def test_counts_in_sentences_are_those_of_the_tables(self):
        def says(name, words):
            self.assertIn(words, " ".join(prose(name).split()))

        transpose, reduction = cells("counters transpose"), cells("counters reduction")
        instructions = [transpose[stage]["instructions for 32 elements"] for stage in ("padding", "coarsening")]
        says("transpose", "The instructions for 32 elements fall from {} to {}".format(*instructions))
        wavefronts = [reduction[stage]["shared-load wavefronts a block"]
                      for stage in ("interleaved", "strided", "sequential")]
        self.assertEqual(wavefronts[0], wavefronts[1])
        says("reduction", f"take the same {wavefronts[0]} wavefronts".replace("same", "*same*"))
        says("reduction", f"{wavefronts[1]} wavefronts a block have become {wavefronts[2]}")
        says("reduction", f"Here a warp splits at {reduction['interleaved']['branches at which a warp splits']} branches, on average")
        barriers = {"3": "three", "9": "nine"}
        says("reduction", f"{barriers[reduction['unrolled']['barriers']]} barriers a block in place of "
                          f"{barriers[reduction['first_add']['barriers']]}")


class Numbers(unittest.TestCase):
    def test_what_is_said_of_an_h200_is_what_its_profile_says(self):
        said = " ".join(" ".join(prose(name).split()) for name in NAMES)
        for words in (f"has {H200['multiprocessors']} *multiprocessors*", f"up to {H200['max_threads_per_sm']} threads",
                      f"{PEAK_GB_PER_S} GB/s is what the datasheet", f"at up to {H200['sm_clock_mhz'] / 1000:g} GHz",
                      f"L2 cache of an H200 has {H200['l2_bytes'] >> 20}",
                      f"{H200['multiprocessors']} x {H200['max_threads_per_sm']} threads",
                      f"has {H200['shared_bytes_per_sm'] >> 10} KiB of shared memory",
                      f"at most {H200['max_blocks_per_sm']} blocks"):
            self.assertIn(words, said)
        self.assertEqual(h200_reduction.PEAK, PEAK_GB_PER_S)
        self.assertEqual(sums.GRID_THREADS, H200["multiprocessors"] * H200["max_threads_per_sm"])

    def test_bandwidths_stand_where_their_run_is_named(self):
        for name in NAMES:
            if "GB/s" in prose(name):
                self.assertIn("H200", prose(name))


class Excerpts(unittest.TestCase):
    def test_code_that_is_quoted_from_a_file_stands_there(self):
        """Every line, in this order; comments and lines between may be left out."""
        found = 0
        for name in NAMES:
            for fence in fences(name):
                source = next((text[5:] for text in fence.comments if text.startswith("from ")), None)
                if source is None:
                    continue
                found += 1
                rest = iter(line.strip() for line in (ROOT / source).read_text(encoding="utf-8").splitlines())
                for line in filter(None, (line.strip() for line in fence.body.splitlines())):
                    self.assertTrue(any(line == other for other in rest), f"{name}.md:{fence.line}: {source}: {line}")
        self.assertGreater(found, 1)

    def test_files_that_are_named_exist(self):
        for name in NAMES:
            for path in re.findall(r"`((?:assignments|solutions|handouts|grader|reports|\.github)/[\w./-]*)`", text_of(name)):
                with self.subTest(document=name, path=path):
                    self.assertTrue((ROOT / path).exists() or path in MADE_LATER or "/ID/" in path)
        self.assertTrue((FOLDER / "data" / "h200_times.csv").exists())


if __name__ == "__main__":
    unittest.main()
