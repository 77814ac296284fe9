// SPDX-License-Identifier: GPL-2.0-or-later
// Elements, and values as people read them. All text becomes text nodes: nothing is ever parsed as markup.
"use strict";

/** An element: make("td", {class: "number", onclick: f}, "text", child, ...) */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on"))
      element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

const NOT_KNOWN = "\u2013";
const grouped = new Intl.NumberFormat("en-US", {maximumFractionDigits: 0});

/** Three digits and a unit: scaled(1234567, 1000, ["B", "kB", "MB"]) is "1.23 MB". */
function scaled(value, step, units) {
  let unit = 0;
  let size = Math.abs(value);
  while (size >= step * 0.9995 && unit < units.length - 1) {
    size /= step;
    unit++;
  }
  const digits = unit === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return `${value < 0 ? "-" : ""}${size.toFixed(digits)} ${units[unit]}`;
}

const formats = {
  text: value => String(value),
  long: value => String(value),
  address: value => String(value),
  count: value => grouped.format(value),
  plain: value => String(value),
  bytes: value => scaled(value, 1000, ["B", "kB", "MB", "GB", "TB"]),
  rate: value => scaled(value, 1000, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"]),
  ns: value => value >= 999.5e9 ? `${grouped.format(value / 1e9)} s` : scaled(value, 1000, ["ns", "\u00b5s", "ms", "s"]),
  share: value => `${value.toFixed(0)} %`,
  percent: value => `${value.toFixed(1)} %`,
};

function format(kind, value) {
  return value === null || value === undefined || value === "" ? NOT_KNOWN : formats[kind](value);
}

const isNumber = kind => !["text", "long", "address"].includes(kind);

/** All members of a record as a list of definitions, nested ones by their path. */
function describe(record) {
  const list = make("dl");
  const add = (path, value) => {
    if (value && typeof value === "object" && !Array.isArray(value)) {
      for (const [name, inner] of Object.entries(value))
        add(path ? `${path}.${name}` : name, inner);
      return;
    }
    if (Array.isArray(value) && value.some(inner => inner && typeof inner === "object")) {
      value.forEach((inner, index) => add(`${path}[${index}]`, inner));
      return;
    }
    const words = Array.isArray(value) ? value.join(", ") : value === null ? NOT_KNOWN : String(value);
    list.append(make("dt", {}, path), make("dd", {"data-path": path}, words));
  };
  add("", record);
  return list;
}

/** A series as the program writes it: "12,,-3"; `sum` where each is the difference to the one before. */
function series(text, count, sum) {
  const numbers = new Float64Array(count);
  const words = text ? text.split(",") : [];
  let before = 0;
  for (let i = 0; i < count; i++) {
    const number = words[i] ? Number(words[i]) : 0;
    before = sum ? before + number : number;
    numbers[i] = before;
  }
  return numbers;
}

function endpointName(endpoint) {
  const number = endpoint.qpn !== null ? ` QP 0x${endpoint.qpn.toString(16).padStart(6, "0")}`
    : endpoint.port !== null ? ` port ${endpoint.port}` : "";
  return `${endpoint.address || "?"}${number}`;
}
