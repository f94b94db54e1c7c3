// The array that an access touches, as rows and columns: what this warp touches now, and what its block touches at all.

import {colourOf} from "./access_view.js";
import {h, s} from "./dom.js";
import {BANKS, WORD_BYTES, lanesText} from "./rules.js";

const HATCH = () => s("pattern", {id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse"},
  s("path", {class: "hatching", d: "M0 5L5 0"}));
const MOST = 64, AROUND = 2;  // rows and columns that are drawn

/** @typedef {{name: string, space: string, bytes: number, start: number, extents: number[], isOpen?: boolean,
 *   width?: number}} Named  isOpen: the source does not tell its rows; width: then, bytes of an element */

/** Rows, columns and bytes of an element. Without known extents an array is drawn in rows of 32 elements.
 * @param {Named} array @param {number} width bytes of a lane's access */
export function formOf(array, width) {
  const all = array.extents.reduce((product, one) => product * one, 1);
  const known = array.extents.length > 0 && all > 0 && (array.isOpen || array.bytes % all === 0);
  const size = array.isOpen ? array.width : known ? array.bytes / all : width;
  if (known && array.extents.length > 1) {
    const columns = array.extents[array.extents.length - 1];
    return {rows: all / columns, columns, size, isMatrix: true};
  }
  return {rows: Math.ceil(array.bytes / size / BANKS), columns: BANKS, size, isMatrix: false};
}

/** Arrays in shared memory whose sizes the source does not tell become matrices: of the least step from lane to lane that is
 * no row of neighbours, else of 32 elements a row. @param {Named[]} arrays @param {import("./trace.js").Access[]} trace */
export function openPitches(arrays, trace) {
  arrays.forEach((array, i) => {
    if (array.space !== "shared" || array.extents.length || !array.bytes) return;
    const its = trace.filter(one => one.array === i);
    const steps = its.filter(({lanes}) => lanes.length > 1).map(({lanes, width}) => (lanes[1].address - lanes[0].address) / width)
      .filter(step => step > 1 && Number.isInteger(step));
    Object.assign(array, {isOpen: true, width: its[0].width});
    setPitch(array, steps.length ? least(steps) : BANKS);
  });
}

/** @param {any} array that is open @param {number} pitch elements */
export function setPitch(array, pitch) {
  array.extents = [Math.ceil(array.bytes / array.width / pitch), pitch];
}

/** Element of the array in which a byte lies. @param {Named} array @param {number} address @param {number} width */
export function placeOf(array, address, width) {
  const {rows, columns, size, isMatrix} = formOf(array, width), offset = address - array.start;
  const index = Math.floor(offset / size), row = Math.floor(index / columns), column = index - row * columns;
  const isInside = offset >= 0 && offset < array.bytes;
  return {row, column, index, isInside, text: isMatrix && isInside && array.extents.length === 2
    ? `${array.name}[${row}][${column}]` : `${array.name}[${index}]`, isMatrix, rows};
}

/** Elements that accesses touch, each once. @param {Named} array @param {import("./trace.js").Access[]} accesses */
export function touchedBy(array, accesses) {
  return [...new Map(accesses.flatMap(one => places(array, one)).map(one => [`${one.row} ${one.column}`, one])).values()];
}

/** @param {Named} array @param {import("./trace.js").Access} access
 * @param {{row: number, column: number}[]} touched by its block @param {{row: number, column: number}[]} launch by other blocks of its
 * launch @param {number} width pixels */
export function arrayPicture(array, access, touched, launch, width) {
  const {rows, columns, size, isMatrix} = formOf(array, access.width), now = places(array, access);
  const [top, bottom] = span(touched.map(one => one.row), now.map(one => one.row), rows);
  const [left, right] = span(touched.map(one => one.column), now.map(one => one.column), columns);
  const cell = Math.min(16, width / (right - left)), x = one => (one.column - left) * cell, y = one => (one.row - top) * cell;
  const shown = one => one.row >= top && one.row < bottom && one.column >= left && one.column < right;
  const svg = s("svg", {width: cell * (right - left) + 1, height: cell * (bottom - top) + 1, "aria-hidden": true}, HATCH());
  for (const one of launch.filter(shown))
    svg.append(s("rect", {class: "elsewhere", x: x(one), y: y(one), width: cell, height: cell}));
  for (const one of touched.filter(shown))
    svg.append(s("rect", {class: "touched", x: x(one), y: y(one), width: cell, height: cell}));
  const used = new Set(touched.map(one => one.column));
  const padding = array.space === "shared" && isMatrix
    ? Array.from({length: columns}, (_, column) => column).filter(column => !used.has(column)) : [];
  for (const column of padding.filter(one => one >= left && one < right))
    svg.append(s("rect", {class: "padding", x: (column - left) * cell, y: 0, width: cell, height: cell * (bottom - top)}));
  let grid = "";
  for (let column = left; column <= right; ++column) grid += `M${(column - left) * cell + 0.5} 0v${cell * (bottom - top)}`;
  for (let row = top; row <= bottom; ++row) grid += `M0 ${(row - top) * cell + 0.5}h${cell * (right - left)}`;
  svg.append(s("path", {class: "grid", d: grid}));
  for (const one of now.filter(shown)) {
    const group = s("g", {class: "lane", "data-lanes": one.lane}, s("rect", {x: x(one), y: y(one), width: cell, height: cell,
      fill: colourOf(one.lane).fill}), s("title", {}, `lane ${one.lane}`));
    svg.append(group);
  }
  const hidden = now.filter(one => !shown(one)).length;
  return [h("p", {}, words(array, {rows, columns, size, isMatrix}, {top, bottom, left, right}, padding, hidden) +
    elsewhereText(launch, isMatrix, columns)), svg];
}

function elsewhereText(launch, isMatrix, columns) {
  if (!launch.length) return "";
  const at = one => one.row * columns + one.column, rows = launch.map(isMatrix ? one => one.row : at), across = launch.map(one => one.column);
  return ` Other recorded blocks of this launch touch ${isMatrix ? `rows ${least(rows)} to ${greatest(rows)}, columns ${least(across)} to ` +
    `${greatest(across)}` : `indices ${least(rows)} to ${greatest(rows)}`} (dotted, where drawn).`;
}

function places(array, access) {
  const {size, columns} = formOf(array, access.width), found = [];
  for (const {lane, address} of access.lanes) {
    for (let byte = 0; byte < access.width; byte += size) {
      const {row, column, isInside} = placeOf(array, address + byte, access.width);
      if (isInside && column < columns) found.push({lane, row, column});
    }
  }
  return found;
}

/** First and past the last, of what the block touches, or of what the access does where that is too much. */
function span(all, now, most) {
  const from = values => Math.max(0, least(values) - AROUND), to = values => Math.min(most, greatest(values) + 1 + AROUND);
  if (!all.length) return [0, Math.min(most, MOST)];
  if (to(all) - from(all) <= MOST) return [from(all), to(all)];
  const first = now.length ? from(now) : from(all);
  return [first, Math.min(most, first + MOST)];
}

function least(values) { return values.reduce((a, b) => Math.min(a, b)); }
function greatest(values) { return values.reduce((a, b) => Math.max(a, b)); }

function words(array, form, window, padding, hidden) {
  const parts = [];
  if (form.isMatrix) {
    parts.push(`${array.name}: ${form.rows} × ${form.columns} elements of ${form.size} bytes. Drawn: rows ${window.top} to ` +
      `${window.bottom - 1}, columns ${window.left} to ${window.right - 1}.`);
    if (array.isOpen) parts.push("The source does not say how long a row is: the slider below does.");
    if (array.space === "shared") {
      const pitch = form.columns * form.size, bank = pitch / WORD_BYTES % BANKS;
      parts.push(`Pitch: ${form.columns} elements, ${pitch} bytes` + (!Number.isInteger(bank) ? "." : bank === 0
        ? "; each row starts in the same bank as the row above." : `; each row starts ${bank} bank${bank === 1 ? "" : "s"} ` +
          "after the row above."));
    }
  } else {
    parts.push(`${array.name}: ${Math.floor(array.bytes / form.size)} elements of ${form.size} bytes, drawn in rows of ` +
      `${form.columns}; first index drawn: ${window.top * form.columns}.`);
  }
  if (padding.length && padding.length < form.columns)
    parts.push(`No recorded access of this block touches column ${lanesText(padding)} (hatched).`);
  if (hidden) parts.push(`${hidden} of this warp's elements lie outside the drawn part.`);
  return parts.join(" ");
}
