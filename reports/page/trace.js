// The trace of the page as objects; Python packs it (reports/live_page.py).

import {LANES} from "./rules.js";

export const VERBS = {read: "reads", write: "writes", atomic: "updates"};

/** @typedef {{line: number, kind: string, space: string, buffer: string, width: number, mask: number, units: number,
 *   least: number, array: number, launch: number, block: number, warp: number, turn: number, turns: number,
 *   lanes: import("./rules.js").Lane[], packedValues: string, values?: Uint8Array}} Access
 * packedValues: base64 of the bytes that the active lanes read or store, if they were recorded; units: sectors or wavefronts, as counted; turn: of so many like it, of this warp in this line, which one */

/** @param {any} data of the page @returns {Access[]} */
export function unpacked(data) {
  const counts = new Map();
  const found = data.trace.map(([what, launch, block, warp, mask, units, least, addresses, packedValues = ""]) => {
    const access = {...data.kinds[what], launch, block, warp, mask, units, least, packedValues, lanes: lanesOf(mask, addresses)};
    const key = [what, launch, block, warp].join();
    access.turn = counts.get(key) ?? 0;
    counts.set(key, access.turn + 1);
    access.key = key;
    return access;
  });
  for (const access of found) access.turns = counts.get(access.key);
  return found;
}

/** [first, step] where the lanes are one step apart, else [first, offsets from it...] with -1 in front. */
function lanesOf(mask, packed) {
  const lanes = [];
  for (let lane = 0, i = 0; lane < LANES; ++lane) {
    if (!(mask >>> lane & 1)) continue;
    const address = packed[0] === -1 ? packed[1] + (i ? packed[i + 1] : 0) : packed[0] + i * packed[1];
    lanes.push({lane, address});
    ++i;
  }
  return lanes;
}

/** The unit that an access is counted in. @param {{space: string}} access */
export function unitOf(access) {
  return access.space === "shared" ? "wavefront" : "sector";
}

/** "4 sectors" @param {number} count @param {string} unit */
export function counted(count, unit) {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
