import { deepEqual } from "../../api/deep-equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import type { Instant } from "../../api/time.ts";
import { mergeJson } from "../../cluster/apiserver/patch/merge-patch.ts";
import type { StoredJson } from "../../cluster/store/store.ts";
import type { Entry } from "./recording.ts";

// A line is a JSON array whose first member is the time since the cluster began, in milliseconds.
//   [1500, 57, "+", "pods", "default/web", {…}]     created; "=" the same for a change that no merge patch can express
//   [1600, 58, "~", "pods", "default/web", {…}]     changed: a merge patch on what was there
//   [1700, 59, "-", "pods", "default/web"]          deleted
//   [1800, "decision", "replicaset", {…}]
//   [1900, "fault", "conflict", {…}]

/** An entry as one line of text. */
export function lineOf(entry: Entry, start: Instant): string {
  const at = entry.at - start;
  switch (entry.kind) {
    case "decision":
      return JSON.stringify([at, entry.kind, entry.by, entry.what]);
    case "fault":
      return JSON.stringify([at, entry.kind, entry.fault, entry.what]);
    case "revision": {
      const head = [at, entry.revision] as const;
      const tail = [entry.collection, entry.key] as const;
      if (entry.type === "DELETED") return JSON.stringify([...head, "-", ...tail]);
      if (entry.previous === undefined) return JSON.stringify([...head, "+", ...tail, entry.object]);
      const change = mergePatchBetween(entry.previous, entry.object);
      return JSON.stringify(
        change === undefined ? [...head, "=", ...tail, entry.object] : [...head, "~", ...tail, change],
      );
    }
  }
}

/** Reads lines in their order; a reader remembers the objects that later lines change. */
export function lineReader(start: Instant): (line: string) => Entry {
  const objects = new Map<string, StoredJson>();
  return (line) => {
    const [at, second, third, fourth, fifth, sixth] = JSON.parse(line) as readonly unknown[];
    const when = start + Number(at);
    if (typeof second === "string") {
      const what = objectIn(fourth, line);
      return second === "fault"
        ? { kind: "fault", at: when, fault: String(third), what }
        : { kind: "decision", at: when, by: String(third), what };
    }
    const where = { collection: String(fourth), key: String(fifth) };
    const place = `${where.collection} ${where.key}`;
    const previous = objects.get(place);
    const common = { kind: "revision", at: when, revision: Number(second), ...where } as const;
    if (third === "-") {
      if (previous === undefined) throw new Error(`nothing there to delete: ${line}`);
      objects.delete(place);
      return { ...common, type: "DELETED", object: previous, previous };
    }
    const written = objectIn(sixth, line);
    const object = (third === "~" ? mergeJson(previous, written) : written) as StoredJson;
    objects.set(place, object);
    return { ...common, type: previous === undefined ? "ADDED" : "MODIFIED", object, previous };
  };
}

function objectIn(value: unknown, line: string): JsonObject {
  if (!isJsonObject(value)) throw new Error(`not a line of a recording: ${line}`);
  return value;
}

/**
 * What to merge into one object to get the other (RFC 7386); `undefined` when no such patch can say it, because a
 * null in it would be taken for a removal.
 */
export function mergePatchBetween(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const difference: Record<string, Json> = {};
  for (const key of Object.keys(before)) if (after[key] === undefined) difference[key] = null;
  for (const [key, value] of Object.entries(after)) {
    const old = before[key];
    if (value === undefined || value === old || deepEqual(old, value)) continue;
    const change = isJsonObject(old) && isJsonObject(value) ? mergePatchBetween(old, value) : plain(value);
    if (change === undefined) return undefined;
    difference[key] = change;
  }
  return difference;
}

/** Returns a new value, or `undefined` if a null in it would be read as a removal; lists are replaced whole. */
function plain(value: Json): Json | undefined {
  if (value === null) return undefined;
  return isJsonObject(value) && holdsNull(value) ? undefined : value;
}

function holdsNull(value: JsonObject): boolean {
  return Object.values(value).some(
    (member) => member === null || (isJsonObject(member) && holdsNull(member)),
  );
}
