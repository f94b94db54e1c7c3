"""Sectors and banks of an access, against the counters' rules worked out by hand."""

import unittest

from reports import heat, warp
from reports.tests.kernels import FULL, STAGES, trace
from reports.tests.made import result, stage


def access(addresses, width=4, space="global", mask=None, units=1, least=1, line=1, buffer="in"):
    return {"line": line, "kind": "read", "space": space, "buffer": buffer, "width_bytes": width,
            "mask": FULL if mask is None else mask, "addresses": (addresses + [0] * 32)[:32], "units": units,
            "units_ideal": least}


def read(*arguments, **options):
    return warp.read_access(access(*arguments, **options))


class Sectors(unittest.TestCase):
    def test_a_row_fills_four(self):
        found = warp.sectors(read([4 * lane for lane in range(32)]))
        self.assertEqual([address for address, _ in found], [0, 32, 64, 96])
        self.assertTrue(all(len(words) == 8 for _, words in found))

    def test_a_column_touches_one_a_lane(self):
        found = warp.sectors(read([4096 * lane for lane in range(32)]))
        self.assertEqual((len(found), {len(words) for _, words in found}), (32, {1}))

    def test_one_float_off_touches_five(self):
        self.assertEqual(len(warp.sectors(read([4 + 4 * lane for lane in range(32)]))), 5)

    def test_wide_and_narrow_elements(self):
        self.assertEqual(len(warp.sectors(read([16 * lane for lane in range(32)], width=16))), 16)
        self.assertEqual(len(warp.sectors(read(list(range(32)), width=1))), 1)

    def test_lanes_that_sleep_touch_nothing(self):
        self.assertEqual(len(warp.sectors(read([4096 * lane for lane in range(32)], mask=0b101))), 2)


class Banks(unittest.TestCase):
    def deepest(self, *arguments, **options):
        return max(map(len, warp.banks(read(*arguments, space="shared", **options))))

    def test_rows_columns_and_padding(self):
        self.assertEqual(self.deepest([4 * lane for lane in range(32)]), 1)
        self.assertEqual(self.deepest([128 * lane for lane in range(32)]), 32)
        self.assertEqual(self.deepest([132 * lane for lane in range(32)]), 1)

    def test_one_word_for_all_is_no_conflict(self):
        self.assertEqual(self.deepest([64] * 32), 1)

    def test_the_traces_of_the_made_up_stages_agree_with_their_counts(self):
        for spec in STAGES:
            for data in trace(spec):
                one = warp.read_access(data)
                found = (len(warp.sectors(one)) if one.space == "global" else max(map(len, warp.banks(one))))
                self.assertEqual(found, one.units, (spec.id, one.line))


class Patterns(unittest.TestCase):
    def test_the_worst_of_its_likes_stands_for_all(self):
        [one] = warp.patterns([access([0], units=1), access([0], units=8), access([0], units=2)])
        self.assertEqual((one.units, one.likes), (8, 3))

    def test_the_telling_ones_are_kept_in_the_order_of_the_run(self):
        its = [access([0], line=line, units=units) for line, units in ((1, 1), (2, 1), (3, 9), (4, 1), (5, 3))]
        kept, rest = warp.telling(its)
        self.assertEqual(([one.line for one in kept], rest), ([1, 3, 5], 2))

    def test_words(self):
        self.assertEqual(warp.lanes_text([5, 0, 1, 2]), "0\u20132, 5")
        said = warp.said(read([128 * lane for lane in range(32)], space="shared", units=32, buffer="tile"))
        self.assertIn("reads tile (shared memory): 32 wavefronts where 1 would do", said)
        self.assertIn("1 of 32 banks used, up to 32 different words in one", said)


class Heat(unittest.TestCase):
    def test_levels(self):
        self.assertEqual([heat.level(value, 4) for value in (4, 4.5, 5, 8, 16, 32)], [0, 0, 1, 2, 3, 4])
        self.assertEqual(heat.level(7, 0), 0)

    def test_rows_carry_what_their_line_costs(self):
        entry = {"line": 2, "warp_instructions": 10, "thread_instructions": 160, "global_load_requests": 2,
                 "global_load_sectors": 64, "global_load_sectors_ideal": 8}
        other = {"line": 3, "warp_instructions": 30, "thread_instructions": 960, "global_store_requests": 2,
                 "global_store_sectors": 64, "global_store_sectors_ideal": 64}
        [made] = result(stage(counters={"by_line": [entry, other]}, source_lines=list("abcdefgh"))).stages
        rows = heat.rows(made)
        self.assertEqual([row.line for row in rows], [1, 2, 3, 4, 5])
        self.assertEqual((rows[1].text, rows[1].sectors, rows[1].lanes), ("b", [("load", 32, 4, 4)], 16))
        self.assertEqual((rows[1].sector_share, rows[1].instruction_share), (0.5, 0.25))
        self.assertFalse(rows[0].is_counted)

    def test_without_the_source_the_counted_lines_remain(self):
        [made] = result(stage(counters={"by_line": [{"line": 7, "warp_instructions": 1}]})).stages
        self.assertEqual([(row.line, row.text) for row in heat.rows(made)], [(7, "")])


if __name__ == "__main__":
    unittest.main()
