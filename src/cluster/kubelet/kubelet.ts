import type { Namespace, Node, PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../api/object.ts";
import { isReady, isTerminal } from "../../api/pod-state.ts";
import type { Client } from "../../machinery/client/client.ts";
import { type Clock, elapsedMs } from "../../machinery/clock/clock.ts";
import { type ControllerSpec, done, type KeyQueue, watching } from "../../machinery/controller.ts";
import {
  type EventDraft,
  type EventRecorder,
  OncePerGeneration,
} from "../../machinery/events/event-draft.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { isClaimBound } from "../../decisions/volumes/plan-claim.ts";
import { indexByClaim, podsWithClaim } from "../housekeeping/volumes/volume-indexes.ts";
import { hasNewEphemeralContainers } from "./status/container-status.ts";
import { nextStepAt } from "./lifecycle/active-deadline.ts";
import { stepPod } from "./lifecycle/lifecycle.ts";
import { isMarkedUnscheduled } from "./status/pod-conditions.ts";
import type { PodStage, StepInput } from "./lifecycle/pod-stage.ts";
import { latest, PodTracker } from "./pod-tracker.ts";
import { behaviourOf } from "./behaviour/behaviour-of.ts";
import { isUnreachable } from "./behaviour/node-behaviour.ts";
import { indexByNode, podsOnNode } from "./pods-by-node.ts";
import { reportStage } from "./report-stage.ts";
import { failedMountEvent, unboundVolumeOf } from "./unbound-volumes.ts";
import { isNodeReady, isSimulated } from "./nodes/simulated-node.ts";
import { invalidSimulationEvents, stageEvents } from "./status/stage-events.ts";

export interface KubeletDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly namespaces: Informer<Namespace>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly events: EventRecorder;
}

/** One kubelet simulates the Pods of all simulated nodes: step their lifecycle, report their status. */
export function kubeletController(deps: KubeletDependencies): ControllerSpec {
  const { client, clock, events, namespaces } = deps;
  const tracker = new PodTracker();
  indexByNode(deps.pods);
  indexByClaim(deps.pods);
  const saidToWait = new OncePerGeneration();
  const waitsForVolumes = (pod: Pod): boolean => {
    const unbound = unboundVolumeOf(pod, deps.claims);
    if (unbound !== undefined && saidToWait.isFirst(pod)) events.record(failedMountEvent(pod, unbound));
    return unbound !== undefined;
  };
  const hasNothingToDo = (pod: Pod, stage: PodStage | undefined): boolean =>
    hasEndedByItself(pod) || (stage === undefined && waitsForVolumes(pod));
  return {
    name: "kubelet",
    workers: 64,
    watches: [
      // A Pod may be observed before its node, and before the label of its node.
      watching(deps.nodes, (queue) => {
        const enqueuePods = ({ metadata }: Node) => {
          for (const pod of podsOnNode(deps.pods, metadata.name)) queue.add(keyOf(pod));
        };
        return {
          added: enqueuePods,
          updated: (old, node) => {
            if (concernsPods(old, node)) enqueuePods(node);
          },
        };
      }),
      watching(deps.pods, (queue) => ({
        added: (pod) => enqueueAssigned(queue, pod),
        updated: (_old, pod) => enqueueAssigned(queue, pod),
        deleted: (pod) => {
          tracker.forget(pod);
          saidToWait.forget(keyOf(pod));
        },
      })),
      watching(deps.claims, (queue) => {
        const enqueuePods = (claim: PersistentVolumeClaim) => {
          for (const pod of podsWithClaim(deps.pods, keyOf(claim))) enqueueAssigned(queue, pod);
        };
        return {
          added: enqueuePods,
          updated: (old, claim) => {
            if (isClaimBound(old) !== isClaimBound(claim)) enqueuePods(claim);
          },
        };
      }),
      deps.namespaces,
    ],

    async reconcile(key) {
      const placed = findPlaced(key, deps);
      if (placed === undefined) return done;
      const { node } = placed;
      const tracked = tracker.track(placed.pod, node);
      const pod = latest(placed.pod, tracked.reported);
      if (hasNothingToDo(pod, tracked.stage)) return done;

      const { behaviour, problems } = behaviourOf(pod, node, { namespaces, identity: tracked.identity });
      const input = { pod, behaviour, ...instant(clock) };
      const { stage, drafts } = advance(tracked.stage, input);
      if (stage !== tracked.stage || needsReport(pod, stage, node)) {
        // An address in the status takes precedence: the kubelet may have assigned it before it was restarted.
        const podIP = pod.status?.podIP ?? tracked.podIP;
        const reported = await reportStage({ pod, stage, behaviour, node, podIP }, client, clock.now());
        // Tracked only after the report: a failed one is retried from the stage before.
        tracker.update(pod, stage, reported);
        if (tracked.stage === undefined) drafts.unshift(...invalidSimulationEvents(pod, problems));
        for (const draft of drafts) events.record(draft);
      }
      const at = nextStepAt(stage, input);
      return at === undefined ? done : { requeueAfterMs: at - elapsedMs(clock) };
    },
  };
}

const instant = (clock: Clock) => ({ now: elapsedMs(clock), wallNow: clock.now() });

/**
 * Reports whether a change of a node matters to its Pods: a change of its settings, of its readiness, or of whether it
 * is simulated.
 */
function concernsPods(old: Node, node: Node): boolean {
  return (
    old.metadata.labels !== node.metadata.labels ||
    old.metadata.annotations !== node.metadata.annotations ||
    isNodeReady(old) !== isNodeReady(node)
  );
}

function enqueueAssigned(queue: KeyQueue, pod: Pod): void {
  if (pod.spec.nodeName !== undefined) queue.add(keyOf(pod));
}

/** Returns the Pod and its node, if the node is simulated and can be reached. */
function findPlaced(key: string, { pods, nodes }: KubeletDependencies): { pod: Pod; node: Node } | undefined {
  const pod = pods.get(key);
  const node = nodes.get(pod?.spec.nodeName ?? "");
  if (pod === undefined || node === undefined || !isSimulated(node) || isUnreachable(node)) return undefined;
  return { pod, node };
}

/** Steps until the stage no longer changes at this instant, so that an instant is reported as one status. */
function advance(from: PodStage | undefined, input: StepInput) {
  const drafts: EventDraft[] = [];
  let previous = from;
  let stage = stepPod(from, input);
  while (stage !== previous) {
    drafts.push(...stageEvents(stage, previous, input.pod));
    previous = stage;
    stage = stepPod(stage, input);
  }
  return { stage, drafts };
}

function hasEndedByItself(pod: Pod): boolean {
  return isTerminal(pod) && !isBeingDeleted(pod);
}

/** Whether the status of a Pod has to be reported though its stage is the same. */
function needsReport(pod: Pod, stage: PodStage, node: Node): boolean {
  const isChanged = hasNewGeneration(pod) || isMarkedUnscheduled(pod) || hasNewEphemeralContainers(pod);
  if (isChanged || hasReadinessGates(pod)) return true;
  if (pod.status?.phase === "Pending" && hasBegun(stage)) return true;
  // The node lifecycle controller marks the Pods of a node that is not ready.
  return stage.name === "ready" && !isReady(pod) && isNodeReady(node);
}

/**
 * Reports whether a Pod in this stage cannot be Pending. If it is, a report of an earlier kubelet process, or of a
 * request that seemed to have failed, has arrived late.
 */
function hasBegun({ name }: PodStage): boolean {
  return ["running", "ready", "crash-back-off", "exited", "failed"].includes(name);
}

/**
 * Reports whether the Pod has readiness gates. Other components set them, so readiness is computed whenever the Pod
 * changes.
 */
function hasReadinessGates(pod: Pod): boolean {
  return (pod.spec.readinessGates ?? []).length > 0;
}

/** Reports whether the spec changed, or the deletion began, since the kubelet last reported. */
function hasNewGeneration({ metadata, status }: Pod): boolean {
  return status?.observedGeneration !== metadata.generation;
}
