#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""No input costs more than its length: four times as much of each kind takes at most four times as many steps, and a little.

test_slopes.py COUNT_OPERATIONS. Each kind is what some list, table or search of the engine likes least; it goes from the lower to
the higher address, and the other way. The slope is that of a line through both counts, drawn on logarithmic paper: 1 is linear, 2
quadratic."""
import concurrent.futures
import math
import os
import random
import struct
import subprocess
import sys

SMALL, TIMES, STEEPEST = 1500, 4, 1.2
LONGER = 6 # times as many, where the engine looks at up to 2048 packets: below that, each more costs more

SEND_FIRST, SEND_ONLY, WRITE_FIRST, WRITE_MIDDLE, WRITE_ONLY, READ = 0, 4, 6, 7, 0x0a, 0x0c
RESPONSE_FIRST, RESPONSE_MIDDLE, RESPONSE_LAST, RESPONSE_ONLY, ACK, ATOMIC_ACK, FETCH_ADD, SEND_INVALIDATE = (
    0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x14, 0x17)
UD_SEND, CNP = 0x64, 0x81
NAK_SEQUENCE, NAK_ACCESS, RNR = 0x60, 0x62, 0x2e
REQ, REJ, REP, RTU, DREQ, SIDR_REQ = 0x10, 0x12, 0x13, 0x14, 0x15, 0x17
HOST = (0x0a000001, 0x0a000002)


def reth(address, key, length):
    return struct.pack(">QII", address & (1 << 64) - 1, key & 0xffffffff, length)


def aeth(syndrome, msn):
    return struct.pack(">I", syndrome << 24 | msn & 0xffffff)


def ip(protocol, payload, source, destination, identification=0, tos=0):
    return struct.pack(">12xHBBHHHBBHII", 0x0800, 0x45, tos, 20 + len(payload), identification & 0xffff, 0x4000, 64, protocol, 0,
                       source, destination) + payload


def mad(attribute, body, transaction):
    return (struct.pack(">BBBBHHQHHI", 1, 7, 2, 3, 0, 0, transaction, attribute, 0, 0) + body).ljust(256, b"\0")


def req(identifier, qp, transaction):
    body = bytearray(232)
    struct.pack_into(">I4xQ", body, 0, identifier, 0x01064791)
    struct.pack_into(">I", body, 32, qp << 8 | 16)
    struct.pack_into(">I", body, 44, 5 << 8 | 0xa7)
    body[50] = 5 << 4 | 7
    return mad(REQ, bytes(body), transaction)


def rep(own, other, qp, transaction):
    body = bytearray(232)
    struct.pack_into(">IIIII", body, 0, own, other, 0, qp << 8, 0)
    struct.pack_into(">I", body, 20, 9 << 8)
    return mad(REP, bytes(body), transaction)


class Wire:
    """Frames of one capture, between two hosts: 0 asks, 1 answers."""

    def __init__(self, turned):
        self.hosts = HOST[::-1] if turned else HOST
        self.random = random.Random(4242)
        self.time = 1_700_000_000_000_000 # us
        self.bytes = [struct.pack("=IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)]

    def frame(self, frame, after_us=1):
        self.time += after_us
        self.bytes.append(struct.pack("=IIII", *divmod(self.time, 1_000_000), len(frame), len(frame)) + frame)

    def roce(self, opcode, qp, psn, headers=b"", payload=b"", sender=0, *, port=49152, identification=0, after_us=1, ack_req=False,
             hosts=None, tos=0):
        pad = -len(payload) % 4
        body = struct.pack(">BBHII", opcode, 0x40 | pad << 4, 0xffff, qp & 0xffffff, ack_req << 31 | psn & 0xffffff)
        body += headers + payload + bytes(pad + 4)
        source, destination = hosts or (self.hosts[sender], self.hosts[1 - sender])
        udp = struct.pack(">HHHH", port, 4791, 8 + len(body), 0) + body
        self.frame(ip(17, udp, source, destination, identification, tos), after_us)

    def ask(self, qp, psn, **keywords):
        self.roce(SEND_ONLY, qp, psn, b"", b"x" * 16, **keywords)

    def write(self, qp, psn, key, address=0x1000, **keywords):
        self.roce(WRITE_ONLY, qp, psn, reth(address, key, 8), b"x" * 8, **keywords)

    def answer(self, qp, psn, syndrome=0, msn=0, **keywords):
        self.roce(ACK, qp, psn, aeth(syndrome, msn), sender=1, **keywords)

    def management(self, message, psn, sender=0):
        self.roce(UD_SEND, 1, psn, struct.pack(">II", 0x80010000, 1), message, sender)

    def tcp(self, payload, sequence=1, sender=0, port=40000, to=7000, flags=0x10, source=None):
        ports = (port, to) if sender == 0 else (to, port)
        segment = struct.pack(">HHIIBBHHH", *ports, sequence & 0xffffffff, 1, 0x50, flags, 65535, 0, 0) + payload
        self.frame(ip(6, segment, source or self.hosts[sender], self.hosts[1 - sender]))


# ---- connections -------------------------------------------------------------------------------------------------------------

def qps_one_way(w, n):
    for i in range(n):
        w.write(0x100 + i, i, 7, port=49152 + i % 16384)


def qps_of_one_port(w, n, others, late):
    for i in range(0 if late else others):
        w.ask(0x99 + i, 0x7fffff, hosts=w.hosts[::-1])
    for i in range(n):
        w.ask(0x200 + i, 0x10)
    for i in range(others if late else 0):
        w.ask(0x99 + i, 0x7fffff, hosts=w.hosts[::-1])


def qps_same_port(w, n):
    qps_of_one_port(w, n, 1, False)


def qps_same_port_late(w, n):
    qps_of_one_port(w, n, 1, True)


def qps_same_port_64(w, n):
    qps_of_one_port(w, n, 64, True)


def answers_of_64(w, n):
    for i in range(64):
        w.ask(0x99 + i, 0x7fffff - 5 * i, port=50000 + i)
    for i in range(n):
        w.answer(0x200 + i, 0x10, port=49152 + i % 800)


def answers_that_fit_late(w, n):
    for i in range(n):
        w.answer(0x200 + i, 0x10 if i < n // 2 else 5, port=49152 + i % 16000)
    w.ask(0x99, 5, port=60000)


def qps_at_random(w, n):
    for i in range(n):
        qp, psn, port = w.random.randrange(2, 1 << 24), w.random.randrange(1 << 24), 49152 + w.random.randrange(16384)
        if i % 2:
            w.ask(qp, psn, port=port)
        else:
            w.answer(qp, psn, port=port)


def hosts_at_random(w, n):
    for i in range(n):
        w.ask(0x100 + i, i, hosts=(0x0b000000 + i, 0x0c000000 + w.random.randrange(1 << 24)))


def lives_by_jumps(w, n):
    for i in range(n):
        w.write(0x100, i * 0x7ffff0, 7)


def lives_that_are_answered(w, n):
    for i in range(n // 2):
        w.ask(0x100, i * 0x400000)
        w.answer(0x200, i * 0x400000, 0, i)


def lives_that_are_refused(w, n):
    for i in range(n // 2):
        w.write(0x100, i * 0x123456, 7, identification=i, ack_req=True)
        w.answer(0x200, i * 0x123456, NAK_ACCESS, identification=i)


# ---- PSNs --------------------------------------------------------------------------------------------------------------------

def psns_at_random(w, n):
    for _ in range(n):
        w.roce(WRITE_MIDDLE, 0x100, w.random.randrange(1 << 24), b"", b"x" * 16)


def psns_with_holes(w, n):
    for i in range(n):
        w.ask(0x100, 2 * i)


def psns_backwards(w, n):
    for i in range(n):
        w.ask(0x100, n - i)


def psns_shuffled(w, n):
    for begin in range(0, n, 750): # which divides all counts
        psns = list(range(begin, begin + 750))
        w.random.shuffle(psns)
        for psn in psns:
            w.ask(0x100, psn)


def resends_of_the_oldest(w, n):
    for i in range(1000):
        w.ask(0x100, i, identification=i)
    for i in range(n):
        w.ask(0x100, 0, identification=1000 + i, after_us=3000)


def resends_of_a_window(w, n):
    for i in range(n):
        w.ask(0x100, i % 1000, identification=i)


def resends_after_naks(w, n):
    for i in range(1000):
        w.ask(0x100, i, identification=i)
    for i in range(n // 2):
        w.answer(0x200, 0, NAK_SEQUENCE, identification=i, after_us=3000)
        w.ask(0x100, w.random.randrange(1000), identification=5000 + i, after_us=3000)


def messages_without_end(w, n):
    for i in range(n):
        w.roce(WRITE_FIRST if i % 2 else SEND_FIRST, 0x100, i, reth(1, 2, 1 << 31) if i % 2 else b"", b"x" * 256, identification=i)


# ---- answers -----------------------------------------------------------------------------------------------------------------

def naks(w, n):
    for i in range(1000):
        w.ask(0x100, i, identification=i)
    for i in range(n):
        w.answer(0x200, i % 1000, NAK_SEQUENCE, identification=i)


def rnr_naks(w, n):
    for i in range(n // 2):
        w.ask(0x100, 5, identification=i)
        w.answer(0x200, 5, RNR, identification=i)


def answers_from_the_future(w, n):
    w.ask(0x100, 0)
    for i in range(n):
        w.answer(0x200, i * 4097 + 100000, 0, i, identification=i)


def reads_that_overlap(w, n):
    for i in range(n):
        w.roce(READ, 0x100, i, reth(0x1000 + i, 7, 1 << 31), identification=i)


def reads(w, n):
    for i in range(n // 2):
        w.roce(READ, 0x100, i, reth(0x1000, 7, 4), identification=i)
        w.roce(RESPONSE_ONLY, 0x200, i, aeth(0, i + 1), b"abcd", 1, identification=i)


def responses_unasked(w, n):
    for i in range(n):
        w.roce(RESPONSE_ONLY, 0x200, w.random.randrange(1 << 24), aeth(0, i), b"abcd", 1, identification=i)


def responses_at_random(w, n):
    for i in range(500):
        w.roce(READ, 0x100, 4 * i, reth(4096 * i, 7, 4 * 4096), identification=i)
    for i in range(n):
        opcode = w.random.choice((RESPONSE_FIRST, RESPONSE_MIDDLE, RESPONSE_LAST, RESPONSE_ONLY))
        w.roce(opcode, 0x200, w.random.randrange(2000), b"" if opcode == RESPONSE_MIDDLE else aeth(0, i), b"x" * 64, 1, identification=i,
               after_us=3000)


def a_read_with_requests_in_it(w, n):
    w.roce(READ, 0x100, 0, reth(0x1000, 7, 1 << 31))
    for i in range(n):
        w.ask(0x100, i * 37 % 400000, identification=i, after_us=3000)


def reads_with_responses_in_them(w, n):
    for i in range(n // 2):
        w.roce(READ, 0x100, 5 * i, reth(0x1000, 7, 1 << 30), identification=i)
        w.roce(RESPONSE_MIDDLE, 0x200, 5 * i + i * 77 % 2000, b"", b"x" * 1024, 1, identification=i)


# ---- keys --------------------------------------------------------------------------------------------------------------------

def keys(w, n):
    for i in range(n):
        w.write(0x100, i, i, identification=i)


def keys_that_work(w, n):
    for i in range(n // 2):
        w.write(0x100, i, i % 100, w.random.randrange(1 << 48), identification=i, ack_req=True)
        w.answer(0x200, i, 0, i + 1, identification=i)


def a_key_of_many_addresses(w, n):
    for i in range(n // 2):
        w.write(0x100, i, 9, i * 0x1234567 & 0xfffffffff, identification=i, ack_req=True)
        w.answer(0x200, i, 0, i + 1, identification=i)


def keys_that_are_refused(w, n):
    for i in range(n // 2):
        w.write(0x100 + i, 5, i, 0x1000 + i, identification=i, port=50000, ack_req=True)
        w.answer(0x800000 + i, 5, NAK_ACCESS, 1, identification=i, port=50000)


def keys_that_are_invalidated(w, n):
    for i in range(n // 2):
        w.write(0x100, 2 * i, i % 50, identification=i)
        w.roce(SEND_INVALIDATE, 0x100, 2 * i + 1, struct.pack(">I", i % 50), b"x" * 8, identification=i + 1)


def keys_of_one_host(w, n):
    for i in range(n // 2):
        w.write(0x100 + i % 500, i // 500, i, 0x1000 * i, identification=i, ack_req=True)
        w.answer(0x800000 + i % 500, i // 500, 0, i + 1, identification=i)


def keys_that_may_have_been_told(w, n):
    for i in range(n // 2):
        w.roce(SEND_ONLY, 0x100, i, b"", w.random.randbytes(64), identification=i)
        w.write(0x300 + i, 5, 0x70000000 + i, hosts=w.hosts[::-1], identification=i, port=50000)


def atomics(w, n):
    for i in range(n // 2):
        w.roce(FETCH_ADD, 0x100, i, struct.pack(">QIQQ", w.random.randrange(1 << 20) * 8, 7, 1, 0), identification=i)
        w.roce(ATOMIC_ACK, 0x200, i, aeth(0, i + 1) + w.random.randbytes(8), b"", 1, identification=i)


# ---- connection management ---------------------------------------------------------------------------------------------------

def requests_to_connect(w, n):
    for i in range(n):
        w.management(req(i + 1, 0x100 + i, i), i)


def requests_with_one_id(w, n):
    for i in range(n):
        w.management(req(1, 0x100 + i, i), i)


def ids_of_one_conversation(w, n):
    w.management(req(1, 0x100, 1), 0)
    for i in range(n):
        w.management(mad(RTU, struct.pack(">II", 1000 + i, 1), 1), i, 1)


def replies_to_nothing(w, n):
    for i in range(n):
        w.management(rep(i + 1, i + 70000, 0x100 + i, i), i)


def connections_of_the_same_qps(w, n):
    for i in range(n // 4):
        w.management(req(i + 1, 0x100, i), i)
        w.management(rep(i + 1, i + 1, 0x200, i), i, 1)
        w.ask(0x200, 5)
        w.answer(0x100, 5, 0, 1)


def connections(w, n):
    for i in range(n // 4):
        w.management(req(i + 1, 0x100 + i, i), i)
        w.management(rep(i + 1, i + 1, 0x800000 + i, i), i, 1)
        w.ask(0x800000 + i, 5)
        w.answer(0x100 + i, 5, 0, 1)


def ends_of_nothing(w, n):
    for i in range(n):
        w.management(mad(DREQ, struct.pack(">III", i, i + 5, i << 8), i), i)


def refusals_to_connect(w, n):
    for i in range(n // 2):
        w.management(req(i + 1, 0x100 + i, i), i)
        w.management(mad(REJ, struct.pack(">IIBBH", 0, i + 1, 0, 0, 28), i), i, 1)


def questions_for_services(w, n):
    for i in range(n):
        w.management(mad(SIDR_REQ, struct.pack(">I50x", i), i), i)


# ---- others ------------------------------------------------------------------------------------------------------------------

def datagrams(w, n):
    for i in range(n):
        w.roce(UD_SEND, w.random.randrange(2, 1 << 24), i, struct.pack(">II", 0x11111111, w.random.randrange(2, 1 << 24)), b"x" * 32)


def datagrams_to_all(w, n):
    for i in range(n):
        w.roce(UD_SEND, 0xffffff, i, struct.pack(">II", 0x11111111, 0x100 + i % 1000), b"x" * 32, hosts=(w.hosts[0], 0xef000001))


def cnps(w, n):
    for i in range(n):
        w.roce(CNP, 0x100 + i, 0, bytes(16), sender=1)


def cnps_of_one(w, n):
    w.ask(0x100, 0)
    for i in range(n):
        w.roce(CNP, 0x100, 0, bytes(16), sender=1, identification=i)


def classes(w, n):
    for i in range(n):
        w.ask(0x100 + i % 1000, i // 1000, identification=i, tos=w.random.randrange(256))


def one_identification(w, n):
    for i in range(n):
        w.ask(0x100 + i % 1000, i // 1000, identification=77)


def identifications_far_apart(w, n):
    for i in range(n):
        w.ask(0x100 + i % 16, i // 16, identification=i % 16 * 4096)


def damaged(w, n):
    for i in range(n):
        w.ask(0x100, i, hosts=(0x0a100000 + i // 4, w.hosts[1]))


def times_backwards(w, n):
    for i in range(n):
        w.ask(0x100, i, identification=i, after_us=-1)


def pauses(w, n):
    for i in range(n):
        w.frame(struct.pack(">6sHIHHH42x", bytes.fromhex("0180c2000001"), 0x0200, i, 0x8808, 1, 0xffff))


def opcodes_at_random(w, n):
    for i in range(n):
        w.roce(w.random.randrange(256), 0x100 + i, i, w.random.randbytes(w.random.randrange(40)))


# ---- TCP ---------------------------------------------------------------------------------------------------------------------

MPA = b"MPA ID Req Frame\0\1\0\0"


def syns(w, n):
    for _ in range(n):
        w.tcp(b"", port=w.random.randrange(1024, 65536), flags=2, source=0x0a000000 + w.random.randrange(1 << 24))


def beginnings_of_iwarp(w, n):
    for i in range(n):
        w.tcp(MPA, port=1024 + i)


def holes(w, n):
    w.tcp(MPA)
    for i in range(n):
        w.tcp(b"z" * 16, 1000 + 32 * i)


def segments_backwards(w, n):
    w.tcp(MPA)
    for i in range(n):
        w.tcp(b"z" * 16, 1000 + 16 * (n - i))


def bytes_one_by_one(w, n):
    w.tcp(MPA)
    for i in range(n):
        w.tcp(b"\xff", 21 + i)


def the_same_segment(w, n):
    w.tcp(MPA)
    for _ in range(n):
        w.tcp(b"z" * 64, 500)


def qps_in_clear(w, n):
    for i in range(n):
        line = b"0000:%06x:%06x:%08x:%016x:00000000000000000000ffff0a000001\0" % (i, i * 7 & 0xffffff, i, i)
        w.tcp(line, 1, i % 2, port=40000 + i // 2)


def kinds():
    mine = [value for name, value in globals().items() if callable(value) and getattr(value, "__code__", None)]
    return [kind for kind in mine if kind.__code__.co_varnames[:kind.__code__.co_argcount] == ("w", "n")]


def steps(kind, turned, count):
    wire = Wire(turned)
    kind(wire, count)
    return int(subprocess.run([sys.argv[1]], input=b"".join(wire.bytes), capture_output=True, check=True).stdout)


def slope(job):
    count = SMALL * (LONGER if job[0] in (psns_shuffled, psns_at_random, resends_of_a_window) else 1)
    return math.log(steps(*job, TIMES * count) / steps(*job, count)) / math.log(TIMES)


def main():
    jobs = [(kind, turned) for kind in kinds() for turned in (False, True)]
    assert len(jobs) > 100, len(jobs)
    steep = 0
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for (kind, turned), found in zip(jobs, pool.map(slope, jobs)):
            print(f"{found:.2f} {kind.__name__}{', the other way' if turned else ''}")
            steep += found > STEEPEST
    print(f"{steep} of {len(jobs)} above {STEEPEST}")
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
