#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds management datagrams: every CM message with every field set, and checks how they are read.

usage: cm.py PROGRAM CAPTURE    compares the program's listing of the made capture with what was put in

tshark 4.0 does not decode MRA, SIDR REQ, SIDR REP, LAP and APR, so the layouts are written down here
a second time, from chapter 12 as rdma-core's and Linux's cm_msgs.h have it, and by byte and bit where
dissectors/headers.def counts bits.
"""

import ipaddress
import json
import struct
import subprocess
import sys

MAD_BYTES, MAD_HEADER_BYTES, CM_CLASS = 256, 24, 7

# (member, byte, bits before it in that byte, width in bits); 0 width: up to the end of the MAD
LOCAL, REMOTE = ("local_comm_id", 0, 0, 32), ("remote_comm_id", 4, 0, 32)


def path(prefix, byte):
    """The 44 bytes that describe a path in REQ."""
    return [(prefix + member, byte + at, bit, width) for member, at, bit, width in (
        ("_local_lid", 0, 0, 16), ("_remote_lid", 2, 0, 16), ("_local_gid", 4, 0, 128),
        ("_remote_gid", 20, 0, 128), ("_flow_label", 36, 0, 20), ("_rate", 39, 2, 6),
        ("_tclass", 40, 0, 8), ("_hop_limit", 41, 0, 8), ("_sl", 42, 0, 4),
        ("_subnet_local", 42, 4, 1), ("_ack_timeout", 43, 0, 5))]


MESSAGES = {  # header id: attribute, fields
    "cm_req": (0x10, [
        LOCAL, ("vendor_id", 5, 0, 24), ("service_id", 8, 0, 64), ("local_ca_guid", 16, 0, 64),
        ("local_q_key", 28, 0, 32), ("local_qpn", 32, 0, 24), ("responder_resources", 35, 0, 8),
        ("local_eecn", 36, 0, 24), ("initiator_depth", 39, 0, 8), ("remote_eecn", 40, 0, 24),
        ("remote_cm_timeout", 43, 0, 5), ("transport", 43, 5, 2), ("flow_control", 43, 7, 1),
        ("starting_psn", 44, 0, 24), ("local_cm_timeout", 47, 0, 5), ("retry_count", 47, 5, 3),
        ("pkey", 48, 0, 16), ("path_mtu", 50, 0, 4), ("rdc_exists", 50, 4, 1),
        ("rnr_retry_count", 50, 5, 3), ("max_cm_retries", 51, 0, 4), ("srq", 51, 4, 1),
        ("extended_transport", 51, 5, 3), *path("primary", 52), *path("alternate", 96),
        ("private_data", 140, 0, 0)]),
    "cm_mra": (0x11, [
        LOCAL, REMOTE, ("message", 8, 0, 2), ("service_timeout", 9, 0, 5),
        ("private_data", 10, 0, 0)]),
    "cm_rej": (0x12, [
        LOCAL, REMOTE, ("message", 8, 0, 2), ("info_length", 9, 0, 7), ("reason", 10, 0, 16),
        ("ari", 12, 0, 576), ("private_data", 84, 0, 0)]),
    "cm_rep": (0x13, [
        LOCAL, REMOTE, ("local_q_key", 8, 0, 32), ("local_qpn", 12, 0, 24),
        ("local_eecn", 16, 0, 24), ("starting_psn", 20, 0, 24), ("responder_resources", 24, 0, 8),
        ("initiator_depth", 25, 0, 8), ("target_ack_delay", 26, 0, 5), ("failover", 26, 5, 2),
        ("flow_control", 26, 7, 1), ("rnr_retry_count", 27, 0, 3), ("srq", 27, 3, 1),
        ("local_ca_guid", 28, 0, 64), ("private_data", 36, 0, 0)]),
    "cm_rtu": (0x14, [LOCAL, REMOTE, ("private_data", 8, 0, 0)]),
    "cm_dreq": (0x15, [LOCAL, REMOTE, ("remote_qpn", 8, 0, 24), ("private_data", 12, 0, 0)]),
    "cm_drep": (0x16, [LOCAL, REMOTE, ("private_data", 8, 0, 0)]),
    "cm_sidr_req": (0x17, [
        ("request_id", 0, 0, 32), ("pkey", 4, 0, 16), ("service_id", 8, 0, 64),
        ("private_data", 16, 0, 0)]),
    "cm_sidr_rep": (0x18, [
        ("request_id", 0, 0, 32), ("status", 4, 0, 8), ("info_length", 5, 0, 8),
        ("qpn", 8, 0, 24), ("service_id", 12, 0, 64), ("q_key", 20, 0, 32), ("info", 24, 0, 576),
        ("private_data", 96, 0, 0)]),
    "cm_lap": (0x19, [
        LOCAL, REMOTE, ("remote_qpn", 12, 0, 24), ("remote_cm_timeout", 15, 0, 5),
        ("alternate_local_lid", 20, 0, 16), ("alternate_remote_lid", 22, 0, 16),
        ("alternate_local_gid", 24, 0, 128), ("alternate_remote_gid", 40, 0, 128),
        ("alternate_flow_label", 56, 0, 20), ("alternate_tclass", 59, 0, 8),
        ("alternate_hop_limit", 60, 0, 8), ("alternate_rate", 61, 2, 6),
        ("alternate_sl", 62, 0, 4), ("alternate_subnet_local", 62, 4, 1),
        ("alternate_ack_timeout", 63, 0, 5), ("private_data", 64, 0, 0)]),
    "cm_apr": (0x1A, [
        LOCAL, REMOTE, ("info_length", 8, 0, 8), ("status", 9, 0, 8), ("info", 12, 0, 576),
        ("private_data", 84, 0, 0)]),
}
IP_CM = [("major_version", 0, 0, 4), ("minor_version", 0, 4, 4), ("ip_version", 1, 0, 4),
         ("source_port", 2, 0, 16), ("source", 4, 0, 128), ("destination", 20, 0, 128),
         ("consumer_data", 36, 0, 0)]
IP_SERVICE = 0x0000000001061C06  # TCP port space, port 7174


def value_of(member, width, overrides):
    """A value that no neighbour has, and never 0: bytes counted on from one that the name gives."""
    if member in overrides:
        return overrides[member]
    start = sum(member.encode()) % 200 + 1
    value = int.from_bytes(bytes((start + i) % 255 + 1 for i in range((width + 7) // 8)))
    return value % (1 << width) or 1


def fill(body, fields, overrides):
    """Sets every field in a bytearray that is as long as the message; returns {member: value}."""
    values = {}
    for member, byte, bit, width in fields:
        width = width or (len(body) - byte) * 8
        values[member] = value_of(member, width, overrides)
        end = (bit + width + 7) // 8
        whole = int.from_bytes(body[byte:byte + end])
        whole |= values[member] << (end * 8 - bit - width)
        body[byte:byte + end] = whole.to_bytes(end)
    return values


def mad(class_, method, attribute, body, tid=0x0102030405060708, status=0, modifier=0, specific=0,
        version=2):
    head = struct.pack(">BBBBHHQHHI", 1, class_, version, method, status, specific, tid, attribute, 0,
                       modifier)
    return head + body + bytes(MAD_BYTES - len(head) - len(body))


def messages():
    """(header id, MAD, {member: value}) of each message; REQ twice, the second with an IP service ID
    and so with the private data of the RDMA IP CM service (annex A11), and so SIDR REQ."""
    for name, (attribute, fields) in MESSAGES.items():
        for ip_service in (False, True) if name in ("cm_req", "cm_sidr_req") else (False,):
            body = bytearray(MAD_BYTES - MAD_HEADER_BYTES)
            overrides = {"transport": 1, "path_mtu": 3, "reason": 28, "message": 1, "status": 2}
            values = {}
            if ip_service:
                start = fields[-1][1]
                inner = bytearray(len(body) - start)
                values = fill(inner, IP_CM, {"ip_version": 6, "major_version": 1})
                overrides |= {"service_id": IP_SERVICE, "private_data": int.from_bytes(inner)}
            values |= fill(body, fields, overrides)
            yield name, mad(CM_CLASS, 3, attribute, bytes(body)), values


def as_number(value):
    """A listed value as the number that its bytes make: GIDs come as text, bytes as hex."""
    if isinstance(value, bool) or isinstance(value, int):
        return int(value)
    return int(ipaddress.IPv6Address(value)) if ":" in value else int(value, 16)


def main():
    program, capture = sys.argv[1:]
    run = subprocess.run([program, "--packets", "--headers", "--format", "ndjson", capture],
                         stdout=subprocess.PIPE, check=True)
    records = [json.loads(line) for line in run.stdout.splitlines()]
    expected = list(messages())
    errors = 0 if len(records) == len(expected) else 1
    if errors:
        print(f"{capture}: {len(records)} packets listed, {len(expected)} made")
    for record, (name, _, values) in zip(records, expected):
        listed = {}
        for header in record["headers"]:
            if header["header"] in (name, "ip_cm"):
                listed |= header["fields"]
        listed = {member: as_number(value) for member, value in listed.items()}
        for member in sorted(listed.keys() | values.keys()):
            if listed.get(member) != values.get(member):
                errors += 1
                print(f"{name}.{member}: made {values.get(member):#x}, listed {listed.get(member)}")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
