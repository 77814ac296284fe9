# SPDX-License-Identifier: GPL-2.0-or-later
"""Waiting until another process has done something, as /proc and its pipes tell it, and for no time that is guessed."""
import fcntl
import pathlib
import signal
import struct
import termios
import time


def until(condition):
    """For ever, as ctest has a limit."""
    while not condition():
        time.sleep(0.005)


def status(pid):
    """{row: value} of /proc/PID/status."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def is_asleep(process):
    return pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def catches(process, number):
    return bool(int(status(process.pid)["SigCgt"], 16) & 1 << number - 1)


def waits_to_open(process):
    """It reads, and sleeps before a byte came."""
    return catches(process, signal.SIGINT) and is_asleep(process)


def waiting_bytes(file):
    """How many bytes of a pipe nobody has read yet."""
    return struct.unpack("i", fcntl.ioctl(file, termios.FIONREAD, b"\0\0\0\0"))[0]


def took_all(process):
    """It has read what its standard input had, and waits for more."""
    return waiting_bytes(process.stdin.fileno()) == 0 and is_asleep(process)
