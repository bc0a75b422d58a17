import type { Node, Pod, PodStatus } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { pods } from "../../api/resources.ts";
import type { Instant } from "../../api/time.ts";
import { isUidMismatch, isNotFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { PodBehaviour } from "./behaviour/pod-behaviour.ts";
import type { PodStage } from "./lifecycle/pod-stage.ts";
import { statusIn } from "./status/pod-status.ts";

interface Report {
  readonly pod: Pod;
  readonly stage: PodStage;
  readonly behaviour: PodBehaviour;
  readonly node: Node;
  readonly podIP: string;
}

/**
 * Writes the status of a stage and returns the Pod as it now is. Requests carry the UID: a Pod that is gone, or another
 * one of the same name, is ignored. A conflict is thrown and retried, since it may only mean that another client wrote
 * first.
 */
export async function reportStage(report: Report, client: Client, now: Instant): Promise<Pod | undefined> {
  const { pod, stage, node, podIP, behaviour } = report;
  const { namespace, name, uid } = pod.metadata;
  // A node that was registered anew may have another address; its Pods keep the one they started with.
  const { hostIP } = pod.status ?? {};
  try {
    if (stage.name === "removed") {
      return await client.delete(
        pods,
        { namespace, name },
        { gracePeriodSeconds: 0, preconditions: { uid } },
      );
    }
    const status = statusIn({
      pod,
      stage,
      behaviour,
      addresses: { hostIP: hostIP ?? addressOf(node), podIP },
      now,
    });
    if (status === undefined) return undefined;
    const body = { metadata: { uid }, status: overwriting(status) } as unknown as JsonObject;
    return await client.patch(pods, { namespace, name }, { type: "strategic", body, subresource: "status" });
  } catch (error) {
    if (isNotFound(error) || isUidMismatch(error)) return undefined;
    throw error;
  }
}

/** Adds nulls for obsolete reasons and messages, because a patch keeps what it does not mention. */
function overwriting(status: PodStatus): object {
  const conditions = status.conditions?.map((condition) => ({ reason: null, message: null, ...condition }));
  return { ...status, conditions };
}

function addressOf(node: Node): string | undefined {
  return node.status?.addresses?.find((address) => address.type === "InternalIP")?.address;
}
