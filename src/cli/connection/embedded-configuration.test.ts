import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { configurationEndpoint, configurationPath } from "../../cluster/configuration-endpoint.ts";
import { parseSchedulerConfig } from "../../scheduler/configuration/parse-scheduler-config.ts";
import { defaultSchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { describePublished, readEmbeddedConfiguration } from "./embedded-configuration.ts";

const header = { apiVersion: "kubescheduler.config.k8s.io/v1", kind: "KubeSchedulerConfiguration" };
const rack = { maxSkew: 1, topologyKey: "rack", whenUnsatisfiable: "ScheduleAnyway" };
const args = { defaultingType: "List", defaultConstraints: [rack] };
const profiles = [
  { schedulerName: "default-scheduler", pluginConfig: [{ name: "PodTopologySpread", args }] },
  { schedulerName: "piled", plugins: { multiPoint: { disabled: [{ name: "PodTopologySpread" }] } } },
];

test("explain knows the gates, the spread defaults and the scheduler profiles that an embedded cluster says it has", () => {
  const parsed = parseSchedulerConfig(JSON.stringify({ ...header, profiles }), {
    gates: defaultFeatureGates,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const gates = { ...defaultFeatureGates, LogarithmicScaleDown: false };
  const endpoint = configurationEndpoint({
    gates: { apiServer: () => defaultFeatureGates, controllers: () => gates, components: {} },
    schedulerConfig: parsed.config,
  });
  expect(endpoint("/debug/time")).toBeUndefined();
  const answer = JSON.parse(JSON.stringify(endpoint(configurationPath))) as Record<string, unknown>;
  const read = readEmbeddedConfiguration(answer);
  expect(read?.gates).toEqual(gates);
  expect(read?.spreadDefaults(undefined)).toEqual(args);
  expect(read?.spreadDefaults("piled")).toBeUndefined();
  expect(read?.schedulerProfiles).toEqual(parsed.config.profiles);
});

test("an embedded cluster of a program that says nothing about itself is one with the defaults", () => {
  expect(readEmbeddedConfiguration({})).toBeUndefined();
});

test("plugins of any profile that only the program of the cluster has are named once", () => {
  const builtIn = defaultSchedulerConfig(defaultFeatureGates).profiles;
  const own = builtIn.map(({ plugins, ...profile }) => ({
    ...profile,
    plugins: { ...plugins, at: { ...plugins.at, filter: ["Ours"], score: ["Ours"] } },
  }));
  const published = "the configuration that the cluster says it has";
  expect(describePublished(builtIn)).toBe(published);
  expect(describePublished([...builtIn, ...own])).toBe(`${published}, but without its plugins Ours`);
});
