// What the warps of one multiprocessor wait for, by the time model.

import {h, s, table} from "./dom.js";

const CLASSES = ["wait0", "wait1", "wait2", "wait3", "wait4"];

/** @param {{gpu: string, shape: string, limiter: string, line: number, gain: number,
 *   waits: {reason: string, what: string, share: number}[]}} time @param {number} width pixels */
export function timePicture(time, width) {
  const parts = [];
  let x = 0;
  time.waits.forEach(({reason, what, share}, i) => {
    const wide = share * width;
    parts.push(s("rect", {class: `wait ${CLASSES[i % CLASSES.length]}`, x, y: 0, width: Math.max(1, wide - 1), height: 28},
      s("title", {}, `${reason}: ${percent(share)}, ${what}`)));
    x += wide;
  });
  const gain = time.gain > 1.05 ? ` Without this limit the kernel would run ${time.gain.toPrecision(2)} times as fast.` : "";
  return [h("p", {}, h("strong", {}, "Modelled, not measured"), ` for ${time.gpu || "the GPU"}, shape ${time.shape}. Its limit: ` +
    `${time.limiter}${time.line ? ` (line ${time.line})` : ""}.${gain}`),
    s("svg", {width, height: 28, viewBox: `0 0 ${width} 28`, "aria-hidden": true}, ...parts),
    table("Share of the warps' time, in the order of the bar", ["reason", "share", "what a warp waits for"],
      time.waits.map(({reason, what, share}) => [reason, percent(share), what]))];
}

function percent(share) { return `${Number((100 * share).toPrecision(2))} %`; }
