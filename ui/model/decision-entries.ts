import type { Event, Pod } from "../../src/api/generated/core-v1.ts";
import { parseTime } from "../../src/api/time.ts";
import type { PlacementRecord } from "../../src/decisions/explain/placement-record.ts";
import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import type { RolloutRecord } from "../../src/decisions/explain/rollout-record.ts";
import type { SetDeletionRecord } from "../../src/decisions/explain/set-deletion-record.ts";
import { eventTime } from "./event-lines.ts";
import { disruptionOf } from "./pod-end.ts";
import type { DecisionRecords } from "../live/page-requests.ts";
import { type RolloutSteps, rolloutSteps } from "./rollout-steps.ts";

/** A decision of the cluster, as the list shows it. */
export type DecisionEntry = EntryBase &
  /** Without a record of candidates where a StatefulSet or DaemonSet removed it. */
  (
    | { readonly kind: "removal"; readonly record?: RemovalRecord }
    | {
        readonly kind: "rollout";
        readonly record: RolloutRecord;
        readonly steps: readonly RolloutEntryStep[];
      }
    | { readonly kind: "placement"; readonly record: PlacementRecord }
    | { readonly kind: "disruption" | "autoscaling" }
  );

/** What one pass of a rollout did or waited for. */
export interface RolloutEntryStep {
  readonly time: string;
  readonly sentence: string;
}

interface EntryBase {
  readonly id: string;
  readonly time: string;
  /** What was decided about: a workload, or the Pod of a placement. */
  readonly about: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly sentence: string;
}

export const decisionKinds = ["removal", "disruption", "rollout", "placement", "autoscaling"] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** What decided about Pods besides the records: disruptions, as Pods say, and steps of autoscalers, as Events say. */
export interface SeenDecisions {
  readonly disrupted: readonly Pod[];
  readonly rescaled: readonly Event[];
}

const nothingSeen: SeenDecisions = { disrupted: [], rescaled: [] };

/** All records in one list, the newest first; a rollout is one entry, whatever it took. */
export function decisionEntries(
  { removals, rollouts, placements, deletions = [] }: DecisionRecords,
  { disrupted, rescaled }: SeenDecisions = nothingSeen,
): readonly DecisionEntry[] {
  const entries: DecisionEntry[] = [
    ...removals.map((record) => ({
      ...entryBase("removal", record.workload, record.time),
      kind: "removal" as const,
      sentence: removalSentence(record),
      record,
    })),
    ...deletions.map((record) => deletionEntry(record)),
    ...disrupted.flatMap((pod) => disruptionEntry(pod) ?? []),
    ...rescaled.map(rescaleEntry),
    ...rolloutSteps(newestFirst(rollouts, ({ time }) => time)).map(rolloutEntry),
    ...placements.map((record) => ({
      ...entryBase("placement", { kind: "Pod", ...record.pod }, record.at),
      kind: "placement" as const,
      sentence: record.summary,
      record,
    })),
  ];
  return newestFirst(entries, ({ time }) => time);
}

function newestFirst<T>(all: readonly T[], timeOf: (one: T) => string): readonly T[] {
  return all.toSorted((a, b) => (parseTime(timeOf(b)) ?? 0) - (parseTime(timeOf(a)) ?? 0));
}

/** A Pod that a StatefulSet or DaemonSet deleted: there are no candidates, since its ordinal or node decides. */
function deletionEntry({ workload, time, pod, uid, reason, rule }: SetDeletionRecord): DecisionEntry {
  const base = entryBase("removal", workload, time);
  return {
    ...base,
    id: `${base.id}/${uid}`,
    kind: "removal",
    sentence: `removes ${pod}: ${reason} (${rule})`,
  };
}

function disruptionEntry(pod: Pod): DecisionEntry | undefined {
  const disruption = disruptionOf(pod);
  if (disruption === undefined) return undefined;
  const { namespace = "", name, uid } = pod.metadata;
  const about = { kind: "Pod", namespace, name, uid };
  const { by, sentence, time = "" } = disruption;
  return {
    ...entryBase("disruption", about, time),
    kind: "disruption",
    sentence: `ended by ${by}: ${sentence}`,
  };
}

function rescaleEntry(event: Event): DecisionEntry {
  const { kind = "", namespace = "", name = "" } = event.involvedObject;
  const about = { kind, namespace, name, uid: event.metadata.uid };
  const { message = "" } = event;
  return { ...entryBase("autoscaling", about, eventTime(event)), kind: "autoscaling", sentence: message };
}

/** Its name is that of its first pass: an entry that is open stays open while the rollout goes on. */
function rolloutEntry(passes: RolloutSteps): DecisionEntry {
  const [record] = passes;
  const first = passes.at(-1) ?? record;
  return {
    ...entryBase("rollout", record.workload, record.time),
    id: entryBase("rollout", first.workload, first.time).id,
    kind: "rollout",
    sentence: rolloutSentence(record),
    record,
    steps: passes.map((pass) => ({ time: pass.time, sentence: rolloutSentence(pass) })),
  };
}

function entryBase(
  kind: DecisionKind,
  about: EntryBase["about"] & { readonly uid: string },
  time: string,
): Omit<EntryBase, "sentence"> {
  return { id: `${kind}/${about.uid}/${time}`, time, about };
}

/** Which decisions are listed; an empty text stands for all. */
export interface DecisionFilter {
  readonly kind: DecisionKind | "";
  /** Namespace and name of a workload. */
  readonly of: string;
  readonly search: string;
}

/** The workloads that were decided about, by namespace and name. */
export function decidedWorkloads(entries: readonly DecisionEntry[]): readonly string[] {
  const isOfWorkload = ({ kind }: DecisionEntry) => kind === "removal" || kind === "rollout";
  const named = entries.filter(isOfWorkload).map(({ about }) => nameOf(about));
  return [...new Set(named)].toSorted((a, b) => (a < b ? -1 : 1));
}

const nameOf = ({ namespace, name }: EntryBase["about"]) => `${namespace}/${name}`;

/** The entries that a filter lets through: of its kind and workload, with all words of its search. */
export function searchEntries(
  entries: readonly DecisionEntry[],
  { kind, of, search }: DecisionFilter,
): readonly DecisionEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = entries.filter(
    (entry) => isOfKind(entry, kind) && (of === "" || nameOf(entry.about) === of),
  );
  if (words.length === 0) return chosen;
  return chosen.filter((entry) => {
    const text = searchedText(entry).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Disruptions end Pods, and are listed with the removals. */
function isOfKind(entry: DecisionEntry, kind: DecisionFilter["kind"]): boolean {
  return kind === "" || entry.kind === kind || (kind === "removal" && entry.kind === "disruption");
}

function searchedText(entry: DecisionEntry): string {
  const { kind, about, sentence } = entry;
  const more = moreText(entry);
  return [kind, about.kind, `${about.namespace}/${about.name}`, sentence, more].join(" ");
}

function moreText(entry: DecisionEntry): string {
  if (entry.kind === "removal") return entry.record === undefined ? "" : candidatesText(entry.record);
  return entry.kind === "rollout" ? entry.steps.map(({ sentence }) => sentence).join(" ") : "";
}

function candidatesText({ candidates }: RemovalRecord): string {
  return candidates.map(({ pod, reason }) => `${pod} ${reason}`).join(" ");
}

function removalSentence({ removing, of, candidates }: RemovalRecord): string {
  const [first] = candidates;
  const which = removing === 1 ? (first?.pod ?? "") : `${removing} of ${of} Pods, ${first?.pod ?? ""} first`;
  return `removes ${which}: ${first?.reason ?? ""}`;
}

/** The actions that readers look for; every pass may write the status besides. */
const deeds: ReadonlyMap<string, string> = new Map([
  ["create-replica-set", "creates a ReplicaSet"],
  ["update-replica-set", "resizes or annotates ReplicaSets"],
  ["delete-replica-set", "deletes old ReplicaSets"],
  ["update-deployment", "updates the Deployment"],
]);

function rolloutSentence({ pass, actions, revisions }: RolloutRecord): string {
  const did = [...new Set(actions.flatMap((action) => deeds.get(action) ?? []))];
  const limits = revisions
    .filter(({ limit }) => limit.kind !== "none")
    .map(({ replicaSet = "the new revision", reason }) => `${replicaSet} ${reason}`);
  const said = [...did, ...limits].join("; ");
  return said === "" ? `${pass}: no change` : said;
}
