#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--list-checks, --list-opcodes and --list-headers: what docs/ has of them, and the same rows in each form."""
import json
import re
import sys

from program import EVERY, ROOT, main, same, text


def test_docs():
    """docs/ has what the program prints; if not, print it there again."""
    for name in ("checks", "opcodes", "headers"):
        same(text(f"--list-{name}=markdown"), (ROOT / f"docs/{name}.md").read_text(),
             f"docs/{name}.md is not what the program prints; print it there again, and look at the difference: "
             f"rdma-analyze --list-{name}=markdown >docs/{name}.md")


def test_opcodes_alike():
    """Text, JSON and Markdown have the same opcodes."""
    rows = json.loads(text("--list-opcodes=json"))
    names = [(f"0x{row['opcode']:02x}", row["name"]) for row in rows]
    assert len(names) > 80
    same(re.findall(r"^ (0x..) +(\S.*?)  ", text("--list-opcodes"), re.M), names)
    same(re.findall(r"^\| (0x..) \| (.*?) \|", text("--list-opcodes=markdown"), re.M), names)


def test_headers_alike():
    """Text, JSON and Markdown have the same headers and fields."""
    rows = json.loads(text("--list-headers=json"))
    want = [(row["header"], [field["field"] for field in row["fields"]]) for row in rows]
    printed = re.split(r"^(\w+): .*bytes.*\n.*\n", text("--list-headers=text"), flags=re.M)[1:]
    same([(name, re.findall(r"^ (\w+)", body, re.M))
          for name, body in zip(printed[::2], printed[1::2])], want)
    printed = re.split(r"^## (\w+)$", text("--list-headers=markdown"), flags=re.M)[1:]
    same([(name, re.findall(r"^\| (\w+) ", body, re.M)[1:])
          for name, body in zip(printed[::2], printed[1::2])], want)


def test_checks_alike():
    """Text, JSON and Markdown have the same checks; each says what it means and what to do."""
    rows = json.loads(text("--list-checks=json"))
    names = [(row["code"], row["check"]) for row in rows]
    assert len(names) > 150
    same(re.findall(r"^ (\w\d\d) +\w+ +\w+ +([\w-]+)$", text("--list-checks"), re.M), names)
    same(re.findall(r"^\*\*(\w\d\d)\*\* `(.*?)`", text("--list-checks=markdown"), re.M), names)
    same([row["code"] for row in rows if not row["meaning"] or not row["advice"]], [])


def test_one_check():
    """--explain-check has all that the table has of each check, in 80 columns."""
    for row in json.loads(text("--list-checks=json"))[::EVERY]:
        told = text("--explain-check", row["code"])
        words = re.sub(r"\s+", " ", told)
        for key in ("code", "check", "severity", "proof", "meaning", "advice", "reference"):
            assert not row[key] or row[key] in words, (row["code"], key)
        for part in (*row["says"], *row["advice_of_cases"]):
            assert re.sub(r"\s+", " ", part) in words, (row["code"], part)
        for part in (*row["needs"], *row["requires"]):
            assert part in words, (row["code"], part)
        same([line for line in told.splitlines() if len(line) > 80 and " " in line.strip()], [], row["code"])


def test_width():
    """The text forms keep to 80 columns."""
    for name in ("checks", "opcodes", "headers"):
        same([line for line in text(f"--list-{name}").splitlines() if len(line) > 80], [])


main(sys.modules[__name__])
