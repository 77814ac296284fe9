#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Standard input and pipes give what files give, with --packets too, which reads twice."""
import os
import resource
import subprocess
import sys
import tempfile

from program import CAPTURES, PROGRAM, main, run, same, text

CAPTURE = CAPTURES / "roce_err_bad_rkey_write.a.pcap"
OPTIONS = ([], ["--format=json"], ["--packets"], ["--headers", "--format=ndjson"])


def test_standard_input():
    """A pipe on standard input."""
    data = CAPTURE.read_bytes()
    for options in OPTIONS:
        same(text(*options, "-", stdin=data).replace("standard input", str(CAPTURE))
             .replace('"file":"-"', f'"file":"{CAPTURE}"'), text(*options, CAPTURE), options)


def test_file_as_standard_input():
    """A file on standard input, which is read once like a pipe."""
    for options in OPTIONS:
        with open(CAPTURE, "rb") as file:
            result = subprocess.run([PROGRAM, *options, "-"], stdin=file, capture_output=True)
        same(result.stderr, b"")
        same(result.returncode, 0)
        same(result.stdout.decode(), text(*options, "-", stdin=CAPTURE.read_bytes()), options)


def test_named_pipe():
    """A named pipe."""
    with tempfile.TemporaryDirectory() as folder:
        fifo = f"{folder}/fifo"
        os.mkfifo(fifo)
        for options in OPTIONS:
            with subprocess.Popen([PROGRAM, *options, fifo], stdout=subprocess.PIPE) as process:
                with open(fifo, "wb") as writer:
                    writer.write(CAPTURE.read_bytes())
                output = process.stdout.read().decode()
            same(process.returncode, 0)
            same(output.replace(fifo, str(CAPTURE)), text(*options, CAPTURE), options)


def test_pipe_and_file():
    """Files around a pipe keep their places."""
    other = CAPTURES / "roce_cm_reject.a.pcap"
    data = CAPTURE.read_bytes()
    same(text("-p", "--format=ndjson", other, "-", other, stdin=data),
         text("-p", "--format=ndjson", other, CAPTURE, other))


def test_no_room_for_frames():
    """Without a place for the temporary file there is a message, not silence."""
    result = run("--packets", "-", stdin=CAPTURE.read_bytes(), env={"TMPDIR": "/no/such/folder"})
    same(result.returncode, 2)
    assert b"/no/such/folder" in result.stderr, result.stderr
    text("-", stdin=CAPTURE.read_bytes(), env={"TMPDIR": "/no/such/folder"})


def test_frames_that_do_not_fit():
    """Where the temporary file may not grow the reading ends with that reason; what was read before is told."""
    capture = CAPTURES / "roce_corrupt.a.pcap"
    for limit in (0, 200_000):
        result = subprocess.run([PROGRAM, "--packets", "-"], input=capture.read_bytes(), capture_output=True,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        same(result.returncode, 2)
        same(result.stderr.decode(), "rdma-analyze: -: File too large\n")
        whole = text("--packets", capture).splitlines()
        told = result.stdout.decode().splitlines()
        assert len(told) < len(whole) and bool(told) == bool(limit), (limit, len(told))


main(sys.modules[__name__])
