import type { JsonObject } from "../../api/json.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import type { Context } from "../context.ts";
import type { Query } from "./server.ts";

/** An event of a watch as the server sends it. */
export interface WatchedEvent {
  readonly type: string;
  readonly object: JsonObject;
}

export interface WatchedCollection {
  readonly path: string;
  readonly query: Query;
  readonly accept?: string | undefined;
}

/** The events of a watch until the server or the signal of the command ends it; throws an `ApiError` for one that failed. */
export async function* watchEvents(
  { server, io }: Pick<Context, "server" | "io">,
  { path, query, accept }: WatchedCollection,
): AsyncGenerator<WatchedEvent> {
  const { body } = await server.stream(path, { ...query, watch: "true" }, accept);
  try {
    for await (const line of linesOf(body)) if (line !== "") yield eventOf(line);
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    body.destroy();
  }
}

/** The lines of a body as they come. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

function eventOf(line: string): WatchedEvent {
  const event = JSON.parse(line) as WatchedEvent;
  if (event.type === "ERROR") throw new ApiError(event.object);
  return event;
}
