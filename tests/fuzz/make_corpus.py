#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the seed corpora of the fuzz targets from captures.

usage: make_corpus.py FUZZ_FOLDER CAPTURES...

FUZZ_FOLDER holds the built targets (build-fuzz/tests/fuzz); CAPTURES are files or folders. Frames
become inputs in the form that fuzz_dissect.c, fuzz_engine.c, fuzz_stream.c, fuzz_ulp.c, fuzz_files.c and fuzz_program.c describe; libFuzzer's merge then keeps
those that reach code which no input in corpus/ reaches yet. Nothing is deleted: to start anew, empty
corpus/fuzz_*/ first, but for the inputs that once broke something (they have names, not hashes).
"""

import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "captures"))
import capfile  # noqa: E402

FRAMES = 400        # of each capture
FRAME_MAX = 1400    # bytes of a frame
SEQUENCE = 20       # frames in an input of fuzz_engine
SEQUENCE_SNAP = 160 # bytes of each of them: the CM messages of real captures keep their QPNs
STEP_NS = 1000      # of fuzz_engine.c
UINT16 = (1 << 16) - 1
OUTPUTS = 12        # of fuzz_program.c
FILE_FRAMES, FILE_BYTES = 24, 6000 # of a file in an input
TARGETS = ("fuzz_dissect", "fuzz_engine", "fuzz_stream", "fuzz_times", "fuzz_ulp", "fuzz_files", "fuzz_program")


def link_byte(link):
    return link & 0xFF


def dissect_input(frame):
    data = frame.data[:FRAME_MAX]
    uncaptured = min(frame.wire - len(data), UINT16)
    return struct.pack(">BHB", link_byte(frame.link), uncaptured, 0x80) + data


def engine_input(frames, snap):
    parts, before = [], frames[0].time_ns
    for frame in frames:
        data = frame.data[:snap]
        step = max(-0x8000, min((frame.time_ns - before) // STEP_NS, 0x7FFF))
        parts.append(struct.pack(">BhBHH", link_byte(frame.link), step, 0, len(data),
                                 min(frame.wire - len(data), UINT16)) + data)
        before = frame.time_ns
    return b"".join(parts)


STREAM_SEGMENTS, STREAM_BYTES, STREAM_PORTS = 40, 14000, 4 # of an input; PORTS of fuzz_stream.c


def tcp_of(frame):
    """(source, ports, sequence number, flags, payload) of plain TCP over IPv4, or None"""
    data = frame.data
    if data[12:14] != b"\x08\x00" or data[23] != 6:
        return None
    tcp = 14 + (data[14] & 15) * 4
    begin = tcp + (data[tcp + 12] >> 4) * 4
    end = 14 + int.from_bytes(data[16:18])
    ports = int.from_bytes(data[tcp:tcp + 2]), int.from_bytes(data[tcp + 2:tcp + 4])
    return data[26:30], ports, int.from_bytes(data[tcp + 4:tcp + 8]), data[tcp + 13], data[begin:end]


def stream_input(frames):
    """The segments of a capture's first connections."""
    connections, parts = {}, []
    for source, ports, sequence, bits, payload in filter(None, map(tcp_of, frames)):
        connection = connections.setdefault(tuple(sorted(ports)),
                                            {"port": len(connections) % STREAM_PORTS, "first": source})
        side = source != connection["first"]
        move = sequence - connection.get(side, sequence)
        flags = (connection["port"] | side << 7 | (bits >> 1 & 1) << 6 | (bits & 1) << 5 |
                 (bits >> 2 & 1) << 4 | (bits >> 4 & 1) << 3 | (move == 0) << 2)
        payload = payload[:4095]
        parts.append(struct.pack(">BhHB", flags, max(-0x8000, min(move, 0x7FFF)), len(payload), 0) +
                     payload)
        connection[side] = sequence + len(payload) + (bits >> 1 & 1)
        if len(parts) == STREAM_SEGMENTS or sum(map(len, parts)) > STREAM_BYTES:
            break
    return b"".join(parts)


ULP_BYTES, ULP_PAGE = 3000, 64 # of an input; PAGE of fuzz_ulp.c
SEND_OPCODES = {0: 0, 1: 0x40, 2: 0x60, 4: 0x20, 0x16: 0x60, 0x17: 0x20} # RC; flags of fuzz_ulp.c


def ulp_input(frames):
    """The SENDs of a capture of RoCEv2 over IPv4 and Ethernet."""
    parts, first = [], None
    for data in (frame.data for frame in frames):
        if data[12:14] != b"\x08\x00" or data[23] != 17 or data[36:38] != b"\x12\xb7" or data[42] not in SEND_OPCODES:
            continue
        first = first or data[26:30]
        begin = 54 + 4 * (data[42] >= 0x16)
        payload = data[begin:-4][:255]
        parts.append(bytes([SEND_OPCODES[data[42]] | 0x80 * (data[26:30] != first), 0, len(payload)]) + payload)
        if sum(map(len, parts)) > ULP_BYTES:
            break
    return b"".join(parts)


def file_input(path):
    """The beginning of a file: whole records of a pcap."""
    data = path.read_bytes()
    if path.suffix != ".pcap":
        return data[:FILE_BYTES]
    ends = [at for at, _ in zip((at for at, _ in capfile.pcap_frames(data)), range(FILE_FRAMES)) if at < FILE_BYTES]
    return data[:ends[-1] if ends else FILE_BYTES]


def inputs(path):
    """Yields (target, input) for the frames of one capture."""
    frames = []
    for frame in capfile.read(path):
        frames.append(frame)
        if len(frames) == FRAMES:
            break
    for frame in frames:
        yield "fuzz_dissect", dissect_input(frame)
    for at in range(0, len(frames), SEQUENCE):
        yield "fuzz_engine", engine_input(frames[at:at + SEQUENCE], SEQUENCE_SNAP)
        yield "fuzz_times", engine_input(frames[at:at + SEQUENCE], SEQUENCE_SNAP)
    yield "fuzz_files", bytes([len(frames) % 2]) + file_input(path)
    yield "fuzz_program", bytes([sum(path.name.encode()) % OUTPUTS]) + file_input(path)
    if any(map(tcp_of, frames)):
        yield "fuzz_stream", stream_input(frames)
    if ulp_input(frames):
        yield "fuzz_ulp", ulp_input(frames)
    if frames: # some whole packets, so that ICRCs are checked
        yield "fuzz_engine", engine_input([f for f in frames if f.wire < 400][:SEQUENCE] or frames[:1],
                                          FRAME_MAX)


def main():
    fuzz, captures = pathlib.Path(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        made = {target: pathlib.Path(folder) / target for target in TARGETS}
        for target in made.values():
            target.mkdir()
        count = 0
        for given in captures:
            for path in capfile.find(given):
                for target, data in inputs(path):
                    (made[target] / f"{count:06}").write_bytes(data)
                    count += 1
        for target, candidates in made.items():
            corpus = HERE / "corpus" / target
            corpus.mkdir(parents=True, exist_ok=True)
            subprocess.run([fuzz / target, "-merge=1", "-max_len=16384", corpus, candidates],
                           check=True, stderr=subprocess.DEVNULL)
            print(f"{target}: {len(list(corpus.iterdir()))} inputs")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main()
