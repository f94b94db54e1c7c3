"""The pages that several tests look at, each made once a process."""

import functools
import random

from reports import bench, class_page, page
from reports.classroom import ClassResult
from reports.result import Result
from reports.tests import synthetic

STUDENTS = 24


@functools.lru_cache(maxsize=None)
def result(kind="cuda", skill=1.0, seed=1):
    """Sixteen stages with a bench run beside them."""
    data = synthetic.result(kind=kind, skill=skill, seed=seed)
    made = Result(data)
    bench.merge(made, [("bench.json", synthetic.bench(data))])
    return made


@functools.lru_cache(maxsize=None)
def student(kind="cuda", skill=1.0, seed=1):
    return page.render(result(kind, skill, seed))


@functools.lru_cache(maxsize=None)
def class_result(students=STUDENTS):
    dice = random.Random(5)
    results = {f"student-{number:03}": synthetic.result(seed=500 + number, skill=dice.uniform(0.2, 1)) for number in range(students)}
    room, marks = synthetic.people(results, dice)
    made = ClassResult((one["id"], Result(results[one["id"]])) for one in room["students"] if one["result"])
    made.take(room, marks)
    return made


@functools.lru_cache(maxsize=None)
def classroom():
    return class_page.render(class_result())
