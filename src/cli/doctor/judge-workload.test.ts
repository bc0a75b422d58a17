import { expect, test } from "vitest";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import { judgeWishes } from "./judge-workload.ts";

const order = { "trimtab.dev/removal-order": "trimtab" };

function deploymentWith(annotations: Readonly<Record<string, string>>, namespace = "default"): Deployment {
  const metadata = { name: "web", namespace, uid: "d", resourceVersion: "1", annotations };
  return { metadata, spec: { replicas: 1, selector: {}, template: {} } };
}

function replicaSetWith(annotations: Readonly<Record<string, string>>): ReplicaSet {
  const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "d", controller: true };
  return {
    metadata: { name: "web-1", namespace: "default", uid: "r", annotations, ownerReferences: [owner] },
    spec: { replicas: 1 },
  } as unknown as ReplicaSet;
}

test.each([
  { that: "asks, and is carried", asks: order, carried: order, says: [] },
  {
    that: "asks for nothing",
    asks: {},
    carried: {},
    says: ["open asks for: nothing: steer leaves it to the stock controllers"],
  },
  {
    that: "is not carried yet",
    asks: order,
    carried: {},
    says: ["bad carried: web-1 does not carry what the Deployment asks for: no copy of steer leads"],
  },
  {
    that: "asks for an order that there is not",
    asks: { "trimtab.dev/removal-order": "newest" },
    carried: { "trimtab.dev/removal-order": "newest" },
    says: [
      expect.stringMatching(
        /^bad values: metadata\.annotations\[trimtab\.dev\/removal-order\]: Unsupported value: "newest": /,
      ),
    ],
  },
])("of a Deployment that $that", ({ asks, carried, says }) => {
  const workload = { kind: "Deployment", object: deploymentWith(asks) } as const;
  const surroundings = { namespaceLabels: {}, leftOut: [], replicaSets: [replicaSetWith(carried)] };
  const found = judgeWishes(workload, surroundings).filter(({ state }) => state !== "good");
  expect(found.map(({ state, name, says: text }) => `${state} ${name}: ${text}`)).toEqual(says);
});

test("labels of the namespace ask, and a namespace that is left out is said", () => {
  const workload = { kind: "Deployment", object: deploymentWith({}, "kube-system") } as const;
  const surroundings = { namespaceLabels: order, leftOut: ["kube-system"], replicaSets: [] };
  expect(judgeWishes(workload, surroundings)).toMatchObject([
    { name: "asks for", says: "trimtab.dev/removal-order: trimtab" },
    { name: "values", state: "good" },
    { name: "namespace", state: "bad", says: "steer leaves kube-system out: nothing in it is steered" },
    { name: "carried", state: "open" },
  ]);
});
