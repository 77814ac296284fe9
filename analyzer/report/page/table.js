// SPDX-License-Identifier: GPL-2.0-or-later
// A table that can be sorted by each column and filtered by words; rows can open to all their values.
"use strict";

const ROWS_AT_ONCE = 100;

/**
 * columns: {title, kind, value: row => ..., show: row => text or element (else the value, formatted)}
 * options: {id, choose: {title, words, value}, details: row => element, onpick: row => ..., pick: words}
 */
class Table {
  constructor(columns, rows, options) {
    this.columns = columns;
    this.rows = rows;
    this.options = options;
    this.sort = null; // {column, down}
    this.most = ROWS_AT_ONCE;
    this.picked = null;
    this.words = null; // of each row, once they are asked for
    this.build();
    this.update();
  }

  has(index, word) {
    this.words ||= this.rows.map(row => this.columns.map(column => this.text(column, row)).join("\n").toLowerCase());
    return this.words[index].includes(word);
  }

  text(column, row) {
    const shown = column.show ? column.show(row) : null;
    return typeof shown === "string" ? shown : format(column.kind, column.value(row));
  }

  build() {
    const {id, choose} = this.options;
    this.filter = make("input", {type: "search", placeholder: "Filter: words", "aria-label": "Filter the rows",
                                 oninput: () => this.refilter()});
    this.choice = choose ? make("select", {"aria-label": choose.title, onchange: () => this.refilter()},
                                make("option", {value: ""}, choose.title),
                                ...choose.words.map(word => make("option", {value: word}, word))) : null;
    this.count = make("span", {class: "faint", role: "status"});
    this.heads = this.columns.map((column, index) => make(
      "th", {scope: "col", class: isNumber(column.kind) ? "number" : null},
      make("button", {type: "button", onclick: () => this.sortBy(index)}, column.title)));
    this.body = make("tbody");
    this.more = make("button", {type: "button", onclick: () => { this.most += 10 * ROWS_AT_ONCE; this.update(); }},
                     "Show more rows");
    const opens = this.options.details || this.options.onpick;
    this.element = make("div", {id, class: "table"},
      make("div", {class: "tools"}, this.filter, this.choice, this.count),
      make("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Table"},
        make("table", {}, make("thead", {}, make("tr", {}, opens ? make("th", {scope: "col"}, "") : null,
                                                ...this.heads)), this.body)),
      this.more);
  }

  refilter() {
    this.most = ROWS_AT_ONCE;
    this.update();
  }

  sortBy(index) {
    const numbers = isNumber(this.columns[index].kind);
    if (this.sort && this.sort.index === index)
      this.sort.down = !this.sort.down;
    else
      this.sort = {index, down: numbers};
    this.update();
  }

  order() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(word => word);
    const choice = this.choice ? this.choice.value : "";
    const chosen = this.rows.map((_, index) => index).filter(
      index => words.every(word => this.has(index, word)) &&
               (!choice || this.options.choose.value(this.rows[index]) === choice));
    if (!this.sort)
      return chosen;
    const {value} = this.columns[this.sort.index];
    const sign = this.sort.down ? -1 : 1;
    const values = this.rows.map(value);
    const missing = index => values[index] === null || values[index] === undefined;
    return chosen.sort((a, b) => {
      if (missing(a) || missing(b)) // at the end, whichever way
        return missing(a) - missing(b) || a - b;
      return sign * (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : 0) || a - b;
    });
  }

  update() {
    const order = this.order();
    const shown = order.slice(0, this.most);
    this.heads.forEach((head, index) => {
      if (this.sort && this.sort.index === index)
        head.setAttribute("aria-sort", this.sort.down ? "descending" : "ascending");
      else
        head.removeAttribute("aria-sort");
    });
    this.body.replaceChildren(...shown.map(index => this.row(this.rows[index])));
    this.count.textContent = order.length === this.rows.length ? `${grouped.format(order.length)} rows`
      : `${grouped.format(order.length)} of ${grouped.format(this.rows.length)} rows`;
    this.more.hidden = shown.length === order.length;
  }

  cell(column, row) {
    const value = column.value(row);
    const shown = column.show ? column.show(row) : format(column.kind, value);
    return make("td", {class: isNumber(column.kind) ? "number" : column.kind,
                       "data-value": value === null || value === undefined ? "null" : String(value)}, shown);
  }

  row(row) {
    const {details, onpick, pick} = this.options;
    const cells = this.columns.map(column => this.cell(column, row));
    const line = make("tr", {class: row === this.picked ? "chosen" : null});
    if (onpick)
      cells.unshift(make("td", {}, make("button", {type: "button", class: "open",
                                                  onclick: () => onpick(row)}, pick)));
    else if (details)
      cells.unshift(make("td", {}, this.opener(line, row)));
    line.append(...cells);
    return line;
  }

  opener(line, row) {
    const button = make("button", {type: "button", class: "open", "aria-expanded": "false",
                                   "aria-label": "All values of this row", onclick: () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      button.textContent = open ? "+" : "\u2212";
      if (open)
        line.nextSibling.remove();
      else
        line.after(make("tr", {}, make("td", {colspan: this.columns.length + 1},
                                       make("div", {class: "details"}, this.options.details(row)))));
    }}, "+");
    return button;
  }

  /** Marks a row as the one that is looked at. */
  mark(row) {
    this.picked = row;
    this.update();
  }
}
