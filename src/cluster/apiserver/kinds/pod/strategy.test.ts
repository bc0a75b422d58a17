import { describe, expect, test } from "vitest";
import { deletionCostAnnotation } from "../../../../api/deletion-cost.ts";
import { defaultFeatureGates } from "../../../../api/feature-gates.ts";
import { formatFieldError } from "../../../../api/field-error.ts";
import type { Pod, PodSpec, PodStatus } from "../../../../api/generated/core-v1.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { podStrategy } from "./strategy.ts";

const context: StrategyContext = { gates: defaultFeatureGates, now: 1_794_700_800_000 };
const app = { name: "app", image: "nginx:1" };

function aPod(spec: Sent<PodSpec> = {}, metadata: Sent<Pod["metadata"]> = {}): Sent<Pod> {
  const sent = { metadata: { name: "web", ...metadata }, spec: { containers: [app], ...spec } };
  return podStrategy.defaults?.(sent) ?? sent;
}

describe("a new Pod", () => {
  test("gets what only Pods have by default", () => {
    const { spec } = aPod({
      hostNetwork: true,
      containers: [{ ...app, ports: [{ containerPort: 80 }], resources: { limits: { cpu: "1" } } }],
    });
    expect(spec).toMatchObject({
      enableServiceLinks: true,
      containers: [
        {
          ports: [{ containerPort: 80, hostPort: 80 }],
          resources: { limits: { cpu: "1" }, requests: { cpu: "1" } },
        },
      ],
    });
  });

  test("asks for what it may use, unless it asks for less", () => {
    const resources = { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "100m" } };
    const { spec } = aPod({ containers: [{ ...app, resources }] });
    expect(spec?.containers?.[0]?.resources?.requests).toEqual({ cpu: "100m", memory: "1Gi" });
  });

  test("has a node if it is a mirror Pod", () => {
    const metadata = { annotations: { "kubernetes.io/config.mirror": "x" } };
    expect(podStrategy.validate?.(aPod({}, metadata), context).map(formatFieldError)).toEqual([
      'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
    ]);
    expect(podStrategy.validate?.(aPod({ nodeName: "n" }, metadata), context)).toEqual([]);
  });

  test("is pending, whatever it says of itself", () => {
    const boastful = { ...aPod(), status: { phase: "Running", podIP: "10.0.0.1" } };
    expect(podStrategy.prepareForCreate?.(boastful, context).status).toEqual({
      phase: "Pending",
      qosClass: "BestEffort",
    });
  });

  test("says that it is gated", () => {
    expect(
      podStrategy.prepareForCreate?.(aPod({ schedulingGates: [{ name: "a/b" }] }), context).status
        ?.conditions,
    ).toEqual([
      {
        type: "PodScheduled",
        status: "False",
        lastTransitionTime: "2026-11-15T00:00:00Z",
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
      },
    ]);
  });

  test("narrows its selectors by its own labels", () => {
    const spread = { maxSkew: 1, topologyKey: "zone", labelSelector: {}, matchLabelKeys: ["app"] };
    const sent = aPod({ topologySpreadConstraints: [spread] }, { labels: { app: "web" } });
    expect(podStrategy.prepareForCreate?.(sent, context).spec).toMatchObject({
      topologySpreadConstraints: [
        { labelSelector: { matchExpressions: [{ key: "app", operator: "In", values: ["web"] }] } },
      ],
    });
  });

  test.for<{ name: string; sent: Sent<Pod>; want: string[] }>([
    { name: "is fine as it is", sent: aPod(), want: [] },
    {
      name: "has no ephemeral containers",
      sent: aPod({ ephemeralContainers: [{ name: "debug", image: "x" }] }),
      want: ["spec.ephemeralContainers: Forbidden: cannot be set on create"],
    },
    {
      name: "is on no node while it is gated",
      sent: aPod({ nodeName: "n1", schedulingGates: [{ name: "a/b" }] }),
      want: ["spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared"],
    },
    {
      name: "has no blanks around its image",
      sent: aPod({ containers: [{ name: "app", image: " nginx" }] }),
      want: [
        'spec.containers[0].image: Invalid value: " nginx": must not have leading or trailing whitespace',
      ],
    },
    {
      name: "has no token without an account",
      sent: aPod({
        volumes: [{ name: "t", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }],
      }),
      want: [
        "spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set",
      ],
    },
  ])("$name", ({ sent, want }) => {
    expect(podStrategy.validate?.(sent, context).map(formatFieldError)).toEqual(want);
  });

  test("is warned of a name that is no hostname", () => {
    expect(podStrategy.warnings?.(aPod({}, { name: "a.b" }), context)).toEqual([
      "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ]);
    expect(podStrategy.warnings?.(aPod(), context)).toEqual([]);
  });
});

describe("a deletion cost", () => {
  const costing = (cost: string): Sent<Pod> => aPod({}, { annotations: { [deletionCostAnnotation]: cost } });
  const bad = [
    'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "1.5": must be a 32bit integer',
  ];
  const without = { ...context, gates: { ...defaultFeatureGates, PodDeletionCost: false } };

  test.for([
    { name: "that is one is taken", next: costing("-7"), stored: undefined, at: context, want: [] },
    { name: "that is none is refused", next: costing("1.5"), stored: undefined, at: context, want: bad },
    {
      name: "is not validated with the gate off",
      next: costing("1.5"),
      stored: undefined,
      at: without,
      want: [],
    },
    {
      name: "may stay wrong where it was wrong",
      next: costing("1.5"),
      stored: costing("x"),
      at: context,
      want: [],
    },
    { name: "may not become wrong", next: costing("1.5"), stored: costing("1"), at: context, want: bad },
  ])("$name", ({ next, stored, at, want }) => {
    expect(podStrategy.validate?.(next, at, stored).map(formatFieldError)).toEqual(want);
  });
});

describe("a Pod's status", () => {
  const stored: Sent<Pod> = {
    ...aPod({ nodeName: "n1" }, { ownerReferences: [{ uid: "u" }] }),
    status: { phase: "Running", qosClass: "Burstable", observedGeneration: 3 },
  };
  const withStatus = (status: Sent<PodStatus>): Sent<Pod> => ({ ...stored, status });
  const problems = (status: Sent<PodStatus>, before: Sent<PodStatus> = {}, spec: Sent<PodSpec> = {}) => {
    const previous = {
      ...stored,
      spec: { ...stored.spec, ...spec },
      status: { ...stored.status, ...before },
    };
    const next = withStatus({ qosClass: "Burstable", ...status });
    return podStrategy.validateStatusUpdate?.({ next, previous }, context).map(formatFieldError);
  };
  const ended = (exitCode: number): Sent<PodStatus> => ({
    containerStatuses: [{ name: "app", state: { terminated: { exitCode } } }],
  });
  const running: Sent<PodStatus> = { containerStatuses: [{ name: "app", state: { running: {} } }] };
  const revived = [
    "status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state",
  ];

  test("is all that its update changes", () => {
    const next: Sent<Pod> = {
      metadata: { name: "web", annotations: { a: "b" }, ownerReferences: [] },
      spec: { nodeName: "n2" },
      status: { phase: "Failed" },
    };
    expect(podStrategy.prepareForStatusUpdate?.({ next, previous: stored }, context)).toEqual({
      ...stored,
      metadata: { name: "web", annotations: { a: "b" }, ownerReferences: [{ uid: "u" }] },
      status: { phase: "Failed", qosClass: "Burstable", observedGeneration: 3 },
    });
  });

  test("keeps the generations of its conditions", () => {
    const previous = withStatus({ conditions: [{ type: "Ready", status: "False", observedGeneration: 2 }] });
    const next = withStatus({
      conditions: [
        { type: "Ready", status: "True" },
        { type: "New", status: "True" },
      ],
    });
    expect(podStrategy.prepareForStatusUpdate?.({ next, previous }, context).status?.conditions).toEqual([
      { type: "Ready", status: "True", observedGeneration: 2 },
      { type: "New", status: "True" },
    ]);
  });

  test("has podIP as the first of podIPs", () => {
    expect(podStrategy.defaults?.(withStatus({ podIP: "10.0.0.1" })).status?.podIPs).toEqual([
      { ip: "10.0.0.1" },
    ]);
    expect(podStrategy.defaults?.(withStatus({ podIPs: [{ ip: "10.0.0.1" }] })).status?.podIP).toBe(
      "10.0.0.1",
    );
  });

  test.for<{
    name: string;
    status: Sent<PodStatus>;
    before?: Sent<PodStatus>;
    spec?: Sent<PodSpec>;
    want: string[];
  }>([
    {
      name: "is fine",
      status: { phase: "Running", podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }] },
      want: [],
    },
    {
      name: "keeps its class",
      status: { qosClass: "Guaranteed" },
      want: ['status.qosClass: Invalid value: "Guaranteed": field is immutable'],
    },
    {
      name: "nominates no node once it has one",
      status: { nominatedNodeName: "n2" },
      want: ["status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node"],
    },
    {
      name: "has addresses",
      status: { podIPs: [{ ip: "x" }] },
      want: [
        'status.podIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    },
    {
      name: "keeps a wrong address it had",
      status: { podIPs: [{ ip: "x" }] },
      before: { podIPs: [{ ip: "x" }] },
      want: [],
    },
    {
      name: "has one address of a family",
      status: { podIPs: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }] },
      want: [
        'status.podIPs: Invalid value: [{"ip":"10.0.0.1"},{"ip":"10.0.0.2"}]: may specify no more than one IP for each IP family',
      ],
    },
    {
      name: "agrees on its node's address",
      status: { hostIP: "10.0.0.9", hostIPs: [{ ip: "10.0.0.8" }] },
      want: ['status.hostIPs[0].ip: Invalid value: "10.0.0.8": must be equal to `hostIP`'],
    },
    {
      name: "has seen no negative generation",
      status: { observedGeneration: -1 },
      want: ["status.observedGeneration: Invalid value: -1: must be a non-negative integer"],
    },
    { name: "lets a container restart", status: running, before: ended(1), want: [] },
    {
      name: "lets none restart that never does",
      status: running,
      before: ended(1),
      spec: { restartPolicy: "Never" },
      want: revived,
    },
    {
      name: "lets a failed one restart",
      status: running,
      before: ended(1),
      spec: { restartPolicy: "OnFailure" },
      want: [],
    },
    {
      name: "lets a done one be done",
      status: running,
      before: ended(0),
      spec: { restartPolicy: "OnFailure" },
      want: revived,
    },
    {
      name: "lets one restart by its own rule",
      status: running,
      before: ended(7),
      spec: {
        restartPolicy: "Never",
        containers: [
          { ...app, restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [7] } }] },
        ],
      },
      want: [],
    },
  ])("$name", ({ status, before, spec, want }) => {
    expect(problems(status, before, spec)).toEqual(want);
  });
});

test("Pods can be selected by what the scheduler and kubelets ask for", () => {
  const object = { ...aPod({ nodeName: "n1" }), status: { phase: "Running", podIPs: [{ ip: "10.0.0.1" }] } };
  expect(podStrategy.selectableFields?.(object)).toEqual({
    "spec.nodeName": "n1",
    "spec.host": "n1",
    "spec.restartPolicy": "Always",
    "spec.schedulerName": "default-scheduler",
    "spec.serviceAccountName": "",
    "spec.hostNetwork": "false",
    "status.phase": "Running",
    "status.podIP": "10.0.0.1",
    "status.podIPs": "10.0.0.1",
    "status.nominatedNodeName": "",
  });
});
