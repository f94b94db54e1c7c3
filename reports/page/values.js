// What lanes read and stored, as text.

/** @typedef {import("./trace.js").Access} Access */

const READERS = {
  f64: [8, (view, at) => view.getFloat64(at, true)], f32: [4, (view, at) => Number(view.getFloat32(at, true).toPrecision(7))],
  i64: [8, (view, at) => view.getBigInt64(at, true)], u64: [8, (view, at) => view.getBigUint64(at, true)],
  i32: [4, (view, at) => view.getInt32(at, true)], u32: [4, (view, at) => view.getUint32(at, true)],
  i16: [2, (view, at) => view.getInt16(at, true)], u16: [2, (view, at) => view.getUint16(at, true)],
  i8: [1, (view, at) => view.getInt8(at)], u8: [1, (view, at) => view.getUint8(at)],
};
const UNWRITTEN = 0xCD;  // each byte of shared memory that no thread has stored to (grader/vgpu/vgpu.hpp)

/** Of one lane: "0.5"; of vectors "(1, 2)"; bytes in hexadecimal where the type is not known. "": nothing was recorded.
 * @param {Access} access @param {number} lane @param {{type: string, space: string, start: number, bytes: number} | undefined} array */
export function valueOf(access, lane, array) {
  const bytes = bytesOfLane(access, lane, array);
  if (!bytes) return "";
  const [size, read] = READERS[array.type] ?? [0, null], view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (isUnwritten(access, lane, array)) return "nothing stored yet";
  if (!read || bytes.length % size) return `0x${[...bytes].reverse().map(byte => byte.toString(16).padStart(2, "0")).join("")}`;
  const parts = Array.from({length: bytes.length / size}, (_, i) => String(read(view, i * size)));
  return parts.length === 1 ? parts[0] : `(${parts.join(", ")})`;
}

/** Whether a lane reads shared memory that no thread has stored to. */
export function isUnwritten(access, lane, array) {
  if (access.kind !== "read" || access.space !== "shared") return false;
  const bytes = bytesOfLane(access, lane, array);
  return Boolean(bytes) && bytes.every(byte => byte === UNWRITTEN);
}

/** " = 0.5", or nothing. */
export function equals(access, lane, array) {
  const text = valueOf(access, lane, array);
  return text ? ` = ${text}` : "";
}

function bytesOfLane(access, lane, array) {
  const at = access.lanes.findIndex(one => one.lane === lane);
  if (!access.packedValues || at < 0 || !array) return null;
  const {address} = access.lanes[at];  // what a load outside of its array gets is no value
  if (access.kind === "read" && array.bytes && (address < array.start || address >= array.start + array.bytes)) return null;
  access.values ??= Uint8Array.from(atob(access.packedValues), sign => sign.charCodeAt(0));
  return access.values.subarray(at * access.width, (at + 1) * access.width);
}
