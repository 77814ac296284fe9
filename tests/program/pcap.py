# SPDX-License-Identifier: GPL-2.0-or-later
"""A pcap in pieces: its file header, its records, and what stands in these."""
import struct

HEADER = 24
# magic number -> byte order, nanoseconds of a unit of the fraction
MAGIC = {b"\xd4\xc3\xb2\xa1": ("<", 1000), b"\x4d\x3c\xb2\xa1": ("<", 1), b"\xa1\xb2\xc3\xd4": (">", 1000),
         b"\xa1\xb2\x3c\x4d": (">", 1)}


def frames(data):
    """(offset of the record, time in ns, bytes, length on the wire) of each frame."""
    order, unit = MAGIC[data[:4]]
    at = HEADER
    while at + 16 <= len(data):
        seconds, fraction, captured, wire = struct.unpack_from(order + "IIII", data, at)
        yield at, seconds * 10**9 + fraction * unit, data[at + 16:at + 16 + captured], wire
        at += 16 + captured


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
