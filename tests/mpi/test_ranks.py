#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""rdma-analyze-mpi: any number of ranks prints what one process prints, to the byte; and what becomes of it when they cannot."""
import itertools
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

for folder in ("program", "captures"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / folder))
import capfile  # noqa: E402
import frames  # noqa: E402
from program import CAPTURES, ROOT, main, run, same  # noqa: E402

MPIRUN, PROGRAM, MANY = sys.argv[3:6]
RANKS = (1, 2, 4)
# Open MPI refuses root, and spins while it waits, which takes the cores from the ranks that work; MPICH has none of these
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


def files():
    found = sorted(str(path) for folder in (CAPTURES, CAPTURES / "made") for path in folder.glob("*.pcap*"))
    assert len(found) > 50
    return found


def ranks(count, *command, **keywords):
    return subprocess.run([MPIRUN, "--oversubscribe", "-n", str(count), *command], env=ENVIRONMENT, capture_output=True,
                          timeout=300, **keywords)


def check(arguments, counts=RANKS):
    alone = run("-j1", *arguments)
    for count in counts:
        result = ranks(count, PROGRAM, *arguments)
        what = f"{count} ranks, {' '.join(arguments[:3])} ..."
        same(result.returncode, alone.returncode, f"{what} {result.stderr.decode()[:2000]}")
        same(result.stdout, alone.stdout, what)
        # MPI may write before it (what its network layers miss), mpirun behind it (who ended how)
        assert alone.stderr in result.stderr, f"{what}: {result.stderr.decode()[:2000]}"


def test_every_capture():
    """Each capture by itself, in blocks of a few packets: whole, cut, damaged, of each format."""
    alone = [run("-j1", "--format=json", file).stdout for file in files()]
    for count in RANKS:
        with tempfile.TemporaryDirectory() as folder:
            result = ranks(count, MANY, folder, *files())
            assert result.returncode == 0, result.stderr.decode()[:2000]
            for i, file in enumerate(files()):
                same((pathlib.Path(folder) / str(i)).read_bytes(), alone[i], f"{count} ranks: {file}")


def test_all_in_one_run():
    """All captures in one run: taps, parts that follow each other, files that have nothing in common."""
    check(["--format=json", *files()])
    check(["--all", "--keys", *files()[::-1]], (4,))


def test_parts_in_time():
    """A capture in four files, and two of them given in the wrong order."""
    data = (CAPTURES / "roce_rc_write_ipv6.a.pcap").read_bytes()
    header, at, parts, part = data[:24], 24, [], b""
    while at < len(data):
        length = 16 + int.from_bytes(data[at + 8:at + 12], "little")
        part += data[at:at + length]
        at += length
        if len(part) > len(data) / 4:
            parts.append(part)
            part = b""
    parts.append(part)
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for i, part in enumerate(parts):
            names.append(f"{folder}/ring_{i:05}_2026010100000{i}.pcap")
            pathlib.Path(names[-1]).write_bytes(header + part)
        assert len(names) > 2
        check(["--format=json", *names])
        check(["--format=json", *names[::-1]], (2,))


def test_other_options():
    """A filter, weights of checks, other outputs, another reader, a file that is not there, one process's own."""
    two = [str(CAPTURES / "roce_corrupt.a.pcap"), str(CAPTURES / "roce_rc_write_ipv6.a.pcap")]
    for arguments in (["--filter=udp port 4791", "--format=ndjson", *two], ["--check=F01=note,S05=off", "--fail-on=note", *two],
                      ["--count-only", *two], ["--reader=pcap", "--format=csv", *files()], ["--packets", two[0]],
                      [*two, "/nonexistent"], ["--each", *two], ["--no-such-option"], ["--version"]):
        check(arguments, (2,))
    for arguments in (["-"], ["--follow=*.pcap"]):
        result = ranks(2, PROGRAM, *arguments, stdin=subprocess.DEVNULL)
        assert result.returncode == 2 and not result.stdout and b"several processes read files only" in result.stderr, result


def packet(between, opcode, psn, rest, **fields):
    """A packet of one of several pairs of hosts: rank 0 has those of one, rank 1 those of the other."""
    body = frames.bth(opcode, psn=psn, dest_qp=0x100, **fields) + rest + bytes(4)
    return frames.ethernet(frames.ip4(frames.udp(body, 4791), 17, source=between[0], destination=between[1]), 0x0800)


def check_made(code, told, *captures):
    """Two ranks, and two threads, on files of (ms, bytes): what one process says, which tells of a check or does not."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/made.{i}.pcap" for i in range(len(captures))]
        for path, packets in zip(paths, captures):
            # cut before the ICRC, which nobody made
            capfile.write_pcap(path, capfile.ETHERNET, ((ms * 1000000, data[:-4], len(data)) for ms, data in packets))
        found = {finding["code"] for finding in json.loads(run("--format=json", *paths).stdout)["findings"]}
        same(code in found, told, found)
        check(["--format=json", *paths], (2,))
        same(run("--format=json", "-j2", *paths).stdout, run("--format=json", "-j1", *paths).stdout, "two threads")


ONE, OTHER = [(struct.pack(">I", 0x0a000000 + a), struct.pack(">I", 0x0a000000 + b)) for a, b in ((1, 2), (0x177, 0x190))]
WHOLE = frames.reth(dmalen=1024) + bytes(1024)


def test_what_another_rank_has_in_between():
    """2.7 s in the middle of a WRITE, in which two other hosts talk: no clock that jumped (Q13)."""
    first = frames.reth(dmalen=4096) + bytes(1024)
    check_made("Q13", False, [(0, packet(ONE, 6, 10, first)), (900, packet(OTHER, 6, 70, first)),
                              (1800, packet(OTHER, 7, 71, bytes(1024))), (2700, packet(ONE, 7, 11, bytes(1024)))])


def test_the_first_frame_is_another_ranks():
    """A CNP that no mark precedes, long after the capture began, but not after the first frame of its rank (G05)."""
    check_made("G05", True, [(0, packet(OTHER, 10, 70, WHOLE)), (900, packet(ONE, 10, 10, WHOLE, ack_req=1)),
                             (901, packet(ONE[::-1], 17, 10, frames.aeth(msn=1))),
                             (902, packet(ONE[::-1], 0x81, 0, bytes(16), becn=1))])


def test_files_that_follow_each_other():
    """2.7 s in the middle of a WRITE, and a file ends in between: a clock that jumped (Q13), if nobody else talked."""
    first = frames.reth(dmalen=4096) + bytes(1024)
    begin = [(0, packet(ONE, 10, 9, WHOLE)), (1, packet(ONE, 6, 10, first))]
    other = packet(OTHER, 10, 70, WHOLE, ack_req=1), packet(OTHER[::-1], 17, 70, frames.aeth(msn=1))
    end = (2701, packet(ONE, 7, 11, bytes(1024)))
    check_made("Q13", True, begin, [end])
    check_made("Q13", False, [*begin, (2, other[0])], [end, (2702, other[1])])
    check_made("Q13", False, [(0, other[0]), *begin], [(2700, other[1]), end])


def test_a_file_that_one_rank_cannot_read():
    """It is not there where rank 1 is: exit code 2, a line that says so, nothing under the final name."""
    with tempfile.TemporaryDirectory() as folder:
        for rank in (0, 1):
            os.mkdir(f"{folder}/{rank}")
        shutil.copy(CAPTURES / "roce_corrupt.a.pcap", f"{folder}/0/a.pcap")
        result = ranks(2, "sh", "-c", f'cd {folder}/${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} && exec "$@"', "sh", PROGRAM,
                       "--sqlite=../out.db", "a.pcap")
        same(result.returncode, 2, result.stderr.decode())
        assert b"a.pcap: No such file or directory (rank 1, on " in result.stderr, result.stderr
        assert not result.stdout, result.stdout
        same(sorted(os.listdir(folder)), ["0", "1"])


def test_a_rank_that_dies():
    """Killed while all read: no exit code of success, a line of mpirun's, nothing under the final name."""
    with tempfile.TemporaryDirectory() as folder:
        fifo = f"{folder}/pipe.pcap"
        os.mkfifo(fifo)
        job = subprocess.Popen([MPIRUN, "--oversubscribe", "-n", "3", "sh", "-c",
                                f'echo $$ >{folder}/pid.${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}; exec "$@"', "sh", PROGRAM,
                                f"--sqlite={folder}/out.db", fifo],
                               env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with open(fifo, "wb") as pipe: # rank 0 reads it, and waits for more
            pipe.write((CAPTURES / "roce_corrupt.a.pcap").read_bytes()[:5000])
            pipe.flush()
            time.sleep(0.2)
            os.kill(int(pathlib.Path(f"{folder}/pid.1").read_text()), signal.SIGKILL)
            out, error = job.communicate(timeout=120)
        assert job.returncode not in (0, 1), job.returncode
        assert not out and error, out
        assert not os.path.exists(f"{folder}/out.db")


def test_the_job_script_of_the_documentation():
    """docs/mpi.md's script for Slurm, with mpirun in place of srun."""
    words = (ROOT / "docs/mpi.md").read_text()
    script = words[words.index("#!/bin/bash"):].split("```")[0]
    assert "srun" in script
    with tempfile.TemporaryDirectory() as folder:
        for name in ("roce_corrupt.a.pcap", "roce_rc_write_ipv6.a.pcap"):
            shutil.copy(CAPTURES / name, folder)
        os.mkdir(f"{folder}/bin")
        pathlib.Path(f"{folder}/bin/srun").write_text(f'#!/bin/sh\nshift # --kill-on-bad-exit\nexec {MPIRUN} --oversubscribe -n 2 "$@"\n')
        os.chmod(f"{folder}/bin/srun", 0o755)
        os.symlink(PROGRAM, f"{folder}/bin/rdma-analyze-mpi")
        pathlib.Path(f"{folder}/job.sh").write_text(script)
        environment = {**ENVIRONMENT, "PATH": f"{folder}/bin:{os.environ['PATH']}", "CAPTURES": folder, "SLURM_JOB_ID": "7"}
        result = subprocess.run(["bash", "job.sh"], cwd=folder, env=environment, capture_output=True, timeout=300)
        same(result.returncode, 0, result.stderr.decode())
        names = sorted(str(path) for path in pathlib.Path(folder).glob("*.pcap"))
        same(pathlib.Path(f"{folder}/report-7.json").read_bytes(), run("--format=json", *names).stdout)


if ranks(1, "true").returncode:
    print("skipped:", MPIRUN, "does not start anything here")
    sys.exit(77)
main(sys.modules[__name__])
