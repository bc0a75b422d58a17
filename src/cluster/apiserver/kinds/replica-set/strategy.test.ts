import { expect, test } from "vitest";
import type { ReplicaSet, ReplicaSetSpec, ReplicaSetStatus } from "../../../../api/generated/apps-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import {
  contextWithout,
  problemsOf,
  problemsOfStatus,
  problemsOfUpdate,
  selector,
  template,
} from "../workload/workload-fixture.cases.ts";
import { deploymentStrategy } from "../deployment/strategy.ts";
import { replicaSetStrategy } from "./strategy.ts";

const picker = { http: { host: "picker", port: 80 } };
const aReplicaSet = (spec: Sent<ReplicaSetSpec> = {}): Sent<ReplicaSet> => ({
  metadata: { name: "web" },
  spec: { selector, template, ...spec },
});

test("a ReplicaSet has one Pod by default, and its template is what a Deployment's is", () => {
  const { spec } = replicaSetStrategy.defaults?.(aReplicaSet()) ?? {};
  expect(spec?.replicas).toBe(1);
  expect(spec?.template).toEqual(deploymentStrategy.defaults?.(aReplicaSet()).spec?.template);
});

test.for<{ name: string; sent: Sent<ReplicaSet>; want: string[] }>([
  { name: "is fine as it is", sent: aReplicaSet({ replicas: 0 }), want: [] },
  {
    name: "has no negative size",
    sent: aReplicaSet({ replicas: -1, minReadySeconds: -1 }),
    want: [
      "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
      "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
    ],
  },
  {
    name: "does not select everything",
    sent: aReplicaSet({ selector: {} }),
    want: ["spec.selector: Invalid value: {}: empty selector is invalid for deployment"],
  },
  {
    name: "has a picker of one protocol",
    sent: aReplicaSet({ downscalePodPicker: { ...picker, grpc: { host: "picker", port: 80 } } }),
    want: ["spec.downscalePodPicker: Forbidden: may not specify more than one protocol"],
  },
])("a ReplicaSet $name", ({ sent, want }) => {
  expect(problemsOf(replicaSetStrategy, sent)).toEqual(want);
});

test("a ReplicaSet goes on selecting what it selected", () => {
  const next = aReplicaSet({ selector: { matchLabels: { app: "other" } } });
  expect(problemsOfUpdate(replicaSetStrategy, next, aReplicaSet())).toEqual([
    'spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable',
  ]);
});

test("a picker is dropped while its gate is off, unless it was there", () => {
  const off = contextWithout("DownscalePodPicker");
  const picking = aReplicaSet({ downscalePodPicker: picker });
  expect(replicaSetStrategy.prepareForCreate?.(picking, off)).toEqual(aReplicaSet());
  expect(replicaSetStrategy.prepareForUpdate?.({ next: picking, previous: aReplicaSet() }, off)).toEqual(
    aReplicaSet(),
  );
  expect(replicaSetStrategy.prepareForUpdate?.({ next: picking, previous: picking }, off)).toEqual(picking);
});

test.for<{ name: string; status: Sent<ReplicaSetStatus>; want: string[] }>([
  { name: "may terminate more than it has", status: { replicas: 0, terminatingReplicas: 3 }, want: [] },
  {
    name: "has no part above the whole",
    status: { replicas: 1, fullyLabeledReplicas: 2 },
    want: ["status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas"],
  },
  {
    name: "has no negative counts",
    status: { observedGeneration: -1 },
    want: ["status.observedGeneration: Invalid value: -1: must be greater than or equal to 0"],
  },
])("the status of a ReplicaSet $name", ({ status, want }) => {
  expect(problemsOfStatus(replicaSetStrategy, { status }, {})).toEqual(want);
});

test("the status of a ReplicaSet is all that its update changes", () => {
  const next = { ...aReplicaSet({ replicas: 9 }), status: { replicas: 3, terminatingReplicas: 1 } };
  const off = contextWithout("DeploymentReplicaSetTerminatingReplicas");
  expect(replicaSetStrategy.prepareForStatusUpdate?.({ next, previous: aReplicaSet() }, off)).toEqual({
    ...aReplicaSet(),
    status: { replicas: 3 },
  });
});

test("the ReplicaSet of the proposal is valid, and its secret is not sent unencrypted", () => {
  const sent = aReplicaSet({
    downscalePodPicker: {
      http: {
        host: "my-app.my-namespace.svc.cluster.local",
        httpHeaders: [
          {
            name: "authentication",
            valueFrom: { secretKeyRef: { key: "authentication-token", name: "my-secret" } },
          },
        ],
        path: "/downscale-pod-picker",
        port: 443,
        scheme: "https",
      },
      maxRetries: 3,
      timeoutSeconds: 5,
    },
  });
  expect(problemsOf(replicaSetStrategy, sent)).toEqual([]);
  expect(replicaSetStrategy.warnings?.(sent, contextWithout())).toEqual([]);
});
