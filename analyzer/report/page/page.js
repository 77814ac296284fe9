// SPDX-License-Identifier: GPL-2.0-or-later
// The page: its sections, of the two documents that the program put into it.
"use strict";

const read = id => JSON.parse(document.getElementById(id).textContent);
const report = read("report");
const timelines = read("timelines");
const hasCharts = typeof Dygraph !== "undefined";

function section(id, title, ...children) {
  document.getElementById("main").append(make("section", {id}, make("h2", {}, title), ...children));
  document.getElementById("contents").append(make("a", {href: `#${id}`}, title));
}

/** "1,000 of the 98,000 connections are told here", where not all are. */
function leftOff(kind, words) {
  const all = report.counts[kind];
  const told = (report[kind] || []).length;
  return told < all ? make("p", {class: "faint"}, `${grouped.format(told)} of ${grouped.format(all)} ${words} are told ` +
                                                  "here; rdma-analyze --format=json tells all.") : null;
}

const column = (title, kind, value, show) => ({title, kind, value, show});
const total = (connection, value) => connection.flows.reduce((sum, flow) => sum + (value(flow) || 0), 0);
const known = (connection, value) => connection.flows.map(value).filter(one => one !== null && one !== undefined);
const greatest = values => values.length ? Math.max(...values) : null;
const sumOf = object => Object.values(object).reduce((sum, value) => sum + (value || 0), 0);
const place = (file, frame) => report.captures.length > 1 ? `${file}:${frame}` : String(frame);

/* ---- what is wrong ---- */

function severityWord(finding) {
  return make("span", {class: `severity ${finding.severity}`}, finding.severity);
}

function verdict() {
  const worst = ["error", "warning"].find(severity => report.findings.some(finding => finding.severity === severity));
  if (timelines.quality)
    document.getElementById("main").append(make("p", {id: "quality"}, timelines.quality));
  if (timelines.verdict)
    document.getElementById("main").append(make("section", {id: "verdict", class: `verdict ${worst || ""}`},
                                                timelines.verdict));
}

function findingDetails(finding) {
  const cause = finding.explained_by;
  const frames = finding.frames.map((frame, index) => place(finding.file ? finding.file[index] : 0, frame));
  return make("div", {},
    make("p", {}, `Evidence: frames ${frames.join(", ")}${finding.count > frames.length
      ? ` (${frames.length} of ${grouped.format(finding.count)} cases)` : ""}.`),
    make("p", {}, `Next: ${finding.advice}`),
    cause ? make("p", {}, `Because of ${cause.code}: ${report.findings[cause.finding]
      ? report.findings[cause.finding].text : ""}`) : null,
    describe(finding.arguments),
    finding.connection !== null ? make("button", {type: "button", onclick: () => view.pick(finding.connection, true)},
                                       `Show connection ${finding.connection}`) : null);
}

function findings() {
  const weights = {error: 3, warning: 2, note: 1};
  const table = new Table([
    column("Severity", "text", finding => -weights[finding.severity], severityWord),
    column("Code", "text", finding => finding.code),
    column("In words", "long", finding => finding.text),
    column("Conn.", "plain", finding => finding.connection),
    column("Cases", "count", finding => finding.count),
    column("Cost", "ns", finding => finding.cost_ns),
    column("Proof", "text", finding => finding.proof),
    column("Check", "text", finding => finding.check),
  ], report.findings, {id: "findings-table", details: findingDetails, choose: {
    title: "All severities", words: ["error", "warning", "note"], value: finding => finding.severity}});
  section("findings", `Findings (${grouped.format(report.counts.findings)})`,
          report.findings.length ? table.element : make("p", {}, "None."), leftOff("findings", "findings"));
}

/* ---- connections ---- */

function connections() {
  const table = new Table([
    column("Id", "plain", connection => connection.id),
    column("Transport", "text", connection => `${connection.transport} ${connection.service || ""}`),
    column("From", "address", connection => endpointName(connection.endpoints[0])),
    column("To", "address", connection => endpointName(connection.endpoints[1])),
    column("Packets", "count", connection => total(connection, flow => flow.packets)),
    column("Bytes", "bytes", connection => total(connection, flow => flow.bytes)),
    column("Resent", "count", connection => total(connection, flow => flow.retransmitted_packets)),
    column("Resends", "count", connection => total(connection, flow => sumOf(flow.resends))),
    column("Lost", "count", connection => total(connection, flow => sumOf(flow.lost))),
    column("NAKs", "count", connection => total(connection, flow => sumOf(flow.naks))),
    column("RNR", "count", connection => total(connection, flow => flow.rnr_naks)),
    column("CNPs", "count", connection => total(connection, flow => flow.cnps)),
    column("p50", "ns", connection => greatest(known(connection, flow => flow.message_latency_ns && flow.message_latency_ns.p50))),
    column("p99", "ns", connection => greatest(known(connection, flow => flow.message_latency_ns && flow.message_latency_ns.p99))),
    column("Stalled", "ns", connection => greatest(known(connection, flow => flow.stalled_ns))),
    column("Upper layer", "text", connection => connection.application),
  ], report.connections, {id: "connections-table", pick: hasCharts ? "charts" : "values",
                          onpick: connection => view.pick(connection.id, true)});
  section("connections", `Connections (${grouped.format(report.counts.connections)})`, table.element,
          make("p", {class: "faint"}, "Latencies are of whole messages; of two directions the greater is told."),
          leftOff("connections", "connections"));
  return table;
}

/** Without the charting library: all values, and a word on what is missing. */
class PlainView {
  constructor() {
    this.place = make("div", {class: "details"});
    this.element = make("div", {}, make("p", {class: "faint"},
      "The program was built without its charting library (dygraphs), so this page has no charts."), this.place);
  }

  pick(id, jump) {
    this.place.replaceChildren(describe(report.connections.find(connection => connection.id === id)));
    if (jump)
      this.element.parentElement.scrollIntoView();
  }
}

function oneConnection(table) {
  const result = hasCharts ? new ConnectionView(report, timelines) : new PlainView();
  if (!report.connections.length)
    return result;
  section("one", "One connection", result.element);
  result.onpick = connection => table.mark(connection);
  const worst = report.findings.find(finding => finding.connection !== null);
  result.pick(worst ? worst.connection : report.connections[0].id, false);
  return result;
}

/* ---- all of it ---- */

function throughput() {
  const {slot_ns: slot, bytes, pauses} = timelines.all;
  const slots = Math.max(bytes.split(",").length, pauses.split(",").length);
  const rates = series(bytes, slots).map(value => value * 8e9 / slot);
  const stops = series(pauses, slots);
  let last = slots - 1;
  while (last > 0 && !rates[last] && !stops[last])
    last--;
  const time = Array.from({length: last + 1}, (_, index) => index * slot * 1e-9);
  const shared = new View(0, (last + 1) * slot * 1e-9);
  const charts = [new Lines(shared, {label: "RDMA on the wire", y: "rate", note: `of each ${format("ns", slot)}`},
                            time.map((at, index) => [at, rates[index]]), ["throughput"])];
  if (stops.some(value => value))
    charts.push(new Lines(shared, {label: "Pause frames", y: "count"},
                          time.map((at, index) => [at, stops[index]]), ["pause frames"]));
  const pausing = report.captures.reduce((sum, capture) => sum + capture.pause_frames + capture.pfc_frames, 0);
  section("throughput", "Throughput and pauses", ...charts.map(chart => chart.element),
          make("p", {class: "faint"}, pausing ? `${grouped.format(pausing)} pause frames.` : "No pause frames were captured."));
  charts.forEach(chart => chart.begin());
  return charts;
}

/** What each host sent to each, of the connections that are told. */
function hostMatrix() {
  const names = report.hosts.map(host => host.address);
  const sums = new Map();
  for (const connection of report.connections)
    connection.flows.forEach((flow, side) => {
      const key = `${connection.endpoints[side].address} ${connection.endpoints[1 - side].address}`;
      sums.set(key, (sums.get(key) || 0) + flow.bytes);
    });
  const most = Math.max(1, ...sums.values());
  const head = make("tr", {}, make("th", {scope: "col"}, "from \\ to"),
                    ...names.map(name => make("th", {scope: "col", class: "number"}, name)));
  const rows = names.map(from => make("tr", {}, make("th", {scope: "row"}, from), ...names.map(to => {
    const sum = sums.get(`${from} ${to}`);
    const cell = make("td", {class: "number", "data-value": sum === undefined ? "null" : sum},
                      sum === undefined ? "" : format("bytes", sum));
    if (sum)
      cell.style.background = `rgba(var(--heat), ${(0.08 + 0.5 * sum / most).toFixed(2)})`;
    return cell;
  })));
  return make("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Bytes between hosts"},
              make("table", {id: "matrix"}, make("thead", {}, head), make("tbody", {}, ...rows)));
}

const MATRIX_MOST = 40;

function hosts() {
  const counters = report.hosts.length ? Object.keys(report.hosts[0].counters) : [];
  const used = counters.filter(name => report.hosts.some(host => host.counters[name]));
  const table = new Table([
    column("Host", "address", host => host.address),
    column("Resends by timer", "text", host => host.nic.retransmission),
    column("Timer", "ns", host => host.nic.timer_ns),
    column("Recovery", "text", host => host.nic.recovery),
    ...used.map(name => column(name.replaceAll("_", " "), "count", host => host.counters[name])),
  ], report.hosts, {id: "hosts-table", details: describe});
  section("hosts", `Hosts (${grouped.format(report.counts.hosts)})`, table.element,
          make("p", {class: "faint"}, "Counters that are 0 on all hosts are left out; + shows them."),
          leftOff("hosts", "hosts"),
          make("h3", {}, "Bytes from host to host"),
          report.hosts.length <= MATRIX_MOST ? hostMatrix()
            : make("p", {class: "faint"}, `Left out: more than ${MATRIX_MOST} hosts.`));
}

function messages() {
  if (!report.slowest_messages.length)
    return;
  const table = new Table([
    column("Message", "text", message => message.message),
    column("Conn.", "plain", message => message.connection),
    column("Took", "ns", message => message.latency_ns),
    column("Bytes", "count", message => message.bytes),
    column("Packets", "count", message => message.packets),
    column("Resent", "count", message => message.resent_packets),
    column("PSN", "plain", message => message.psn),
    column("First frame", "plain", message => message.frame, message => place(message.file, message.frame)),
    column("Done at", "plain", message => message.done_frame, message => place(message.done_file, message.done_frame)),
  ], report.slowest_messages, {id: "messages-table", details: describe});
  section("messages", "Slowest messages", table.element);
}

/** The commands of some layers, by kind. */
function commandTable(layers, id) {
  const rows = layers.flatMap(layer => layer.operations.map(operation => ({layer, operation})));
  return new Table([
    column("Conn.", "plain", row => row.layer.connection),
    column("Protocol", "text", row => row.layer.protocol),
    column("Command", "text", row => row.operation.operation || row.operation.operation_code),
    column("Commands", "count", row => row.operation.commands),
    column("Answered", "count", row => row.operation.answered),
    column("Failed", "count", row => row.operation.failed),
    column("Bytes", "bytes", row => row.operation.bytes),
    column("p50", "ns", row => row.operation.latency_ns && row.operation.latency_ns.p50),
    column("p99", "ns", row => row.operation.latency_ns && row.operation.latency_ns.p99),
    column("Max", "ns", row => row.operation.latency_ns && row.operation.latency_ns.max),
  ], rows, {id, details: row => make("div", {}, describe(row.operation),
                                     make("h3", {}, "All of this connection"), describe(row.layer))});
}

function upperLayers() {
  if (!report.upper_layers)
    return;
  const table = commandTable(report.upper_layers, "commands-table");
  const slow = report.slowest_commands || [];
  const slowTable = new Table([
    column("Command", "text", command => command.operation || command.operation_code),
    column("Conn.", "plain", command => command.connection),
    column("Took", "ns", command => command.latency_ns),
    column("Before data", "ns", command => command.before_data_ns),
    column("Data", "ns", command => command.data_ns),
    column("After data", "ns", command => command.after_data_ns),
    column("Status", "text", command => command.words || command.status),
    column("Frame", "plain", command => command.frame, command => place(command.file, command.frame)),
  ], slow, {id: "slow-commands-table", details: describe});
  section("upper", "Upper layers", table.element, slow.length ? make("h3", {}, "Slowest commands") : null,
          slow.length ? slowTable.element : null);
}

/* ---- memory keys ---- */

const MAP_MOST = 60;

/** The ranges of one host's keys, by address: the ends in their order, not to scale, which 2^64 would not bear. */
function keyMap(keys) {
  const ends = [...new Set(keys.flatMap(key => [key.low_address, key.high_address]))].sort();
  const at = new Map(ends.map((end, index) => [end, 100 * index / Math.max(1, ends.length - 1)]));
  return make("div", {class: "keymap"}, ...keys.flatMap(key => {
    const bad = key.refused || key.used_after_invalidate;
    const range = make("div", {class: bad ? "range bad" : "range"});
    range.style.left = `${at.get(key.low_address)}%`;
    range.style.width = `${at.get(key.high_address) - at.get(key.low_address)}%`;
    return [make("span", {}, key.key), make("div", {class: "track", title:
      `${key.low_address} to ${key.high_address}${bad ? ", refused or used after it was invalidated" : ""}`}, range)];
  }));
}

function memoryKeys() {
  const keys = report.memory_keys;
  if (!keys.length)
    return;
  const table = new Table([
    column("Key", "address", key => key.key),
    column("Of", "address", key => key.responder),
    column("Kind", "text", key => key.kind),
    column("READs", "count", key => key.reads),
    column("WRITEs", "count", key => key.writes),
    column("ATOMICs", "count", key => key.atomics),
    column("Bytes", "bytes", key => key.bytes),
    column("From", "address", key => key.low_address),
    column("To", "address", key => key.high_address),
    column("Refused", "count", key => key.refused),
    column("Used after invalidate", "count", key => key.used_after_invalidate),
  ], keys, {id: "keys-table", details: describe});
  const hostsOfKeys = [...new Set(keys.map(key => key.responder))];
  section("keys", `Memory keys (${grouped.format(report.counts.memory_keys)})`, table.element,
    leftOff("memory_keys", "keys"), make("h3", {}, "Where they lie"),
    make("p", {class: "faint"}, "By address, in order and not to scale; hatched: refused, or used after it was invalidated."),
    ...hostsOfKeys.slice(0, 8).flatMap(host => {
      const ranged = keys.filter(key => key.responder === host && key.low_address !== null)
        .sort((a, b) => a.low_address < b.low_address ? -1 : 1);
      return ranged.length ? [make("p", {}, `${host}${ranged.length > MAP_MOST
        ? `: ${MAP_MOST} of ${grouped.format(ranged.length)}` : ""}`), keyMap(ranged.slice(0, MAP_MOST))] : [];
    }));
}

function captures() {
  const table = new Table([
    column("File", "long", capture => capture.file),
    column("Frames", "count", capture => capture.packets),
    column("RDMA", "count", capture => sumOf(capture.rdma_packets)),
    column("Lasted", "ns", capture => capture.duration_ns),
    column("Cut", "count", capture => capture.cut_by_snaplen),
    column("Malformed", "count", capture => capture.malformed),
    column("ICRC bad", "count", capture => capture.icrc.bad),
    column("Pauses", "count", capture => capture.pause_frames + capture.pfc_frames),
    column("Damage", "text", capture => capture.damage),
  ], report.captures, {id: "captures-table", details: describe});
  section("captures", `Captures (${report.captures.length})`, table.element);
}

/* ---- together ---- */

function headline() {
  const files = report.captures.map(capture => capture.file);
  const packets = report.captures.reduce((sum, capture) => sum + sumOf(capture.rdma_packets), 0);
  document.title = `${files.map(file => file.split("/").pop()).join(", ")} \u2013 rdma-analyze`;
  document.getElementById("files").textContent = files.join(", ");
  document.getElementById("summary").textContent = `${grouped.format(packets)} RDMA packets of ` +
    `${grouped.format(report.counts.connections)} connections between ${grouped.format(report.counts.hosts)} hosts.`;
  document.getElementById("footer").textContent = "Times count in seconds from the first frame. This page holds all it " +
    "shows and asks no server." + (hasCharts ? " Charts: dygraphs, copyright 2006 Dan Vanderkam and others, MIT licence." : "");
}

document.getElementById("without-script").remove();
headline();
verdict();
findings();
const table = connections();
const view = oneConnection(table);
const wholeCharts = hasCharts ? throughput() : [];
hosts();
upperLayers();
messages();
memoryKeys();
captures();
darkly.addEventListener("change", () => {
  wholeCharts.forEach(chart => chart.recolour());
  if (view.connection)
    view.draw();
});
document.documentElement.dataset.ready = "yes";
