#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page in Chromium, used as a reader would: zoom, hover, sort, filter, keys; its numbers are those of JSON.

Skipped (exit code 77) where no browser is.
"""
import json
import pathlib
import shutil
import sys
import tempfile

import browser
import pages
from program import CAPTURES, main, same

CAPTURE = CAPTURES / "roce_corrupt.a.pcap"
FOLDER = tempfile.TemporaryDirectory()


def opened(capture=CAPTURE, **how):
    """A browser with the page of a capture, and what JSON says of it; the console must be silent at the end."""
    window = browser.Browser(**how)
    try:
        window.open(pages.make(FOLDER.name, capture))
        same(window.run("return document.documentElement.dataset.ready"), "yes", "the script ran to its end")
    except BaseException:
        window.__exit__()
        raise
    return window


def silent(window):
    """dygraphs of Debian 13 counts there what a zoom leaves out above and below."""
    same([line for line in window.console() if "points out of Y bounds" not in line], [], "messages on the console")


def cells(window, table, column):
    """The values behind the cells of a column, by its title, in the order of the rows."""
    return window.run("""
        const table = document.getElementById(arguments[0]);
        const heads = [...table.querySelectorAll("th")].map(head => head.textContent);
        const index = heads.indexOf(arguments[1]);
        return [...table.querySelectorAll("tbody tr")].map(row => row.cells[index].dataset.value);
    """, table, column)


def press(window, table, title):
    """Presses a column's head with the mouse."""
    window.run("""
        const button = [...document.querySelectorAll(`#${arguments[0]} th button`)]
          .find(button => button.textContent === arguments[1]);
        button.scrollIntoView({block: "center"});
        button.id = "pressed";
    """, table, title)
    window.click("#pressed")
    window.run("document.getElementById('pressed').removeAttribute('id')")


def test_tables_have_the_numbers_of_json():
    """Findings, hosts, messages and keys, cell by cell."""
    told = pages.told(CAPTURE)
    with opened() as window:
        same(cells(window, "findings-table", "Code"), [finding["code"] for finding in told["findings"]])
        same(cells(window, "findings-table", "Cases"), [str(finding["count"]) for finding in told["findings"]])
        same(cells(window, "findings-table", "In words"), [finding["text"] for finding in told["findings"]])
        same(cells(window, "messages-table", "Took"),
             [str(message["latency_ns"]) for message in told["slowest_messages"]])
        same(cells(window, "keys-table", "WRITEs"), [str(key["writes"]) for key in told["memory_keys"]])
        for name in ("packet_seq_err", "icrc_errors_received", "out_of_sequence"):
            same(cells(window, "hosts-table", name.replace("_", " ")),
                 [str(host["counters"][name]) for host in told["hosts"]], name)
        flows = told["connections"][0]["flows"]
        for title, value in {
                "Packets": sum(flow["packets"] for flow in flows), "Bytes": sum(flow["bytes"] for flow in flows),
                "Resent": sum(flow["retransmitted_packets"] for flow in flows),
                "Lost": sum(sum(flow["lost"].values()) for flow in flows),
                "NAKs": sum(sum(flow["naks"].values()) for flow in flows),
                "p99": flows[0]["message_latency_ns"]["p99"], "Stalled": flows[0]["stalled_ns"]}.items():
            same(cells(window, "connections-table", title), [str(value)], title)
        values = window.run("""
            return Object.fromEntries([...document.querySelectorAll("#one dd")].map(
              value => [value.dataset.path, value.textContent]))""")
        same(values["flows[0].resends.after_nak"], str(flows[0]["resends"]["after_nak"]))
        same(values["flows[0].message_latency_ns.p50"], str(flows[0]["message_latency_ns"]["p50"]))
        silent(window)


def test_sort_and_filter():
    """A head sorts, and the other way when pressed again; words and a severity filter; the count says so."""
    told = pages.told(CAPTURE)["findings"]
    with opened() as window:
        press(window, "findings-table", "Cases")
        counts = sorted((finding["count"] for finding in told), reverse=True)
        same(cells(window, "findings-table", "Cases"), [str(count) for count in counts])
        press(window, "findings-table", "Cases")
        same(cells(window, "findings-table", "Cases"), [str(count) for count in reversed(counts)])
        press(window, "findings-table", "Code")
        same(cells(window, "findings-table", "Code"), sorted(finding["code"] for finding in told))
        window.type("#findings-table input", "Go-Back-N")
        expected = [finding for finding in told if "go-back-n" in (finding["text"] + finding["check"]).lower()]
        assert 0 < len(expected) < len(told)
        same(cells(window, "findings-table", "Code"), sorted(finding["code"] for finding in expected))
        same(window.text("#findings-table [role=status]"), f"{len(expected)} of {len(told)} rows")
        window.type("#findings-table input", "\ue003" * 9)  # backspace
        window.run("""const choice = document.querySelector("#findings-table select");
                      choice.value = "error"; choice.dispatchEvent(new Event("change"))""")
        same(cells(window, "findings-table", "Code"), [f["code"] for f in told if f["severity"] == "error"])
        window.click("#findings-table tbody button")
        details = window.text("#findings-table .details")
        assert str(told[0]["frames"][1]) in details and told[0]["advice"] in details, details
        silent(window)


LOOK = """
    const cloud = view.cloud;
    cloud.plot.scrollIntoView({block: "center"});
    const mark = cloud.marks.findIndex(mark => mark.name === arguments[0]);
    const index = cloud.byMark[mark][arguments[1]];
    const box = cloud.plot.getBoundingClientRect();
    const [x, y] = cloud.locate(index);
    return {x: box.left + x, time: cloud.points.x[index], y: box.top + y, frame: cloud.points.frame[index], relative: cloud.points.y[index],
            window: cloud.view.window, left: box.left, width: box.width, middle: box.top + box.height / 2};
"""


def test_hover_tells_a_packet_and_zoom_comes_down_to_it():
    """The tip of a mark has its frame and meaning, as --packets tells them; dragging zooms, until single packets stand apart."""
    lines = pages.program.text("--packets", "--format=ndjson", CAPTURE).splitlines()
    packets = {packet["frame"]: packet for packet in map(json.loads, lines)}
    with opened() as window:
        for mark, which in (("nak", 3), ("resent", 40)):
            at = window.run(LOOK, mark, which)
            for _ in range(9):  # narrower about the packet, until it stands alone
                window.run("view.view.zoom(0.4, arguments[0])", at["time"])
            at = window.run(LOOK, mark, which)
            window.pointer((at["x"] - 60, at["y"]), (at["x"], at["y"]))
            tip = window.run("const tip = view.cloud.tip; return tip.hidden ? null : "
                             "[...tip.children].map(line => line.textContent)")
            assert tip, f"no tip at {at}"
            packet = packets[at["frame"]]
            assert tip[0].startswith(f"frame {packet['frame']},"), (tip, packet)
            assert tip[1].startswith(f"{packet['name']}, PSN {packet['psn']} (relative {packet['relative_psn']})"), tip
            if mark == "resent":
                same(tip[2], f"sent again ({packet['resend_trigger']}), see frame {packet['retransmission_of']}")
            else:
                same(packet["syndrome"] >> 5, 3)
            window.run("view.view.reset()")
        at = window.run(LOOK, "nak", 0)
        whole = at["window"]
        window.pointer((at["left"] + at["width"] * 0.4, at["middle"]), "down",
                       (at["left"] + at["width"] * 0.5, at["middle"] + 2), (at["left"] + at["width"] * 0.6, at["middle"] + 2), "up")
        begin, end = window.run("return view.view.window")
        assert whole[0] < begin < end < whole[1] and end - begin < 0.3 * (whole[1] - whole[0]), (whole, begin, end)
        windows = window.run("return view.view.charts.map(chart => chart.graph.xAxisRange())")
        assert len(windows) > 2 and all(one == [begin, end] for one in windows), windows
        silent(window)


def test_keys():
    """Without a mouse: plus zooms, 0 shows all, a point goes from mark to mark, Enter presses heads."""
    with opened() as window:
        plot = "#one .chart"
        window.run("document.querySelector(arguments[0]).focus()", plot)
        whole = window.run("return view.view.window")
        window.type(plot, "++")
        begin, end = window.run("return view.view.window")
        assert abs((end - begin) * 4 - (whole[1] - whole[0])) < 1e-9
        window.type(plot, "\ue014")  # right
        assert window.run("return view.view.window")[0] > begin
        window.type(plot, "0")
        same(window.run("return view.view.window"), whole)
        window.type(plot, "..")
        first = window.run("return view.cloud.tip.textContent")
        window.type(plot, ".")
        second = window.run("return view.cloud.tip.textContent")
        assert first.startswith("frame ") and second.startswith("frame ") and first != second, (first, second)
        window.type("#connections-table th button", "\ue007")  # Enter
        same(window.run("return document.querySelector('#connections-table th[aria-sort]').textContent"), "Id")
        silent(window)


def test_where_the_time_went():
    """Each direction's band and list have what JSON has as spent_ns, to the nanosecond; the tip tells a slot of it."""
    for name in ("roce_loss_middle.a.pcap", "roce_rc_write_bidir.a.pcap", "ulp_nvme_roce.a.pcap", "roce_rnr_ok.a.pcap"):
        with opened(CAPTURES / name) as window:
            for connection in pages.told(CAPTURES / name)["connections"]:
                window.run("view.pick(arguments[0], false)", connection["id"])
                bands = window.run("""return view.charts.filter(chart => chart instanceof Band).map(band => ({
                    sums: Object.fromEntries(band.causes.map(cause => [cause.name, cause.ns.reduce((a, b) => a + b, 0)])),
                    list: Object.fromEntries([...band.element.querySelectorAll("li")].map(
                      item => [item.dataset.cause, Number(item.dataset.ns)])),
                    words: [...band.element.querySelectorAll("li")].map(item => item.textContent)}))""")
                flows = [flow for flow in connection["flows"]
                         if flow["spent_ns"] and flow["request_packets"] and flow["spent_ns"]["total"] is not None]
                same(len(bands), len(flows), (name, connection["id"]))
                same(window.run("return document.getElementById('no-band') === null"), bool(flows))
                for band, flow in zip(bands, flows):
                    spent = {cause: ns for cause, ns in flow["spent_ns"].items() if ns and cause != "total"}
                    same((band["sums"], band["list"]), (spent, spent), name)
                    most = max(spent.values())
                    assert f"{100 * most / flow['spent_ns']['total']:.1f} %" in band["words"][0], band["words"]
            if name.startswith("roce_rnr"):
                window.run("""const band = view.charts.find(chart => chart instanceof Band);
                              band.plot.scrollIntoView({block: "center"});""")
                at = window.run("""const box = view.charts.find(chart => chart instanceof Band).plot.getBoundingClientRect();
                                   return [box.left + box.width * 0.4, box.top + 40];""")
                window.pointer((at[0] - 30, at[1]), at)
                tip = window.run("return view.charts.find(chart => chart instanceof Band).tip.textContent")
                assert "lost after an RNR NAK: 100.0 %" in tip, tip
            silent(window)
    with opened(CAPTURES / "iwarp_rping.a.pcap") as window:
        assert "is not known" in window.text("#no-band")


def test_keys_and_commands_of_a_connection():
    """The chosen connection shows the keys that its ends used, and the commands of its upper layer, as JSON has them."""
    capture = CAPTURES / "ulp_nvme_roce.a.pcap"
    told = pages.told(capture)
    with opened(capture) as window:
        for connection in told["connections"]:
            window.run("view.pick(arguments[0], false)", connection["id"])
            ends = {(end["address"], end["qpn"]) for end in connection["endpoints"]}
            keys = {key["key"] for key in told["memory_keys"]
                    if ends & {(user["address"], user["qpn"]) for user in key["users"]}}
            shown = window.run("return [...document.querySelectorAll('#one .keymap > span')].map(one => one.textContent)")
            same(set(shown), keys, connection["id"])
            layers = [layer for layer in told["upper_layers"] if layer["connection"] == connection["id"]]
            asked = [str(one["commands"]) for layer in layers for one in layer["operations"]]
            if layers:
                same(cells(window, "connection-commands", "Commands"), asked)
            else:
                same(window.run("return document.getElementById('connection-commands')"), None)
        assert window.run("return document.querySelectorAll('#connection-commands tr').length") > 2
        silent(window)


def test_markup_stays_text():
    """A file whose name is markup and script: shown as it is, and nothing of it is run."""
    name = "<img src=x onerror=alert(1)><script>alert(2)<!--.pcap".replace("/", "")
    capture = pathlib.Path(FOLDER.name) / name
    shutil.copy(CAPTURE, capture)
    with opened(capture) as window:
        same(window.text("#files"), str(capture))
        same(cells(window, "captures-table", "File"), [str(capture)])
        same(window.run("return document.querySelectorAll('img, iframe').length"), 0)
        silent(window)


def test_light_dark_and_narrow():
    """Each of them draws, and no narrower than its text: the page never scrolls sideways."""
    grounds = set()
    for how in ({}, {"dark": True}, {"width": 390, "height": 844}):
        with opened(**how) as window:
            wide = window.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            same(wide, 0, f"{how}: wider than the window")
            grounds.add(window.run("return getComputedStyle(document.body).backgroundColor"))
            inked = window.run("""
                const canvas = view.cloud.plot.querySelector("canvas");
                const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
                return pixels.reduce((sum, value, index) => sum + (index % 4 === 3 && value > 0), 0);
            """)
            assert inked > 500, f"{how}: {inked} pixels are drawn"
            silent(window)
    same(len(grounds), 2, "grounds of light and dark")


def test_every_kind_of_capture_opens():
    """iWARP, datagrams, upper layers, several files, one without RDMA: the script comes to its end and says nothing."""
    names = ["iwarp_rping.a.pcap", "roce_cm_rping_ipv6.a.pcap"]
    names += [path.name for path in sorted(CAPTURES.glob("*nvme*"))[:1] + sorted(CAPTURES.glob("*ud*"))[:1] +
              sorted(CAPTURES.glob("*pause*"))[:1]]
    with opened() as window:
        for name in names:
            window.open(pages.make(FOLDER.name, CAPTURES / name))
            same(window.run("return document.documentElement.dataset.ready"), "yes", name)
            for side in ("0", "1"):
                window.run("""const side = document.getElementById("side");
                              side.value = arguments[0]; side.dispatchEvent(new Event("change"))""", side)
            silent(window)


if __name__ == "__main__":
    if browser.is_missing():
        print(f"skipped: no {browser.is_missing()}")
        sys.exit(77)
    main(sys.modules[__name__])
