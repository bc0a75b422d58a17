import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findCondition } from "../../src/api/conditions.ts";
import type { PersistentVolume, Pod } from "../../src/api/generated/core-v1.ts";
import { leases, nodes, persistentVolumeClaims, persistentVolumes, pods } from "../../src/api/resources.ts";
import { allComponentsExcept } from "../../src/testing/test-cluster.ts";
import { commandFolder, seen, startCommand } from "../command-program.ts";
import { type EmbeddedCluster, makeNamespace, startEmbedded } from "../embedded-cluster.ts";
import { type PodDraft, podDraft } from "../scheduler/fixture.ts";

let cluster: EmbeddedCluster;
let folder: ReturnType<typeof commandFolder>;
beforeAll(async () => {
  cluster = await startEmbedded({ components: allComponentsExcept("scheduler") });
  await makeNamespace(cluster.client, "ready");
  folder = commandFolder(cluster.access);
});
afterAll(async () => {
  folder.remove();
  await cluster.stop();
});

const patience = { timeout: 30_000 };

const start = async (...words: readonly string[]) => {
  const program = await startCommand("scheduler", "--kubeconfig", folder.kubeconfig, ...words);
  onTestFinished(() => void program.stop());
  return program;
};
const createPod = (name: string, draft?: PodDraft) => cluster.client.create(pods, podDraft(name, draft));
const hasNode = ({ spec }: Pod) => spec.nodeName !== undefined;
const scheduled = (name: string) => seen(cluster.client, pods, { name, is: hasNode });
const conditionOf = (pod: Pod) => findCondition(pod.status?.conditions, "PodScheduled");
const holder = (is: (identity: string) => boolean) =>
  seen(cluster.client, leases, {
    name: "trimtab-scheduler",
    is: ({ spec }) => is(spec.holderIdentity ?? ""),
  });

/** A configuration with one profile of this name. */
const profileFile = (name: string, schedulerName: string, more = "") =>
  folder.write(
    name,
    `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n${more}profiles: [{ schedulerName: ${schedulerName} }]\n`,
  );

test("over HTTPS, one of two copies schedules all Pods, shows what it does, and hands over", async () => {
  const first = await start();
  const { spec } = await holder((identity) => identity !== "");
  const second = await start();
  await createPod("one");
  const { spec: placed } = await scheduled("one");

  expect(await first.ask("/healthz")).toEqual({ code: 200, text: "ok" });
  expect((await first.ask("/readyz")).code).toBe(200);
  // The Pod is seen here perhaps a moment before the scheduler has the answer to its binding.
  await expect
    .poll(async () => (await first.ask("/metrics")).text.split("\n"), patience)
    .toEqual(
      expect.arrayContaining([
        'leader_election_master_status{name="trimtab-scheduler"} 1',
        'scheduler_schedule_attempts_total{result="scheduled",profile="default-scheduler"} 1',
        'scheduler_cache_size{type="nodes"} 12',
      ]),
    );
  const lastNode = async () => {
    const { placements } = JSON.parse((await first.ask("/debug/placements?name=one")).text) as {
      placements: { outcome: { node: string } }[];
    };
    return placements[0]?.outcome.node;
  };
  await expect.poll(lastNode, patience).toBe(placed.nodeName);
  expect(first.out.join("\n")).toContain("kube-scheduler must not run");

  expect((await second.ask("/metrics")).text).toContain(
    'leader_election_master_status{name="trimtab-scheduler"} 0',
  );
  expect(await first.stop()).toBe(0);
  await holder((identity) => !["", spec.holderIdentity].includes(identity));
  await createPod("two");
  await scheduled("two");
  expect(await second.stop()).toBe(0);
  expect([...first.err, ...second.err]).toEqual([]);
});

test("as a second scheduler it leaves the Pods of the first alone", async () => {
  const program = await start("--no-lease", "--config", profileFile("second.yaml", "second"));
  expect(program.out.join("\n")).not.toContain("kube-scheduler");
  await createPod("foreign");
  await createPod("own", { spec: { schedulerName: "second" } });
  await scheduled("own");
  const foreign = await cluster.client.get(pods, { namespace: "default", name: "foreign" });
  expect([foreign.spec.nodeName, conditionOf(foreign)]).toEqual([undefined, undefined]);
  await cluster.client.delete(pods, { namespace: "default", name: "foreign" });
});

test.for<{ name: string; spec: Partial<Pod["spec"]>; says: string }>([
  {
    name: "a-volume",
    spec: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] },
    says: '0/12 nodes are available: persistentvolumeclaim "data" not found.',
  },
  {
    name: "a-device",
    spec: { resourceClaims: [{ name: "gpu", resourceClaimName: "gpu" }] },
    says: "0/12 nodes are available: the Pod has resource claims, which this scheduler does not support.",
  },
])("a Pod that claims $name stays Pending and says why", async ({ name, spec, says }) => {
  await start("--no-lease", "--config", profileFile(`${name}.yaml`, name));
  await createPod(name, { spec: { ...spec, schedulerName: name } });
  const waiting = await seen(cluster.client, pods, { name, is: (pod) => conditionOf(pod) !== undefined });
  expect(conditionOf(waiting)).toMatchObject({ status: "False", reason: "Unschedulable" });
  expect(conditionOf(waiting)?.message).toContain(says);
});

/** A claim, and the volume that it gets; a claim without one waits for a provisioner that never comes. */
async function createClaim(name: string, volume: Partial<PersistentVolume> | undefined): Promise<void> {
  const { client } = cluster;
  const accessModes = ["ReadWriteOnce"];
  const storageClassName = "outside";
  if (volume !== undefined) {
    const { metadata, spec } = volume;
    await client.create(persistentVolumes, {
      metadata: { ...metadata, name: `volume-of-${name}` },
      spec: {
        accessModes,
        storageClassName,
        capacity: { storage: "1Gi" },
        hostPath: { path: "/data" },
        ...spec,
      },
    });
  }
  const resources = { requests: { storage: "1Gi" } };
  const volumeName = volume === undefined ? {} : { volumeName: `volume-of-${name}` };
  const metadata = { namespace: "default", name };
  await client.create(persistentVolumeClaims, {
    metadata,
    spec: { accessModes, storageClassName, resources, ...volumeName },
  });
  if (volume === undefined) return;
  await seen(client, persistentVolumeClaims, { name, is: ({ status }) => status?.phase === "Bound" });
}

const zone = "topology.kubernetes.io/zone";
const inZoneB = [{ matchExpressions: [{ key: zone, operator: "In", values: ["zone-b"] }] }];

test.for<{ name: string; volume: Partial<PersistentVolume> }>([
  {
    name: "a volume with node affinity",
    volume: { spec: { nodeAffinity: { required: { nodeSelectorTerms: inZoneB } } } },
  },
  { name: "a volume with a zone label", volume: { metadata: { labels: { [zone]: "zone-b" } } as never } },
])("a Pod whose claim has $name is placed where that is", async ({ name, volume }) => {
  const claim = name.replaceAll(" ", "-");
  await start("--no-lease", "--config", profileFile(`${claim}.yaml`, claim));
  await createClaim(claim, volume);
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: claim } }];
  for (const pod of [`${claim}-0`, `${claim}-1`]) {
    await createPod(pod, { spec: { schedulerName: claim, volumes } });
    const { spec } = await scheduled(pod);
    const node = await cluster.client.get(nodes, { name: spec.nodeName ?? "" });
    expect(node.metadata.labels?.[zone]).toBe("zone-b");
  }
});

test("a Pod whose claim is not bound waits, says so, and is placed once it is", async () => {
  await start("--no-lease", "--config", profileFile("unbound.yaml", "unbound"));
  await createClaim("unbound", undefined);
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "unbound" } }];
  await createPod("unbound", { spec: { schedulerName: "unbound", volumes } });
  const waiting = await seen(cluster.client, pods, {
    name: "unbound",
    is: (pod) => conditionOf(pod) !== undefined,
  });
  expect(conditionOf(waiting)?.message).toContain("pod has unbound immediate PersistentVolumeClaims");
  await cluster.client.create(persistentVolumes, {
    metadata: { name: "late" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "outside",
      capacity: { storage: "1Gi" },
      hostPath: { path: "/data" },
    },
  });
  await scheduled("unbound");
});

test("SIGHUP has the configuration read again: with a mistake the old one is kept, else the new one applies", async () => {
  const file = profileFile("reloaded.yaml", "before");
  const program = await start("--no-lease", "--config", file);
  const reloads = async () =>
    (await program.ask("/metrics")).text
      .split("\n")
      .filter((line) => line.startsWith("trimtab_scheduler_config_reloads_total{"));
  await createPod("waits-for-reload", { spec: { schedulerName: "after" } });

  profileFile("reloaded.yaml", "after", "podInitialBackoffSeconds: 0\n");
  program.hangUp();
  await createPod("still-before", { spec: { schedulerName: "before" } });
  await scheduled("still-before");
  await expect
    .poll(reloads, patience)
    .toEqual([
      'trimtab_scheduler_config_reloads_total{result="applied"} 0',
      'trimtab_scheduler_config_reloads_total{result="refused"} 1',
    ]);

  profileFile("reloaded.yaml", "after");
  program.hangUp();
  await scheduled("waits-for-reload");
  await expect.poll(async () => (await reloads())[0], patience).toContain('result="applied"} 1');
  expect(await program.stop()).toBe(0);
});

test("everything that is wrong with flags and files is said at once, and the exit code is 1", async () => {
  const unknown = profileFile("unknown.yaml", "x", "parallelism: 0\n");
  const flags = await start("--max-bindings", "0", "--feature-gates", "No=true", "--lease", "A B");
  expect(await flags.stop()).toBe(1);
  expect(flags.err).toEqual([
    "trimtab scheduler: --lease must be NAME or NAMESPACE/NAME",
    "trimtab scheduler: --max-bindings must be a number from 1 to 10000",
    expect.stringMatching(/^trimtab scheduler: unrecognized feature gate: No /),
  ]);
  const files = await start("--kubeconfig", folder.pathOf("none"), "--config", unknown);
  expect(await files.stop()).toBe(1);
  expect(files.err).toEqual([
    expect.stringMatching(/none: no such file$/),
    expect.stringContaining("unknown.yaml:3:14: parallelism"),
  ]);
});
