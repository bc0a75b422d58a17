import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { isConditionTrue } from "../../api/conditions.ts";
import type { Node } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { qualifiedName } from "../../api/resource.ts";
import { nodes } from "../../api/resources.ts";
import type { Instant } from "../../api/time.ts";
import type { StoreEvent } from "../../cluster/store/store.ts";
import { ClusterTracker } from "../tracking/cluster-tracker.ts";
import { zoneLabel } from "../../api/well-known.ts";
import { type TalliedPodState, talliedPodStates } from "../tracking/pod-tally.ts";
import type { Entry, Recording } from "./recording.ts";

/** A workload at a moment. */
export interface WorkloadAt {
  readonly workload: string;
  readonly desired: number;
  readonly isComplete: boolean;
  readonly pods: Readonly<Record<TalliedPodState, number>>;
  /** Active Pods by zone. */
  readonly zones: Readonly<Record<string, number>>;
}

/** Something that was decided or done. */
export interface DecisionAt {
  readonly atSeconds: number;
  readonly by: string;
  readonly text: string;
}

/** A recorded cluster at a moment. */
export interface ClusterAt {
  readonly atSeconds: number;
  readonly nodes: number;
  readonly notReadyNodes: readonly string[];
  readonly workloads: readonly WorkloadAt[];
  readonly pods: readonly {
    readonly pod: string;
    readonly state: TalliedPodState;
    readonly node?: string;
    readonly zone?: string;
  }[];
  /** The last decisions, the youngest last. */
  readonly decisions: readonly DecisionAt[];
}

const shownDecisions = 10;

/** Returns the state of a recorded cluster at the end of an instant. */
export function clusterAt(recording: Recording, instant: Instant): ClusterAt {
  const { start } = recording;
  const tracker = new ClusterTracker({ now: () => instant, gates: () => defaultFeatureGates });
  const decisions: Entry[] = [];
  for (const entry of recording.entries) {
    if (entry.at > instant) break;
    if (entry.kind === "revision") tracker.observe(entry.collection, storeEventOf(entry));
    else if (sentenceIn(entry) !== undefined) decisions.push(entry);
  }
  const known = [
    ...(recording.stateAt(instant).get(qualifiedName(nodes))?.values() ?? []),
  ] as unknown as Node[];
  return {
    atSeconds: (instant - start) / 1000,
    nodes: known.length,
    notReadyNodes: known
      .filter(({ status }) => !isConditionTrue(status?.conditions, "Ready"))
      .map(({ metadata }) => metadata.name),
    workloads: workloadsIn(tracker),
    pods: podsIn(tracker),
    decisions: decisions.slice(-shownDecisions).map((entry) => decisionAt(entry, start)),
  };
}

/** The tracker reads the objects of an event only. */
function storeEventOf({
  type,
  key,
  revision,
  object,
  previous,
}: Extract<Entry, { kind: "revision" }>): StoreEvent {
  const record = { key, revision, object };
  return {
    type,
    record,
    ...(previous !== undefined && { previous: { object: previous } }),
  } as unknown as StoreEvent;
}

function workloadsIn(tracker: ClusterTracker): readonly WorkloadAt[] {
  return [...tracker.workloads]
    .map(([workload, tally]) => {
      const progress = tracker.progress(workload);
      const zones = tracker
        .domains(zoneLabel)
        .map((zone) => [zone, tally.inDomain(zoneLabel, zone)] as const);
      return {
        workload,
        desired: progress?.desired ?? 0,
        isComplete: progress?.isComplete ?? false,
        pods: { ...tally.counts },
        zones: Object.fromEntries(zones),
        exists: progress !== undefined || talliedPodStates.some((state) => tally.counts[state] > 0),
      };
    })
    .filter(({ exists }) => exists)
    .map(({ exists: _exists, ...workload }) => workload);
}

function podsIn(tracker: ClusterTracker): ClusterAt["pods"] {
  return [...tracker.pods()].flatMap(({ pod, share }) => {
    if (share === undefined) return [];
    const { nodeName: node } = pod.spec;
    const zone = tracker.zoneOf(node);
    return [
      {
        pod: keyOf(pod),
        state: share.state,
        ...(node !== undefined && { node }),
        ...(zone !== undefined && { zone }),
      },
    ];
  });
}

/** The sentence of an entry; decisions are also recorded without one, in brief. */
function sentenceIn(entry: Entry): string | undefined {
  if (entry.kind !== "decision") return undefined;
  const { because, event } = entry.what;
  return [because, event].find((each) => typeof each === "string");
}

function decisionAt(entry: Entry, start: Instant): DecisionAt {
  const atSeconds = (entry.at - start) / 1000;
  if (entry.kind !== "decision") return { atSeconds, by: entry.kind, text: "" };
  const { workload, pod } = entry.what;
  const subject = [workload, pod].filter((each) => typeof each === "string").map((each) => ` ${each}`);
  return { atSeconds, by: `${entry.by}${subject.join("")}`, text: sentenceIn(entry) ?? "" };
}
