import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { isTerminal } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { type ControllerSpec, done, type KeyQueue, watching } from "../../machinery/controller.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { type PodStage, step, wakeAt } from "./lifecycle.ts";
import { isMarkedUnscheduled } from "./pod-conditions.ts";
import { latest, PodTracker } from "./pod-tracker.ts";
import { readPodBehaviour } from "./pod-behaviour.ts";
import { reportStage } from "./report-stage.ts";
import { isSimulated } from "./simulated-node.ts";
import { invalidSimulationEvent, stageEvents } from "./stage-events.ts";

export interface KubeletDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly events: EventRecorder;
}

const byNode = "node-of-kubelet";

/** One kubelet plays the Pods of all simulated nodes: gather what is known, step, report. */
export function kubeletController(deps: KubeletDependencies): ControllerSpec {
  const { client, clock, events } = deps;
  const memories = new PodTracker();
  deps.pods.addIndex(byNode, ({ spec }) => (spec.nodeName === undefined ? [] : [spec.nodeName]));
  return {
    name: "kubelet",
    workers: 64,
    watches: [
      // A Pod may be seen before the node it is on.
      watching(deps.nodes, (queue) => ({
        added: ({ metadata }) => {
          for (const pod of deps.pods.byIndex(byNode, metadata.name)) queue.add(keyOf(pod));
        },
      })),
      watching(deps.pods, (queue) => ({
        added: (pod) => enqueueAssigned(queue, pod),
        updated: (_old, pod) => enqueueAssigned(queue, pod),
        deleted: (pod) => memories.forget(pod),
      })),
    ],

    async reconcile(key) {
      const placed = findPlaced(key, deps);
      if (placed === undefined) return done;
      const { node } = placed;
      const memory = memories.track(placed.pod, node);
      const pod = latest(placed.pod, memory.reported);
      if (hasEndedByItself(pod)) return done;

      const { stage, notes } = advance(memory.stage, pod, clock.now());
      if (stage !== memory.stage || hasReadinessGates(pod) || isMarkedUnscheduled(pod)) {
        // Remembered only when it has been reported: a failed report is tried again from the stage before.
        const podIP = pod.status?.podIP ?? memory.podIP; // the Pod's word counts: another life of ours may have given it
        const reported = await reportStage({ pod, stage, node, podIP }, client, clock.now());
        memories.update(pod, { ...memory, stage, reported });
        for (const note of notes) events.record(note);
      }
      const at = wakeAt(stage);
      return at === undefined ? done : { requeueAt: at };
    },
  };
}

function enqueueAssigned(queue: KeyQueue, pod: Pod): void {
  if (pod.spec.nodeName !== undefined) queue.add(keyOf(pod));
}

/** The Pod and its node, if the node is one of ours. */
function findPlaced(key: string, { pods, nodes }: KubeletDependencies): { pod: Pod; node: Node } | undefined {
  const pod = pods.get(key);
  const node = nodes.get(pod?.spec.nodeName ?? "");
  return pod !== undefined && node !== undefined && isSimulated(node) ? { pod, node } : undefined;
}

/** Steps until nothing moves at this instant; what happens in one instant is reported as one status. */
function advance(from: PodStage | undefined, pod: Pod, now: Instant) {
  const { behaviour, problems } = readPodBehaviour(pod);
  const notes = from === undefined ? problems.map((problem) => invalidSimulationEvent(pod, problem)) : [];
  let previous = from;
  let stage = step(from, { pod, behaviour, now });
  while (stage !== previous) {
    notes.push(...stageEvents(stage, pod));
    previous = stage;
    stage = step(stage, { pod, behaviour, now });
  }
  return { stage, notes };
}

function hasEndedByItself(pod: Pod): boolean {
  return isTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Readiness gates are opened by others, so readiness has to be looked at whenever the Pod changes. */
function hasReadinessGates(pod: Pod): boolean {
  return (pod.spec.readinessGates ?? []).length > 0;
}
