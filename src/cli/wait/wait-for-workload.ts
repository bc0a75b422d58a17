import type { LabelSelector } from "../../api/generated/meta-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { compileLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { formatLabelSelection } from "../../api/labels/label-selector.ts";
import { messageOf } from "../../api/message-of.ts";
import {
  daemonSets,
  deployments,
  pods as podResource,
  replicaSets,
  statefulSets,
} from "../../api/resources.ts";
import { ApiError, ifFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { settlementOf, type RolloutSettlement, type AwaitedWorkload } from "./settlement.ts";

/** A workload by name, and what is waited for. */
export interface WaitOrder {
  readonly kind: AwaitedWorkload["kind"];
  readonly namespace: string;
  readonly name: string;
  /** Whether none of its Pods may be terminating any more. */
  readonly terminated: boolean;
  /** Absent: for ever. */
  readonly timeoutMs?: number | undefined;
}

export interface WaitEnvironment {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with what is waited for, whenever that changes. */
  readonly progress: (text: string) => void;
}

export type WaitResult = { readonly ok: true } | { readonly ok: false; readonly problem: string };

const pollMs = 500;

/** Reads a workload and its Pods again and again until it has settled; rejects only when the signal aborts. */
export async function waitForWorkload(order: WaitOrder, environment: WaitEnvironment): Promise<WaitResult> {
  const { clock, signal, progress } = environment;
  const began = clock.now();
  for (let waitsFor = ""; ; await clock.sleep(pollMs, signal)) {
    const seen = await look(order, environment, waitsFor !== "");
    if (seen.state === "settled") return { ok: true };
    if (seen.state === "failed") return { ok: false, problem: seen.because };
    if (seen.for !== waitsFor) progress(seen.for);
    waitsFor = seen.for;
    if (order.timeoutMs !== undefined && clock.now() - began >= order.timeoutMs)
      return { ok: false, problem: `timed out waiting for ${waitsFor}` };
  }
}

/** What one look at the cluster shows; once waiting has begun, a lost connection is waited out, too. */
async function look(
  order: WaitOrder,
  environment: WaitEnvironment,
  hasBegun: boolean,
): Promise<RolloutSettlement> {
  try {
    return await read(order, environment, hasBegun);
  } catch (error) {
    if (environment.signal.aborted) throw error;
    const isLost = hasBegun && !(error instanceof ApiError);
    return isLost
      ? { state: "waiting", for: `an answer of the API server: ${messageOf(error)}` }
      : { state: "failed", because: messageOf(error) };
  }
}

async function read(
  order: WaitOrder,
  { client, signal }: WaitEnvironment,
  hasBegun: boolean,
): Promise<RolloutSettlement> {
  const workload = await ifFound(readWorkload(order, client, signal));
  const { kind, namespace, name } = order;
  if (workload === undefined) {
    const because = hasBegun ? "it was deleted" : `there is no ${kind} ${name} in namespace ${namespace}`;
    return { state: "failed", because };
  }
  // Listed after the workload was read, so that every Pod whose deletion its status shows is seen as terminating.
  const pods = order.terminated ? await podsOf(workload, { client, namespace, signal }) : undefined;
  return settlementOf(workload, pods);
}

async function readWorkload(
  { kind, ...name }: WaitOrder,
  client: Client,
  signal: AbortSignal,
): Promise<AwaitedWorkload> {
  switch (kind) {
    case "Deployment":
      return { kind, object: await client.get(deployments, name, signal) };
    case "ReplicaSet":
      return { kind, object: await client.get(replicaSets, name, signal) };
    case "StatefulSet":
      return { kind, object: await client.get(statefulSets, name, signal) };
    case "DaemonSet":
      return { kind, object: await client.get(daemonSets, name, signal) };
  }
}

/** The Pods that a workload selects: those of ReplicaSets that are gone already are among them. */
async function podsOf(
  { object }: AwaitedWorkload,
  { client, namespace, signal }: { client: Client; namespace: string; signal: AbortSignal },
): Promise<readonly Pod[]> {
  const selector: LabelSelector | undefined = object.spec?.selector;
  const compiled = compileLabelSelector(selector);
  if (!compiled.ok || compiled.selection.selects === "nothing") return [];
  const labelSelector = formatLabelSelection(compiled.selection);
  return (await client.list(podResource, { namespace, labelSelector }, signal)).items;
}
