import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { persistentVolumes } from "../../src/api/resources.ts";
import { readManifests } from "../../src/cli/read-manifests.ts";
import { makeControllersUser } from "./controllers-user.ts";
import { isKubernetesSince } from "./kubernetes-version.ts";
import { tailOf } from "./program.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { drawSteps, play, quickTemplate, type Story } from "./set-story.ts";
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

const stories: readonly Story[] = [
  ...["drawn-1", "drawn-2", "drawn-3"].map((name): Story => ({
    name,
    kind: "StatefulSet",
    spec: { replicas: 3, serviceName: "web", podManagementPolicy: "OrderedReady" },
    steps: drawSteps(name, 5),
  })),
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
      { do: "delete-pods", ordinals: [0] },
      image("3", { updateStrategy: { type: "OnDelete", rollingUpdate: null } }),
    ],
  },
  {
    name: "surge",
    kind: "DaemonSet",
    spec: rolling({ maxSurge: 1, maxUnavailable: 0 }),
    steps: [image("2"), image("broken"), image("1"), image("3", { revisionHistoryLimit: 0 })],
  },
];

let cluster: RealCluster;
let controllers: TrimtabProgram;
type Outcome = Awaited<ReturnType<typeof play>>;
const theirs = new Map<string, Outcome>();
const ours = new Map<string, Outcome>();

async function playAll(outcomes: Map<string, Outcome>, prefix: string): Promise<void> {
  await Promise.all(
    stories.map(async (story) => {
      outcomes.set(story.name, await play(cluster.client, `${prefix}-${story.name}`, story));
    }),
  );
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

describe.skipIf(!isKubernetesSince(36))("StatefulSets and DaemonSets, beside kube-controller-manager", () => {
  beforeAll(async () => {
    const controllerManagerFlags = ["--kube-api-qps=500", "--kube-api-burst=1000"];
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

  test("the roles in deploy/ are enough", () => {
    expect(tailOf(controllers, 1000)).not.toMatch(/forbidden/i);
  });
});
