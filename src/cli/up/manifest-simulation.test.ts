import { expect, test } from "vitest";
import type { Json } from "../../api/json.ts";
import type { Resource } from "../../api/resource.ts";
import { cronJobs, deployments, namespaces, nodes, pods } from "../../api/resources.ts";
import { manifestSimulationProblems } from "./manifest-simulation.ts";

const wrong = { annotations: { "sim.trimtab.dev/crashAfter": "soon", "sim.trimtab.dev/seed": "1" } };
const sentence = "web: sim.trimtab.dev/crashAfter must be a duration such as 3s";

test.for<{ name: string; resource: Resource; object: Readonly<Record<string, Json>>; says: string }>([
  { name: "a Pod", resource: pods, object: { metadata: wrong }, says: sentence },
  { name: "a namespace", resource: namespaces, object: { metadata: wrong }, says: sentence },
  {
    name: "the template of a Deployment",
    resource: deployments,
    object: { spec: { template: { metadata: wrong } } },
    says: sentence,
  },
  {
    name: "the template of a CronJob's Jobs",
    resource: cronJobs,
    object: { spec: { jobTemplate: { spec: { template: { metadata: wrong } } } } },
    says: sentence,
  },
  {
    name: "the load of a Deployment",
    resource: deployments,
    object: { metadata: { annotations: { "sim.trimtab.dev/load": "cpu: { total: much }" } } },
    says: 'web: sim.trimtab.dev/load cpu.total: Invalid value: "much"',
  },
  {
    name: "a node",
    resource: nodes,
    object: { metadata: { annotations: { "sim.trimtab.dev/flap": "often" } } },
    says: "web: sim.trimtab.dev/flap must be a duration of at least 100ms",
  },
  {
    name: "a label that names a profile",
    resource: pods,
    object: { metadata: { labels: { "sim.trimtab.dev/profile": "unheard" } } },
    says: 'web: the label sim.trimtab.dev/profile "unheard" is not known (known: slow',
  },
])("what is wrong with the simulation settings of $name is said", ({ resource, object, says }) => {
  const manifest = { resource, object: { metadata: {}, ...object }, title: "web" };
  expect(manifestSimulationProblems(manifest)).toEqual([expect.stringContaining(says)]);
});

test("settings that are right, and annotations of others, are none of these", () => {
  const annotations = { "sim.trimtab.dev/crashAfter": "3s", "example.com/crashAfter": "soon" };
  expect(
    manifestSimulationProblems({ resource: pods, object: { metadata: { annotations } }, title: "web" }),
  ).toEqual([]);
});
