# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of pages share: pages made of captures, and the documents inside."""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "program"))
import program  # noqa: E402


def make(folder, *captures, options=()):
    """Writes the page of captures; its path."""
    path = pathlib.Path(folder) / "page.html"
    program.text("--html", path, *options, *captures)
    return path


def document(page, name):
    """One of the two documents of data in a page's text."""
    found = re.findall(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.S)
    program.same(len(found), 1, f"elements {name}")
    return json.loads(found[0])


def told(*captures):
    """What --format=json says of them."""
    return json.loads(program.text("--format=json", *captures))
