// One access of a warp: its 32 lanes above, and below what they touch, 32-byte sectors or the 32 banks of shared memory.

import {s} from "./dom.js";
import {BANKS, LANES, SECTOR_BYTES, WORD_BYTES, bytesOf, lanesText, sectorsOf, wavefrontsOf} from "./rules.js";

const RAMP = [[68, 57, 131], [49, 104, 142], [33, 145, 140], [53, 183, 121], [144, 215, 67], [253, 231, 37]];
const LANE_HEIGHT = 20, FAN = 64, CELL = 20, LEAST_TEXT = 13;

/** @param {number} lane @returns {{fill: string, ink: string}} in the order of the lanes from dark to light */
export function colourOf(lane) {
  const at = lane / (LANES - 1) * (RAMP.length - 1), i = Math.min(RAMP.length - 2, Math.floor(at));
  const rgb = RAMP[i].map((from, k) => Math.round(from + (at - i) * (RAMP[i + 1][k] - from)));
  return {fill: `rgb(${rgb})`, ink: at < 1.6 ? "#fff" : "#000"};
}

/** What the picture shows. @param {import("./trace.js").Access} access */
export function captionOf(access) {
  if (access.space === "shared") return "Columns: the 32 banks. Each row below the lanes is one wavefront.";
  const moved = access.units * SECTOR_BYTES, wanted = bytesOf(access.lanes, access.width);
  return `Boxes: 32-byte sectors, with their first byte. Coloured: what lanes touch, ${wanted} of ${moved} bytes moved.`;
}

/** @param {import("./trace.js").Access} access @param {number} width pixels */
export function accessPicture(access, width) {
  return access.space === "shared" ? banksPicture(wavefrontsOf(access.lanes, access.width, access.kind), access.lanes, width)
    : sectorsPicture(access, width);
}

/** @param {{lanes: import("./rules.js").Lane[], width: number}} access @param {number} width pixels */
export function sectorsPicture(access, width) {
  const sectors = sectorsOf(access.lanes, access.width);
  const gaps = sectors.map(({address}, i) => i === 0 ? 0 : address === sectors[i - 1].address + SECTOR_BYTES ? 0 : 1);
  const gap = Math.min(8, width / (4 * sectors.length)), joints = gaps.reduce((sum, one) => sum + one, 0);
  const box = Math.min(width / 4, (width - 1 - gap * joints) / sectors.length), cell = box / 8;
  const top = LANE_HEIGHT + FAN, to = new Map(), parts = [];
  let x = (width - box * sectors.length - gap * joints) / 2;
  sectors.forEach(({address, words}, i) => {
    x += gaps[i] * gap;
    for (let k = 0; k < 8; ++k) {
      const lanes = words.get(address / WORD_BYTES + k) ?? [];
      parts.push(cellOf(x + k * cell, top, cell, lanes));
      for (const lane of lanes) to.set(lane, [...to.get(lane) ?? [], x + (k + 0.5) * cell]);
    }
    parts.push(s("rect", {class: "frame", x, y: top - 1, width: box, height: CELL + 2}));
    const every = Math.ceil(46 / box);
    if (i % every === 0 && x + 8 * String(address).length < width + 8)
      parts.push(s("text", {class: "soft", x: x + 1, y: top + CELL + 13}, String(address)));
    x += box;
  });
  const fan = access.lanes.flatMap(({lane}) => line(lane, width, mean(to.get(lane) ?? []), top));
  return picture(width, top + CELL + 18, lanesRow(access.lanes, width), fan, parts);
}

/** @param {Map<number, {word: number, lanes: number[]}>[]} wavefronts
 * @param {import("./rules.js").Lane[]} lanes @param {number} width */
export function banksPicture(wavefronts, lanes, width) {
  const cell = width / BANKS, high = wavefronts.length > 8 ? CELL / 2 : CELL, top = LANE_HEIGHT + FAN, parts = [], fan = [];
  wavefronts.forEach((banks, row) => {
    for (let bank = 0; bank < BANKS; ++bank) {
      const found = banks.get(bank);
      parts.push(cellOf(bank * cell, top + row * high, cell, found ? found.lanes : [], high));
      for (const lane of found ? found.lanes : []) fan.push(...line(lane, width, (bank + 0.5) * cell, top + row * high));
    }
  });
  const bottom = top + wavefronts.length * high;
  for (let bank = 0; bank < BANKS; bank += cell < 18 ? 4 : 1)
    parts.push(s("text", {class: "soft", x: (bank + 0.5) * cell, y: bottom + 13, "text-anchor": "middle"}, String(bank)));
  return picture(width, bottom + 18, lanesRow(lanes, width), fan, parts);
}

function lanesRow(lanes, width) {
  const active = new Set(lanes.map(({lane}) => lane)), cell = width / LANES;
  return Array.from({length: LANES}, (_, lane) => cellOf(lane * cell, 0, cell, active.has(lane) ? [lane] : [], LANE_HEIGHT));
}

/** A word or a lane in the colour of its first lane, with its number where there is room. */
function cellOf(x, y, width, lanes, height = CELL) {
  const thin = width < 6 ? " thin" : "";
  if (!lanes.length) return s("rect", {class: `empty${thin}`, x, y, width, height});
  const {fill, ink} = colourOf(lanes[0]);
  const group = s("g", {class: `lane${thin}`, "data-lanes": lanes.join(" ")}, s("rect", {x, y, width, height, fill}));
  const text = lanes.length === 1 ? String(lanes[0]) : `${lanes[0]}+`;
  if (width >= LEAST_TEXT + 6 * (text.length - 1) * (text.length > 2 ? 1 : 0) && height >= LEAST_TEXT)
    group.append(s("text", {x: x + width / 2, y: y + height / 2 + 4, fill: ink, "text-anchor": "middle"}, text));
  group.append(s("title", {}, `lane ${lanesText(lanes)}`));
  return group;
}

function line(lane, width, x, y) {
  if (!Number.isFinite(x)) return [];
  const from = (lane + 0.5) * width / LANES, bend = LANE_HEIGHT + FAN / 2;
  return [s("path", {class: "fan", "data-lanes": lane, stroke: colourOf(lane).fill,
    d: `M${from.toFixed(1)} ${LANE_HEIGHT}C${from.toFixed(1)} ${bend} ${x.toFixed(1)} ${bend} ${x.toFixed(1)} ${y}`})];
}

function mean(numbers) {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function picture(width, height, ...parts) {
  return s("svg", {width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": true}, ...parts.flat());
}
