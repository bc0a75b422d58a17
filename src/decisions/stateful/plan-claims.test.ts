import { describe, expect, test } from "vitest";
import type { StatefulSetSpec } from "../../api/generated/apps-v1.ts";
import type { OwnerReference } from "../../api/generated/meta-v1.ts";
import { claim, type Given, planned, stateOf } from "./stateful-state.cases.ts";
import { planStatefulSet } from "./plan-stateful-set.ts";

type Policy = readonly [whenDeleted: "Retain" | "Delete", whenScaled: "Retain" | "Delete"];

/** A set with the claim template `data`, and the claims and Pods given. */
function given([whenDeleted, whenScaled]: Policy, more: Given): Given {
  const spec: Partial<StatefulSetSpec> = {
    volumeClaimTemplates: [claim("data")],
    persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
  };
  return { ...more, spec: { ...spec, ...more.spec } };
}

const owner = (
  kind: "Pod" | "StatefulSet" | "Other",
  name: string,
  uid = `uid-of-${name}`,
): OwnerReference => ({
  apiVersion: kind === "Pod" ? "v1" : "apps/v1",
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});
const ofSet = [owner("StatefulSet", "web")];
const all = (references: readonly OwnerReference[] = []) =>
  [0, 1, 2].map((ordinal) => claim(`data-web-${ordinal}`, references));

interface Row {
  readonly name: string;
  readonly policy?: Policy;
  readonly given: Given;
  readonly does: readonly string[];
  readonly waits?: readonly string[];
}

describe("claims", () => {
  test.for<Row>([
    { name: "are created before the Pod", given: {}, does: ["claim data-web-0 + create 0@R1"] },
    {
      name: "that exist are used as they are",
      given: { claims: [claim("data-web-0")] },
      does: ["create 0@R1"],
    },
    {
      name: "that a Pending Pod lost are created again",
      given: { pods: "0…" },
      does: ["claim data-web-0"],
      waits: ["not-ready 0"],
    },
    {
      name: "that a running Pod lost are not",
      given: { pods: "0✓ 1✓ 2✓", claims: [] },
      does: ["update 0 claims"].slice(1),
    },
    {
      name: "that are being deleted get no Pod",
      given: { claims: [claim("data-web-0", [], "2026-01-01T00:00:00Z")] },
      does: ["refuse 0: pvc data-web-0 is being deleted"],
      waits: ["claim-deleting 0"],
    },
    {
      name: "go with the set, if the policy says so",
      policy: ["Delete", "Retain"],
      given: {},
      does: ["claim data-web-0 of StatefulSet web + create 0@R1"],
    },
    {
      name: "that exist are made to go with the set",
      policy: ["Delete", "Retain"],
      given: { claims: [claim("data-web-0")] },
      does: ["create 0@R1 + own data-web-0 of StatefulSet web"],
    },
    {
      name: "go with the Pods that are to be removed, before the first one is",
      policy: ["Retain", "Delete"],
      given: { pods: "0✓ 1✓ 2✓", replicas: 1, claims: all() },
      does: ["own data-web-2 of Pod web-2", "own data-web-1 of Pod web-1", "delete 2 scaled-down"],
    },
    {
      name: "of such Pods are the Pod's and no longer the set's",
      policy: ["Delete", "Delete"],
      given: { pods: "0✓ 1✓ 2✓", replicas: 2, claims: all(ofSet) },
      does: ["own data-web-2 of Pod web-2", "delete 2 scaled-down"],
    },
    {
      name: "come back to the set when it grows again",
      policy: ["Delete", "Delete"],
      given: {
        pods: "0✓ 1✓ 2✓",
        claims: [
          claim("data-web-0", ofSet),
          claim("data-web-1", ofSet),
          claim("data-web-2", [owner("Pod", "web-2")]),
        ],
      },
      does: ["own data-web-2 of StatefulSet web + update 2 retention"],
    },
    {
      name: "are nobody's when the policy becomes to retain them, with an update of each Pod",
      given: { pods: "0✓ 1✓ 2✓", claims: all(ofSet) },
      does: [
        "own data-web-0 + update 0 retention",
        "own data-web-1 + update 1 retention",
        "own data-web-2 + update 2 retention",
      ],
    },
    {
      name: "of an earlier Pod are waited for until they are gone",
      policy: ["Retain", "Delete"],
      given: {
        pods: "0✓",
        claims: [claim("data-web-0"), claim("data-web-1", [owner("Pod", "web-1", "earlier")])],
      },
      does: [],
      waits: ["stale-claim 1"],
    },
    {
      name: "of an earlier Pod are left alone where they are retained",
      given: {
        pods: "0✓",
        claims: [claim("data-web-0"), claim("data-web-1", [owner("Pod", "web-1", "earlier")])],
      },
      does: ["create 1@R1"],
    },
    {
      name: "of an earlier set are left to the garbage collector",
      policy: ["Delete", "Retain"],
      given: {
        pods: "0✓",
        replicas: 1,
        claims: [claim("data-web-0", [owner("StatefulSet", "web", "earlier")])],
      },
      does: [],
    },
    {
      name: "with a foreign controller lose our reference",
      policy: ["Retain", "Delete"],
      given: {
        pods: "0✓ 1✓",
        replicas: 1,
        claims: [claim("data-web-0"), claim("data-web-1", [owner("Other", "o"), owner("Pod", "web-1")])],
      },
      does: ["own data-web-1 of Other o", "delete 1 scaled-down"],
    },
    {
      name: "with a foreign controller get no reference of ours, which is said when the Pod is made",
      policy: ["Delete", "Delete"],
      given: { claims: [claim("data-web-0", [owner("Other", "o")])] },
      does: ["create 0@R1 + conflict data-web-0"],
    },
  ])("$name", ({ policy = ["Retain", "Retain"], given: more, does, waits }) => {
    const plan = planned(given(policy, more));
    expect(plan.does).toEqual(does);
    if (waits !== undefined) expect(plan.waits).toEqual(waits);
  });
});

test("a Pod has a volume for each claim template, which shadows one of the template", () => {
  const spec = {
    volumeClaimTemplates: [claim("data"), claim("logs")],
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [{ name: "app", image: "x" }],
        volumes: [
          { name: "tmp", emptyDir: {} },
          { name: "logs", emptyDir: {} },
        ],
      },
    },
  };
  const [created] = planStatefulSet(stateOf({ revisions: "", spec })).batches.flat();
  const pod = created?.actions.flatMap((action) => (action.kind === "create-pod" ? [action.pod] : [])).at(0);
  expect(pod?.spec?.volumes).toEqual([
    { name: "data", persistentVolumeClaim: { claimName: "data-web-0" } },
    { name: "logs", persistentVolumeClaim: { claimName: "logs-web-0" } },
    { name: "tmp", emptyDir: {} },
  ]);
});

test("a claim has the labels of its template and those that the set selects by", () => {
  const template = {
    ...claim("data"),
    metadata: { ...claim("data").metadata, labels: { tier: "db", app: "other" } },
  };
  const plan = planStatefulSet(stateOf({ spec: { volumeClaimTemplates: [template] } }));
  const [created] = plan.batches.flat().flatMap(({ actions }) => actions);
  expect(created).toMatchObject({
    kind: "create-claim",
    claim: { metadata: { labels: { tier: "db", app: "web" } } },
  });
});

test.for([
  {
    name: "a wrong name label is repaired",
    label: "statefulset.kubernetes.io/pod-name",
    does: ["update 1 identity"],
  },
  { name: "a missing index label alone is not", label: "apps.kubernetes.io/pod-index", does: [] },
])("$name", ({ label, does }) => {
  const state = stateOf({ pods: "0✓ 1✓ 2✓" });
  const pods = state.pods.map((pod, index) => {
    if (index !== 1) return pod;
    const { [label]: _, ...labels } = pod.metadata.labels ?? {};
    return { ...pod, metadata: { ...pod.metadata, labels } };
  });
  const plan = planStatefulSet({ ...state, pods });
  const updates = plan.batches
    .flat()
    .flatMap(({ ordinal, actions }) =>
      actions.map((action) =>
        action.kind === "update-pod" ? `update ${ordinal} ${action.reason}` : action.kind,
      ),
    );
  expect(updates).toEqual(does);
});
