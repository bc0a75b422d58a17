import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { isReady } from "../../src/api/pod-state.ts";
import { nodes, pods } from "../../src/api/resources.ts";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { readManifests } from "../../src/cli/read-manifests.ts";
import { startCluster } from "../../src/cluster/start-cluster.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { parseSchedulerConfig } from "../../src/scheduler/configuration/parse-scheduler-config.ts";
import { defaultSchedulerConfig } from "../../src/scheduler/configuration/scheduler-config.ts";

const inExamples = (file: string) => fileURLToPath(new URL(`../../examples/${file}`, import.meta.url));

function configIn(file: string | undefined) {
  if (file === undefined) return defaultSchedulerConfig(defaultFeatureGates);
  const parsed = parseSchedulerConfig(readFileSync(inExamples(file), "utf8"));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  expect(parsed.warnings).toEqual([]);
  return parsed.config;
}

/** Does what `trimtab up` does with these files, and says how many Pods there are by node and by a label of nodes. */
async function run(config: string | undefined, files: readonly string[], topologyKey: string) {
  const clock = new VirtualClock();
  const random = seededRandom("examples");
  const { client, stop } = await startCluster({ clock, random, schedulerConfig: configIn(config) });
  onTestFinished(stop);
  await clock.advance(1000);
  const read = readManifests(files.map(inExamples));
  if (!read.ok) throw new Error(read.problem);
  for (const { resource, object } of read.manifests) await client.create(resource, object);
  await clock.advance(10_000);

  const labelOf = new Map(
    (await client.list(nodes, {})).items.map(({ metadata }) => [
      metadata.name,
      metadata.labels?.[topologyKey],
    ]),
  );
  const { items } = await client.list(pods, { namespace: "default" });
  expect(items.every(isReady)).toBe(true);
  const names = items.map(({ spec }) => spec.nodeName ?? "nowhere");
  const count = (keys: readonly string[]) =>
    Object.fromEntries(keys.map((key) => [key, keys.filter((other) => other === key).length]));
  return { perNode: count(names), perDomain: count(names.map((name) => labelOf.get(name) ?? "none")) };
}

test("operator-defaults: the operator's constraints spread a workload whose author knows nothing of racks", async () => {
  const files = ["operator-defaults/nodes.yaml", "operator-defaults/workload.yaml"];
  const rack = "topology.example.com/rack";
  const { perNode, perDomain } = await run("operator-defaults/scheduler.yaml", files, rack);
  expect(perDomain).toEqual({ "rack-a": 4, "rack-b": 4, "rack-c": 4 });
  expect(Object.values(perNode)).toEqual([2, 2, 2, 2, 2, 2]);
});

test("portable-workload: the same manifest is spread over the zones of a cloud", async () => {
  const zone = "topology.kubernetes.io/zone";
  const { perNode, perDomain } = await run(undefined, ["portable-workload/workload.yaml"], zone);
  expect(perDomain).toEqual({ "zone-a": 2, "zone-b": 2, "zone-c": 2 });
  expect(new Set(Object.values(perNode))).toEqual(new Set([1]));
});

test("portable-workload: and over racks on premises", async () => {
  const files = ["operator-defaults/nodes.yaml", "portable-workload/workload.yaml"];
  const rack = "topology.example.com/rack";
  const { perNode, perDomain } = await run("portable-workload/on-premises.yaml", files, rack);
  expect(perDomain).toEqual({ "rack-a": 2, "rack-b": 2, "rack-c": 2 });
  expect(new Set(Object.values(perNode))).toEqual(new Set([1]));
});
