"""`check --page`, `watch --page` and `check --watch --page`: the page beside the terminal, for whoever knows its address and nobody else."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("WARPGRADE_BINARY_DIR", ROOT / "build" / "release" / "grader")) / "warpgrade-bin"
PYTHON = ROOT / ".venv" / "bin" / "python"
SECONDS = 120


@unittest.skipUnless(BINARY.exists() and PYTHON.exists(), f"{BINARY.name} or .venv is not there: the served page is NOT tried")
class ServedPage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "warmup").mkdir()
        self.file = self.folder / "warmup" / "1_one_thread.cu"
        shutil.copy(ROOT / "solutions" / "warmup" / self.file.name, self.file)
        self.environment = {**os.environ, "WARPGRADE_ROOT": str(ROOT), "SSH_CONNECTION": "10.0.0.9 5555 10.0.0.1 22"}

    def start(self, *verb):
        process = subprocess.Popen([BINARY, *verb, "--device", "virtual", "--page", self.file], cwd=ROOT, env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        said = ""
        for line in process.stdout:
            said += line
            if "ssh -N" in line:
                return process, said
        self.fail(f"no address: {said}")

    def get(self, address, method="GET", **headers):
        try:
            with urllib.request.urlopen(urllib.request.Request(address, method=method, headers=headers), timeout=SECONDS) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code, ""

    def until(self, address, words):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            text = self.get(address)[1]
            if words in text:
                return
            time.sleep(0.1)
        self.fail(f"{words!r} is not in {text!r}")

    def test_it_is_served_to_its_address_alone_and_follows_the_file(self):
        process, said = self.start("watch")
        address, port, token = re.search(r"(http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/)", said).groups()
        self.assertIn(f"ssh -N -L {port}:127.0.0.1:{port} 10.0.0.1", said)
        status, text = self.get(address)
        self.assertEqual(status, 200)
        self.assertIn('data-version="1"', text)
        self.assertIn("connect-src 'self'", text)
        outside = f"http://127.0.0.1:{port}/"
        for other in (outside, f"{outside}{token}", f"{outside}{'0' * 32}/", f"{address}x", f"{address}../../etc/passwd",
                      f"{outside}etc/passwd"):
            self.assertEqual(self.get(other)[0], 404, other)
        self.assertEqual(self.get(address, Host="elsewhere.example")[0], 404)
        self.assertEqual(self.get(address, method="POST")[0], 404)
        self.assertEqual(self.get(address, Host=f"localhost:{port}")[0], 200)
        code = self.file.read_text(encoding="utf-8")
        self.file.write_text(f"{code}// saved\n", encoding="utf-8")
        self.until(f"{address}version", '"version": 2')
        self.assertIn("// saved", self.get(address)[1])
        self.file.write_text(f"{code}oops\n", encoding="utf-8")
        self.until(f"{address}version", "does not compile")
        self.assertIn("// saved", self.get(address)[1])
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(SECONDS), 130)
        with self.assertRaises(OSError):
            self.get(address)

    def test_check_watch_serves_it_too(self):
        process, said = self.start("check", "--watch")
        self.assertEqual(self.get(re.search(r"(http://127\.0\.0\.1:\d+/[0-9a-f]{32}/)", said)[1])[0], 200)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(SECONDS), 130)

    def check(self, *arguments):
        return subprocess.run([BINARY, "check", "--device", "virtual", *map(str, arguments)], cwd=ROOT, env=self.environment,
                              capture_output=True, text=True)

    def test_a_file_is_written_where_nobody_watches(self):
        page = self.folder / "page.html"
        done = self.check("--page", page, self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("page: ", done.stdout)
        self.assertNotIn(str(self.folder), page.read_text(encoding="utf-8"))
        report = self.folder / "report"
        self.assertEqual(self.check("--page", "--report", report, self.file).returncode, 0)
        self.assertIn('href="warmup_one_thread.html"', (report / "report.html").read_text(encoding="utf-8"))
        self.assertTrue((report / "warmup_one_thread.html").is_file())
        here = subprocess.run([BINARY, "check", "--device", "virtual", "--page", self.file], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True)
        self.assertTrue((self.folder / "warmup_one_thread.html").is_file(), here.stderr)
        lost = self.check("--page", self.folder / "none" / "page.html", self.file)
        self.assertEqual(lost.returncode, 2)
        self.assertIn("there is no folder", lost.stderr)
        self.assertNotIn(".new-", lost.stderr)
        self.assertEqual(self.check("--watch", "--page", page, self.file).returncode, 2)


if __name__ == "__main__":
    unittest.main()
