#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares every field of every RDMA packet with tshark, in both directions.

usage: tshark.py --program PATH [--all-known] CAPTURE|FOLDER...

For each capture it runs tshark and `rdma-analyze --packets --headers --format ndjson` and holds every
field that fields.tsv names against the other's, the bytes of each InfiniBand header, the payload with
its place in the frame, and the CRCs' place. A packet, header or field that only one of the two sees is
a difference. The differences in known.tsv are understood; any other fails. So does, with --all-known,
a row of known.tsv that no capture here needs any more.

Heuristic dissectors of payloads are off: tshark's guess that a SEND is RPC takes the payload's and the
ICRC's place away in its listing. tshark does not know LINKTYPE_INFINIBAND (247); it gets a copy of
such a capture as LINKTYPE_USER0, which a preference declares to be InfiniBand.

Exit code 77 (skipped, for ctest): no tshark, or none of VERSIONS.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "captures"))
import capfile  # noqa: E402
import known  # noqa: E402
from mapping import Mapping, our_value, same  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
VERSIONS = ("4.0.", "4.4.", "4.6.")
USER0 = 147
SUFFIXES = (".pcap", ".pcapng", ".cap")
SHOWN_PER_FIELD = 3
HEURISTICS = (  # what tshark may take a payload or a CM message's private data for
    "eth_over_ib", "fc_infiniband", "iser_ib_private", "iser_infiniband", "lnet_ib",
    "lnet_ib_cm_private", "mellanox_eoib", "nvme_rdma", "nvme_rdma_cm_private", "rpcrdma_infiniband",
    "sdp_ib_private", "sdp_infiniband", "smb_direct_infiniband", "smcr_infiniband")


# ---- tshark -------------------------------------------------------------------------------------

class Tshark:
    """How tshark is run: no user's preferences, no names, nothing reassembled, nothing guessed."""

    def __init__(self, columns, home):
        """home: an empty folder, to stand for the user's."""
        self.environment = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home,
                                WIRESHARK_CONFIG_DIR=home, LC_ALL="C.UTF-8", TZ="UTC")
        self.columns = ["frame.number", "frame.protocols"] + columns
        self.options = ["-n", "-d", "udp.port==8472,vxlan",
                        "-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE",
                        "-o", 'uat:user_dlts:"User 0 (DLT=147)","infiniband","0","","0",""']
        for name in HEURISTICS:
            self.options += ["--disable-heuristic", name]

    def run(self, *arguments):
        run = subprocess.run(["tshark", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=self.environment, check=False)
        if run.returncode:
            raise RuntimeError("tshark: " + run.stderr.decode().strip().splitlines()[-1])
        return run.stdout.decode()

    def version(self):
        return re.search(r"\d+\.\d+\.\d+", self.run("--version")).group()

    def fields(self):
        return {line.split("\t")[2] for line in self.run("-G", "fields").splitlines()
                if line.startswith("F\t")}

    def frames(self, path):
        """{frame number: {field: [text]}} of all frames."""
        arguments = ["-r", str(path), "-T", "fields", "-E", "occurrence=a", "-E", "aggregator=|"]
        for column in self.columns:
            arguments += ["-e", column]
        frames = {}
        for line in self.run(*self.options, *arguments).splitlines():
            cells = line.split("\t")
            frames[int(cells[0])] = {column: cell.split("|") for column, cell in
                                     zip(self.columns[1:], cells[1:]) if cell}
        return frames


def sees_rdma(row):
    protocols = row.get("frame.protocols", [""])[0].split(":")
    return "infiniband" in protocols or "macc" in protocols


# ---- one packet ---------------------------------------------------------------------------------

class Ours:
    """Our listing of one frame, as values to compare: {spec: [value]}."""

    def __init__(self, record, frame, mapping):
        self.packet = {"frame": record["frame"]}
        self.values = {}
        for header in record["headers"]:
            self.add_header(header, frame, mapping)
        if frame:
            self.packet["cut"] = len(frame.data) < frame.wire
            if "payload_length" in record and record["payload_length"] is not None:
                self.add_payload(record, frame, mapping)
        self.packet["fragment"] = bool(
            self.packet.get("ip4.mf") or self.packet.get("ip4.fragment") or
            self.packet.get("ip6_frag.mf") or self.packet.get("ip6_frag.fragment"))

    def put(self, spec, value):
        self.values.setdefault(spec, []).append(value)

    def add_header(self, header, frame, mapping):
        name = header["header"]
        for member, value in header["fields"].items():
            if value is None or value == "":  # behind the cut; no bytes
                continue
            spec = mapping.of_member.get((name, member))
            value = value if spec is None else our_value(value, mapping.table[f"{name}.{member}"], spec)
            self.packet.setdefault(f"{name}.{member}", value)
            if spec:
                self.put(spec, value)
        spec = mapping.of_header.get(name)
        if spec and frame:
            data = frame.data[header["offset"]:header["offset"] + header["length"]]
            self.put(spec, data.hex())

    def add_payload(self, record, frame, mapping):
        """The payload lies behind the last header that is not in it; the CRCs lie behind it."""
        last = [header for header in record["headers"] if header["header"] in mapping.transport][-1]
        start = last["offset"] + last["length"]
        end = start + record["payload_length"] + record["pad"]
        if end > start:
            self.put(mapping.of_header["payload"], frame.data[start:end].hex())
        for name, length in (("icrc", 4), ("vcrc", 2)):
            crc = frame.data[end:end + length]
            if len(crc) == length and (name == "icrc" or record["transport"] == "infiniband"):
                self.put(mapping.of_header[name], int.from_bytes(crc))
            end += length


def compare_frame(capture, number, row, ours, mapping, counts):
    """The differences of one frame."""
    packet = ours.packet if ours else {"frame": number}
    if not ours or not sees_rdma(row):
        yield known.Difference(capture, number, "packet", packet, ["rdma"] if ours else [],
                               ["rdma"] if sees_rdma(row) else [])
        return
    specs = set(ours.values)
    for column in row:
        specs.update(mapping.by_column.get(column, ()))
    unknown = mapping.unknown & {name.split(".")[0] for name in packet}
    for spec in specs:
        form = mapping.forms[spec.text]
        mine = ours.values.get(spec, [])
        if spec.unordered:
            mine = sorted(mine, key=str)
        theirs = spec.values(row, form)
        counts["values"] += max(len(mine), len(theirs))
        if not same(mine, theirs) and (theirs or not unknown):
            yield known.Difference(capture, number, spec.text, packet, mine, theirs)


# ---- one capture --------------------------------------------------------------------------------

def frames_of(path):
    """{number: Frame}; empty for formats that are not read here (their bytes are not compared)."""
    try:
        return {frame.number: frame for frame in capfile.read(path)}
    except ValueError:
        return {}


def is_compared(record):
    """Not iWARP; of what is no RDMA pause frames only, not what a finding is about."""
    if record["transport"] is None:
        return any(header["header"] in ("pause", "pfc") for header in record["headers"])
    return record["transport"] != "iwarp"


def listing_of(program, path):
    run = subprocess.run([program, "--packets", "--headers", "--format", "ndjson", str(path)],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if run.returncode:
        raise RuntimeError(f"{program}: " + run.stderr.decode().strip())
    records = [json.loads(line) for line in run.stdout.splitlines()]
    return [record for record in records if is_compared(record)]


def compare_capture(program, tshark, mapping, path, name):
    """(counts, differences) of one capture."""
    counts, differences = Counter(captures=1), []
    frames = frames_of(path)
    ours = {}
    for record in listing_of(program, path):
        if record["frame"] in ours:
            raise RuntimeError(f"{name}: frame {record['frame']} is listed twice")
        ours[record["frame"]] = Ours(record, frames.get(record["frame"]), mapping)
    with tempfile.TemporaryDirectory() as folder:
        retyped = capfile.with_link(path, capfile.INFINIBAND, USER0, folder)
        rows = tshark.frames(retyped or path)
    for number, row in rows.items():
        if number in ours or sees_rdma(row):
            counts["packets"] += 1
            differences += compare_frame(name, number, row, ours.get(number), mapping, counts)
    return counts, differences


def captures_in(given):
    """(path, name that known.tsv knows it by) of the captures that an argument names."""
    given = pathlib.Path(given)
    if not given.is_dir():
        return [(given, given.name)]
    return [(path, path.relative_to(given).as_posix()) for path in sorted(given.rglob("*"))
            if path.suffix in SUFFIXES]


def report(differences, rows, version):
    """Prints what is not known; returns how many differences that are."""
    unknown = Counter()
    for difference in differences:
        row = next((row for row in rows if row.swallows(version, difference)), None)
        if row:
            row.used += 1
            continue
        unknown[difference.capture, difference.field] += 1
        if unknown[difference.capture, difference.field] <= SHOWN_PER_FIELD:
            print(f"{difference.capture}: frame {difference.frame}: {difference.field}: "
                  f"ours {known.shown(difference.ours)}, tshark {known.shown(difference.theirs)}")
    for (capture, field), count in unknown.items():
        if count > SHOWN_PER_FIELD:
            print(f"{capture}: {field}: {count} differences in all")
    return sum(unknown.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--all-known", action="store_true",
                        help="fail when a row of known.tsv is not needed by these captures")
    parser.add_argument("captures", nargs="+")
    options = parser.parse_args()
    if not shutil.which("tshark"):
        print("SKIP: tshark is not installed")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as home:
        sys.exit(run(options, home))


def compare_all(options, tshark, mapping):
    """compare_capture of each capture, on all processors."""
    counts, differences = Counter(), []
    captures = [capture for given in options.captures for capture in captures_in(given)]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(compare_capture, options.program, tshark, mapping, *capture)
                for capture in captures]
        for job in jobs:
            more, found = job.result()
            counts += more
            differences += found
    return counts, differences


def run(options, home):
    """The exit code."""
    tables = [json.loads(subprocess.run([options.program, f"--list-{table}=json"], stdout=subprocess.PIPE,
                                        check=True).stdout) for table in ("headers", "opcodes")]
    mapping = Mapping(HERE / "fields.tsv", *tables)
    tshark = Tshark(mapping.columns(), home)
    version = tshark.version()
    if not version.startswith(VERSIONS):
        print(f"SKIP: tshark is {version}; the known differences are those of {VERSIONS}")
        return SKIPPED
    errors, rows = list(mapping.errors(tshark.fields())), known.read(HERE / "known.tsv")
    counts, differences = compare_all(options, tshark, mapping)
    failures = report(differences, rows, version)
    if options.all_known:
        errors += [f"known.tsv:{row.number}: no difference needs this row any more: {row.reason}"
                   for row in rows if not row.used and row.is_about(version)]
    for error in errors:
        print(error)
    print(f"{counts['captures']} captures, {counts['packets']} RDMA packets, "
          f"{counts['values']} values compared with tshark {version}: "
          f"{sum(row.used for row in rows)} known differences, {failures} others")
    return 1 if failures or errors else 0


if __name__ == "__main__":
    main()
