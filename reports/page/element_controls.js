// The section of one element: which one, and what is drawn of it.

import {formOf, placeOf} from "./array_view.js";
import {byId, h, offer, show} from "./dom.js";
import {absentText, besideText, firstElement, isNamedBy, momentsOf, momentsPicture, momentsTable, wayBack} from "./element_view.js";

/** Sets up the controls; returns what draws the section anew.
 * @param {any} data @param {import("./trace.js").Access[]} trace
 * @param {() => {access: import("./trace.js").Access, lane: number}} now what is shown above
 * @param {(access: import("./trace.js").Access, lane: number) => string} threadOf */
export function elementView(data, trace, now, threadOf) {
  const used = data.arrays.map((array, i) => i).filter(i => data.arrays[i].space !== "local" && trace.some(one => one.array === i));
  const widths = data.arrays.map((_, i) => (trace.find(one => one.array === i) ?? {width: 4}).width);
  const lines = new Set(trace.map(one => one.line)), state = {array: -1, index: 0, drawn: ""};

  const hasWrongValue = data.wrong && !data.wrong.elements.some(one => one.kind.startsWith("race"));

  function choose(array, address) {
    const {size} = formOf(data.arrays[array], widths[array]);
    Object.assign(state, {array, index: Math.floor((address - data.arrays[array].start) / size)});
  }

  function draw() {
    if (state.array < 0) {
      const first = firstElement(data, trace, now().access);
      if (!first || !used.includes(first.array)) return void (byId("one").hidden = true);
      choose(first.array, first.address);
    }
    const array = data.arrays[state.array], {size} = formOf(array, widths[state.array]), {access} = now();
    const address = array.start + state.index * size, only = array.space === "shared" ? access : null;
    offer(byId("of-array"), used.map(i => data.arrays[i].name), used.indexOf(state.array));
    byId("of-index").value = state.index;
    const width = Math.max(240, byId("moments").clientWidth);
    const what = [state.array, state.index, size, width, only ? [only.launch, only.block] : ""].join();
    if (what === state.drawn) return;
    state.drawn = what;
    const moments = momentsOf(trace, state.array, address, size, only), store = [...moments].reverse().find(one => one.access.kind !== "read");
    const isNamed = moment => isNamedBy(data, lines, moment, threadOf);
    const where = only ? `block (${data.blocks[only.block].join(", ")})` : "the recorded blocks";
    const {text, isInside} = placeOf(array, address, size);
    byId("element-said").textContent = `${text}${isInside ? "" : ` (outside of ${array.name})`}: ${moments.length
      ? `${moments.length} access${moments.length === 1 ? "" : "es"} of ${where}` : `no access of ${where}`}` +
      `${moments.length && !store ? "; none of them stores it" : ""}.`;
    show(byId("moments"), ...moments.length ? momentsPicture(data, moments, isNamed, threadOf, width) : []);
    show(byId("element-table"), momentsTable(data, moments, threadOf));
    show(byId("way"), ...store ? [wayBack(data, trace, store, threadOf), ...hasWrongValue ? [h("p", {}, absentText(trace, store))] : []]
      : [besideText(data, trace, state.array, address, size, only, threadOf)]);
  }

  byId("of-array").addEventListener("change", event => {
    Object.assign(state, {array: used[event.target.selectedIndex], index: 0});
    draw();
  });
  byId("of-index").addEventListener("change", event => { state.index = Math.round(Number(event.target.value)) || 0; draw(); });
  byId("of-lane").addEventListener("click", () => {
    const {access, lane} = now(), one = access.lanes.find(it => it.lane === lane) ?? access.lanes[0];
    if (!one || !used.includes(access.array)) return;
    choose(access.array, one.address);
    draw();
  });
  return draw;
}
