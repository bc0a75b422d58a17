import type { FeatureGates } from "../../api/feature-gates.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import type { ActionOutcome, RefusedPart } from "../../user-actions/action-outcome.ts";
import { finishDrain } from "../../user-actions/drain-nodes.ts";
import { nodeNamesOf, performAction } from "../../user-actions/perform-action.ts";
import type { UserAction } from "../../user-actions/user-action.ts";
import type { ActionDocument } from "../scenario-files/scenario-document.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import type { BusyPods } from "../tracking/busy-pods.ts";
import { actionsOf, type ActionContext } from "./event-actions.ts";
import { selectPods } from "./select-targets.ts";

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
