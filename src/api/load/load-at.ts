import type { Instant } from "../time.ts";
import type { LoadCurve, LoadMark, MetricLoad } from "./load.ts";

/** When a load is asked for, and when the object that has it was created. */
export interface LoadTime {
  readonly now: Instant;
  readonly createdAt: Instant;
}

/** The value of a load's curve at a time, with its noise. `of` tells the noise of one Pod from that of another. */
export function loadAt({ curve, noise, seed }: MetricLoad, time: LoadTime, of: string): number {
  const value = curveAt(curve, time);
  if (noise === undefined) return value;
  const turn = Math.floor(time.now / noise.everyMs);
  return value * (1 + noise.share * (2 * unitHash(`${seed}/${of}/${turn}`) - 1));
}

/** The value of a curve at a time. */
export function curveAt(curve: LoadCurve, { now, createdAt }: LoadTime): number {
  if (curve.kind === "constant") return curve.value;
  // The epoch began at midnight, so no offset is needed; before its creation an object has the first value.
  const passed = curve.since === "Creation" ? Math.max(0, now - createdAt) : now;
  if (curve.kind === "wave") {
    const turn = (passed - curve.peakAtMs) / curve.periodMs;
    return curve.low + ((curve.high - curve.low) * (1 + Math.cos(2 * Math.PI * turn))) / 2;
  }
  const { kind, marks, everyMs } = curve;
  const at = everyMs === undefined ? passed : ((passed % everyMs) + everyMs) % everyMs;
  return kind === "steps" ? heldAt(marks, at, everyMs) : joinedAt(marks, at, everyMs);
}

function heldAt(marks: readonly LoadMark[], at: number, everyMs: number | undefined): number {
  const before = everyMs === undefined ? marks[0] : marks.at(-1);
  return (marks.findLast(({ atMs }) => atMs <= at) ?? before)?.value ?? 0;
}

function joinedAt(marks: readonly LoadMark[], at: number, everyMs: number | undefined): number {
  const next = marks.findIndex(({ atMs }) => atMs > at);
  const [first, last] = [marks[0], marks.at(-1)];
  if (first === undefined || last === undefined) return 0;
  // At the end of the period the last mark is joined with the first of the next.
  if (next === -1) return everyMs === undefined ? last.value : between(last, later(first, everyMs), at);
  const to = marks[next] ?? first;
  const from = next === 0 ? undefined : marks[next - 1];
  if (from !== undefined) return between(from, to, at);
  return everyMs === undefined ? to.value : between(later(last, -everyMs), to, at);
}

function later({ atMs, value }: LoadMark, byMs: number): LoadMark {
  return { atMs: atMs + byMs, value };
}

function between(from: LoadMark, to: LoadMark, at: number): number {
  return from.value + ((to.value - from.value) * (at - from.atMs)) / (to.atMs - from.atMs);
}

/** Returns the share of a load that one Pod gets, 1 on average. `weight` is the value of its annotation. */
export function shareOf({ distribution, seed }: MetricLoad, pod: string, weight: number): number {
  switch (distribution.kind) {
    case "Even":
      return 1;
    case "ByWeight":
      return weight;
    case "Skewed": {
      const drawn = -Math.log(1 - unitHash(`${seed}/${pod}`));
      return 1 - distribution.skew + distribution.skew * drawn;
    }
  }
}

/** Hashes a text to a number in [0, 1) (FNV-1a with a final mix); the same text always gives the same number. */
function unitHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
