import { describe, expect, test } from "vitest";
import type { Deployment, DeploymentSpec, DeploymentStatus } from "../../../../api/generated/apps-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import {
  contextWithout,
  problemsOf,
  problemsOfStatus,
  problemsOfUpdate,
  selector,
  template,
} from "../workload/workload-fixture.cases.ts";
import { deploymentStrategy } from "./strategy.ts";

const picker = { http: { host: "picker", port: 80 } };
const aDeployment = (spec: Sent<DeploymentSpec> = {}): Sent<Deployment> => ({
  metadata: { name: "web" },
  spec: { selector, template, ...spec },
});
const before = "deployment.kubernetes.io/replicaset-replicas-before-scale";

describe("the defaults of a Deployment", () => {
  test("roll a quarter at a time", () => {
    const { spec } = deploymentStrategy.defaults?.(aDeployment()) ?? {};
    expect(spec).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
      template: { spec: { restartPolicy: "Always", securityContext: {} } },
    });
    expect(spec).not.toHaveProperty("podReplacementPolicy");
  });

  test("keep explicit zeros", () => {
    const sent = aDeployment({ replicas: 0, strategy: { rollingUpdate: { maxSurge: 0 } } });
    expect(deploymentStrategy.defaults?.(sent).spec).toMatchObject({
      replicas: 0,
      strategy: { rollingUpdate: { maxUnavailable: "25%", maxSurge: 0 } },
    });
  });

  test("give Recreate no budgets", () => {
    const { spec } = deploymentStrategy.defaults?.(aDeployment({ strategy: { type: "Recreate" } })) ?? {};
    expect(spec?.strategy).toEqual({ type: "Recreate" });
  });

  test("complete a picker", () => {
    const { spec } = deploymentStrategy.defaults?.(aDeployment({ downscalePodPicker: picker })) ?? {};
    expect(spec?.downscalePodPicker).toEqual({
      http: { host: "picker", port: 80, path: "/", scheme: "HTTP" },
      maxRetries: 3,
      timeoutSeconds: 1,
    });
  });
});

describe("a Deployment", () => {
  const labels = '{"app":"web"}';
  const mismatch = `spec.template.metadata.labels: Invalid value: ${labels}: \`selector\` does not match template \`labels\``;
  const rolling = "spec.strategy.rollingUpdate";
  const percent =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  const budgets = (rollingUpdate: object): Sent<DeploymentSpec> => ({ strategy: { rollingUpdate } });

  test.for<{ name: string; sent: Sent<Deployment>; want: string[] }>([
    { name: "is fine as it is", sent: aDeployment(), want: [] },
    {
      name: "has no negative size",
      sent: aDeployment({ replicas: -1 }),
      want: ["spec.replicas: Invalid value: -1: must be greater than or equal to 0"],
    },
    {
      name: "has to select",
      sent: { spec: { template } },
      want: ["spec.selector: Required value", mismatch],
    },
    {
      name: "does not select everything",
      sent: aDeployment({ selector: {} }),
      want: ["spec.selector: Invalid value: {}: empty selector is invalid for deployment"],
    },
    {
      name: "selects its own Pods",
      sent: aDeployment({ selector: { matchLabels: { app: "other" } } }),
      want: [mismatch],
    },
    {
      name: "has a selector that is one",
      sent: aDeployment({ selector: { matchExpressions: [{ key: "app", operator: "Is" }] } }),
      want: [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Is"}]}: invalid label selector',
      ],
    },
    {
      name: "runs Pods that go on",
      sent: aDeployment({
        template: {
          ...template,
          spec: { ...template.spec, restartPolicy: "Never", activeDeadlineSeconds: 9 },
        },
      }),
      want: [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported",
      ],
    },
    {
      name: "has a template with containers",
      sent: aDeployment({ template: { metadata: { labels: { app: "web" } } } }),
      want: ["spec.template.spec.containers: Required value"],
    },
    {
      name: "has a template without ephemeral containers",
      sent: aDeployment({
        template: {
          ...template,
          spec: { ...template.spec, ephemeralContainers: [{ name: "d", image: "x" }] },
        },
      }),
      want: [
        "spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template",
      ],
    },
    {
      name: "has a template with a deletion cost that is one",
      sent: aDeployment({
        template: {
          ...template,
          metadata: {
            ...template.metadata,
            annotations: { "controller.kubernetes.io/pod-deletion-cost": "x" },
          },
        },
      }),
      want: [
        'spec.template.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "x": must be a 32bit integer',
      ],
    },
    {
      name: "has a known strategy",
      sent: aDeployment({ strategy: { type: "Canary" } }),
      want: [
        'spec.strategy: Unsupported value: {"type":"Canary"}: supported values: "Recreate", "RollingUpdate"',
      ],
    },
    {
      name: "has no budgets when it recreates",
      sent: aDeployment({ strategy: { type: "Recreate", rollingUpdate: {} } }),
      want: [`${rolling}: Forbidden: may not be specified when strategy \`type\` is 'Recreate'`],
    },
    {
      name: "has no negative budget",
      sent: aDeployment(budgets({ maxSurge: -1 })),
      want: [`${rolling}.maxSurge: Invalid value: -1: must be greater than or equal to 0`],
    },
    {
      name: "has no budget that is no percentage",
      sent: aDeployment(budgets({ maxUnavailable: "many" })),
      want: [`${rolling}.maxUnavailable: Invalid value: "many": ${percent}`],
    },
    {
      name: "has some budget",
      sent: aDeployment(budgets({ maxUnavailable: "0%", maxSurge: 0 })),
      want: [`${rolling}.maxUnavailable: Invalid value: "0%": may not be 0 when \`maxSurge\` is 0`],
    },
    {
      name: "takes no more than all",
      sent: aDeployment(budgets({ maxUnavailable: "101%", maxSurge: "300%" })),
      want: [`${rolling}.maxUnavailable: Invalid value: "101%": must not be greater than 100%`],
    },
    {
      name: "has a deadline that can be met",
      sent: aDeployment({ minReadySeconds: 600 }),
      want: ["spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds"],
    },
    {
      name: "has a known policy",
      sent: aDeployment({ podReplacementPolicy: "Foo" }),
      want: [
        'spec.podReplacementPolicy: Unsupported value: "Foo": supported values: "TerminationComplete", "TerminationStarted"',
      ],
    },
    {
      name: "has no empty policy",
      sent: aDeployment({ podReplacementPolicy: "" }),
      want: [
        'spec.podReplacementPolicy: Unsupported value: "": supported values: "TerminationComplete", "TerminationStarted"',
      ],
    },
    {
      name: "has a picker of one protocol",
      sent: aDeployment({ downscalePodPicker: {} }),
      want: ["spec.downscalePodPicker: Required value: must specify one of: http, grpc"],
    },
  ])("$name", ({ sent, want }) => {
    expect(problemsOf(deploymentStrategy, sent)).toEqual(want);
  });

  test("goes on selecting what it selected", () => {
    const next = aDeployment({ selector: { matchLabels: { app: "web", tier: "x" } } });
    expect(problemsOfUpdate(deploymentStrategy, next, aDeployment())).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"x"}}: field is immutable',
    ]);
    expect(problemsOfUpdate(deploymentStrategy, aDeployment({ replicas: 3 }), aDeployment())).toEqual([]);
  });

  test("is warned of a name no Pod can have as a hostname, once", () => {
    const dotted = { ...aDeployment(), metadata: { name: "a.b" } };
    expect(deploymentStrategy.warnings?.(dotted, contextWithout())).toEqual([
      "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ]);
    expect(deploymentStrategy.warnings?.(dotted, contextWithout(), dotted)).toEqual([]);
  });
});

describe("our fields on a Deployment", () => {
  const ours = aDeployment({ podReplacementPolicy: "TerminationComplete", downscalePodPicker: picker });
  const plain = aDeployment();

  test("are kept with their gates on", () => {
    expect(deploymentStrategy.prepareForCreate?.(ours, contextWithout())).toEqual(ours);
  });

  test.for([
    { off: "DeploymentPodReplacementPolicy", dropped: ["podReplacementPolicy"] },
    { off: "DeploymentReplicaSetTerminatingReplicas", dropped: ["podReplacementPolicy"] },
    { off: "DownscalePodPicker", dropped: ["downscalePodPicker"] },
  ] as const)("are dropped when they are new while $off is off", ({ off, dropped }) => {
    const context = contextWithout(off);
    const created = deploymentStrategy.prepareForCreate?.(ours, context).spec ?? {};
    const updated =
      deploymentStrategy.prepareForUpdate?.({ next: ours, previous: plain }, context).spec ?? {};
    for (const spec of [created, updated]) {
      for (const member of dropped) expect(spec).not.toHaveProperty(member);
      expect(Object.keys(spec)).toHaveLength(Object.keys(ours.spec ?? {}).length - dropped.length);
    }
  });

  test("may stay, and change, where they were set", () => {
    const context = contextWithout("DeploymentPodReplacementPolicy", "DownscalePodPicker");
    const next = aDeployment({
      podReplacementPolicy: "TerminationStarted",
      downscalePodPicker: { ...picker, maxRetries: 0 },
    });
    expect(deploymentStrategy.prepareForUpdate?.({ next, previous: ours }, context)).toEqual(next);
  });
});

describe("an update of a Deployment", () => {
  test("loses what kubectl copies onto it when it undoes a rollout", () => {
    const next = { ...aDeployment(), metadata: { name: "web", annotations: { a: "b", [before]: "3" } } };
    const updated = deploymentStrategy.prepareForUpdate?.(
      { next, previous: aDeployment() },
      contextWithout(),
    );
    expect(updated?.metadata).toEqual({ name: "web", annotations: { a: "b" } });
  });

  test("of its status changes annotations, but not labels or spec", () => {
    const previous = { ...aDeployment(), metadata: { name: "web", labels: { a: "1" } } };
    const next = {
      ...aDeployment({ replicas: 9 }),
      metadata: { name: "web", labels: { a: "2" }, annotations: { b: "c" } },
      status: { replicas: 3 },
    };
    expect(deploymentStrategy.prepareForStatusUpdate?.({ next, previous }, contextWithout())).toEqual({
      ...previous,
      metadata: { name: "web", labels: { a: "1" }, annotations: { b: "c" } },
      status: { replicas: 3 },
    });
  });

  test.for([
    { name: "appears with its gate on", off: [], before: {}, want: { terminatingReplicas: 2 } },
    {
      name: "is dropped with its gate off",
      off: ["DeploymentReplicaSetTerminatingReplicas"] as const,
      before: {},
      want: {},
    },
    {
      name: "stays where it was",
      off: ["DeploymentReplicaSetTerminatingReplicas"] as const,
      before: { terminatingReplicas: 1 },
      want: { terminatingReplicas: 2 },
    },
  ])("the count of terminating Pods $name", ({ off, before, want }) => {
    const change = {
      next: { ...aDeployment(), status: { terminatingReplicas: 2 } },
      previous: { ...aDeployment(), status: before },
    };
    expect(deploymentStrategy.prepareForStatusUpdate?.(change, contextWithout(...off)).status).toEqual(want);
  });
});

test.for<{ name: string; status: Sent<DeploymentStatus>; before?: Sent<DeploymentStatus>; want: string[] }>([
  {
    name: "adds up",
    status: { replicas: 3, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 1 },
    want: [],
  },
  { name: "may terminate more than it has", status: { replicas: 0, terminatingReplicas: 5 }, want: [] },
  {
    name: "has no negative counts",
    status: { replicas: -1, terminatingReplicas: -1 },
    want: [
      "status.replicas: Invalid value: -1: must be greater than or equal to 0",
      "status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0",
    ].concat(
      ["updatedReplicas", "readyReplicas", "availableReplicas"].map(
        (count) => `status.${count}: Invalid value: 0: cannot be greater than status.replicas`,
      ),
    ),
  },
  {
    name: "has no part above the whole",
    status: { replicas: 1, updatedReplicas: 2 },
    want: ["status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas"],
  },
  {
    name: "has no Pod available that is not ready",
    status: { replicas: 2, readyReplicas: 1, availableReplicas: 2 },
    want: ["status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas"],
  },
  { name: "counts more collisions", status: { collisionCount: 2 }, before: { collisionCount: 1 }, want: [] },
  {
    name: "counts no fewer collisions",
    status: { collisionCount: 1 },
    before: { collisionCount: 2 },
    want: ["status.collisionCount: Invalid value: 1: cannot be decremented"],
  },
  {
    name: "forgets no collisions",
    status: {},
    before: { collisionCount: 2 },
    want: ["status.collisionCount: Invalid value: 0: cannot be decremented"],
  },
])("the status of a Deployment $name", ({ status, before = {}, want }) => {
  expect(problemsOfStatus(deploymentStrategy, { status }, { status: before })).toEqual(want);
});
