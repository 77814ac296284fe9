# SPDX-License-Identifier: GPL-2.0-or-later
"""RoCEv2 packets of a pcap, by their bytes alone: what tests hold the program's words against."""
import collections
import struct

import pcap

Packet = collections.namedtuple("Packet", "frame time source destination opcode dest_qp psn syndrome memory")

REQUESTS = frozenset(range(0x00, 0x0D)) | {0x13, 0x14, 0x16, 0x17}  # of RC: SENDs, WRITEs, READ request, ATOMICs, with invalidate
RESPONSES = frozenset(range(0x0D, 0x11))                            # READ responses
ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE = 0x11, 0x12
WITH_MEMORY = {0x06, 0x0A, 0x0B, 0x0C, 0x13, 0x14}                  # their address and key stand behind the BTH
WITH_AETH = {0x0D, 0x0F, 0x10, ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE}


def packets(path):
    """Those of RC, in order. Frames are numbered from 1."""
    for number, (_, time, data, _) in enumerate(pcap.frames(path.read_bytes()), 1):
        kind = struct.unpack(">H", data[12:14])[0]
        if kind == 0x0800 and data[23] == 17:
            at, ends = 14 + (data[14] & 15) * 4, (data[26:30], data[30:34])
        elif kind == 0x86dd and data[20] == 17:
            at, ends = 54, (data[22:38], data[38:54])
        else:
            continue
        if struct.unpack(">H", data[at + 2:at + 4])[0] != 4791:
            continue
        bth = data[at + 8:at + 20]
        if bth[0] >= 0x20:  # not RC
            continue
        syndrome = data[at + 20] if bth[0] in WITH_AETH else None
        memory = struct.unpack(">QI", data[at + 20:at + 32]) if bth[0] in WITH_MEMORY else None
        yield Packet(number, time, *ends, bth[0], int.from_bytes(bth[5:8], "big"), int.from_bytes(bth[9:12], "big"), syndrome,
                     memory)


def is_request(packet):
    return packet.opcode in REQUESTS


def is_positive(packet):
    """An answer that says that something arrived."""
    return packet.opcode in RESPONSES or packet.opcode in (ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE) and packet.syndrome < 0x20


def is_refusal(packet):
    """A NAK that ends its QP: all but that of a PSN out of sequence."""
    return packet.syndrome is not None and 0x61 <= packet.syndrome < 0x80


def asked_of(all_packets, source):
    """What a host asked, and what answered it."""
    return ([packet for packet in all_packets if packet.source == source and is_request(packet)],
            [packet for packet in all_packets if packet.destination == source and not is_request(packet)])
