# SPDX-License-Identifier: GPL-2.0-or-later
"""A pcap in pieces: its file header, and records that may be joined again, by tests/captures/capfile.py."""
import sys

from program import ROOT

sys.path.insert(0, str(ROOT / "tests/captures"))
import capfile  # noqa: E402

HEADER = 24


def frames(data):
    """(offset of the record, time in ns, bytes, length on the wire) of each frame."""
    return ((at, frame.time_ns, frame.data, frame.wire) for at, frame in capfile.pcap_frames(data))


def records(data):
    """The file header, and the records with theirs: joined they are the file."""
    return data[:HEADER], [data[at:at + 16 + len(frame)] for at, _, frame, _ in frames(data)]


def times(data):
    """In ns."""
    return [time for _, time, _, _ in frames(data)]


def part(data, begin, end):
    """A capture of some of its records."""
    header, all_records = records(data)
    return header + b"".join(all_records[begin:end])
