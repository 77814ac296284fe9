#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin's own fields, from plugin/fields.def; makes docs/plugin-fields.md of them:

    tests/plugin/fields.py >docs/plugin-fields.md

--check says whether that is up to date.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r'^ +O\((\w+), "([^"]+)", "([^"]+)", FT_(\w+), \w+, (.+), (NOW|SOME|LATER)\)', re.M)
WHEN = {"NOW": "yes", "SOME": "as far as known", "LATER": "no"}
HEAD = """# The plugin's own fields

Made by `tests/plugin/fields.py` of `plugin/fields.def`. Fields of headers are `rdma.HEADER.FIELD` with the names of
[headers.md](headers.md), and `rdma.HEADER` is there where the header is; findings are `rdma.finding.CODE.SEVERITY` too.

"One pass" says what `tshark` without `-2` has of a field. *yes*: the same as in two passes (of iWARP: once the FPDU has ended
and no gap is before it). *as far as known*: what is known when the frame passes, which is never taken back; later frames
may tell more. *no*: only the whole capture tells; it is there with `-2`, and in Wireshark.

| field | what | type | one pass |
|---|---|---|---|
"""


def rows():
    found = ROW.findall((ROOT / "plugin/fields.def").read_text())
    assert len(found) > 50, found
    return found


def own_fields():
    """When each is known, by its name; and what tells whether a frame is one of RoCE."""
    return {name: when for _, name, _, _, _, when in rows()} | {"rdma.bth.psn": "NOW"}


def page():
    return HEAD + "".join(f"| `{name}` | {title} | {kind.lower()} | {WHEN[when]} |\n"
                          for _, name, title, kind, _, when in rows())


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit((ROOT / "docs/plugin-fields.md").read_text() != page() and "docs/plugin-fields.md is not up to date")
    print(page(), end="")
