import type { RankedPod } from "./rank-candidates.ts";

/** Limit the Pods that are listed, those that go and those that stay, unless the user asks for all. */
const mostGoing = 50;
const mostStaying = 5;

/** The first of those that go or may go, the last of them, and the first of those that stay. */
export function shortened(candidates: readonly RankedPod[]): readonly RankedPod[] {
  const going = candidates.filter(({ verdict }) => verdict !== "stays");
  const staying = candidates.slice(going.length);
  const shown = going.length > mostGoing ? [...going.slice(0, mostGoing - 1), ...going.slice(-1)] : going;
  return [...shown, ...staying.slice(0, mostStaying)];
}
