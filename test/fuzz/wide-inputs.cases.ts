import type { TargetName } from "./targets.ts";
import { wideSettings } from "./wide-settings.cases.ts";

/** An input of any size that a reader might take more than proportional time for. */
export interface WideInput {
  readonly name: string;
  readonly targets: readonly TargetName[];
  /** The input with so many parts. */
  readonly of: (count: number) => string;
}

const times = (count: number, part: (index: number) => string, separator = "") =>
  Array.from({ length: count }, (_, index) => part(index)).join(separator);
const pairs = (count: number, part: (index: number) => readonly [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => part(index)));
const list = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => item(index));
const json = (value: unknown) => JSON.stringify(value);

const yaml = ["yaml-body", "apply", "scenario", "snapshot", "kubeconfig", "scheduler-configuration"] as const;

const yamlTexts: readonly (readonly [name: string, of: (count: number) => string])[] = [
  ["a list between brackets", (n) => `a: [${"1,".repeat(n)}]`],
  ["an object between braces", (n) => `a: {${times(n, (i) => `k${i}: 1,`)}}`],
  ["a list in lines", (n) => `a:\n${"- 1\n".repeat(n)}`],
  ["an object in lines", (n) => times(n, (i) => `k${i}: 1\n`)],
  ["one key again and again", (n) => "a: 1\n".repeat(n)],
  ["comments", (n) => "# c\n".repeat(n)],
  ["comments between values", (n) => "- 1 # c\n# d\n".repeat(n)],
  ["empty lines", (n) => `a:${"\n".repeat(n)} 1`],
  ["anchors", (n) => times(n, (i) => `- &a${i} 1\n`)],
  ["an anchor again and again", (n) => "- &a 1\n".repeat(n)],
  ["aliases", (n) => `a: &a 1\nb: [${"*a,".repeat(n)}]`],
  ["aliases of nothing", (n) => `a: [${"*a,".repeat(n)}]`],
  ["aliases of what they are in", (n) => `a: &a [${"*a,".repeat(n)}]`],
  ["chains of aliases", (n) => `a0: &a0 []\n${times(n, (i) => `a${i + 1}: &a${i + 1} [*a${i}]\n`)}`],
  ["merges", (n) => `a: {<<: [${times(n, (i) => `{k${i}: 1}`, ",")}]}`],
  ["many merges", (n) => `a: &a {x: 1}\nb: {${"<<: *a,".repeat(n)}}`],
  ["a text in many lines", (n) => `a: x\n${"  x\n".repeat(n)}`],
  ["a quoted text in many lines", (n) => `a: "x\n${"  x\n".repeat(n)}"`],
  ["a block of text", (n) => `a: |\n${"  x\n".repeat(n)}`],
  ["a folded block", (n) => `a: >\n${"  x\n\n".repeat(n)}`],
  ["escapes", (n) => `a: "${"\\u0041\\\\".repeat(n)}"`],
  ["quotes within quotes", (n) => `a: '${"''".repeat(n)}'`],
  ["a quote without end", (n) => `a: "${"x ".repeat(n)}`],
  ["tags", (n) => "- !a 1\n".repeat(n)],
  ["documents", (n) => "---\na: 1\n".repeat(n)],
  ["ends of documents", (n) => "...\n".repeat(n)],
  ["directives", (n) => "%FOO a\n".repeat(n)],
  ["handles", (n) => `${times(n, (i) => `%TAG !a${i}! x\n`)}---\na: !a1!b 1\n`],
  ["closing brackets", (n) => "]".repeat(n)],
  ["keys within keys", (n) => `a${": b".repeat(n)}`],
  ["keys without values", (n) => "? a\n".repeat(n)],
  ["values without keys", (n) => ": a\n".repeat(n)],
  ["lists within lists that close", (n) => `a: [${"[[[]]],".repeat(n)}]`],
  ["open lists in lines", (n) => "- [\n".repeat(n)],
  ["tabs", (n) => `a:\n${"\t\n".repeat(n)}`],
  ["spaces", (n) => `a:${" ".repeat(n)}1`],
  ["carriage returns", (n) => "a: 1\r".repeat(n)],
  ["a long key", (n) => `${"k".repeat(n)}: 1`],
  ["keys with many dots", (n) => `${"a.".repeat(n)}: 1`],
];

const patches = ["json-patch", "merge-patch", "strategic-patch"] as const;
const jsonReaders = ["json-body", "apply", "snapshot", ...patches] as const;
const head = { apiVersion: "apps/v1", kind: "Deployment" };
const deployment = (spec: object) => ({
  ...head,
  metadata: { name: "web" },
  spec: { template: { spec } },
});
const containers = (n: number) => list(n, (i) => ({ name: `c${i}`, image: "i" }));
const metadata = (members: object) => json({ ...head, metadata: { name: "web", ...members } });
const whole = ["json-body", "apply", "merge-patch", "strategic-patch"] as const;
const entry = (i: number) => ({
  manager: `m${i}`,
  operation: i % 2 === 0 ? "Apply" : "Update",
  apiVersion: "apps/v1",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:spec": { [`f:${i}`]: {} } },
});

const jsonTexts: readonly WideInput[] = [
  { name: "numbers", targets: jsonReaders, of: (n) => json({ ...head, a: list(n, Number) }) },
  {
    name: "members",
    targets: jsonReaders,
    of: (n) => json({ ...head, ...pairs(n, (i) => [`k${i}`, 1]) }),
  },
  { name: "one member again and again", targets: jsonReaders, of: (n) => `{${'"a":1,'.repeat(n)}"b":1}` },
  {
    name: "many members again and again",
    targets: jsonReaders,
    of: (n) => `{${times(n, (i) => `"k${i}":1,`).repeat(2)}"b":1}`,
  },
  { name: "escaped quotes", targets: jsonReaders, of: (n) => `{"a":"${'\\"'.repeat(n)}"}` },
  { name: "backslashes", targets: jsonReaders, of: (n) => `{"a":"${"\\\\".repeat(n)}"}` },
  { name: "a text without end", targets: jsonReaders, of: (n) => `{"a":"${'\\"'.repeat(n)}` },
  { name: "labels", targets: whole, of: (n) => metadata({ labels: pairs(n, (i) => [`k${i}`, "v"]) }) },
  { name: "finalizers", targets: whole, of: (n) => metadata({ finalizers: list(n, (i) => `a/f${i}`) }) },
  { name: "equal finalizers", targets: whole, of: (n) => metadata({ finalizers: list(n, () => "a/f") }) },
  {
    name: "owners",
    targets: whole,
    of: (n) =>
      metadata({
        ownerReferences: list(n, (i) => ({ apiVersion: "v1", kind: "Pod", name: `p${i}`, uid: `u${i}` })),
      }),
  },
  { name: "field managers", targets: whole, of: (n) => metadata({ managedFields: list(n, entry) }) },
  { name: "containers", targets: whole, of: (n) => json(deployment({ containers: containers(n) })) },
  {
    name: "equal containers",
    targets: whole,
    of: (n) => json(deployment({ containers: list(n, () => ({ name: "web" })) })),
  },
  {
    name: "variables",
    targets: whole,
    of: (n) =>
      json(
        deployment({ containers: [{ name: "web", env: list(n, (i) => ({ name: `E${i}`, value: "v" })) }] }),
      ),
  },
  {
    name: "ports",
    targets: whole,
    of: (n) =>
      json(deployment({ containers: [{ name: "web", ports: list(n, (i) => ({ containerPort: i })) }] })),
  },
  {
    name: "tolerations",
    targets: whole,
    of: (n) => json(deployment({ tolerations: list(n, (i) => ({ key: `k${i}` })) })),
  },
  {
    name: "unknown fields",
    targets: whole,
    of: (n) => json(deployment(pairs(n, (i) => [`x${i}`, {}]))),
  },
];

const operations = (n: number, of: (index: number) => object) => json(list(n, of));
const atFirst = "/spec/template/spec/containers/0";

const patchTexts: readonly WideInput[] = [
  {
    name: "additions to a list's beginning",
    targets: ["json-patch"],
    of: (n) => operations(n, () => ({ op: "add", path: atFirst, value: {} })),
  },
  {
    name: "copies of one container",
    targets: ["json-patch"],
    of: (n) => operations(n, () => ({ op: "copy", from: atFirst, path: atFirst })),
  },
  {
    name: "copies that double",
    targets: ["json-patch"],
    of: (n) => operations(n, (i) => ({ op: "copy", from: "/spec", path: `/spec/x${i}` })),
  },
  {
    name: "labels one by one",
    targets: ["json-patch"],
    of: (n) => operations(n, (i) => ({ op: "add", path: `/metadata/labels/k${i}`, value: "v" })),
  },
  {
    name: "moves",
    targets: ["json-patch"],
    of: (n) => operations(n, (i) => ({ op: "move", from: `/spec${"/x".repeat(i % 2)}`, path: "/y" })),
  },
  {
    name: "tests",
    targets: ["json-patch"],
    of: (n) => operations(n, () => ({ op: "test", path: "/kind", value: "Deployment" })),
  },
  {
    name: "unknown members of operations",
    targets: ["json-patch"],
    of: (n) => json([{ op: "test", path: "/kind", value: 1, ...pairs(n, (i) => [`x${i}`, 1]) }]),
  },
  {
    name: "steps of a path",
    targets: ["json-patch"],
    of: (n) => json([{ op: "add", path: "/a".repeat(n), value: 1 }]),
  },
  {
    name: "an order of containers",
    targets: ["strategic-patch"],
    of: (n) => json(deployment({ containers: containers(n), "$setElementOrder/containers": containers(n) })),
  },
  {
    name: "deletions of containers",
    targets: ["strategic-patch"],
    of: (n) => json(deployment({ containers: list(n, (i) => ({ name: `c${i}`, $patch: "delete" })) })),
  },
  {
    name: "deletions of finalizers",
    targets: ["strategic-patch"],
    of: (n) => metadata({ "$deleteFromPrimitiveList/finalizers": list(n, (i) => `f${i}`) }),
  },
  {
    name: "keys to retain",
    targets: ["strategic-patch"],
    of: (n) => json({ spec: { strategy: { $retainKeys: list(n, (i) => `k${i}`) } } }),
  },
  {
    name: "orders of unknown fields",
    targets: ["strategic-patch"],
    of: (n) => json(pairs(n, (i) => [`$setElementOrder/x${i}`, []])),
  },
];

const otherTexts: readonly WideInput[] = [
  { name: "requirements", targets: ["label-selector"], of: (n) => times(n, (i) => `k${i}=v`, ",") },
  { name: "values", targets: ["label-selector"], of: (n) => `k in (${times(n, (i) => `v${i}`, ",")})` },
  { name: "commas", targets: ["label-selector", "field-selector"], of: (n) => ",".repeat(n) },
  { name: "exclamation marks", targets: ["label-selector"], of: (n) => "!".repeat(n) },
  { name: "a long word", targets: ["label-selector", "field-selector"], of: (n) => "k".repeat(n) },
  { name: "dots", targets: ["label-selector"], of: (n) => `${"a.".repeat(n)}/b` },
  { name: "fields", targets: ["field-selector"], of: (n) => times(n, () => "metadata.name=a", ",") },
  { name: "backslashes", targets: ["field-selector"], of: (n) => `a=${"\\\\".repeat(n)}` },
  {
    name: "operators",
    targets: ["match-condition", "schema-rule"],
    of: (n) => `true${" || true".repeat(n)}`,
  },
  { name: "sums", targets: ["match-condition", "schema-rule"], of: (n) => `1${" + 1".repeat(n)} > 2` },
  { name: "a list", targets: ["match-condition", "schema-rule"], of: (n) => `1 in [${"1,".repeat(n)}1]` },
  { name: "parentheses", targets: ["match-condition", "schema-rule"], of: (n) => "(".repeat(n) },
  { name: "negations", targets: ["match-condition", "schema-rule"], of: (n) => "!".repeat(n) },
  { name: "members", targets: ["match-condition", "schema-rule"], of: (n) => `object${".a".repeat(n)}` },
  {
    name: "comparisons in a list",
    targets: ["match-condition", "schema-rule"],
    of: (n) => `[${"1==1,".repeat(n)}true].all(x, x)`,
  },
  { name: "a text", targets: ["match-condition", "schema-rule"], of: (n) => `'${"\\n".repeat(n)}' == ''` },
];

const scenarioHead = { apiVersion: "trimtab.dev/v1alpha1", kind: "Scenario" };
const snapshotHead = {
  apiVersion: "trimtab.dev/v1alpha1",
  kind: "Snapshot",
  takenAt: "2026-01-01T00:00:00Z",
};
const pod = (i: number) => ({
  metadata: { name: `p${i}`, namespace: "a", uid: `u${i}` },
  spec: { containers: [{ name: "c" }] },
});

const files: readonly WideInput[] = [
  ...(["events", "assertions", "manifests", "nodes", "load", "manifestFiles", "zones"] as const).map(
    (member) => ({
      name: `wrong ${member}`,
      targets: ["scenario"] as const,
      of: (n: number) => json({ ...scenarioHead, [member]: list(n, () => ({ x: 1 })) }),
    }),
  ),
  {
    name: "manifests",
    targets: ["scenario"],
    of: (n) =>
      json({
        ...scenarioHead,
        nodes: [{ count: 1 }],
        manifests: list(n, (i) => ({
          ...deployment({ containers: containers(1) }),
          metadata: { name: `d${i}` },
        })),
      }),
  },
  {
    name: "equal manifests",
    targets: ["scenario"],
    of: (n) => json({ ...scenarioHead, manifests: list(n, () => deployment({ containers: containers(1) })) }),
  },
  {
    name: "events",
    targets: ["scenario"],
    of: (n) =>
      json({
        ...scenarioHead,
        events: list(n, (i) => ({ at: `${i}s`, scale: { deployment: "web", replicas: 1 } })),
      }),
  },
  {
    name: "assertions",
    targets: ["scenario"],
    of: (n) => json({ ...scenarioHead, assertions: list(n, (i) => ({ name: `a${i}`, at: "1s" })) }),
  },
  {
    name: "pods",
    targets: ["snapshot"],
    of: (n) => json({ ...snapshotHead, objects: { pods: list(n, pod) } }),
  },
  {
    name: "equal pods",
    targets: ["snapshot"],
    of: (n) => json({ ...snapshotHead, objects: { pods: list(n, () => pod(1)) } }),
  },
  {
    name: "wrong pods",
    targets: ["snapshot"],
    of: (n) => json({ ...snapshotHead, objects: { pods: list(n, () => ({ x: 1 })) } }),
  },
  {
    name: "contexts, clusters and users",
    targets: ["kubeconfig"],
    of: (n) =>
      json({
        "current-context": `n${n - 1}`,
        contexts: list(n, (i) => ({ name: `n${i}`, context: { cluster: `n${i}`, user: `n${i}` } })),
        clusters: list(n, (i) => ({ name: `n${i}`, cluster: { server: "https://127.0.0.1:1" } })),
        users: list(n, (i) => ({ name: `n${i}`, user: {} })),
      }),
  },
  {
    name: "profiles",
    targets: ["scheduler-configuration"],
    of: (n) =>
      json({
        apiVersion: "kubescheduler.config.k8s.io/v1",
        kind: "KubeSchedulerConfiguration",
        profiles: list(n, (i) => ({ schedulerName: `s${i}` })),
      }),
  },
  {
    name: "wrong profiles",
    targets: ["scheduler-configuration"],
    of: (n) =>
      json({
        apiVersion: "kubescheduler.config.k8s.io/v1",
        kind: "KubeSchedulerConfiguration",
        profiles: list(n, () => ({ x: 1, plugins: { filter: { disabled: [{ name: "a" }, { name: 1 }] } } })),
      }),
  },
  {
    name: "plugins",
    targets: ["scheduler-configuration"],
    of: (n) =>
      json({
        apiVersion: "kubescheduler.config.k8s.io/v1",
        kind: "KubeSchedulerConfiguration",
        profiles: [
          {
            plugins: {
              filter: {
                enabled: list(n, (i) => ({ name: `p${i}` })),
                disabled: list(n, (i) => ({ name: `q${i}` })),
              },
            },
            pluginConfig: list(n, (i) => ({ name: `p${i}`, args: {} })),
          },
        ],
      }),
  },
];

/** Inputs for all readers. */
export const wideInputs: readonly WideInput[] = [
  ...yamlTexts.map(([name, of]) => ({ name, targets: yaml, of })),
  ...jsonTexts,
  ...patchTexts,
  ...otherTexts,
  ...files,
  ...wideSettings,
];
