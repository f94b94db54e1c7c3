#!/usr/bin/env python3
"""The size of the C++ sources: grader/lab/house/house.py [COMMIT ...] [--list]

Measures the product, *.cpp and *.hpp of grader/ without tests, lab and bench, in the working tree, or in each COMMIT,
and prints a table with a column for each. --list names the circles and the longest functions and files of the first."""

import argparse
import io
import pathlib
import re
import statistics
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
APART = ("tests", "lab", "bench")
LONG_FILE, LONG_FUNCTION, LONGEST_FUNCTION = 400, 60, 80
TOKENS = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*(?:.|\n)*?\*/')


def files_of(commit):
    """The texts by path: C++ of the product, and the names of the problems' folders."""
    if commit:
        packed = subprocess.run(["git", "archive", commit, "grader", "assignments"], capture_output=True, check=True, cwd=ROOT).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            found = {member.name: archive.extractfile(member).read().decode(errors="replace")
                     for member in archive if member.isfile() and member.name.endswith((".cpp", ".hpp", "problem.toml"))}
    else:
        found = {str(path.relative_to(ROOT)): path.read_text(errors="replace") for folder in ("grader", "assignments")
                 for path in (ROOT / folder).rglob("*") if path.suffix in (".cpp", ".hpp") or path.name == "problem.toml"}
    problems = {pathlib.PurePath(name).parent.name for name in found if name.endswith("problem.toml")}
    product = {name: text for name, text in found.items() if name.startswith("grader/") and name.endswith(("pp",))
               and name.split("/")[1] not in APART and len(name.split("/")) > 2}
    return product, problems


def plain(text):
    """Without comments and texts; as many lines."""
    return TOKENS.sub(lambda found: '""' * (found[0][0] in "\"R'") + "\n" * found[0].count("\n"), text)


def functions(text):
    """(name, first line, lines) of the functions that a file defines, the outermost ones."""
    text = plain(text)
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", lambda found: "\n" * found[0].count("\n"), text, flags=re.M)
    found, begin, inside, depth = [], 0, None, 0
    for at in re.finditer(r"[{};]", text):
        at, sign = at.start(), text[at.start()]
        if inside is not None:
            depth += (sign == "{") - (sign == "}")
            if depth == 0:
                name, first = inside
                found.append((name, text.count("\n", 0, first) + 1, text.count("\n", first, at) + 1))
                inside, begin = None, at + 1
            continue
        head = text[begin:at]
        if sign == "{" and head.count("(") != head.count(")"):
            continue  # {} in a parameter's usual value
        if sign == "{":
            is_body = ")" in head and not re.search(r"\b(namespace|struct|class|enum|union)\b[^()]*$", head)
            if is_body and re.search(r"(?<![=!<>])=(?!=)\s*[^()]*$", head):
                is_body = False  # a value in braces
            if is_body:
                name = re.search(r"([\w:~]+|operator\S+)\s*\(", head)
                inside, depth = (name[1] if name else "?", begin + len(head) - len(head.lstrip())), 1
                continue
            if re.search(r"(=|\]|,|\()\s*$", head):  # values
                inside, depth = None, 0
        begin = at + 1
    return found


def circles(product):
    """Files, a header with its source, that include one another: strongly connected groups of more than one."""
    unit = {name: name.rsplit(".", 1)[0].removeprefix("grader/") for name in product}
    units = set(unit.values())
    to = {one: set() for one in units}
    for name, text in product.items():
        for header in re.findall(r'^#include "([\w/.]+)"', text, flags=re.M):
            other = header.rsplit(".", 1)[0]
            if other in units and other != unit[name]:
                to[unit[name]].add(other)

    def reached(start):
        seen, stack = set(), [start]
        while stack:
            for other in to[stack.pop()] - seen:
                seen.add(other)
                stack.append(other)
        return seen

    reach = {one: reached(one) for one in units}
    return sorted({tuple(sorted(other for other in units if other in reach[one] and one in reach[other])) for one in units
                   if one in reach[one]})


def counters(product):
    """How many files name a counter, by counter."""
    header = next((text for name, text in product.items() if name.endswith("vgpu/counters.hpp")), "")
    body = re.search(r"struct Counters \{((?:.|\n)*?)\n\};", header)
    names = re.findall(r"^\s*std::uint64_t (\w+) = 0;", body[1], flags=re.M) if body else []
    return {name: sum(bool(re.search(rf"\b{name}\b", text)) for text in product.values()) for name in names}


def measure(commit):
    product, problems = files_of(commit)
    lines = {name: text.count("\n") for name, text in product.items()}
    of_sources = sorted(count for name, count in lines.items() if name.endswith(".cpp"))
    long_functions = sorted(((count, f"{name}:{first} {function}") for name, text in product.items()
                             for function, first, count in functions(text) if count > LONG_FUNCTION), reverse=True)
    rings, by_counter = circles(product), counters(product)
    named = [name for name, text in product.items()
             if any(f'"{problem}"' in re.sub(r"//[^\n]*", "", text) for problem in problems)]
    texts = "\n".join(re.sub(r"//[^\n]*", "", text) for text in product.values())
    rows = {
        "lines": sum(lines.values()),
        "files": len(lines),
        "median lines of a .cpp": round(statistics.median(of_sources)),
        "90 of 100 have at most": of_sources[len(of_sources) * 9 // 10],
        "longest file": max(lines.values()),
        f"files over {LONG_FILE} lines": sum(count > LONG_FILE for count in lines.values()),
        "circles of files": len(rings),
        f"functions over {LONG_FUNCTION} lines": len(long_functions),
        f"functions over {LONGEST_FUNCTION} lines": sum(count > LONGEST_FUNCTION for count, _ in long_functions),
        "comparisons with a text": len(re.findall(r'[=!]= "', texts)),
        "virtual functions": len(re.findall(r"\bvirtual\b(?! ~)", texts)),
        "files that name a problem": len(named),
        "files that name a counter: median": round(statistics.median(by_counter.values())) if by_counter else "-",
        "files that name a counter: most": max(by_counter.values(), default="-"),
    }
    longest = sorted(((count, name) for name, count in lines.items() if count > LONG_FILE), reverse=True)
    return rows, {"circles": [" ".join(ring) for ring in rings], "functions": long_functions, "files": longest, "problems": named}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commits", nargs="*", metavar="COMMIT")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    measured = {commit or "working tree": measure(commit) for commit in options.commits or [None]}
    print("| | " + " | ".join(measured) + " |\n|---|" + "--:|" * len(measured))
    for row in next(iter(measured.values()))[0]:
        print(f"| {row} | " + " | ".join(str(rows[row]) for rows, _ in measured.values()) + " |")
    if options.list:
        for what, found in next(iter(measured.values()))[1].items():
            print(f"\n{what}")
            for one in found:
                print("   ", one if isinstance(one, str) else f"{one[0]:5} {one[1]}")


if __name__ == "__main__":
    sys.exit(main())
