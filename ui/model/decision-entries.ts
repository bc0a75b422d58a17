import { parseTime } from "../../src/api/time.ts";
import type { PlacementRecord } from "../../src/decisions/explain/placement-record.ts";
import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import type { RolloutRecord } from "../../src/decisions/explain/rollout-record.ts";
import type { DecisionRecords } from "../live/page-requests.ts";

/** A decision of the cluster, as the list shows it. */
export type DecisionEntry = EntryBase &
  (
    | { readonly kind: "removal"; readonly record: RemovalRecord }
    | { readonly kind: "rollout"; readonly record: RolloutRecord }
    | { readonly kind: "placement"; readonly record: PlacementRecord }
  );

interface EntryBase {
  readonly id: string;
  readonly time: string;
  /** What was decided about: a workload, or the Pod of a placement. */
  readonly about: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly sentence: string;
}

export const decisionKinds = ["removal", "rollout", "placement"] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** All records in one list, the newest first. */
export function decisionEntries({
  removals,
  rollouts,
  placements,
}: DecisionRecords): readonly DecisionEntry[] {
  const entries: DecisionEntry[] = [
    ...removals.map((record) => ({
      ...entryBase("removal", record.workload, record.time),
      kind: "removal" as const,
      sentence: removalSentence(record),
      record,
    })),
    ...rollouts.map((record) => ({
      ...entryBase("rollout", record.workload, record.time),
      kind: "rollout" as const,
      sentence: rolloutSentence(record),
      record,
    })),
    ...placements.map((record) => ({
      ...entryBase("placement", { kind: "Pod", ...record.pod }, record.at),
      kind: "placement" as const,
      sentence: record.summary,
      record,
    })),
  ];
  return entries.toSorted((a, b) => (parseTime(b.time) ?? 0) - (parseTime(a.time) ?? 0));
}

function entryBase(
  kind: DecisionKind,
  about: EntryBase["about"] & { readonly uid: string },
  time: string,
): Omit<EntryBase, "sentence"> {
  return { id: `${kind}/${about.uid}/${time}`, time, about };
}

/** The entries of a kind, or of all, that contain all words of a search. */
export function searchEntries(
  entries: readonly DecisionEntry[],
  search: string,
  kind: DecisionKind | "" = "",
): readonly DecisionEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const ofKind = kind === "" ? entries : entries.filter((entry) => entry.kind === kind);
  if (words.length === 0) return ofKind;
  return ofKind.filter((entry) => {
    const text = searchedText(entry).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function searchedText(entry: DecisionEntry): string {
  const { kind, about, sentence } = entry;
  const more = entry.kind === "removal" ? candidatesText(entry.record) : "";
  return [kind, about.kind, `${about.namespace}/${about.name}`, sentence, more].join(" ");
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
