import { simulateAsKubernetes } from "../downscale/choose-as-kubernetes.ts";
import { chooseVictimsInSteps } from "../downscale/choose-victims.ts";
import type { Picks } from "../downscale/facts.ts";
import { type PickerProgress, pickerProgress } from "../downscale/picker-progress.ts";
import type { Steps } from "../downscale/steps.ts";
import type { PlanReason, Removal, ReplicaSetAction } from "./replica-set-action.ts";
import { type RemovalState, removalFactsInSteps, uncountedFacts } from "./removal-facts.ts";
import { desiredReplicasOf } from "./replica-owner.ts";
import type { ReplicaSetState } from "./replica-set-state.ts";

/** What to do about an owner's Pods, and why. */
export interface PodPlan {
  readonly actions: readonly ReplicaSetAction[];
  readonly because: PlanReason;
}

/** Plans the removal of so many Pods: by the order alone, or once the picker has answered. */
export function* planRemoval(count: number, state: ReplicaSetState): Steps<PodPlan> {
  const { active, picker, owner } = state;
  const facts = uncountedFacts(state);
  if (count === active.length) {
    // No Pod is compared with another: a picker has nothing to decide, and there is no order.
    const choice = { victims: active.map((pod) => ({ pod })), survivors: [] };
    return removing({ facts, choice }, dismissal(state));
  }
  // kube-controller-manager knows no pickers.
  const isStock = state.removalProfile === "kubernetes-1.36";
  const progress: PickerProgress = isStock
    ? { kind: "none" }
    : pickerProgress(picker, { pods: active, count, size: desiredReplicasOf(owner) ?? 0, facts });
  switch (progress.kind) {
    case "none":
    case "standing":
      return removing(yield* chooseRemoval(count, state), dismissal(state));
    case "not-asked":
      return { actions: [{ kind: "ask-picker", unasked: progress }], because: "waiting-for-picker" };
    case "pending":
      return { actions: [], because: "waiting-for-picker" };
    case "settled": {
      const { picks, outcome, count: covered = count } = progress;
      const removal = yield* chooseRemoval(covered, state, picks);
      return removing({ ...removal, picker: outcome }, [{ kind: "settle-picker", settled: progress }]);
    }
  }
}

/** Chooses so many of the active Pods of a state, with a picker's answer if there is one. */
export function* chooseRemoval(count: number, state: RemovalState, picks?: Picks): Steps<Removal> {
  // A picker's answer replaces co-location and spread in the order, so nothing is counted.
  const facts = picks === undefined ? yield* removalFactsInSteps(state) : { ...uncountedFacts(state), picks };
  const choice =
    state.removalProfile === "kubernetes-1.36"
      ? simulateAsKubernetes(state.active, count, facts)
      : yield* chooseVictimsInSteps(state.active, count, facts);
  return { facts, choice };
}

function removing(removal: Removal, before: readonly ReplicaSetAction[]): PodPlan {
  return { actions: [...before, { kind: "delete-pods", removal }], because: "more-than-desired" };
}

/** Calls off what a picker was asked, if it was asked anything. */
export function dismissal({ picker }: Pick<ReplicaSetState, "picker">): readonly ReplicaSetAction[] {
  return picker.isAsked ? [{ kind: "dismiss-picker" }] : [];
}
