import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { protectionLimitAnnotation, unprotectedLabel } from "../../api/pod-protection.ts";
import { writeHold } from "../../decisions/downscale/hold.ts";
import type { PickerState } from "../../decisions/downscale/picker-state.ts";
import { heldMessage, type HeldRemoval } from "../../decisions/replicas/held-removal.ts";
import {
  isProtecting,
  planProtectedRemoval,
  type ProtectedPlan,
} from "../../decisions/replicas/plan-protected-removal.ts";
import type { RemovalState } from "../../decisions/replicas/removal-facts.ts";
import type { Removal } from "../../decisions/replicas/replica-set-action.ts";
import { hasTemplate } from "../../decisions/rollout/pod-template.ts";
import { runInSteps } from "../../machinery/clock/run-in-steps.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import type { PickerConsultant } from "./consult-picker.ts";
import type { FoundWorkload } from "./find-workload.ts";
import type { SizeChange } from "./size-change.ts";
import type { HeldAdmission } from "./steer-removal.ts";

/** What a shrink is admitted as, where Pods may be protected. */
export interface ProtectedShrink {
  /** The Pods that go now; absent: none. */
  readonly removal?: Removal | undefined;
  /** What is held back; absent: nothing. */
  readonly held?: HeldAdmission;
  /** For the records, where the hold is another one than before. */
  readonly recorded?: Removal | undefined;
  /** The Pods whose annotation cannot be read. */
  readonly unreadable: readonly Pod[];
}

/** Whether the removals of a workload look at protection. */
export function looksAtProtection(
  { replicaSet, deployment }: Pick<FoundWorkload, "replicaSet" | "deployment">,
  { gates }: Pick<SteeringDependencies, "gates">,
): boolean {
  const owner = protectedOwner(replicaSet, deployment);
  return isProtecting({ owner, gates: gates(), active: [], related: [], now: 0 });
}

/**
 * The ReplicaSet as its removals are decided by: with the limit of its Deployment, which the stock controller copies when
 * it likes, and without protection where `Recreate` drains it.
 */
export function protectedOwner(replicaSet: ReplicaSet, deployment: Deployment | undefined): ReplicaSet {
  const limit = deployment?.metadata.annotations?.[protectionLimitAnnotation];
  const { metadata } = replicaSet;
  const annotations = limit === undefined ? {} : { [protectionLimitAnnotation]: limit };
  const labels = isDrained(replicaSet, deployment) ? { [unprotectedLabel]: "Recreate" } : {};
  return {
    ...replicaSet,
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, ...annotations },
      labels: { ...metadata.labels, ...labels },
    },
  };
}

function isDrained(replicaSet: ReplicaSet, deployment: Deployment | undefined): boolean {
  if (deployment?.spec.strategy?.type !== "Recreate") return false;
  return !hasTemplate(replicaSet, deployment.spec.template);
}

/** A shrink to be planned. */
export interface Planning {
  readonly change: SizeChange;
  /** That of the decision: its Pods without marks, and the owner with the picker that is asked. */
  readonly state: RemovalState & { readonly owner: ReplicaSet };
  readonly deps: SteeringDependencies;
  readonly consultant: PickerConsultant | undefined;
  readonly pickerSignal: AbortSignal;
}

const noPicker: PickerState = { health: { kind: "none" }, isAsked: false };

/** Plans as our own ReplicaSet controller would if the ReplicaSet had the size that is asked for. */
function planBy({ change, state, deps }: Planning): (picker: PickerState) => Promise<ProtectedPlan> {
  const { owner, active } = state;
  const asked = { ...owner, spec: { ...owner.spec, replicas: change.asked } };
  const count = active.length - change.asked;
  return (picker) => runInSteps(planProtectedRemoval(count, { ...state, owner: asked, picker }), deps.clock);
}

/** Whether all is held back, and nobody has to be asked or marked for it; `undefined`: there is something to decide. */
export async function heldAsBefore(planning: Planning): Promise<ProtectedShrink | undefined> {
  const { deps, state } = planning;
  const picker = deps.pickers?.stateOf(state.owner, deps.gates()) ?? noPicker;
  const shrink = shrinkBy(await planBy(planning)(picker), planning);
  return shrink.removal === undefined && shrink.held !== undefined ? shrink : undefined;
}

/** Decides who goes now and who is waited for; asks the picker where its protection may have ended. */
export async function decideProtected(planning: Planning): Promise<ProtectedShrink> {
  const { state, deps, consultant, pickerSignal } = planning;
  const planWith = planBy(planning);
  const plan =
    consultant === undefined
      ? await planWith(noPicker)
      : await consultant.plan(state.owner, { gates: deps.gates(), planWith }, pickerSignal);
  return shrinkBy(plan, planning);
}

function shrinkBy({ actions, held }: ProtectedPlan, { change, state }: Planning): ProtectedShrink {
  let shrink: ProtectedShrink = { unreadable: [] };
  for (const action of actions) {
    if (action.kind === "delete-pods") shrink = { ...shrink, removal: action.removal };
    if (action.kind === "hold-removal") shrink = { ...shrink, recorded: action.removal };
    if (action.kind === "report-unreadable") shrink = { ...shrink, unreadable: action.pods };
  }
  if (held === undefined || held === "none") return shrink;
  const going = shrink.removal?.choice.victims.length ?? 0;
  const kept = state.active.length - going;
  return kept <= change.asked ? shrink : { ...shrink, held: heldAt(Math.min(change.old, kept), held) };
}

function heldAt(size: number, held: HeldRemoval): HeldAdmission {
  return { size, hold: writeHold(held.hold), message: heldMessage(held) };
}
