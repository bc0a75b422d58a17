import { shareIn } from "../../api/documents/share-schema.ts";
import type { Instant } from "../../api/time.ts";
import { durationSetting } from "../../cluster/kubelet/behaviour/setting-values.ts";
import type { Random } from "../../machinery/random/random.ts";
import {
  type FailureClass,
  permanentFailure,
  type PickerFailure,
  transientFailure,
} from "../../picker/picker-failure.ts";
import { protectingPicker, scoringPicker, type SimulatedPicker } from "../../picker/simulated-picker.ts";
import type { PickPodsRequest } from "../../picker/transport/transport.ts";
import type { ScenarioPickerDocument } from "../scenario-files/scenario-document.ts";
import { millisecondsOf } from "../scenario-files/scenario-times.ts";
import type { BusyPods } from "../tracking/busy-pods.ts";
import type { ClusterTracker } from "../tracking/cluster-tracker.ts";

/** What pickers know. */
export interface PickerKnowledge {
  readonly tracker: () => ClusterTracker | undefined;
  readonly busy: BusyPods;
  readonly random: Random;
  /** When the scenario began. */
  readonly start: () => Instant;
}

/** The pickers of a scenario, by host. */
export function scenarioPickers(
  pickers: readonly ScenarioPickerDocument[],
  knowledge: PickerKnowledge,
): ReadonlyMap<string, SimulatedPicker> {
  return new Map(pickers.map((picker) => [picker.host, simulatedPicker(picker, knowledge)]));
}

function simulatedPicker(picker: ScenarioPickerDocument, knowledge: PickerKnowledge): SimulatedPicker {
  const random = knowledge.random.fork(picker.host);
  const draw = () => random.next();
  const answer = answerOf(picker.answer, knowledge);
  return {
    latencyMs: () => {
      const read = durationSetting(picker.delay ?? "0", draw);
      return "value" in read ? read.value : 0;
    },
    pick: (question, now) => failureOf(picker, now - knowledge.start(), draw) ?? answer.pick(question, now),
  };
}

function failureOf(
  { outages = [], failureRate, failure }: ScenarioPickerDocument,
  at: number,
  draw: () => number,
): PickerFailure | undefined {
  const outage = outages.find(
    ({ from, until }) => at >= millisecondsOf(from) && (until === undefined || at < millisecondsOf(until)),
  );
  if (outage !== undefined) return failed(outage.failure);
  return failureRate !== undefined && draw() < shareIn(failureRate) ? failed(failure) : undefined;
}

const transientClasses: ReadonlySet<FailureClass> = new Set(["ConnectionFailed", "Refused"]);

function failed(failure: FailureClass = "ConnectionFailed"): PickerFailure {
  return transientClasses.has(failure) ? transientFailure(failure) : permanentFailure(failure);
}

function answerOf(answer: ScenarioPickerDocument["answer"], knowledge: PickerKnowledge): SimulatedPicker {
  switch (answer) {
    case "least-busy":
      return scoringPicker((name, now) => tasksOf(name, now, knowledge));
    case "protect-busy":
      return protectingPicker((name, now) => tasksOf(name, now, knowledge));
    case "even-zones":
      return { pick: (question, now) => pickFromFullestZones(question, now, knowledge) };
    case "nothing":
      return { pick: () => ({}) };
    default: {
      const { chosenPods = [], tiedPods = [], protectedPods = [] } = answer;
      return {
        pick: () => ({ chosen_pods: chosenPods, tied_pods: tiedPods, protected_pods: protectedPods }),
      };
    }
  }
}

function tasksOf(name: string, now: Instant, knowledge: PickerKnowledge): number {
  const pod = knowledge.tracker()?.podNamed(name);
  return pod === undefined ? 0 : (knowledge.busy.workOf(pod, now)?.tasks ?? 0);
}

/** Takes Pods one by one from the zone that has most of the rest; in a zone the least busy first. */
function pickFromFullestZones(
  { requested, candidates }: PickPodsRequest,
  now: Instant,
  knowledge: PickerKnowledge,
): unknown {
  const tracker = knowledge.tracker();
  const zones = new Map<string, { readonly name: string; readonly tasks: number }[]>();
  for (const name of candidates) {
    const zone = tracker?.zoneOf(tracker.podNamed(name)?.spec.nodeName) ?? "";
    const list = zones.get(zone) ?? [];
    zones.set(zone, list);
    list.push({ name, tasks: tasksOf(name, now, knowledge) });
  }
  for (const list of zones.values()) list.sort((a, b) => a.tasks - b.tasks);
  const chosen: string[] = [];
  while (chosen.length < requested) {
    const [fullest] = [...zones.values()].toSorted((a, b) => b.length - a.length);
    const next = fullest?.shift();
    if (next === undefined) break;
    chosen.push(next.name);
  }
  return { chosen_pods: chosen };
}
