import type { Pod } from "../api/generated/core-v1.ts";
import { isBeingDeleted } from "../api/object.ts";
import { controllerOf } from "../api/owner-references.ts";
import { isTerminal, mirrorAnnotation } from "../api/pod-state.ts";
import { pods } from "../api/resources.ts";
import { ApiError, isNotFound } from "../machinery/client/api-error.ts";
import type { ObjectName } from "../machinery/client/client.ts";
import type { ActionEnvironment, ActionOutcome, RefusedPart } from "./action-outcome.ts";

/** How long kubectl waits before it tries refused evictions again. */
const retryMs = 5000;

/** Evicts each Pod of these nodes once, as `kubectl drain --ignore-daemonsets --force` does. */
export async function evictFromNodes(
  nodes: readonly string[],
  environment: ActionEnvironment,
): Promise<ActionOutcome> {
  return evictAll(await evictablePods(nodes, environment), environment);
}

/**
 * Goes on with a drain: evicts every five seconds what disruption budgets kept, until no Pod is left or the signal aborts.
 * A Pod whose eviction was refused for another reason is left where it is. Returns what was refused at last.
 */
export async function finishDrain(
  nodes: readonly string[],
  started: ActionOutcome,
  environment: ActionEnvironment & { readonly signal: AbortSignal },
): Promise<ActionOutcome> {
  const { clock, signal } = environment;
  const done: string[] = [];
  const isFinal = ({ code }: RefusedPart) => code !== 429;
  let refused = started.refused;
  const isGivenUp = (pod: Pod) => refused.some((each) => isFinal(each) && each.uid === pod.metadata.uid);
  for (;;) {
    await clock.sleep(retryMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return { done, refused };
    const waiting = (await evictablePods(nodes, environment)).filter((pod) => !isGivenUp(pod));
    const round = await evictAll(waiting, environment);
    done.push(...round.done);
    refused = [...refused.filter(isFinal), ...round.refused];
    if (waiting.length === 0) return { done, refused };
  }
}

async function evictablePods(
  nodes: readonly string[],
  { client, signal }: ActionEnvironment,
): Promise<readonly Pod[]> {
  const found: Pod[] = [];
  for (const node of nodes) {
    const { items } = await client.list(pods, { fieldSelector: `spec.nodeName=${node}` }, signal);
    found.push(...items.filter(isEvictable));
  }
  return found;
}

/**
 * Whether a drain evicts a Pod of its node. A DaemonSet would create its Pod again, and a mirror Pod stands for one that
 * only the kubelet ends; a node owns it, too.
 */
export function isEvictable(pod: Pod): boolean {
  const owner = controllerOf(pod)?.kind;
  const isMirror = pod.metadata.annotations?.[mirrorAnnotation] !== undefined || owner === "Node";
  return !isBeingDeleted(pod) && !isMirror && (owner !== "DaemonSet" || isTerminal(pod));
}

async function evictAll(evicted: readonly Pod[], environment: ActionEnvironment): Promise<ActionOutcome> {
  const outcomes: ActionOutcome[] = [];
  for (const { metadata } of evicted) outcomes.push(await evictPod(metadata, environment));
  return {
    done: outcomes.flatMap(({ done }) => done),
    refused: outcomes.flatMap(({ refused }) => refused),
  };
}

/** Evicts a Pod; a Pod that is gone already counts as evicted, as for kubectl. */
export async function evictPod(
  { namespace, name, uid }: ObjectName & { readonly uid?: string },
  { client, signal }: ActionEnvironment,
): Promise<ActionOutcome> {
  try {
    await client.evict({ namespace, name }, { signal });
    return { done: [`pod/${name} evicted`], refused: [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isNotFound(error)) return { done: [], refused: [] };
    const cause = error.status.details?.causes?.[0]?.message;
    const refusal = { object: `pod/${name} -n ${namespace}`, message: error.message, code: error.code };
    const refused = {
      ...refusal,
      ...(cause !== undefined && { cause }),
      ...(uid !== undefined && { uid }),
    };
    return { done: [], refused: [refused] };
  }
}
