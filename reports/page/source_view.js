// The source with heat by line: how many sectors or wavefronts a request takes, over the least that its bytes need.

import {h} from "./dom.js";

const LEVELS = [1.15, 2, 4, 8];  // times the least: heat 1 to 4

/** @typedef {{access: string, unit: string, requests: number, units: number, least: number}} Cost of all warps */

/** @param {Cost[]} costs of a line; the dearest of those with a least */
function heatOf(costs) {
  const times = Math.max(0, ...costs.filter(one => one.least > 0).map(one => one.units / one.least));
  return {times, level: LEVELS.filter(limit => times >= limit).length};
}

/** 4, 4.76, 32 @param {number} value */
export function short(value) {
  return String(Number(value.toPrecision(3)));
}

/** @param {string[]} source @param {Record<number, Cost[]>} costs by line @param {Set<number>} drawn lines with accesses
 * @param {number[]} marked lines that a message names @param {(line: number) => void} choose */
export function sourceList(source, costs, drawn, marked, choose) {
  return source.map((text, i) => {
    const line = i + 1, its = costs[line] ?? [], {times, level} = heatOf(its);
    const badge = times > 0 ? h("span", {class: `heat heat${level}`}, `${short(times)}×`) : h("span", {class: "heat"});
    const parts = [h("span", {class: "number"}, String(line)), badge, h("code", {}, text || " ")];
    const isDrawn = drawn.has(line);
    const inner = isDrawn
      ? h("button", {type: "button", "data-line": line, onclick: () => choose(line),
        "aria-label": `Line ${line}, ${times > 0 ? `${short(times)} times the least` : "no least"}: ${text.trim()}`}, ...parts)
      : h("span", {class: "plain"}, ...parts);
    return h("li", {class: marked.includes(line) ? "wrong" : undefined}, inner);
  });
}
