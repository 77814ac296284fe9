#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds what two builds print of captures against each other, byte for byte.

    compare.py [--plugin] [--new-keys NAME,...] [--known FILE] OLD_BUILD NEW_BUILD FOLDER...

Each capture is given to both programs in every format, as a report and packet by packet; with
--plugin to tshark with either build's plugin too. --new-keys are members of JSON objects that only
the new build has: they are taken out of its JSON and NDJSON before these are compared. --known lists
differences that are meant, a line each: "CAPTURE<TAB>VIEW<TAB>why"; one that does not occur is a
failure too. Prints each difference with its first differing line; exit code 1 when there is one.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "plugin"))

REPORTS = {
    "text": ["--keys"],
    "json": ["--format=json"],
    "ndjson": ["--format=ndjson"],
    "csv": ["--format=csv"],
    "count-only": ["--count-only", "--format=json"],
    "packets": ["--packets"],
    "packets-ndjson": ["--packets", "--format=ndjson"],
    "packets-csv": ["--packets", "--format=csv"],
    "headers": ["--headers"],
    "headers-ndjson": ["--headers", "--format=ndjson"],
}
PLUGIN = {
    "tree": ["-V"],
    "tree-two-passes": ["-2", "-V"],
    "taps": ["-q", "-z", "rdma,report", "-z", "rdma,connections", "-z", "rdma,findings", "-z", "rdma,tree"],
}


def without(value, names):
    if isinstance(value, dict):
        return {key: without(inner, names) for key, inner in value.items() if key not in names}
    if isinstance(value, list):
        return [without(inner, names) for inner in value]
    return value


def documents(text):
    """The JSON values of a document or of lines, in the order of their members; None: no JSON."""
    decoder, at, found = json.JSONDecoder(), 0, []
    text = text.strip()
    try:
        while at < len(text):
            value, end = decoder.raw_decode(text, at)
            found.append(value)
            at = end
            while at < len(text) and text[at].isspace():
                at += 1
    except ValueError:
        return None
    return found


def normal(text, names):
    """What a program printed, if it is JSON: with a line for each member, and without those of `names`."""
    printed, stderr, rest = text.rpartition("\nstderr: ")
    values = documents(printed) if names else None
    if values is None:
        return text
    return "\n".join(json.dumps(without(value, names), indent=1) for value in values) + stderr + rest


def run_program(build, view, capture):
    done = subprocess.run([build / "analyzer/rdma-analyze/rdma-analyze", *REPORTS[view], capture],
                          capture_output=True, text=True, errors="replace", timeout=600)
    return f"{done.stdout}\nstderr: {done.stderr}exit code {done.returncode}\n"


def run_tshark(tshark, view, capture):
    try:
        return tshark.run("-r", tshark.copy(capture), *PLUGIN[view]).replace(str(tshark.root), "")
    except Exception as error:  # what tshark cannot read it cannot read with either plugin
        return type(error).__name__


def first_difference(old, new):
    old, new = old.splitlines(), new.splitlines()
    for number, (a, b) in enumerate(zip(old, new), 1):
        if a != b:
            return f"line {number}\n    old: {a[:300]}\n    new: {b[:300]}"
    return f"{len(old)} lines before, {len(new)} now"


def compare(capture, old, new, names, tsharks):
    """(view, difference) of one capture."""
    found = []
    for view in REPORTS:
        texts = [run_program(build, view, capture) for build in (old, new)]
        if texts[0] != texts[1]:
            texts = [normal(text, names) for text in texts]
        if texts[0] != texts[1]:
            found.append((view, first_difference(*texts)))
    for view in PLUGIN if tsharks else {}:
        texts = [run_tshark(tshark, view, capture) for tshark in tsharks]
        if texts[0] != texts[1]:
            found.append((view, first_difference(*texts)))
    return found


def plugged(build):
    import plugged as module
    return module.Tshark(argparse.Namespace(plugin=build / "plugin/rdma.so"))


def known_differences(path):
    rows = (line.split("\t") for line in path.read_text().splitlines() if line and line[0] != "#")
    return {(row[0], row[1]): row[2] for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--plugin", action="store_true")
    parser.add_argument("--new-keys", default="")
    parser.add_argument("--known", type=pathlib.Path)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    options = parser.parse_args()

    captures = sorted({path for folder in options.folders for path in
                       ([folder] if folder.is_file() else folder.rglob("*.pcap*"))})
    names = set(filter(None, options.new_keys.split(",")))
    known = known_differences(options.known) if options.known else {}
    tsharks = [plugged(options.old), plugged(options.new)] if options.plugin else None
    unexplained, met = 0, set()
    with concurrent.futures.ThreadPoolExecutor(1 if tsharks else 2) as pool:
        results = pool.map(lambda path: compare(path, options.old, options.new, names, tsharks), captures)
        for capture, found in zip(captures, results):
            for view, difference in found:
                if (capture.name, view) in known:
                    met.add((capture.name, view))
                    continue
                unexplained += 1
                print(f"{capture}: {view}: {difference}", flush=True)
    given = {capture.name for capture in captures}
    for name, view in known:
        if name in given and (name, view) not in met and (tsharks or view not in PLUGIN):
            unexplained += 1
            print(f"{name}: {view}: the known difference does not occur")
    views = len(REPORTS) + (len(PLUGIN) if tsharks else 0)
    print(f"{len(captures)} captures, {views} views each: {unexplained} differences, {len(met)} known ones")
    return 1 if unexplained or not captures else 0


if __name__ == "__main__":
    sys.exit(main())
