import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import type { RolloutRecord } from "../../src/decisions/explain/rollout-record.ts";
import type { DecisionRecords } from "../live/page-requests.ts";

/** A decision of the cluster, as the list shows it. */
export interface DecisionEntry {
  readonly id: string;
  readonly time: string;
  readonly kind: "removal" | "rollout";
  readonly workload: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly sentence: string;
  readonly record: RemovalRecord | RolloutRecord;
}

/** All records in one list, the newest first. */
export function decisionEntries({ removals, rollouts }: DecisionRecords): readonly DecisionEntry[] {
  const entries = [
    ...removals.map((record) => entry("removal", record, removalSentence(record))),
    ...rollouts.map((record) => entry("rollout", record, rolloutSentence(record))),
  ];
  return entries.toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
}

/** The entries that contain all words of a search. */
export function searchEntries(entries: readonly DecisionEntry[], search: string): readonly DecisionEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries.filter(({ kind, workload, sentence, record }) => {
    const pods = "candidates" in record ? record.candidates.map(({ pod, reason }) => `${pod} ${reason}`) : [];
    const text = [kind, workload.kind, workload.namespace, workload.name, sentence, ...pods]
      .join(" ")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function entry<R extends RemovalRecord | RolloutRecord>(
  kind: DecisionEntry["kind"],
  record: R,
  sentence: string,
) {
  const { time, workload } = record;
  return { id: `${kind}/${workload.uid}/${time}`, time, kind, workload, sentence, record };
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
