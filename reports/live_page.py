"""`explain --page`: one HTML file that shows what a student's kernel touches, access by access.

The page's code is the modules of page/, joined into one script here; its data is what `explain --format json` wrote,
packed. A policy (CSP) lets nothing run but that script, by its hash, and nothing be fetched.
"""

import base64
import hashlib
import html
import json
import re
import string
from pathlib import Path

from reports.limits import WAITS
from reports.places import replace_file
from reports.result import BadResult
from reports.text import shape_text

FOLDER = Path(__file__).parent / "page"
MOST_BYTES = 2_000_000
MOST_LINES, MOST_COLUMNS = 3000, 300  # of the source
LARGEST = 1 << 53  # of whole numbers in JavaScript
SERVED = '<p id="served" class="note" role="status"></p>\n'
IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
TOP_LEVEL = re.compile(r"^(?:export )?(?:async )?(?:function|class) (\w+)|^(?:export )?(?:const|let) (.*)", re.MULTILINE)
NAMES = re.compile(r"(?:^|, )(\w+) = ")
KINDS = (  # name, unit, and in the counters: prefix, unit; whether there is a least
    ("global load", "sector", "global_load", "sectors", True),
    ("global store", "sector", "global_store", "sectors", True),
    ("global atomic", "sector", "global_atomic", "sectors", False),
    ("wide copy", "sector", "wide_copy", "sectors", True),
    ("copy to shared", "wavefront", "async_copy", "wavefronts", True),
    ("bulk load", "sector", "bulk_load", "sectors", False),
    ("bulk store", "sector", "bulk_store", "sectors", False),
    ("shared load", "wavefront", "shared_load", "wavefronts", True),
    ("shared store", "wavefront", "shared_store", "wavefronts", True),
    ("shared atomic", "wavefront", "shared_atomic", "wavefronts", False),
)


def script(start="page"):
    """The modules that `start` needs, each after those that it imports, as one module."""
    texts, names = {}, {}

    def add(module):
        if module in texts:
            return
        text = (FOLDER / f"{module}.js").read_text(encoding="utf-8")
        for needed in IMPORT.findall(text):
            add(needed)
        for name in (name for found, several in TOP_LEVEL.findall(text) for name in [found] * bool(found) + NAMES.findall(several)):
            if names.setdefault(name, module) != module:
                raise ValueError(f"page/{module}.js and page/{names[name]}.js both have a {name}")
        texts[module] = re.sub(r"^export ", "", IMPORT.sub("", text), flags=re.MULTILINE)

    add(start)
    return "".join(texts.values())


TYPES = {  # readers of page/values.js by the spelling of the type, of a vector by that of its elements
    "float": "f32", "double": "f64", "char": "i8", "signed char": "i8", "short": "i16", "int": "i32", "long long": "i64", "long": "i64",
    "unsigned char": "u8", "unsigned short": "u16", "unsigned": "u32", "unsigned int": "u32", "unsigned long long": "u64",
    "unsigned long": "u64", "bool": "u8", "std::size_t": "u64", "size_t": "u64",
    "std::int32_t": "i32", "std::uint32_t": "u32", "std::uint8_t": "u8", "std::uint64_t": "u64", "uint": "u32", "longlong": "i64", "uchar": "u8",
    "ushort": "u16"}


def reader_of(spelling):
    """Of `float4`, as of `float`; "" where the type is not known."""
    return TYPES.get(spelling) or TYPES.get(re.sub(r"[1-4]$", "", spelling or ""), "")


def type_in(source, name):
    """Of an element, by the first declaration such as `const float* in` or `float tile[`; "" where there is none."""
    name = re.escape(name)
    found = re.search(rf"\b((?:unsigned |long )*\w+)(?:\s*\*\s*(?:__restrict__\s+)?{name}\b|\s+{name}\s*\[)", source)
    return found[1] if found else ""


def costs_of(counters):
    """By line: what all warps took there, of each kind of access."""
    found = {}
    for entry in (counters or {}).get("by_line") or []:
        for access, unit, name, units, has_least in KINDS:
            if entry.get("line") and entry.get(f"{name}_requests"):
                found.setdefault(entry["line"], []).append(
                    {"access": access, "unit": unit, "requests": entry[f"{name}_requests"],
                     "units": entry.get(f"{name}_{units}") or 0,
                     "least": (entry.get(f"{name}_{units}_ideal") or 0) if has_least else 0})
    return found


def addresses(access):
    """[first, step] of the active lanes; [-1, first, offsets...] where no step leads to all."""
    active = [address for lane, address in enumerate(access["addresses"]) if access["mask"] >> lane & 1]
    active = [address - (1 << 64) if address >> 63 else address for address in active]  # before the start
    if not active or any(abs(address) >= LARGEST for address in active):
        return None
    step = active[1] - active[0] if len(active) > 1 else 0
    if all(address == active[0] + i * step for i, address in enumerate(active)) and active[0] != -1:
        return [active[0], step]
    return [-1, active[0], *(address - active[0] for address in active[1:])]


def values_of(access):
    """Base64 of the bytes of all active lanes; "" where they were not recorded."""
    values = access.get("values") or ""
    return base64.b64encode(bytes.fromhex(values)).decode() if len(values) == 2 * access["width_bytes"] * access["mask"].bit_count() else ""


def packed(trace, named, most, with_values=True, source=""):
    """The trace without what repeats, and at most so many accesses of a warp. `named`: arrays by name and space; the source
    tells the types of those that have none."""
    kinds, arrays, blocks, rows, seen = {}, {}, {}, [], {}
    for access in trace:
        place = (access.get("launch") or 0, tuple(access.get("block") or (0, 0, 0)), access.get("warp") or 0)
        where = addresses(access)
        seen[place] = seen.get(place, 0) + 1
        if where is None or seen[place] > most:
            continue
        array = (access.get("buffer") or access["space"], access["space"], access.get("buffer_bytes") or 0,
                 access.get("buffer_start") or 0)
        what = (access["line"], access["kind"], access["space"], access["width_bytes"],
                arrays.setdefault(array, len(arrays)))
        rows.append([kinds.setdefault(what, len(kinds)), place[0], blocks.setdefault(place[1], len(blocks)), place[2],
                     access["mask"], access["units"], access["units_ideal"], where, *([values_of(access)] if with_values else [])])
    return {"kinds": [dict(zip(("line", "kind", "space", "width", "array"), what)) for what in kinds],
            "arrays": [{"name": name, "space": space, "bytes": size, "start": start,
                        "extents": named.get((name, space), {}).get("extents", []),
                        "type": reader_of(named.get((name, space), {}).get("type") or type_in(source, name))} for name, space, size, start in arrays],
            "blocks": [list(block) for block in blocks], "trace": rows}


def wrong_of(stage, arrays):
    """The first error among the messages, with the elements that it and others are about; None where the kernel is right."""
    errors = [one for one in stage.get("findings") or [] if one.get("severity") == "error"]
    if not errors:
        return None
    first = errors[0]
    found = [{**one, "array": place_of(one, arrays)} for one in stage.get("wrong_elements") or []]
    found.sort(key=lambda one: one["kind"] != first.get("kind"))  # those of the message first
    return {"message": first.get("message") or "", "help": first.get("help") or "", "facts": first.get("facts") or [], "elements": found,
            "lines": [line for line in (first.get("line"), first.get("other_line")) if line]}


def place_of(element, arrays):
    """Index of the element's array; -1 where no recorded access touches it."""
    return next((i for i, one in enumerate(arrays) if one["name"] == element["array"]
                 and element["space"] in ("", one["space"])), -1)


def time_of(stage):
    """What the time model says; None where it was not asked."""
    time = stage.get("time") or {}
    waits = [{"reason": reason.replace("_", " "), "what": WAITS.get(reason, "issues an instruction" if reason == "selected" else ""),
              "share": share} for reason, share in sorted((time.get("stalls") or {}).items(), key=lambda pair: -pair[1]) if share > 0]
    if not waits or not time.get("limiter"):
        return None
    return {"gpu": time.get("gpu") or "", "shape": shape_text(time.get("shape")), "limiter": time["limiter"],
            "line": time.get("line") or 0, "gain": time.get("gain_without_limit") or 0, "waits": waits,
            "timeLine": time_line_of(stage.get("timeline"))}


def time_line_of(line):
    if not line or not line["cycles"] or not line["spans"]:
        return None
    reasons = [reason.replace("_", " ") for reason in line["reasons"]]
    return {"cycles": line["cycles"], "isCut": line["cut"], "needed": line["needed_bytes"], "reasons": reasons,
            "spans": [span for span in line["spans"] if len(span) == 4 and span[3] < len(reasons)], "loads": line["loads"]}


def recorded_text(stage, rows, with_values):
    """What of the launches is on the page."""
    count = len(stage["trace"])
    blocks = len({(one.get("launch"), *(one.get("block") or ())) for one in stage["trace"]})
    text = f"{count} accesses recorded, of {blocks} block{'' if blocks == 1 else 's'}"
    if stage.get("trace_is_cut"):
        text += "; later ones of these blocks were not recorded"
    if len(rows) < count:
        text += f"; only {len(rows)} are on this page, the first of each warp"
    if not with_values:
        text += "; values are left out, as there are too many"
    return text


def shape_words(shape):
    """", shape 33 × 65"; "" of a program, which has none."""
    return f", shape {' × '.join(map(str, shape))}" if shape else ""


def path_shown(path):
    """A page is passed on: of a file elsewhere on this machine only the name."""
    return Path(path).name if Path(path).is_absolute() or path.startswith("..") else path


def code(words):
    """`like this` becomes <code>, and all else is text."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(words))


def wrong_text(wrong):
    if not wrong:
        return ""
    said = f"Line {wrong['lines'][0]}: {wrong['message']}" if wrong["lines"] else wrong["message"][:1].upper() + wrong["message"][1:]
    parts = [f"<strong>This kernel is wrong.</strong> Its costs say little until it is right. {code(said)}"]
    parts += map(code, wrong["facts"])
    if wrong["help"]:
        parts.append(f"Try: {code(wrong['help'])}")
    return f'<p class="note">{"<br>".join(parts)}</p>'


def hash_of(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def embedded(data):
    """JSON that no text in it can end."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")


def render(stage, is_served=False):
    """The page's text, of a stage of the result JSON with a trace. Served, it asks where it comes from for its version,
    which the server writes where `data-version` is empty (grader/cli/page_server.cpp)."""
    if not stage.get("trace"):
        raise BadResult("no access to memory was recorded, so there is nothing to draw")
    joined, style = script(), (FOLDER / "page.css").read_text(encoding="utf-8")
    source = [line[:MOST_COLUMNS] for line in (stage.get("source_lines") or [])[:MOST_LINES]]
    named = {(one["name"], one["space"]): one for one in stage.get("arrays") or []}
    most, with_values = max(len(stage["trace"]), 1), True
    while True:
        data = {"source": source, "costs": costs_of(stage.get("counters")), "launches": stage.get("launches") or [],
                **packed(stage["trace"], named, most, with_values, "\n".join(source))}
        if not data["trace"]:
            raise BadResult("every recorded access lies outside all arrays")
        wrong = data["wrong"] = wrong_of(stage, data["arrays"])
        data["time"] = None if wrong else time_of(stage)
        text = string.Template((FOLDER / "page.html").read_text(encoding="utf-8")).substitute(
            policy=f"default-src 'none'; script-src {hash_of(joined)}; style-src {hash_of(style)}; base-uri 'none'; form-action 'none'"
                   + ("; connect-src 'self'" if is_served else ""), body=' data-version=""' if is_served else "", served=SERVED if is_served else "",
            title=html.escape(f"{stage['assignment']}/{stage['stage']}"), path=html.escape(path_shown(stage.get("source") or "")),
            shape=html.escape(shape_words((stage.get("counters") or {}).get("shape"))),
            recorded=html.escape(recorded_text(stage, data["trace"], with_values)), wrong=wrong_text(wrong), style=style, script=joined,
            data=embedded(data))
        if len(text.encode()) <= MOST_BYTES or most == 1:
            return text
        if with_values:
            with_values = False
        else:
            most = min(most, 1024) // 2


def write_live_page(stage, path, is_served=False):
    return replace_file(path, render(stage, is_served))
