import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findCondition } from "../../src/api/conditions.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { deployments, events, nodes, pods, priorityClasses } from "../../src/api/resources.ts";
import { web } from "../deployment/builders.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { makeProgramUser } from "./controllers-user.ts";
import { eventually, untilObject } from "./eventually.ts";
import { isComparedVersion, isKubernetesSince } from "./kubernetes-version.ts";
import { tailOf } from "./program.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { startTrimtab, type TrimtabProgram } from "./trimtab-program.ts";

const zone = "topology.kubernetes.io/zone";

let cluster: RealCluster;
let kubeconfig: string;
let zones: ReadonlyMap<string, string>;
beforeAll(async () => {
  cluster = await startRealCluster({ controllers: "all", scheduler: "none", nodes: 7, zones: 3 });
  kubeconfig = await makeProgramUser(cluster, {
    user: "trimtab-scheduler",
    roles: "scheduler/cluster-role.yaml",
  });
  const { items } = await cluster.client.list(nodes, {});
  zones = new Map(items.map(({ metadata }) => [metadata.name, metadata.labels?.[zone] ?? ""]));
});
afterAll(() => cluster.stop());

/** As a Pod with the rights of deploy/ would run it. */
async function startScheduler(...flags: readonly string[]): Promise<TrimtabProgram> {
  const program = await startTrimtab({
    command: "scheduler",
    kubeconfig,
    flags: ["--log-level", "warn", ...flags],
    folder: cluster.folder,
  });
  cluster.alsoStop(program);
  return program;
}

async function startDeployment(namespace: string, replicas: number, schedulerName?: string): Promise<void> {
  await makeNamespace(cluster.client, namespace);
  const draft = web({ replicas, startsIn: "50ms" });
  const { template } = draft.spec;
  const containers = template.spec?.containers ?? [];
  const spec = { ...template.spec, containers, ...(schedulerName !== undefined && { schedulerName }) };
  await cluster.client.create(deployments, {
    ...draft,
    metadata: { ...draft.metadata, namespace },
    spec: { ...draft.spec, template: { ...template, spec } },
  });
}

/** The Pods of a namespace per zone, once so many run. */
async function zoneCounts(namespace: string, count: number): Promise<readonly number[]> {
  const running = await eventually(`${count} Pods run in ${namespace}`, async () => {
    const { items } = await cluster.client.list(pods, { namespace });
    return items.length === count && items.every(({ status }) => status?.phase === "Running")
      ? items
      : undefined;
  });
  const counts = new Map<string, number>();
  for (const { spec } of running) {
    const domain = zones.get(spec.nodeName ?? "") ?? "";
    counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  return [...counts.values()].sort((a, b) => a - b);
}

const scheduledBy = (namespace: string) =>
  eventually("the events of the scheduler", async () => {
    const { items } = await cluster.client.list(events, { namespace });
    const bound = items.filter(({ reason }) => reason === "Scheduled");
    const by = bound.map(({ source, reportingComponent }) => source?.component ?? reportingComponent);
    return by.length === 0 ? undefined : new Set(by);
  });

const conditionOf = (pod: Pod) => findCondition(pod.status?.conditions, "PodScheduled");

test("as the only scheduler, with the roles in deploy/, it places all Pods, preempts, and says why one stays Pending", async () => {
  const program = await startScheduler();
  await startDeployment("only", 9);
  // Seven nodes in zones of three, two and two: by hosts alone the first zone would get more.
  expect(await zoneCounts("only", 9)).toEqual([3, 3, 3]);
  expect(await scheduledBy("only")).toEqual(new Set(["default-scheduler"]));

  const claims = { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] };
  const containers = [{ name: "app", image: "app:1" }];
  const at = { namespace: "only", name: "claims" };
  await cluster.client.create(pods, { metadata: at, spec: { containers, ...claims } });
  const waiting = await untilObject(cluster.client, pods, at, (pod) => conditionOf(pod) !== undefined);
  expect(conditionOf(waiting)?.message).toContain('persistentvolumeclaim "data" not found');

  await preemptsOn("only");
  expect((await program.read("/readyz")).code).toBe(200);
  const metrics = (await program.read("/metrics")).text;
  expect(metrics).toContain(
    `trimtab_workload_skew{namespace="only",kind="Deployment",workload="web",topology_key="${zone}",when_unsatisfiable="ScheduleAnyway"} 0`,
  );
  expect(tailOf(program, 1000)).not.toMatch(/forbidden/i);
  await program.stop();
});

/** A Pod of a high priority takes the node of one with a low priority. */
async function preemptsOn(namespace: string): Promise<void> {
  const { client } = cluster;
  await client.create(priorityClasses, { metadata: { name: "urgent" }, value: 1000 });
  const [node = ""] = zones.keys();
  const draft = (name: string, spec: Partial<Pod["spec"]> = {}) => ({
    // Long enough to be seen, on a slow machine too: meanwhile the node is nominated.
    metadata: { namespace, name, annotations: { "sim.trimtab.dev/terminationDelay": "5s" } },
    spec: {
      containers: [{ name: "app", image: "app:1", ports: [{ containerPort: 80, hostPort: 8080 }] }],
      nodeSelector: { "kubernetes.io/hostname": node },
      ...spec,
    },
  });
  const hasNode = (pod: Pod) => pod.spec.nodeName !== undefined;
  await client.create(pods, draft("victim"));
  await untilObject(client, pods, { namespace, name: "victim" }, ({ status }) => status?.phase === "Running");
  await client.create(pods, draft("urgent", { priorityClassName: "urgent" }));
  const at = { namespace, name: "urgent" };
  const nominated = await untilObject(
    client,
    pods,
    at,
    ({ status }) => status?.nominatedNodeName !== undefined,
  );
  expect(nominated.status?.nominatedNodeName).toBe(node);
  const placed = await untilObject(client, pods, at, hasNode);
  // Since 1.35 the API server clears it when the Pod is bound.
  const left = isKubernetesSince(35) ? undefined : node;
  expect([placed.spec.nodeName, placed.status?.nominatedNodeName]).toEqual([node, left]);
  const { items } = await client.list(events, { namespace });
  expect(items.find(({ reason }) => reason === "Preempted")?.message).toBe(
    `Preempted by pod ${placed.metadata.uid} on node ${node}`,
  );
}

/** Pods that fit nowhere, each for another reason. */
const misfits: Readonly<Record<string, Partial<Pod["spec"]>>> = {
  "no-such-node": { nodeSelector: { disk: "ssd" } },
  "too-large": {
    containers: [{ name: "app", image: "app:1", resources: { requests: { cpu: "10k", memory: "1Ki" } } }],
  },
  "ports-taken": {
    containers: [{ name: "app", image: "app:1", ports: [{ containerPort: 80, hostPort: 9090 }] }],
  },
  "never-preempts": {
    containers: [{ name: "app", image: "app:1", ports: [{ containerPort: 80, hostPort: 9090 }] }],
    priorityClassName: "patient",
  },
};

/** Why Pods stay Pending is said in the words of kube-scheduler, which gets the same Pods. */
async function saysTheSame(schedulerName: string): Promise<void> {
  const { client } = cluster;
  const namespace = "misfits";
  await makeNamespace(client, namespace);
  await client.create(priorityClasses, {
    metadata: { name: "patient" },
    value: 1000,
    preemptionPolicy: "Never",
  });
  const containers = [{ name: "app", image: "app:1" }];
  const ports = misfits["ports-taken"]?.containers ?? [];
  for (const [index, nodeName] of [...zones.keys()].entries())
    await client.create(pods, {
      metadata: { namespace, name: `holder-${index}` },
      spec: { containers: ports, nodeName },
    });
  const said = async (name: string) => {
    const at = { namespace, name };
    const waiting = await untilObject(client, pods, at, (pod) => conditionOf(pod)?.status === "False");
    // The words of DynamicResources, a plugin that this scheduler does not have.
    const message = conditionOf(waiting)?.message?.replace("no new claims to deallocate, ", "");
    return `${conditionOf(waiting)?.reason}: ${message}`;
  };
  for (const [name, spec] of Object.entries(misfits)) {
    await client.create(pods, { metadata: { namespace, name }, spec: { containers, ...spec } });
    const ours = { containers, ...spec, schedulerName };
    await client.create(pods, { metadata: { namespace, name: `our-${name}` }, spec: ours });
    expect([name, await said(`our-${name}`)]).toEqual([name, await said(name)]);
  }
}

const file = () => path.join(cluster.folder, "scheduler.yaml");
const writeConfig = (schedulerName: string, maxSkew: number) =>
  writeFileSync(
    file(),
    `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: ${schedulerName}
    pluginConfig:
      - name: PodTopologySpread
        args:
          defaultingType: List
          defaultConstraints:
            - { maxSkew: ${maxSkew}, topologyKey: ${zone}, whenUnsatisfiable: DoNotSchedule }
`,
  );

test("beside kube-scheduler it places the Pods that name it, by the operator's default constraints, read again at SIGHUP", async () => {
  await cluster.startScheduler();
  writeConfig("spread", 1);
  const program = await startScheduler("--config", file());
  await startDeployment("stock", 3);
  await startDeployment("second", 7, "spread");
  expect(await zoneCounts("second", 7)).toEqual([2, 2, 3]);
  await zoneCounts("stock", 3);
  expect(await scheduledBy("second")).toEqual(new Set(["spread"]));
  expect(await scheduledBy("stock")).toEqual(new Set(["default-scheduler"]));
  const { placements } = JSON.parse((await program.read("/debug/placements?namespace=second")).text) as {
    placements: { spread: string[] }[];
  };
  expect(placements[0]?.spread[0]).toContain("the operator's defaults, for ReplicaSet web-");

  const reloads = async (result: string) =>
    (await program.read("/metrics")).text.includes(
      `trimtab_scheduler_config_reloads_total{result="${result}"} 1`,
    ) || undefined;
  writeConfig("renamed", 0);
  process.kill(program.pid, "SIGHUP");
  await eventually("the mistake is noticed", () => reloads("refused"));
  expect(tailOf(program)).toContain("defaultConstraints[0].maxSkew: Invalid value: 0");
  writeConfig("renamed", 1);
  process.kill(program.pid, "SIGHUP");
  await eventually("the new file is read", () => reloads("applied"));
  await startDeployment("renamed", 3, "renamed");
  expect(await zoneCounts("renamed", 3)).toEqual([1, 1, 1]);
  // Its sentences are those of kube-scheduler 1.36.
  if (isComparedVersion) await saysTheSame("renamed");
  expect(program.ended()).toBe(false);
  await program.stop();
});
