import { expect } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import type { Shell } from "./shell.ts";

/** Runs a command that has to work and gives what it prints. */
export async function output(shell: Shell, words: string, input?: string): Promise<string> {
  const { code, out, err } = await shell.run(words, { input });
  expect(`${code} ${err}`, `kubectl ${words}`).toMatch(/^0 /);
  return out;
}

/** The one object a command prints as JSON; `get -f` makes a list even of one. */
export async function printedObject(shell: Shell, words: string, input?: string): Promise<JsonObject> {
  const printed = JSON.parse(await output(shell, words, input)) as JsonObject;
  const { kind, items } = printed as { kind?: string; items?: readonly JsonObject[] };
  return kind === "List" && items?.length === 1 ? (items[0] ?? printed) : printed;
}

const ofTheServer = new Set(["uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"]);

/** An object without what a server makes up for each, and without what controllers say about it. */
export function withoutServerFields(object: JsonObject): JsonObject {
  const { status: _status, metadata, ...rest } = object;
  const own = Object.entries(metadata as JsonObject).filter(([name]) => !ofTheServer.has(name));
  return { ...rest, metadata: Object.fromEntries(own) };
}

/** The one body that kubectl sent, from what it logs with `-v=10`. */
export function loggedBody(log: string): string {
  const [found, ...more] = log.matchAll(/Request Body(?:: (\{.*)|" body=("\{.*"))$/gm);
  if (found === undefined || more.length > 0) throw new Error(`not one request with a body in ${log}`);
  const [, plain, quoted = '""'] = found;
  return plain ?? (JSON.parse(quoted) as string);
}
