"""What `grade --executor slurm` asks of Slurm, and what it does with what Slurm says: with commands that only write down how they were
called. grader/lab/slurm has a real one."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")).resolve() / "warpgrade-bin"
STUDENTS, STAGES = ("ann", "bo", "cy"), ("naive_read", "naive_write")

# $most: elements that one user may have; the collector is a job more.
SBATCH = """#!/bin/bash
printf '%s\\n' "sbatch $*" >>"$CALLS"
elements=1
[[ $* =~ --array=0-([0-9]+) ]] && elements=$((BASH_REMATCH[1] + 1))
[[ $* != *--dependency* || -z ${REFUSES_COLLECTOR-} ]] || { echo "sbatch: error: AssocMaxSubmitJobLimit" >&2; exit 1; }
((elements <= MOST)) || { echo "sbatch: error: QOSMaxSubmitJobPerUserLimit
sbatch: error: Batch job submission failed: Job violates accounting/QOS policy" >&2; exit 1; }
echo $((100 + $(grep -c '^sbatch' "$CALLS")))
"""
SQUEUE = """#!/bin/bash
printf '%s\\n' "squeue $*" >>"$CALLS"
[[ -z $SQUEUE_SAYS ]] || { printf '%s\\n' "$SQUEUE_SAYS" >&2; exit 1; }
printf '%s' "$QUEUE"
"""
OTHER = """#!/bin/bash
printf '%s\\n' "${0##*/} $*" >>"$CALLS"
"""


@unittest.skipUnless(BINARY.exists(), "skipped: not built")
class Slurm(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name, text in {"sbatch": SBATCH, "squeue": SQUEUE, "scontrol": OTHER, "scancel": OTHER, "sacct": OTHER}.items():
            program = self.folder / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(text)
            program.chmod(0o755)
        for student in STUDENTS:
            for file in sorted((ROOT / "solutions/transpose").glob("[12]_*.cu")):
                target = self.folder / "class" / student / file.name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(file.read_text(encoding="utf-8") + f"// {student}\n", encoding="utf-8")
        (self.folder / "roster.csv").write_text("id\n" + "\n".join(STUDENTS) + "\n")

    def send(self, *more, most=1000, **variables):
        calls = self.folder / "calls"
        calls.unlink(missing_ok=True)
        environment = {**os.environ, "WARPGRADE_ROOT": str(ROOT), "NO_COLOR": "1", "CALLS": str(calls), "MOST": str(most),
                       "QUEUE": "", "SQUEUE_SAYS": "", "PATH": f"{self.folder}/bin:{os.environ['PATH']}", **variables}
        words = ["grade", self.folder / "class", "--roster", self.folder / "roster.csv", "--out", self.folder / "out", "--seed", "7",
                 "--device", "virtual", "--no-reports", *(f"--stage={stage}" for stage in STAGES), "--executor", "slurm", *more]
        done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment)
        self.said = " ".join((done.stdout + done.stderr).split())
        self.calls = calls.read_text().splitlines() if calls.exists() else []
        self.arrays = [call for call in self.calls if "--array=" in call]
        self.collectors = [call for call in self.calls if "--dependency=" in call]
        return done.returncode

    def test_one_array_and_one_job_that_waits_for_it(self):
        self.assertEqual(self.send("--chunk", "2", "--slurm=--partition=gpu", "--slurm=--gres=gpu:1", "--slurm=--time=9"), 0, self.said)
        self.assertEqual((len(self.arrays), len(self.collectors)), (1, 1))
        self.assertIn("--array=0-2", self.arrays[0])
        self.assertIn("--gres=gpu:1 --time=9", self.arrays[0])
        self.assertIn("--dependency=afterany:101", self.collectors[0])
        self.assertIn("--partition=gpu", self.collectors[0])
        for not_its in ("--gres", "--time", "--mail"):
            self.assertNotIn(not_its, self.collectors[0].split("--wrap")[0])

    def test_an_element_asks_for_time_by_what_stages_took_unless_somebody_has_said_it(self):
        store = self.folder / "out" / ".store"
        (store / "slurm" / "started").mkdir(parents=True)
        (store / "slurm" / "started" / "another").write_text("1000 5_0 node\n")
        (store / "another.json").write_text("{}")
        os.utime(store / "another.json", (1090, 1090))
        self.send("--chunk", "2")
        self.assertIn(" --time=11 ", self.arrays[0])  # 2 x 90 s x 2 stages, and 5 min
        self.assertIn("with 11 min each", self.said)
        self.send("--chunk", "2", "--slurm=--time=30")
        self.assertEqual(self.arrays[0].count("--time="), 1)
        self.assertNotIn("min each", self.said)

    def test_the_collector_may_have_options_of_its_own_and_writes_a_mail(self):
        self.send("--slurm=--partition=gpu", "--collector=--partition=cpu", "--mail", "me@example.org")
        head = self.collectors[0].split("--wrap")[0]
        self.assertIn("--partition=cpu", head)
        self.assertNotIn("--partition=gpu", head)
        self.assertIn("--mail-user=me@example.org --mail-type=END,FAIL", head)
        self.assertNotIn("--mail", self.arrays[0].split("--wrap")[0])

    def test_elements_run_behind_a_prefix_and_the_collector_does_not(self):
        self.send("--prefix", "apptainer exec --nv image.sif")
        self.assertRegex(self.arrays[0], r"--wrap exec env .*apptainer exec --nv image\.sif .*warpgrade-bin'? grade-chunk$")
        self.assertRegex(self.collectors[0], r"--wrap exec env WARPGRADE_COLLECTS=1 '?/")

    def test_where_one_user_may_have_few_jobs_elements_are_fewer_and_longer(self):
        self.assertEqual(self.send("--chunk", "1", most=3), 0, self.said)
        self.assertEqual([call.split("--array=0-")[1].split()[0] for call in self.arrays], ["5", "2"])
        self.assertIn("of 3 elements", self.said)

    def test_an_array_that_nothing_collects_is_cancelled(self):
        self.assertEqual(self.send("--chunk", "1", REFUSES_COLLECTOR="1"), 3, self.said)
        self.assertIn("AssocMaxSubmitJobLimit", self.said)
        self.assertEqual(sum(call.startswith("scancel") for call in self.calls), len(self.arrays))

    def test_a_controller_that_does_not_answer_has_nothing_sent_again(self):
        self.send()
        self.assertEqual(self.send(SQUEUE_SAYS="slurm_load_jobs error: Unable to contact slurm controller (connect failure)"), 3, self.said)
        self.assertEqual(self.arrays, [])
        self.assertIn("Slurm does not say whether job 101 is at work", self.said)
        self.assertIn("Unable to contact slurm controller", self.said)
        self.assertEqual(sum(call.startswith("squeue") for call in self.calls), 5)

    def test_a_job_that_slurm_has_forgotten_has_ended(self):
        self.send()
        self.send(SQUEUE_SAYS="slurm_load_jobs error: Invalid job id specified")
        self.assertEqual(len(self.arrays), 1, self.said)

    def test_what_is_at_work_is_left_alone(self):
        self.send()
        self.assertEqual(self.send(QUEUE="RUNNING\n"), 0, self.said)
        self.assertIn("job 101 is at work", self.said)
        self.assertEqual(self.arrays, [])


if __name__ == "__main__":
    unittest.main()
