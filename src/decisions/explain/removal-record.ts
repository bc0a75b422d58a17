import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { formatMicroTime } from "../../api/time.ts";
import type { Choice } from "../downscale/choose-victims.ts";
import type { Facts } from "../downscale/facts.ts";
import type { DecidedPod, Reason } from "../downscale/reason.ts";
import { applicable, type Key, removalOrder, type Rule } from "../downscale/rules.ts";
import { removalReason, survivalReason } from "./removal-reason.ts";

/** A removal decision as it is kept and shown: plain JSON that holds on to none of the objects it is about. */
export interface RemovalRecord {
  readonly time: string;
  readonly workload: Workload;
  /** How many Pods go, of how many. */
  readonly removing: number;
  readonly of: number;
  readonly gates: FeatureGates;
  /** The rules that had a say, from the top; a candidate's keys are in this order. Empty when all Pods went. */
  readonly rules: readonly Pick<Rule, "name" | "unit">[];
  /** What came of asking a picker, if one was. */
  readonly picker?: JsonObject;
  /** Those that go in the order they go, then those that stay, the next in line first. */
  readonly candidates: readonly CandidateRecord[];
}

/** Whose Pods it was about. */
export interface Workload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface CandidateRecord {
  readonly pod: string;
  readonly uid: string;
  readonly node?: string;
  readonly verdict: "goes" | "stays";
  /** What each rule saw in it; `null` for a time that is not known. */
  readonly keys: readonly (Key | null)[];
  readonly because?: ReasonRecord;
  /** The same for a person. */
  readonly reason: string;
}

/** The rule that told a candidate from another one across the cut. */
export interface ReasonRecord {
  readonly rule: string;
  readonly value: Key | null;
  readonly against: { readonly pod: string; readonly value: Key | null };
}

export interface RecordedRemoval {
  readonly workload: Workload;
  readonly choice: Choice;
  readonly facts: Facts;
  readonly picker?: JsonObject;
}

/** Puts a removal decision on record. */
export function toRemovalRecord({ workload, choice, facts, picker }: RecordedRemoval): RemovalRecord {
  const { victims, survivors } = choice;
  const rules = survivors.length === 0 ? [] : applicable(removalOrder, facts);
  const keysOf = (pod: Pod) => rules.map((rule) => writable(rule.key(pod, facts)));
  return {
    time: formatMicroTime(facts.now),
    workload,
    removing: victims.length,
    of: victims.length + survivors.length,
    gates: facts.gates,
    rules: rules.map(({ name, unit }) => (unit === undefined ? { name } : { name, unit })),
    ...(picker === undefined ? {} : { picker }),
    candidates: [
      ...victims.map((judged) => candidate("goes", judged, keysOf)),
      ...survivors.map((judged) => candidate("stays", judged, keysOf)),
    ],
  };
}

function candidate(
  verdict: CandidateRecord["verdict"],
  judged: DecidedPod,
  keysOf: (pod: Pod) => CandidateRecord["keys"],
): CandidateRecord {
  const { pod, because } = judged;
  const { name, uid } = pod.metadata;
  return {
    pod: name,
    uid,
    ...(pod.spec.nodeName === undefined ? {} : { node: pod.spec.nodeName }),
    verdict,
    keys: keysOf(pod),
    ...(because === undefined ? {} : { because: reasonRecord(because) }),
    reason: verdict === "goes" ? removalReason(judged) : survivalReason(judged),
  };
}

function reasonRecord({ rule, value, against }: Reason): ReasonRecord {
  const { pod, value: other } = against;
  return { rule, value: writable(value), against: { pod: pod.metadata.name, value: writable(other) } };
}

/** JSON has no infinity, which is how an unknown time compares. */
function writable(key: Key): Key | null {
  return typeof key === "number" && !Number.isFinite(key) ? null : key;
}
