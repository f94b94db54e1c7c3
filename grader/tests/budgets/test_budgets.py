"""Every program that asks for too much is answered: no signal, no defect of the kit's, within time and memory.

A part of IN_CI; WARPGRADE_ALL=1 takes all of that, WARPGRADE_BUDGETS=all every generated program and prints what each
cost, WARPGRADE_BUDGETS=print_ those whose name holds the text."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "grader/tests/support")]
import hostile_programs  # noqa: E402
from part import part_of  # noqa: E402

BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve() / "warpgrade-bin"
WANTED = os.environ.get("WARPGRADE_BUDGETS", "")
SLOWDOWN = int(os.environ.get("WARPGRADE_SLOWDOWN", "1"))  # the sanitizers', see CMakePresets.json
MOST_BYTES = 2 * SLOWDOWN << 30  # resident
# Processor time, as a multiple of what checking USUAL takes beside it: machines differ, and so do minutes.
# 2.1 to 2.9 s on two cores of an AMD EPYC (Zen 4); a check that a proof makes shorter is no measure.
USUAL, USUAL_STAGE, MOST_TIMES = ROOT / "solutions/transpose/7_any_type.cu", "transpose/any_type", 5

# One of each kind, quick ones, and what must be said of them.
IN_CI = {
    "launch_storm": "timeout", "refused_different": "invalid_launch",
    "memset_storm": "timeout", "array_of_64_gib": "too_large", "local_array_of_400_kb": "timeout",
    "print_flood": "timeout",
    "print_precision": None, "spin_for_ever": "timeout", "flag_that_nobody_sets": "timeout",
    "one_address": "timeout", "barrier_storm": "timeout", "scattered_stores": None, "recursion": "timeout",
    "assert_storm": "assertion", "block_copies": "timeout", "bulk_copies": "timeout", "less_than_in_one_line": None,
    "launchers_that_are_none": "launcher_hidden", "long_word_before_quote": None, "macro_bomb": None,
    "many_barriers": None, "nested_loops": None, "same_bytes": "timeout", "memset_lines": "out_of_bounds",
}

# May be ended by the processor's clock: what compiling and reading far more code than a task needs takes is counted by
# nothing else, and bytes of each thread's own that lie in no cache are counted too cheaply.
ENDED_BY_TIME = {"many_used_variables", "many_functions", "many_branches", "large_switch", "functions_of_double",
                 "many_kernels", "local_array_of_60_kb", "many_statements_of_asm"}


class Cost:
    def __init__(self, path, stage=None):
        stage = stage or re.search(r"^// stage: (\S+)", path.read_text(), re.M).group(1)
        environment = dict(os.environ, WARPGRADE_ROOT=str(ROOT), NO_COLOR="1", WARPGRADE_CACHE="")
        with tempfile.TemporaryFile() as output:
            child = subprocess.Popen([BINARY, "check", path, "--stage", stage], env=environment,
                                     stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status) if hasattr(os, "waitstatus_to_exitcode") else status >> 8
            output.seek(0)
            self.text = output.read().decode(errors="replace")
        self.code = child.returncode
        self.seconds = used.ru_utime + used.ru_stime
        self.bytes = used.ru_maxrss * 1024
        self.headlines = re.findall(r"^error\[(\w+)\]: .*", self.text, re.M)

    def row(self, name):
        first = re.search(r"^(error|warning)\[.*", self.text, re.M)
        return f"{name:26} exit {self.code}  {self.seconds:5.2f} s  {self.bytes / 2**30:4.2f} GiB  " \
               f"{first.group(0)[:90] if first else ''}"


@unittest.skipUnless(BINARY.exists(), "not built")
class Budgets(unittest.TestCase):
    def test_all_are_answered_within_time_and_memory(self):
        programs = hostile_programs.all_programs()
        self.assertGreater(len(programs), 100)
        self.assertEqual(IN_CI.keys() - programs, set())
        if WANTED:
            names = [name for name in programs if WANTED == "all" or WANTED in name]
        else:
            names = part_of(IN_CI, 5, "programs that ask for too much")
        with tempfile.TemporaryDirectory() as folder:
            usual = Cost(USUAL, USUAL_STAGE).seconds
            for name, path in hostile_programs.write(folder, names).items():
                cost = Cost(path)
                times = cost.seconds / max(usual, usual := Cost(USUAL, USUAL_STAGE).seconds)
                if WANTED:
                    print(f"{times:4.1f} times  {cost.row(name)}", flush=True)
                with self.subTest(name):
                    self.assertIn(cost.code, (0, 1), cost.text)
                    if "compile_timeout" in cost.headlines:  # a clock of its own, three times as long where all is slow
                        self.assertLess(cost.seconds, 3 * 6 + 2)
                    else:
                        self.assertLess(times, MOST_TIMES, cost.text)
                    self.assertLess(cost.bytes, MOST_BYTES, cost.text)
                    if name not in ENDED_BY_TIME and usual < 3 * SLOWDOWN:
                        self.assertNotIn("more than 8 s of processor time", cost.text)
                    if IN_CI.get(name):
                        self.assertIn(IN_CI[name], cost.headlines, cost.text)


if __name__ == "__main__":
    unittest.main()
