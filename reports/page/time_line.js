// One multiprocessor in time, by the time model: what each of its warps does, and the bytes under way.

import {byId, h, s, show} from "./dom.js";

const WARP_HIGH = 7, GRAPH = 70, KIB = 1024, MOST_WARPS = 64, TICKS = 4;

/** @typedef {{cycles: number, isCut: boolean, needed: number, reasons: string[], spans: number[][],
 *   loads: number[][]}} TimeLine  a span: warp, cycles from and to, index of the reason; a load: cycles from and to, bytes */

/** Bytes under way from each cycle on where they change. @param {TimeLine} line @returns {{at: number, bytes: number}[]} */
function underWay(line) {
  const changes = line.loads.flatMap(([from, to, bytes]) => [[from, bytes], [to, -bytes]]).sort((a, b) => a[0] - b[0]);
  const found = [{at: 0, bytes: 0}];
  for (const [at, change] of changes) {
    const last = found[found.length - 1];
    if (last.at === at) last.bytes += change;
    else found.push({at, bytes: last.bytes + change});
  }
  return found;
}

/** Mean over the time. @param {TimeLine} line */
function meanUnderWay(line) {
  return line.loads.reduce((sum, [from, to, bytes]) => sum + (Math.min(to, line.cycles) - Math.min(from, line.cycles)) * bytes, 0) / line.cycles;
}

/** How many warps do what at that cycle, by index of the reason. @param {TimeLine} line @param {number} cycle */
function warpsAt(line, cycle) {
  const found = new Map();
  for (const [, from, to, reason] of line.spans)
    if (from <= cycle && cycle < to) found.set(reason, (found.get(reason) ?? 0) + 1);
  return found;
}

/** Sets up the picture and its slider. @param {TimeLine} line @param {Map<string, string>} classOf by name of the reason */
export function timeLine(line, classOf) {
  const steps = underWay(line), rows = [...new Set(line.spans.map(([warp]) => warp))].sort((a, b) => a - b).slice(0, MOST_WARPS);
  const cursor = byId("cycle"), state = {at: Math.round(line.cycles / 2)};
  cursor.max = line.cycles - 1;

  function tell() {
    const bytes = (steps.filter(one => one.at <= state.at).pop() ?? steps[0]).bytes;
    const doing = [...warpsAt(line, state.at)].sort((a, b) => b[1] - a[1])
      .map(([reason, count]) => `${count} ${line.reasons[reason]}`);
    const text = `Cycle ${state.at}: ${doing.join(", ") || "no warp is there"}. ${kib(bytes)} under way.`;
    cursor.value = state.at;
    cursor.setAttribute("aria-valuetext", text);
    byId("cycle-now").textContent = text;
    const mark = document.querySelector("#line-picture .now");
    if (mark) mark.setAttribute("x", String(state.at / line.cycles * Number(mark.parentNode.getAttribute("width"))));
  }
  function draw() {
    show(byId("line-picture"), ...timeLinePicture(line, steps, rows, classOf, Math.max(240, byId("line-picture").clientWidth)));
    tell();
  }
  const choose = cycle => { state.at = Math.max(0, Math.min(line.cycles - 1, Math.round(cycle))); tell(); };
  cursor.addEventListener("input", () => choose(Number(cursor.value)));
  byId("line-picture").addEventListener("pointermove", event => {
    const svg = event.target.closest("svg");
    if (svg) choose((event.clientX - svg.getBoundingClientRect().left) / svg.clientWidth * line.cycles);
  });
  addEventListener("resize", draw);
  draw();
}

function timeLinePicture(line, steps, rows, classOf, width) {
  const x = cycle => Math.min(cycle, line.cycles) / line.cycles * width, high = rows.length * WARP_HIGH, paths = new Map();
  for (const [warp, from, to, reason] of line.spans) {
    const row = rows.indexOf(warp);
    if (row < 0) continue;
    paths.set(reason, `${paths.get(reason) ?? ""}M${x(from).toFixed(1)} ${row * WARP_HIGH}h${Math.max(0.3, x(to) - x(from)).toFixed(1)}v${WARP_HIGH - 1}H${x(from).toFixed(1)}z`);
  }
  const most = Math.max(line.needed, ...steps.map(one => one.bytes), 1) * 1.1, top = high + 26, y = bytes => top + GRAPH - bytes / most * GRAPH;
  const curve = steps.map(({at, bytes}) => `H${x(at).toFixed(1)}V${y(bytes).toFixed(1)}`).join("");
  const ticks = Array.from({length: TICKS + 1}, (_, i) => Math.round(i / TICKS * line.cycles));
  const parts = [...[...paths].map(([reason, d]) => s("path", {class: `span ${classOf.get(line.reasons[reason]) ?? ""}`, d})),
    s("path", {class: "under-way", d: `M0 ${y(0)}${curve}H${width}V${y(0)}z`}),
    s("path", {class: "needed", d: `M0 ${y(line.needed)}H${width}`}),
    ...ticks.map((cycle, i) => s("text", {class: "soft", x: x(cycle), y: top + GRAPH + 14,
      "text-anchor": i === 0 ? "start" : i === TICKS ? "end" : "middle"}, String(cycle))),
    s("rect", {class: "now", x: 0, y: 0, width: 1.5, height: top + GRAPH})];
  const average = meanUnderWay(line), peak = Math.max(...steps.map(one => one.bytes));
  return [h("p", {}, `A row for each of the ${rows.length} resident warps, over ${line.cycles} cycles` +
    `${line.isCut ? ", the first of the run" : ""}. Colours: as in the bar above.`),
  s("svg", {width, height: top + GRAPH + 20, "aria-hidden": true}, ...parts),
  h("p", {}, h("strong", {}, "Bytes under way: "), `at most ${kib(peak)}, ${kib(average)} on average.` +
    (line.needed ? ` Dashed: about ${kib(line.needed)} keep the memory busy${peak < line.needed ? "; this kernel has fewer" : ""}.` : ""))];
}

function kib(bytes) { return `${Number((bytes / KIB).toPrecision(3))} KiB`; }
