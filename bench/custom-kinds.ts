import type { JsonObject } from "../src/api/json.ts";
import { customResourceDefinitions } from "../src/api/resources.ts";
import { createManifest } from "../src/cluster/embedding/create-manifests.ts";
import { MemoryStore } from "../src/cluster/store/memory-store.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { newServer, podOf } from "./apiserver.ts";
import { runLoad } from "./apiserver-load.ts";
import { definitionOf } from "./kind-definition.ts";
import type { Measure } from "./measure.ts";

const text: JsonObject = { type: "string", maxLength: 63 };
const integer: JsonObject = { type: "integer", format: "int32", minimum: 0, maximum: 100 };

/** Twenty lines of schema, and a rule of the forms that operators use most. */
const group: JsonObject = {
  type: "object",
  required: ["name"],
  "x-kubernetes-validations": [{ rule: "!has(self.mode) || self.mode == 'Fast' || self.size <= self.limit" }],
  properties: {
    name: { ...text, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" },
    size: { ...integer, default: 1 },
    limit: integer,
    mode: { type: "string", enum: ["Fast", "Slow"], default: "Fast" },
    labels: { type: "object", maxProperties: 10, additionalProperties: text },
    parts: {
      type: "array",
      maxItems: 10,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", required: ["name"], properties: { name: text } },
    },
  },
};
const groups = Array.from({ length: 10 }, (_, index) => `group${index}`);
const value = {
  name: "a",
  size: 3,
  limit: 5,
  mode: "Slow",
  labels: { a: "b" },
  parts: [{ name: "x" }, { name: "y" }],
};

const rounds = 4;
const perRound = 2000;

/** What objects of a kind with ten rules cost beside Pods: in turns, as in `https-creates`; the first round is not counted. */
export async function customKinds(): Promise<readonly Measure[]> {
  const store = new MemoryStore({ clock: new WallClock() });
  const server = await newServer(store);
  const spec = { type: "object", properties: Object.fromEntries(groups.map((name) => [name, group])) };
  await createManifest(
    { client: server.client, store },
    customResourceDefinitions,
    definitionOf("Widget", spec),
  );
  const access = await server.listen({ port: 0 });
  const widget = (name: string) => ({
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name },
    spec: Object.fromEntries(groups.map((each) => [each, value])),
  });
  const kinds = [
    { path: "/api/v1/namespaces/default/pods", body: podOf, ms: 0, processorUs: 0 },
    { path: "/apis/example.com/v1/namespaces/default/widgets", body: widget, ms: 0, processorUs: 0 },
  ];
  for (let round = 0; round <= rounds; round++)
    for (const kind of kinds) {
      const bodies = (count: number, prefix: string) =>
        Array.from({ length: count }, (_, index) => JSON.stringify(kind.body(`${prefix}-${round}-${index}`)));
      const load = {
        kind: "creates",
        path: kind.path,
        warmUp: bodies(200, "warm"),
        bodies: bodies(perRound, "t"),
      } as const;
      const before = process.cpuUsage();
      const { tookMs } = await runLoad(access, load);
      const { user, system } = process.cpuUsage(before);
      if (round === 0) continue;
      kind.ms += tookMs;
      kind.processorUs += user + system;
    }
  await access.close();
  const perSecond = kinds.map(({ ms }) => (rounds * perRound * 1000) / ms);
  const processorUs = kinds.map((kind) => kind.processorUs / (rounds * (perRound + 200)));
  const [pods = 0, widgets = 0] = perSecond;
  return [
    { what: "creates of Pods over HTTPS, beside them", value: pods, unit: "per s" },
    { what: "creates of objects with 200 lines of schema and ten rules", value: widgets, unit: "per s" },
    { what: "their rate, of that of Pods", value: (100 * widgets) / pods, unit: "%", bar: 50 },
    { what: "processor time of the server for each Pod", value: processorUs[0] ?? 0, unit: "µs" },
    { what: "processor time of the server for each object", value: processorUs[1] ?? 0, unit: "µs" },
  ];
}
