import { onTestFinished } from "vitest";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import type { JsonObject } from "../../src/api/json.ts";
import { parseAllowList } from "../../src/picker/addresses/address-policy.ts";
import { type ApiServerAccess, createApiServer } from "../../src/cluster/apiserver/create-api-server.ts";
import { MemoryStore } from "../../src/cluster/store/memory-store.ts";
import { localWebhooks } from "../../src/cluster/webhook-access.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { type Answered, httpsCaller } from "../https-caller.ts";

const group = "/apis/admissionregistration.k8s.io/v1";

/** An API server that calls webhooks over the network, and a client of it. */
export interface WebhookCluster {
  readonly access: ApiServerAccess;
  /** Sends JSON; resolves with the parsed answer. */
  readonly send: (what: string, body?: JsonObject) => Promise<Sent>;
  /** The lines of a watch. */
  readonly watch: (path: string) => Promise<AsyncIterableIterator<string>>;
  /** Replaces the webhooks of a type. */
  readonly configure: (type: "mutating" | "validating", ...webhooks: readonly JsonObject[]) => Promise<Sent>;
}

/** A response with its parsed body. */
export interface Sent extends Pick<Answered, "code" | "headers"> {
  readonly body: JsonObject;
}

/** Starts an API server in wall time; it is closed after the test. */
export async function startWebhookCluster(allow: readonly string[] = []): Promise<WebhookCluster> {
  const clock = new WallClock();
  const list = parseAllowList(allow);
  if (!list.ok) throw new Error(list.problems.join());
  const store = new MemoryStore({ clock });
  const server = createApiServer({
    clock,
    random: seededRandom("webhooks"),
    store,
    gates: () => defaultFeatureGates,
    log: silentLogger,
    webhookTransport: localWebhooks(list)({ store, clock }),
  });
  const access = await server.listen({ port: 0 });
  const caller = httpsCaller(access);
  onTestFinished(async () => {
    caller.close();
    await server.close();
    await store.close();
  });
  const send = async (what: string, body?: JsonObject): Promise<Sent> => {
    const type = what.startsWith("PATCH") ? "application/merge-patch+json" : "application/json";
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": type } };
    const { code, headers, text } = await caller.call(what, sent);
    return { code, headers, body: JSON.parse(text) as JsonObject };
  };
  await send("POST /api/v1/namespaces", { metadata: { name: "default" } });
  return {
    access,
    send,
    watch: async (path) => caller.lines(await caller.open(`GET ${path}`)),
    async configure(type, ...webhooks) {
      await send(`DELETE ${group}/${type}webhookconfigurations/test`);
      return send(`POST ${group}/${type}webhookconfigurations`, { metadata: { name: "test" }, webhooks });
    },
  };
}
