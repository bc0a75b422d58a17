import { readFileSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../src/api/message-of.ts";
import { kinds } from "./kinds.ts";

/** What came of one file: how many cases passed, and a line for each that did not. */
export interface FileResult {
  readonly passed: number;
  readonly failures: readonly string[];
}

/** Runs every case of a vector file; a file that cannot be read or has an unknown kind is one failure. */
export function runFile(file: string): FileResult {
  const vectors = readVectors(file);
  if (typeof vectors === "string") return { passed: 0, failures: [`${path.basename(file)}: ${vectors}`] };
  const failures: string[] = [];
  for (const [index, vector] of vectors.cases.entries()) {
    const difference = vectors.check(vector);
    if (difference !== undefined)
      failures.push(`${path.basename(file)}: ${nameOf(vector, index)}: ${difference}`);
  }
  return { passed: vectors.cases.length - failures.length, failures };
}

function readVectors(
  file: string,
): { cases: readonly unknown[]; check: (vector: unknown) => string | undefined } | string {
  let parsed: { kind?: unknown; cases?: unknown };
  try {
    parsed = JSON.parse(readFileSync(file, "utf8")) as typeof parsed;
  } catch (error) {
    return `cannot be read (${messageOf(error)})`;
  }
  const check =
    typeof parsed.kind === "string" && Object.hasOwn(kinds, parsed.kind) ? kinds[parsed.kind] : undefined;
  if (check === undefined)
    return `unknown kind ${JSON.stringify(parsed.kind)}; known: ${Object.keys(kinds).join(", ")}`;
  return Array.isArray(parsed.cases) ? { cases: parsed.cases, check } : "has no cases";
}

function nameOf(vector: unknown, index: number): string {
  const name = (vector as { name?: unknown } | null)?.name;
  return typeof name === "string" ? name : `#${index}`;
}
