#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""SIGINT and SIGTERM end the reading, and what was read is reported; a second one ends the program."""
import fcntl
import json
import os
import pathlib
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

from program import CAPTURES, PROGRAM, main, run, same, text

CAPTURE = CAPTURES / "roce_err_bad_rkey_write.a.pcap"
PCAP_HEADER = 24
SOME = 12  # of its packets


def until(condition):
    """Waits; for ever, as ctest has a limit."""
    while not condition():
        time.sleep(0.005)


def position_of(one):
    """Where a file of /proc/PID/fdinfo stands; 0 when it has been closed meanwhile."""
    try:
        return int(one.read_text().split()[1])
    except FileNotFoundError:
        return 0


def is_asleep(process):
    return pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def catches(process, number):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return bool(int(status.split("SigCgt:")[1].split()[0], 16) & 1 << number - 1)


def waits_to_open(process):
    """It reads, and sleeps before a byte came."""
    return catches(process, signal.SIGINT) and is_asleep(process)


def waiting_bytes(fd):
    return struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"\0\0\0\0"))[0]


def records(data):
    """The file header of a pcap, and its records."""
    found, at = [], PCAP_HEADER
    while at < len(data):
        end = at + 16 + struct.unpack_from("<I", data, at + 8)[0]
        found.append(data[at:end])
        at = end
    return data[:PCAP_HEADER], found


def start(*arguments, **keywords):
    return subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **keywords)


def without_signal(printed, number):
    """A report as that of a capture that was read to its end."""
    assert number.name in printed, printed
    return printed.replace(f'"stopped":"{number.name}"', '"stopped":null')


def test_pipe():
    """What came through a pipe that is still open; the record that has begun is no damage."""
    header, all_records = records(CAPTURE.read_bytes())
    part = header + b"".join(all_records[:SOME])
    for begun in (b"", all_records[SOME][:7], all_records[SOME][:-1]):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = start("--format=json", "-", stdin=subprocess.PIPE)
            process.stdin.write(part + begun)
            process.stdin.flush()
            until(lambda: waiting_bytes(process.stdin.fileno()) == 0 and is_asleep(process))
            process.send_signal(number)
            process.wait()
            printed, errors = process.stdout.read().decode(), process.stderr.read()
            same((process.returncode, errors), (0, b""))
            same(without_signal(printed, number), text("--format=json", "-", stdin=part), number)


def test_pipe_without_a_byte():
    """Nothing came: that is said, and the signal ends the program as ever."""
    process = start("-", stdin=subprocess.PIPE)
    until(lambda: waits_to_open(process))
    process.send_signal(signal.SIGINT)
    process.wait()
    same((process.returncode, process.stdout.read()), (-signal.SIGINT, b""))
    same(process.stderr.read(), b"rdma-analyze: nothing was read before SIGINT\n")


def test_between_files():
    """Files behind the one that is waited for are not read, and that is said."""
    with tempfile.TemporaryDirectory() as folder:
        fifo = f"{folder}/fifo"
        os.mkfifo(fifo)
        others = [str(CAPTURES / name) for name in ("roce_cm_rping.a.pcap", "iwarp_rping.a.pcap")]
        process = start("--format=json", CAPTURE, fifo, *others)
        until(lambda: waits_to_open(process))
        process.send_signal(signal.SIGTERM)
        printed, errors = process.communicate()
    same(process.returncode, 0)
    same(errors.decode(), "rdma-analyze: nothing was read before SIGTERM\n"
         "rdma-analyze: 2 of the files were not read: SIGTERM came before\n")
    same(printed.decode(), text("--format=json", CAPTURE))


def long_file(folder):
    """A capture that takes a while: the same frames over and over."""
    header, all_records = records(CAPTURE.read_bytes())
    name = pathlib.Path(folder) / "long.pcap"
    name.write_bytes(header + b"".join(all_records) * (150_000_000 // sum(map(len, all_records))))
    return name


def test_file():
    """A file: what was read of it is told as far as it was read, with the signal's name."""
    with tempfile.TemporaryDirectory() as folder:
        name = long_file(folder)
        size = name.stat().st_size
        for _ in range(10):  # unless it was read to its end before the signal came
            process = start("--format=json", name)
            info = pathlib.Path(f"/proc/{process.pid}/fdinfo")
            until(lambda: any(0 < position_of(one) for one in info.iterdir()
                              if int(one.name) > 2) or process.poll() is not None)
            process.send_signal(signal.SIGINT)
            printed, _ = process.communicate()
            capture = json.loads(printed)["captures"][0] if process.returncode == 0 else {"stopped": None}
            if capture["stopped"]:
                break
        same(capture["stopped"], "SIGINT")
        same(capture["damage"], None)
        assert 0 < capture["packets"] < size // 100, capture
        for frames in (1, 5000):
            counted = json.loads(text("--format=json", "--count-only", "-c", str(frames), name))
            same(counted["captures"][0]["packets"], frames)
            same(counted["captures"][0]["stopped"], "count")


def test_second_signal():
    """A second one ends the program at once, and leaves no temporary file."""
    capture = CAPTURES / "roce_corrupt.a.pcap"
    with tempfile.TemporaryDirectory() as folder:
        process = start("--headers", "--annotate", f"{folder}/out.pcapng", "-", stdin=subprocess.PIPE)
        process.stdin.write(capture.read_bytes())
        process.stdin.flush()
        until(lambda: waiting_bytes(process.stdin.fileno()) == 0 and is_asleep(process))
        assert os.listdir(folder)
        process.send_signal(signal.SIGINT)
        # nobody reads what it prints: it waits with the rest
        until(lambda: waiting_bytes(process.stdout.fileno()) >= 4096 and is_asleep(process))
        process.send_signal(signal.SIGINT)
        process.wait()
        same(process.returncode, -signal.SIGINT)
        same(os.listdir(folder), [])


def test_ignored():
    """A signal that is ignored from the beginning, as nohup and shells do it, stays ignored."""
    process = start("--format=json", "-", stdin=subprocess.PIPE,
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    process.stdin.write(CAPTURE.read_bytes())
    process.stdin.flush()
    until(lambda: waiting_bytes(process.stdin.fileno()) == 0 and is_asleep(process))
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate()
    same(printed.decode(), text("--format=json", "-", stdin=CAPTURE.read_bytes()))


def test_limits():
    """--count and --duration: of a file both go by its packets."""
    header, all_records = records(CAPTURE.read_bytes())
    for limit in (["-c", str(SOME)], ["--count", str(SOME)]):
        printed = text("--format=json", *limit, CAPTURE)
        want = text("--format=json", "-", stdin=header + b"".join(all_records[:SOME]))
        same(printed.replace('"stopped":"count"', '"stopped":null').replace(str(CAPTURE), "-"), want)
    begun = struct.unpack_from("<II", all_records[0])
    unit = 1 if struct.unpack_from("<I", header)[0] == 0xA1B23C4D else 1000

    def ns(record):
        seconds, fraction = struct.unpack_from("<II", record)
        return (seconds - begun[0]) * 10**9 + (fraction - begun[1]) * unit
    capture = json.loads(text("--format=json", "--duration", "20ms", CAPTURE))["captures"][0]
    count = next(i for i, record in enumerate(all_records, 1) if ns(record) >= 20_000_000)
    same((capture["packets"], capture["stopped"]), (count, "duration"))
    for wrong in ("0s", "s", "1x", "-1s", "1.5s", ""):
        same(run("--duration", wrong, CAPTURE).returncode, 2, wrong)


def test_kept_without_room():
    """--write into a file that may not grow, or a full device: what is there is whole, the report too; exit code 2."""
    want = text("--format=json", CAPTURE)
    with tempfile.TemporaryDirectory() as folder:
        kept = pathlib.Path(folder) / "kept.pcapng"
        run("-w", kept, CAPTURE)
        size = kept.stat().st_size
        same(json.loads(text("--format=json", kept))["connections"], json.loads(want)["connections"])
        for limit in (size - 1, size // 2):
            result = subprocess.run([PROGRAM, "--format=json", "-w", kept, CAPTURE], capture_output=True,
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            same((result.returncode, result.stdout.decode()), (2, want))
            assert b"kept.pcapng: File too large; it has the packets before that" in result.stderr
            assert kept.stat().st_size < limit
            run("--format=json", kept)
    result = run("--format=json", "-w", "/dev/full", CAPTURE)
    same((result.returncode, result.stdout.decode()), (2, want))
    same(run("-w", "-", CAPTURE).returncode, 2)


main(sys.modules[__name__])
