"""`demo` from outside: its table, its report, its exit code. The program is a small one that recites prepared results."""

import json
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, os.path.dirname(__file__))
from launcher_tree import REPOSITORY, Tree  # noqa: E402

sys.path.insert(0, str(REPOSITORY))
from reports.tests.made import document, stage, stub  # noqa: E402

PROGRAM = """\
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
// `verify --results FOLDER`: copies answers/*.json to the folder, and ends as answers/code says.
int main(int, char* argv[]) {
    namespace fs = std::filesystem;
    const std::string root = std::getenv("WARPGRADE_ROOT");
    int code = 0;
    if (std::FILE* number = std::fopen((root + "/answers/code").c_str(), "r")) {
        if (std::fscanf(number, "%d", &code) != 1) std::abort();
    }
    std::puts(argv[1]);
    if (code == 70) return code;
    fs::create_directories(argv[3]);
    for (const char* name : {"/solutions.json", "/stubs.json"}) fs::copy(root + "/answers" + name, argv[3] + std::string(name));
    return code;
}
"""
VENV = REPOSITORY / ".venv"


class Demo(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory(prefix="warpgrade demo ")
        cls.addClassCleanup(place.cleanup)
        cls.tree = Tree(Path(place.name) / "kit")
        cls.tree.main.write_text(PROGRAM)
        root = cls.tree.root
        shutil.copytree(REPOSITORY / "reports", root / "reports")
        (root / "solutions").mkdir()
        (root / "answers").mkdir()

    def demo(self, solution, unfinished, code=None, **environment):
        answers = self.tree.root / "answers"
        (answers / "solutions.json").write_text(json.dumps(document(solution)))
        (answers / "stubs.json").write_text(json.dumps(document(unfinished)))
        (answers / "code").unlink(missing_ok=True)
        if code is not None:
            (answers / "code").write_text(str(code))
        venv = self.tree.root / ".venv"
        if not venv.exists() and VENV.exists() and not environment:
            venv.symlink_to(VENV)  # what pip would install again
        return self.tree.run("demo", environment=self.tree.environment(**environment))

    @unittest.skipUnless(VENV.exists(), "no .venv with matplotlib")
    def test_a_course_as_it_should_be(self):
        code, out, err = self.demo(stage(), stub())
        self.assertEqual(code, 0, out + err)
        self.assertTrue(out.startswith("verify\n"), out)
        for name in ("solutions", "stubs"):
            self.assertIn(f"report: build/demo/{name}/report.html\n", out)
            page = (self.tree.root / "build" / "demo" / name / "report.html").read_text(encoding="utf-8")
            self.assertIn("transpose/padding", page)

    @unittest.skipUnless(VENV.exists(), "no .venv with matplotlib")
    def test_a_course_that_is_at_odds_with_itself_fails_the_demo_and_is_reported(self):
        code, out, _ = self.demo(stage(), stage(), code=2)
        self.assertEqual(code, 2)
        self.assertIn("report: build/demo/stubs/report.html\n", out)

    def test_a_defect_of_the_program_ends_the_demo(self):
        code, out, err = self.demo(stage(), stub(), code=70)
        self.assertEqual((code, out), (70, "verify\n"), err)

    def test_without_a_network_there_is_the_table_and_the_reason(self):
        venv = self.tree.root / ".venv"
        if venv.is_symlink():
            venv.unlink()
        offline = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull,
                   "PIP_NO_CACHE_DIR": "1", "PIP_RETRIES": "0"}
        code, out, err = self.demo(stage(), stub(), **offline)
        shutil.rmtree(venv)
        self.assertEqual(code, 3, out + err)
        self.assertTrue(out.startswith("verify\n"), out)
        self.assertIn("pip could not install matplotlib and jinja2", err)
        self.assertIn("there is no HTML report", err)


if __name__ == "__main__":
    unittest.main()
