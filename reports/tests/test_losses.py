"""Where marks were lost, which are open, what limits a stage."""

import re
import unittest
from pathlib import Path

from reports.limits import ADVICE, ADVICE_INSIDE, WAITS, limits, waits_text
from reports.losses import losses, together
from reports.tests import kernels
from reports.tests.made import COUNTERS, case, result, stage, stub

POINTS = {"correctness": 6, "technique": 4, "performance": 2}
NONE = {"correctness": 0, "technique": 0, "performance": 0, "total": 0, "max": 12, "state": "final"}
BANDWIDTH = {"origin": "measured", "shape": "8192x8192", "seconds": 1e-4, "gb_per_s": 600.0, "copy_gb_per_s": 1000.0,
             "reference_gb_per_s": 800.0, "limiter": kernels.BARRIERS}


def lost(**changes):
    changes.setdefault("points", POINTS)
    return losses(result(stage(**changes)))


def score(**changes):
    return {"correctness": 6, "technique": 4, "performance": 2, "total": 12, "max": 12, "state": "final", **changes}


class AgainstTheRules(unittest.TestCase):
    """What a stage's rules ask for is no advice's to take away."""
    STORES = "each store touches 32 sectors where 4 would do; L2 write throughput is the limit"

    def advice(self, *rules):
        [its] = result(stage(points=POINTS, score=score(technique=1, total=9), bandwidth={**BANDWIDTH, "limiter": self.STORES},
                             technique=[{"rule": rule, "value": 1, "ok": True} for rule in rules])).stages
        return [limit.to_try for limit in limits(its) if limit.about == "store"]

    def test_stores_that_are_to_be_bad_are_not_to_be_mended(self):
        self.assertEqual(self.advice("global_store_sectors_per_request >= 7.9"),
                         ["Nothing in this stage: it is to show this."])

    def test_shared_memory_is_named_where_a_stage_may_use_it(self):
        [without] = self.advice("shared_load_requests == 0", "global_store_sectors_per_request <= 4.1")
        [with_it] = self.advice("shared_load_requests > 0", "global_store_sectors_per_request <= 4.1")
        self.assertEqual(without, "Let threadIdx.x run along a row of what is written.")
        self.assertEqual(with_it, f"{without} Turn the tile in shared memory.")


class Lost(unittest.TestCase):
    def test_full_marks_lose_nothing(self):
        self.assertEqual(lost(score=score()), ([], []))

    def test_a_failed_rule_costs_its_own_points_and_says_what_to_change(self):
        rules = [{"rule": "a <= 1", "value": 1, "ok": True, "points": 1},
                 {"rule": "b <= 1", "value": 32, "ok": False, "points": 3, "says": "pad the rows"}]
        [loss], still_open = lost(score=score(technique=1), technique=rules)
        self.assertEqual((loss.part, loss.points, loss.to_try), ("technique", 3, "pad the rows"))
        self.assertIn("b <= 1: found 32", loss.why)
        self.assertEqual(still_open, [])

    def test_rules_share_what_is_missing_where_the_result_does_not_say(self):
        rules = [{"rule": one, "value": 2, "ok": False} for one in ("a == 1", "b == 1")]
        found, _ = lost(score=score(technique=0), technique=rules)
        self.assertEqual([loss.points for loss in found], [2, 2])

    def test_wrong_cases_cost_correctness_and_name_the_finding(self):
        finding = {"kind": "out_of_bounds", "severity": "error", "line": 9, "message": "read past the end", "help": "guard"}
        [loss], _ = lost(score=score(correctness=3, technique=0, performance=0, total=3), findings=[finding],
                         correctness={"cases": [case("pass"), case("fault")]}, technique=[])
        self.assertEqual((loss.part, loss.points), ("all", 9))  # technique and performance rest on it
        self.assertIn("1 of 2 cases pass; read past the end, line 9", loss.why)
        self.assertEqual(loss.to_try, "guard")

    def test_an_untouched_stub_loses_all_points_once_for_one_reason(self):
        [loss], still_open = losses(result(stub(points=POINTS)))
        self.assertEqual((loss.part, loss.points, loss.to_try), ("all", 10, "Copy your kernel in."))
        self.assertEqual(loss.why, "not attempted: the stub as it was handed out")
        self.assertEqual(still_open, [])

    def test_what_does_not_compile_says_the_first_error(self):
        messages = [{"severity": "warning", "line": 1, "message": "w"}, {"severity": "error", "line": 7, "message": "e"}]
        found, _ = lost(score=NONE, compile={"ok": False, "diagnostics": messages}, correctness={"cases": []})
        self.assertIn("does not compile: line 7: e", [loss.why for loss in found])

    def test_bandwidth_says_share_and_band(self):
        [loss], _ = lost(score=score(performance=1.4), bandwidth=BANDWIDTH, band={"none": 0.4, "full": 0.9})
        self.assertRegex(loss.why, r"600 GB/s measured, 75.% of the reference; full marks from 90.%")
        self.assertTrue(loss.to_try)

    def test_what_was_not_handed_in_is_one_loss(self):
        [loss], still_open = lost(score={**NONE, "why": "no file was handed in"}, source="", sha256="",
                                  compile={"ok": False}, correctness={"cases": []})
        self.assertEqual((loss.part, loss.points, loss.why, still_open), ("all", 12, "no file was handed in", []))

    def test_a_wrong_stage_has_no_open_points(self):
        found, still_open = lost(score={**NONE, "state": "provisional", "why": "not measured"},
                                 correctness={"cases": [case("wrong")]})
        self.assertEqual((still_open, [loss.part for loss in found]), ([], ["all"]))

    def test_open_is_not_lost(self):
        provisional = score(performance=0, total=10, state="provisional", why="not measured")
        found, [loss] = lost(score=provisional)
        self.assertEqual((found, loss.points, loss.why), ([], 2, "not measured"))
        impossible = {**BANDWIDTH, "verdict": "impossible"}
        found, [loss] = lost(score=score(performance=0, total=10), bandwidth=impossible)
        self.assertEqual(found, [])
        self.assertIn("a person has to look", loss.why)
        found, still_open = lost(score={**NONE, "state": "internal_error", "why": "the worker was lost"})
        self.assertEqual((found, len(still_open)), ([], 3))

    def test_stages_that_lost_alike_share_a_row(self):
        stages = [stage(name, points=POINTS, score=score(performance=0, total=10, state="provisional", why="not measured"))
                  for name in ("a", "b", "c")]
        [row] = together(losses(result(*stages))[1])
        self.assertEqual((row.stages, row.points), ("transpose/a, transpose/b and transpose/c", 6))
        self.assertEqual(len(together(losses(result(*stages[:2]))[1])), 2)


class Limits(unittest.TestCase):
    def of(self, lost=1, **changes):
        [made] = result(stage(**changes)).stages
        made.score["total"] -= lost
        return limits(made)

    def test_what_a_stage_with_all_its_points_does_is_not_to_be_mended(self):
        for found in self.of(lost=0, time={"limiter": kernels.STORES}):
            self.assertEqual(found.to_try, "Nothing in this stage, which has all its points.")

    def test_counters_far_above_the_least_are_said_the_worst_first(self):
        found = self.of()
        self.assertIn("shared loads take 32 wavefronts a request where 1 would do", found[0].what)
        self.assertIn("global stores touch 32 sectors a request where 4 would do", found[1].what)
        self.assertEqual({limit.origin for limit in found}, {"counted"})

    def test_the_model_s_sentence_comes_first_with_its_line_and_gain(self):
        found = self.of(time={"origin": "modelled", "limiter": kernels.BARRIERS, "line": 31, "gain_without_limit": 1.5})
        self.assertEqual(found[0].what, f"{kernels.BARRIERS} (line 31); without that limit the kernel would run 1.5\u202f\u00d7 as fast")
        self.assertIn("Fewer barriers", found[0].to_try)
        self.assertEqual(found[0].origin, "modelled")

    def test_what_the_model_says_is_not_said_again_by_the_counters(self):
        for sentence, counted in ((kernels.STORES, "global stores touch"), (kernels.CONFLICTS, "bank conflicts: ")):
            found = self.of(time={"limiter": sentence})
            self.assertEqual(found[0].what, sentence)
            self.assertNotIn(counted, " ".join(limit.what for limit in found))
            self.assertEqual(len(found), 2)

    def test_a_sentence_s_own_advice_is_what_to_try(self):
        [found] = self.of(time={"limiter": kernels.IN_FLIGHT}, counters={})
        self.assertEqual(found.to_try, "Let each thread load more before it uses the first.")
        self.assertNotIn("let each thread", found.what)

    def test_a_sentence_that_is_not_known_is_shown_as_it_is(self):
        [found] = self.of(time={"limiter": "the moon is full; only at night"}, counters={})
        self.assertEqual((found.what, found.to_try), ("the moon is full; only at night", ""))

    def test_advice_is_for_what_the_model_can_say(self):
        """Every beginning stands in the model's source, and every sentence of the made-up results begins as one there."""
        source = (Path(__file__).parents[2] / "grader" / "model" / "limiter.cpp").read_text(encoding="utf-8")
        source = re.sub(r'"\s*\n\s*"', "", source)
        for start, _, _ in ADVICE:
            self.assertIn(re.sub("each (load|store) ", "each {} ", start), source)
        for clause in ADVICE_INSIDE:
            self.assertIn(f"; {clause}", source)

    def test_waits_are_called_as_explain_calls_them(self):
        source = (Path(__file__).parents[2] / "grader" / "cli" / "time_view.cpp").read_text(encoding="utf-8")
        for reason, meaning in WAITS.items():
            self.assertIn(f'{{"{reason}", "{meaning}"}}', source)

    def test_waiting_is_in_nsight_s_words_with_what_for(self):
        time = {"stalls": {"long_scoreboard": 0.6, "selected": 0.3, "lg_throttle": 0.08, "wait": 0.02}}
        self.assertEqual(waits_text(result(stage(time=time)).stages[0]),
                         "60\u202f% for global memory (long scoreboard); "
                         "8.0\u202f% to put one more global access into the queue (lg throttle)")

    def test_nothing_stands_out(self):
        fine = {**COUNTERS, "thread_instructions": 3200, "global_store_sectors": 40, "shared_load_wavefronts": 4}
        self.assertEqual(self.of(counters=fine), [])

    def test_divergence_and_spilling_are_said(self):
        fine = {**COUNTERS, "thread_instructions": 1600, "global_store_sectors": 40, "shared_load_wavefronts": 4,
                "local_requests": 3}
        words = " ".join(limit.what for limit in self.of(counters=fine))
        self.assertIn("16 of 32 lanes", words)
        self.assertIn("local memory", words)


if __name__ == "__main__":
    unittest.main()
