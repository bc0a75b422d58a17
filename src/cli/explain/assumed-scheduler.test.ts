import { expect, test } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import { defaultSchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { assumedScheduler } from "./assumed-scheduler.ts";

const [builtIn] = defaultSchedulerConfig(defaultFeatureGates).profiles;
if (builtIn === undefined) throw new Error("the default configuration has a profile");
const { plugins } = builtIn;
const without = (plugin: string) => ({
  ...plugins.at,
  filter: plugins.at.filter.filter((at) => at !== plugin),
});
const schedulerProfiles = [
  { ...builtIn, plugins: { ...plugins, at: without("TaintToleration") } },
  { ...builtIn, schedulerName: "own", plugins: { ...plugins, at: { ...plugins.at, score: ["Ours"] } } },
];
const view = {
  isEmbedded: true,
  configuration: { gates: defaultFeatureGates, spreadDefaults: () => undefined, schedulerProfiles },
};
const asThere = (gates: FeatureGates) => gates;
const gateOff = (gates: FeatureGates) => ({ ...gates, DefaultPodTopologySpread: false });
const unlessTold = "the default configuration, which trimtab up uses without --scheduler-config";

test.each([
  {
    name: "a Pod is placed by the profile that the cluster says it has",
    scheduler: "default-scheduler",
    gates: asThere,
    configuration: "the configuration that the cluster says it has",
    toleratesAll: true,
  },
  {
    name: "plugins that only the cluster's program has are named",
    scheduler: "own",
    gates: asThere,
    configuration: "the configuration that the cluster says it has, but without its plugins Ours",
    toleratesAll: false,
  },
  {
    name: "a scheduler that the cluster does not run is assumed to be a default one",
    scheduler: "elsewhere",
    gates: asThere,
    configuration: unlessTold,
    toleratesAll: false,
  },
  {
    name: "with another gate for spreading than the cluster has, the default configuration is assumed",
    scheduler: "default-scheduler",
    gates: gateOff,
    configuration: unlessTold,
    toleratesAll: false,
  },
])("$name", ({ scheduler: name, gates, configuration, toleratesAll }) => {
  const assumed = assumedScheduler({ gates }, name, view);
  expect(assumed).toMatchObject({ ok: true, configuration });
  const filters = assumed.ok ? assumed.scheduler.pluginSet.filters.map((plugin) => plugin.name) : [];
  expect(filters.includes("TaintToleration")).toBe(!toleratesAll);
});
