// What the warps of one multiprocessor wait for, by the time model.

import {byId, h, s, show, table} from "./dom.js";
import {timeLine} from "./time_line.js";

const CLASSES = 9;  // wait0 to wait8: as many as the model has reasons

/** @typedef {{gpu: string, shape: string, limiter: string, line: number, gain: number,
 *   waits: {reason: string, what: string, share: number}[], timeLine: import("./time_line.js").TimeLine | null}} Time */

/** Sets up the section. @param {Time} time */
export function timeView(time) {
  const classOf = new Map(time.waits.map(({reason}, i) => [reason, `wait${i % CLASSES}`]));
  const draw = () => show(byId("waits"), ...timePicture(time, classOf, Math.max(240, byId("waits").clientWidth)));
  byId("time").hidden = false;
  draw();
  addEventListener("resize", draw);
  byId("line").hidden = !time.timeLine;
  if (time.timeLine) timeLine(time.timeLine, classOf);
}

function timePicture(time, classOf, width) {
  const parts = [];
  let x = 0;
  for (const {reason, what, share} of time.waits) {
    const wide = share * width;
    parts.push(s("rect", {class: classOf.get(reason), x, y: 0, width: Math.max(1, wide - 1), height: 28},
      s("title", {}, `${reason}: ${percent(share)}, ${what}`)));
    x += wide;
  }
  const gain = time.gain > 1.05 ? ` Without this limit the kernel would run ${time.gain.toPrecision(2)} times as fast.` : "";
  const rows = table("Share of the warps' time, in the order of the bar", ["reason", "share", "what a warp waits for"],
    time.waits.map(({reason, what, share}) => [reason, percent(share), what]));
  rows.querySelectorAll("tbody th").forEach((cell, i) => cell.prepend(
    s("svg", {class: "key", width: 12, height: 12, "aria-hidden": true}, s("rect", {class: classOf.get(time.waits[i].reason), width: 12, height: 12}))));
  return [h("p", {}, h("strong", {}, "Modelled, not measured"), ` for ${time.gpu || "the GPU"}, shape ${time.shape}. Its limit: ` +
    `${time.limiter}${time.line ? ` (line ${time.line})` : ""}.${gain}`),
    s("svg", {width, height: 28, viewBox: `0 0 ${width} 28`, "aria-hidden": true}, ...parts), rows];
}

function percent(share) { return `${Number((100 * share).toPrecision(2))} %`; }
