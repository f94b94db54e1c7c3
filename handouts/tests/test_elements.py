"""The table of what other courses teach: each of its 54 elements has a command, and its output holds what the row says."""

import os
import unittest
from concurrent.futures import ThreadPoolExecutor

from handouts import elements
from handouts.clone import binary


class Elements(unittest.TestCase):
    def test_there_are_54_with_different_ids(self):
        ids = [element["id"] for element in elements.elements()]
        self.assertEqual(len(ids), 54)
        self.assertEqual(ids, sorted(set(ids), key=lambda id: tuple(map(int, id.split(".")))))
        self.assertEqual({id.split(".")[0] for id in ids}, set(elements.DOCUMENTS))
        for element in elements.elements():
            self.assertTrue(element["holds"] and all(element["holds"]), element["id"])

    @unittest.skipUnless(binary().exists(), f"{binary().name} is not built")
    def test_their_commands_show_them(self):
        """Those marked quick; with WARPGRADE_ALL=1 all of them."""
        wanted = [element for element in elements.elements() if element.get("quick") or os.environ.get("WARPGRADE_ALL")]
        with ThreadPoolExecutor(max(2, os.cpu_count() or 1)) as pool:
            wrong = [problem for problem in pool.map(elements.try_one, wanted) if problem]
        self.assertFalse(wrong, "\n\n".join(wrong))


if __name__ == "__main__":
    unittest.main()
