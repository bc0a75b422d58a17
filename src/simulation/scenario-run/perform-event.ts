import type { FeatureGates } from "../../api/feature-gates.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import type { ActionOutcome, RefusedPart } from "../../user-actions/action-outcome.ts";
import { finishDrain } from "../../user-actions/drain-nodes.ts";
import { nodeNamesOf, performAction } from "../../user-actions/perform-action.ts";
import type { UserAction, ActionTarget } from "../../user-actions/user-action.ts";
import type { ActionDocument, ObjectsTarget } from "../scenario-files/scenario-document.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import type { BusyPods } from "../tracking/busy-pods.ts";
import { actionsOf, type ActionContext } from "./event-actions.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isActive } from "../../api/pod-state.ts";
import { pods } from "../../api/resources.ts";
import type { Random } from "../../machinery/random/random.ts";

/** What events act on. */
export interface EventContext extends Pick<ActionContext, "gates" | "seed"> {
  readonly cluster: Pick<SimulatedCluster, "client" | "clock" | "random">;
  readonly busy: BusyPods;
  readonly setGates: (gates: Partial<FeatureGates>) => void;
  /** Ends what an event has begun and the end of the scenario interrupts. */
  readonly signal: AbortSignal;
  /** Takes a drain that has begun and that the event does not wait for. */
  readonly draining: (drain: StartedDrain) => void;
}

/** A drain whose evictions are tried again until they succeed. */
export interface StartedDrain {
  readonly nodes: readonly string[];
  /** The outcome of trying each eviction once. */
  readonly started: ActionOutcome;
  /** Resolves when no Pod is left or the scenario has ended. */
  readonly finished: Promise<ActionOutcome>;
}

/** Does what an event says; throws an `ApiError` where the API server refuses. */
export async function performEvent(event: ActionDocument, context: EventContext): Promise<void> {
  if (event.featureGates !== undefined) context.setGates(event.featureGates);
  const actions = await actionsOf(event, {
    ...context,
    selectPods: (target) => selectPods(target, context),
  });
  for (const action of actions) await performOrThrow(action, context);
}

/** A drain may take long: the scenario goes on meanwhile. */
async function performOrThrow(action: UserAction, context: EventContext): Promise<void> {
  const { cluster, signal, draining } = context;
  const outcome = await performAction(action, cluster);
  if (action.action === "drain") {
    const nodes = await nodeNamesOf(action, cluster);
    draining({ nodes, started: outcome, finished: finishDrain(nodes, outcome, { ...cluster, signal }) });
  }
  const [refused] = finallyRefused(outcome);
  if (refused !== undefined) throw apiFailure(refused.code, "", refused.message);
}

/** Returns the refusals that a later attempt would get, too. */
export function finallyRefused({ refused }: ActionOutcome): readonly RefusedPart[] {
  return refused.filter(({ code }) => code !== 429);
}

interface Selecting {
  readonly cluster: Pick<SimulatedCluster, "client" | "clock" | "random">;
  readonly busy: BusyPods;
}

/** The active Pods of a selector, or as many of them as an event wants. */
async function selectPods(
  target: ObjectsTarget,
  { cluster, busy }: Selecting,
): Promise<readonly ActionTarget[]> {
  const { selector, namespace = "default", count, which = "oldest" } = target;
  const { items } = await cluster.client.list(pods, { namespace, labelSelector: selector });
  const oldestFirst = items.filter(isActive).toSorted(byAge);
  const isBusy = (pod: Pod) => busy.workOf(pod, cluster.clock.now()) !== undefined;
  const ordered = {
    oldest: () => oldestFirst,
    youngest: () => oldestFirst.toReversed(),
    random: () => shuffled(oldestFirst, cluster.random),
    busy: () => oldestFirst.filter(isBusy),
    idle: () => oldestFirst.filter((pod) => !isBusy(pod)),
  }[which]();
  return ordered.slice(0, count ?? ordered.length).map(({ metadata: { name } }) => ({
    kind: pods.kind,
    namespace,
    name,
  }));
}

function byAge({ metadata: a }: Pod, { metadata: b }: Pod): number {
  const [createdA, createdB] = [a.creationTimestamp ?? "", b.creationTimestamp ?? ""];
  if (createdA !== createdB) return createdA < createdB ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
