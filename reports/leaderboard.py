"""A leaderboard page: bandwidth as a share of the copy, stage by stage, under the names that the file gives. Who is behind a
name is not in the file, and so not on the page."""

from reports.page import environment
from reports.places import replace_file, shown
from reports.result import BadResult, harmless, read_json

SCHEMA = "warpgrade.leaderboard/1"
SHOWN = 20  # of a stage


def read_rows(path):
    data = harmless(read_json(path)[0])
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not isinstance(data.get("rows"), list):
        raise BadResult(f"{shown(path)}: no leaderboard; `export leaderboard` writes one")
    return data["rows"]


def tables(rows):
    """For each stage: its rows, the fastest first; those that are equal in what is shown share a place."""
    by_stage = {}
    for row in rows:
        by_stage.setdefault(str(row["stage"]), []).append(row)
    found = []
    for stage, its in by_stage.items():
        its = sorted(its, key=lambda row: (-float(row["share"]), str(row["name"])))
        ranked, place, before = [], 0, None
        for number, row in enumerate(its, 1):
            percent = round(100 * float(row["share"]))
            place = place if percent == before else number
            before = percent
            ranked.append({"place": place, "name": row["name"], "percent": percent, "origin": row["origin"]})
        found.append({"stage": stage, "rows": ranked[:SHOWN], "more": max(0, len(ranked) - SHOWN),
                      "is_modelled": any(row["origin"] == "modelled" for row in its)})
    return found


def write_leaderboard(path, page):
    page.parent.mkdir(parents=True, exist_ok=True)
    replace_file(page, environment().get_template("leaderboard.html").render(stages=tables(read_rows(path))))
    return page
