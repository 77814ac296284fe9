// SPDX-License-Identifier: GPL-2.0-or-later
// Charts over time on dygraphs, which draws axes and knows dragging, wheels and fingers. Lines are its own;
// clouds of points are painted here, because it takes 100 times as long for them.
"use strict";

// No legend of dygraphs: it takes text for markup, and wants style attributes, which the page's policy forbids.
if (typeof Dygraph !== "undefined")
  Dygraph.PLUGINS = Dygraph.PLUGINS.filter(plugin => plugin !== Dygraph.Plugins.Legend);

const darkly = window.matchMedia("(prefers-color-scheme: dark)");
const shade = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const markColour = mark => darkly.matches ? mark.dark : mark.light;

/** Seconds with as many digits as a window of `width` seconds needs. */
function seconds(value, width) {
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(width / 8 || 1))));
  return `${value.toFixed(digits)} s`;
}

const SIZE = 3.2; // half a shape, in pixels

const shapes = {
  dot(c, x, y) { c.fillRect(x - 1.5, y - 1.5, 3, 3); },
  square(c, x, y) { c.fillRect(x - 2.2, y - 2.2, 4.4, 4.4); },
  dash(c, x, y) { c.fillRect(x - SIZE, y - 0.8, 2 * SIZE, 1.6); },
  diamond(c, x, y) { polygon(c, [[x, y - 5], [x + 5, y], [x, y + 5], [x - 5, y]]); },
  triangle(c, x, y) { polygon(c, [[x, y - 4.5], [x + 4.2, y + 3.2], [x - 4.2, y + 3.2]]); },
  wedge(c, x, y) { polygon(c, [[x, y + 5], [x + 5, y - 4], [x - 5, y - 4]]); },
  ring(c, x, y) { c.beginPath(); c.arc(x, y, 4.5, 0, 2 * Math.PI); c.stroke(); },
  plus(c, x, y) { stroke(c, [x - 5, y, x + 5, y], [x, y - 5, x, y + 5]); },
  cross(c, x, y) { stroke(c, [x - 4, y - 4, x + 4, y + 4], [x - 4, y + 4, x + 4, y - 4]); },
  bar(c, x, y, to) { stroke(c, [x, y, x, to], [x - 4, y, x + 4, y], [x - 4, to, x + 4, to]); },
};

function polygon(c, corners) {
  c.beginPath();
  corners.forEach(([x, y], index) => index ? c.lineTo(x, y) : c.moveTo(x, y));
  c.fill();
}

function stroke(c, ...lines) {
  c.beginPath();
  for (const [x0, y0, x1, y1] of lines) {
    c.moveTo(x0, y0);
    c.lineTo(x1, y1);
  }
  c.stroke();
}

function takeColour(c, mark) {
  c.fillStyle = c.strokeStyle = markColour(mark);
  c.lineWidth = 2;
}

/** The part of time that charts show together. */
class View {
  constructor(begin, end) {
    this.whole = [begin, end > begin ? end : begin + 1e-6];
    this.window = this.whole;
    this.charts = [];
  }

  set(begin, end, from) {
    const width = Math.min(Math.max(end - begin, 2e-9), this.whole[1] - this.whole[0]);
    const left = Math.min(Math.max(begin, this.whole[0]), this.whole[1] - width);
    this.window = [left, left + width];
    for (const chart of this.charts)
      chart.show(chart === from);
  }

  /** Wider or narrower about the middle, or about `at`. */
  zoom(factor, at) {
    const [begin, end] = this.window;
    const middle = at === undefined ? (begin + end) / 2 : at;
    this.set(middle - (middle - begin) * factor, middle + (end - middle) * factor);
  }

  pan(part) {
    const [begin, end] = this.window;
    this.set(begin + (end - begin) * part, end + (end - begin) * part);
  }

  reset() {
    this.set(...this.whole);
  }
}

/** What all charts have: a place in the page, dygraphs, a tip, keys. `options`: label, tall, y (a format). */
class Chart {
  constructor(view, options) {
    this.view = view;
    this.options = options;
    this.plot = make("div", {class: options.tall ? "chart tall" : options.low ? "chart low" : "chart", tabindex: "0", role: "group",
                             "aria-label": `${options.label}. Keys: plus and minus zoom, left and right move, ` +
                                           "0 shows all, point and comma go from mark to mark.",
                             onkeydown: event => this.key(event), onmousemove: event => this.hover(event),
                             onmouseleave: () => this.tell(null)});
    this.tip = make("div", {class: "tip", hidden: true, role: "status"});
    this.element = make("div", {}, make("div", {class: "caption"}, make("h3", {}, options.label),
                                        options.note ? make("span", {class: "faint"}, options.note) : null),
                        make("div", {class: "chart-place"}, this.plot));
    view.charts.push(this);
  }

  /** Once the element is in the page. */
  start(rows, labels, more) {
    this.graph = new Dygraph(this.plot, rows, {
      labels, legend: "never", highlightCircleSize: 0, xRangePad: 0, dateWindow: this.view.window,
      ...this.colours(),
      axes: {
        x: {axisLabelFormatter: (value, _, __, graph) => this.xLabel(value, graph), pixelsPerLabel: 90,
            axisLabelWidth: 90},
        y: {axisLabelFormatter: value => format(this.options.y, value), axisLabelWidth: 78, pixelsPerLabel: 36},
      },
      drawCallback: graph => this.drawn(graph),
      ...more,
    });
    this.plot.append(this.tip);
  }

  colours() {
    return {gridLineColor: shade("--line"), axisLineColor: shade("--line")};
  }

  xLabel(value, graph) {
    const [begin, end] = graph ? graph.xAxisRange() : this.view.window;
    return seconds(value, end - begin);
  }

  /** Dragging and fingers move dygraphs' window: the other charts follow. */
  drawn(graph) {
    const [begin, end] = graph.xAxisRange();
    const [left, right] = this.view.window;
    if (this.graph && !this.showing && (begin !== left || end !== right))
      this.view.set(begin, end);
  }

  show() {
    if (!this.graph)
      return;
    this.showing = true;
    this.graph.updateOptions({dateWindow: this.view.window, ...this.range()});
    this.showing = false;
  }

  range() {
    return {};
  }

  recolour() {
    if (this.graph)
      this.graph.updateOptions(this.colours());
  }

  key(event) {
    const steps = {"+": () => this.view.zoom(0.5), "=": () => this.view.zoom(0.5), "-": () => this.view.zoom(2),
                   ArrowLeft: () => this.view.pan(-0.2), ArrowRight: () => this.view.pan(0.2),
                   0: () => this.view.reset(), Home: () => this.view.reset(),
                   ".": () => this.step(1), ",": () => this.step(-1), Escape: () => this.tell(null)};
    if (event.ctrlKey || event.altKey || event.metaKey || !steps[event.key])
      return;
    event.preventDefault();
    steps[event.key]();
  }

  step() {}

  place(event) {
    const box = this.plot.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** Lines of text at a place of the plot; null: none. */
  tell(lines, x, y) {
    this.tip.hidden = !lines;
    if (!lines)
      return;
    this.tip.replaceChildren(...lines.map(line => make("div", {}, line)));
    const width = this.plot.clientWidth;
    const left = x + 14 + this.tip.offsetWidth > width ? Math.max(0, x - 14 - this.tip.offsetWidth) : x + 14;
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${Math.max(0, y - this.tip.offsetHeight - 8)}px`;
  }

  hover() {}
}

/** Sums of slots as lines: rows of [seconds, value, ...], names of the values. */
class Lines extends Chart {
  constructor(view, options, rows, names) {
    super(view, options);
    this.rows = rows;
    this.names = names;
  }

  begin() {
    const ink = darkly.matches ? ["#56b4e9", "#ff8a3c", "#a3aab5"] : ["#0072b2", "#d55e00", "#6b7280"];
    this.start(this.rows, ["time", ...this.names], {
      stepPlot: true, includeZero: true, colors: ink, strokeWidth: 1.5, fillGraph: !this.options.bare, fillAlpha: 0.12,
      strokePattern: null, series: Object.fromEntries(this.names.map((name, index) => [
        name, index ? {strokePattern: [5 - index, 3]} : {}]))});
  }

  hover(event) {
    const [x, y] = this.place(event);
    const time = this.graph.toDataXCoord(x);
    const behind = this.rows.findIndex(row => row[0] > time);
    const row = this.rows[(behind < 0 ? this.rows.length : behind) - 1];
    this.tell(row ? [`from ${seconds(row[0], this.view.window[1] - this.view.window[0])}`,
                     ...this.names.map((name, index) => `${name}: ${format(this.options.y, row[index + 1])}`)]
                  : null, x, y);
  }
}

/**
 * A cloud of points. points: {count, x (seconds), y, mark, to (the end of what has an extent)}, marks: their
 * table, say(index): what the tip says.
 */
class Cloud extends Chart {
  constructor(view, options, points, marks, say) {
    super(view, options);
    this.points = points;
    this.marks = marks;
    this.say = say;
    this.current = -1;
    this.shown = marks.map(() => true);
    this.byMark = marks.map(() => []);
    for (let i = 0; i < points.count; i++)
      this.byMark[points.mark[i]].push(i);
    for (const list of this.byMark)
      list.sort((a, b) => points.x[a] - points.x[b]);
  }

  begin() {
    const {valueRange} = this.range();
    this.start([[this.view.whole[0], valueRange[0]], [this.view.whole[1], valueRange[1]]], ["time", "y"],
               {plotter: drawing => this.paint(drawing), valueRange});
  }

  /** The points of a mark that lie in the window: from, to in its list. */
  within(list) {
    const [begin, end] = this.view.window;
    const bound = limit => {
      let low = 0;
      let high = list.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.points.x[list[middle]] < limit)
          low = middle + 1;
        else
          high = middle;
      }
      return low;
    };
    const margin = (end - begin) * 0.01;
    return [bound(begin - margin), bound(end + margin)];
  }

  *visible() {
    for (const [mark, list] of this.byMark.entries()) {
      if (!this.shown[mark])
        continue;
      const [from, to] = this.within(list);
      for (let i = from; i < to; i++)
        yield list[i];
    }
  }

  range() {
    let low = Infinity;
    let high = -Infinity;
    for (const index of this.visible()) {
      low = Math.min(low, this.points.y[index]);
      high = Math.max(high, this.points.to[index]);
    }
    if (low > high)
      [low, high] = [0, 1];
    const margin = Math.max((high - low) * 0.06, this.options.least || 1);
    return {valueRange: [low - margin, high + margin]};
  }

  paint(drawing) {
    const c = drawing.drawingContext;
    const graph = drawing.dygraph;
    const {points} = this;
    c.save();
    for (const [mark, list] of this.byMark.entries()) {
      if (!this.shown[mark])
        continue;
      const draw = shapes[this.marks[mark].shape];
      const [from, to] = this.within(list);
      let before = "";
      takeColour(c, this.marks[mark]);
      for (let i = from; i < to; i++) {
        const index = list[i];
        const x = Math.round(graph.toDomXCoord(points.x[index]) * 2) / 2;
        const y = Math.round(graph.toDomYCoord(points.y[index]) * 2) / 2;
        const here = `${x} ${y}`;
        if (here !== before) // thousands of packets may share a pixel
          draw(c, x, y, Math.min(y - 6, graph.toDomYCoord(points.to[index])));
        before = here;
      }
    }
    c.restore();
  }

  /** The point nearest to a pixel; what is rare before what is common. -1: none is near. */
  nearest(x, y) {
    let best = -1;
    let least = 16;
    for (const index of this.visible()) {
      const [px, py] = this.locate(index);
      const distance = Math.hypot(px - x, py - y) - this.points.mark[index] * 0.1;
      if (distance < least) {
        least = distance;
        best = index;
      }
    }
    return best;
  }

  /** The pixel of a point in the plot. */
  locate(index) {
    return [this.graph.toDomXCoord(this.points.x[index]), this.graph.toDomYCoord(this.points.y[index])];
  }

  look(index) {
    this.current = index;
    this.tell(index < 0 ? null : this.say(index), ...(index < 0 ? [0, 0] : this.locate(index)));
  }

  hover(event) {
    this.look(this.nearest(...this.place(event)));
  }

  step(by) {
    const order = [...this.visible()].sort((a, b) => this.points.x[a] - this.points.x[b]);
    const at = order.indexOf(this.current);
    const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : at + by;
    if (order[next] !== undefined)
      this.look(order[next]);
  }

  /** Buttons that show and hide what there is of each mark. */
  legend() {
    return make("div", {class: "legend", role: "group", "aria-label": "Marks"},
      ...this.marks.map((mark, index) => this.byMark[index].length ? this.legendButton(mark, index) : null));
  }

  legendButton(mark, index) {
    const picture = make("canvas", {width: 32, height: 32, "aria-hidden": "true"});
    const c = picture.getContext("2d");
    c.scale(2, 2);
    takeColour(c, mark);
    shapes[mark.shape](c, 8, mark.shape === "bar" ? 13 : 8, 3);
    const button = make("button", {type: "button", "aria-pressed": "true", onclick: () => {
      this.shown[index] = !this.shown[index];
      button.setAttribute("aria-pressed", String(this.shown[index]));
      this.show();
    }}, picture, `${mark.words} (${grouped.format(this.byMark[index].length)})`);
    return button;
  }
}

/** How often which latency was met: bars on a logarithmic axis. It has no time, and a view of its own. */
class Bars extends Chart {
  constructor(options, from, count) {
    const begin = Math.log10(Math.max(from[0], 1));
    const last = from.length ? from[from.length - 1] : 1;
    super(new View(begin - 0.05, Math.log10(Math.max(last * 1.25, 10)) + 0.05), options);
    this.from = from;
    this.count = count;
  }

  begin() {
    this.start(Array.from(this.from, (ns, index) => [Math.log10(Math.max(ns, 1)), this.count[index]]),
               ["latency", "messages"], {plotter: drawing => this.paint(drawing), includeZero: true});
  }

  xLabel(value) {
    return format("ns", 10 ** value);
  }

  end(index) {
    return index + 1 < this.from.length ? this.from[index + 1] : this.from[index] * 1.25;
  }

  paint(drawing) {
    const c = drawing.drawingContext;
    const graph = drawing.dygraph;
    c.fillStyle = darkly.matches ? "#56b4e9" : "#0072b2";
    for (let i = 0; i < this.from.length; i++) {
      const left = graph.toDomXCoord(Math.log10(Math.max(this.from[i], 1)));
      const right = graph.toDomXCoord(Math.log10(Math.max(this.end(i), 1)));
      const top = graph.toDomYCoord(this.count[i]);
      c.fillRect(left, top, Math.max(right - left - 1, 1), graph.toDomYCoord(0) - top);
    }
  }

  hover(event) {
    const [x, y] = this.place(event);
    const ns = 10 ** this.graph.toDataXCoord(x);
    const index = this.from.findIndex((from, i) => ns >= from && ns < this.end(i));
    this.tell(index < 0 ? null : [`${format("ns", this.from[index])} to ${format("ns", this.end(index))}`,
                                  `${grouped.format(this.count[index])} times`], x, y);
  }
}
