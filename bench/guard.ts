import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Counts, guardCounts } from "./guard-counts.ts";
import type { Measure } from "./measure.ts";
import { buildPlayground, transferCounts } from "./playground-transfer.ts";

/** The committed table: what the same run did when it was looked at last. */
export const guardTable = "bench/guard.json";

/**
 * Compares what a run does, which depends on no machine and no load, with the committed table: a change that makes Pods
 * cost more is seen in review. `npm run bench -- guard --update` writes the table anew.
 */
export async function guard(): Promise<readonly Measure[]> {
  const counts = { ...(await guardCounts()), ...(await playgroundCounts()) };
  if (process.argv.includes("--update")) writeFileSync(guardTable, `${JSON.stringify(counts, null, 2)}\n`);
  const known = readGuardTable();
  const differences = guardDifferences(counts, known);
  for (const difference of differences) console.error(difference);
  if (differences.length > 0) process.exitCode = 1;
  return Object.entries(counts).map(([what, value]) => ({
    what,
    value,
    unit: what.includes("kB") ? "kB" : "writes",
    ...(known[what] === undefined ? {} : { bar: known[what] }),
  }));
}

async function playgroundCounts(): Promise<Counts> {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-playground-"));
  await buildPlayground(folder);
  const counts = transferCounts(folder);
  rmSync(folder, { recursive: true });
  return counts;
}

/** The counts of a table that begin like this. */
export const countsOf = (counts: Counts, beginning: RegExp): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => beginning.test(name)));

export function readGuardTable(): Counts {
  return existsSync(guardTable) ? (JSON.parse(readFileSync(guardTable, "utf8")) as Counts) : {};
}

/** Each count that is not the one of the table, as a sentence. */
export function guardDifferences(counts: Counts, known: Counts): readonly string[] {
  const names = [...new Set([...Object.keys(known), ...Object.keys(counts)])];
  return names.flatMap((name) => {
    const [before = 0, now = 0] = [known[name], counts[name]];
    return before === now ? [] : [`${name}: ${now}, in ${guardTable} ${before}`];
  });
}
