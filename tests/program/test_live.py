#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Packets of interfaces: what is sent into one end of a cable is seen at the other."""
import json
import os
import pathlib
import pwd
import signal
import struct
import subprocess
import sys
import tempfile

import network
import pcap
import pcapng
from program import CAPTURES, PROGRAM, main, matches, run, same, text

REPLAYED = ("roce_corrupt.a", "roce_cm_rping.a", "roce_loss_middle.a", "iwarp_rping.a", "roce_err_bad_rkey_write.a")


def writable(folder):
    os.chmod(folder, 0o777)  # the program goes on as nobody
    return pathlib.Path(folder)


def held_packets(data):
    """The bytes of each packet in a pcapng."""
    for block in pcapng.blocks_of(data, "<"):
        kind, length = struct.unpack("<I16xI", block[:24])
        if kind == 6:
            yield block[28:28 + length]


def test_as_the_file():
    """A capture that is replayed is seen packet by packet, and gives the report of what was seen, for both signals. (Not of
    the capture: a busy machine replays it late, and what comes late may have other reasons.)"""
    for number, name in enumerate(REPLAYED):
        capture = CAPTURES / f"{name}.pcap"
        with network.Cable() as cable, tempfile.TemporaryDirectory() as folder:
            kept = writable(folder) / "kept.pcapng"
            listener = cable.listen("-i", "far0", "--format=json", "-w", kept)
            cable.replay(capture)
            ending = (signal.SIGINT, signal.SIGTERM)[number % 2]
            code, printed, errors = listener.end(ending)
            same(code, 0, name)
            same(errors, "rdma-analyze: listening on far0\n")
            same(json.loads(printed)["captures"][0]["stopped"], ending.name)
            sent = [packet for _, _, packet, _ in pcap.frames(capture.read_bytes())]
            assert [*held_packets(kept.read_bytes())] == sent, f"{name}: other packets"
            again = text("--format=json", kept).replace(str(kept), "far0")
            same(again, printed.replace(f'"stopped":"{ending.name}"', '"stopped":null'), name)


def packets_of(printed):
    return json.loads(printed)["captures"][0]["packets"]


def sent_to(cable, interface="far0"):
    """How many packets came to an interface, as the kernel says."""
    return int(cable.inside(cable.far, "cat", f"/sys/class/net/{interface}/statistics/rx_packets").stdout)


def test_kept():
    """--write: the file gives the same report, with the interface's name; while it grows it is whole."""
    capture = CAPTURES / "roce_cm_rping.a.pcap"
    with network.Cable() as cable, tempfile.TemporaryDirectory() as folder:
        kept = writable(folder) / "kept.pcapng"
        listener = cable.listen("-i", "far0", "--format=json", "-w", kept)
        cable.replay(capture)
        listener.until(lambda: kept.stat().st_size > 10000)  # written when nothing comes for a while
        count = packets_of(text("--format=json", kept))
        code, printed, _ = listener.end()
        same(code, 0)
        same(count, packets_of(printed))
        again = text("--format=json", kept)
        same(again.replace(str(kept), "far0"), printed.replace('"stopped":"SIGINT"', '"stopped":null'))
        assert b"far0" in kept.read_bytes()[:200]


def test_filter_and_count():
    """The filter is the kernel's; --count counts what passes it; a snap length cuts."""
    capture = CAPTURES / "roce_cm_rping.a.pcap"
    want = packets_of(text("--format=json", "-f", "udp port 4791", capture))
    with network.Cable() as cable:
        listener = cable.listen("-i", "far0", "--format=json", "-f", "udp port 4791", "--snaplen", "70")
        cable.replay(capture, "--topspeed")
        code, printed, _ = listener.end()
        same((code, packets_of(printed)), (0, want))
        assert json.loads(printed)["captures"][0]["cut_by_snaplen"] > 0
        listener = cable.listen("-i", "far0", "--format=json", "-c", "7", "-j", "2")
        cable.replay(capture, "--topspeed")
        code, printed, _ = listener.wait()
        same((code, packets_of(printed), json.loads(printed)["captures"][0]["stopped"]), (0, 7, "count"))


def test_duration_without_packets():
    """--duration ends by the clock where no packet comes."""
    with network.Cable() as cable:
        code, printed, _ = cable.listen("-i", "far0", "--format=json", "--duration", "300ms").wait()
    same((code, packets_of(printed), json.loads(printed)["captures"][0]["stopped"]), (0, 0, "duration"))


def test_several_interfaces():
    """Packets of several interfaces are told in the order of their times, each interface a tap."""
    capture = CAPTURES / "roce_cm_rping.a.pcap"
    with network.Cable(pairs=2) as cable, tempfile.TemporaryDirectory() as folder:
        kept = writable(folder) / "kept.pcapng"
        listener = cable.listen("-i", "far0", "-i", "far1", "--format=json", "-w", kept)
        for interface in ("near0", "near1", "near0", "near1"):
            cable.replay(capture, "--topspeed", interface=interface)
        code, printed, errors = listener.end()
        same((code, errors), (0, "rdma-analyze: listening on far0, far1\n"))
        document = json.loads(printed)["captures"][0]
        same(document["file"], "far0, far1")
        same(document["packets"], 4 * packets_of(text("--format=json", capture)))
        lines = [json.loads(line) for line in text("-p", "--format=ndjson", kept).splitlines()]
        # which carry the same, so they are told one after the other; frames are numbered through the file
        times = [line["time_ns"] for line in sorted(lines, key=lambda line: line["frame"])]
        same(times, sorted(times))
        same(len({line["frame"] for line in lines}), len(lines))
        assert b"far0" in kept.read_bytes() and b"far1" in kept.read_bytes()
        assert not any(finding["code"] == "Q06" for finding in json.loads(printed)["findings"])


def test_interface_removed():
    """An interface that goes away: what came before is reported; exit code 2, and the name is told."""
    capture = CAPTURES / "roce_err_bad_rkey_write.a.pcap"
    for pairs in (1, 2):
        with network.Cable(pairs) as cable:
            interfaces = [word for i in range(pairs) for word in ("-i", f"far{i}")]
            listener = cable.listen(*interfaces, "--format=json")
            cable.replay(capture, "--topspeed")
            for i in range(pairs):
                cable.ip("-n", cable.far, "link", "del", f"far{i}")
            code, printed, errors = listener.wait()
        same(code, 2)
        document = json.loads(printed)["captures"][0]
        same(document["packets"], packets_of(text("--format=json", capture)))
        for i in range(pairs):
            matches(rf"far{i}: [^;]*(disappeared|down)", document["damage"])
            matches(rf"rdma-analyze: .*far{i}: ", errors)


def test_disk_full():
    """A disk that is full: the file ends with a whole packet, the report has all; exit code 2."""
    capture = CAPTURES / "roce_corrupt.a.pcap"
    with network.Cable() as cable, tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k,mode=777", "none", folder], check=True)
        try:
            kept = pathlib.Path(folder) / "kept.pcapng"
            listener = cable.listen("-i", "far0", "--format=json", "-w", kept)
            cable.replay(capture, "--topspeed")
            code, printed, errors = listener.end()
            same(code, 2)
            matches(r"kept.pcapng: No space left on device; it has the packets before that\n", errors)
            same(packets_of(printed), packets_of(text("--format=json", capture)))
            assert 0 < packets_of(text("--format=json", kept)) < packets_of(printed)
        finally:
            subprocess.run(["umount", folder], check=True)


def user_of(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    ids = status.split("Uid:")[1].split("\n")[0].split() + status.split("Gid:")[1].split("\n")[0].split()
    return ids


def test_privileges():
    """Root is given up for good: as who called sudo, or nobody, or as -Z says."""
    nobody, games = pwd.getpwnam("nobody"), pwd.getpwnam("games")
    with network.Cable() as cable:
        for options, sudo, user in (([], None, nobody), ([], "games", games), (["-Z", "games"], None, games),
                                    (["-Z", "root"], "games", pwd.getpwnam("root"))):
            os.environ.pop("SUDO_USER", None)
            if sudo:
                os.environ["SUDO_USER"] = sudo
            listener = cable.listen("-i", "far0", *options)
            same(user_of(listener.process), 4 * [str(user.pw_uid)] + 4 * [str(user.pw_gid)])
            same(listener.end()[0], 0)
        os.environ.pop("SUDO_USER", None)
        code, printed, errors = cable.listen("-i", "far0", "-Z", "no-such-user").wait()
        same((code, printed), (2, ""))
        matches("no-such-user: there is no such user", errors)
        with tempfile.TemporaryDirectory() as folder:  # which is root's
            code, printed, errors = cable.listen("-i", "far0", "-w", f"{folder}/kept.pcapng").wait()
        same((code, printed), (2, ""))
        matches("kept.pcapng: Permission denied", errors)


def test_name_of_an_interface():
    """An interface may be called anything: what could move a terminal is shown, in lists and reports too."""
    name, shown = "\x1b[31m\x07e\x7f", r"\x1b[31m\x07e\x7f"
    with network.Cable() as cable:
        cable.ip("-n", cable.far, "link", "set", "far0", "down", "name", name)
        same(cable.inside(cable.far, PROGRAM, "-D").stdout.decode().count(f"{shown} "), 1)
        cable.ip("-n", cable.far, "link", "set", name, "up")
        code, printed, errors = cable.listen("-i", name, "--duration", "100ms").wait()
    same((code, errors), (0, f"rdma-analyze: listening on {shown}\n"))
    assert shown in printed and "\x1b" not in printed, printed


def test_no_such_interface():
    """One that is not there is named, and nothing is printed."""
    result = run("-i", "no-such-one")
    same((result.returncode, result.stdout), (2, b""))
    matches("no-such-one: No such device", result.stderr.decode())


def test_drops():
    """Each packet that came is read or counted as dropped, and with drops nothing is proven that they explain."""
    capture = CAPTURES / "roce_corrupt.a.pcap"
    with network.Cable() as cable:
        listener = cable.listen("-i", "far0", "--format=json", "-B", "1024")
        listener.process.send_signal(signal.SIGSTOP)
        cable.replay(capture, "--topspeed", "--preload-pcap", "--loop", "30")
        listener.process.send_signal(signal.SIGCONT)
        code, printed, _ = listener.end()
        came = sent_to(cable)
    same(code, 0)
    document = json.loads(printed)
    dropped = document["captures"][0]["dropped"]
    assert dropped > 0
    same(packets_of(printed) + dropped, came)
    assert any(finding["code"] == "Q08" for finding in document["findings"])
    assert document["connections"]
    for connection in document["connections"]:
        same(connection["seen"]["unbroken"], False)


def test_at_top_speed():
    """As fast as they can be sent: each packet is read or counted."""
    capture = CAPTURES / "roce_corrupt.a.pcap"
    with network.Cable() as cable:
        listener = cable.listen("-i", "far0", "--format=json")
        cable.replay(capture, "--topspeed", "--preload-pcap", "--loop", "100")
        code, printed, _ = listener.end()
        came = sent_to(cable)
    same(code, 0)
    same(packets_of(printed) + json.loads(printed)["captures"][0]["dropped"], came)


network.skip_without()
main(sys.modules[__name__])
