import { describe, expect, test } from "vitest";
import type { Service, TopologySpreadConstraint } from "../../api/generated/core-v1.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { defaultSpread } from "./default-spread.ts";

const zones: readonly TopologySpreadConstraint[] = [
  { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" },
];
const service = (name: string, selector: Readonly<Record<string, string>>): Service => ({
  metadata: { namespace: "default", name, uid: name, resourceVersion: "1" },
  spec: { selector },
});
const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web" };
const labels = { app: "web", tier: "front", hash: "1" };

describe("default constraints", () => {
  test("count the Pods that the Services and the owner select together", () => {
    const web = replicaSet("web", {});
    const selector = { matchLabels: { hash: "1" }, matchExpressions: [{ key: "app", operator: "Exists" }] };
    const added = defaultSpread(pod("web-1", { labels, owner }), zones, {
      services: [service("a", { app: "web" }), service("b", { tier: "front" }), service("c", { app: "db" })],
      replicaSets: [{ ...web, metadata: { ...web.metadata, name: "web" }, spec: { ...web.spec, selector } }],
    });
    expect(added?.from.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "Service a",
      "Service b",
      "ReplicaSet web",
    ]);
    expect(added?.constraints).toEqual([
      {
        ...zones[0],
        labelSelector: {
          matchLabels: { app: "web", tier: "front", hash: "1" },
          matchExpressions: [{ key: "app", operator: "Exists" }],
        },
      },
    ]);
  });

  test("are not added without a selector, to Pods with constraints of their own, or where there are none", () => {
    const services = [service("a", { app: "web" })];
    expect(defaultSpread(pod("web-1", { labels }), zones, { services: [] })).toBeUndefined();
    const own = pod("web-1", { labels, spec: { topologySpreadConstraints: zones } });
    expect(defaultSpread(own, zones, { services })).toBeUndefined();
    expect(defaultSpread(pod("web-1", { labels }), [], { services })).toBeUndefined();
  });
});
