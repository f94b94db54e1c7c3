"""`list STAGE`: what the points are for, as assignment.toml has it."""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")) / "warpgrade-bin"


@unittest.skipUnless(BINARY.exists(), f"{BINARY.name} is not built")
class ListStage(unittest.TestCase):
    def listed(self, *words):
        return subprocess.run([BINARY, "list", *words], cwd=ROOT, env={**os.environ, "WARPGRADE_ROOT": str(ROOT)},
                              capture_output=True, text=True)

    def test_every_rule_and_point_of_every_assignment_is_shown(self):
        seen = 0
        for path in sorted((ROOT / "assignments").glob("*/assignment.toml")):
            assignment = tomllib.loads(path.read_text(encoding="utf-8"))
            for stage in assignment["stage"]:
                name = f"{path.parent.name}/{stage['id']}"
                points = sum(stage.get("points", {}).values()) if stage.get("graded", True) else 0
                text = self.listed(name).stdout
                with self.subTest(name):
                    if not points:
                        self.assertEqual(text, f"{name} gives no points\n")
                        continue
                    seen += 1
                    rows = [re.match(r"(.*?) {2,}([\d.]+)(?:  (.*))?$", line) for line in text.splitlines()[2:]]
                    rows = [row.groups() for row in rows if row]
                    *parts, whole = [float(row[1]) for row in rows]
                    self.assertEqual(rows[-1][0], "together")
                    self.assertAlmostEqual(whole, points)
                    self.assertAlmostEqual(sum(parts), points, delta=0.04)  # thirds of a point are rounded
                    for rule in stage.get("rule", []):
                        self.assertIn(rule["expect"] + (" *" if rule.get("points", 0) > 0 else ""), text)
        self.assertGreater(seen, 25)

    def test_what_is_no_stage_is_usage(self):
        self.assertEqual(self.listed("transpose/pading").returncode, 2)
        self.assertEqual(self.listed("--format", "json", "transpose/padding").returncode, 2)


if __name__ == "__main__":
    unittest.main()
