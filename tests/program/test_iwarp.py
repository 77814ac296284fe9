#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is found in each recorded iWARP capture (Linux's siw), above a note: all of it."""
import json
import pathlib
import subprocess
import sys
import tempfile

from program import CAPTURES, PROGRAM, ROOT, main, same, text

# capture: [(code, first frames, words of the text)]; the STags are those that the test programs printed
FOUND = {
    "iwarp_err_bad_rkey_write.a.pcap": [
        ("W18", [30, 24], "invalid STag", "64 bytes to STag 0x3e0b635a, offset 0x00007fddfb679000")],
    "iwarp_err_dereg.a.pcap": [
        ("W18", [31, 28], "invalid STag", "64 bytes to STag 0x8eb13900, offset 0x00007fc863aba000")],
    "iwarp_err_inv_bad.a.pcap": [
        ("W18", [27, 21], "STag cannot be invalidated", "SEND with Invalidate of 64 bytes")],
    "iwarp_err_long_send.a.pcap": [
        ("W18", [26, 21], "no receive buffer", "SEND of 300 bytes, message 2")],
    "iwarp_err_oob_read.a.pcap": [
        ("W18", [24, 23], "base or bounds", "4096 bytes from STag 0x47954b00, offset 0x00007f0bedc9ef9c")],
    "iwarp_err_ro_write.a.pcap": [
        ("W18", [30, 26], "STag", "128 bytes to STag 0xcf267d00, offset 0x00007f25d5ced000")],
    "iwarp_err_underrun_write.a.pcap": [
        ("W18", [24, 23], "base or bounds", "64 bytes to STag 0x0c8fa700, offset 0x00007f90e724afc0")],
}
# siw does not look at the right to read: its READ of a write-only region worked
SOUND = ("iwarp_err_wo_read.a.pcap", "iwarp_err_rd_over.a.pcap")
TCP = ("iwarp_loss_data.a.pcap",) # W27, and of iWARP no more
FAILED = {"ulp_nvme_siw.a.pcap": {"U01"}} # a Read beyond the end of the namespace


def findings(name):
    document = json.loads(subprocess.run(
        [PROGRAM, "--format", "json", name], cwd=CAPTURES, stdout=subprocess.PIPE, check=True).stdout)
    return [finding for finding in document["findings"] if finding["severity"] != "note"]


def test_refusals():
    """A Terminate is told with its reason, and with the message that it is about."""
    for name, wanted in FOUND.items():
        found = findings(name)
        same([finding["code"] for finding in found], [code for code, *_ in wanted], name)
        for finding, (_, frames, *words) in zip(found, wanted):
            same(finding["proof"], "proven", name)
            same(finding["frames"], frames, name)
            for part in words:
                assert part in finding["text"], f"{name}: {finding['text']!r} has no {part!r}"


def test_nothing_else():
    """What ran well is not blamed for anything; losses of TCP are TCP's."""
    paths = sorted(path.name for path in CAPTURES.glob("*.pcap")
                   if "iwarp" in path.name or "siw" in path.name)
    assert paths
    for name in paths:
        if name not in FOUND:
            same({finding["code"] for finding in findings(name)},
                 ({"W27"} if name in TCP else set()) | FAILED.get(name, set()), name)
    assert all(name in paths for name in (*FOUND, *SOUND))


# a header's field, and the record's own name for it
SAME = {("ddp_tagged", "stag"): "stag", ("ddp_tagged", "offset"): "tagged_offset", ("ddp_untagged", "msn"): "msn",
        ("ddp_untagged", "queue"): "queue", ("rdmap_read", "size"): "read_size",
        ("rdmap_read", "source_stag"): "source_stag", ("mpa_start", "revision"): "mpa_revision",
        ("mpa_depths", "ird"): "ird"}


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def test_headers():
    """--headers has the headers of each FPDU and start frame, with the values of its record."""
    compared = 0
    for path in sorted(CAPTURES.glob("iwarp_*.pcap")):
        lines = subprocess.run([PROGRAM, "--packets", "--headers", "--format", "ndjson", path], check=True,
                               stdout=subprocess.PIPE).stdout.splitlines()
        for record in map(json.loads, lines):
            for header in record["headers"][:2]:  # behind them is what a Terminate copies
                for field, value in header["fields"].items():
                    name = SAME.get((header["header"], field))
                    if name and not (record["name"] == "Terminate" and header["header"] == "ddp_tagged"):
                        same(number(value), number(record[name]), f"{path.name}: frame {record['frame']}: {name}")
                        compared += 1
    assert compared > 1000, compared


# a line of a scenario, and the words of what is wrong with it
FORMS = {"A iw_send queue_number=1": "the operation is on a queue that is not its own",
         "A iw_write dv=0": "the DDP version is not 1",
         "A iw_write rv=2": "the RDMAP version is neither 1 nor that of the RDMA consortium, 0",
         "A iw_send op=12": "the opcode is reserved",
         "A iw_write op=3": "the operation is tagged where it must not be, or untagged where it must be",
         "A iw_write reserved=1": "reserved bits are set"}


def test_what_breaks_the_form():
    """In a line of packets the fault of an FPDU's form has its words, which the record has too."""
    with tempfile.TemporaryDirectory() as folder:
        scenario, capture = f"{folder}/form.scn", f"{folder}/form.pcap"
        for line, words in FORMS.items():
            pathlib.Path(scenario).write_text(f"# A form\nmpa crc\n{line}\n")
            subprocess.run([sys.executable, ROOT / "tests/scenarios/run.py", "--keep", scenario, capture], check=True,
                           stdout=subprocess.PIPE)
            records = [json.loads(record) for record in text("--packets", "--format=ndjson", capture).splitlines()]
            same([(record["status"], record["faults"]) for record in records if record["status"] != "ok"],
                 [("malformed", [words])], line)
            same(text("--packets", capture).count(f" [{words}]"), 1, line)


def test_slowest():
    """READs of iWARP are among the slowest messages; they have no PSNs."""
    document = json.loads(subprocess.run([PROGRAM, "--format", "json", "iwarp_rping.a.pcap"], cwd=CAPTURES, check=True,
                                         stdout=subprocess.PIPE).stdout)
    slow = document["slowest_messages"]
    same([row["message"] for row in slow], ["read"] * 8)
    same({(row["psn"], row["bytes"], row["flow"]) for row in slow}, {(None, 256, 1)})
    same(slow[0]["latency_ns"], document["connections"][0]["flows"][1]["message_latency_ns"]["max"])


main(sys.modules[__name__])
