"""The form of the sources: includes point one way, C++ is as clang-format leaves it, and shellcheck and ruff find nothing.

The tools are Python packages in the project's venv (reports/tests/test-requirements.txt), of the versions named there."""

import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def tracked(*patterns):
    listed = subprocess.run(["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        raise unittest.SkipTest("skipped: this is no clone, nobody knows which files are the project's")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def tool(name):
    beside = Path(sys.prefix) / "bin" / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if not found:
        raise unittest.SkipTest(f"skipped: {name} is not here; ./grader/warpgrade test installs it")
    return found


def complaints(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return (done.stdout + done.stderr)[-6000:] if done.returncode else ""


class Layers(unittest.TestCase):
    def arrows(self):
        """folder -> the folders that it may include, by the libraries that grader/CMakeLists.txt links it to"""
        text = (ROOT / "grader/CMakeLists.txt").read_text()
        below = {name: set(re.findall(r"warpgrade_(\w+)", words))
                 for name, words in re.findall(r"(?m)^warpgrade_library\((\w+) DEPENDS ([^)]*)\)", text)}
        below["vgpu"] = {"ptx"}  # it has a CMakeLists.txt of its own
        self.assertGreater(len(below), 10)

        def reach(name):
            return {name}.union(*(reach(other) for other in below[name]))

        return {name: reach(name) for name in below}

    def test_includes_point_down(self):
        arrows = self.arrows()
        wrong = []
        for name in tracked("grader/*.cpp", "grader/*.hpp"):
            folder = name.split("/")[1]
            for header in re.findall(r'(?m)^#include "(\w+)/', (ROOT / name).read_text()) if folder in arrows else ():
                if header in arrows and header not in arrows[folder]:
                    wrong.append(f"{name} includes {header}/")
        self.assertEqual(wrong, [])

    def test_no_files_include_one_another(self):
        spec = importlib.util.spec_from_file_location("house", ROOT / "grader/lab/house/house.py")
        house = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(house)
        self.assertEqual(house.circles(house.files_of(None)[0]), [])


def arguments_of(text, start):
    """How many arguments stand from here to the bracket that closes the call."""
    depth, count, i = 1, 0, start
    while depth:
        if text[i] == '"':
            i = re.compile(r'"(?:[^"\\\n]|\\.)*"').match(text, i).end() - 1
        elif re.match(r"'(?:\\.|[^\\'])'", text[i:]):
            i += len(re.match(r"'(?:\\.|[^\\'])'", text[i:])[0]) - 1
        else:
            depth += (text[i] in "([{") - (text[i] in ")]}")
            count += text[i] == "," and depth == 1
        i += 1
    return count


class Words(unittest.TestCase):
    AVOIDED = re.compile(r"\b(?:mend|nobody|whom|who is|in front of|goes on by|behind|are to|in place of)\b|(?<!there )\bis no (?!more|longer)")

    def sentences(self):
        """The rows of explain/sentences: id -> (where it stands, text)"""
        rows = {}
        for name in tracked("grader/explain/sentences/*.toml"):
            for id, text in tomllib.loads((ROOT / name).read_text()).items():
                self.assertNotIn(id, rows)
                rows[id] = (name, text)
        self.assertGreater(len(rows), 100)
        return rows

    def test_messages_keep_the_words_of_the_house_style(self):
        literal = re.compile(r'"(?:[^"\\\n]|\\.)*"')
        wrong = [f"{name}: {text}" for name, text in self.sentences().values() if self.AVOIDED.search(text)]
        wrong += [text for text in re.findall(r'"(.*)"', (ROOT / "grader/explain/descriptions.toml").read_text()) if self.AVOIDED.search(text)]
        for name in tracked(*(f"grader/{room}/*.cpp" for room in ("run", "explain", "problem", "grade"))):
            for number, line in enumerate((ROOT / name).read_text().split("\n"), 1):
                wrong += [f"{name}:{number}: {text}" for text in literal.findall(line.split(" // ")[0]) if self.AVOIDED.search(text)]
        self.assertEqual(wrong, [])

    def test_each_sentence_is_said_and_gets_what_it_asks_for(self):
        rows, said = self.sentences(), set()
        for name in tracked("grader/explain/*.cpp", "grader/grade/*.cpp"):
            text = (ROOT / name).read_text()
            said.update(id for id in re.findall(r'"(\w+)"', text) if id in rows)  # in a call, or in a table
            for call in re.finditer(r'\bsay\("(\w+)"', text):
                places = re.findall(r"\{(\d*)(?::[^}]*)?\}", rows[call[1]][1].replace("{{", "").replace("}}", ""))
                asked = max(map(int, places)) + 1 if places and places[0] else len(places)
                self.assertEqual(arguments_of(text, call.end()), asked, f"{name}: {call[1]}")
        self.assertEqual(said, set(rows))

    def test_known_mistakes_are_made_and_looked_at(self):
        code = {name: (ROOT / name).read_text() for name in tracked(*(f"grader/{room}/*.cpp" for room in ("problem", "explain", "grade")))}
        known = re.findall(r'(?m)^    "(\w+)",$', code.pop("grader/problem/known_mistake.cpp"))
        self.assertGreater(len(known), 40)
        text = "\n".join(code.values())
        rows = "\n".join((ROOT / name).read_text() for name in tracked("grader/problem/*.toml", "assignments/*/problem.toml"))
        made = {name for name in known if f'name = "{name}"' in rows or f'"{name}"' in text or f"name_of(KnownMistake::{name})" in text}
        asked = {name for name in known if re.search(rf"(?<!name_of\()KnownMistake::{name}\b", text)}
        self.assertEqual((made, asked), (set(known), set(known)))
        self.assertEqual(re.findall(r'(?m)^.*\bpattern [!=]= ".*$', text), [])

    def test_descriptions_ask_for_what_there_is(self):
        rows = tomllib.loads((ROOT / "grader/explain/descriptions.toml").read_text())["row"]
        code = (ROOT / "grader/explain/descriptions.cpp").read_text()
        finding = (ROOT / "grader/vgpu/finding.cpp").read_text() + (ROOT / "grader/vgpu/finding.hpp").read_text()

        def texts(row, *keys):
            return [text for key in keys for text in ([row[key]] if isinstance(row.get(key), str) else row.get(key, []))]

        asked = {name.lstrip("!") for row in rows for name in texts(row, "when")}
        self.assertEqual({name for name in asked if "=" not in name}, set(re.findall(r'Condition\{\s*"(\w+)"', code)))
        for name in asked:
            if name.startswith(("misuse=", "refusal=")):
                self.assertRegex(finding, rf"\b{name.split('=')[1]}\b")
        filled = {name for row in rows for text in texts(row, "title", "mark", "label", "other", "facts", "help")
                  for name in re.findall(r"\{(\w+)(?::\w+)?\}", text)}
        self.assertEqual(filled, set(re.findall(r'Value\{\s*"(\w+)"', code)))
        for kind in {kind for row in rows for kind in texts(row, "of")}:
            self.assertIn(f'"{kind}"', finding)


class Form(unittest.TestCase):
    def test_cpp_is_formatted(self):
        self.assertEqual(complaints(tool("clang-format"), "--dry-run", "-Werror", *tracked("grader/*.cpp", "grader/*.hpp")), "")

    def test_no_file_is_read_in_a_way_that_waits(self):
        """Opening a pipe with an ifstream waits for who writes into it; base/files.hpp does not."""
        waiting = [name for name in tracked("grader/*.cpp", "grader/*.hpp") if "std::ifstream" in (ROOT / name).read_text(encoding="utf-8")]
        self.assertEqual([name for name in waiting if not name.startswith(("grader/tests/", "grader/lab/"))], [])

    def test_nothing_is_drawn_as_a_standard_library_likes(self):
        """These give other numbers with libc++, which is inside the programs of a release, than with libstdc++."""
        drawn = re.compile(r"std::(shuffle|sample|\w+_distribution|default_random_engine|generate_canonical)\b")
        found = [name for name in tracked("grader/*.cpp", "grader/*.hpp")
                 if not name.startswith(("grader/tests/", "grader/lab/")) and drawn.search((ROOT / name).read_text(encoding="utf-8"))]
        self.assertEqual(found, [])

    def test_no_test_has_a_semicolon_in_its_name(self):
        """CMake takes it for two tests then, neither of which is found, and both pass."""
        for path in sorted((ROOT / "grader/tests").rglob("*_test.cpp")):
            names = re.findall(r'TEST_CASE\("((?:[^"\\]|\\.)*)"', path.read_text(encoding="utf-8"))
            self.assertEqual([name for name in names if ";" in name], [], path.name)

    def test_python_has_no_mistake_that_ruff_sees(self):
        self.assertEqual(complaints(tool("ruff"), "check", "--quiet", "--no-cache", *tracked("*.py")), "")

    def test_shell_has_no_mistake_that_shellcheck_sees(self):
        scripts = [name for name in tracked("grader", ".ci", "handouts", "reports") if is_shell(ROOT / name)]
        self.assertGreater(len(scripts), 5)
        self.assertEqual(complaints(tool("shellcheck"), "--severity=warning", "-x", *scripts), "")

    def test_each_part_of_the_launcher_reads_the_parts_that_it_calls(self):
        """`with NAME` reads launch/NAME.sh once; what nobody has read is a command that is not found, minutes later."""
        texts = {Path(name).stem: re.sub(r"(?m)^\s*#.*$", "", (ROOT / name).read_text(encoding="utf-8"))
                 for name in tracked("grader/launch/*.sh")}
        home = {function: name for name, text in texts.items() for function in re.findall(r"(?m)^(\w+)\(\)", text)}
        self.assertGreater(len(home), 30)
        for name, text in texts.items():
            called = {home[word] for word in re.findall(r"(?<![\w$/.\"'-])[a-z_]+(?![\w./=-])", text) if word in home}
            self.assertEqual(called - {name} - set(re.findall(r"\bwith (\w+)", text)), set(), f"{name}.sh calls")


def is_shell(path):
    with open(path, "rb") as file:
        return path.suffix == ".sh" or re.match(rb"#!.*\b(ba)?sh\b", file.readline()) is not None


if __name__ == "__main__":
    unittest.main()
