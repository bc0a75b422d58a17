import { expect, test } from "vitest";
import { mostValues } from "../../api/parse-json.ts";
import { readSnapshot } from "./read-snapshot.ts";

const head = ["apiVersion: trimtab.dev/v1alpha1", "kind: Snapshot", "takenAt: 2026-01-01T00:00:00Z"];

function problemsOf(...lines: readonly string[]): readonly string[] {
  const read = readSnapshot(lines.join("\n"), "cluster.yaml");
  return read.ok ? [] : read.problems;
}

test("a snapshot without objects is a cluster without objects", () => {
  expect(problemsOf(...head, "objects: {}")).toEqual([]);
});

test.for([
  {
    name: "an empty file",
    lines: [""],
    want: [
      "cluster.yaml:1:1: apiVersion: Required value: must be trimtab.dev/v1alpha1",
      "cluster.yaml:1:1: kind: Required value: must be Snapshot",
      "cluster.yaml:1:1: takenAt: Required value: the moment of the snapshot, such as 2026-01-01T00:00:00Z",
      "cluster.yaml:1:1: objects: Required value: the objects of the cluster: namespaces, nodes, pods, deployments, replicaSets, replicationControllers, statefulSets, daemonSets, controllerRevisions, services, podDisruptionBudgets, priorityClasses, persistentVolumeClaims, persistentVolumes, storageClasses",
    ],
  },
  {
    name: "another kind",
    lines: ["apiVersion: v1", "kind: Pod", "takenAt: yesterday", "objects: {}"],
    want: [
      'cluster.yaml:1:13: apiVersion: Unsupported value: "v1": supported values: "trimtab.dev/v1alpha1"',
      'cluster.yaml:2:7: kind: Unsupported value: "Pod": supported values: "Snapshot"',
      'cluster.yaml:3:10: takenAt: Invalid value: "yesterday": must be a time such as 2026-01-01T00:00:00Z',
    ],
  },
  {
    name: "no YAML",
    lines: [...head, "objects: ["],
    want: [
      "cluster.yaml:4:11: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
  },
  {
    name: "wrong and unknown fields of objects, all of them",
    lines: [
      ...head,
      "controllers: some",
      "objects:",
      "  pod: []",
      "  nodes: none",
      "  pods:",
      "    - metadata: { name: a, namespace: b, uid: c }",
      "      spec:",
      "        nodename: x",
      "        containers: 3",
      "    - metadata: { name: a, namespace: b, uid: d }",
      "      spec: { containers: [{ name: app }] }",
      "    - metadata: { name: a, namespace: b, uid: e }",
      "      spec: { containers: [{ name: app }] }",
      "    - metadata: { name: f }",
      "    - metadata: { name: g, namespace: b, uid: g, labels: { app: 1 } }",
      "      spec: { containers: [{ name: app }] }",
    ],
    want: [
      'cluster.yaml:4:14: controllers: Unsupported value: "some": supported values: "embedded", "external", "steered", "stock"',
      'cluster.yaml:6:8: objects.pod: Forbidden: unknown field; did you mean "pods"?',
      'cluster.yaml:7:10: objects.nodes: Invalid value: "none": must be a list',
      'cluster.yaml:11:19: objects.pods[0].spec.nodename: Forbidden: unknown field; did you mean "nodeName"?',
      "cluster.yaml:12:21: objects.pods[0].spec.containers: Invalid value: 3: must be a list",
      'cluster.yaml:13:25: objects.pods[1].metadata.name: Duplicate value: "a"',
      'cluster.yaml:15:25: objects.pods[2].metadata.name: Duplicate value: "a"',
      "cluster.yaml:17:7: objects.pods[3].spec.containers: Required value",
      "cluster.yaml:17:17: objects.pods[3].metadata.uid: Required value",
      "cluster.yaml:17:17: objects.pods[3].metadata.namespace: Required value",
      "cluster.yaml:18:65: objects.pods[4].metadata.labels.app: Invalid value: 1: must be a text",
    ],
  },
])("$name is refused with every mistake and its place", ({ lines, want }) => {
  expect(problemsOf(...lines)).toEqual(want);
});

test("a JSON snapshot with more values than a request may have is not parsed as YAML", () => {
  const labels = Array.from({ length: mostValues }, (_, index) => `"label-${index}":""`);
  // A repeated name tells the parsers apart: JSON.parse keeps its last value, and the YAML parser refuses it.
  const namespace = `{"metadata":{"name":"a","name":"b","uid":"c","labels":{${labels.join(",")}}}}`;
  const rest = '"apiVersion":"trimtab.dev/v1alpha1","kind":"Snapshot","takenAt":"2026-01-01T00:00:00Z"';
  const read = readSnapshot(`{${rest},"objects":{"namespaces":[${namespace}]}}`, "cluster.json");
  expect(read.ok ? read.snapshot.objects.namespaces[0]?.metadata.name : read.problems).toBe("b");
});

test("a list, a text and a number are no snapshot", () => {
  for (const text of ["- a", "hello", "7"])
    expect(problemsOf(text)).toEqual(["cluster.yaml: an object was expected, with kind Snapshot"]);
});
