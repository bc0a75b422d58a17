import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import type { StoredObject } from "../../../api/object.ts";
import { ApiError } from "../api-error.ts";
import type { WatchEvent, WatchQuery } from "../client.ts";
import { cutManagedFields, dropManagedFields } from "./omit-managed-fields.ts";

export type WatchParsing = Pick<WatchQuery, "withoutManagedFields">;

/** Parses one line of a watch; throws the `ApiError` of an ERROR event, and another error for an invalid line. */
export function parseWatchEvent<T extends StoredObject>(
  line: string,
  { withoutManagedFields = false }: WatchParsing = {},
): WatchEvent<T> {
  const { type, object } = (withoutManagedFields ? parseTrimmed(line) : undefined) ?? parseLine(line);
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED": {
      const whole = object as unknown as T;
      return { type, object: withoutManagedFields ? dropManagedFields(whole) : whole };
    }
    case "BOOKMARK":
      return bookmarkOf(object as unknown as StoredObject);
    case "ERROR":
      throw new ApiError(object);
    default:
      throw new Error(`a watch event of unknown type ${JSON.stringify(type)}`);
  }
}

interface ParsedLine {
  readonly type: unknown;
  readonly object: JsonObject;
}

/** The event of a line without the managed fields, which are up to half of it, if they can be cut out. */
function parseTrimmed(line: string): ParsedLine | undefined {
  const trimmed = cutManagedFields(line);
  if (trimmed === undefined) return undefined;
  const event = parseJson(trimmed);
  return event.ok ? objectIn(event.value) : undefined;
}

function parseLine(line: string): ParsedLine {
  const event = parseJson(line);
  if (!event.ok) throw new Error("a watch event that is not JSON", { cause: event.error });
  return objectIn(event.value);
}

type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

function parseJson(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, error };
  }
}

function objectIn(event: unknown): ParsedLine {
  if (!isJsonObject(event) || !isJsonObject(event["object"]))
    throw new Error("a watch event without an object");
  return { type: event["type"], object: event["object"] };
}

function bookmarkOf({ metadata }: StoredObject): WatchEvent<never> {
  return {
    type: "BOOKMARK",
    resourceVersion: metadata.resourceVersion,
    initialEventsEnd: metadata.annotations?.["k8s.io/initial-events-end"] === "true",
  };
}
