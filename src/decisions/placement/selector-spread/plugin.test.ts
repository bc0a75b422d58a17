import { describe, expect, test } from "vitest";
import type { Node, Service } from "../../../api/generated/core-v1.ts";
import { node } from "../../../testing/node.ts";
import { pod } from "../../../testing/pod.ts";
import { scoresOf, type Waiting } from "../plugin-fixture.cases.ts";
import { selectorSpread } from "./plugin.ts";

const web: Service = {
  metadata: { name: "web", namespace: "default", uid: "u", resourceVersion: "1" },
  spec: { selector: { app: "web" } },
};
const plain = [node("a"), node("b"), node("c")];
const zoned = [node("a", { zone: "1" }), node("b", { zone: "1" }), node("c", { zone: "2" })];

function scores(
  nodes: readonly Node[],
  counts: readonly number[],
  given: Waiting & { services?: Service[] } = {},
) {
  const pods = nodes.flatMap(({ metadata }, index) =>
    Array.from({ length: counts[index] ?? 0 }, (_, each) =>
      pod(`${metadata.name}-${each}`, { node: metadata.name }),
    ),
  );
  const { services = [web], ...waiting } = given;
  return scoresOf(selectorSpread, waiting, { nodes, pods, services });
}

describe("SelectorSpread", () => {
  test("finds all nodes best without Pods", () => {
    expect(scores(zoned, [0, 0, 0])).toEqual({ a: 100, b: 100, c: 100 });
  });

  test("prefers emptier nodes", () => {
    expect(scores(plain, [4, 1, 0])).toEqual({ a: 0, b: 75, c: 100 });
  });

  test("minds the zone twice as much as the node", () => {
    // b: a third of 100 for the empty node and nothing for the full zone; c: three quarters each
    expect(scores(zoned, [4, 0, 1])).toEqual({ a: 0, b: 33, c: 75 });
  });

  test("leaves nodes without a zone to their own count", () => {
    expect(scores([...zoned.slice(0, 2), node("c")], [2, 0, 1])).toEqual({ a: 0, b: 33, c: 50 });
  });

  test("reads the labels of older clusters first", () => {
    const older = node("c", { zone: "2", labels: { "failure-domain.beta.kubernetes.io/zone": "1" } });
    expect(scores([...zoned.slice(0, 2), older], [1, 1, 0])).toEqual({ a: 0, b: 0, c: 33 });
  });

  test("finds all nodes best for a Pod that no object selects", () => {
    expect(scores(plain, [4, 1, 0], { services: [] })).toEqual({ a: 100, b: 100, c: 100 });
  });

  test("stands back when the Pod has constraints of its own", () => {
    const topologySpreadConstraints = [
      { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" },
    ];
    expect(scores(plain, [4, 1, 0], { spec: { topologySpreadConstraints } })).toEqual({ a: 0, b: 0, c: 0 });
  });
});
