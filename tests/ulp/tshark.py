#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the commands of upper layers with tshark's: which there are, their answers, statuses and latencies.

usage: tshark.py --commands PATH [--all-known] CAPTURE|FOLDER...

--commands is the program of commands.c beside this file: a line for each command. What is known to differ
is in known.tsv, each with the reason; with --all-known a row that no capture here needs is an error.

Exit code 77 (skipped, for ctest): no tshark, or none of VERSIONS.
"""

import argparse
import decimal
import fnmatch
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
VERSIONS = ("4.0.",)
HERE = pathlib.Path(__file__).resolve().parent
ADMIN, IO, FABRICS = 1, 2, 3
UNTOLD = object() # where tshark has no value


def all_frames(path, columns, home):
    """{column: all its texts} of each frame"""
    environment = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home, WIRESHARK_CONFIG_DIR=home, LC_ALL="C.UTF-8")
    command = ["tshark", "-n", "-r", str(path), "-T", "fields", "-E", "occurrence=a", "-E", "aggregator=|"]
    for column in ("frame.number", *columns):
        command += ["-e", column]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, check=True)
    for line in run.stdout.decode().splitlines():
        number, *cells = line.split("\t")
        yield int(number), {column: cell.split("|") for column, cell in zip(columns, cells)}


def frames(path, columns, home):
    """{column: its first text} of each frame"""
    for number, row in all_frames(path, columns, home):
        yield number, {column: texts[0] for column, texts in row.items()}


def nanoseconds(text, digits=6):
    """Of milliseconds, or with 9 digits of seconds"""
    return int(decimal.Decimal(text).scaleb(digits).to_integral_value())


def nvme(path, home):
    """{command's frame: (operation, answer's frame, status, latency)}; None where there is no answer"""
    columns = ("nvme.cmd.opc", "nvme.fabrics.cmd.fctype", "nvme-rdma.cmd.qid", "nvme.cmd_pkt", "nvme.fabrics.cmd_pkt",
               "nvme.cmd_latency", "nvme.fabrics.cmd_latency", "nvme.cqe.status", "nvme.fabrics.cqe.sts")
    found = {}
    for number, row in frames(path, columns, home):
        latency = row["nvme.cmd_latency"] or row["nvme.fabrics.cmd_latency"]
        if row["nvme.fabrics.cmd.fctype"]:
            found[number] = (FABRICS << 8 | int(row["nvme.fabrics.cmd.fctype"], 0), None, None, None)
        elif row["nvme.cmd.opc"]:
            queue = ADMIN if int(row["nvme-rdma.cmd.qid"], 0) == 0 else IO
            found[number] = (queue << 8 | int(row["nvme.cmd.opc"], 0), None, None, None)
        elif latency:
            command = int(row["nvme.cmd_pkt"] or row["nvme.fabrics.cmd_pkt"])
            status = int(row["nvme.cqe.status"] or row["nvme.fabrics.cqe.sts"], 0) >> 1 & 0x7ff
            found[command] = (found[command][0], number, status, nanoseconds(latency))
    return found


NFS, COMPOUND = 100003, 1


def nfs(path, home):
    """Of a COMPOUND: all operations that tshark takes for the main one."""
    columns = ("rpc.msgtyp", "rpc.program", "rpc.programversion", "rpc.procedure", "nfs.main_opcode", "rpc.repframe", "rpc.time",
               "nfs.status", "rpc.state_accept")
    found = {}
    for number, row in all_frames(path, columns, home):
        version, procedure = row["rpc.programversion"][0], row["rpc.procedure"][0]
        if row["rpc.msgtyp"][0] == "0" and int(row["rpc.program"][0]) == NFS:
            numbers = [text for text in row["nfs.main_opcode"] if text] if int(procedure) == COMPOUND and version == "4" else [procedure]
            found[number] = (tuple(int(version) << 16 | int(text) for text in numbers), None, None, None)
        elif row["rpc.msgtyp"][0] == "1" and row["rpc.repframe"][0]:
            command = int(row["rpc.repframe"][0])
            found[command] = (found[command][0], number, int(row["nfs.status"][0] or "0"), nanoseconds(row["rpc.time"][0], 9))
    return found


SCSI_COMMAND, SCSI_RESPONSE, REQUESTS = 0x01, 0x21, {0x00, 0x02, 0x03, 0x04, 0x06} # opcodes of PDUs


def iser(path, home):
    """tshark times SCSI commands only; of others it is compared that they are there."""
    columns = ("iscsi.opcode", "scsi_sbc.opcode", "scsi.spc.opcode", "iscsi.initiatortasktag", "iscsi.time", "iscsi.scsiresponse.status",
               "scsi.sns.key", "scsi.sns.ascascq")
    found, asked = {}, {}
    for number, row in frames(path, columns, home):
        opcode = int(row["iscsi.opcode"] or "-1", 0)
        task = row["iscsi.initiatortasktag"]
        if opcode == SCSI_COMMAND or opcode in REQUESTS:
            cdb = row["scsi_sbc.opcode"] or row["scsi.spc.opcode"]
            found[number] = (0x100 | int(cdb, 0) if opcode == SCSI_COMMAND else opcode, None, None, None)
            asked[task] = number
        elif opcode - 0x20 in REQUESTS:
            command = asked[task]
            found[command] = (found[command][0], number, 0, UNTOLD)
        elif opcode == SCSI_RESPONSE:
            command = asked[task]
            status = int(row["iscsi.scsiresponse.status"], 0)
            if row["scsi.sns.key"]:
                status |= int(row["scsi.sns.key"], 0) << 24 | int(row["scsi.sns.ascascq"], 0) << 8
            found[command] = (found[command][0], number, status, nanoseconds(row["iscsi.time"], 9))
    return found


MORE_PROCESSING, PENDING, NEGOTIATE = 0xC0000016, 0x103, 0x100
CANCEL = 12


def smb(path, home):
    """Of a compound only the first command: the others have its frames."""
    columns = ("smb2.cmd", "smb2.msg_id", "smb2.nt_status", "smb2.time", "smb_direct.negotiate_request", "smb_direct.negotiate_response")
    found, asked, negotiation = {}, {}, None
    for number, row in frames(path, columns, home):
        if row["smb_direct.negotiate_request"]:
            negotiation = number
            found[number] = (NEGOTIATE, None, None, None)
        elif row["smb_direct.negotiate_response"]:
            found[negotiation] = (NEGOTIATE, number, 0, UNTOLD)
        elif row["smb2.time"]:
            command, status = asked[row["smb2.msg_id"]], int(row["smb2.nt_status"], 0)
            if status != PENDING: # a step of the session's set-up is no error
                found[command] = (found[command][0], number, 0 if status == MORE_PROCESSING else status, nanoseconds(row["smb2.time"], 9))
        elif row["smb2.cmd"] and not row["smb2.nt_status"] and int(row["smb2.cmd"]) != CANCEL:
            asked[row["smb2.msg_id"]] = number
            found[number] = (int(row["smb2.cmd"]), None, None, None)
    return found


LAYERS = {"nvme": nvme, "nfs": nfs, "iser": iser, "smb": smb}


def ours(program, path):
    """{protocol: the same as above}"""
    run = subprocess.run([program, str(path)], stdout=subprocess.PIPE, check=True)
    found = {}
    for line in run.stdout.decode().splitlines():
        protocol, command, answer, operation, status, latency = line.split("\t")
        values = [None if text == "-" else int(text, 0) for text in (answer, status, latency)]
        found.setdefault(protocol, {}).setdefault(int(command), (int(operation, 0), *values))
    return found


# ---- what is known ------------------------------------------------------------------------------

SEND_FIRST, SEND_LAST = 0, 2 # opcodes of RC


def kinds_of(path, home):
    """{frame: the kinds of known.tsv that it is of}"""
    columns = ("frame.protocols", "infiniband.bth.opcode", "infiniband.bth.destqp", "smb_direct.remaining_length")
    kinds, behind = {}, {} # behind: whether a QP's SEND goes on in the next one
    for number, row in frames(path, columns, home):
        opcode, qp, remaining = row["infiniband.bth.opcode"], row["infiniband.bth.destqp"], row["smb_direct.remaining_length"]
        kinds[number] = {kind for kind, holds in (
            ("over TCP", ":tcp" in row["frame.protocols"]),
            ("first packet", opcode == str(SEND_FIRST)),
            ("last packet", opcode == str(SEND_LAST)),
            ("first SEND", remaining and int(remaining) and not behind.get(qp)),
            ("later SEND", remaining and behind.get(qp))) if holds}
        if remaining:
            behind[qp] = int(remaining) > 0
    return kinds


class Known:
    """Rows of known.tsv: capture, protocol, frames, what; a row stands for all differences that fit."""

    def __init__(self, path):
        self.rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()
                     if line and not line.startswith("#")]
        self.used = set()

    def has(self, capture, protocol, frame, kinds, what):
        """kinds: of the command's frame; "answered by" and a kind of its answer's"""
        for i, (captures, layer, told, difference, _) in enumerate(self.rows):
            if (fnmatch.fnmatch(capture, captures) and layer == protocol and difference == what
                    and (told in kinds or str(frame) in told.split(","))):
                self.used.add(i)
                return True
        return False

    def unused(self):
        return [row for i, row in enumerate(self.rows) if i not in self.used]


def differences(mine, theirs):
    """(frame, what, ours, tshark's)"""
    for frame in sorted(mine.keys() | theirs.keys()):
        if frame not in theirs or frame not in mine:
            yield frame, "only ours" if frame in mine else "only theirs", mine.get(frame), theirs.get(frame)
        else:
            for what, a, b in zip(("operation", "answer", "status", "latency"), mine[frame], theirs[frame]):
                if b is not UNTOLD and (a not in b if isinstance(b, tuple) else a != b):
                    yield frame, what, a, b


def compare(options, path, known, home):
    """The number of commands, and of differences that are not known"""
    found, commands, failures = ours(options.commands, path), 0, 0
    kinds = kinds_of(path, home)
    for protocol, read in LAYERS.items():
        mine, theirs = found.get(protocol, {}), read(path, home)
        commands += len(mine)
        for frame, what, a, b in differences(mine, theirs):
            answer = mine[frame][1] if frame in mine else None
            of_frame = kinds[frame] | {f"answered by {kind}" for kind in kinds.get(answer, ())}
            if not known.has(path.name, protocol, frame, of_frame, what):
                failures += 1
                print(f"{path.name}: {protocol}, frame {frame}: {what}: ours {a}, tshark's {b}")
    return commands, failures


def captures_in(given):
    path = pathlib.Path(given)
    return sorted(path.glob("ulp_*.pcap")) if path.is_dir() else [path]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--commands", required=True)
    parser.add_argument("--all-known", action="store_true")
    parser.add_argument("captures", nargs="+")
    options = parser.parse_args()
    if not shutil.which("tshark"):
        print("SKIP: tshark is not installed")
        return SKIPPED
    version = subprocess.run(["tshark", "--version"], stdout=subprocess.PIPE, check=True).stdout.decode()
    if not any(f" {known}" in version.splitlines()[0] for known in VERSIONS):
        print(f"SKIP: tshark is {version.splitlines()[0]}; it is compared with {VERSIONS}")
        return SKIPPED
    known, commands, failures = Known(HERE / "known.tsv"), 0, 0
    with tempfile.TemporaryDirectory() as home:
        for path in [path for given in options.captures for path in captures_in(given)]:
            count, failed = compare(options, path, known, home)
            commands, failures = commands + count, failures + failed
    for row in known.unused() if options.all_known else ():
        failures += 1
        print("known.tsv: not needed any more:", "\t".join(row))
    print(f"{commands} commands compared, {failures} differences")
    return 1 if failures or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
