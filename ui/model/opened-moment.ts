import { readSnapshot } from "../../src/simulation/snapshot/read-snapshot.ts";
import type { Snapshot } from "../../src/simulation/snapshot/snapshot.ts";

/** A saved moment, or what is wrong with its file. */
export type OpenedMoment =
  | { readonly ok: true; readonly snapshot: Snapshot }
  | { readonly ok: false; readonly problem: string };

/** Reads the file of a moment, which anyone may have made; never throws. */
export function openMoment(text: string, file: string): OpenedMoment {
  const read = readSnapshot(text, file);
  if (read.ok) return read;
  const [first = "it is no snapshot", ...others] = read.problems;
  const more = others.length === 0 ? "" : ` (and ${others.length} more mistakes)`;
  return { ok: false, problem: `${first}${more}` };
}
