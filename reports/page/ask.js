// A question about the access that is shown: how many sectors or wavefronts it takes, and which lanes share one.

import {byId} from "./dom.js";
import {SECTOR_BYTES, sectorsOf, wavefrontsOf} from "./rules.js";
import {counted, unitOf} from "./trace.js";

/** @typedef {import("./trace.js").Access} Access */

/** Sets up the question; returns what hides an answer while one is asked, to be called after each drawing.
 * @param {() => Access} current @param {() => void} drawAll */
export function asking(current, drawAll) {
  const state = {isOn: false, asked: /** @type {Access | null} */ (null), isAnswered: false};

  byId("ask").addEventListener("click", () => {
    Object.assign(state, {isOn: !state.isOn, asked: null});
    drawAll();
    if (state.isOn) byId("guess").focus();
  });
  byId("question").addEventListener("submit", event => {
    event.preventDefault();
    const access = current(), unit = unitOf(access), guess = Math.round(Number(byId("guess").value));
    state.isAnswered = true;
    drawAll();
    byId("verdict").textContent = `${guess === access.units ? "Right" : "No"}: ${counted(access.units, unit)}. ${why(access)}`;
  });

  return () => {
    const access = current(), isAsked = state.isOn && access.space !== "local";
    if (state.asked !== access) Object.assign(state, {asked: access, isAnswered: false});
    byId("ask").setAttribute("aria-pressed", String(state.isOn));
    byId("question").hidden = !isAsked;
    const isHidden = isAsked && !state.isAnswered;
    for (const id of ["picture", "costs", "said"]) byId(id).classList.toggle("asked", isHidden);
    if (!isAsked) return;
    byId("asked").textContent = `Line ${access.line}: how many ${unitOf(access)}s does this access of ${access.lanes.length} lanes, ` +
      `${access.width} bytes each, take?`;
    if (isHidden) {
      byId("said").textContent = `Line ${access.line}, warp ${access.warp}: answer the question first.`;
      byId("verdict").textContent = byId("guess").value = "";
    }
  };
}

/** @param {Access} access */
function why(access) {
  if (access.space !== "shared")
    return `Its lanes touch ${counted(sectorsOf(access.lanes, access.width).length, "sector")} of ${SECTOR_BYTES} bytes.`;
  const rows = wavefrontsOf(access.lanes, access.width, access.kind).length;
  return rows > 1 ? `${rows} different words lie in one bank, or more bytes are asked for than one wavefront carries.`
    : "No bank has to give two different words.";
}
