// Of a page that `check --watch --page` serves: loads itself again when there is a new version, and opens it where the
// reader was.

import {byId} from "./dom.js";

const POLL_MS = 700, KEY = "warpgrade";

/** @typedef {{line: number, turn: number, warp: number, block: number[], launch: number}} Place of the reader */

/** @returns {Place | null} where the reader was before the page was loaded again */
export function placeBefore() {
  if (!isServed()) return null;
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

/** @param {() => Place} now */
export function follow(now) {
  if (!isServed()) return;
  const version = Number(document.body.dataset.version);
  const note = byId("served");
  const ask = async () => {
    try {
      const answer = await (await fetch("version", {cache: "no-store"})).json();
      note.textContent = answer.note;
      if (answer.version !== version) {
        sessionStorage.setItem(KEY, JSON.stringify(now()));
        location.reload();
        return;
      }
    } catch {
      note.textContent = "The terminal that this page comes from has ended.";
    }
    setTimeout(ask, POLL_MS);
  };
  ask();
}

function isServed() { return "version" in document.body.dataset; }
