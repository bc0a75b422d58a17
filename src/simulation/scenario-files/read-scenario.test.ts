import { expect, test } from "vitest";
import { readScenario } from "./read-scenario.ts";

const deployment = `
  - apiVersion: apps/v1
    kind: Deployment
    metadata: { name: web }
    spec:
      replicas: 3
      selector: { matchLabels: { app: web } }
      template:
        metadata: { labels: { app: web } }
        spec: { containers: [{ name: web, image: web }] }`;

/** A scenario with a Deployment and these lines below it. */
function scenarioWith(lines: string): string {
  return `apiVersion: trimtab.dev/v1alpha1\nkind: Scenario\nmanifests:${deployment}\n${lines}\n`;
}

function read(text: string, others: Readonly<Record<string, string>> = {}) {
  const files: Readonly<Record<string, string>> = { "web/scenario.yaml": text, ...others };
  return readScenario("web/scenario.yaml", (file) => {
    const found = files[file];
    return found === undefined
      ? { ok: false, missing: true, reason: "no such file" }
      : { ok: true, text: found };
  });
}

function problemsOf(text: string, others?: Readonly<Record<string, string>>): readonly string[] {
  const result = read(text, others);
  return result.ok ? [] : result.problems.map((problem) => problem.replace("web/scenario.yaml", ""));
}

test("a scenario is called after its folder, and has the manifests of other files, too", () => {
  const other =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n---\n# nothing\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: b }\n";
  const result = read(scenarioWith("manifestFiles: [../more.yaml]"), { "more.yaml": other });
  expect(result).toMatchObject({
    ok: true,
    scenario: { name: "web", manifests: [{ kind: "Deployment" }, { kind: "ConfigMap" }, { kind: "Secret" }] },
  });
});

test("all mistakes are named at once, each with line, column and what was expected", () => {
  const text = `apiVersion: trimtab.dev/v1
kind: Scenario
durration: 5m
nodes: many
zones: 99
manifests:
  - apiVersion: apps/v1
    kind: Deploymnt
    metadata: { name: x }
  - apiVersion: apps/v1
    kind: Deployment
    metadata: { name: web }
    spec: { replicas: three }
  - apiVersion: apps/v1
    kind: Deployment
    metadata: { name: web }
    spec:
      replica: 3
      selector: { matchLabels: { app: web } }
      template:
        metadata: { labels: { app: wep } }
        spec: { containers: [{ name: a }] }
events:
  - at: 5
    scale: { workload: deployment/web, replicas: 3 }
  - { at: 5m, scale: { workload: deployment/wep, replicas: -1 } }
  - { at: 5m, scal: { workload: x } }
assertions:
  - pods: { atMots: 3 }
  - { readyPods: { atMost: 3 }, pods: { atMost: 1 } }
`;
  expect(problemsOf(text)).toEqual([
    ':1:13: apiVersion: Unsupported value: "trimtab.dev/v1": supported values: "trimtab.dev/v1alpha1"',
    ':3:12: durration: Forbidden: unknown field; did you mean "duration"?',
    ':4:8: nodes: Invalid value: "many": must be a whole number from 0 to 16384, or a list of node groups',
    ":5:8: zones: Invalid value: 99: must be a whole number from 1 to 26",
    ':8:11: manifests[0].kind: Not found: "Deploymnt": did you mean "Deployment"?',
    ":13:23: manifests[1].spec.replicas: Invalid value: must be of type int32",
    ':18:16: manifests[2].spec.replica: Forbidden: unknown field; did you mean "replicas"?',
    ':21:29: manifests[2].spec.template.metadata.labels: Invalid value: {"app":"wep"}: `selector` does not match template `labels`',
    ":22:30: manifests[2].spec.template.spec.containers[0].image: Required value",
    ":24:9: events[0].at: Invalid value: 5: must be a duration such as 90s, 5m or 1h30m",
    ":26:60: events[1].scale.replicas: Invalid value: -1: must be a whole number from 0 to 2147483647",
    ':27:21: events[2].scal: Forbidden: unknown field; did you mean "scale"?',
    ':29:21: assertions[0].pods.atMots: Forbidden: unknown field; did you mean "atMost"?',
    ":30:18: assertions[1].readyPods: Forbidden: may not be there together with pods",
  ]);
});

test.for([
  { name: "no YAML", lines: "events: [", says: /^:\d+:\d+: .*Flow sequence/ },
  {
    name: "a workload that no manifest has",
    lines: "events: [{ at: 1m, scale: { workload: deployment/wep, replicas: 3 } }]",
    says: /events\[0\]\.scale\.workload: Not found: "deployment\/wep": no manifest has it; did you mean "web"\?/,
  },
  {
    name: "an unknown kind",
    lines: "events: [{ at: 1m, delete: { object: deplyment/web } }]",
    says: /there is no kind deplyment; did you mean deployment\/web\?/,
  },
  {
    name: "a workload that has no Pods",
    lines: "assertions: [{ workload: service/web, pods: { atMost: 1 } }]",
    says: /must be a workload: Deployment, ReplicaSet/,
  },
  {
    name: "a zone without nodes",
    lines: "events: [{ at: 1m, down: { zone: zone-x } }]",
    says: /events\[0\]\.down\.zone: Not found: "zone-x": no node is there; did you mean "zone-a"/,
  },
  {
    name: "an unknown node",
    lines: "nodes: 2\nevents: [{ at: 1m, drain: { node: nobody } }]",
    says: /no such node; there are node-1, node-2/,
  },
  {
    name: "a bad selector",
    lines: "work: [{ selector: 'a in b' }]",
    says: /work\[0\]\.selector: Invalid value: .*a label selector was expected, such as app=web$/m,
  },
  {
    name: "an event after the end",
    lines: "duration: 5m\nevents: [{ at: 6m, restart: { workload: deployment/web } }]",
    says: /events\[0\]\.at: Invalid value: "6m": must be before the end/,
  },
  {
    name: "an assertion after the end",
    lines: "duration: 5m\nassertions: [{ at: 6m, pods: { atMost: 1 } }]",
    says: /assertions\[0\]\.at: .*before the end/,
  },
  {
    name: "completion of no workload",
    lines: "assertions: [{ complete: { within: 1m } }]",
    says: /assertions\[0\]\.workload: Required value: complete is about a workload/,
  },
  {
    name: "terminating replicas of no workload",
    lines: "assertions: [{ terminatingReplicas: { atMost: 1 } }]",
    says: /assertions\[0\]\.workload: Required value: terminatingReplicas is about a workload/,
  },
  {
    name: "limits that exclude each other",
    lines: "assertions: [{ pods: { atLeast: 5, atMost: 4 } }]",
    says: /assertions\[0\]\.pods\.atLeast: Invalid value: 5: must not be more than atMost, 4/,
  },
  {
    name: "no limit",
    lines: "assertions: [{ pods: {} }]",
    says: /assertions\[0\]\.pods: Required value: needs at least one member/,
  },
  {
    name: "no limit of other domains",
    lines: "assertions: [{ zoneSkew: { topologyKey: rack } }]",
    says: /assertions\[0\]\.zoneSkew: Required value: needs atMost, atLeast or exactly/,
  },
  {
    name: "an assertion that ends where it begins",
    lines: "assertions: [{ pods: { atMost: 4 }, from: 5m, until: 300s }]",
    says: /assertions\[0\]\.until: Invalid value: "300s": must be after from, 5m/,
  },
  {
    name: "a sum that begins after its moment",
    lines: "assertions: [{ removedPods: { atMost: 4 }, from: 6m, at: 5m }]",
    says: /assertions\[0\]\.at: Invalid value: "5m": must be after from, 6m/,
  },
  {
    name: "an assertion that begins at the end",
    lines: "duration: 5m\nassertions: [{ pods: { atMost: 4 }, from: 5m }]",
    says: /assertions\[0\]\.from: .*before the end/,
  },
  {
    name: "completion in no time",
    lines: "assertions: [{ workload: deployment/web, complete: { within: 0s } }]",
    says: /assertions\[0\]\.complete\.within: Invalid value: "0s": must be longer than 0s/,
  },
  {
    name: "a workload whose Pods are not followed",
    lines: "assertions: [{ workload: cronjob/web, pods: { atMost: 1 } }]",
    says: /must be a workload: Deployment, ReplicaSet, ReplicationController, StatefulSet, DaemonSet, Job$/,
  },
  {
    name: "a StatefulSet that no manifest has",
    lines: "assertions: [{ workload: sts/web, pods: { atMost: 1 } }]",
    says: /assertions\[0\]\.workload: Not found: "sts\/web": no manifest has it/,
  },
  {
    name: "nothing that is asserted",
    lines: "assertions: [{ from: 1m }]",
    says: /assertions\[0\]: Required value: needs one of pods, activePods/,
  },
  {
    name: "a picker that no workload calls",
    lines: "pickers: [{ host: picker, answer: least-busy }]",
    says: /pickers\[0\]\.host: Not found: "picker": no workload calls this picker/,
  },
  {
    name: "an unknown answer of a picker",
    lines: "pickers: [{ host: web, answer: least-bussy }]",
    says: /pickers\[0\]\.answer: Unsupported value: "least-bussy": .*did you mean "least-busy"\?/,
  },
  {
    name: "work of two kinds",
    lines: "work: [{ selector: app=web, first: 1, share: 20% }]",
    says: /work\[0\]\.share: Forbidden: may not be there together with first/,
  },
  {
    name: "a range of durations from the larger to the smaller",
    lines: "work: [{ selector: app=web, busyFor: 90s..1m, idleFor: 1m }]",
    says: /work\[0\]\.busyFor: Invalid value: "90s\.\.1m": must be a range from the smaller to the larger/,
  },
  {
    name: "a range of tasks from the larger to the smaller",
    lines: "work: [{ selector: app=web, tasks: 10..9 }]",
    says: /work\[0\]\.tasks: Invalid value: "10\.\.9": must be a range/,
  },
  {
    name: "a load of an unknown shape",
    lines: "load: [{ object: deployment/web, metrics: { cpu: { total: { pionts: [] } } } }]",
    says: /load\[0\]\.metrics\.cpu\.total\.pionts: Forbidden: unknown field; did you mean "points"\?/,
  },
  {
    name: "a load of no amount",
    lines: "load: [{ object: deployment/web, metrics: { cpu: { total: much } } }]",
    says: /load\[0\]\.metrics\.cpu\.total: Invalid value: "much": must be an amount such as 500m/,
  },
  {
    name: "a load that sets total and perPod",
    lines: "load: [{ object: deployment/web, metrics: { cpu: { total: 1, perPod: 1 } } }]",
    says: /load\[0\]\.metrics\.cpu\.perPod: Forbidden: may not be there together with total/,
  },
  {
    name: "a wave upside down",
    lines: "load: [{ object: deployment/web, metrics: { cpu: { total: { wave: { low: 3, high: 2 } } } } }]",
    says: /load\[0\]\.metrics\.cpu\.total\.wave\.low: Invalid value: 3: must not be above high/,
  },
  {
    name: "points that go back in time",
    lines:
      "events: [{ at: 1m, load: { object: deployment/web, metrics: { cpu: { perPod: { points: [{ at: 2h, value: 1 }, { at: 1h, value: 2 }] } } } } }]",
    says: /events\[0\]\.load\.metrics\.cpu\.perPod\.points\[1\]\.at: Invalid value: "1h": must be later than/,
  },
  {
    name: "a skew without its distribution",
    lines: "load: [{ object: deployment/web, metrics: { cpu: { total: 1, skew: 0.3 } } }]",
    says: /load\[0\]\.metrics\.cpu\.skew: Invalid value: 0.3: needs the distribution Skewed/,
  },
  {
    name: "the load of an object that no manifest has",
    lines: "load: [{ object: deployment/wep, metrics: { cpu: { total: 1 } } }]",
    says: /load\[0\]\.object: Not found: "deployment\/wep": no manifest has it; did you mean deployment\/web\?/,
  },
  {
    name: "the load of an object that is in another namespace",
    lines: "load: [{ object: deployment/web, namespace: shop, metrics: { cpu: { total: 1 } } }]",
    says: /load\[0\]\.object: Not found: "deployment\/web": no manifest has it; it is in namespace default$/,
  },
  {
    name: "two loads of one object",
    lines:
      "load: [{ object: deployment/web, metrics: { cpu: { total: 1 } } }, { object: deploy/web, metrics: { memory: { total: 1 } } }]",
    says: /load\[1\]\.object: Duplicate value: "deploy\/web"/,
  },
  {
    name: "an annotated load that cannot be read",
    lines:
      "events: [{ at: 1m, apply: [{ apiVersion: v1, kind: Pod, metadata: { name: a, annotations: { sim.trimtab.dev/load: 'cpu: 1' } }, spec: { containers: [{ name: a, image: a }] } }] }]",
    says: /events\[0\]\.apply\[0\]\.metadata\.annotations\.sim\.trimtab\.dev\/load: Invalid value: cpu: Invalid value: 1: must be an object with total or perPod/,
  },
  {
    name: "turns without idle time",
    lines: "work: [{ selector: app=web, busyFor: 1m..2m }]",
    says: /work\[0\]\.idleFor: Required value: goes with busyFor/,
  },
  {
    name: "an unknown feature gate",
    lines: "featureGates: { PodDeletionCosts: false }",
    says: /featureGates\.PodDeletionCosts: Forbidden: unknown field; did you mean "PodDeletionCost"\?/,
  },
  {
    name: "an unknown plugin of the scheduler",
    lines:
      "scheduler: { apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration, profiles: [{ plugins: { score: { enabled: [{ name: Nope }] } } }] }",
    says: /scheduler\.profiles\[0\]\.plugins\.score\.enabled\[0\]/,
  },
  {
    name: "a node group without a name",
    lines: "nodes: [{ count: 3 }]",
    says: /nodes\[0\]\.name: Required value/,
  },
  {
    name: "a file that is not there",
    lines: "manifestFiles: [more.yaml]",
    says: /^web\/more.yaml: no such file/,
  },
  {
    name: "a snapshot and nodes",
    lines: "snapshot: cluster.yaml\nnodes: 3",
    says: /nodes: Forbidden: may not be there together with snapshot/,
  },
])("a scenario with $name is refused", ({ lines, says }) => {
  expect(problemsOf(scenarioWith(lines)).join("\n")).toMatch(new RegExp(says.source, "m"));
});

test("a scenario that begins with a snapshot without nodes is refused", () => {
  const cluster =
    "apiVersion: trimtab.dev/v1alpha1\nkind: Snapshot\ntakenAt: 2026-01-01T00:00:00Z\nobjects: {}\n";
  expect(problemsOf(scenarioWith("snapshot: cluster.yaml"), { "web/cluster.yaml": cluster })).toEqual([
    "web/cluster.yaml: it has no nodes, which a simulation needs: was it taken without permission to list nodes?",
  ]);
});

test.for([
  { object: "node/node-1", wants: [] },
  { object: "namespace/shop", wants: [] },
  { object: "deployment/cart", wants: [] },
  { object: "namespace/created", wants: [] },
  {
    object: "node/node-11",
    wants: ['load[0].object: Not found: "node/node-11": no manifest has it; did you mean node/node-1?'],
  },
])("objects of a snapshot and of manifests may have a load, in a namespace or in none: $object", (each) => {
  const { object, wants } = each;
  const cluster = JSON.stringify({
    apiVersion: "trimtab.dev/v1alpha1",
    kind: "Snapshot",
    takenAt: "2026-01-01T00:00:00Z",
    objects: {
      namespaces: [{ metadata: { name: "shop", uid: "1" } }],
      nodes: [{ metadata: { name: "node-1", uid: "2" } }],
      deployments: [
        {
          metadata: { namespace: "shop", name: "cart", uid: "3" },
          spec: { selector: {}, template: { spec: { containers: [] } } },
        },
      ],
    },
  });
  const lines = `  - { apiVersion: v1, kind: Namespace, metadata: { name: created } }
snapshot: cluster.yaml
load: [{ object: ${object}, namespace: shop, metrics: { cpu: { total: 1 } } }]`;
  const problems = problemsOf(scenarioWith(lines), { "web/cluster.yaml": cluster });
  expect(problems.map((problem) => problem.replace(/^[:\d]* /, ""))).toEqual(wants);
});

test("manifest files are checked under the feature gates of the scenario", () => {
  const annotations = '{ controller.kubernetes.io/pod-deletion-cost: "high" }';
  const pod = `apiVersion: v1\nkind: Pod\nmetadata: { name: a, annotations: ${annotations} }\nspec: { containers: [{ name: a, image: a }] }\n`;
  const problems = (isOn: boolean) =>
    problemsOf(scenarioWith(`manifestFiles: [pod.yaml]\nfeatureGates: { PodDeletionCost: ${isOn} }`), {
      "web/pod.yaml": pod,
    });
  expect(problems(true)).toHaveLength(1);
  expect(problems(false)).toEqual([]);
});

test("mistakes in a manifest file have the lines of that file", () => {
  const other =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { nam: b }\n";
  expect(problemsOf(scenarioWith("manifestFiles: [more.yaml]"), { "web/more.yaml": other })).toEqual([
    "web/more.yaml:7:11: metadata.name: Required value: name or generateName is required",
    'web/more.yaml:7:18: metadata.nam: Forbidden: unknown field; did you mean "name"?',
  ]);
});
