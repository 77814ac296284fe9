// SPDX-License-Identifier: GPL-2.0-or-later
// Where the time of one direction went: along time, each slot divided among causes, and in all as a list.
"use strict";

const TILE = 8; // pixels of a pattern

/** A fill for a canvas: colour and pattern together tell causes apart, for those who see no colours too. */
function fillOf(c, look) {
  const colour = markColour(look);
  if (look.pattern === "solid")
    return colour;
  const tile = make("canvas", {width: TILE, height: TILE});
  const t = tile.getContext("2d");
  t.fillStyle = colour;
  t.globalAlpha = 0.35;
  t.fillRect(0, 0, TILE, TILE);
  t.globalAlpha = 1;
  t.strokeStyle = colour;
  t.lineWidth = 2;
  if (look.pattern === "dots") {
    t.fillRect(1, 1, 2.5, 2.5);
    t.fillRect(5, 5, 2.5, 2.5);
  }
  const rising = [-1, 1, 1, -1, -1, TILE + 1, TILE + 1, -1, TILE - 1, TILE + 1, TILE + 1, TILE - 1];
  for (const flip of [["rising", x => x], ["falling", x => TILE - x]])
    if (look.pattern === flip[0] || look.pattern === "cross")
      for (let i = 0; i < rising.length; i += 4)
        stroke(t, [flip[1](rising[i]), rising[i + 1], flip[1](rising[i + 2]), rising[i + 3]]);
  return c.createPattern(tile, "repeat");
}

/** line: the connection's of the timelines; spent: spent_ns of the JSON; looks: how causes look, bottom first. */
class Band extends Chart {
  constructor(view, options, line, side, spent, looks) {
    super(view, {...options, y: "share", low: true});
    this.begin_ns = line.begin_ns;
    this.slot_ns = line.time_slot_ns;
    this.slots = line.time_slots;
    this.spent = spent;
    const {times} = line.flows[side];
    this.causes = looks.filter(look => spent[look.name])
      .map(look => ({...look, ns: series(times[look.name], this.slots)}));
    this.totals = Float64Array.from({length: this.slots},
                                    (_, slot) => this.causes.reduce((sum, cause) => sum + cause.ns[slot], 0));
    this.element.append(this.list());
  }

  begin() {
    this.start([[this.view.whole[0], 0], [this.view.whole[1], 100]], ["time", "share"],
               {plotter: drawing => this.paint(drawing), valueRange: [0, 100]});
  }

  range() {
    return {valueRange: [0, 100]};
  }

  paint(drawing) {
    const c = drawing.drawingContext;
    const graph = drawing.dygraph;
    // whole pixels, or the ground shows between the slots
    const x = slot => Math.round(graph.toDomXCoord((this.begin_ns + slot * this.slot_ns) * NANO));
    const fills = this.causes.map(look => fillOf(c, look));
    c.save();
    for (let slot = 0; slot < this.slots; slot++) {
      const [left, right] = [x(slot), x(slot + 1)];
      let below = 0;
      for (const [index, cause] of this.causes.entries()) {
        if (!cause.ns[slot] || right < 0 || left > this.plot.clientWidth)
          continue;
        const bottom = graph.toDomYCoord(100 * below / this.totals[slot]);
        below += cause.ns[slot];
        const top = graph.toDomYCoord(100 * below / this.totals[slot]);
        c.fillStyle = fills[index];
        c.fillRect(left, top, Math.max(right - left, 1), bottom - top);
      }
    }
    c.restore();
  }

  /** What one slot is made of. */
  say(slot) {
    const from = (this.begin_ns + slot * this.slot_ns) * NANO;
    const lines = [`${format("ns", this.slot_ns)} from ${seconds(from, 8 * this.slot_ns * NANO)}`];
    for (const cause of [...this.causes].sort((a, b) => b.ns[slot] - a.ns[slot]))
      if (cause.ns[slot])
        lines.push(`${cause.words}: ${format("percent", 100 * cause.ns[slot] / this.totals[slot])}, ` +
                   `${grouped.format(cause.ns[slot])} ns`);
    return lines;
  }

  look(slot, y) {
    const known = slot >= 0 && slot < this.slots && this.totals[slot] > 0;
    this.current = known ? slot : -1;
    this.tell(known ? this.say(slot) : null,
              known ? this.graph.toDomXCoord((this.begin_ns + (slot + 0.5) * this.slot_ns) * NANO) : 0, y);
  }

  hover(event) {
    const [x, y] = this.place(event);
    this.look(Math.floor((this.graph.toDataXCoord(x) / NANO - this.begin_ns) / this.slot_ns), y);
  }

  step(by) {
    const [begin] = this.view.window;
    const first = Math.max(0, Math.floor((begin / NANO - this.begin_ns) / this.slot_ns));
    this.look(this.current >= 0 ? this.current + by : first, 20);
  }

  /** All of the time, the most first: what JSON has as spent_ns. */
  list() {
    const {total} = this.spent;
    const rows = [...this.causes].sort((a, b) => this.spent[b.name] - this.spent[a.name]).map(cause => {
      const picture = make("canvas", {width: 32, height: 32, "aria-hidden": "true"});
      const c = picture.getContext("2d");
      c.scale(2, 2);
      c.fillStyle = fillOf(c, cause);
      c.fillRect(0, 0, 16, 16);
      const ns = this.spent[cause.name];
      return make("li", {"data-cause": cause.name, "data-ns": ns, title: `${grouped.format(ns)} ns`}, picture,
                  `${cause.words}: ${format("percent", 100 * ns / total)} (${format("ns", ns)})`);
    });
    return make("ul", {class: "causes"}, ...rows);
  }
}
