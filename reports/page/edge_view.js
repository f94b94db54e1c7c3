// The edge of an array, where lanes of an access leave it.

import {colourOf} from "./access_view.js";
import {formOf} from "./array_view.js";
import {h, s} from "./dom.js";

const INSIDE = 8, MOST_OUTSIDE = 32;

/** Lanes outside, each with how many elements it is away from the edge: 1 is the first one outside, below 0 before the start.
 * @param {import("./array_view.js").Named} array @param {import("./trace.js").Access} access */
function outsideOf(array, access) {
  const {size} = formOf(array, access.width), count = Math.floor(array.bytes / size);
  return access.lanes.map(({lane, address}) => ({lane, index: Math.floor((address - array.start) / size)}))
    .filter(({index}) => index < 0 || index >= count)
    .map(({lane, index}) => ({lane, index, away: index < 0 ? index : index - count + 1}));
}

/** @param {import("./array_view.js").Named} array @param {import("./trace.js").Access} access @param {number} width pixels */
export function edgePicture(array, access, width) {
  const outside = outsideOf(array, access);
  if (!outside.length) return [];
  const isBefore = outside[0].away < 0, its = outside.filter(one => one.away < 0 === isBefore);
  const {size} = formOf(array, access.width), count = Math.floor(array.bytes / size);
  const farthest = its.reduce((most, one) => Math.max(most, Math.abs(one.away)), 1), drawn = Math.min(farthest, MOST_OUTSIDE);
  const cell = Math.min(20, (width - 4) / (INSIDE + drawn)), by = new Map(its.map(one => [Math.abs(one.away), one]));
  const x = away => isBefore ? (drawn - away) * cell : (INSIDE + away - 1) * cell;  // away: 0 and below are inside
  const parts = [];
  for (let away = 1 - INSIDE; away <= drawn; ++away) {
    const one = by.get(away);
    parts.push(s("rect", {class: away <= 0 ? "touched" : one ? "outside hit" : "outside", x: x(away), y: 2, width: cell, height: 20,
      fill: one ? colourOf(one.lane).fill : undefined}, ...one ? [s("title", {}, `lane ${one.lane}: index ${one.index}`)] : []));
  }
  const edge = isBefore ? drawn * cell : INSIDE * cell;
  parts.push(s("path", {class: "edge", d: `M${edge} 0V26`}),
    s("text", {class: "soft", x: edge, y: 40, "text-anchor": isBefore ? "start" : "end"}, isBefore ? "index 0" : `index ${count - 1}`));
  const first = its[0], far = Math.abs(first.away);
  const said = `Lane ${first.lane} is at index ${first.index}, ${far} element${far === 1 ? "" : "s"} ` +
    `${isBefore ? "before the start" : "past the end"} of ${array.name}, which has ${count} elements.` +
    (farthest > drawn ? ` Drawn: the first ${drawn} outside.` : "");
  return [h("p", {}, said), s("svg", {width, height: 46, viewBox: `0 0 ${width} 46`, "aria-hidden": true}, ...parts)];
}
