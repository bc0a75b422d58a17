import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { shapeOf } from "../../api/schema/shape.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { node } from "../../testing/node.ts";
import { pod } from "../../testing/pod.ts";
import { noObjects } from "../../decisions/explain/cluster-objects.ts";
import { allowedFields } from "./allowed-fields.ts";
import { anonymisedFields, mapImage } from "./anonymised-fields.ts";
import { anonymise } from "./anonymise.ts";
import { decisionsOf } from "./decisions-of.cases.ts";
import { orderedReplacements } from "./ordered-codes.ts";
import { lookedAt, randomCluster } from "./random-cluster.cases.ts";
import { takeSnapshot, writeSnapshot } from "./snapshot.ts";

test("every text that a snapshot may have is said to be replaced or kept", () => {
  const texts = Object.entries(allowedFields).flatMap(([type, fields]) =>
    (shapeOf(type)?.members ?? [])
      .filter((member) => fields.includes(member.name))
      .filter((member) => member.type === "string" || member.name === "disruptedPods")
      .map(({ name }) => `${type} ${name}`),
  );
  const treated = Object.entries(anonymisedFields).flatMap(([type, fields]) =>
    Object.keys(fields).map((name) => `${type} ${name}`),
  );
  expect(treated.sort()).toEqual(texts.sort());
});

/** What the random clusters call their things: as whole words, since letters of a random code may happen to be one. */
const names = /\b(web-|node-|team-|registry\.example|shop\b|ops\b|ssd\b|hdd\b|games\b|gold\b|hash0\b)/g;

test("a cluster and its anonymised snapshot lead to the same decisions", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const snapshot = takeSnapshot(randomCluster(seededRandom(seed)), { now: lookedAt, namespace: "shop" });
      const anonymised = anonymise(snapshot, seededRandom(`key ${seed}`));
      expect(decisionsOf(anonymised.objects)).toEqual(decisionsOf(snapshot.objects));
      const text = writeSnapshot(anonymised, "json");
      const values = text.replaceAll(/"[^"]+": /g, ""); // keys stay
      expect(values.match(names) ?? []).toEqual([]);
      expect(writeSnapshot(snapshot, "json")).toMatch(names);
    }),
    { numRuns: 15 },
  );
});

test("the same key gives the same names, another one others", () => {
  const snapshot = takeSnapshot(randomCluster(seededRandom(1)), { now: lookedAt });
  const text = (key: string) => writeSnapshot(anonymise(snapshot, seededRandom(key)), "json");
  expect(text("a")).toBe(text("a"));
  expect(text("a")).not.toBe(text("b"));
});

test("one text has one code wherever it is, and what Kubernetes defines stays", () => {
  const nodes = [
    node("alpha", { zone: "eu-1", labels: { "kubernetes.io/os": "linux", gpu: "true" } }),
    node("beta", { zone: "eu-1", taints: [{ key: "team", value: "red", effect: "NoExecute" }] }),
  ];
  const pods = [
    pod("one", {
      node: "beta",
      spec: {
        schedulerName: "default-scheduler",
        tolerations: [
          { key: "team", operator: "Equal", value: "red", effect: "NoExecute" },
          { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
        ],
        nodeSelector: { "topology.kubernetes.io/zone": "eu-1", "kubernetes.io/os": "linux" },
      },
    }),
  ];
  const snapshot = takeSnapshot({ ...noObjects, nodes, pods }, { now: lookedAt });
  const { objects } = anonymise(snapshot, seededRandom("key"));
  const [alpha, beta] = objects.nodes as readonly [Node, Node];
  const [one] = objects.pods as readonly [Pod];
  const labels = beta.metadata.labels ?? {};
  const zone = labels["topology.kubernetes.io/zone"];
  expect(one.spec.nodeName).toBe(beta.metadata.name);
  expect(labels["kubernetes.io/hostname"]).toBe(beta.metadata.name);
  expect(alpha.metadata.labels).toMatchObject({ "topology.kubernetes.io/zone": zone, gpu: "true" });
  expect(one.spec.nodeSelector).toEqual({
    "topology.kubernetes.io/zone": zone,
    "kubernetes.io/os": "linux",
  });
  expect(one.spec.tolerations).toMatchObject([
    { value: beta.spec.taints?.[0]?.value },
    { key: "node.kubernetes.io/not-ready" },
  ]);
  expect(one.spec.schedulerName).toBe("default-scheduler");
  expect(alpha.metadata.name < beta.metadata.name).toBe(true);
});

test("names that look like those of the system are replaced, and so is what names things in texts of other kinds", () => {
  const labels = { "acme.example/slots": "12", "acme.example/size": "large-acme" };
  const compared = [
    { key: "acme.example/slots", operator: "Gt", values: ["3"] },
    { key: "acme.example/size", operator: "Lt", values: ["7"] },
  ];
  const affinity = {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: compared }] },
    },
  };
  const conditionType = "target-health.elbv2.k8s.aws/acme-shop-web";
  const nodes = [node("system-acme", { labels })];
  const spec = { affinity, priorityClassName: "system-node-critical", readinessGates: [{ conditionType }] };
  const conditions = [conditionType, "Ready"].map((type) => ({ type, status: "True" }));
  const pods = [{ ...pod("one", { node: "system-acme", spec }), status: { conditions } }];
  const snapshot = takeSnapshot({ ...noObjects, nodes, pods }, { now: lookedAt });
  const { objects } = anonymise(snapshot, seededRandom("key"));
  const values = JSON.stringify(objects).replaceAll(/"key":"[^"]+"|"[^"]+":/g, ""); // keys stay
  expect(values).not.toContain("acme");
  const [one] = objects.pods as readonly [Pod];
  const [gate] = one.spec.readinessGates ?? [];
  expect(one.status?.conditions?.map(({ type }) => type)).toEqual([gate?.conditionType, "Ready"]);
  expect(one.spec.priorityClassName).toBe("system-node-critical");
  expect(objects.nodes[0]?.metadata.labels?.["acme.example/slots"]).toBe("12");
});

test("replacements are different and in the order of what they replace", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 30 }), fc.integer(), (texts, seed) => {
      const codes = orderedReplacements(texts, seededRandom(seed));
      const inOrder = [...texts].sort((a, b) => (a < b ? -1 : 1)).map((text) => codes.get(text));
      expect(inOrder).toEqual([...codes.values()].sort((a, b) => (a < b ? -1 : 1)));
      expect(new Set(codes.values()).size).toBe(texts.length);
    }),
  );
});

test.for([
  { image: "nginx", want: "<nginx>" },
  { image: "nginx:latest", want: "<nginx>:latest" },
  { image: "shop/web:404", want: "<shop/web>:404" },
  { image: "registry:5000/web", want: "<registry:5000/web>" },
  { image: "registry:5000/web:1.2", want: "<registry:5000/web>:<1.2>" },
  { image: "web:1@sha256:ab", want: "<web>:<1>@sha256:<sha256:ab>" },
  { image: "x.invalid/web:1", want: "registry.invalid/<x.invalid/web>:<1>" },
  { image: "", want: "" },
])("the image $image becomes $want", ({ image, want }) => {
  expect(mapImage(image, (text) => `<${text}>`)).toBe(want);
});
