"""How many times the usual processor time this machine takes now, for tests that bound a time: beside other programs, or
on an older processor, everything takes longer. base/cpu_slowdown.hpp is the same for the program."""

import time

USUAL_SECONDS = 0.075  # of `work()`: Python 3.11 on two cores of an AMD EPYC (Zen 4) with nothing else to do
MOST = 3


def work():
    begun = time.process_time()
    words = [f"{number * 2654435761 % 1000003:06d}" for number in range(60_000)]
    counts = {}
    for word in sorted(words):
        counts[word[:3]] = counts.get(word[:3], 0) + 1
    "".join(words).count("99")
    return time.process_time() - begun


def slowdown():
    """From 1 to MOST."""
    return min(max(min(work() for _ in range(3)) / USUAL_SECONDS, 1), MOST)
