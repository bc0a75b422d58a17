import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { keyOf } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import { type Choice, chooseVictims } from "../../decisions/downscale/choose-victims.ts";
import { countPerNode } from "../../decisions/downscale/co-location.ts";
import type { Facts } from "../../decisions/downscale/facts.ts";
import { planReplicas, type ReplicasState } from "../../decisions/replicas/plan-replicas.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { PickerPort } from "./picker-port.ts";

/** Which Pods go, and what that was decided by. */
export interface Removal {
  readonly choice: Choice;
  readonly facts: Facts;
  /** What came of asking a picker, if one was. */
  readonly picker?: JsonObject;
}

/** What to do about an owner's Pods. */
export type Decision =
  /** Not now: until then nothing is known about success or failure either. */
  | { readonly kind: "skip" }
  | { readonly kind: "rest" }
  | { readonly kind: "create"; readonly count: number }
  | { readonly kind: "delete"; readonly removal: Removal };

export interface DecisionState<T extends ReplicaOwner> extends ReplicasState {
  readonly owner: T;
  readonly now: Instant;
  readonly gates: FeatureGates;
  /** The Pods that count for co-location; asked for only when that can matter. */
  readonly related: () => readonly Pod[];
}

/** Decides how many Pods are created, or which ones go. */
export function decide<T extends ReplicaOwner>(
  state: DecisionState<T>,
  consultations: PickerPort<T>,
): Decision {
  const step = planReplicas(state);
  if (step.kind === "delete") return chooseWhoGoes(step.count, state, consultations);
  const isWaiting = step.kind === "hold" && step.because === "expecting";
  if (!isWaiting) consultations.dismiss(keyOf(state.owner));
  return step.kind === "hold"
    ? { kind: "skip" }
    : step.kind === "rest"
      ? step
      : { kind: "create", count: step.count };
}

function chooseWhoGoes<T extends ReplicaOwner>(
  count: number,
  { owner, active, now, gates, related }: DecisionState<T>,
  consultations: PickerPort<T>,
): Decision {
  const facts: Facts = { now, gates, related: whenAsked(() => countPerNode(related())) };
  if (count === active.length) {
    // Nobody is compared with anybody: there is nothing to ask and no order to be had.
    consultations.dismiss(keyOf(owner));
    return {
      kind: "delete",
      removal: { facts, choice: { victims: active.map((pod) => ({ pod })), survivors: [] } },
    };
  }
  const consultation = consultations.on(owner, { pods: active, count, facts });
  switch (consultation.kind) {
    case "pending":
      return { kind: "skip" };
    case "none":
      return { kind: "delete", removal: { facts, choice: chooseVictims(active, count, facts) } };
    case "settled": {
      const { picks, outcome } = consultation;
      const informed = picks === undefined ? facts : { ...facts, picks };
      const choice = chooseVictims(active, count, informed);
      return { kind: "delete", removal: { facts: informed, choice, picker: outcome } };
    }
  }
}

function whenAsked(count: () => Facts["related"]): Facts["related"] {
  let counted: Facts["related"] | undefined;
  return (pod) => (counted ??= count())(pod);
}
