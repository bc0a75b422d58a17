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
import type { WatchStream } from "./watch/watch-stream.ts";

/** An answer as a client would see it. */
export interface ResponseSummary {
  readonly code: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
}

/** JSON, or text or bytes that are sent as they are. */
type Body = JsonObject | readonly JsonObject[] | string | Uint8Array;

export interface TestApiServer {
  readonly clock: VirtualClock;
  readonly store: MemoryStore;
  readonly server: ApiServer;
  readonly client: Client;
  /** Sends `METHOD /path?query`. */
  readonly request: (what: string, body?: Body, contentType?: string) => Promise<ResponseSummary>;
  /** Opens a watch at `/path?query`. */
  readonly watch: (path: string) => Promise<WatchStream>;
}

const testUser = { name: "tester", groups: ["system:masters", "system:authenticated"] };

/** A server of its own with the namespace `default` in it, whose objects are frozen and whose time stands still. */
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
        return seen(await server.requestHandler.handle(requestOf(server, what, { body, contentType })));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { code: error.code, body: error.status as JsonObject, warnings: [] };
      }
    },
    async watch(path) {
      const answer = await server.requestHandler.handle(requestOf(server, `GET ${path}`, {}));
      if (answer.kind !== "watch") throw new Error(`not a watch but a ${answer.kind}`);
      return answer.stream;
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
  const route = requestInfoOf(url.pathname);
  if (route.to !== "resource") throw new Error(`${target} is no resource`);
  const { group, version, plural, to: _to, ...place } = route;
  const resource = server.resources.find(group, version, plural);
  const verb = verbOf(method, place.name !== undefined, isWatch(url.searchParams));
  if (resource === undefined || verb === undefined) throw new Error(`nothing serves ${what}`);
  const sent = body && { form: "bytes", contentType: contentType ?? "", bytes: bytesOf(body) };
  return {
    ...place,
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

function seen(answer: ApiResponse): ResponseSummary {
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
    case "watch":
      throw new Error("a watch has no body: use watch()");
  }
}

/** The names of a list's items. */
export function namesIn({ body }: ResponseSummary): readonly string[] {
  return (body["items"] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
}

/** What a watch has said by now, in few words: `ADDED a`, `BOOKMARK 7`, `ERROR 410`. */
export function pendingEvents(stream: WatchStream): readonly string[] {
  const items: ServedWatchEvent[] = [];
  while (stream.pending > 0) items.push(...stream.take(Infinity));
  return items.map(brief);
}

function brief(item: ServedWatchEvent): string {
  switch (item.type) {
    case "BOOKMARK":
      return `BOOKMARK ${item.revision}${item.initialEventsEnd ? " (end of initial events)" : ""}`;
    case "ERROR":
      return `ERROR ${item.status.code}`;
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return `${item.type} ${item.item.object.metadata.name}`;
  }
}

/** A Pod of one container that needs nothing. */
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
