// Every example of a feature fails without the feature: an example that passes all the same would show nothing.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { FeatureGate } from "../../src/api/feature-gates.ts";
import { readScenario } from "../../src/simulation/scenario-files/read-scenario.ts";
import { runScenario } from "../../src/simulation/scenario-run/run-scenario.ts";
import { perTier } from "../tier.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));

/**
 * The gate of the feature that an example shows; `none` for those that show Kubernetes as it is. Without the gate
 * DefaultPodTopologySpread, SelectorSpread spreads much the same, so there the default constraints are taken away.
 */
const featureOf: Readonly<Record<string, FeatureGate | "default constraints" | "none">> = {
  "airflow-workers": "DownscalePodPicker",
  "drain-a-zone": "none",
  "fast-rollout": "DeploymentPodReplacementPolicy",
  "game-shards": "DownscalePodPicker",
  "imbalance-cycle": "LogarithmicScaleDown",
  "operator-defaults": "default constraints",
  "portable-workload": "default constraints",
  "prefer-for-scale-down": "PreferForScaleDownLabel",
  "regional-web": "DownscalePodPicker",
  "scarce-gpus": "DeploymentPodReplacementPolicy",
  "spark-executors": "DownscalePodPicker",
  "terminating-counted": "DeploymentReplicaSetTerminatingReplicas",
};

test("every scenario among the examples names the gate of its feature, or none", () => {
  const folders = readdirSync(examples).filter((name) => existsSync(`${examples}/${name}/scenario.yaml`));
  expect(Object.keys(featureOf)).toEqual(folders);
});

const examplesOfFeatures = Object.entries(featureOf).flatMap(([folder, feature]) =>
  feature === "none" ? [] : [{ folder, feature }],
);

const args = { defaultingType: "List", defaultConstraints: [] };
const withoutDefaults = {
  apiVersion: "kubescheduler.config.k8s.io/v1",
  kind: "KubeSchedulerConfiguration",
  profiles: [{ pluginConfig: [{ name: "PodTopologySpread", args }] }],
};

test.for(examplesOfFeatures)("$folder fails without $feature", async ({ folder, feature }) => {
  const read = readScenario(`${examples}/${folder}/scenario.yaml`);
  if (!read.ok) throw new Error(read.problems.join("\n"));
  const scenario = {
    ...read.scenario,
    ...(feature === "default constraints"
      ? { scheduler: withoutDefaults }
      : { featureGates: { ...read.scenario.featureGates, [feature]: false } }),
  };
  const seeds = perTier({ unit: 1, full: scenario.seeds ?? 1 });
  const passed: number[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const { result } = await runScenario(scenario, { seed, withoutSeries: true });
    if (result.assertions.every((assertion) => assertion.passed)) passed.push(seed);
  }
  expect(passed).toEqual([]);
});
