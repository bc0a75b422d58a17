import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { persistentVolumes } from "../../src/api/resources.ts";
import { readManifests } from "../../src/cli/read-manifests.ts";
import { makeControllersUser } from "./controllers-user.ts";
import { isComparedVersion } from "./kubernetes-version.ts";
import { tailOf } from "./program.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { drawSteps, play } from "./set-story.ts";
import { type NodeLoss, playNodeLoss } from "./node-loss.ts";
import { quickTemplate, type Story } from "./story.ts";
import { drawTaints, intolerantTemplate } from "./taint-story.ts";
import { startTrimtab, type TrimtabProgram } from "./trimtab-program.ts";

const rolling = (rollingUpdate: object) => ({ updateStrategy: { type: "RollingUpdate", rollingUpdate } });
const image = (name: string, spec: object = {}) =>
  ({ do: "change", spec: { template: quickTemplate(`web:${name}`), ...spec } }) as const;
const claim = {
  metadata: { name: "data" },
  spec: {
    accessModes: ["ReadWriteOnce"],
    storageClassName: "",
    resources: { requests: { storage: "1Gi" } },
  },
};

/** `TRIMTAB_SET_STORIES=30` draws so many StatefulSets; from the fourth on every second one is Parallel. */
const drawn = Number(process.env["TRIMTAB_SET_STORIES"] ?? 3);
const policyOf = (index: number) => (index > 2 && index % 2 === 1 ? "Parallel" : "OrderedReady");

const stories: readonly Story[] = [
  ...Array.from({ length: drawn }, (_, index): Story => {
    const name = `drawn-${index + 1}`;
    return {
      name,
      kind: "StatefulSet",
      spec: { replicas: 3, serviceName: "web", podManagementPolicy: policyOf(index) },
      steps: drawSteps(name, 5),
    };
  }),
  {
    name: "parallel",
    kind: "StatefulSet",
    spec: { replicas: 4, serviceName: "web", podManagementPolicy: "Parallel", ordinals: { start: 1 } },
    steps: drawSteps("parallel", 4),
  },
  {
    name: "claims",
    kind: "StatefulSet",
    spec: {
      replicas: 3,
      serviceName: "web",
      volumeClaimTemplates: [claim],
      persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Retain" },
    },
    steps: [
      { do: "change", spec: { replicas: 1 } },
      {
        do: "change",
        spec: { replicas: 2, persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } },
      },
    ],
  },
  {
    name: "nodes",
    kind: "DaemonSet",
    spec: rolling({ maxUnavailable: 2 }),
    steps: [
      image("2"),
      image("broken"),
      image("2"),
      image("3", { updateStrategy: { type: "OnDelete", rollingUpdate: null } }),
    ],
  },
  {
    name: "on-delete",
    kind: "DaemonSet",
    spec: { updateStrategy: { type: "OnDelete" } },
    steps: ["node-2", "node-1"].flatMap((node, index) => [
      image(`${index + 2}`),
      { do: "delete-pods-on", node },
    ]),
  },
  {
    name: "surge",
    kind: "DaemonSet",
    spec: rolling({ maxSurge: 1, maxUnavailable: 0 }),
    steps: [image("2"), image("broken"), image("1"), image("3", { revisionHistoryLimit: 0 })],
  },
  {
    name: "taints",
    kind: "DaemonSet",
    spec: { ...rolling({ maxUnavailable: 1 }), template: intolerantTemplate("web:1") },
    steps: drawTaints("taints", 12, 4),
  },
];

let cluster: RealCluster;
let controllers: TrimtabProgram;
type Outcome = Awaited<ReturnType<typeof play>>;
const theirs = new Map<string, Outcome>();
const ours = new Map<string, Outcome>();

const lossKinds = ["StatefulSet", "DaemonSet"] as const;
const losses = new Map<string, NodeLoss>();

async function playAll(outcomes: Map<string, Outcome>, prefix: string): Promise<void> {
  const { client } = cluster;
  const played = stories.map(async (story) =>
    outcomes.set(story.name, await play(client, `${prefix}-${story.name}`, story)),
  );
  const lost = lossKinds.map(async (kind) =>
    losses.set(
      `${prefix} ${kind}`,
      await playNodeLoss(client, `${prefix}-loss-of-${kind.toLowerCase()}`, kind),
    ),
  );
  await Promise.all([...played, ...lost]);
}

/** Volumes that claims without a class are bound to. */
async function makeVolumes(): Promise<void> {
  const made = Array.from({ length: 12 }, (_, index) =>
    cluster.client.create(persistentVolumes, {
      metadata: { name: `volume-${index}` },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/nowhere" },
        persistentVolumeReclaimPolicy: "Retain",
      },
    }),
  );
  await Promise.all(made);
}

/** The rights that `deploy/` gives to controllers that run only where they are named. */
async function allowSets(user: string): Promise<void> {
  const binding = (role: string) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: role },
    subjects: [{ kind: "User", name: user, apiGroup: "rbac.authorization.k8s.io" }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
  });
  const file = path.join(cluster.folder, "optional-bindings.yaml");
  const bindings = ["trimtab-statefulset-controller", "trimtab-daemonset-controller"].map(binding);
  writeFileSync(file, bindings.map((each) => stringify(each)).join("---\n"));
  const roles = fileURLToPath(new URL("../../deploy/optional-controllers.yaml", import.meta.url));
  const read = readManifests([roles, file]);
  if (!read.ok) throw new Error(read.problem);
  for (const { resource, object } of read.manifests) await cluster.client.create(resource, object);
}

describe.skipIf(!isComparedVersion)("StatefulSets and DaemonSets, beside kube-controller-manager", () => {
  beforeAll(async () => {
    const controllerManagerFlags = [
      "--kube-api-qps=500",
      "--kube-api-burst=1000",
      "--node-monitor-grace-period=20s",
      "--node-monitor-period=1s",
    ];
    cluster = await startRealCluster({
      controllers: "all",
      scheduler: true,
      nodes: 4,
      controllerManagerFlags,
    });
    await makeVolumes();
    await playAll(theirs, "theirs");
    await cluster.runControllers("without-sets");
    const kubeconfig = await makeControllersUser(cluster);
    await allowSets("trimtab-controllers");
    const flags = ["--log-level", "warn", "--controllers=statefulset-controller,daemonset-controller"];
    controllers = await startTrimtab({ command: "controllers", kubeconfig, flags, folder: cluster.folder });
    cluster.alsoStop(controllers);
    await playAll(ours, "ours");
  });
  afterAll(() => cluster.stop());

  test.for(stories.map(({ name }) => name))("%s: the same is done, in the same order", (name) => {
    expect(ours.get(name)).toEqual(theirs.get(name));
  });

  /** What each may do to its nodes at once: the most Pods of one, and how many of them may be without an available Pod. */
  const budgets = {
    nodes: { mostOnANode: 1, mostUnavailable: 2, mostSurging: 0 },
    surge: { mostOnANode: 2, mostUnavailable: 0, mostSurging: 1 },
  };
  test.for([
    ["nodes", "theirs", theirs],
    ["nodes", "ours", ours],
    ["surge", "theirs", theirs],
    ["surge", "ours", ours],
  ] as const)("%s of %s: budgets are used and never exceeded", ([story, , outcomes]) => {
    expect(outcomes.get(story)?.nodes).toMatchObject(budgets[story]);
  });

  const replaced = "created, ready on lost, deleted, ended, created, ready on spare";
  const lossOrders = {
    StatefulSet: [`web-0: ${replaced}`, `web-1: ${replaced}`],
    DaemonSet: [
      "daemon on lost: created, ready on lost, deleted, ended",
      "daemon on spare: created, ready on spare, deleted, ended, created, ready on spare, deleted, ended, created, ready on spare",
    ],
  };
  test.for(lossKinds)("a %s loses a node: the same is done, in the same order", (kind) => {
    expect(losses.get(`ours ${kind}`)).toEqual(losses.get(`theirs ${kind}`));
    expect(losses.get(`ours ${kind}`)?.order).toEqual(lossOrders[kind]);
  });

  test("the roles in deploy/ are enough", () => {
    expect(tailOf(controllers, 1000)).not.toMatch(/forbidden/i);
  });
});
