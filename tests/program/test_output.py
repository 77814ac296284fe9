#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Text for people: width, colour, and standard output that cannot be written."""
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

from program import CAPTURES, PROGRAM, main, matches, run, same, text

CAPTURE = CAPTURES / "roce_cm_rping_ipv6.a.pcap"
LONG = CAPTURES / "roce_corrupt.a.pcap"


def on_terminal(*arguments, size=0, **env):
    """Runs the program on a terminal; returns what it wrote there."""
    main_end, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, size, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    with subprocess.Popen([PROGRAM, *arguments], stdin=end, stdout=end, stderr=end,
                          env={**environment, "TERM": "xterm", **env}) as process:
        os.close(end)
        written = b""
        try:
            while piece := os.read(main_end, 65536):
                written += piece
        except OSError: # the other end is closed
            pass
    os.close(main_end)
    same(process.returncode, 0)
    return written.decode()


def test_width():
    """No report is wider than 80 columns, none has blanks at the end of a line."""
    for capture in sorted(CAPTURES.glob("*.pcap*")):
        lines = run(capture).stdout.decode().splitlines()
        same([line for line in lines[1:] if len(line) > 80], [], capture) # 0: the file name
        same([line for line in lines if line.endswith(" ")], [], capture)


def test_terminal_width():
    """On a terminal the report is as wide as that, sentences up to a width that can be read."""
    for width in (60, 80, 100, 200):
        lines = on_terminal("--color=never", LONG, size=width).splitlines()
        assert max(map(len, lines)) <= max(width, 80), width
    wide = on_terminal("--color=never", LONG, size=200)
    assert max(map(len, wide.splitlines())) > 80
    assert len(wide.splitlines()) < len(text(LONG).splitlines())


def test_colour():
    """Colour is for terminals, and NO_COLOR, TERM=dumb and --color are heeded."""
    escape = "\x1b["
    assert escape not in text(CAPTURE)
    assert escape in text("--color=always", CAPTURE)
    assert escape in text("--color=always", CAPTURE, env={"NO_COLOR": "1"})
    assert escape in on_terminal(CAPTURE)
    assert escape in on_terminal(CAPTURE, NO_COLOR="")
    assert escape not in on_terminal(CAPTURE, NO_COLOR="1")
    assert escape not in on_terminal("--color=never", CAPTURE)
    assert escape not in on_terminal(CAPTURE, TERM="dumb")
    assert escape not in on_terminal("--format=json", CAPTURE)


def test_terminal_has_the_same_text():
    """On a terminal the report is the same but for colour."""
    same(on_terminal("--color=never", CAPTURE).replace("\r\n", "\n"), text(CAPTURE))


def test_broken_pipe():
    """When the reader goes away, the program ends quietly."""
    for arguments in (["--headers", LONG], ["--packets", "--format=json", LONG], [LONG]):
        reader, writer = os.pipe()
        process = subprocess.Popen([PROGRAM, *arguments], stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        os.read(reader, 10)
        os.close(reader)
        same(process.stderr.read(), b"", arguments)
        process.stderr.close()
        same(process.wait(), 0, arguments)


def test_full_disk():
    """Output that cannot be written is exit code 2, with the reason."""
    for arguments in (["--help"], [CAPTURE], ["--packets", LONG]):
        with open("/dev/full", "wb") as full:
            result = run(*arguments, stdout=full)
        same(result.returncode, 2, arguments)
        matches(r"\Ardma-analyze: standard output: .*space", result.stderr.decode())


def test_closed_output():
    """So is output that is closed."""
    process = subprocess.run(["sh", "-c", f"'{PROGRAM}' '{CAPTURE}' >&-"], capture_output=True)
    same(process.returncode, 2)
    matches(r"standard output", process.stderr.decode())


main(sys.modules[__name__])
