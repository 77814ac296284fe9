# SPDX-License-Identifier: GPL-2.0-or-later
"""What both generators have: virtual time, and the command line that makes captures of seeds."""

import argparse
import heapq
import pathlib
import sys

MOST_EVENTS = 1_000_000


class Clock:
    def __init__(self):
        self.now, self.count, self.queue = 0, 0, []

    def at(self, when, what, *given):
        self.count += 1
        heapq.heappush(self.queue, (max(int(when), self.now), self.count, what, given))

    def run(self, until):
        while self.queue and self.queue[0][0] <= until:
            if self.count > MOST_EVENTS:
                raise RuntimeError("a seed without end")
            self.now, _, what, given = heapq.heappop(self.queue)
            what(*given)


def seeds_of(text):
    """The seeds of 1-60,4711."""
    seeds = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        seeds += range(int(first), int(last or first) + 1)
    return seeds


def main(doc, tell, write):
    """`tell(seed, out)` prints what happens in a seed, `write(seed, folder)` makes its capture."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seeds", type=seeds_of)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--tell", action="store_true")
    given = parser.parse_args()
    if given.tell or not given.folder:
        for seed in given.seeds:
            tell(seed, sys.stdout)
        return
    pathlib.Path(given.folder).mkdir(parents=True, exist_ok=True)
    for seed in given.seeds:
        write(seed, given.folder)
