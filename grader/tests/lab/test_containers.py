"""The recipes of containers name files that are there, and the laboratory's trials what the handout says.

grader/lab/roots/images.sh builds the image, and roots.py types the trials: both need root and a network, so they run by hand."""

import json
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CONTAINERS = ROOT / "grader/containers"


def copied(recipe):
    """The files and folders that a Dockerfile copies from the course's folder."""
    for line in re.findall(r"(?m)^COPY (.*)$", recipe):
        yield from [word for word in line.split() if not word.startswith("--")][:-1]


class Recipes(unittest.TestCase):
    def test_what_they_copy_is_there(self):
        docker = list(copied((CONTAINERS / "Dockerfile").read_text()))
        section = (CONTAINERS / "warpgrade.def").read_text().split("%files\n")[1].split("\n\n")[0]
        apptainer = [line.split()[0] for line in section.splitlines()]
        self.assertGreater(len(docker), 5)
        self.assertEqual(apptainer, docker[:len(apptainer)])  # both give provide.sh the same
        self.assertEqual([name for name in docker if not (ROOT / name).exists()], [])

    def test_an_image_takes_no_more_than_it_names(self):
        names = set(copied((CONTAINERS / "Dockerfile").read_text()))
        self.assertEqual(names & {".", "./", "solutions"}, set())

    def test_the_development_container_is_a_stage_of_the_dockerfile(self):
        file = ROOT / ".devcontainer/devcontainer.json"
        build = json.loads(file.read_text())["build"]
        recipe = (file.parent / build["dockerfile"]).resolve()
        self.assertEqual(recipe, CONTAINERS / "Dockerfile")
        self.assertEqual((file.parent / build["context"]).resolve(), ROOT)
        self.assertRegex(recipe.read_text(), rf"(?m)^FROM \S+ AS {build['target']}$")


@unittest.skipIf(sys.version_info < (3, 11), "skipped: roots.py reads TOML with Python 3.11")
class Trials(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        global roots
        sys.path.insert(0, str(ROOT / "grader/lab/roots"))
        import roots

    def test_each_has_something_to_type(self):
        for name, trial in roots.TRIALS.items():
            with self.subTest(name):
                steps = list(roots.steps_of(trial))
                self.assertTrue(any("warpgrade" in command for command, _ in steps), steps)
        typed = [command for command, _ in roots.steps_of({"steps": ["handout: Set up"]})]
        self.assertEqual(typed[:3], ["tar xf warpgrade.tar.gz", "cd warpgrade", "./grader/warpgrade check copy"])

    def test_a_section_that_is_not_there_is_an_error(self):
        with self.assertRaises(TypeError):
            list(roots.steps_of({"steps": ["handout: Set down"]}))


if __name__ == "__main__":
    unittest.main()
