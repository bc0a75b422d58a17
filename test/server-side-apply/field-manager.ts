import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Json } from "../../src/api/json.ts";
import type { Outcome, Scenario } from "./replay.ts";

const run = promisify(execFile);
const source = fileURLToPath(new URL("field-manager", import.meta.url));

/** Errors of a machine without a Go that is new enough, or without its modules. */
const unavailable =
  /ENOENT|requires go >=|toolchain not available|dial tcp|i\/o timeout|module lookup disabled/;

/** Builds the program that replays scenarios on Kubernetes' own field manager; `undefined` where there is no Go. */
export async function buildFieldManager(folder: string): Promise<string | undefined> {
  const program = path.join(folder, "field-manager");
  try {
    await run("go", ["build", "-o", program, "."], { cwd: source });
    return program;
  } catch (error) {
    if (!(error instanceof Error) || !unavailable.test(error.message)) throw error;
    return undefined;
  }
}

/** What the program makes of scenarios. */
export async function replayedBy(
  program: string,
  scenarios: readonly Scenario[],
): Promise<readonly (readonly Outcome[])[]> {
  const child = run(program, { maxBuffer: 2 ** 28 });
  child.child.stdin?.end(scenarios.map((scenario) => JSON.stringify(scenario)).join("\n"));
  const { stdout } = await child;
  return stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as readonly Outcome[]).map(normalized));
}

/**
 * An outcome without what differs for other reasons than field management: the UID, the order of managers of
 * different seconds, and nulls and empty lists that only one of the decoders writes.
 */
export function normalized(outcome: Outcome): Outcome {
  if ("error" in outcome) return outcome;
  const { managedFields = [], object } = JSON.parse(JSON.stringify(outcome)) as typeof outcome;
  const texts = managedFields.map((entry) => JSON.stringify(entry)).sort();
  const { uid: _uid, ...metadata } = object["metadata"] as { readonly uid?: string };
  return {
    managedFields: texts.map((text) => JSON.parse(text) as { [key: string]: Json }),
    object: withoutEmpty({ ...object, metadata }) as { [key: string]: Json },
  };
}

function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => !isNothing(member));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutEmpty(member ?? null)]));
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
