#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--sqlite: the database is whole, has what the JSON has, and the queries of docs/database.md run on it."""
import csv
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

from program import CAPTURES, ROOT, main, run, same, text

FILES = [CAPTURES / name for name in (
    "ulp_nvme_roce.a.pcap", "roce_loss_middle.a.pcap", "roce_cm_reject.a.pcap", "iwarp_err_dereg.a.pcap",
    "roce_err_inv_bad.a.pcap")]
# docs/database.md: members that are rows of their own
ROWS = {"connection": {"endpoints", "flows", "cm"}, "conversation": {"endpoints"}, "upper_layer": {"operations", "errors", "congested_ports"},
        "memory_key": {"users"}, "finding": {"arguments", "frames", "file"}, "flow": {"messages"}}
LISTS = {"capture": "captures", "host": "hosts", "connection": "connections", "upper_layer": "upper_layers",
         "memory_key": "memory_keys", "finding": "findings", "slow_message": "slowest_messages",
         "slow_command": "slowest_commands"}


def database(folder, *arguments):
    path = pathlib.Path(folder) / "run.db"
    text("--sqlite", path, *arguments)
    base = sqlite3.connect(path)
    base.row_factory = sqlite3.Row
    return base


def rows(base, sql):
    return [dict(row) for row in base.execute(sql)]


def flat(record, rows_of=()):
    """As columns: {"naks": {"other": 1}} -> {"naks_other": 1}."""
    cells = {}
    for name, value in record.items():
        if name in rows_of:
            continue
        if isinstance(value, dict):
            cells |= {f"{name}_{inner}": cell for inner, cell in flat(value).items()}
        elif isinstance(value, list):
            cells[name] = "; ".join(value)
        else:
            cells[name] = int(value) if isinstance(value, bool) else value
    return cells


def agrees(row, record, rows_of=()):
    """A row has each value of its record, and nothing where that is null or absent."""
    want = {name: value for name, value in flat(record, rows_of).items() if value is not None}
    same({name: row[name] for name in want}, want)
    same({name for name, value in row.items() if value is not None} - want.keys() - {"id"}, set())


def test_values():
    """Each row has the values of its record in the JSON."""
    document = json.loads(text("--format", "json", *FILES))
    with tempfile.TemporaryDirectory() as folder:
        base = database(folder, *FILES)
        same(rows(base, "PRAGMA integrity_check"), [{"integrity_check": "ok"}])
        for table, name in LISTS.items():
            found = rows(base, f"SELECT * FROM {table} ORDER BY id")
            same(len(found), len(document.get(name, [])), table)
            for row, record in zip(found, document.get(name, [])):
                agrees(row, record, ROWS.get(table, ()))
        flows = rows(base, "SELECT * FROM flow ORDER BY connection, flow")
        for row in flows:
            connection, side = row.pop("connection"), row.pop("flow")
            agrees(row, document["connections"][connection]["flows"][side], ROWS["flow"])
        for row in rows(base, "SELECT * FROM message"):
            messages = document["connections"][row.pop("connection")]["flows"][row.pop("flow")]["messages"]
            agrees(row, messages[row.pop("message")])
        for row in rows(base, "SELECT * FROM endpoint"):
            connection, end = row.pop("connection"), row.pop("endpoint")
            agrees(row, document["connections"][connection]["endpoints"][end])
        told = [connection["cm"] for connection in document["connections"] if connection["cm"]] + document["conversations"]
        talks = rows(base, "SELECT * FROM conversation ORDER BY connection IS NULL, id")
        same(len(talks), len(told))
        for row, record in zip(talks, told):
            row.pop("connection")
            agrees(row, record, ROWS["conversation"])
        for row in rows(base, "SELECT * FROM command"):
            layer = document["upper_layers"][row.pop("upper_layer")]
            for name in ("connection", "flow", "protocol"):
                same(row.pop(name), layer[name])
            agrees(row, layer["operations"][row.pop("position")])
        for index, finding in enumerate(document["findings"]):
            frames = rows(base, f"SELECT file, frame FROM finding_frame WHERE finding = {index} ORDER BY position")
            same(frames, [{"file": file, "frame": frame} for file, frame in zip(finding["file"], finding["frames"])])
            pairs = {row["name"]: row["value"]
                     for row in rows(base, f"SELECT * FROM finding_argument WHERE finding = {index}")}
            same(pairs, flat(finding["arguments"]), finding["code"])


def test_sums():
    """Sums over tables are the sums of the JSON; packets are there where they are asked for."""
    files = [*FILES, CAPTURES / "made/pause.pcap"] # pause frames are no packets
    document = json.loads(text("--format", "json", *files))
    packets = [json.loads(line) for line in text("-p", "-F", "ndjson", *files).splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        base = database(folder, *FILES)
        same(rows(base, "SELECT count(*) AS n FROM packet"), [{"n": 0}])
        base = database(folder, "--packets", *files)
        for name in ("packets", "bytes", "retransmitted_packets", "acks", "payload_bytes"):
            want = sum(flow[name] or 0 for connection in document["connections"] for flow in connection["flows"])
            same(rows(base, f"SELECT sum({name}) AS n FROM flow")[0]["n"], want, name)
        found = rows(base, "SELECT * FROM packet ORDER BY id")
        same(len(found), len(packets))
        for row, packet in zip(found, packets):
            agrees({name: value for name, value in row.items() if value != ""}, # lists of no words
                   {name: value for name, value in packet.items() if value != []})


def queries():
    page = (ROOT / "docs/database.md").read_text()
    return re.findall(r"```sql\n(.*?)```", page, re.S)


def test_queries():
    """The queries of the page run on every capture, empty ones too, and each finds something somewhere."""
    found = set()
    same(len(queries()) >= 20, True)
    with tempfile.TemporaryDirectory() as folder:
        for files in (FILES, [CAPTURES / "iwarp_err_inv_bad.a.pcap"], [CAPTURES / "ulp_nfs_roce.a.pcap"],
                      [CAPTURES / "tcp_ssh.a.pcap"]):
            base = database(folder, "--packets", *files)
            found |= {query for query in queries() if rows(base, query)}
    # keys that several hosts use: no capture at hand has them
    same([query for query in queries() if query not in found and "DISTINCT address) > 1" not in query], [])


def test_replaced():
    """A database of that name is replaced; where it cannot be written, what was there stays, and nothing is left."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "run.db"
        path.write_text("not a database")
        text("--sqlite", path, FILES[1])
        same(sqlite3.connect(path).execute("SELECT count(*) FROM capture").fetchone(), (1,))
        same([entry.name for entry in pathlib.Path(folder).iterdir()], ["run.db"])
        result = run("--sqlite", pathlib.Path(folder) / "none/run.db", FILES[1])
        same((result.returncode, result.stdout), (2, b""))
        assert b"none/run.db" in result.stderr, result.stderr
        result = run("--sqlite", "/dev/full", FILES[1])
        same(result.returncode, 2)
        assert b"/dev/full" in result.stderr, result.stderr


def test_indices():
    """What the page says of the file: its version, and that findings, packets and keys are found without reading all."""
    with tempfile.TemporaryDirectory() as folder:
        base = database(folder, "--packets", FILES[0])
        same(rows(base, "PRAGMA user_version"), [{"user_version": 1}])
        for table, column in (("finding", "code"), ("finding", "connection"), ("finding_frame", "frame"), ("endpoint", "address"),
                              ("memory_key", '"key"'), ("command", "operation"), ("message", "message"), ("packet", "frame"),
                              ("packet", "time_ns"), ("packet", "connection"), ("flow", "connection"), ("connection", "id")):
            plan = rows(base, f"EXPLAIN QUERY PLAN SELECT * FROM {table} WHERE {column} = 1")[0]["detail"]
            assert plan.startswith("SEARCH"), plan


def csv_cell(value):
    """A value of the JSON as CSV has it."""
    if isinstance(value, list):
        return "; ".join(value)
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def test_csv():
    """Python reads the CSV: a row for each direction that there is, with the values of the JSON."""
    document = json.loads(text("--format", "json", *FILES))
    compared = 0
    for row in csv.DictReader(text("--format", "csv", *FILES).splitlines()):
        flow = document["connections"][int(row["id"])]["flows"][int(row["flow"])]
        for column, cell in row.items():
            value = flow
            for name in column.split("."):
                value = value.get(name) if isinstance(value, dict) and name in value else ...
            if value is ... or isinstance(value, dict):
                continue # of the connection, or of an object that is null
            same(cell, csv_cell(value), f"{column} of {row['id']}.{row['flow']}")
            compared += 1
    assert compared > 500, compared


def test_csv_import():
    """sqlite3 imports the CSV, and finds what the JSON says."""
    document = json.loads(text("--format", "json", *FILES))
    flows = [flow for connection in document["connections"] for flow in connection["flows"]]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "flows.csv"
        path.write_text(text("--format", "csv", *FILES))
        for column in ("packets", "acks", "payload_bytes"):
            answer = subprocess.run(["sqlite3", ":memory:", f".import --csv {path} flows", f"SELECT count(*), sum({column}) FROM flows"],
                                    check=True, stdout=subprocess.PIPE, text=True).stdout
            same(answer.split("|"), [str(len(flows)), f"{sum(flow[column] or 0 for flow in flows)}\n"], column)


main(sys.modules[__name__])
