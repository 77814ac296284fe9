#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Exit codes and messages of the command line."""
import pathlib
import re
import shutil
import sys
import tempfile
import zlib

from program import CAPTURES, PROGRAM, main, matches, run, same, text

CAPTURE = CAPTURES / "roce_cm_mckey.a.pcap"
TWO = CAPTURES / "roce_cm_reject.a.pcap"  # a packet each way


def test_usage_errors():
    """A usage error is exit code 2 and one line on stderr that names the option; no output."""
    for arguments, word in (
        ([], "no capture file"),
        (["--packets"], "no capture file"),
        (["--format", "xml", CAPTURE], "text, json, ndjson, csv"),
        (["--port", "70000", CAPTURE], "--port"),
        (["--fail-on", "sometimes", CAPTURE], "--fail-on"),
        (["--filter", "no such thing", CAPTURE], "--filter"),
        (["--nonsense", CAPTURE], "--nonsense"),
        (["--top", "0", CAPTURE], "--top"),
        (["--top", "5", "--format", "json", CAPTURE], "--top"),
        (["--all", "--packets", CAPTURE], "--all"),
        (["--connection", "one", CAPTURE], "--connection"),
        (["--connection", "1", "--format", "json", CAPTURE], "--connection"),
        (["--connection", "1000", CAPTURE], "--connection: there are 0 to"),
        (["--host", "10.10.0.99", CAPTURE], "10.10.0.99"),
        (["--finding", "S99", CAPTURE], "S99"),
        (["--list-opcodes=yaml"], "--list-opcodes"),
        (["--save-on", "error", "/no/such/folder", CAPTURE], "--save-on: /no/such/folder: No such file"),
        (["--save-on", "error", CAPTURE, CAPTURE], "--save-on: "),
        (["--follow", "ring*", "--write", "./ring1"], "--write"),
        (["--each", "--html", "page.html", CAPTURE], "--each"),
        (["--each", "--extract", "0", "part.pcapng", CAPTURE], "--each"),
    ):
        result = run(*arguments)
        same(result.returncode, 2, arguments)
        same(result.stdout, b"", arguments)
        matches(rf"\Ardma-analyze: [^\n]*{re.escape(word)}[^\n]*\n\Z", result.stderr.decode(),
                arguments)


def test_write_onto_what_is_read():
    """--write leaves a capture alone that is read in the same run, by whatever name."""
    with tempfile.TemporaryDirectory() as folder:
        capture, link = pathlib.Path(folder, "capture.pcap"), pathlib.Path(folder, "link.pcap")
        shutil.copy(CAPTURE, capture)
        link.symlink_to(capture)
        for read, written in ((capture, capture), (capture, link), (link, capture)):
            result = run("--write", written, read)
            same((result.returncode, result.stdout), (2, b""))
            matches("is one of the captures that are read", result.stderr.decode())
            same(capture.read_bytes(), CAPTURE.read_bytes())


def test_help_in_groups():
    """--help is the groups of options, in 80 columns of ASCII."""
    help_text = text("--help")
    same(re.findall(r"^(\w[\w ]*):$", help_text, re.M),
         ["Input", "Output", "Checks and exit code", "Other"])
    assert help_text.isascii()
    same([line for line in help_text.splitlines() if len(line) > 80], [])
    same(text("-h"), help_text)


def test_version():
    """--version is the name and a version, and below it what the system has for a sandbox."""
    given_up = r"While it reads captures it gives up [^\n]*|No sandbox: this system has neither Landlock nor seccomp\."
    if b"__asan_init" in PROGRAM.read_bytes():
        given_up = r"No sandbox: this build has sanitizers, which need what it would give up\."
    matches(rf"\Ardma-analyze \d+\.\d+\.\d+\n({given_up})\n\Z", text("--version"))


def test_fail_on():
    """A capture without findings is exit code 0 at every --fail-on."""
    for level in ("never", "note", "warning", "error"):
        text("--fail-on", level, CAPTURE)


def test_filter():
    """--filter drops frames, and those that stay keep their numbers."""
    everything = text("-p", TWO).splitlines()
    some = text("-p", "--filter", "src host 10.10.0.2", TWO).splitlines()
    same(len(everything), 2)
    same(len(some), 1)
    same(some[0].split()[0], everything[1].split()[0])


def icrc(packet):
    """The ICRC of a RoCEv2 packet from its IPv4 header on, as it stands on the wire."""
    masked = bytearray(packet)
    for offset in (1, 8, 10, 11, 26, 27, 32): # TOS, TTL, both checksums, the byte with FECN
        masked[offset] = 0xff
    return zlib.crc32(b"\xff" * 8 + masked).to_bytes(4, "little")


def on_port(port, right):
    """The capture with another UDP port, its ICRCs made right for it or left wrong."""
    data = bytearray(TWO.read_bytes())
    offset = 24
    while offset < len(data):
        length = int.from_bytes(data[offset + 8:offset + 12], "little")
        ip = offset + 16 + 14
        if data[ip + 22:ip + 24] == b"\x12\xb7":
            end = ip + int.from_bytes(data[ip + 2:ip + 4], "big")
            same(icrc(data[ip:end - 4]), data[end - 4:end])
            data[ip + 22:ip + 24] = port.to_bytes(2, "big")
            if right:
                data[end - 4:end] = icrc(data[ip:end - 4])
        offset += 16 + length
    return bytes(data)


def test_port():
    """--port takes another port for RoCEv2; without it, the report says which may be missing."""
    moved = on_port(4999, right=True)
    assert "add --port 4999" in " ".join(text("-", stdin=moved).split())
    matches(r"ICRC +2 good", text("--port", "4999", "-", stdin=moved))
    matches(r"ICRC +2 good", text("--port", "1", "--port", "4999", "-", stdin=moved))
    moved = on_port(4999, right=False)
    matches(r"port 4999; .*name it with --port", " ".join(text("-", stdin=moved).split()))
    matches(r"RDMA +2 RoCEv2", text("--port", "4999", "-", stdin=moved))
    told = " ".join(text("-", stdin=on_port(4793, right=False)).split())
    assert "UET (Ultra Ethernet), which is not decoded here" in told and "--port" not in told


main(sys.modules[__name__])
