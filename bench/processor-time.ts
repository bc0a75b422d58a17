import { existsSync, readFileSync } from "node:fs";

const tickMs = 10;

/** How long a program has run on a processor, as Linux counts it; elsewhere not known. */
export function processorMs({ pid }: { readonly pid: number }): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const [, ...fields] = readFileSync(file, "utf8").split(") ");
  const [user, system] = fields.join(") ").split(" ").slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * tickMs;
}
