import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { mergePlugins } from "./merge-plugins.ts";
import type { PluginsDocument } from "./configuration-schema.ts";
import { pluginRegistry } from "./plugin-registry.ts";

const merge = (document: PluginsDocument) => mergePlugins(document, pluginRegistry(), defaultFeatureGates);
const scorers = [
  "TaintToleration",
  "NodeAffinity",
  "NodeResourcesFit",
  "PodTopologySpread",
  "InterPodAffinity",
  "NodeResourcesBalancedAllocation",
  "ImageLocality",
];

test("the default set has Kubernetes' order and weights", () => {
  const { at, weights } = merge({});
  expect(at.filter).toEqual([
    "NodeUnschedulable",
    "NodeName",
    "TaintToleration",
    "NodeAffinity",
    "NodePorts",
    "NodeResourcesFit",
    "VolumeRestrictions",
    "VolumeBinding",
    "VolumeZone",
    "PodTopologySpread",
    "InterPodAffinity",
  ]);
  expect([...weights]).toEqual(scorers.map((name, index) => [name, [3, 2, 1, 2, 2, 1, 1][index]]));
  expect(at.preEnqueue).toEqual(["SchedulingGates"]);
  expect(at.postFilter).toEqual(["DefaultPreemption"]);
});

test.for([
  {
    name: "takes a default's place when it is named again",
    wishes: { multiPoint: { enabled: [{ name: "NodeAffinity", weight: 9 }] } },
    want: scorers,
    weights: { NodeAffinity: 9 },
  },
  {
    name: "goes to the end when it is disabled and enabled",
    wishes: {
      multiPoint: { enabled: [{ name: "TaintToleration" }], disabled: [{ name: "TaintToleration" }] },
    },
    want: [...scorers.slice(1), "TaintToleration"],
    weights: { TaintToleration: 1 },
  },
  {
    name: "is alone when all others are disabled at its point",
    wishes: { score: { enabled: [{ name: "PodTopologySpread", weight: 4 }], disabled: [{ name: "*" }] } },
    want: ["PodTopologySpread"],
    weights: { PodTopologySpread: 4 },
  },
  {
    name: "comes first when its point lists it again, with the weight given there",
    wishes: {
      multiPoint: { enabled: [{ name: "ImageLocality", weight: 5 }] },
      score: { enabled: [{ name: "ImageLocality", weight: 7 }, { name: "NodeAffinity" }] },
    },
    want: ["ImageLocality", "NodeAffinity", ...scorers.filter((name) => !/Image|NodeAff/.test(name))],
    weights: { ImageLocality: 7, NodeAffinity: 2 },
  },
  {
    name: "comes last when it is at its point alone",
    wishes: { score: { enabled: [{ name: "SelectorSpread", weight: 0 }] } },
    want: [...scorers, "SelectorSpread"],
    weights: { SelectorSpread: 1 },
  },
  {
    name: "stays at other points when disabled at one",
    wishes: { score: { disabled: [{ name: "NodeAffinity" }] } },
    want: scorers.filter((name) => name !== "NodeAffinity"),
    weights: {},
  },
])("a plugin $name", ({ wishes, want, weights: wantWeights }) => {
  const { at, weights } = merge(wishes);
  expect(at.score).toEqual(want);
  expect(Object.fromEntries(weights)).toMatchObject(wantWeights);
  expect(at.filter).toContain("NodeAffinity");
});
