import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import type { StoredObject } from "../../../api/object.ts";
import { ApiError } from "../api-error.ts";
import type { WatchEvent } from "../client.ts";
import { LineSplitter } from "./line-splitter.ts";

// Far larger than any object an API server accepts.
const longestLine = 64 * 1024 * 1024;

/** The body of a watch; destroying it closes the connection. */
export type WatchBody = AsyncIterable<Uint8Array> & { destroy(): unknown };

/**
 * Reads a watch only as fast as its consumer, so that backpressure reaches the server. Errors of the connection pass
 * through `failure`; leaving the loop early closes the connection.
 */
export async function* readWatchEvents<T extends StoredObject>(
  body: WatchBody,
  failure: (error: unknown) => unknown,
): AsyncGenerator<WatchEvent<T>> {
  const lines = new LineSplitter(longestLine);
  try {
    for await (const chunk of body) for (const line of lines.push(chunk)) yield parseWatchEvent<T>(line);
    const last = lines.rest();
    if (last !== "") yield parseWatchEvent<T>(last);
  } catch (error) {
    throw failure(error);
  } finally {
    body.destroy();
  }
}

/** Parses one line of a watch; throws the `ApiError` of an ERROR event, and another error for an invalid line. */
export function parseWatchEvent<T extends StoredObject>(line: string): WatchEvent<T> {
  const { type, object } = parseLine(line);
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return { type, object: object as unknown as T };
    case "BOOKMARK":
      return bookmarkOf(object as unknown as StoredObject);
    case "ERROR":
      throw new ApiError(object);
    default:
      throw new Error(`a watch event of unknown type ${JSON.stringify(type)}`);
  }
}

function parseLine(line: string): { readonly type: unknown; readonly object: JsonObject } {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch (error) {
    throw new Error("a watch event that is not JSON", { cause: error });
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
