#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Each file that an option writes appears under its name whole or not at all. The options are those that --help names with a
FILE and that make one: whoever adds such an option has it tried here."""
import functools
import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

from program import CAPTURES, PROGRAM, main, run, same

FOLDER = tempfile.TemporaryDirectory()
HERE = pathlib.Path(FOLDER.name)
CAPTURE = CAPTURES / "roce_loss_single.a.pcap"
PCAPNG = HERE / "capture.pcapng" # the same: what is copied of it is copied block by block
GROWS = "--write" # it is there from the beginning: test_live.py, test_interrupt.py
WORDS = {"WHAT": "0"} # for what else an option takes


def new_folder():
    """An empty one."""
    folder = HERE / "folder"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def options_with_files():
    """["--extract", "0"] for each option whose last argument is a FILE."""
    for name, others in re.findall(r"^  (?:-\w, |    )(--[\w-]+) ((?:[A-Z]+ )*)FILE\b", run("--help").stdout.decode(), re.M):
        if name != GROWS:
            yield [name, *(WORDS[word] for word in others.split())]


@functools.cache
def outputs(capture=CAPTURE):
    """{name: (arguments before the file, the file's bytes)}: options that make a file; the others want one that is there."""
    found = {}
    for option in options_with_files():
        name = new_folder() / "out"
        result = run(*option, name, capture)
        if result.returncode == 0:
            found[option[0]] = option, name.read_bytes()
        else:
            same((result.returncode, name.exists(), b"No such file" in result.stderr), (2, False, True), option)
    assert len(found) > 5, found
    return found


def all_at_once(folder):
    """Arguments that write each of them, as the option is called, into the folder."""
    return [word for name, (option, _) in outputs().items() for word in (*option, folder / name[2:])]


def whole(name, option, capture=CAPTURE):
    """Whether the file is the one that was written when nothing was in the way."""
    return name.read_bytes() == outputs(capture)[option][1]


def files_of(folder):
    return sorted(entry.name for entry in folder.iterdir())


def test_a_limit():
    """A file that may not grow: exit code 2 and the reason, the old file stays, nothing is beside it; with room enough it is whole."""
    same(run("--extract", "0", PCAPNG, CAPTURE).returncode, 0)
    for capture in (CAPTURE, PCAPNG):
        for name, (option, want) in outputs(capture).items():
            for limit in (0, 1, len(want) // 2, len(want) - 1, len(want)):
                folder = new_folder()
                (folder / "out").write_text("as it was")
                result = subprocess.run([PROGRAM, *option, folder / "out", capture], capture_output=True,
                                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                same(files_of(folder), ["out"], (name, limit))
                if limit == len(want):
                    same((result.returncode, whole(folder / "out", name, capture)), (0, True), (name, result.stderr))
                    continue
                same((result.returncode, (folder / "out").read_text()), (2, "as it was"), (name, capture, limit))
                assert f"rdma-analyze: {folder}/out: ".encode() in result.stderr, (name, limit, result.stderr)


def test_a_full_device():
    """/dev/full is exit code 2 with its name and the reason, and the files beside it are whole."""
    for full in outputs():
        folder = new_folder()
        arguments = all_at_once(folder)
        arguments[arguments.index(folder / full[2:])] = "/dev/full"
        result = run(*arguments, CAPTURE)
        same(result.returncode, 2, full)
        assert re.search(rb"^rdma-analyze: /dev/full: .", result.stderr, re.M), (full, result.stderr)
        same(files_of(folder), sorted(name[2:] for name in outputs() if name != full))
        same([name for name in outputs() if name != full and not whole(folder / name[2:], name)], [], full)


def test_a_full_disk():
    """A file system of its own that has no room, where such a one may be made."""
    folder, tried = new_folder(), 0
    elsewhere = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec"]
    mount = f"mount -t tmpfs -o size=16k none {folder}; echo as it was >{folder}/out"
    if subprocess.run([*elsewhere, mount], capture_output=True).returncode != 0:
        print("no file system can be made here: not tried")
        return
    script = f"{mount}; code=0; \"$@\" || code=$?; ls -A {folder}; cat {folder}/out; exit $code"
    for name, (option, want) in outputs().items():
        if len(want) < 20000:
            continue # it has room
        tried += 1
        result = subprocess.run([*elsewhere, script, "sh", PROGRAM, "--format=csv", *option, folder / "out", CAPTURE],
                                capture_output=True)
        same(result.returncode, 2, (name, result.stderr))
        assert result.stdout.endswith(b"\nout\nas it was\n"), (name, result.stdout[-200:])
    assert tried > 2, tried


def has_open(process, path):
    """Whether the process has the file open."""
    for entry in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
        try:
            if os.readlink(entry) == str(path):
                return True
        except FileNotFoundError:
            pass # it was closed meanwhile
    return False


def test_a_reader_that_goes_away():
    """Of a pipe, which is written to as it is: exit code 2 with the reason, and not by SIGPIPE."""
    for name, (option, _) in outputs().items():
        pipe = new_folder() / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        process = subprocess.Popen([PROGRAM, *option, pipe, "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while not has_open(process, pipe):
            assert process.poll() is None, name
        os.close(reader)
        _, errors = process.communicate(CAPTURE.read_bytes())
        same(process.returncode, 2, (name, errors))
        assert f"rdma-analyze: {pipe}: ".encode() in errors, (name, errors)
        assert stat.S_ISFIFO(pipe.stat().st_mode), name


def test_a_reader_of_the_report_that_goes_away():
    """That is no error, and the files are whole."""
    folder = new_folder()
    reader, writer = os.pipe()
    os.close(reader)
    result = run(*all_at_once(folder), CAPTURE, stdout=writer)
    os.close(writer)
    same((result.returncode, result.stderr), (0, b""))
    same([name for name in outputs() if not whole(folder / name[2:], name)], [])


def test_no_folder():
    """What cannot be made is told before anything is read."""
    for name, (option, _) in outputs().items():
        result = run(*option, "/no/such/folder/file", "/no/such/capture")
        same((result.returncode, result.stdout, result.stderr),
             (2, b"", b"rdma-analyze: /no/such/folder/file: No such file or directory\n"), name)


def test_signals_while_it_reads():
    """A signal that ends the program leaves nothing, neither under the names nor beside them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        folder = new_folder()
        process = subprocess.Popen([PROGRAM, *all_at_once(folder), "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        while len(files_of(folder)) < len(outputs()): # till all are begun
            assert process.poll() is None
        process.send_signal(number)
        same((process.wait(), files_of(folder)), (-number, []))
        process.stdin.close()


def test_signals_whenever():
    """At whatever moment a signal comes: what is there under a name is whole, and nothing is beside it. SIGINT and SIGTERM end
    the reading: then all files are there, of what was read, if that has what options ask for."""
    begun = time.monotonic()
    run(*all_at_once(new_folder()), CAPTURE)
    lasts = time.monotonic() - begun
    for step in range(20):
        folder = new_folder()
        process = subprocess.Popen([PROGRAM, *all_at_once(folder), CAPTURE], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        time.sleep(lasts * step / 19) # no more than where to try: what is asked holds at any moment
        number = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)[step % 4]
        process.send_signal(number)
        _, errors = process.communicate()
        if process.returncode == 2 and step % 4 < 2 and b"there are no connections" in errors:
            continue # it was stopped before the first one
        assert process.returncode in (0, -number), (step, process.returncode, errors)
        if process.returncode == 0:
            same(files_of(folder), sorted(name[2:] for name in outputs()), step)
        for name in files_of(folder):
            assert step % 4 < 2 and process.returncode == 0 or whole(folder / name, f"--{name}"), (step, name)


main(sys.modules[__name__])
