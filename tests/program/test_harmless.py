#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Nothing that a file, a capture or whoever names things has chosen moves a reader's terminal: no control characters, no invalid
UTF-8, no line of its own. Tried with every option that --help lists, so that none can be forgotten."""
import itertools
import json
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile

import pcap
from pcapng import block, option
from program import CAPTURES, EVERY, PROGRAM, main, options, run, same

# ESC and BEL set a terminal's title, C1 CSI colours it, DEL, U+202E turns the line round; 0xff is no UTF-8; then a line of its own
EVIL = b"\x1b]0;x\x07\xc2\x9b31m\x7f\xe2\x80\xae\xff\r\nFORGED"
CAPTURE = CAPTURES / "roce_loss_single.a.pcap"
FORMATS = ("text", "json", "ndjson", "csv")
FOLDER = tempfile.TemporaryDirectory()
HERE = os.fsencode(FOLDER.name)
os.chdir(HERE)  # for what is written without a folder
# what an option needs beside it to look at its value at all
BESIDE = {"relinquish-privileges": ["-i", "lo"], "snaplen": ["-i", "lo"], "buffer-size": ["-i", "lo"],
          "follow": ["--duration=50ms"]}
# places of a name in an argument of this shape
PLACES = {
    "NAME=FILE": [EVIL + b"=" + os.fsencode(CAPTURE), b"a=" + EVIL],
    "CODE=WEIGHT": [EVIL + b"=note", b"S05=" + EVIL],
    "WHAT FILE": [[EVIL, b"x.pcapng"], [b"0", EVIL + b"/x"]],
    "WHAT DIR": [[EVIL, b"."], [b"note", EVIL]],
}


def formats(turn=itertools.count()):
    """All of them; where only each nth is tried, the next in turn."""
    return FORMATS if EVERY == 1 else [FORMATS[next(turn) % len(FORMATS)]]


def held(data, what):
    """The output is harmless; lines are the program's own."""
    data.decode()  # UTF-8
    found = re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|(^|\n)FORGED", data)
    assert not found, f"{what}: {data[max(0, found.start() - 80):found.end() + 20]}"


def tried(*arguments, stdin=None):
    """The program's exit code, after a look at all that it printed."""
    result = run(*arguments, stdin=stdin)
    held(result.stdout, (arguments, "standard output"))
    held(result.stderr, (arguments, "standard error"))
    assert result.returncode in (0, 1, 2), (arguments, result)
    return result


def test_options():
    """Each option with a name, a word or a number of that kind, in every place where it may stand."""
    for name, (_, argument) in options().items():
        beside = BESIDE.get(name, [])
        if not argument:
            same(tried(f"--{name}=".encode() + EVIL, CAPTURE).returncode, 2, name)
            continue
        for value in PLACES.get(argument, [EVIL, HERE + b"/none/" + EVIL]):
            given = [f"--{name}".encode(), *value] if isinstance(value, list) else [f"--{name}=".encode() + value]
            for format in formats():
                tried(*beside, f"--format={format}", *given, CAPTURE)


def test_written():
    """Files and folders of such a name that are written, or read and not of their kind."""
    for name, (_, argument) in options().items():
        if not re.search(r"FILE|DIR", argument):
            continue
        folder = HERE + b"/written-" + name.encode() + EVIL
        os.mkdir(folder)
        for content in (None, b"\x1b[31m\n", EVIL):
            file = folder + b"/" + EVIL
            if content is not None:
                pathlib.Path(os.fsdecode(file)).write_bytes(content)
            value = {"NAME=FILE": [b"a=" + file], "WHAT FILE": [b"0", file], "WHAT DIR": [b"note", folder]}.get(argument, [file])
            for format in formats():
                tried(f"--format={format}", f"--{name}", *value, CAPTURE)
            for side in (b"junit", b"sarif", b"html"):
                written = pathlib.Path(os.fsdecode(file))
                if name.encode() == side and written.exists():
                    held(written.read_bytes(), name)


def test_unknown():
    """Options that there are none of, in letters too, and files that are not there."""
    for argument in (b"--" + EVIL, b"-" + EVIL, b"-C" + EVIL, b"--connection=0" + EVIL):
        same(tried(argument, CAPTURE).returncode, 2, argument)
    for format in formats():
        for options_ in ([], ["--each"], ["--packets"], ["--diff", CAPTURE], ["--duration=50ms", "--follow"]):
            tried(f"--format={format}", *options_, EVIL)


def test_lines_of_files():
    """Lines of files of options and expectations; values of an older document."""
    file = HERE + b"/lines"
    path = pathlib.Path(os.fsdecode(file))
    line = EVIL.replace(b"\r\n", b"")
    for name in options():
        for text in (name.encode() + b" " + line, line):
            path.write_bytes(text + b"\n")
            tried(b"--config=" + file, CAPTURE)
    for text in (line, b"no finding " + line, b"hosts[*]." + line + b" == 0", b'captures[*].file == "' + line + b'"'):
        path.write_bytes(text + b"\n")
        for side in ([], [b"--junit=" + HERE + b"/junit"], [b"--sarif=" + HERE + b"/sarif"]):
            tried(b"--expect=" + file, *side, CAPTURE)
        for side in ("junit", "sarif"):
            made = pathlib.Path(os.fsdecode(HERE)) / side
            if made.exists():
                held(made.read_bytes(), side)
    document = json.loads(run("--format=json", CAPTURE).stdout)

    def spoil(value):
        if isinstance(value, dict):
            return {key: value[key] if key == "schema" else spoil(value[key]) for key in value}
        if isinstance(value, list):
            return [spoil(one) for one in value]
        return value + "\x1b[31m\x07\u009b\nFORGED" if isinstance(value, str) else value

    path.write_text(json.dumps(spoil(document)))
    for option in (b"--baseline=", b"--diff="):
        tried(option + file, CAPTURE)


def test_names_of_captures():
    """Captures of such a name, whole and cut, in all that is printed of them."""
    whole, cut = HERE + b"/" + EVIL + b"whole", HERE + b"/" + EVIL + b"cut"
    pathlib.Path(os.fsdecode(whole)).write_bytes(CAPTURE.read_bytes())
    pathlib.Path(os.fsdecode(cut)).write_bytes(CAPTURE.read_bytes()[:-5])
    out = pathlib.Path(os.fsdecode(HERE)) / "made"
    for format in formats():
        for options_ in ([], ["--each"], ["--packets"], ["--all", "--keys"], ["--jobs=2"], ["--filter=" + "udp"],
                         ["--expect=/dev/null"], ["--tap", "a=" + os.fsdecode(cut)]):
            tried(f"--format={format}", *options_, whole, cut)
        tried(f"--format={format}", "--follow", HERE + b"/*whole", "--duration=50ms")
    for side in ("junit", "sarif", "html"):
        tried(f"--{side}={out}", whole, cut)
        held(out.read_bytes(), side)


# ---- what captures say themselves ------------------------------------------------------------------

def spoilt(capture):
    """The capture, with all that looks like a name, and all private data of the CM, made harmful."""
    data = bytearray(capture.read_bytes())
    filling = EVIL * 20
    for match in re.finditer(rb"nqn\.[\w.:-]+", bytes(data)):
        data[match.start() + 4:match.end()] = filling[:match.end() - match.start() - 4]
    for record, _, frame, _ in pcap.frames(bytes(data)):
        at = record + 16
        if len(frame) >= 62 + 256 and data[at + 62 + 1] == 7:  # a MAD of class 7 behind Ethernet, IP, UDP, BTH and DETH
            begin = {0x10: 140, 0x12: 84, 0x13: 36, 0x14: 8}.get(struct.unpack_from(">H", data, at + 62 + 16)[0], 256)
            data[at + 62 + begin:at + 62 + 256] = (EVIL * 20)[:256 - begin]
    return bytes(data)


def with_names(frames):
    """A pcapng whose names, comments and descriptions are harmful."""
    names = b"".join(option("<", code, EVIL) for code in (1, 2, 3, 4)) + bytes(4)
    out = block("<", 0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1) + names)
    out += block("<", 1, struct.pack("<HHI", 1, 0, 0) + names[:-4] + option("<", 12, EVIL) + option("<", 15, EVIL) + bytes(4))
    for i, frame in enumerate(frames):
        out += block("<", 6, struct.pack("<IIIII", 0, 0, i * 10, len(frame), len(frame)) + frame + bytes(-len(frame) % 4) +
                     option("<", 1, EVIL) + bytes(4))
    return out + block("<", 5, struct.pack("<III", 0, 0, 0) + names)


def test_what_captures_say():
    """Names of subsystems, private data of the CM, names of interfaces and comments, in every format. Of these the program prints
    private data today, as digits; whoever prints another is held here."""
    capture, made = (pathlib.Path(os.fsdecode(HERE)) / name for name in ("said", "made"))
    for source in ("ulp_nvme_abort.a.pcap", "ulp_nvme_roce.a.pcap", "ulp_nvme_siw.a.pcap", "roce_cm_reject.a.pcap", "made/cm.pcap"):
        data = spoilt(CAPTURES / source)
        assert EVIL in data, source
        for content in (data, with_names([frame for _, _, frame, _ in pcap.frames(data)])):
            capture.write_bytes(content)
            for format in formats():
                for options_ in (["--all", "--keys"], ["--packets"], ["--headers"]):
                    tried(f"--format={format}", *options_, capture)
            for side in ("html", "sarif", "junit"):
                tried(f"--{side}={made}", capture)
                held(made.read_bytes(), (side, source))


def test_progress():
    """The line that says how far a file has been read."""
    fifo = HERE + b"/pipe" + EVIL
    os.mkfifo(fifo)
    near, far = pty.openpty()
    data = CAPTURE.read_bytes()
    with subprocess.Popen([PROGRAM, "--format=json", fifo], stdout=subprocess.DEVNULL, stderr=far,
                          env={**os.environ, "TERM": "xterm"}) as process:
        os.close(far)
        shown = b""
        with open(fifo, "wb", buffering=0) as writer:
            writer.write(data[:24])
            while shown.count(b"packets") < 2:  # as long as it takes: ctest has a limit
                writer.write(data[24:])
                while select.select([near], [], [], 0)[0]:
                    shown += os.read(near, 65536)
    os.close(near)
    matches = re.findall(rb"\r\x1b\[K([^\r]*)", shown)  # what the program itself sends
    assert matches and b"pipe\\x1b]0;x\\x07" in matches[0], shown
    held(b"".join(matches), "progress")


main(sys.modules[__name__])
