#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--extract: the frames of a connection, or of what a check found, and no others."""
import json
import pathlib
import resource
import signal
import struct
import subprocess
import sys
import tempfile

import pcap
from pcapng import block, blocks_of, option
from program import CAPTURES, EVERY, PROGRAM, main, matches, run, same, text

FOLDER = pathlib.Path(tempfile.mkdtemp())
OUT = FOLDER / "out.pcapng"
SEVERAL = ["roce_cm_ucmatose.a.pcap", "ulp_nvme_roce.a.pcap", "iwarp_rping.a.pcap", "roce_rc_send_multi.a.pcap",
           "iwarp_ucmatose.a.pcap", "roce_loss_burst.a.pcap", "roce_ud_send_bw.a.pcap", "tcp_http.a.pcap"]


def frames_of(path):
    """(time in ns, bytes, length on the wire) of each frame of a pcap or pcapng in this host's order"""
    data = path.read_bytes()
    if data[:4] == b"\x0a\x0d\x0d\x0a":
        for one in blocks_of(data, "<"):
            if one[:4] == b"\6\0\0\0":
                high, low, captured, wire = struct.unpack("<IIII", one[12:28])
                yield (high << 32 | low), one[28:28 + captured], wire
        return
    for _, time, frame, wire in pcap.frames(data):
        yield time, frame, wire


def packet_block(time, data, wire, order="<"):
    body = struct.pack(order + "IIIII", 0, time >> 32, time & 0xffffffff, len(data), wire)
    return block(order, 6, body + data + bytes(-len(data) % 4))


def write(path, frames, extra=()):
    """A pcapng of one Ethernet interface with names; `extra` blocks stand behind the interface."""
    blocks = [block("<", 0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)),
              block("<", 1, struct.pack("<HHI", 1, 0, 0) + option("<", 9, b"\x09") + option("<", 2, b"eth7") + bytes(4)),
              *extra, *(packet_block(*frame) for frame in frames)]
    path.write_bytes(b"".join(blocks))
    return blocks


def join():
    """Several captures in one, a second apart, and where each frame is from."""
    path, frames, begin = FOLDER / "several.pcapng", [], 0
    for name in SEVERAL:
        own = list(frames_of(CAPTURES / name))
        base = begin * 10**9 - own[0][0]
        frames += [(time + base, data, wire, name) for time, data, wire in own]
        begin = frames[-1][0] // 10**9 + 100
    write(path, [frame[:3] for frame in frames])
    return path, frames


def document(path):
    return json.loads(text("--format=json", path))


def without_frames(value):
    """What JSON says of a connection, but for its number and those of frames."""
    if isinstance(value, dict):
        return {key: without_frames(one) for key, one in value.items() if key != "id" and "frame" not in key}
    return [without_frames(one) for one in value] if isinstance(value, list) else value


def extract(what, path, **keywords):
    OUT.unlink(missing_ok=True)
    result = run("--extract", str(what), OUT, path, **keywords)
    same(result.returncode, 0, f"{path} {what}: {result.stderr.decode()}")
    return document(OUT)


def test_of_each_connection_the_same_is_told():
    """All of captures/: analyzed again a connection is what it was, how it was set up included."""
    count = 0
    for path in sorted(CAPTURES.glob("*.pcap*"))[::EVERY]:
        for connection in document(path)["connections"]:
            again = [without_frames(one) for one in extract(connection["id"], path)["connections"]]
            assert without_frames(connection) in again, (path.name, connection["id"])
            count += 1
    assert count > 100 // EVERY, count


def test_others_are_absent():
    """Of several captures in one each connection comes out with the frames of its capture alone, and all of its own."""
    path, frames = join()
    whole = document(path)
    packets = [json.loads(line) for line in text("--packets", "--format=ndjson", path).splitlines()]
    same({one["paired_by"] for one in whole["connections"]} >= {"cm", "exchange", "source_port"}, True)
    assert len(whole["connections"]) > 12
    for connection in whole["connections"]:
        number = connection["id"]
        again = extract(number, path)
        assert without_frames(connection) in [without_frames(one) for one in again["connections"]], number
        got = set(frames_of(OUT))
        theirs = {one["connection"] for one in packets if tuple(frames[one["frame"] - 1][:3]) in got}
        same(sorted(other for other in theirs - {number, None} if whole["connections"][other]["service"] != "CM"),
             [], f"others with {number}")
        missing = [one["frame"] for one in packets
                   if one["connection"] == number and tuple(frames[one["frame"] - 1][:3]) not in got]
        same(missing, [], number)
        if connection["service"] != "CM": # those of all captures are one
            same([one for one in again["conversations"]], [], number)
            same([one["service"] for one in again["connections"] if one["service"] != "CM"], [connection["service"]])
            same(len({name for *frame, name in frames if tuple(frame) in got}), 1, number)


def test_what_a_check_found():
    """The frames that its findings list, and all of the connections that they are about."""
    path, frames = join()
    whole = document(path)
    for code in sorted({finding["code"] for finding in whole["findings"]}):
        extract(code, path)
        got = set(frames_of(OUT))
        findings = [finding for finding in whole["findings"] if finding["code"] == code]
        for finding in findings:
            same([frame for frame in finding["frames"] if tuple(frames[frame - 1][:3]) not in got], [], code)
        wanted = {finding["connection"] for finding in findings} - {None}
        again = [without_frames(one) for one in document(OUT)["connections"]]
        for number in wanted:
            assert without_frames(whole["connections"][number]) in again, (code, number)
    extract("G14", CAPTURES / "made/pause.pcap") # of no connection
    same([frame in set(frames_of(OUT)) for frame in frames_of(CAPTURES / "made/pause.pcap")][0], True)
    extract("S01", path)
    assert 0 < len(list(frames_of(OUT))) < len(frames) / 2


def test_of_a_pcapng_all_else_stays():
    """Other blocks, and comments of frames that stay, are the same bytes."""
    own = list(frames_of(CAPTURES / "roce_cm_ucmatose.a.pcap"))
    path = FOLDER / "own.pcapng"
    names = block("<", 4, struct.pack("<HH", 1, 7) + b"\x0a\0\0\1a\0\0\0" + bytes(4))
    custom = block("<", 0x0bad, b"whatever it is..")
    write(path, own, (names, custom))
    extract(1, path)
    before, after = (list(blocks_of(one.read_bytes(), "<")) for one in (path, OUT))
    assert 10 < len(after) < len(before)
    rest = iter(before)
    for one in after:
        assert one in rest, "in the same order, with the same bytes"
    for one in before[:4]:
        assert one in after


def test_from_a_pipe():
    """What comes through a pipe, or is packed otherwise, has the same frames."""
    path, _ = join()
    for number in (0, 5):
        extract(number, path)
        want = list(frames_of(OUT))
        assert want
        extract(number, "-", stdin=path.read_bytes())
        same(list(frames_of(OUT)) == want, True, number)


def test_mistakes():
    """Each has one line that says what there is; nothing is written, and nothing of the report."""
    path = CAPTURES / "roce_corrupt.a.pcap"
    for arguments, words in ((["7"], "no connection 7: there are 0 to 0"),
                             (["S1"], 'there is no check "S1"; did you mean S01?'),
                             (["S17"], "there are no findings of S17; there are of S1"),
                             (["Z99"], 'there is no check "Z99"'), (["-1"], '"-1" is no number of a connection'),
                             (["4294967296"], "no number of a connection"), ([""], '"" is no number of a connection')):
        target = FOLDER / "never.pcapng"
        result = run("--extract", *arguments, target, path)
        same((result.returncode, result.stdout), (2, b""), arguments)
        assert words in result.stderr.decode(), result.stderr
        same(len(result.stderr.decode().splitlines()), 1, arguments)
        same(target.exists(), False, arguments)
    matches("one capture at a time", run("--extract", "0", OUT, path, path).stderr.decode())
    matches("into which file", run("--extract", "0").stderr.decode())
    config = FOLDER / "options"
    config.write_text(f"extract 0 {OUT}\n")
    OUT.unlink(missing_ok=True)
    same(run("--config", config, path).returncode, 0)
    same(OUT.exists(), True)


def test_full_disk():
    """What cannot be written is exit code 2: nothing appears, and what was there stays."""
    path, _ = join()
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "old").write_text("as it was")

    def little():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    for name in ("old", "new"):
        result = subprocess.run([PROGRAM, "--extract", "0", folder / name, path], capture_output=True,
                                preexec_fn=little)
        same(result.returncode, 2, result.stderr)
        matches(f"{name}: File too large", result.stderr.decode())
    same([(one.name, one.read_text()) for one in folder.iterdir()], [("old", "as it was")])
    matches("No space left", run("--extract", "0", "/dev/full", path).stderr.decode())
    matches("No such file", run("--extract", "0", FOLDER / "none" / "x", path).stderr.decode())


if __name__ == "__main__":
    main(sys.modules[__name__])
