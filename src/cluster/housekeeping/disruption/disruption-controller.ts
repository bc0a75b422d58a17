import { deepEqual } from "../../../api/deep-equal.ts";
import type { Pod } from "../../../api/generated/core-v1.ts";
import type { PodDisruptionBudget } from "../../../api/generated/policy-v1.ts";
import { compileLabelSelector } from "../../../api/labels/compile-label-selector.ts";
import { matchesLabels } from "../../../api/labels/label-selector.ts";
import { keyOf, type StoredObject } from "../../../api/object.ts";
import { podDisruptionBudgets, pods as podResource } from "../../../api/resources.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import {
  type ControllerSpec,
  done,
  type KeyQueue,
  watching,
  type WatchSource,
} from "../../../machinery/controller.ts";
import { type EventRecorder, referenceTo } from "../../../machinery/events/event-draft.ts";
import type { Informer, ResourceEventHandler } from "../../../machinery/informer/informer.ts";
import { indexByNamespace, objectsInNamespace } from "../../../machinery/ownership/owner-index.ts";
import { type BudgetPlan, planBudget } from "./budget-status.ts";
import { podControllerOf, type ScaledControllers } from "./pod-controllers.ts";

export interface DisruptionDependencies extends ScaledControllers {
  readonly client: Client;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly budgets: Informer<PodDisruptionBudget>;
  readonly pods: Informer<Pod>;
}

/** Keeps the status of PodDisruptionBudgets up to date, which an eviction consults. */
export function disruptionController(deps: DisruptionDependencies): ControllerSpec {
  const { client, clock, events, budgets, pods } = deps;
  indexByNamespace(budgets);
  indexByNamespace(pods);
  return {
    name: "disruption",
    workers: 1,
    watches: [
      watching(budgets, (queue) => ({
        added: (budget) => queue.add(keyOf(budget)),
        updated: (_old, budget) => queue.add(keyOf(budget)),
      })),
      watching(pods, (queue) => podHandler(budgets, queue)),
      watchingScale(deps.deployments, budgets),
      watchingScale(deps.replicaSets, budgets),
      watchingScale(deps.replicationControllers, budgets),
      watchingScale(deps.statefulSets, budgets),
    ],
    ignores: isNotFound,

    async reconcile(key, signal) {
      const budget = budgets.get(key);
      if (budget === undefined) return done;
      const plan = planBudget({
        budget,
        pods: selectedPods(pods, budget),
        controllerOf: (pod) => podControllerOf(deps, pod),
        now: clock.now(),
      });
      recordEvents(events, budget, plan);
      if (!deepEqual(plan.status, budget.status)) {
        const object = { ...budget, status: plan.status };
        await client.update(podDisruptionBudgets, object, { subresource: "status", signal });
      }
      return plan.recheckAt === undefined ? done : { requeueAt: plan.recheckAt };
    },
  };
}

function selectedPods(pods: Informer<Pod>, { metadata, spec }: PodDisruptionBudget): readonly Pod[] {
  const compiled = compileLabelSelector(spec.selector);
  if (!compiled.ok) return [];
  return objectsInNamespace(pods, metadata.namespace).filter((pod) =>
    matchesLabels(compiled.selection, pod.metadata.labels),
  );
}

/** Delays the sync of a budget for a moment, so that one count serves the many Pods that mostly change together. */
function enqueueBatched(queue: KeyQueue, budget: PodDisruptionBudget): void {
  const count = budget.status?.expectedPods ?? 0;
  if (count < 100) queue.add(keyOf(budget));
  else queue.addAfter(keyOf(budget), 1 + Math.floor(count / 1000));
}

function podHandler(budgets: Informer<PodDisruptionBudget>, queue: KeyQueue): ResourceEventHandler<Pod> {
  const enqueue = (...versions: readonly Pod[]) => {
    for (const budget of objectsInNamespace(budgets, versions[0]?.metadata.namespace)) {
      const compiled = compileLabelSelector(budget.spec.selector);
      if (compiled.ok && versions.some(({ metadata }) => matchesLabels(compiled.selection, metadata.labels)))
        enqueueBatched(queue, budget);
    }
  };
  return { added: enqueue, updated: enqueue, deleted: enqueue };
}

interface Scaled extends StoredObject {
  readonly spec?: { readonly replicas?: number };
}

/** Enqueues the budgets of the namespace when a controller's scale changes, since any of them may depend on it. */
function watchingScale<T extends Scaled>(
  controllers: Informer<T>,
  budgets: Informer<PodDisruptionBudget>,
): WatchSource {
  return watching(controllers, (queue) => {
    const enqueue = ({ metadata }: T) => {
      for (const budget of objectsInNamespace(budgets, metadata.namespace)) enqueueBatched(queue, budget);
    };
    return {
      added: enqueue,
      updated(old, controller) {
        if (old.spec?.replicas !== controller.spec?.replicas) enqueue(controller);
      },
    };
  });
}

function recordEvents(events: EventRecorder, budget: PodDisruptionBudget, plan: BudgetPlan): void {
  const regarding = referenceTo(podDisruptionBudgets, budget);
  const { expected, notDeleted } = plan;
  if (!expected.ok) {
    const message = `Failed to calculate the number of expected pods: ${expected.problem}`;
    events.record({ regarding, type: "Warning", reason: "CalculateExpectedPodCountFailed", message });
  } else if (expected.unmanaged.length > 0) {
    const message = `${expected.unmanaged.length} of the selected Pods have no controller and are not counted: set .spec.minAvailable to a number to count them`;
    events.record({ regarding, type: "Warning", reason: "UnmanagedPods", message });
  }
  for (const pod of notDeleted) {
    const message = `Pod was expected by PDB ${keyOf(budget)} to be deleted but it wasn't`;
    events.record({
      regarding: referenceTo(podResource, pod),
      type: "Warning",
      reason: "NotDeleted",
      message,
    });
  }
}
