// "What if": pitch, tile, block and size of the elements, and what a warp would then cost; by the counters' rule.

import {banksPicture, sectorsPicture} from "./access_view.js";
import {byId, offer, s, show, table} from "./dom.js";
import {LANES, placed, sectorsOf, wavefrontsOf} from "./rules.js";
import {counted} from "./trace.js";

export const MOST_PITCH = 80, SIZES = [1, 2, 4, 8, 16];

const lanes = Array.from({length: LANES}, (_, lane) => lane);
/** `places`: of the first warp of a block that is `block` threads wide, or whose threads, numbered in order, take the
 * elements of a tile that is `tile` wide or high. A block of more than 32 threads a row is as one of 32. */
export const PATTERNS = [
  {text: "down a column: lane i takes element [i][0]", places: () => lanes.map(lane => ({lane, row: lane, column: 0}))},
  {text: "along a row: lane i takes element [0][i]", places: () => lanes.map(lane => ({lane, row: 0, column: lane}))},
  {text: "down a diagonal: lane i takes element [i][i]", places: () => lanes.map(lane => ({lane, row: lane, column: lane}))},
  {text: "block: thread (x, y) takes element [y][x]", of: "block", places: ({block}) => rows(block)},
  {text: "block: thread (x, y) takes element [x][y]", of: "block", places: ({block}) => turned(rows(block))},
  {text: "tile: thread t takes element [t / tile][t % tile]", of: "tile", places: ({tile}) => rows(tile)},
  {text: "tile: thread t takes element [t % tile][t / tile]", of: "tile", places: ({tile}) => turned(rows(tile))},
];

function rows(width) { return lanes.map(lane => ({lane, row: Math.floor(lane / width), column: lane % width})); }
function turned(places) { return places.map(({lane, row, column}) => ({lane, row: column, column: row})); }

/** What one access costs. @param {{lane: number, row: number, column: number}[]} places @param {number} pitch
 * @param {number} size */
export function costs(places, pitch, size) {
  const at = placed(places, pitch, size);
  return {read: wavefrontsOf(at, size, "read").length, write: wavefrontsOf(at, size, "write").length,
    sectors: sectorsOf(at, size).length};
}

/** Sets up the controls. `own`: the access that is drawn above, by rows and columns, if it is of a matrix.
 * @param {() => {text: string, pitch: number, size: number, places: () => any[]} | null} own */
export function whatIf(own) {
  const state = {pattern: 0, pitch: 32, size: 2, block: 32, tile: 32, drawn: ""};
  const patterns = () => { const mine = own(); return mine ? [...PATTERNS, mine] : PATTERNS; };

  function draw() {
    const all = patterns();
    state.pattern = Math.min(state.pattern, all.length - 1);
    offer(byId("pattern"), all.map(one => one.text), state.pattern);
    const width = Math.max(240, byId("would-banks").clientWidth), size = SIZES[state.size];
    // A step of the trace changes only what is drawn of its own access.
    const what = state.pattern < PATTERNS.length ? [state.pattern, state.pitch, size, state.block, state.tile, width].join() : "";
    if (what && what === state.drawn) return;
    state.drawn = what;
    const {of, places: placesFor} = all[state.pattern], places = placesFor(state), now = costs(places, state.pitch, size);
    set("pitch", state.pitch, counted(state.pitch, "element"));
    set("size", state.size, counted(size, "byte"));
    set("block-width", state.block, of === "block" ? `${counted(state.block, "thread")} wide` : "any", of === "block");
    set("tile", state.tile, of === "tile" ? counted(state.tile, "element") + padding() : "any", of === "tile");
    byId("would").textContent = `In shared memory: a read takes ${counted(now.read, "wavefront")}, a write ` +
      `${counted(now.write, "wavefront")}. In global memory: ${counted(now.sectors, "sector")}.`;
    const touched = placed(places, state.pitch, size);
    show(byId("would-banks"), banksPicture(wavefrontsOf(touched, size, "read"), touched, width));
    show(byId("would-sectors"), sectorsPicture({lanes: touched, width: size}, width));
    const costly = Array.from({length: MOST_PITCH}, (_, i) => costs(places, i + 1, size));
    show(byId("pitches"), bars(costly, width));
    show(byId("pitch-table"), table(`Cost of a warp's access for each pitch, ${size}-byte elements`,
      ["pitch", "wavefronts, read", "wavefronts, write", "sectors"],
      costly.map((one, i) => [i + 1, one.read, one.write, one.sectors])));
  }

  function set(name, value, text, isUsed = true) {
    Object.assign(byId(name), {value, disabled: !isUsed});
    byId(name).setAttribute("aria-valuetext", text);
    byId(`${name}-now`).textContent = text;
  }
  function padding() { return state.pitch > state.tile ? `, ${state.pitch - state.tile} of padding` : ""; }

  /** Wavefronts of a read for each pitch; a bar is a way to choose its pitch. */
  function bars(costly, width) {
    const step = width / MOST_PITCH, high = 72, most = Math.max(...costly.map(one => one.read));
    return s("svg", {width, height: high + 18, "aria-hidden": true}, ...costly.flatMap(({read}, i) => {
      const tall = Math.max(3, read / most * high);
      const bar = s("rect", {class: i + 1 === state.pitch ? "bar chosen" : "bar", x: i * step + step * 0.1, y: high - tall,
        width: step * 0.8, height: tall}, s("title", {}, `pitch ${i + 1}: ${counted(read, "wavefront")}`));
      const label = (i + 1) % 16 === 0
        ? [s("text", {class: "soft", x: (i + 0.5) * step, y: high + 14, "text-anchor": "middle"}, String(i + 1))] : [];
      const catcher = s("rect", {class: "catcher", x: i * step, y: 0, width: step, height: high,
        onclick: () => { state.pitch = i + 1; draw(); }}, s("title", {}, `pitch ${i + 1}: ${counted(read, "wavefront")}`));
      return [bar, ...label, catcher];
    }));
  }

  byId("pattern").addEventListener("change", event => {
    state.pattern = event.target.selectedIndex;
    const mine = own();
    if (state.pattern === PATTERNS.length && mine) {
      state.pitch = Math.min(MOST_PITCH, mine.pitch);
      state.size = Math.max(0, SIZES.indexOf(mine.size));
    }
    draw();
  });
  for (const [name, part] of [["pitch", "pitch"], ["block-width", "block"], ["tile", "tile"], ["size", "size"]])
    byId(name).addEventListener("input", event => { state[part] = Number(event.target.value); draw(); });
  return draw;
}
