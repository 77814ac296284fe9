#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""SIGINT and SIGTERM end the reading, and what was read is reported; a second one ends the program."""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

from pcap import frames, records
from program import CAPTURES, PROGRAM, main, run, same, text
from waiting import is_asleep, took_all, until, waiting_bytes, waits_to_open

CAPTURE = CAPTURES / "roce_err_bad_rkey_write.a.pcap"
SOME = 12  # of its packets


def position_of(one):
    """Where a file of /proc/PID/fdinfo stands; 0 when it has been closed meanwhile."""
    try:
        return int(one.read_text().split()[1])
    except FileNotFoundError:
        return 0


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
            until(lambda: took_all(process))
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
            # where it has only been opened nothing was read yet, and the signal ends the program as ever
            until(lambda: any(size // 100 < position_of(one) for one in info.iterdir()
                              if int(one.name) > 2) or process.poll() is not None)
            process.send_signal(signal.SIGINT)
            printed, _ = process.communicate()
            capture = json.loads(printed)["captures"][0] if process.returncode == 0 else {"stopped": None}
            if capture["stopped"]:
                break
        same(capture["stopped"], "SIGINT")
        same(capture["damage"], None)
        assert 0 < capture["packets"] < size // 100, capture
        as_many = text("--format=json", "-c", str(capture["packets"]), name)
        same(without_signal(printed.decode(), signal.SIGINT), as_many.replace('"stopped":"count"', '"stopped":null'))
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
        until(lambda: took_all(process))
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
    until(lambda: took_all(process))
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
    times = [time for _, time, _, _ in frames(CAPTURE.read_bytes())]
    capture = json.loads(text("--format=json", "--duration", "20ms", CAPTURE))["captures"][0]
    count = next(i for i, time in enumerate(times, 1) if time - times[0] >= 20_000_000)
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
