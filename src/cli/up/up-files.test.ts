import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readNodesFile, manifestSimulationProblems } from "./up-files.ts";
import type { Json } from "../../api/json.ts";
import type { Resource } from "../../api/resource.ts";
import { cronJobs, deployments, namespaces, nodes, pods } from "../../api/resources.ts";

/** Reads a file with this text; problems have its name as `nodes.yaml`. */
function read(text: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-nodes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "nodes.yaml");
  writeFileSync(file, text);
  const result = readNodesFile(file);
  return result.ok ? result : { problems: result.problems.map((text) => text.replace(file, "nodes.yaml")) };
}

const head = "apiVersion: trimtab.dev/v1alpha1\nkind: NodeGroups\n";

test("groups may have a zone, labels, taints and resources of their own", () => {
  const text = `${head}groups:
- {name: plain, count: 8}
- name: gpu
  count: 2
  zone: zone-b
  labels: {tier: fast, node.kubernetes.io/instance-type: big}
  taints: [{key: gpu, value: "yes", effect: NoSchedule}]
  capacity: {cpu: 8, memory: 64Gi, nvidia.com/gpu: 4}
`;
  expect(read(text)).toEqual({
    ok: true,
    groups: [
      { name: "plain", count: 8 },
      {
        name: "gpu",
        count: 2,
        zone: "zone-b",
        labels: { tier: "fast", "node.kubernetes.io/instance-type": "big" },
        taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }],
        capacity: { cpu: 8, memory: "64Gi", "nvidia.com/gpu": 4 },
      },
    ],
  });
});

test("a field without a value is absent", () => {
  const text = `${head}groups:\n- {name: plain, count: 1, zone: , labels: , taints: , capacity: }\n`;
  expect(read(text)).toEqual({ ok: true, groups: [{ name: "plain", count: 1 }] });
});

test("all mistakes are named, each with its line and column", () => {
  const text = `apiVersion: v1
kind: NodeGroups
groups:
- name: Plain_1
  count: -1
  colour: green
- name: gpu
  count: many
  zone: "a b"
  labels:
    tier: 5
    example.com/"x": y
  taints:
  - {key: gpu, effect: Sometimes}
  capacity:
    cpu: lots
    example.com/gpu: 1.5
  annotations:
    sim.trimtab.dev/slow: very
    sim.trimtab.dev/profile: unheard
    sim.trimtab.dev/colour: green
- count: 2
- {name: gpu, count: 1}
`;
  const { problems = [] } = read(text) as { problems?: readonly string[] };
  expect(problems.map((problem) => problem.replace(/^(\S+: [^:]+: [^:]+).*$/s, "$1"))).toEqual([
    "nodes.yaml:1:13: apiVersion: Unsupported value",
    "nodes.yaml:4:9: groups[0].name: Invalid value",
    "nodes.yaml:5:10: groups[0].count: Invalid value",
    "nodes.yaml:6:11: groups[0].colour: Forbidden",
    "nodes.yaml:8:10: groups[1].count: Invalid value",
    "nodes.yaml:9:9: groups[1].zone: Invalid value",
    "nodes.yaml:11:5: groups[1].labels: Invalid value",
    "nodes.yaml:11:11: groups[1].labels.tier: Invalid value",
    "nodes.yaml:14:24: groups[1].taints[0].effect: Unsupported value",
    "nodes.yaml:16:10: groups[1].capacity.cpu: Invalid value",
    "nodes.yaml:17:22: groups[1].capacity.example.com/gpu: Invalid value",
    "nodes.yaml:19:27: groups[1].annotations.sim.trimtab.dev/slow: Invalid value",
    "nodes.yaml:20:30: groups[1].annotations.sim.trimtab.dev/profile: Invalid value",
    "nodes.yaml:21:29: groups[1].annotations.sim.trimtab.dev/colour: Invalid value",
    "nodes.yaml:22:3: groups[2].name: Required value",
    "nodes.yaml:23:10: groups[3].name: Duplicate value",
  ]);
});

test.for([
  { name: "no YAML", text: "a: [b", says: /^nodes\.yaml:1:\d+: / },
  {
    name: "a key twice",
    text: `${head}groups: []\ngroups: []\n`,
    says: /^nodes\.yaml:4:1: Map keys must be unique/,
  },
  { name: "no object", text: "- hello", says: /an object was expected, with kind NodeGroups/ },
  { name: "nothing", text: "", says: /apiVersion: Required value: must be trimtab\.dev\/v1alpha1/ },
  { name: "no groups", text: head, says: /^nodes\.yaml:1:1: groups: Required value/ },
  {
    name: "groups that are none",
    text: `${head}groups: 12\n`,
    says: /^nodes\.yaml:3:9: groups: Invalid value: 12: must be a list/,
  },
  {
    name: "a name that is too long for a label",
    text: `${head}groups: [{name: ${"n".repeat(61)}, count: 10}]\n`,
    says: /^nodes\.yaml:3:17: groups\[0\]\.name: Invalid value: "n+": the label of n+-10 must be no more than 63/,
  },
  {
    name: "an annotation that is none",
    text: `${head}groups: [{name: a, count: 1, annotations: {"a b": c}}]\n`,
    says: /groups\[0\]\.annotations: Invalid value: "a b"/,
  },
  {
    name: "too many nodes",
    text: `${head}groups: [{name: a, count: 9000}, {name: b, count: 9000}]\n`,
    says: /groups: Invalid value: 18000: must be at most 16384 nodes together/,
  },
])("a file with $name is refused", ({ text, says }) => {
  expect((read(text) as { problems?: readonly string[] }).problems?.join("\n")).toMatch(says);
});

test("a file that is not there is one sentence", () => {
  expect(readNodesFile("/nowhere/nodes.yaml")).toEqual({
    ok: false,
    problems: ["/nowhere/nodes.yaml: no such file"],
  });
});

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
