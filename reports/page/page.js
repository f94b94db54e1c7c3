// What the page shows and what its controls do. One state, drawn anew after each change.

import {accessPicture, captionOf} from "./access_view.js";
import {arrayPicture, formOf, openPitches, placeOf, setPitch, touchedBy} from "./array_view.js";
import {asking} from "./ask.js";
import {byId, h, offer, show, table} from "./dom.js";
import {edgePicture} from "./edge_view.js";
import {elementView} from "./element_controls.js";
import {BANKS, LANES, SECTOR_BYTES, WORD_BYTES, lanesText} from "./rules.js";
import {follow, placeBefore} from "./served.js";
import {short, sourceList} from "./source_view.js";
import {timeView} from "./time_view.js";
import {VERBS, counted, unitOf, unpacked} from "./trace.js";
import {equals, isUnwritten, valueOf} from "./values.js";
import {whatIf} from "./what_if.js";

const data = JSON.parse(byId("data").textContent);
const trace = unpacked(data);
const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches, isNarrow = matchMedia("(max-width: 67.99rem)");
const PLAY_MS = isCalm ? 1500 : 700;
const kept = new Map();
const state = {launch: trace[0].launch, block: trace[0].block, warp: trace[0].warp, step: 0, lane: -1, timer: 0};

/** Warps that the block of this launch has in the trace, in order. */
function warps() {
  return [...new Set(inBlock().map(access => access.warp))].sort((a, b) => a - b);
}
function inBlock() {
  return trace.filter(access => access.launch === state.launch && access.block === state.block);
}
function steps() {
  return state.warp < 0 ? inBlock() : inBlock().filter(access => access.warp === state.warp);
}
function blocks() {
  return [...new Set(trace.filter(access => access.launch === state.launch).map(access => access.block))];
}
function current() {
  return steps()[state.step];
}

/** Elements of its array that the block of an access touches, or other blocks of its launch; kept, as they are many. */
function touched(access, isElsewhere) {
  const key = [access.launch, access.block, access.array, access.width, isElsewhere].join();
  if (!kept.has(key)) kept.set(key, touchedBy(data.arrays[access.array], trace.filter(one => one.array === access.array &&
    one.launch === access.launch && (one.block === access.block) !== isElsewhere)));
  return kept.get(key);
}

function go(step) {
  const last = steps().length - 1;
  state.step = Math.max(0, Math.min(last, step));
  if (state.step === last && state.timer) play();
  draw();
}

function play() {
  if (state.timer) {
    clearInterval(state.timer);
    state.timer = 0;
  } else {
    if (state.step === steps().length - 1) state.step = 0;
    state.timer = setInterval(() => go(state.step + 1), PLAY_MS);
  }
  draw();
}

/** The next access of that line, from the one that is shown on; of another warp, launch or block where this has none. */
function chooseLine(line) {
  const isIt = access => access.line === line, all = steps();
  let step = all.findIndex((access, i) => i > state.step && isIt(access));
  if (step < 0) step = all.findIndex(isIt);
  if (step >= 0) {
    go(step);
  } else {
    const other = trace.find(isIt);
    Object.assign(state, {launch: other.launch, block: other.block, warp: other.warp});
    go(steps().indexOf(other));
  }
  if (isNarrow.matches) byId("seen").scrollIntoView({behavior: isCalm ? "auto" : "smooth"});
}

/** Stays as near to what was shown as the new choice has it. */
function change(part) {
  const before = current();
  Object.assign(state, part);
  if (!blocks().includes(state.block)) state.block = blocks()[0];
  if (state.warp >= 0 && !warps().includes(state.warp)) state.warp = warps()[0];
  const all = steps(), same = one => one.line === before.line && one.kind === before.kind && one.array === before.array;
  go(Math.max(0, all.findIndex(one => one === before || (same(one) && one.turn === before.turn))));
}

function draw() {
  const access = current(), all = steps(), launch = data.launches[access.launch];
  const grid = data.launches.map((one, i) => `${i + 1}: ${one.kernel}, grid ${one.grid.join(" × ")}, block ${one.block.join(" × ")}`);
  const launches = [...new Set(trace.map(one => one.launch))];
  offer(byId("launch"), launches.map(one => grid[one] ?? `${one + 1}`), launches.indexOf(state.launch));
  offer(byId("block"), blocks().map(one => `(${data.blocks[one].join(", ")})`), blocks().indexOf(state.block));
  offer(byId("warp"), ["all, as they ran", ...warps().map(one => `warp ${one}`)],
    state.warp < 0 ? 0 : warps().indexOf(state.warp) + 1);
  const turns = all.filter(one => one.key === access.key);
  offer(byId("turn"), turns.map(one => `${one.turn + 1} of ${one.turns}`), turns.indexOf(access));
  byId("step").max = all.length - 1;
  byId("step").value = state.step;
  byId("step").setAttribute("aria-valuetext", `${state.step + 1} of ${all.length}`);
  byId("step-now").textContent = `${state.step + 1} of ${all.length}`;
  byId("back").disabled = byId("first").disabled = state.step === 0;
  byId("on").disabled = byId("last").disabled = state.step === all.length - 1;
  byId("play").textContent = state.timer ? "Pause" : "Play";
  byId("said").setAttribute("aria-live", state.timer ? "off" : "polite");
  byId("said").textContent = sentence(access);
  byId("said").classList.toggle("dear", access.units > access.least);
  for (const button of document.querySelectorAll("[data-line]")) {
    const isIt = Number(button.dataset.line) === access.line;
    button.toggleAttribute("aria-current", isIt);
    if (isIt) showLine(button);
  }
  const width = Math.max(240, byId("picture").clientWidth);
  show(byId("picture"), ...access.space === "local" ? []
    : [accessPicture(access, width), h("p", {class: "soft"}, captionOf(access))]);
  const array = data.arrays[access.array];
  show(byId("array"), ...array && access.space !== "local" ? arrayPicture(array, access, touched(access, false),
    access.space === "shared" ? [] : touched(access, true), width) : []);
  show(byId("edge"), ...array && access.space !== "local" ? edgePicture(array, access, width) : []);
  drawPitch(array);
  show(byId("costs"), costsTable(access.line));
  show(byId("lanes"), lanesTable(access, array, launch));
  light();
  drawElement();
  drawWhatIf();
  hideAnswer();
}

/** Marks the line, and scrolls its list, but not the page, to where it is seen. */
function showLine(button) {
  button.setAttribute("aria-current", "true");
  const list = byId("source").parentElement, line = button.getBoundingClientRect(), box = list.getBoundingClientRect();
  if (line.top < box.top || line.bottom > box.bottom) list.scrollTop += line.top - box.top - box.height / 2;
}

/** Elements a row of an array whose sizes the source does not tell: the reader says them. */
function drawPitch(array) {
  byId("pitch-of").hidden = !array || !array.isOpen;
  if (byId("pitch-of").hidden) return;
  byId("row-length").value = array.extents[1];
  byId("row-length").setAttribute("aria-valuetext", counted(array.extents[1], "element"));
  byId("row-length-now").textContent = counted(array.extents[1], "element");
}

function sentence(access) {
  const unit = unitOf(access), array = data.arrays[access.array];
  const cost = access.space === "local" ? "" : `: ${counted(access.units, unit)}` +
    (access.units <= access.least && !data.wrong ? ", as few as can be" : `; at best ${access.least}`);
  const lanes = access.lanes.length < LANES ? ` ${access.lanes.length} of ${LANES} lanes are active.` : "";
  const outside = lanesOutside(access), beyond = outside.length
    ? ` Outside of ${array.name}: lane${outside.length === 1 ? "" : "s"} ${lanesText(outside)}.` : "";
  const unwritten = access.lanes.filter(({lane}) => isUnwritten(access, lane, array)).map(({lane}) => lane), early = unwritten.length
    ? ` No thread has stored yet what lane${unwritten.length === 1 ? " " : "s "}${lanesText(unwritten)} read${unwritten.length === 1 ? "s" : ""}.` : "";
  const turn = access.turns > 1 ? `, access ${access.turn + 1} of ${access.turns}` : "";
  return `Line ${access.line}, warp ${access.warp}${turn}: ${VERBS[access.kind] ?? access.kind} ` +
    `${array ? array.name : access.space} (${access.space} memory)${cost}.${lanes}${beyond}${early}`;
}

function lanesOutside(access) {
  const array = data.arrays[access.array];
  if (!array || !array.bytes) return [];
  return access.lanes.filter(({address}) => !placeOf(array, address, access.width).isInside).map(({lane}) => lane);
}

function costsTable(line) {
  return table(`Line ${line} in all warps of all launches`, ["access", "requests", "units", "at best", "each"],
    (data.costs[line] ?? []).map(one => [one.access, one.requests, counted(one.units, one.unit),
      one.least || "", short(one.units / one.requests)]));
}

function threadOf(access, lane, launch) {
  const [x, y] = launch ? launch.block : [1 << 30, 1], linear = access.warp * LANES + lane;
  return `(${linear % x}, ${Math.floor(linear / x) % y}, ${Math.floor(linear / x / y)})`;
}

function unitAt(access, address) {
  return access.space === "shared" ? (Math.floor(address / WORD_BYTES) % BANKS + BANKS) % BANKS
    : Math.floor(address / SECTOR_BYTES);
}

function lanesTable(access, array, launch) {
  const where = access.space === "shared" ? "bank" : "sector";
  return table(`Lanes of line ${access.line}`, ["lane", "thread", "element", "byte", where, "value"], access.lanes.map(
    ({lane, address}) => [lane, threadOf(access, lane, launch), array ? placeOf(array, address, access.width).text : "",
      address, unitAt(access, address), valueOf(access, lane, array)]));
}

/** Shows one lane in all pictures, and says where it is. */
function light() {
  const access = current(), one = access.lanes.find(({lane}) => lane === state.lane);
  for (const element of document.querySelectorAll("#seen [data-lanes]"))
    element.classList.toggle("lit", element.dataset.lanes.split(" ").includes(String(state.lane)));
  byId("seen").classList.toggle("lights", Boolean(one));
  byId("lane").value = state.lane;
  const array = data.arrays[access.array];
  const text = one ? `Lane ${one.lane}, thread ${threadOf(access, one.lane, data.launches[access.launch])}: ` +
    `${VERBS[access.kind] ?? access.kind} ${array ? placeOf(array, one.address, access.width).text : access.space}${equals(access, one.lane, array)}, byte ${one.address}, ` +
    `${access.space === "shared" ? "bank" : "sector"} ${unitAt(access, one.address)}`
    : state.lane >= 0 ? `Lane ${state.lane} is not active here` : "no lane chosen";
  byId("lane-now").textContent = text;
  byId("lane").setAttribute("aria-valuetext", text);
}

/** The access that is shown as rows and columns, for "what if". */
function ownPattern() {
  const access = current(), array = data.arrays[access.array];
  if (!array || access.space === "local") return null;
  const {columns, size, isMatrix} = formOf(array, access.width);
  if (!isMatrix || size !== access.width) return null;
  const places = access.lanes.map(({lane, address}) => ({lane, ...placeOf(array, address, access.width)}));
  if (!places.every(one => one.isInside)) return null;
  const row = Math.min(...places.map(one => one.row));
  return {text: `as line ${access.line} does now`, pitch: columns, size,
    places: () => places.map(one => ({lane: one.lane, row: one.row - row, column: one.column}))};
}

const hideAnswer = asking(current, () => draw());
openPitches(data.arrays, trace);
const drawWhatIf = whatIf(ownPattern);
const drawElement = elementView(data, trace, () => ({access: current(), lane: state.lane}),
  (access, lane) => threadOf(access, lane, data.launches[access.launch]));
if (data.time) timeView(data.time);
byId("row-length").addEventListener("input", event => {
  setPitch(data.arrays[current().array], Number(event.target.value));
  kept.clear();
  draw();
});
const drawn = new Set(trace.map(access => access.line));
show(byId("source"), ...sourceList(data.source, data.costs, drawn, data.wrong ? data.wrong.lines : [], chooseLine));
byId("source").addEventListener("keydown", event => {
  const buttons = [...byId("source").querySelectorAll("button")], at = buttons.indexOf(document.activeElement);
  const next = buttons[at + {ArrowDown: 1, ArrowUp: -1}[event.key]];
  if (!next) return;
  event.preventDefault();
  next.focus();
});
for (const [id, step] of Object.entries({first: () => 0, back: () => state.step - 1, on: () => state.step + 1,
  last: () => steps().length - 1})) byId(id).addEventListener("click", () => go(step()));
byId("play").addEventListener("click", play);
byId("step").addEventListener("input", event => go(Number(event.target.value)));
byId("lane").addEventListener("input", event => { state.lane = Number(event.target.value); light(); });
byId("launch").addEventListener("change", event =>
  change({launch: [...new Set(trace.map(one => one.launch))][event.target.selectedIndex]}));
byId("block").addEventListener("change", event => change({block: blocks()[event.target.selectedIndex]}));
byId("warp").addEventListener("change", event => {
  const at = event.target.selectedIndex;
  change({warp: at === 0 ? -1 : warps()[at - 1]});
});
byId("turn").addEventListener("change", event => {
  const {key} = current();
  go(steps().indexOf(steps().filter(one => one.key === key)[event.target.selectedIndex]));
});
byId("seen").addEventListener("pointerover", event => {
  const found = event.target.closest("[data-lanes]");
  if (!found) return;
  state.lane = Number(found.dataset.lanes.split(" ")[0]);
  light();
});
for (const name of ["picture", "array"])
  byId(name).addEventListener("pointerleave", () => { state.lane = -1; light(); });
document.addEventListener("keydown", event => {
  const way = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  if (!way || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, [tabindex]")) return;
  event.preventDefault();
  go(state.step + way);
});
addEventListener("resize", draw);
/** The access that is nearest to where the reader was; undefined where none is of its line or launch. */
function nearest(place) {
  const block = data.blocks.findIndex(one => one.join() === place.block.join());
  const its = trace.filter(one => one.launch === place.launch), score = one =>
    8 * (one.line === place.line) + 4 * (one.block === block) + 2 * (one.warp === place.warp) + (one.turn === place.turn);
  return its.reduce((best, one) => !best || score(one) > score(best) ? one : best, undefined);
}

// Of a wrong kernel the page begins with the element, and opens where it goes wrong, as far as an access shows it.
if (data.wrong) byId("seen").before(byId("one"));
const before = placeBefore();
const named = data.wrong ? data.wrong.elements.flatMap(one => one.accesses.map(it => ({...it, array: one.array}))) : [];
const start = before && nearest(before) || data.wrong && (trace.find(access => lanesOutside(access).length) ??
  trace.find(access => named.some(it => it.line === access.line && it.array === access.array &&
    it.block.join() === data.blocks[access.block].join())) ?? trace.find(access => data.wrong.lines.includes(access.line)));
if (start) Object.assign(state, {launch: start.launch, block: start.block, warp: start.warp});
go(start ? steps().indexOf(start) : 0);
follow(() => {
  const access = current();
  return {line: access.line, turn: access.turn, warp: access.warp, block: data.blocks[access.block], launch: access.launch};
});
