import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import type { OutgoingRequest } from "../../machinery/client/http/request.ts";
import type { ResponseHead, TransportResponse } from "../../machinery/client/http/transport.ts";
import type { KubectlIo } from "../kubectl-io.ts";
import { type ApiResource, readDiscovery } from "./discovery.ts";

/** Parameters of a request; those without a value are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The API server, as commands use it. Throws an `ApiError` for what it refuses. */
export interface Server {
  readonly get: (path: string, query?: Query, accept?: string) => Promise<JsonObject>;
  readonly text: (path: string, query?: Query) => Promise<string>;
  readonly stream: (path: string, query: Query, accept?: string) => Promise<TransportResponse>;
  readonly send: (request: OutgoingRequest, query?: Query) => Promise<JsonObject>;
  /** Every resource that is served, the preferred version of each group first; asked for once. */
  readonly resources: () => Promise<readonly ApiResource[]>;
  /** The same server, with requests that a signal ends. */
  readonly within: (signal: AbortSignal) => Server;
}

/** Warnings of the server are printed once each. */
export function serverOf(io: KubectlIo): Server {
  return serverWithin(io, new Set());
}

function serverWithin(io: KubectlIo, printed: Set<string>): Server {
  const warn = (texts: readonly string[]) => {
    for (const text of texts) {
      if (printed.has(text)) continue;
      printed.add(text);
      io.err(`Warning: ${text}\n`);
    }
  };
  const open = async (request: OutgoingRequest): Promise<TransportResponse> => {
    try {
      const answer = await io.open(request, io.signal);
      warn(warningsOf(answer));
      return answer;
    } catch (error) {
      if (error instanceof ApiError) warn(error.warnings);
      throw error;
    }
  };
  const json = async (request: OutgoingRequest) => objectIn(await (await open(request)).body.text());
  const get = (path: string, query: Query = {}, accept?: string) =>
    json(reading(path + search(query), accept));
  let resources: Promise<readonly ApiResource[]> | undefined;
  return {
    get,
    text: async (path, query = {}) => (await open(reading(path + search(query)))).body.text(),
    stream: (path, query, accept) => open(reading(path + search(query), accept)),
    send: (request, query = {}) => json({ ...request, path: request.path + search(query) }),
    within: (signal) => serverWithin({ ...io, signal }, printed),
    resources: () => (resources ??= readDiscovery((path, accept) => get(path, {}, accept))),
  };
}

function reading(path: string, accept?: string): OutgoingRequest {
  return { method: "GET", path, ...(accept !== undefined && { accept }) };
}

function search(query: Query): string {
  const pairs = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) pairs.set(key, String(value));
  return pairs.size === 0 ? "" : `?${pairs.toString()}`;
}

function objectIn(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error("the server did not answer with an object");
  return value;
}

/** The texts of `Warning` headers: `299 - "text"`. */
function warningsOf(answer: ResponseHead): readonly string[] {
  const header = answer.header("warning") ?? "";
  return [...header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) =>
    text.replaceAll(/\\(.)/g, "$1"),
  );
}
