#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds commands of upper layers against what the tools that made the traffic were told to do (captures/truth.json).

usage: tools.py PROGRAM FOLDER

TOLD has for each capture the commands that its tools asked for by name: how many, how many of these failed, and the bytes of
the others. What the kernel does of itself (it reads partition tables, it asks the controller about itself) has other names, or
is not here. ERRORS has what the tools printed of commands that failed: the status's code and words.
"""

import json
import pathlib
import subprocess
import sys

DD = {"Write": (23, 0, 20 * 4096 + 3 * 65536), "Flush": (1, 0, 0)} # 20 blocks of 4 KiB, then 3 of 64 KiB
NFS = {"WRITE": (2, 0, 6 + 60000), "READ": (2, 0, 6 + 60000), "CREATE": (1, 0, 0), "REMOVE": (9, 0, 0)} # a small file, a big one; a folder of six
ISER = {"WRITE(10)": (12, 0, 10 * 4096 + 2 * 65536), "Logout": (1, 0, 0), "Login": (1, 0, 0)}
SRP = {"WRITE(10)": ISER["WRITE(10)"], "Login": (1, 0, 0)} # dd as for iSER
TOLD = {
    "ulp_nvme_roce": {"nvme": DD},
    "ulp_nvme_siw": {"nvme": DD},
    "ulp_nvme_abort": {"nvme": {"Write": (3, 0, 3 * 4096), "Dataset Management": (1, 0, 16), "Write Zeroes": (1, 0, 0),
                                "Compare": (1, 1, 0), "Flush": (1, 0, 0)}},
    "ulp_iser_roce": {"iser": ISER},
    "ulp_srp_roce": {"srp": SRP},
    "ulp_nfs_roce": {"nfs": NFS},
    "ulp_nfs_siw": {"nfs": NFS},
    "ulp_rds_roce": {"rds": {"4001 to 4000": (10, 0, 11000), "4000 to 4001": (10, 0, 1000)}}, # 200 to 2000 bytes, each answered with 100
    "ulp_smb_direct": {"smb": {"NEGOTIATE": (1, 0, 0), "SESSION_SETUP": (2, 0, 0), "TREE_CONNECT": (2, 0, 0)}}, # IPC$ and the share
}
PAST_THE_END = ("Read", 0x6, "Internal Error") # nvme read of a block that is not there
ERRORS = {
    "ulp_nvme_roce": {"nvme": {PAST_THE_END}},
    "ulp_nvme_siw": {"nvme": {PAST_THE_END}},
    "ulp_nvme_abort": {"nvme": {PAST_THE_END, ("Compare", 0x1, "Invalid Command Opcode")}},
}


def layers_of(program, path):
    run = subprocess.run([program, "--format", "json", str(path)], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout).get("upper_layers", ())


def sums(layers):
    """{protocol: {operation: (commands, failed, bytes)}}"""
    found = {}
    for layer in layers:
        operations = found.setdefault(layer["protocol"], {})
        for row in layer["operations"]:
            before = operations.get(row["operation"], (0, 0, 0))
            values = row["commands"], row["failed"], row["bytes"]
            operations[row["operation"]] = tuple(a + b for a, b in zip(before, values))
    return found


def errors_of(layers):
    """{protocol: {(operation, code, words)}}"""
    found = {}
    for layer in layers:
        found.setdefault(layer["protocol"], set()).update((row["operation"], int(row["status"], 0), row["words"]) for row in layer["errors"])
    return found


def main():
    program, folder, errors = sys.argv[1], pathlib.Path(sys.argv[2]), 0
    for name, asked in TOLD.items():
        layers = layers_of(program, folder / f"{name}.a.pcap")
        found, refused = sums(layers), errors_of(layers)
        for protocol, operations in asked.items():
            for operation, told in operations.items():
                if found.get(protocol, {}).get(operation) != told:
                    errors += 1
                    print(f"{name}: {operation}: {found.get(protocol, {}).get(operation)}, the tools were told {told}")
        for protocol, printed in ERRORS.get(name, {}).items():
            for missing in printed - refused.get(protocol, set()):
                errors += 1
                print(f"{name}: the tools printed {missing}, which is not among {refused.get(protocol)}")
    print(f"{len(TOLD)} captures, {errors} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
