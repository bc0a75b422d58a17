import { expect } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import type { Shell } from "./shell.ts";

/** Runs a command that has to succeed and returns its output. */
export async function output(shell: Shell, words: string, input?: string): Promise<string> {
  const { code, out, err } = await shell.run(words, { input });
  expect(`${code} ${err}`, `kubectl ${words}`).toMatch(/^0 /);
  return out;
}

/** The object that a command prints as JSON; `get -f` prints a list even of one. */
export async function printedObject(shell: Shell, words: string, input?: string): Promise<JsonObject> {
  const printed = JSON.parse(await output(shell, words, input)) as JsonObject;
  const { kind, items } = printed as { kind?: string; items?: readonly JsonObject[] };
  return kind === "List" && items?.length === 1 ? (items[0] ?? printed) : printed;
}

const systemFields = new Set(["uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"]);

/** The object without system fields and status. */
export function withoutServerFields(object: JsonObject): JsonObject {
  const { status: _status, metadata, ...rest } = object;
  const own = Object.entries(metadata as JsonObject).filter(([name]) => !systemFields.has(name));
  return { ...rest, metadata: Object.fromEntries(own) };
}

/** The body of kubectl's only request that has one, from its log with `-v=10`. */
export function loggedBody(log: string): string {
  const [found, ...more] = log.matchAll(/Request Body(?:: (\{.*)|" body=("\{.*"))$/gm);
  if (found === undefined || more.length > 0) throw new Error(`not one request with a body in ${log}`);
  const [, plain, quoted = '""'] = found;
  return plain ?? (JSON.parse(quoted) as string);
}
