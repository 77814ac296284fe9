#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Memory is bounded whatever upper layers are told, and what hits a limit, or cannot be read, is counted.

usage: commands.py PROGRAM

Makes captures of RoCE whose payloads lie, and allows the program so much memory (RLIMIT_DATA; not where sanitizers need their
own): commands that nobody answers, on one connection and on many; XIDs that repeat; commands that lend as much memory as they
can; more connections than are followed; lengths, counts and lists that go on for ever, and bytes of no meaning behind good beginnings.
"""

import json
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "captures"))
import capfile  # noqa: E402
import frames  # noqa: E402

SANITIZED = b"__asan_init" in pathlib.Path(sys.argv[1]).read_bytes()
MIB, SEND_ONLY, PAYLOAD = 1 << 20, 4, 54 # where the payload of a frame begins
WAITING, CONNECTIONS = 4096, 16384 # docs/architecture.md


class Sender:
    """SENDs of RoCE, by templates: only the QPN, the PSN and the payload differ."""

    def __init__(self):
        self.psns, self.heads = {}, {}

    def send(self, qp, payload):
        if len(payload) not in self.heads:
            whole = frames.ethernet(frames.rocev2_ip4(frames.transport(SEND_ONLY, payload=payload)), 0x0800)
            self.heads[len(payload)] = whole[:47], whole[PAYLOAD + len(payload):]
        head, tail = self.heads[len(payload)]
        psn = self.psns[qp] = self.psns.get(qp, 99) + 1
        return head + struct.pack(">I", qp)[1:] + struct.pack(">I", psn & 0xFFFFFF) + payload + tail


# ---- messages -----------------------------------------------------------------------------------

def nfs(xid, lists=bytes(12)):
    """A NULL call of NFS 3."""
    return struct.pack(">4I", xid, 1, 32, 0) + lists + struct.pack(">10I", xid, 0, 2, 100003, 3, 0, 0, 0, 0, 0)


def segments(count, told=None):
    """A write list of one chunk."""
    chunk = b"".join(struct.pack(">IIQ", 0x1000 + i, 64, 0x7000) for i in range(count))
    return struct.pack(">III", 0, 1, count if told is None else told) + chunk + bytes(8)


def nvme(cid, length=4096, key=0x1000):
    """A Read of the first block."""
    sgl = struct.pack("<Q", 0x7000) + struct.pack("<I", length)[:3] + struct.pack("<I", key) + b"\x40"
    return struct.pack("<BBHI", 2, 0x40, cid & 0xFFFF, 1) + bytes(16) + sgl + bytes(24)


def smb_direct(data, told=None, offset=24, remaining=0):
    return struct.pack("<HHHHIII", 255, 255, 0, 0, remaining, offset, len(data) if told is None else told) + bytes(4) + data


def smb(command, message, behind=0, body=b""):
    return b"\xfeSMB" + struct.pack("<HHIHHIIQ", 64, 1, 0, command, 1, 0, behind, message) + bytes(32) + body


def srp(tag, formats=0x20, descriptors=(255, 255), length=0xFFFFFFFF):
    head = bytes([2, 0, 0, 0, 0, formats, *descriptors]) + struct.pack(">Q", tag) + bytes(15) + b"\0" + b"\x28" + bytes(15)
    return head + struct.pack(">QIII", 0x7000, 1, length, length) + bytes(64)


def iser(task, data=0xFFFFFF, ahs=255):
    return b"\x14" + bytes(3) + bytes(8) + struct.pack(">IQ", 5, 0x7000) + bytes([1, 0xC0, 0, 0, ahs]) + struct.pack(">I", data)[1:] + \
        bytes(8) + struct.pack(">II", task, 0xFFFFFFFF) + bytes(8) + b"\x28" + bytes(15)


# ---- floods -------------------------------------------------------------------------------------

def unanswered(s):
    return (s.send(17, nfs(i)) for i in range(60000))


def everywhere(s):
    return (s.send(17 + i % 1000, nvme(i // 1000)) for i in range(400000))


def repeated(s):
    return (s.send(17, nfs(i % 3)) for i in range(60000))


def lending(s):
    return (s.send(17 + i % 64, nfs(i, segments(40))) for i in range(100000))


def connections(s):
    return (s.send(17 + i, nvme(1)) for i in range(20000))


def liars(s):
    """Each begins as its protocol does; then what it says of itself is impossible."""
    draw = random.Random(7)
    good = {1: nfs(1), 2: nvme(1), 3: smb_direct(smb(5, 1)), 4: srp(1, 0x01, (0, 0), 512), 5: iser(1, 0, 0)}
    for kind, payload in good.items():
        yield s.send(kind + 16, payload)
    lies = (
        nfs(2, segments(1, 0xFFFFFFFF)), nfs(3, segments(8, 9)), nfs(4, struct.pack(">3I", 1, 0, 1)),
        nfs(5)[:60] + b"\xff" * 40, nvme(2, 0xFFFFFF), nvme(2, 0xFFFFFF)[:40], smb_direct(smb(5, 2, 64), 0xFFFFFFFF),
        smb_direct(smb(5, 3, 64)), smb_direct(smb(5, 4, 1)), smb_direct(smb(5, 5, 0xFFFFFFFF)), smb_direct(b"", 0, 0xFFFFFFFF),
        smb_direct(smb(8, 6), remaining=0xFFFFFFFF), smb_direct(smb(9, 7, 0, b"\xff" * 64)), srp(2), srp(3, 0x22), srp(4, 0xFF),
        srp(5, 0x22, (255, 255), 0xFFFFFFF0), iser(2), iser(3, 48), b"", b"\xff" * 1000)
    for i in range(40000):
        qp = 17 + i % 5
        payload = bytearray(lies[i % len(lies)] if i % 3 else good[1 + i % 5])
        for _ in range(draw.randrange(3)):
            if payload:
                payload[draw.randrange(len(payload))] = draw.choice((0, 1, 0x7F, 0x80, 0xFF))
        yield s.send(qp, bytes(payload))


def total(document, member):
    return sum(layer[member] for layer in document["upper_layers"])


# what is made, MiB that it may take, and what its document must say
FLOODS = (
    (unanswered, 8, lambda d: total(d, "unanswered") == WAITING and total(d, "commands_forgotten") == 60000 - WAITING),
    (everywhere, 110, lambda d: total(d, "commands_forgotten") > 0 and total(d, "unanswered") <= 262144
     and total(d, "commands") == total(d, "unanswered") + total(d, "commands_forgotten")),
    (repeated, 6, lambda d: total(d, "replaced") == 60000 - 3 and total(d, "unanswered") == 3),
    (lending, 150, lambda d: total(d, "commands") == 100000),
    (connections, 200, lambda d: d["not_kept"][0]["upper_layer_connections"] == 20000 - CONNECTIONS),
    (liars, 12, lambda d: total(d, "messages_unread") and total(d, "messages_cut") and len(d["upper_layers"]) == 5),
)


def run(path, most):
    def limit():
        if most:
            resource.setrlimit(resource.RLIMIT_DATA, (most * MIB, most * MIB))
    result = subprocess.run([sys.argv[1], "--format", "json", "--memory", "4G", "-j", "1", path], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, preexec_fn=limit, check=False)
    return json.loads(result.stdout) if result.returncode in (0, 1) and result.stdout else None


def main():
    errors = 0
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "flood.pcap")
        for make, most, holds in FLOODS:
            capfile.write_pcap(path, capfile.ETHERNET, ((1000 * i, data, len(data)) for i, data in enumerate(make(Sender()))))
            document = run(path, None if SANITIZED else most)
            if document is None:
                print(f"{make.__name__}: needs more than {most} MiB, or failed")
                errors += 1
                continue
            members = ("commands", "unanswered", "replaced", "commands_forgotten", "messages_cut", "messages_unread")
            told = ", ".join(f"{member} {total(document, member)}" for member in members)
            print(f"{make.__name__}: {len(document['upper_layers'])} upper layers, {told}; {most} MiB are enough")
            if not holds(document):
                print(f"{make.__name__}: this is not what must be told")
                errors += 1
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
