"""Makes what learning platforms take, around a released kit:

    .venv/bin/python -I -B grader/launch/platforms.py KIT OUT PLATFORM...

A package is a folder OUT/PLATFORM of the templates in grader/platforms, the kit's programs and stages, and for some an archive
beside it. The seed that hand-ins are graded with is $WARPGRADE_SEED; where students can read the package, it holds none. The
bytes depend on nothing but the kit, the templates and the seed."""

import io
import json
import os
import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11
    try:
        import tomli as tomllib
    except ModuleNotFoundError:
        tomllib = None

from importlib.util import module_from_spec, spec_from_file_location

HERE = Path(__file__).resolve().parent
TEMPLATES = HERE.parent / "platforms"
MADE = ".warpgrade-package"  # says that a folder is ours to replace
EARLIEST = (1980, 1, 1, 0, 0, 0)  # of a zip file


def wheel():
    """Beside this file, where isolated Python does not look."""
    spec = spec_from_file_location("wheel", HERE / "wheel.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stages_of(kit):
    """Those with points, in the order of the course: name, file and points."""
    found = []
    for path in kit.glob("assignments/*/assignment.toml"):
        course = tomllib.loads(path.read_text(encoding="utf-8"))
        for stage in course["stage"]:
            if sum(stage["points"].values()) > 0:
                found.append(((course.get("order", 0), course["name"], stage["number"]),
                              {"name": f"{course['name']}/{stage['id']}", "file": stage["file"], "points": sum(stage["points"].values())}))
    return [stage for _, stage in sorted(found, key=lambda pair: pair[0])]


def copy_kit(kit, target, machine=None):
    """What grades: no sources, no pages, nothing that only students use. Of one kind of machine, if it is named."""
    is_wanted = wheel().is_wanted
    for path in sorted(kit.rglob("*")):
        name = path.relative_to(kit).as_posix()
        parts = name.split("/")
        if not path.is_file() or parts[0] not in ("assignments", "grader", "LICENSE") or parts[:2] == ["grader", "shown"]:
            continue
        if is_wanted(name, parts[2] if machine is None and parts[:2] == ["grader", "programs"] else machine):
            put(target / name, path)


def put(target, source):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)


def put_template(folder, name, target=None):
    put(folder / (target or name.split("/")[-1]), TEMPLATES / name)


def put_grader(folder, kit, stages, machine="x86_64"):
    """What is alike for the platforms that run hand_in.py."""
    put_template(folder, "hand_in.py")
    (folder / "stages.json").write_text(json.dumps([stage["name"] for stage in stages]) + "\n", encoding="utf-8")
    copy_kit(kit, folder / "kit", machine)


def put_tools(folder, kit):
    put_template(folder, "nvrtc.sh")
    put(folder / "nvrtc-requirements.txt", kit / "grader" / "launch" / "nvrtc-requirements.txt")


def put_seed(path, seed):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(seed + "\n", encoding="utf-8")
    path.chmod(0o600)


def gradescope(folder, kit, stages, seed):
    for name in ("setup.sh", "run_autograder"):
        put_template(folder, f"gradescope/{name}")
    put_grader(folder, kit, stages)
    put_tools(folder, kit)
    put_seed(folder / "seed", seed)
    pack_zip(folder, folder.with_suffix(".zip"))
    return [folder.with_suffix(".zip")]


def prairielearn(folder, kit, stages, seed):
    image, question = folder / "image", folder / "question"
    for name in ("Dockerfile", "entrypoint.sh"):
        put_template(image, f"prairielearn/{name}")
    put_grader(image, kit, stages)
    put_tools(image, kit)
    files = ", ".join(stage["file"] for stage in stages)
    text = (TEMPLATES / "prairielearn/question.html").read_text(encoding="utf-8").replace("FILES", files)
    question.mkdir(parents=True)
    (question / "question.html").write_text(text, encoding="utf-8")
    info = {"uuid": uuid_of(folder.name, stages), "title": "Warpgrade", "topic": "CUDA", "tags": [], "type": "v3",
            "gradingMethod": "External", "singleVariant": True,
            "externalGradingOptions": {"enabled": True, "image": "NAME/warpgrade:TERM", "entrypoint": "/grader/entrypoint.sh",
                                       "timeout": 600, "enableNetworking": False}}
    (question / "info.json").write_text(json.dumps(info, indent=2) + "\n", encoding="utf-8")
    put_seed(question / "tests" / "seed", seed)
    return [image, question]


def uuid_of(*words):
    import uuid
    return str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(words)))


def autolab(folder, kit, stages, seed):
    inside = folder / "autograde"
    put_grader(inside, kit, stages)
    put_template(inside, "autolab/autograde.sh")
    put_seed(inside / "seed", seed)
    pack_tar(inside, folder / "autograde.tar")
    shutil.rmtree(inside)
    put_template(folder, "autolab/autograde-Makefile")
    put_template(folder / "image", "autolab/Dockerfile")
    put_tools(folder / "image", kit)
    problems = "".join(f"- name: {stage['name']}\n  description: ''\n  max_score: {float(stage['points'])}\n  optional: false\n" for stage in stages)
    (folder / "problems.yml").write_text("problems:\n" + problems, encoding="utf-8")
    return [folder / "autograde-Makefile", folder / "autograde.tar", folder / "problems.yml", folder / "image"]


def classroom50(folder, kit, stages, _):
    put_template(folder, "classroom50/autograder.py")
    put_grader(folder, kit, stages)
    return [folder]


def github(folder, kit, *_):
    for path in sorted(kit.rglob("*")):
        if path.is_file():
            put(folder / path.relative_to(kit), path)
    put_template(folder, "github/workflow.yml", ".github/workflows/warpgrade.yml")
    for name in ("action.yml", "check.sh"):
        put_template(folder / ".github/actions/warpgrade", f"github/{name}")
    (folder / ".gitignore").write_text("/build/\n/.venv/\n__pycache__/\n", encoding="utf-8")
    return [folder]


PLATFORMS = {"autolab": autolab, "classroom50": classroom50, "github": github, "gradescope": gradescope, "prairielearn": prairielearn}


def files_of(folder):
    return [(path.relative_to(folder).as_posix(), path) for path in sorted(folder.rglob("*")) if path.is_file() and path.name != MADE]


def pack_zip(folder, out):
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in files_of(folder):
            info = zipfile.ZipInfo(name, EARLIEST)
            info.external_attr = (0o100000 | path.stat().st_mode & 0o777) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    out.chmod(0o600)  # it holds the seed


def pack_tar(folder, out):
    with tarfile.open(out, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, path in files_of(folder):
            info = tarfile.TarInfo(name)
            info.mode, info.size = path.stat().st_mode & 0o777, path.stat().st_size
            archive.addfile(info, io.BytesIO(path.read_bytes()))
    out.chmod(0o600)


def refuse(code, title, help_text):
    print(f"error: {title}\n  try: {help_text}", file=sys.stderr)
    return code


def main(words):
    kit, out = (Path(word).resolve() for word in words[:2])
    seed = os.environ.get("WARPGRADE_SEED", "")
    if not re.fullmatch(r"\d+", seed):
        return refuse(2, "no seed was given, and hand-ins are graded with one", "./grader/warpgrade release --for PLATFORM, which takes the course's")
    if tomllib is None:
        return refuse(3, "this Python reads no TOML", "a Python from 3.11 on, or `pip install tomli`")
    if not (kit / "grader/programs/x86_64/warpgrade-bin").is_file():
        return refuse(2, "a package is made around the program for x86-64, and this kit has none",
                      "the command without --without-programs")
    stages = stages_of(kit)
    os.umask(0o022)
    for name in words[2:]:
        folder = out / name
        if folder.exists() and not (folder / MADE).exists():
            return refuse(2, f"`{os.path.relpath(folder)}` is there, and no package of ours", "name another folder with --out")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for made in PLATFORMS[name](folder, kit, stages, seed):
            print(f"package  {os.path.relpath(made)}")
        (folder / MADE).write_text("", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
