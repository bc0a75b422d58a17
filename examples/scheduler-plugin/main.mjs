import { readFileSync } from "node:fs";
import { startCluster } from "trimtab/cluster";
import { nodes, pods, seededRandom, VirtualClock } from "trimtab/machinery";
import { parseSchedulerConfig } from "trimtab/scheduler";
import { powerBudget } from "./power-budget.mjs";

const file = readFileSync(new URL("scheduler.yaml", import.meta.url), "utf8");
const parsed = parseSchedulerConfig(file, { plugins: [powerBudget] });
if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));

const clock = new VirtualClock();
const random = seededRandom("power");
const cluster = await startCluster({ clock, random, nodes: 3, schedulerConfig: parsed.config });
await clock.advance(1000);

const grant = (name, watts) => {
  const body = { metadata: { annotations: { "example.com/watts": String(watts) } } };
  return cluster.client.patch(nodes, { name }, { type: "merge", body });
};
const report = async (what) => {
  await clock.advance(30_000);
  const { items } = await cluster.client.list(pods, { namespace: "default" });
  const placed = items.map(({ metadata, spec }) => `${metadata.name} on ${spec.nodeName ?? "no node"}`);
  console.log(`${what}: ${placed.join(", ")}`);
};

await grant("node-1", 300);
await grant("node-2", 500);
await grant("node-3", 100);
for (const name of ["a", "b", "c"]) {
  const metadata = { namespace: "default", name, annotations: { "example.com/watts": "250" } };
  await cluster.client.create(pods, { metadata, spec: { containers: [{ name, image: name }] } });
}
await report("900 W granted");
await grant("node-3", 400);
await report("1200 W granted");
await cluster.stop();
