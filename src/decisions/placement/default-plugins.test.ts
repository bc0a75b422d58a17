import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { node } from "../../testing/node.ts";
import { defaultPlugins, inTreePlugins } from "./default-plugins.ts";
import { scoresOf } from "./plugin-fixture.cases.ts";

const weights = (plugins: ReturnType<typeof defaultPlugins>) =>
  plugins.map(({ plugin, weight }) => `${plugin.name} ${weight}`);

const withoutSelectorSpread = [
  "SchedulingGates 1",
  "NodeUnschedulable 1",
  "NodeName 1",
  "TaintToleration 3",
  "NodeAffinity 2",
  "NodePorts 1",
  "NodeResourcesFit 1",
  "VolumeRestrictions 1",
  "VolumeBinding 1",
  "VolumeZone 1",
  "PodTopologySpread 2",
  "InterPodAffinity 2",
  "DefaultPreemption 1",
  "NodeResourcesBalancedAllocation 1",
  "ImageLocality 1",
];

test("the default set is Kubernetes', in its order and with its weights", () => {
  expect(weights(defaultPlugins())).toEqual(withoutSelectorSpread);
});

test("with the gate off SelectorSpread scores instead", () => {
  const gates = { ...defaultFeatureGates, DefaultPodTopologySpread: false };
  expect(weights(defaultPlugins({}, gates))).toEqual([...withoutSelectorSpread, "SelectorSpread 1"]);
});

test.for([true, false])("default constraints follow the gate: %s", (DefaultPodTopologySpread) => {
  const plugins = defaultPlugins({}, { ...defaultFeatureGates, DefaultPodTopologySpread });
  const spread = plugins.find(({ plugin }) => plugin.name === "PodTopologySpread");
  const metadata = { name: "web", namespace: "default", uid: "u", resourceVersion: "1" };
  const services = [{ metadata, spec: { selector: { app: "web" } } }];
  const scores = spread && scoresOf(spread.plugin, {}, { nodes: [node("a")], services });
  expect(scores).toEqual(DefaultPodTopologySpread ? { a: 100 } : undefined);
});

test("every plugin goes by the name it is listed under", () => {
  expect(inTreePlugins.map((entry) => entry.create({}).name)).toEqual(inTreePlugins.map(({ name }) => name));
});
