// Questions about the access that is shown, answered by a number, or by choosing lanes or sectors.

import {byId, h, show} from "./dom.js";
import {BANKS, LANES, SECTOR_BYTES, WORD_BYTES, lanesText, sectorsOf, wavefrontsOf} from "./rules.js";
import {counted, unitOf} from "./trace.js";

const MOST_CHOICES = 64, ANSWERS = ["picture", "costs", "lane-now", "lanes", "array", "edge"];

/** @typedef {import("./trace.js").Access} Access
 * @typedef {{text: string, choices: string[], right: number[], why: string}} Choice  right: indices of choices */

/** "Which lanes", "which sectors": questions that the access has an answer to. @param {Access} access @param {number} lane asked about
 * @returns {Choice[]} */
function choicesOf(access, lane) {
  const lanes = Array.from({length: LANES}, (_, i) => `${i}`), its = access.lanes.find(one => one.lane === lane);
  if (!its) return [];
  const unitsOf = one => wordsOf(one, access.width).map(word => access.space === "shared" ? (word % BANKS + BANKS) % BANKS
    : Math.floor(word * WORD_BYTES / SECTOR_BYTES));
  const own = new Set(unitsOf(its)), name = access.space === "shared" ? "bank" : "sector";
  const sharers = access.lanes.filter(one => unitsOf(one).some(unit => own.has(unit))).map(one => one.lane);
  const found = [{text: `Choose every lane that touches a ${name} of lane ${lane} (itself too).`, choices: lanes, right: sharers,
    why: `Lane ${lane} touches ${name} ${[...own].join(", ")}, as ${sharers.length === 1 ? "no other lane does" : `lanes ${lanesText(sharers)} do`}.`}];
  const sectors = access.space === "shared" ? [] : sectorsOf(access.lanes, access.width);
  if (sectors.length > 1 && sectors.length <= MOST_CHOICES) {
    const right = sectors.flatMap(({words}, i) => [...words.values()].some(some => some.includes(lane)) ? [i] : []);
    found.push({text: `Choose the sector that lane ${lane} touches; each is given by its first byte.`,
      choices: sectors.map(one => String(one.address)), right,
      why: `Lane ${lane} begins at byte ${its.address}; ${SECTOR_BYTES} bytes are a sector.`});
  }
  return found;
}

function wordsOf({address}, width) {
  const first = Math.floor(address / WORD_BYTES), last = Math.floor((address + width - 1) / WORD_BYTES);
  return Array.from({length: last - first + 1}, (_, i) => first + i);
}

/** Sets up the questions; returns what hides an answer while one is asked, to be called after each drawing.
 * @param {() => Access} current @param {() => void} drawAll */
export function asking(current, drawAll) {
  const state = {isOn: false, asked: /** @type {Access | null} */ (null), number: 0, isAnswered: false,
    question: /** @type {Choice | null} */ (null), chosen: new Set()};

  byId("ask").addEventListener("click", () => {
    Object.assign(state, {isOn: !state.isOn, asked: null});
    drawAll();
    if (state.isOn) focus();
  });
  byId("another").addEventListener("click", () => {
    Object.assign(state, {asked: null, number: state.number + 1});
    drawAll();
    focus();
  });
  byId("question").addEventListener("submit", event => {
    event.preventDefault();
    const access = current(), {question, chosen} = state;
    const isRight = question ? question.right.length === chosen.size && question.right.every(one => chosen.has(one))
      : Math.round(Number(byId("guess").value)) === access.units;
    state.isAnswered = true;
    drawAll();
    byId("verdict").textContent = `${isRight ? "Right" : "No"}: ${question ? question.why
      : `${counted(access.units, unitOf(access))}. ${why(access)}`}`;
  });

  /** The number of units first, then what is to be chosen, of one active lane and another. */
  function ask(access) {
    const lane = access.lanes[(7 * state.number + 5) % access.lanes.length], kinds = [null, ...lane ? choicesOf(access, lane.lane) : []];
    Object.assign(state, {asked: access, isAnswered: false, question: kinds[state.number % kinds.length], chosen: new Set()});
    const {question} = state, unit = unitOf(access);
    byId("asked").textContent = `Line ${access.line}: ` + (question ? question.text
      : `how many ${unit}s does this access of ${access.lanes.length} lanes, ${access.width} bytes each, take?`);
    byId("verdict").textContent = byId("guess").value = "";
    byId("number-of").hidden = Boolean(question);
    byId("guess").required = !question;
    show(byId("choices"), ...question ? question.choices.map(choiceButton) : []);
  }

  function choiceButton(text, i) {
    const button = h("button", {type: "button", "aria-pressed": false, onclick: () => {
      if (!state.chosen.delete(i)) state.chosen.add(i);
      button.setAttribute("aria-pressed", String(state.chosen.has(i)));
    }}, text);
    return button;
  }
  function focus() { (state.question ? byId("choices").querySelector("button") : byId("guess"))?.focus(); }

  return () => {
    const access = current(), isAsked = state.isOn && access.space !== "local";
    byId("ask").setAttribute("aria-pressed", String(state.isOn));
    byId("question").hidden = !isAsked;
    if (isAsked && state.asked !== access) ask(access);
    const isHidden = isAsked && !state.isAnswered;
    for (const id of ["said", ...ANSWERS]) byId(id).classList.toggle("asked", isHidden);
    if (isHidden) byId("said").textContent = `Line ${access.line}, warp ${access.warp}: answer the question first.`;
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
