#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of --html for long captures, in headless Chromium: its bytes, and how long it takes.

    page.py [--build DIR] [--packets N] [--runs N] [--keep FOLDER]

Makes captures of 16 and of 1,000 connections, the second with a loss in each 100th message, writes
the page of each, opens it and prints, as the least and the most of all runs: when it can be used
(sections and charts are drawn, and the main thread is free: performance.now() as the first script
sees it that runs behind the load event), the longest task of the main thread until then, and what the
console was told. --keep: the pages, and a picture of each, go there. Exit code 1 when a page has 8 MB
or more, takes 2 s, or wrote to the console.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/page"))
from browser import Browser, is_missing

BYTES_BAR, MILLISECONDS_BAR = 8_000_000, 2000
CASES = [("16 connections", ["16"]), ("1,000 connections, 1 % resent", ["1000", "4", "1"])]
# tasks of the main thread are told to an observer only, which has to be there before them
OBSERVER = """window.longest = 0;
new PerformanceObserver(list => {
    for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
}).observe({entryTypes: ["longtask"]});"""


def make_page(build, folder, packets, arguments):
    capture, page = folder / "capture.pcap", folder / "page.html"
    with open(capture, "wb") as out:
        subprocess.run([build / "bench/bench-generate", str(packets), *arguments], stdout=out, check=True)
    subprocess.run([build / "analyzer/rdma-analyze/rdma-analyze", "--no-progress", "--html", page, capture],
                   stdout=subprocess.DEVNULL, check=True)
    capture.unlink()
    return page


def look(page, picture):
    """milliseconds until it can be used, those of the longest task, and the console's messages"""
    with Browser() as browser:
        browser.tell("Page.addScriptToEvaluateOnNewDocument", source=OBSERVER)
        browser.open(page)
        usable = browser.run("return performance.now()")
        longest = browser.run("return window.longest")
        if picture:
            browser.picture(picture)
        return usable, longest, browser.console()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--packets", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep", type=pathlib.Path)
    args = parser.parse_args()
    if is_missing():
        sys.exit(f"{is_missing()} is not installed")

    missed = False
    for number, (name, arguments) in enumerate(CASES):
        with tempfile.TemporaryDirectory() as scratch:
            page = make_page(args.build, pathlib.Path(scratch), args.packets, arguments)
            picture = args.keep / f"page{number}.png" if args.keep else None
            runs = [look(page, picture) for _ in range(args.runs)]
            size = page.stat().st_size
            if args.keep:
                (args.keep / f"page{number}.html").write_bytes(page.read_bytes())
        messages = [message for _, _, told in runs for message in told]
        slowest = max(usable for usable, _, _ in runs)
        print(f"{name}: {size:,} bytes; usable after {min(u for u, _, _ in runs):.0f} to {slowest:.0f} ms; "
              f"longest task {max(longest for _, longest, _ in runs):.0f} ms; {len(messages)} messages")
        missed |= size >= BYTES_BAR or slowest >= MILLISECONDS_BAR or bool(messages)
    return missed


if __name__ == "__main__":
    sys.exit(main())
