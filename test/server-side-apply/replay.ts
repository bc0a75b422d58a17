import type { Json, JsonObject } from "../../src/api/json.ts";
import { decodeObject } from "../../src/api/schema/decode-object.ts";
import { bodyType } from "../../src/api/schema/table.ts";
import { zeroValue } from "../../src/api/schema/zero-value.ts";
import { applyConfiguration } from "../../src/cluster/apiserver/managed-fields/apply-configuration.ts";
import { capUpdaters } from "../../src/cluster/apiserver/managed-fields/cap-updaters.ts";
import { conflictError } from "../../src/cluster/apiserver/managed-fields/conflict-error.ts";
import { createdFields } from "../../src/cluster/apiserver/managed-fields/created-fields.ts";
import { emptySet } from "../../src/cluster/apiserver/managed-fields/field-set.ts";
import { tableSchema } from "../../src/cluster/apiserver/schema/table-schema.ts";
import {
  type FieldsEntry,
  newEntry,
  storedEntries,
  withFields,
} from "../../src/cluster/apiserver/managed-fields/fields-entry.ts";
import { trackUpdate } from "../../src/cluster/apiserver/managed-fields/track-update.ts";

/** A write of a scenario. */
export interface Step {
  readonly op: "apply" | "update";
  readonly manager: string;
  readonly force?: boolean;
  readonly object: JsonObject;
}

/** Writes of several managers to one object. */
export interface Scenario {
  readonly apiVersion: string;
  readonly kind: string;
  readonly steps: readonly Step[];
}

/** What a step leaves behind: an error, or the object and its managed fields without times. */
export type Outcome =
  | { readonly error: string }
  | { readonly managedFields?: readonly JsonObject[]; readonly object: JsonObject };

interface State {
  readonly live: JsonObject | undefined;
  readonly entries: readonly FieldsEntry[];
}

/** Replays a scenario with the functions of the API server, without its defaults, admission and validation. */
export function replay(scenario: Scenario): readonly Outcome[] {
  let state: State = { live: undefined, entries: [] };
  return scenario.steps.map((step) => {
    const outcome = step.op === "apply" ? applied(scenario, state, step) : updated(scenario, state, step);
    if ("error" in outcome) return outcome;
    state = outcome;
    const { uid: _uid, ...metadata } = outcome.live["metadata"] as JsonObject;
    const managedFields = outcome.entries.map(({ time: _time, ...entry }) => entry as unknown as JsonObject);
    const object = { ...outcome.live, metadata };
    return managedFields.length === 0 ? { object } : { managedFields, object };
  });
}

interface Stored extends State {
  readonly live: JsonObject;
}

function typeOf({ apiVersion, kind }: Scenario): string {
  const type = bodyType(apiVersion, kind);
  if (type === undefined) throw new Error(`no type of ${apiVersion} ${kind}`);
  return type;
}

function decoded(scenario: Scenario, value: Json): JsonObject {
  const { apiVersion, kind } = scenario;
  const result = decodeObject(typeOf(scenario), value);
  if (!result.ok) throw new Error(result.error);
  return { ...result.object, apiVersion, kind };
}

/** All steps take place at the same time: entries are ordered by the names of their managers. */
const time = "2026-01-01T00:00:00Z";

function created(scenario: Scenario, manager: string, object: JsonObject): readonly FieldsEntry[] {
  const entry = newEntry({ manager, apiVersion: scenario.apiVersion }, "Update");
  return [withFields(entry, createdFields(tableSchema(typeOf(scenario)), object), time)];
}

function updated(scenario: Scenario, { live, entries }: State, { manager, object }: Step): Stored {
  const next = decoded(scenario, object);
  if (live === undefined) return { live: next, entries: storedEntries(created(scenario, manager, next)) };
  if (entries.length === 0) return { live: next, entries };
  const after = trackUpdate(entries, {
    by: { manager, apiVersion: scenario.apiVersion },
    change: { structure: tableSchema(typeOf(scenario)).trackedStructure, before: live, after: next },
    inVersion: () => undefined,
    time,
  });
  return { live: next, entries: storedEntries(capUpdaters(after)) };
}

function applied(
  scenario: Scenario,
  { live, entries }: State,
  { manager, object, force = false }: Step,
): Stored | { readonly error: string } {
  const { apiVersion, kind } = scenario;
  const structure = tableSchema(typeOf(scenario)).trackedStructure;
  const isFirst = live !== undefined && entries.length === 0;
  const outcome = applyConfiguration({
    by: { manager, apiVersion },
    entries: isFirst ? created(scenario, "before-first-apply", live) : entries,
    structure,
    live: live ?? { apiVersion, kind, ...zeroValue(typeOf(scenario)) },
    configuration: object,
    force,
    time,
    reset: emptySet,
    convert: (each) => ({ structure, object: each }),
  });
  if (!outcome.ok) return { error: conflictError(outcome.conflicts).message };
  return { live: decoded(scenario, outcome.object), entries: storedEntries(outcome.entries) };
}
