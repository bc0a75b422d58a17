import type { DeploymentStatus, ReplicaSet } from "../../../src/api/generated/apps-v1.ts";
import { deployments, pods, replicaSets } from "../../../src/api/resources.ts";
import type { Client } from "../../../src/machinery/client/client.ts";
import type { VirtualClock } from "../../../src/machinery/clock/virtual-clock.ts";
import { at, namespace } from "../builders.ts";

const patienceMinutes = 60;

/** Waits until everything is as it was wished for; what is not by then is a breach. */
export async function comeToRest(
  client: Client,
  clock: VirtualClock,
  breach: (what: string) => void,
): Promise<void> {
  for (let minute = 1; ; minute++) {
    await clock.advance(60_000);
    const missing = await whatIsMissing(client);
    if (missing.length === 0) return;
    if (minute < patienceMinutes) continue;
    missing.forEach(breach);
    return;
  }
}

async function whatIsMissing(client: Client): Promise<readonly string[]> {
  const { spec, status = {} } = await client.get(deployments, at("web"));
  const revisions = (await client.list(replicaSets, { namespace })).items;
  const present = (await client.list(pods, { namespace })).items;
  const { replicas: wanted = 1 } = spec;
  const figures = {
    ...countsIn(status),
    Pods: present.length,
    sizes: revisions.reduce((total, each) => total + (each.spec.replicas ?? 1), 0),
  };
  const wrong = Object.entries(figures).filter(([, is]) => is !== wanted);
  return [
    ...wrong.map(([name, is]) => `${name}: ${is}, not ${wanted}`),
    ...openEnds(status),
    ...revisions.filter(isHeldBack).map(({ metadata }) => `${metadata.name} is still held back`),
  ];
}

function countsIn({ replicas = 0, updatedReplicas = 0, availableReplicas = 0 }: DeploymentStatus) {
  return { replicas, updatedReplicas, availableReplicas };
}

function openEnds({ conditions = [], terminatingReplicas }: DeploymentStatus): readonly string[] {
  const reason = conditions.find(({ type }) => type === "Progressing")?.reason;
  return [
    ...(reason === "NewReplicaSetAvailable" ? [] : [`not complete: ${reason}`]),
    ...(terminatingReplicas === 0 ? [] : [`terminating: ${terminatingReplicas}`]),
  ];
}

function isHeldBack({ metadata }: ReplicaSet): boolean {
  return Object.hasOwn(
    metadata.annotations ?? {},
    "deployment.kubernetes.io/replicaset-replicas-before-scale",
  );
}
