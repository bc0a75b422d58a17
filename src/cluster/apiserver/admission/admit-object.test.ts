import { describe, expect, test } from "vitest";
import type { Namespace, Pod, PodSpec } from "../../../api/generated/core-v1.ts";
import type { PriorityClass } from "../../../api/generated/scheduling-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Sent } from "../../../api/sent.ts";
import type { Admission } from "./admission.ts";
import { type AdmissionLookups, admitObjectCreate, admitObjectUpdate } from "./admit-object.ts";
import { admitNamespaceDelete } from "./namespace-lifecycle.ts";

const home: Namespace = {
  spec: {},
  metadata: { name: "default", uid: "u", resourceVersion: "1" },
  status: { phase: "Active" },
};
const aClass = (name: string, value: number, rest: Sent<PriorityClass> = {}): Sent<PriorityClass> => ({
  metadata: { name },
  value,
  preemptionPolicy: "PreemptLowerPriority",
  ...rest,
});

function lookups(classes: readonly Sent<PriorityClass>[] = []): AdmissionLookups {
  return {
    assignsAccounts: true,
    serviceAccount: (_namespace, name) =>
      name === "default" || name === "puller"
        ? { metadata: { name }, imagePullSecrets: name === "puller" ? [{ name: "registry" }] : [] }
        : undefined,
    priorityClasses: () => classes,
    storageClasses: () => [],
    limitRanges: () => [],
    runtimeClass: () => undefined,
  };
}

function admitPod(spec: Sent<PodSpec>, classes?: readonly Sent<PriorityClass>[]): Admission<Sent<Pod>> {
  const object = { metadata: { name: "web", namespace: "default" }, spec: { ...spec } };
  return admitObjectCreate({ kind: "Pod", namespace: home, object: object as JsonObject }, lookups(classes));
}

function specOf(admission: Admission<Sent<Pod>>): Sent<PodSpec> | undefined {
  return admission.admitted ? admission.object.spec : undefined;
}

const patient = ["not-ready", "unreachable"].map((state) => ({
  key: `node.kubernetes.io/${state}`,
  operator: "Exists",
  effect: "NoExecute",
  tolerationSeconds: 300,
}));

describe("a new Pod", () => {
  test("gets an account, a rank and patience", () => {
    expect(specOf(admitPod({}))).toEqual({
      serviceAccountName: "default",
      serviceAccount: "default",
      priority: 0,
      preemptionPolicy: "PreemptLowerPriority",
      tolerations: patient,
    });
  });

  test("borrows what its account pulls images with, unless it has something of its own", () => {
    expect(specOf(admitPod({ serviceAccountName: "puller" }))?.imagePullSecrets).toEqual([
      { name: "registry" },
    ]);
    const own = [{ name: "own" }];
    expect(
      specOf(admitPod({ serviceAccountName: "puller", imagePullSecrets: own }))?.imagePullSecrets,
    ).toEqual(own);
  });

  const classes = [
    aClass("high", 1000),
    aClass("low", 5, { globalDefault: true, preemptionPolicy: "Never" }),
    aClass("other", 7, { globalDefault: true }),
  ];

  test.for<{
    name: string;
    spec: Sent<PodSpec>;
    known?: readonly Sent<PriorityClass>[];
    want: Sent<PodSpec>;
  }>([
    {
      name: "the rank of its class",
      spec: { priorityClassName: "high" },
      known: classes,
      want: { priorityClassName: "high", priority: 1000, preemptionPolicy: "PreemptLowerPriority" },
    },
    {
      name: "the lowest of the classes that are everybody's",
      spec: {},
      known: classes,
      want: { priorityClassName: "low", priority: 5, preemptionPolicy: "Never" },
    },
    {
      name: "a rank it rightly claims",
      spec: { priorityClassName: "high", priority: 1000 },
      known: classes,
      want: { priority: 1000 },
    },
  ])("gets $name", ({ spec, known, want }) => {
    expect(specOf(admitPod(spec, known))).toMatchObject(want);
  });

  test.for<{ name: string; spec: Sent<PodSpec>; because: string }>([
    {
      name: "an account that does not exist",
      spec: { serviceAccountName: "ghost" },
      because: 'error looking up service account default/ghost: serviceaccount "ghost" not found',
    },
    {
      name: "a class that does not exist",
      spec: { priorityClassName: "ghost" },
      because: "no PriorityClass with name ghost was found",
    },
    {
      name: "a rank it does not have",
      spec: { priorityClassName: "high", priority: 1 },
      because:
        "the integer value of priority (1) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name",
    },
    {
      name: "manners its class does not have",
      spec: { priorityClassName: "high", preemptionPolicy: "Never" },
      because:
        "the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name",
    },
  ])("is refused for $name", ({ spec, because }) => {
    expect(admitPod(spec, classes)).toEqual({ admitted: false, because });
  });

  test.for<{ name: string; tolerations: PodSpec["tolerations"]; added: number }>([
    { name: "all of it by default", tolerations: [], added: 2 },
    { name: "none that it has", tolerations: [{ key: "node.kubernetes.io/not-ready" }], added: 1 },
    { name: "none when it tolerates everything", tolerations: [{ operator: "Exists" }], added: 0 },
    {
      name: "all when it tolerates something else",
      tolerations: [{ operator: "Exists", effect: "NoSchedule" }],
      added: 2,
    },
  ])("gets patience: $name", ({ tolerations = [], added }) => {
    expect(specOf(admitPod({ tolerations }))?.tolerations).toHaveLength(tolerations.length + added);
  });

  test("that mirrors a kubelet's own is left as it is", () => {
    const object = { metadata: { name: "m", annotations: { "kubernetes.io/config.mirror": "x" } }, spec: {} };
    const admission = admitObjectCreate({ kind: "Pod", namespace: home, object }, lookups());
    expect(admission).toMatchObject({ admitted: true, object: { spec: { priority: 0 } } });
    expect(admission).not.toHaveProperty("object.spec.serviceAccountName");
  });
});

test("an updated Pod keeps its rank where a client leaves it out", () => {
  const previous = { spec: { priority: 5, preemptionPolicy: "Never", tolerations: patient } };
  const next = { spec: { tolerations: patient } };
  expect(admitObjectUpdate("Pod", { next, previous }, lookups())).toEqual({
    admitted: true,
    object: previous,
  });
});

describe("a namespace", () => {
  const arrival = { kind: "ConfigMap", object: { metadata: { name: "c" } } };
  const refusal = {
    admitted: false,
    because: "unable to create new content in namespace default because it is being terminated",
    causes: [
      {
        reason: "NamespaceTerminating",
        message: "namespace default is being terminated",
        field: "metadata.namespace",
      },
    ],
  };

  test.for([
    { name: "lets objects in", namespace: home, want: { admitted: true, object: arrival.object } },
    {
      name: "lets none in while it ends",
      namespace: { ...home, status: { phase: "Terminating" } },
      want: refusal,
    },
    {
      name: "lets none in from the moment it is deleted",
      namespace: { ...home, metadata: { ...home.metadata, deletionTimestamp: "2026-11-15T00:00:00Z" } },
      want: refusal,
    },
  ])("$name", ({ namespace, want }) => {
    expect(admitObjectCreate({ ...arrival, namespace }, lookups())).toEqual(want);
  });

  test("does not change the answer to an access review", () => {
    const namespace = { ...home, status: { phase: "Terminating" } };
    const kind = "LocalSubjectAccessReview.authorization.k8s.io";
    expect(admitObjectCreate({ ...arrival, kind, namespace }, lookups()).admitted).toBe(true);
  });

  test.for(["default", "kube-system", "kube-public"])("called %s cannot be deleted", (name) => {
    expect(admitNamespaceDelete(name)).toEqual({
      admitted: false,
      because: "this namespace may not be deleted",
    });
  });

  test("of users can be deleted", () => {
    expect(admitNamespaceDelete("kube-node-lease").admitted).toBe(true);
  });
});

describe("a new Node", () => {
  const taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
  const admitted = (node: JsonObject) => {
    const admission = admitObjectCreate({ kind: "Node", namespace: undefined, object: node }, lookups());
    return admission.admitted ? admission.object["spec"] : undefined;
  };

  test("gets no Pods before it is ready", () => {
    expect(admitted({ metadata: { name: "n" } })).toEqual({ taints: [taint] });
    const own = { key: "dedicated", effect: "NoExecute" };
    const status = { conditions: [{ type: "Ready", status: "False" }] };
    expect(admitted({ spec: { taints: [own] }, status })).toEqual({ taints: [own, taint] });
    expect(admitted({ spec: { taints: [taint] } })).toEqual({ taints: [taint] });
  });

  test("that is created ready gets them at once", () => {
    expect(admitted({ spec: {}, status: { conditions: [{ type: "Ready", status: "True" }] } })).toEqual({});
  });
});

describe("a PriorityClass for everybody", () => {
  const kind = "PriorityClass.scheduling.k8s.io";
  const classes = [aClass("low", 5, { globalDefault: true })];
  const sent = (name: string) => ({ metadata: { name }, value: 1, globalDefault: true });

  test("is refused beside another one", () => {
    const because = "PriorityClass low is already marked as default. Only one default can exist";
    const arrival = { kind, namespace: undefined, object: sent("new") };
    expect(admitObjectCreate(arrival, lookups(classes))).toEqual({ admitted: false, because });
  });

  test("may be written again", () => {
    const change = { next: sent("low"), previous: sent("low") };
    expect(admitObjectUpdate(kind, change, lookups(classes)).admitted).toBe(true);
  });
});
