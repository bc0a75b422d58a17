import type { Json, JsonObject } from "../../../../api/json.ts";
import type { Conversion } from "../../served-resource.ts";

/** The names of fields in `events.k8s.io/v1` by their names in core events; the other fields have the same name. */
const names: readonly (readonly [core: string, newer: string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["reportingComponent", "reportingController"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
];

const toNewer = new Map(names);
const toCore = new Map(names.map(([core, newer]) => [newer, core]));

/** Converts Events, which are stored as core events; `events.k8s.io` has other names for the same fields. */
export const eventConversion: Conversion = {
  toStorage: (event) => ({ ...renamed(event, toCore), apiVersion: "v1" }),
  fromStorage: (event) => ({ ...renamed(event, toNewer), apiVersion: "events.k8s.io/v1" }),
};

function renamed(object: JsonObject, nameOf: ReadonlyMap<string, string>): JsonObject {
  const result: Record<string, Json | undefined> = {};
  for (const [name, value] of Object.entries(object)) result[nameOf.get(name) ?? name] = value;
  return result;
}
