#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds what docs/capturing.md says of captures without ICRCs against what the program says of such.

usage: unchecked.py PROGRAM ROOT

Each RoCEv2 capture, of all scenarios and of captures/, is read as it is and with the ICRC of each packet cut off. Of
what is proven in the whole one, the document has three lists:

    milder   what is suspected then, and less severe
    weaker   what is suspected then, and as severe
    alike    what is milder, and somewhere as severe as it is in a whole capture: many deviate alike,
             or others bear it out

No check may be missing in its list, nor stand there without a capture that shows it; of upper layers one of those whose
answers are judged by the same lines shows what is told alike (checks/ulp/ulp.c).
"""

import collections
import concurrent.futures
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import run

SEVERITIES = ("note", "warning", "error")
LISTS = {"milder": "suspected then, and milder", "alike": "many packets deviate alike, or agree",
         "weaker": "suspected then, and as severe"}  # words that the document has in front of a list


def told_in(text):
    """The codes of each list of the document."""
    told = {}
    for name, words in LISTS.items():
        codes, listed = set(), re.search(r"\s+".join(words.split()) + r"\s+\(([^)]*)\)", text)[1]
        for first, last in re.findall(r"\b([A-Z]\d\d)(?:-([A-Z]\d\d))?", listed):
            codes.update(f"{first[0]}{i:02}" for i in range(int(first[1:]), int((last or first)[1:]) + 1))
        told[name] = codes
    return told


def without_icrc(capfile, transform, path, out):
    """Writes it; False: it has none."""
    frames, cut = list(capfile.read(path)), []
    for frame in frames:
        at, data = transform.ip_offset(frame), frame.data
        number, datagram = transform.protocol(frame, at) if at is not None else (None, 0)
        if number == transform.UDP and datagram + 8 <= len(data):
            port, length = struct.unpack_from(">HH", data, datagram + 2)
            if port == transform.ROCEV2_PORT and datagram + 12 <= datagram + length <= len(data):
                data = data[:datagram + length - 4]
        cut.append((frame.time_ns, data, frame.wire))
    if len({frame.link for frame in frames}) != 1 or all(
            data == frame.data for (_, data, _), frame in zip(cut, frames)):
        return False
    capfile.write_pcap(out, frames[0].link, cut)
    return True


def findings(program, path, options):
    told = subprocess.run([program, "--format=json", *options, path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False).stdout
    worst = collections.defaultdict(lambda: {"proven": -1, "suspected": -1})
    for f in json.loads(told)["findings"]:
        of = worst[f["code"], f["connection"], f["flow"]]
        of[f["proof"]] = max(of[f["proof"]], SEVERITIES.index(f["severity"]))
    return worst


def read_both(program, tools, path, options):
    """-> findings of a capture, and without its ICRCs; None: it has none"""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "cut.pcap"
        if not without_icrc(*tools, path, out):
            return None
        return findings(program, path, options), findings(program, out, options)


def measured(program, root, tools):
    """Codes of each list, with captures that show them."""
    shown, severity, suspected = {name: collections.defaultdict(list) for name in LISTS}, {}, []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        waits = [(path.name, pool.submit(read_both, program, tools, path, options))
                 for path, options in run.captures(root, folder, "*.pcap")]
        for name, wait in waits:
            whole, cut = wait.result() or ({}, {})
            suspected += [(name, key[0], worst["suspected"]) for key, worst in cut.items()]
            for key, worst in whole.items():
                was, now = max(worst.values()), cut.get(key, {"proven": -1, "suspected": -1})
                severity[key[0]] = max(severity.get(key[0], 0), was)
                if now["proven"] < 0 <= now["suspected"] < was:
                    shown["milder"][key[0]].append(name)
                elif now["proven"] < 0 <= now["suspected"] and worst["proven"] >= 0:
                    shown["weaker"][key[0]].append(name)
    for code in shown["milder"]:
        shown["weaker"].pop(code, None)
    for name, code, now in suspected:
        if code in shown["milder"] and now >= severity[code]:
            shown["alike"][code].append(name)
    return shown


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    sys.path.append(str(root / "tests/captures"))
    import capfile  # pylint: disable=import-outside-toplevel
    import transform  # pylint: disable=import-outside-toplevel
    told = told_in((root / "docs/capturing.md").read_text())
    failed = 0
    for name, shown in measured(program, root, (capfile, transform)).items():
        for code in sorted({*shown} - told[name]):
            print(f"{code} is {name}, and docs/capturing.md does not say so: {', '.join(shown[code][:3])}")
        if name == "alike" and any(code[0] == "U" for code in shown):
            shown.update((code, []) for code in told["alike"] if code[0] == "U")
        for code in sorted(told[name] - {*shown}):
            print(f"docs/capturing.md says that {code} is {name}, and no capture shows it")
        failed += len({*shown} ^ told[name])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
