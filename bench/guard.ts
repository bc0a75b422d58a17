import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Counts, guardCounts } from "./guard-counts.ts";
import { memoryCounts } from "./guard-memory.ts";
import type { Measure } from "./measure.ts";
import { buildPlayground, transferCounts } from "./playground-transfer.ts";

/** The committed table: what the same run did when it was looked at last. */
export const guardTable = "bench/guard.json";
/** The same of memory, which depends on the version of Node. */
export const memoryTable = "bench/guard-memory.json";

/** Memory is counted by a version of Node; another one is not compared with it. */
interface MemoryTable {
  readonly node: string;
  readonly counts: Counts;
}

/**
 * Compares what a run does, which depends on no machine and no load, with the committed table: a change that makes Pods
 * cost more is seen in review. `npm run bench -- guard --update` writes the table anew.
 */
export async function guard(): Promise<readonly Measure[]> {
  const counts = { ...(await guardCounts()), ...(await playgroundCounts()) };
  const memory = memoryCounts();
  if (process.argv.includes("--update")) {
    write(guardTable, counts);
    write(memoryTable, { node: nodeMajor, counts: memory } satisfies MemoryTable);
  }
  const known = { ...readGuardTable(), ...readMemoryTable() };
  const differences = [
    ...guardDifferences(counts, readGuardTable()),
    ...memoryDifferences(memory, readMemoryTable()),
  ];
  for (const difference of differences) console.error(difference);
  if (differences.length > 0) process.exitCode = 1;
  return Object.entries({ ...counts, ...memory }).map(([what, value]) => ({
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

const nodeMajor = process.versions.node.split(".")[0] ?? "";

const write = (file: string, table: object): void =>
  writeFileSync(file, `${JSON.stringify(table, null, 2)}\n`);

/** Empty where the table is of another version of Node. */
export function readMemoryTable(): Counts {
  if (!existsSync(memoryTable)) return {};
  const { node, counts } = JSON.parse(readFileSync(memoryTable, "utf8")) as MemoryTable;
  return node === nodeMajor ? counts : {};
}

/** A patch release of Node may lay a few objects out otherwise; runs of one differ by less than a thousandth. */
const memoryTolerance = 0.02;

/** Each count of memory that differs by more than chance from the one of the table, as a sentence. */
export function memoryDifferences(counts: Counts, known: Counts): readonly string[] {
  return Object.entries(known).flatMap(([name, before]) => {
    const now = counts[name] ?? 0;
    return Math.abs(now - before) <= before * memoryTolerance
      ? []
      : [`${name}: ${now}, in ${memoryTable} ${before}`];
  });
}

/** Each count that is not the one of the table, as a sentence. */
export function guardDifferences(counts: Counts, known: Counts): readonly string[] {
  const names = [...new Set([...Object.keys(known), ...Object.keys(counts)])];
  return names.flatMap((name) => {
    const [before = 0, now = 0] = [known[name], counts[name]];
    return before === now ? [] : [`${name}: ${now}, in ${guardTable} ${before}`];
  });
}
