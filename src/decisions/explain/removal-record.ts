import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { formatMicroTime } from "../../api/time.ts";
import type { Choice } from "../downscale/choose-victims.ts";
import type { Facts } from "../downscale/facts.ts";
import type { DecidedPod, Reason } from "../downscale/reason.ts";
import { applicable, type Key, removalOrder, type Rule } from "../downscale/rules.ts";
import type { ProtectedPod } from "../downscale/protection.ts";
import { protectionReason } from "./protection-text.ts";
import { removalReason, survivalReason } from "./removal-reason.ts";
import { type SpreadCounts, spreadCounts } from "./spread-counts.ts";

/** A removal decision as plain JSON, without references to the objects it is about. */
export interface RemovalRecord {
  readonly time: string;
  readonly workload: RecordedWorkload;
  /** How many Pods are removed, of how many. */
  readonly removing: number;
  readonly of: number;
  readonly gates: FeatureGates;
  /** The rules that applied, from the top; a candidate's keys are in this order. Empty when all Pods were removed. */
  readonly rules: readonly RuleRecord[];
  /** The domains of the constraints, where the Pods were looked at by domain. */
  readonly spread?: SpreadCounts;
  /** The outcome of the call to the picker, if one was called. */
  readonly picker?: JsonObject;
  /**
   * The Pods to remove in the order of their removal, then those that stay, the next candidate first, then those that are
   * protected, which were not compared.
   */
  readonly candidates: readonly CandidateRecord[];
  /** How many more Pods stay, if they are too many to be listed. */
  readonly leftOut?: number;
}

/** A rule by its name; those of one name differ by what they count. */
export interface RuleRecord extends Pick<Rule, "name" | "unit"> {
  readonly topologyKey?: string;
}

/** The owner of the Pods. */
export interface RecordedWorkload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface CandidateRecord {
  readonly pod: string;
  readonly uid: string;
  readonly node?: string;
  readonly verdict: "goes" | "stays" | "protected";
  /** The key each rule compared; `null` for a time that is not known. */
  readonly keys: readonly (Key | null)[];
  readonly because?: ReasonRecord;
  /** The deciding rule with its values, as a sentence. */
  readonly reason: string;
}

/** The rule that separated a candidate from one with the other verdict. */
export interface ReasonRecord {
  readonly rule: string;
  readonly value: Key | null;
  readonly against: { readonly pod: string; readonly value: Key | null };
}

/** The choice of the Pods a workload removes, and what it was made from. */
export interface RemovalDecision {
  readonly workload: RecordedWorkload;
  readonly choice: Choice;
  readonly facts: Facts;
  readonly picker?: JsonObject;
}

/** Limits the Pods that stay in a record: encoding tens of thousands would take too long. */
const longestList = 500;

/** How removals are recorded; a record weighs as much as it has candidates. */
export const removalEncoder = {
  limits: { perObject: 20, weight: 50_000 },
  subject: ({ workload }: RemovalDecision): RecordedWorkload => workload,
  weight: ({ choice }: RemovalDecision): number =>
    choice.victims.length +
    Math.min(choice.survivors.length, longestList) +
    Math.min(choice.protected?.length ?? 0, longestList),
  toRecord: toRemovalRecord,
};

/** The record of a removal decision. */
export function toRemovalRecord({ workload, choice, facts, picker }: RemovalDecision): RemovalRecord {
  const { victims, survivors, protected: kept = [] } = choice;
  const rules = survivors.length === 0 ? [] : applicable(removalOrder, facts);
  const listed = survivors.slice(0, longestList);
  const listedKept = kept.slice(0, longestList);
  const leftOut = survivors.length - listed.length + kept.length - listedKept.length;
  const keysOf = (pod: Pod) => {
    const levels = choice.levels?.(pod) ?? [];
    return rules.map(({ topology, key }) =>
      topology === undefined ? writable(key(pod, facts)) : (levels[topology.constraint] ?? null),
    );
  };
  return {
    time: formatMicroTime(facts.now),
    workload,
    removing: victims.length,
    of: victims.length + survivors.length + kept.length,
    gates: facts.gates,
    rules: rules.map(ruleRecord),
    ...(facts.spread === undefined || survivors.length === 0
      ? {}
      : { spread: spreadCounts(choice, facts.spread) }),
    ...(picker === undefined ? {} : { picker }),
    candidates: [
      ...victims.map((judged) => candidate("goes", judged, keysOf)),
      ...listed.map((judged) => candidate("stays", judged, keysOf)),
      ...listedKept.map(protectedCandidate),
    ],
    ...(leftOut > 0 ? { leftOut } : {}),
  };
}

function ruleRecord({ name, unit, topology }: Rule): RuleRecord {
  return {
    name,
    ...(unit === undefined ? {} : { unit }),
    ...(topology === undefined ? {} : { topologyKey: topology.key }),
  };
}

function candidate(
  verdict: "goes" | "stays",
  judged: DecidedPod,
  keysOf: (pod: Pod) => CandidateRecord["keys"],
): CandidateRecord {
  const { pod, because } = judged;
  const reason = verdict === "goes" ? removalReason(judged) : survivalReason(judged);
  return recordOf(pod, {
    verdict,
    keys: keysOf(pod),
    because: because === undefined ? undefined : toReasonRecord(because),
    reason,
  });
}

function protectedCandidate({ pod, because }: ProtectedPod): CandidateRecord {
  return recordOf(pod, {
    verdict: "protected",
    keys: [],
    because: undefined,
    reason: protectionReason(because),
  });
}

/**
 * The members in their order. No spread comes first: in Node 20 every object that is made so has a hidden class of its own, which is
 * larger than the object, and a cluster keeps fifty thousand of them.
 */
function recordOf(
  { metadata, spec: { nodeName } }: Pod,
  { verdict, keys, because, reason }: Judged,
): CandidateRecord {
  return {
    pod: metadata.name,
    uid: metadata.uid,
    ...(nodeName === undefined ? {} : { node: nodeName }),
    verdict,
    keys,
    ...(because === undefined ? {} : { because }),
    reason,
  };
}

interface Judged extends Pick<CandidateRecord, "verdict" | "keys" | "reason"> {
  readonly because: ReasonRecord | undefined;
}

/** A reason as plain JSON. */
export function toReasonRecord({ rule, value, against }: Reason): ReasonRecord {
  const { pod, value: other } = against;
  return { rule, value: writable(value), against: { pod: pod.metadata.name, value: writable(other) } };
}

/** An unknown time compares as infinity, which JSON does not have. */
function writable(key: Key): Key | null {
  return typeof key === "number" && !Number.isFinite(key) ? null : key;
}
