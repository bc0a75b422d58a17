import { describe, expect, test } from "vitest";
import type { Toleration } from "../../../api/generated/core-v1.ts";
import { node } from "../../../testing/node.ts";
import { preFilterOf, scoresOf, verdictsOf } from "../plugin-fixture.cases.ts";
import { clusterViewOf } from "../view/list-view.ts";
import { taintToleration } from "./plugin.ts";

const refused = "UAU: node(s) had untolerated taint(s)";
const taint = (key: string, effect: string) => ({ key, value: "v", effect });

describe("TaintToleration as a filter", () => {
  const nodes = [
    node("clean"),
    node("hard", { taints: [taint("k", "NoSchedule")] }),
    node("evicting", { taints: [taint("k", "NoExecute"), taint("l", "NoSchedule")] }),
    node("soft", { taints: [taint("k", "PreferNoSchedule")] }),
  ];

  test.for<{ name: string; tolerations: readonly Toleration[]; want: readonly [string, string] }>([
    { name: "rejects taints that the Pod does not tolerate", tolerations: [], want: [refused, refused] },
    {
      name: "wants every taint to be tolerated",
      tolerations: [{ key: "k", operator: "Exists" }],
      want: ["fits", refused],
    },
    {
      name: "lets pass what tolerates everything",
      tolerations: [{ operator: "Exists" }],
      want: ["fits", "fits"],
    },
  ])("$name", ({ tolerations, want: [hard, evicting] }) => {
    expect(verdictsOf(taintToleration, { spec: { tolerations } }, { nodes })).toEqual({
      clean: "fits",
      hard,
      evicting,
      soft: "fits",
    });
  });

  test("names the taint the way kubectl does", () => {
    const [, hard] = clusterViewOf({ nodes }).nodes;
    const filter = preFilterOf(taintToleration, {}, { nodes })?.filter;
    expect(hard && filter?.(hard)).toMatchObject({ detail: "k=v:NoSchedule" });
  });
});

describe("TaintToleration as a scorer", () => {
  const soft = (...keys: readonly string[]) => ({
    taints: keys.map((key) => taint(key, "PreferNoSchedule")),
  });
  const nodes = [node("none"), node("one", soft("k")), node("three", soft("k", "l", "m"))];

  test.for<{ name: string; tolerations: readonly Toleration[]; want: Record<string, number> }>([
    { name: "prefers nodes with fewer taints", tolerations: [], want: { none: 100, one: 67, three: 0 } },
    {
      name: "does not count taints that are tolerated",
      tolerations: [{ key: "k", operator: "Exists" }],
      want: { none: 100, one: 100, three: 0 },
    },
    {
      name: "counts them when only another effect is tolerated",
      tolerations: [{ operator: "Exists", effect: "NoSchedule" }],
      want: { none: 100, one: 67, three: 0 },
    },
    {
      name: "finds all nodes best when all is tolerated",
      tolerations: [{ operator: "Exists", effect: "PreferNoSchedule" }],
      want: { none: 100, one: 100, three: 100 },
    },
  ])("$name", ({ tolerations, want }) => {
    expect(scoresOf(taintToleration, { spec: { tolerations } }, { nodes })).toEqual(want);
  });
});
