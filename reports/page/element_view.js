// One element: who touched it and when, as recorded, and where what was stored there came from.

import {placeOf} from "./array_view.js";
import {h, s, table} from "./dom.js";
import {LANES, lanesText} from "./rules.js";
import {VERBS} from "./trace.js";
import {equals, valueOf} from "./values.js";

const MOST_MOMENTS = 60, MOST_ROWS = 16, MOST_NODES = 40, MOST_READS = 4, MOST_ABSENT = 3, ROW = 24, LABEL = 200;

/** @typedef {import("./trace.js").Access} Access
 * @typedef {{access: Access, lane: number, address: number, at: number}} Moment  at: index in the trace */

/** What recorded accesses do to bytes of an array, in the order of the run. Shared memory is of one block of one launch.
 * @param {Access[]} trace @param {number} array @param {number} address first byte @param {number} size
 * @param {{launch: number, block: number} | null} only of this block @returns {Moment[]} */
export function momentsOf(trace, array, address, size, only) {
  const found = [];
  trace.forEach((access, at) => {
    if (access.array !== array || only && (access.launch !== only.launch || access.block !== only.block)) return;
    for (const one of access.lanes)
      if (one.address < address + size && address < one.address + access.width) found.push({access, at, ...one});
  });
  return found;
}

/** Whether two moments are of one thread. @param {Moment} a @param {Moment} b */
function isSameThread(a, b) {
  return a.lane === b.lane && a.access.warp === b.access.warp && a.access.block === b.access.block &&
    a.access.launch === b.access.launch;
}

/** Reads of the storing thread between a store of its own before and this one; the last ones that there are. @param {Access[]} trace @param {Moment} store */
function readsBefore(trace, store) {
  const found = [];
  for (let at = store.at - 1; at >= 0; --at) {
    const access = trace[at];
    if (access.launch !== store.access.launch || access.block !== store.access.block || access.warp !== store.access.warp)
      continue;
    const one = access.lanes.find(({lane}) => lane === store.lane);
    if (!one) continue;
    if (access.kind === "write" && found.length) break;
    if (access.kind === "write") continue;
    found.unshift({access, at, ...one});
    if (access.kind === "atomic") break;
  }
  return found;
}

/** The store that a read got its value from, as far as it was recorded. @param {Access[]} trace @param {Moment} read
 * @returns {Moment | undefined} */
function storeBefore(trace, read) {
  const only = read.access.space === "shared" ? {launch: read.access.launch, block: read.access.block} : null;
  return momentsOf(trace, read.access.array, read.address, read.access.width, only)
    .filter(one => one.at < read.at && one.access.kind !== "read").pop();
}

/** @param {any} data @param {Moment} moment @param {(access: Access, lane: number) => string} threadOf */
function said(data, moment, threadOf) {
  const {access, lane, address} = moment, array = data.arrays[access.array];
  return `thread ${threadOf(access, lane)} of block (${data.blocks[access.block].join(", ")}) ${VERBS[access.kind] ?? access.kind} ` +
    `${placeOf(array, address, access.width).text}${equals(access, lane, array)} in line ${access.line}`;
}

/** From a store back to what it rests on, as nested lists; the farther ones are folded. @param {any} data
 * @param {Access[]} trace @param {Moment} store @param {(access: Access, lane: number) => string} threadOf */
export function wayBack(data, trace, store, threadOf) {
  let nodes = 0;
  const place = ({access, address}) => placeOf(data.arrays[access.array], address, access.width).text;
  const itemOf = (read, depth) => {
    if (++nodes > MOST_NODES) return h("li", {class: "soft"}, "and so on");
    const before = storeBefore(trace, read), words = `reads ${place(read)}${equals(read.access, read.lane, data.arrays[read.access.array])} in line ${read.access.line}` + (before
      ? `, which thread ${threadOf(before.access, before.lane)} of block (${data.blocks[before.access.block].join(", ")}) ` +
        `${VERBS[before.access.kind]} in line ${before.access.line}` : "");
    const reads = before ? readsBefore(trace, before) : [];
    if (!reads.length) return h("li", {}, words);
    const list = () => h("ul", {}, ...reads.slice(-MOST_READS).map(one => itemOf(one, depth + 1)));
    return depth < 1 ? h("li", {}, `${words}; before that, it`, list())
      : h("li", {}, h("details", {}, h("summary", {}, `${words}; before that, it ...`), list()));
  };
  const reads = readsBefore(trace, store);
  return h("div", {class: "way"}, h("p", {}, said(data, store, threadOf) +
    (reads.length ? "; before that, it" : "; before that, it has read nothing that was recorded.")),
    h("ul", {}, ...reads.slice(-MOST_READS).map(one => itemOf(one, 0))));
}

/** Of an element that no recorded access stores: who stores the nearest ones before and after it, which shows whose it would be.
 * @param {any} data @param {Access[]} trace @param {number} array @param {number} address @param {number} size
 * @param {{launch: number, block: number} | null} only of this block @param {(access: Access, lane: number) => string} threadOf */
export function besideText(data, trace, array, address, size, only, threadOf) {
  let before, after;
  for (const access of trace) {
    if (access.array !== array || access.kind === "read" || only && (access.launch !== only.launch || access.block !== only.block)) continue;
    for (const one of access.lanes) {
      const found = {access, at: 0, ...one};
      if (one.address < address && (!before || one.address > before.address)) before = found;
      if (one.address >= address + size && (!after || one.address < after.address)) after = found;
    }
  }
  const beside = [before, after].filter(Boolean).map(one => said(data, one, threadOf));
  return "No recorded access stores it." + (beside.length ? ` The nearest ones: ${beside.join("; ")}.` : "");
}

/** Accesses of the storing thread's warp, up to the store, in which its lane takes no part and others do: the first few.
 * @param {Access[]} trace @param {Moment} store */
export function absentText(trace, store) {
  const {lane, access: {launch, block, warp}} = store;
  const found = trace.slice(0, store.at).filter(one => one.launch === launch && one.block === block && one.warp === warp &&
    !one.lanes.some(it => it.lane === lane));
  if (!found.length) return "";
  const words = one => `line ${one.line}${one.turns > 1 ? `, access ${one.turn + 1} of ${one.turns}` : ""} (` +
    `${one.lanes.length === 1 ? `lane ${one.lanes[0].lane} does` : `lanes ${lanesText(one.lanes.map(it => it.lane))} do`})`;
  return `Before that, its lane ${lane} takes no part in ${found.slice(0, MOST_ABSENT).map(words).join("; ")}` +
    `${found.length > MOST_ABSENT ? `; and ${found.length - MOST_ABSENT} more` : ""}.`;
}

/** The moments as marks on one line a thread, and as a table.
 * @param {any} data @param {Moment[]} moments @param {(moment: Moment) => boolean} isNamed by the message
 * @param {(access: Access, lane: number) => string} threadOf @param {number} width pixels */
export function momentsPicture(data, moments, isNamed, threadOf, width) {
  const shown = moments.slice(0, MOST_MOMENTS), rows = [];
  for (const one of shown) if (!rows.some(row => isSameThread(row, one))) rows.push(one);
  const drawn = rows.slice(0, MOST_ROWS), label = Math.min(LABEL, width * 0.45);
  const step = Math.min(48, (width - label - 16) / Math.max(1, shown.length)), high = drawn.length * ROW + 20;
  const name = one => `${threadOf(one.access, one.lane)} of (${data.blocks[one.access.block].join(", ")})`;
  const parts = drawn.flatMap((row, i) => [
    s("text", {x: 0, y: i * ROW + 16}, name(row)),
    s("path", {class: "grid", d: `M${label} ${i * ROW + 12.5}H${width - 8}`})]);
  shown.forEach((one, i) => {
    const row = drawn.findIndex(other => isSameThread(other, one));
    if (row < 0) return;
    const x = label + (i + 0.5) * step, y = row * ROW + 12, kind = `mark ${one.access.kind}${isNamed(one) ? " named" : ""}`;
    const mark = one.access.kind === "read" ? s("circle", {class: kind, cx: x, cy: y, r: 5})
      : s("rect", {class: kind, x: x - 5, y: y - 5, width: 10, height: 10,
        transform: one.access.kind === "atomic" ? `rotate(45 ${x} ${y})` : undefined});
    mark.append(s("title", {}, said(data, one, threadOf)));
    parts.push(mark);
    if (step > 22) parts.push(s("text", {class: "soft", x, y: high - 4, "text-anchor": "middle"}, String(one.access.line)));
  });
  const more = moments.length - shown.length, hidden = rows.length - drawn.length;
  return [s("svg", {width, height: high, viewBox: `0 0 ${width} ${high}`, "aria-hidden": true}, ...parts),
    h("p", {class: "soft"}, "A row a thread, in the order of the run; ○ reads, ■ writes, ◆ updates; below, the line" +
      `${moments.some(isNamed) ? "; red: what the message names" : ""}.${more > 0 ? ` ${more} later accesses not drawn.` : ""}` +
      `${hidden > 0 ? ` ${hidden} more threads not drawn.` : ""}`)];
}

/** @param {any} data @param {Moment[]} moments @param {(access: Access, lane: number) => string} threadOf */
export function momentsTable(data, moments, threadOf) {
  return table("Accesses to the element, in the order of the run", ["moment", "thread", "block", "warp", "does", "value", "line"],
    moments.slice(0, MOST_MOMENTS).map(({access, lane}, i) => [i + 1, threadOf(access, lane), data.blocks[access.block].join(", "),
      access.warp, VERBS[access.kind] ?? access.kind, valueOf(access, lane, data.arrays[access.array]), access.line]));
}

/** The element to begin with: what the messages name; otherwise one that is stored in global memory.
 * @param {any} data @param {Access[]} trace @param {Access} access that is shown */
export function firstElement(data, trace, access) {
  const named = data.wrong && data.wrong.elements.find(one => one.array >= 0);
  if (named) return {array: named.array, address: data.arrays[named.array].start + named.byte};
  const store = trace.find(one => one.space === "global" && one.kind !== "read") ?? access;
  return store.lanes.length ? {array: store.array, address: (store.lanes[1] ?? store.lanes[0]).address} : null;
}

/** Whether a message names this access. A line inside of a function that was called is recorded as the line of the call.
 * @param {any} data @param {Set<number>} lines of the trace @param {Moment} moment
 * @param {(access: Access, lane: number) => string} threadOf */
export function isNamedBy(data, lines, moment, threadOf) {
  const block = data.blocks[moment.access.block].join();
  return Boolean(data.wrong) && data.wrong.elements.some(one => one.array === moment.access.array && one.accesses.some(it =>
    (it.line === moment.access.line || !lines.has(it.line)) && it.kind === moment.access.kind && it.block.join() === block &&
    `(${it.thread.join(", ")})` === threadOf(moment.access, moment.lane)) && lies(data, one, moment));
}

function lies(data, element, moment) {
  const first = data.arrays[element.array].start + element.byte;
  return first < moment.address + moment.access.width && moment.address <= first + LANES;
}
