import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import type { JsonObject } from "../../api/json.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { silentLogger } from "../../machinery/log/logger.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { deepFreeze } from "../../testing/deep-freeze.ts";
import { MemoryStore, type MemoryStoreOptions } from "../store/memory-store.ts";
import { type ApiServer, type ApiServerOptions, createApiServer } from "./create-api-server.ts";
import { requestInfoOf, verbOf } from "./http/request/request-info.ts";
import { isWatch, requestOptionsOf } from "./http/request/request-options.ts";
import type { ApiRequest } from "./request/api-request.ts";
import type { ApiResponse } from "./request/api-response.ts";
import type { ServedWatchEvent } from "./watch/served-watch-event.ts";
import type { WatchEvents } from "./watch/watch-stream.ts";

/** A response as a client gets it. */
export interface ResponseSummary {
  readonly code: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
}

/** JSON, or a text or bytes that are sent unchanged. */
type Body = JsonObject | readonly JsonObject[] | string | Uint8Array;

export interface TestApiServer {
  readonly clock: VirtualClock;
  readonly store: MemoryStore;
  readonly server: ApiServer;
  readonly client: Client;
  /** Sends `METHOD /path?query`. */
  readonly request: (what: string, body?: Body, contentType?: string) => Promise<ResponseSummary>;
  /** Opens a watch at `/path?query`. */
  readonly watch: (path: string) => Promise<WatchEvents>;
}

const testUser = { name: "tester", groups: ["system:masters", "system:authenticated"] };

/** Starts an API server with the namespace `default`, frozen objects and a virtual clock. */
export async function startTestApiServer(
  options: Partial<ApiServerOptions> & {
    readonly history?: MemoryStoreOptions["history"];
    readonly switches?: Partial<FeatureGates>;
    readonly startAt?: number;
  } = {},
): Promise<TestApiServer> {
  const { history, switches, startAt, ...serverOptions } = options;
  const clock = new VirtualClock(startAt);
  const store = new MemoryStore({
    clock,
    transformObject: deepFreeze,
    ...(history !== undefined && { history }),
  });
  const server = createApiServer({
    clock,
    random: seededRandom("server"),
    store,
    gates: () => ({ ...defaultFeatureGates, ...switches }),
    log: silentLogger,
    token: "secret",
    ...serverOptions,
  });
  const fixture: TestApiServer = {
    clock,
    store,
    server,
    client: server.client,
    async request(what, body, contentType) {
      try {
        return summaryOf(await server.requestHandler.handle(requestOf(server, what, { body, contentType })));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { code: error.code, body: error.status as JsonObject, warnings: error.warnings };
      }
    },
    async watch(path) {
      const response = await server.requestHandler.handle(requestOf(server, `GET ${path}`, {}));
      if (response.kind !== "watch") throw new Error(`not a watch but a ${response.kind}`);
      return response.stream;
    },
  };
  await fixture.request("POST /api/v1/namespaces", { metadata: { name: "default" } });
  await fixture.request("POST /api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
  return fixture;
}

interface Sent {
  readonly body?: Body | undefined;
  readonly contentType?: string | undefined;
}

function requestOf(server: ApiServer, what: string, { body, contentType }: Sent): ApiRequest {
  const [method = "", target = ""] = what.split(" ");
  const url = new URL(target, "https://localhost");
  const info = requestInfoOf(url.pathname);
  if (info.to !== "resource") throw new Error(`${target} is no resource`);
  const { group, version, plural, to: _to, ...names } = info;
  const resource = server.kinds.find(group, version, plural);
  const verb = verbOf(method, names.name !== undefined, isWatch(url.searchParams));
  if (resource === undefined || verb === undefined) throw new Error(`no resource serves ${what}`);
  const sent = body && { form: "bytes", contentType: contentType ?? "", bytes: bytesOf(body) };
  return {
    ...names,
    verb,
    resource,
    options: requestOptionsOf(url.searchParams),
    user: testUser,
    ...(sent && { [verb === "patch" ? "patch" : "body"]: sent }),
  };
}

function bytesOf(body: Body): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function summaryOf(answer: ApiResponse): ResponseSummary {
  const { warnings = [] } = answer;
  switch (answer.kind) {
    case "object":
      return { code: answer.code, body: answer.item.object, warnings };
    case "value":
      return { code: answer.code, body: answer.value, warnings };
    case "status":
      return { code: answer.code, body: answer.status as JsonObject, warnings };
    case "list": {
      const items = answer.items.map(({ object }) => object);
      return { code: 200, body: { metadata: answer.metadata as JsonObject, items }, warnings };
    }
    case "text":
      return { code: 200, body: { text: answer.text }, warnings };
    case "raw":
      return { code: answer.code, body: { text: Buffer.from(answer.bytes).toString() }, warnings };
    case "text-stream":
      return { code: 200, body: { follows: true }, warnings };
    case "watch":
      throw new Error("a watch has no body: use watch()");
  }
}

/** The names of a list's items. */
export function namesIn({ body }: ResponseSummary): readonly string[] {
  return (body["items"] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
}

/** The pending events of a watch in short: `ADDED a`, `BOOKMARK 7`, `ERROR 410`. */
export function pendingEvents(stream: WatchEvents): readonly string[] {
  const events: ServedWatchEvent[] = [];
  while (stream.hasPending) events.push(...stream.take(Infinity));
  return events.map(brief);
}

function brief(event: ServedWatchEvent): string {
  switch (event.type) {
    case "BOOKMARK":
      return `BOOKMARK ${event.revision}${event.initialEventsEnd ? " (end of initial events)" : ""}`;
    case "ERROR":
      return `ERROR ${event.status.code}`;
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return `${event.type} ${event.item.object.metadata.name}`;
  }
}

/** A Pod of one container without requests. */
export const podOf = (name: string, rest: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { containers: [{ name: "app", image: "registry.example/app:1" }], ...rest },
});

/** A Deployment of one replica. */
export const deploymentOf = (name: string, rest: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "app", image: "registry.example/app:1" }] },
    },
    ...rest,
  },
});
