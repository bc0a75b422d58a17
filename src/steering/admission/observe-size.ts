import type { Deployment } from "../../api/generated/apps-v1.ts";
import { formatTime } from "../../api/time.ts";
import { keyOf } from "../../api/object.ts";
import { messageOf } from "../../api/message-of.ts";
import { deployments, replicaSets } from "../../api/resources.ts";
import { activePodsOf } from "../../decisions/gather/owned-objects.ts";
import { admittedSize, podBudget } from "../../decisions/stock/admitted-size.ts";
import { wishesOf } from "../../decisions/stock/wish.ts";
import { referenceTo } from "../../machinery/events/event-draft.ts";
import { replicaSetsOf } from "../replica-sets-of.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import type { PickerConsultant } from "./consult-picker.ts";
import { decideRemoval } from "./decide-removal.ts";
import { deferralTime } from "./decision-time.ts";
import {
  type FoundWorkload,
  selectorOf,
  watchedDeployment,
  watchedPods,
  watchedReplicaSet,
} from "./find-workload.ts";
import type { SizeChange } from "./size-change.ts";

interface Observing {
  readonly deps: SteeringDependencies;
  readonly consultant: PickerConsultant | undefined;
}

/**
 * Decides what steering would have done about a request that passes, and says it; nothing is read or written for it but
 * what this copy watches and records. Returns at once: the Pods are those of this moment.
 */
export function observeSize(change: SizeChange, observing: Observing): void {
  const { deps } = observing;
  const replicaSet = watchedReplicaSet(change, deps);
  if (replicaSet === undefined) return;
  const deployment = watchedDeployment(replicaSet, deps);
  const labels = deps.namespaces.get(change.namespace)?.metadata.labels;
  const workload = { replicaSet, deployment, wishes: wishesOf(deployment ?? replicaSet, labels) };
  if (change.asked > change.old) {
    if (deployment !== undefined && workload.wishes.policy === "TerminationComplete")
      observeGrowth(change, deployment, deps);
  } else if (change.asked > 0 && workload.wishes.steersRemovals)
    void observeRemoval(change, workload, observing);
}

function observeGrowth(change: SizeChange, deployment: Deployment, deps: SteeringDependencies): void {
  const pods = watchedPods(change.namespace, deployment.spec.selector, deps.pods);
  const budget = podBudget({ deployment, replicaSets: replicaSetsOf(deps.replicaSets, deployment), pods });
  const wouldAdmit = admittedSize(change, budget);
  if (wouldAdmit >= change.asked) return;
  deps.metrics.observed.increase({ what: "exceeded" });
  const workload = keyOf(deployment);
  const at = formatTime(deps.clock.now());
  deps.observations?.add({ kind: "growth", at, workload, asked: change.asked, wouldAdmit });
  deps.events.record({
    regarding: referenceTo(deployments, deployment),
    type: "Normal",
    reason: "WouldCapGrowth",
    message: `Would admit ${wouldAdmit} of the ${change.asked} pods that ${change.name} asks for: ${budget.pods} and ${budget.terminating} terminating, ${budget.replicas} + ${budget.maxSurge} allowed`,
  });
}

/** The removal is compared with what the stock controller removes as soon as that has happened. */
async function observeRemoval(
  change: SizeChange,
  workload: FoundWorkload,
  { deps, consultant }: Observing,
): Promise<void> {
  const { replicaSet, wishes } = workload;
  const listed = watchedPods(change.namespace, selectorOf(workload), deps.pods);
  const pods = activePodsOf(replicaSet, { claimablePods: () => listed });
  if (pods.length <= change.asked) return;
  const time = deferralTime(wishes.picker, deps.clock);
  try {
    const context = { deps, consultant, budget: time.budget, pods, listed };
    const decided = await decideRemoval(change, workload, context);
    if (decided?.isNew !== true) return;
    const { removal } = decided;
    const { choice, facts, picker } = removal;
    deps.memory.remember({ ...removal, isProven: true, isObserved: true });
    const { name, uid } = replicaSet.metadata;
    const object = { kind: replicaSets.kind, namespace: change.namespace, name, uid };
    deps.records.removals.add({ workload: object, choice, facts, ...(picker && { picker }) });
  } catch (error) {
    deps.log.warn("a scale-down could not be observed", { ...change, error: messageOf(error) });
  } finally {
    time.end();
  }
}
