import { defaultFeatureGates } from "../src/api/feature-gates.ts";
import type { JsonObject } from "../src/api/json.ts";
import type { Draft, StoredObject } from "../src/api/object.ts";
import type { Resource } from "../src/api/resource.ts";
import { customResourceDefinitions, namespaces } from "../src/api/resources.ts";
import { createApiServer } from "../src/cluster/apiserver/create-api-server.ts";
import { createManifest } from "../src/cluster/embedding/create-manifests.ts";
import { MemoryStore } from "../src/cluster/store/memory-store.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../src/machinery/log/logger.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { definitionOf } from "./kind-definition.ts";
import { type Measure, percentile } from "./measure.ts";

const widgets: Resource = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  namespaced: true,
};

/** A schema of about two hundred lines: ten groups of fields with bounds, patterns and list maps. */
const group: JsonObject = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", maxLength: 63, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" },
    size: { type: "integer", format: "int32", minimum: 0, maximum: 100, default: 1 },
    mode: { type: "string", enum: ["Fast", "Slow"], default: "Fast" },
    labels: { type: "object", additionalProperties: { type: "string" } },
    parts: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
    },
  },
};
const groups = Array.from({ length: 10 }, (_, index) => `group${index}`);
const spec = { type: "object", properties: Object.fromEntries(groups.map((name) => [name, group])) };

const definition = definitionOf("Widget", spec);

const value = { name: "a", size: 3, labels: { a: "b" }, parts: [{ name: "x" }, { name: "y" }] };
const widget = (name: string): Draft<StoredObject> =>
  ({
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name, namespace: "default" },
    spec: Object.fromEntries(groups.map((each) => [each, value])),
  }) as unknown as Draft<StoredObject>;

const kinds = 50;
const objects = 5000;

/** Measures the time from a definition to its first object, and creates against a schema of 200 lines, in process. */
export async function customResources(): Promise<readonly Measure[]> {
  const firsts: number[] = [];
  for (let count = 0; count < kinds; count++) {
    const server = await start();
    const before = performance.now();
    await createManifest(server, customResourceDefinitions, definition);
    await server.client.create(widgets, widget("first"));
    firsts.push(performance.now() - before);
    await server.close();
  }
  const server = await start();
  await createManifest(server, customResourceDefinitions, definition);
  await create(server, "warm");
  const perSecond = await create(server, "timed");
  await server.close();
  return [
    {
      what: "from a CustomResourceDefinition to its first object, median",
      value: percentile(firsts, 0.5),
      unit: "ms",
    },
    {
      what: "from a CustomResourceDefinition to its first object, p99",
      value: percentile(firsts, 0.99),
      unit: "ms",
    },
    { what: "creates of objects with a schema of 200 lines", value: perSecond, unit: "per s" },
  ];
}

async function start() {
  const clock = new WallClock();
  const store = new MemoryStore({ clock });
  const server = createApiServer({
    clock,
    random: seededRandom("bench"),
    store,
    gates: () => defaultFeatureGates,
    log: silentLogger,
  });
  await server.client.create(namespaces, { metadata: { name: "default" }, spec: {} });
  return { client: server.client, store, close: () => server.close() };
}

async function create({ client }: Awaited<ReturnType<typeof start>>, prefix: string): Promise<number> {
  const before = performance.now();
  for (let index = 0; index < objects; index++) await client.create(widgets, widget(`${prefix}-${index}`));
  return (objects * 1000) / (performance.now() - before);
}
