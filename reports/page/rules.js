// What one access of a warp costs, by the rule of the counters (grader/vgpu/ops/access.hpp; a test holds the two equal).

export const SECTOR_BYTES = 32, WORD_BYTES = 4, BANKS = 32, LANES = 32;

/** @typedef {{lane: number, address: number}} Lane  an active lane, and the first byte that it touches */
/** @typedef {Map<number, number[]>} Words  lanes by index of the 4-byte word */

/** Sectors that the lanes touch, ascending, and in each the words with their lanes.
 * @param {Lane[]} lanes @param {number} width bytes of each lane
 * @returns {{address: number, words: Words}[]} */
export function sectorsOf(lanes, width) {
  const found = new Map();
  for (const {lane, address} of lanes) {
    for (const word of wordsAt(address, width)) {
      const sector = Math.floor(word * WORD_BYTES / SECTOR_BYTES) * SECTOR_BYTES;
      if (!found.has(sector)) found.set(sector, new Map());
      add(found.get(sector), word, lane);
    }
  }
  return [...found].sort((a, b) => a[0] - b[0]).map(([address, words]) => ({address, words}));
}

/** Wavefronts of an access to shared memory: in each, by bank, the word and its lanes. Up to 4 bytes a lane the warp goes
 * at once; 8 bytes go in halves and 16 in quarters, of which loads join two where the lanes of a pair want the same.
 * @param {Lane[]} lanes @param {number} width @param {string} kind "read", "write" or "atomic"
 * @returns {Map<number, {word: number, lanes: number[]}>[]} */
export function wavefrontsOf(lanes, width, kind) {
  const parts = Math.max(1, width / WORD_BYTES);
  const joined = kind === "read" && parts > 1 && (pairsAgree(lanes, 1) || pairsAgree(lanes, 2)) ? 2 : 1;
  const each = LANES / parts * joined, found = [];
  for (let first = 0; first < LANES; first += each) {
    const columns = Array.from({length: BANKS}, () => []);
    for (const {lane, address} of lanes.filter(one => one.lane >= first && one.lane < first + each)) {
      for (const word of wordsAt(address, width)) {
        const column = columns[(word % BANKS + BANKS) % BANKS];
        // Atomic operations of up to 4 bytes on one word are done one after the other.
        const same = kind === "atomic" && parts === 1 ? undefined : column.find(one => one.word === word);
        if (same) same.lanes.push(lane);
        else column.push({word, lanes: [lane]});
      }
    }
    const deepest = Math.max(...columns.map(column => column.length));
    for (let row = 0; row < deepest; ++row)
      found.push(new Map(columns.flatMap((column, bank) => row < column.length ? [[bank, column[row]]] : [])));
  }
  return found;
}

/** Different bytes that the lanes want. @param {Lane[]} lanes @param {number} width */
export function bytesOf(lanes, width) {
  return new Set(lanes.flatMap(({address}) => Array.from({length: width}, (_, i) => address + i))).size;
}

/** Bytes that lanes touch when each takes an element of an array with this pitch.
 * @param {{lane: number, row: number, column: number}[]} places @param {number} pitch elements @param {number} size bytes
 * @returns {Lane[]} */
export function placed(places, pitch, size) {
  return places.map(({lane, row, column}) => ({lane, address: (row * pitch + column) * size}));
}

/** [0, 1, 2, 5] -> "0–2, 5" @param {number[]} lanes */
export function lanesText(lanes) {
  const runs = [];
  for (const lane of [...lanes].sort((a, b) => a - b)) {
    const last = runs[runs.length - 1];
    if (last && last[1] === lane - 1) last[1] = lane;
    else if (!last || last[1] !== lane) runs.push([lane, lane]);
  }
  return runs.map(([a, b]) => a === b ? `${a}` : `${a}–${b}`).join(", ");
}

function wordsAt(address, width) {
  const words = [];
  for (let word = Math.floor(address / WORD_BYTES); word * WORD_BYTES < address + width; ++word) words.push(word);
  return words;
}

function pairsAgree(lanes, distance) {
  const by = new Map(lanes.map(({lane, address}) => [lane, address]));
  return lanes.every(({lane, address}) => !by.has(lane ^ distance) || by.get(lane ^ distance) === address);
}

function add(words, word, lane) {
  if (words.has(word)) words.get(word).push(lane);
  else words.set(word, [lane]);
}
