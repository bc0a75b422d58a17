import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import type { StoredObject } from "../../../api/object.ts";
import { ApiError } from "../api-error.ts";
import type { WatchEvent, WatchQuery } from "../client.ts";
import { dropManagedFields, parseWithoutManagedFields } from "./omit-managed-fields.ts";

export type WatchParsing = Pick<WatchQuery, "withoutManagedFields">;

/** Parses one line of a watch; throws the `ApiError` of an ERROR event, and another error for an invalid line. */
export function parseWatchEvent<T extends StoredObject>(
  line: string,
  { withoutManagedFields = false }: WatchParsing = {},
): WatchEvent<T> {
  const { type, object } = parseLine(line, withoutManagedFields ? parseWithoutManagedFields : JSON.parse);
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

function parseLine(
  line: string,
  parse: (text: string) => unknown,
): { readonly type: unknown; readonly object: JsonObject } {
  let event: unknown;
  try {
    event = parse(line);
  } catch (error) {
    throw new Error("a watch event that is not JSON", { cause: error }); // converts the exception of JSON.parse
  }
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
