"""Completion as the shells do it: the scripts that `warpgrade completion` prints, read by bash, zsh and fish."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build/release/grader")) / "warpgrade-bin"
ENVIRONMENT = dict(os.environ, WARPGRADE_ROOT=str(ROOT), NO_COLOR="1")


def script(shell):
    return subprocess.run([BINARY, "completion", shell], env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout


@unittest.skipUnless(BINARY.exists(), "skipped: no program")
class Completion(unittest.TestCase):
    def bash(self, *words, command="warpgrade"):
        """What bash offers for the last of the words."""
        asked = " ".join(f"'{word}'" for word in (command, *words))
        text = (f"{script('bash')}\nwarpgrade() {{ '{BINARY}' \"$@\"; }}\n"
                f"COMP_WORDS=({asked}) COMP_CWORD={len(words)}\n_warpgrade '{command}' '{words[-1]}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n")
        done = subprocess.run(["bash", "-c", text], env=ENVIRONMENT, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_bash_completes_verbs_options_and_stages(self):
        self.assertEqual(self.bash("che"), ["check"])
        self.assertIn("plot", self.bash(""))
        self.assertEqual(self.bash("check", "--sh"), ["--shape"])
        self.assertEqual(self.bash("check", "transpose/pad"), ["transpose/padding"])
        self.assertEqual(self.bash("explain", "padd"), ["padding"])
        self.assertEqual(self.bash("check", "transpose/pad", command=str(BINARY)), ["transpose/padding"])
        self.assertIn("transpose/padding", self.bash("list", "trans"))
        self.assertEqual(self.bash("doctor", "trans"), [])  # it takes no stage

    def test_every_verb_of_the_help_is_completed(self):
        help_text = subprocess.run([BINARY, "--help"], env=ENVIRONMENT, capture_output=True, text=True).stdout
        verbs = [line.split()[0] for line in help_text.split("Verbs:\n")[1].split("\n\n")[0].splitlines() if line[2:3].strip()]
        self.assertGreater(len(verbs), 20)
        self.assertEqual(sorted(self.bash("")), sorted(verbs))

    @unittest.skipUnless(shutil.which("zsh"), "skipped: no zsh here")
    def test_zsh_reads_its_script(self):
        with tempfile.TemporaryDirectory() as folder:
            text = f"autoload -U compinit && compinit -u -d {folder}/dump\n{script('zsh')}\nprint $_comps[warpgrade]\n"
            done = subprocess.run(["zsh", "-f", "-c", text], env=ENVIRONMENT, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "_warpgrade\n", ""))

    @unittest.skipUnless(shutil.which("fish"), "skipped: no fish here")
    def test_fish_completes_verbs_options_and_stages(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "warpgrade").symlink_to(BINARY)
            environment = dict(ENVIRONMENT, HOME=folder, PATH=f"{folder}:{os.environ['PATH']}")
            for line, offered in (("warpgrade che", "check"), ("warpgrade check --sha", "--shape"),
                                  ("warpgrade check transpose/pad", "transpose/padding")):
                done = subprocess.run(["fish", "-c", f"{script('fish')}\ncomplete -C '{line}'"], env=environment,
                                      capture_output=True, text=True)
                self.assertEqual((done.stderr, [row.split("\t")[0] for row in done.stdout.splitlines()]), ("", [offered]))

    def test_another_shell_is_a_usage_error(self):
        done = subprocess.run([BINARY, "completion", "ksh"], env=ENVIRONMENT, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no completion for `ksh`", done.stderr)


if __name__ == "__main__":
    unittest.main()
