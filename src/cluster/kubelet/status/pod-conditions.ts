import { extended } from "../../../api/extended.ts";
import { findCondition, isConditionTrue } from "../../../api/conditions.ts";
import type { Pod, PodCondition } from "../../../api/generated/core-v1.ts";
import { formatTime } from "../../../api/time.ts";
import { deadlineExceeded } from "../lifecycle/active-deadline.ts";
import { initIndexOf } from "../lifecycle/pod-stage.ts";
import type { StagedPod } from "./staged-pod.ts";

/**
 * Returns the conditions that a kubelet owns in a stage, and PodScheduled, which a Pod that was created with a node
 * lacks.
 */
export function conditionsIn(view: StagedPod, started: boolean): PodCondition[] {
  const { pod, stage } = view;
  const initialized = isInitialized(view);
  const containersReady = stage.name === "ready";
  const why = containersReady ? {} : notReadyReason(pod, stage);
  const { autoReadinessGates } = view.behaviour;
  const gate = containersReady && !autoReadinessGates ? closedGate(pod) : undefined;
  const readiness = gate === undefined ? why : { reason: "ReadinessGatesNotReady", message: gate };
  return [
    condition(view, { type: "PodReadyToStartContainers", status: started && !isOver(stage) }),
    condition(view, { type: "Initialized", status: initialized }),
    condition(view, { type: "Ready", status: containersReady && gate === undefined, ...readiness }),
    condition(view, { type: "ContainersReady", status: containersReady, ...why }),
    condition(view, { type: "PodScheduled", status: true }),
    ...disruption(view),
    ...openGates(view),
  ];
}

/** Returns the DisruptionTarget condition of a Pod that its own kubelet ended, unless it reached its deadline. */
function disruption(view: StagedPod): readonly PodCondition[] {
  const { stage } = view;
  if (stage.name !== "failed" || !stage.ran || stage.reason === deadlineExceeded) return [];
  const why = { reason: "TerminationByKubelet", message: stage.message };
  return [condition(view, { type: "DisruptionTarget", status: true, ...why })];
}

/** Returns the conditions of the readiness gates, if the kubelet is told to open them itself. */
function openGates(view: StagedPod): readonly PodCondition[] {
  if (view.stage.name !== "ready" || !view.behaviour.autoReadinessGates) return [];
  const { readinessGates = [] } = view.pod.spec;
  return readinessGates.map(({ conditionType }) => condition(view, { type: conditionType, status: true }));
}

/** Reports whether PodScheduled is false though the Pod has a node: a scheduler may miss that its binding succeeded. */
export function isMarkedUnscheduled(pod: Pod): boolean {
  return findCondition(pod.status?.conditions, "PodScheduled")?.status === "False";
}

/** Returns a condition of the Pod's present generation that keeps its transition time while its status stays. */
function condition(
  view: StagedPod,
  wanted: Omit<PodCondition, "status"> & { readonly status: boolean },
): PodCondition {
  const status = wanted.status ? "True" : "False";
  const stored = findCondition(view.pod.status?.conditions, wanted.type);
  const since = stored?.status === status ? stored.lastTransitionTime : undefined;
  const { generation } = view.pod.metadata;
  const lastTransitionTime = since ?? formatTime(view.now);
  return generation === undefined
    ? extended(wanted, { status, lastTransitionTime })
    : extended(wanted, { status, lastTransitionTime, observedGeneration: generation });
}

/** Reports whether the init containers are done; a Pod without any is initialized from the start. */
function isInitialized({ pod, stage }: StagedPod): boolean {
  const count = (pod.spec.initContainers ?? []).length;
  return count === 0 || initIndexOf(stage, count) === count;
}

/** Reports whether no container of the Pod runs any more, or will again. */
function isOver({ name }: StagedPod["stage"]): boolean {
  return name === "ended" || name === "exited" || name === "failed";
}

function notReadyReason(pod: Pod, stage: StagedPod["stage"]): { reason: string; message?: string } {
  if (stage.name === "failed") return { reason: "PodFailed" };
  if (stage.name === "ended" || stage.name === "exited")
    return { reason: stage.exit.exitCode === 0 ? "PodCompleted" : "PodFailed" };
  const names = (pod.spec.containers ?? []).map((container) => container.name).join(" ");
  return { reason: "ContainersNotReady", message: `containers with unready status: [${names}]` };
}

/** Returns a sentence about the first readiness gate that is not true. */
function closedGate(pod: Pod): string | undefined {
  const closed = pod.spec.readinessGates?.find(
    (gate) => !isConditionTrue(pod.status?.conditions, gate.conditionType),
  );
  if (closed === undefined) return undefined;
  const known = findCondition(pod.status?.conditions, closed.conditionType) !== undefined;
  return known
    ? `the status of pod readiness gate "${closed.conditionType}" is not "True", but False`
    : `corresponding condition of pod readiness gate "${closed.conditionType}" does not exist.`;
}
