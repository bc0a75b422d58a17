import { describe, expect, test } from "vitest";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { podTemplate } from "../../testing/deployment.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { revisionsOf } from "./revisions.ts";
import { rollBack, rollbackTarget } from "./rollback.ts";

const request = "deprecated.deployment.rollback.to";

const history: readonly ReplicaSet[] = [
  replicaSet("one", {
    image: "v1",
    revision: 1,
    desired: 3,
    before: 2,
    annotations: {
      "kubernetes.io/change-cause": "the first",
      "trimtab.dev/pod-replacement-policy": "TerminationStarted",
    },
  }),
  replicaSet("two", { image: "v2", revision: 2 }),
  replicaSet("three", { image: "v3", revision: 3 }),
];

function rolledBack(to: bigint, replicaSets = history) {
  const annotations = {
    [request]: String(to),
    "kubernetes.io/change-cause": "the third",
    "kubectl.kubernetes.io/last-applied-configuration": "{}",
    "deployment.kubernetes.io/revision": "3",
    "trimtab.dev/pod-replacement-policy": "TerminationComplete",
  };
  return rollBack(revisionsOf(rolloutState({ image: "v3", annotations }, replicaSets)), to);
}

test("a rollback takes the template and the annotations of a revision, and none that are its own", () => {
  expect(rolledBack(1n)).toMatchObject([
    {
      kind: "update-deployment",
      deployment: {
        metadata: {
          annotations: {
            "kubernetes.io/change-cause": "the first",
            "kubectl.kubernetes.io/last-applied-configuration": "{}",
            "deployment.kubernetes.io/revision": "3",
            "trimtab.dev/pod-replacement-policy": "TerminationComplete",
          },
        },
        spec: { template: podTemplate("v1") },
      },
    },
    {
      kind: "record-event",
      event: {
        type: "Normal",
        reason: "DeploymentRollback",
        message: 'Rolled back deployment "web" to revision 1',
      },
    },
  ]);
  const text = JSON.stringify(rolledBack(1n));
  for (const name of [request, "before-scale", "desired-replicas", "pod-template-hash"])
    expect(text).not.toContain(name);
});

test("revision 0 is the one before the last", () => {
  expect(rolledBack(0n)).toMatchObject([{ deployment: { spec: { template: podTemplate("v2") } } }, {}]);
});

describe("a rollback that cannot be done removes the request and says why", () => {
  test.for([
    {
      name: "without an earlier revision",
      to: 0n,
      replicaSets: history.slice(2),
      reason: "DeploymentRollbackRevisionNotFound",
      message: "Unable to find last revision.",
    },
    {
      name: "to a revision that is not there",
      to: 9n,
      reason: "DeploymentRollbackRevisionNotFound",
      message: "Unable to find the revision to rollback to.",
    },
    {
      name: "to a negative revision",
      to: -1n,
      reason: "DeploymentRollbackRevisionNotFound",
      message: "Unable to find the revision to rollback to.",
    },
    {
      name: "to the present template",
      to: 3n,
      reason: "DeploymentRollbackTemplateUnchanged",
      message: 'The rollback revision contains the same template as current deployment "web"',
    },
  ])("$name", ({ to, replicaSets, reason, message }) => {
    const actions = rolledBack(to, replicaSets);
    expect(actions).toMatchObject([
      { kind: "record-event", event: { type: "Warning", reason, message } },
      { kind: "update-deployment", deployment: { spec: { template: podTemplate("v3") } } },
    ]);
    expect(JSON.stringify(actions)).not.toContain(request);
  });
});

test.for([
  { text: "0", want: 0n },
  { text: "7", want: 7n },
  { text: "-7", want: -7n },
  { text: "last", want: undefined },
  { text: "", want: undefined },
])("a request for $text asks for $want", ({ text, want }) => {
  expect(rollbackTarget(rolloutState({ annotations: { [request]: text } }, []).deployment)).toBe(want);
});
