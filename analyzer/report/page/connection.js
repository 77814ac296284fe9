// SPDX-License-Identifier: GPL-2.0-or-later
// One connection: what it is, and its charts. Marks stand with the side that asks, so there is a choice of two.
"use strict";

const NANO = 1e-9;

/** The codes of findings that list a frame, by "file:frame". */
function codesByFrame(findings) {
  const codes = new Map();
  for (const finding of findings)
    finding.frames.forEach((frame, index) => {
      const place = `${finding.file ? finding.file[index] : 0}:${frame}`;
      codes.set(place, [...(codes.get(place) || []), finding.code]);
    });
  return codes;
}

class ConnectionView {
  constructor(report, timelines) {
    this.report = report;
    this.timelines = timelines;
    this.codes = codesByFrame(report.findings);
    this.lines = new Map(timelines.connections.map(line => [line.id, line]));
    this.select = make("select", {id: "connection", "aria-label": "Connection", onchange: () => this.go()},
      ...report.connections.map(connection => make("option", {value: connection.id}, this.title(connection))));
    this.side = make("select", {id: "side", "aria-label": "Which side asks", onchange: () => this.draw()});
    const step = by => {
      this.select.selectedIndex = Math.max(0, Math.min(this.select.length - 1, this.select.selectedIndex + by));
      this.go();
    };
    const button = (words, name, act) => make("button", {type: "button", "aria-label": name, title: name,
                                                         onclick: act}, words);
    this.place = make("div", {});
    this.element = make("div", {},
      make("div", {class: "tools"}, this.select, button("\u2190", "Connection before", () => step(-1)),
           button("\u2192", "Connection behind", () => step(1)), this.side),
      make("div", {class: "tools", id: "zoom"},
           button("+", "Zoom in", () => this.view.zoom(0.5)), button("\u2212", "Zoom out", () => this.view.zoom(2)),
           button("\u25c2", "Earlier", () => this.view.pan(-0.5)), button("\u25b8", "Later", () => this.view.pan(0.5)),
           button("all", "All of the time", () => this.view.reset()),
           make("span", {class: "faint"}, "Drag to zoom, shift-drag to move, double click for all; keys + \u2212 " +
                                          "\u2190 \u2192 0 . , in a chart.")),
      this.place);
  }

  title(connection) {
    return `${connection.id}: ${connection.endpoints.map(endpointName).join(" \u2194 ")}`;
  }

  /** Looks at a connection; `jump`: and brings it into sight. */
  pick(id, jump) {
    this.select.value = String(id);
    this.go();
    if (jump)
      this.element.parentElement.scrollIntoView();
  }

  go() {
    const id = Number(this.select.value);
    this.connection = this.report.connections.find(connection => connection.id === id);
    this.line = this.lines.get(id);
    const names = this.connection.endpoints.map(endpoint => endpoint.address || "?");
    this.side.replaceChildren(...[0, 1].map(side => make(
      "option", {value: side}, `asked by ${names[side]}, answered by ${names[1 - side]}`)));
    const [first, second] = this.line.flows;
    this.side.value = second.points.count > first.points.count ? "1" : "0";
    this.draw();
    if (this.onpick)
      this.onpick(this.connection);
  }

  draw() {
    const side = Number(this.side.value);
    const {line} = this;
    const begin = line.begin_ns * NANO;
    this.view = new View(begin, begin + line.slots * line.slot_ns * NANO);
    const bands = [0, 1].map(asker => this.band(asker)).filter(chart => chart);
    const charts = [this.psns(side), ...bands, this.outstanding(side), this.goodput(), this.latency(side)]
      .filter(chart => chart);
    const spread = [this.distribution(side, "message_latency_ns", "Message latencies, how often"),
                    this.distribution(side, "ack_latency_ns", "ACK latencies, how often")].filter(chart => chart);
    this.cloud = charts[0];
    this.place.replaceChildren(
      this.cloud.legend(), ...charts.map(chart => chart.element),
      ...(bands.length ? [] : [make("p", {class: "faint", id: "no-band"},
        "Where the time of this connection went is not known: iWARP, datagrams, or captured one way only.")]),
      make("div", {class: "pair"}, ...spread.map(chart => chart.element)),
      ...this.keys(), ...this.commands(),
      make("details", {}, make("summary", {}, "All values of this connection"),
           make("div", {class: "details"}, describe(this.connection))));
    this.charts = [...charts, ...spread];
    this.charts.forEach(chart => chart.begin());
  }

  /** The memory keys that either side used on it, where they lie. */
  keys() {
    const {endpoints} = this.connection;
    const isEnd = user => endpoints.some(end => ["address", "qpn", "port"].every(
      name => user[name] === undefined || user[name] === end[name]));
    const used = this.report.memory_keys.filter(
      key => key.users.some(isEnd) && endpoints.some(end => end.address === key.responder) && key.low_address !== null)
      .sort((a, b) => a.low_address < b.low_address ? -1 : 1);
    return used.length ? [make("h3", {}, "Memory keys used on it"),
                          make("p", {class: "faint"}, `${grouped.format(used.length)} with addresses` +
                            `${used.length > MAP_MOST ? `, ${MAP_MOST} of them drawn` : ""}; by address, not to scale.`),
                          keyMap(used.slice(0, MAP_MOST))] : [];
  }

  commands() {
    const layers = (this.report.upper_layers || []).filter(layer => layer.connection === this.connection.id);
    return layers.length ? [make("h3", {}, "Commands of its upper layer"),
                            commandTable(layers, "connection-commands").element] : [];
  }

  /** Columns of the program's series, as numbers. */
  points(from) {
    const {count} = from;
    const time = series(from.time, count, true);
    return {count, x: time.map(ns => ns * NANO), y: series(from.y, count, true), frame: series(from.frame, count, true),
            file: series(from.file, count, true), mark: series(from.mark, count), name: series(from.name, count),
            about: series(from.about, count), size: series(from.size, count), trigger: series(from.trigger, count)};
  }

  where(points, index) {
    const file = this.report.captures.length > 1 ? ` of file ${points.file[index]}` : "";
    return `frame ${points.frame[index]}${file}, ${points.x[index].toFixed(9)} s`;
  }

  psns(side) {
    const {marks} = this.timelines;
    const points = this.points(this.line.flows[side].points);
    const iwarp = this.connection.transport === "iwarp";
    points.to = points.y.map((y, index) => marks[points.mark[index]].shape === "bar" ? y + points.size[index] - 1 : y);
    const thinned = this.line.points - this.line.flows.reduce((sum, flow) => sum + flow.points.count, 0);
    return new Cloud(this.view, {
      label: iwarp ? "Bytes sent" : "PSN over time", tall: true, y: iwarp ? "bytes" : "count",
      note: thinned > 0 ? `${grouped.format(thinned)} of ${grouped.format(this.line.points)} marks are not drawn: ` +
        `of each slot of time the first, last, lowest and highest are, and all that is rare` : "every packet is drawn",
    }, points, marks, index => this.say(points, index, side, iwarp));
  }

  /** What the tip of a mark says. */
  say(points, index, side, iwarp) {
    const mark = this.timelines.marks[points.mark[index]];
    const first = this.connection.flows[side].first_psn;
    const psn = iwarp || first === null ? "" : `, PSN ${(((first + points.y[index]) % 0x1000000) + 0x1000000) % 0x1000000}` +
      ` (relative ${points.y[index]})`;
    const about = points.about[index] ? points.frame[index] - points.about[index] : 0;
    const lines = [this.where(points, index)];
    if (mark.shape === "bar") {
      lines.push(`${mark.words}: ${grouped.format(points.size[index])} packets${psn}`, "noticed at this frame");
    } else {
      lines.push(`${this.timelines.names[points.name[index]]}${psn}, ${grouped.format(points.size[index])} bytes`);
      lines.push(mark.words + (points.trigger[index] ? ` (${this.timelines.triggers[points.trigger[index] - 1]})` : "") +
                 (about ? `, ${["response", "ack", "nak", "rnr"].includes(mark.name) ? "answers" : "see"} frame ${about}` : ""));
    }
    const codes = this.codes.get(`${points.file[index]}:${points.frame[index]}`);
    if (codes)
      lines.push(`findings: ${codes.join(", ")}`);
    return lines;
  }

  times() {
    return Array.from({length: this.line.slots},
                      (_, slot) => (this.line.begin_ns + slot * this.line.slot_ns) * NANO);
  }

  outstanding(side) {
    const {sums} = this.line.flows[side];
    const {slots} = this.line;
    const known = series(sums.flight_known, slots);
    if (!known.some(value => value))
      return null;
    const [most, least, last, reads] = ["psns_most", "psns_least", "psns_last", "reads_most"].map(
      name => series(sums[name], slots));
    let before = [0, 0, 0]; // while nothing passes, nothing changes
    const rows = this.times().map((time, slot) => {
      const row = known[slot] ? [most[slot], least[slot], reads[slot]] : before;
      if (known[slot])
        before = [last[slot], last[slot], reads[slot]];
      return [time, ...row];
    });
    return new Lines(this.view, {label: "Outstanding packets (PSNs)", y: "count", bare: true,
                                 note: `of each ${format("ns", this.line.slot_ns)}`}, rows,
                     ["most in flight", "least in flight", "READs outstanding"]);
  }

  /** Of what this side asked, if it asked anything. */
  band(side) {
    const flow = this.connection.flows[side];
    if (!flow.spent_ns || flow.spent_ns.total === null || !flow.request_packets)
      return null;
    const names = this.connection.endpoints.map(endpoint => endpoint.address || "?");
    return new Band(this.view, {label: `Where the time of ${names[side]}'s requests went`,
                                note: `of each ${format("ns", this.line.time_slot_ns)}, ${format("ns", flow.spent_ns.total)} in all`},
                    this.line, side, flow.spent_ns, this.timelines.causes);
  }

  goodput() {
    const {slots, slot_ns: slot, flows} = this.line;
    const rates = flows.map(flow => series(flow.sums.good_bytes, slots).map(bytes => bytes * 8e9 / slot));
    return new Lines(this.view, {label: "Goodput (payload that passed for the first time)", y: "rate"},
                     this.times().map((time, index) => [time, rates[0][index], rates[1][index]]),
                     [0, 1].map(side => `sent by ${this.connection.endpoints[side].address || side}`)
                       .map((name, side, names) => names[0] === names[1] ? `${name} (${side})` : name));
  }

  latency(side) {
    const from = this.line.flows[side].latencies;
    if (!from.count)
      return null;
    const points = this.points(from);
    points.to = points.y;
    // kinds of messages look like marks, in their order
    const looks = ["new", "response", "reordered", "resent", "ce", "cnp"].map(
      name => this.timelines.marks.find(mark => mark.name === name));
    const marks = this.timelines.messages.map((words, index) => ({...looks[index % looks.length], words, name: words}));
    return new Cloud(this.view, {label: "Message latency over time", y: "ns", least: 1},
                     points, marks, index => [
                       this.where(points, index),
                       `${marks[points.mark[index]].words} took ${format("ns", points.y[index])}, since frame ` +
                         `${points.frame[index] - points.about[index]}`]);
  }

  distribution(side, name, label) {
    const from = this.line.flows[side][name];
    const known = this.connection.flows[side][name];
    if (!from || !known)
      return null;
    const slots = from.count.split(",").length;
    return new Bars({label, y: "count", note: `${grouped.format(known.count)} in all, p50 ${format("ns", known.p50)}, ` +
                                              `p99 ${format("ns", known.p99)}, max ${format("ns", known.max)}`},
                    series(from.from_ns, slots), series(from.count, slots));
  }
}
