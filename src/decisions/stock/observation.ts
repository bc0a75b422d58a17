import { isJsonObject, type Json } from "../../api/json.ts";
import { parseJson } from "../../api/parse-json.ts";

/** What one workload would have had from steering that the stock controllers did otherwise, or not; one line of a file. */
export type Observation =
  /** A scale-down, and who went beside who would have. */
  | {
      readonly kind: "removal";
      /** RFC 3339. */
      readonly at: string;
      /** `namespace/name` of its Deployment, or of the ReplicaSet. */
      readonly workload: string;
      readonly wouldRemove: readonly string[];
      readonly removed: readonly string[];
    }
  /** Growth beyond `replicas + maxSurge`, terminating Pods counted. */
  | {
      readonly kind: "growth";
      readonly at: string;
      readonly workload: string;
      readonly asked: number;
      readonly wouldAdmit: number;
    };

/** Where observations are kept. */
export interface ObservationSink {
  add(observation: Observation): void;
}

/** What was observed of one workload. */
export interface ObservedWorkload {
  readonly workload: string;
  readonly removals: number;
  /** Scale-downs that removed other Pods than we would have. */
  readonly differing: number;
  /** Pods that went although another was to, in all. */
  readonly otherPods: number;
  /** How often growth went beyond the budget, and by how many Pods at most. */
  readonly exceeded: number;
  readonly mostBeyond: number;
  readonly first: string;
  readonly last: string;
}

/** How many Pods were removed that would have stayed. */
export function otherPodsOf({
  wouldRemove,
  removed,
}: Pick<Extract<Observation, { readonly kind: "removal" }>, "wouldRemove" | "removed">): number {
  const meant = new Set(wouldRemove);
  return removed.filter((name) => !meant.has(name)).length;
}

/** Sums up observations, the workloads that differ most first. */
export function summarizeObservations(all: readonly Observation[]): readonly ObservedWorkload[] {
  const byWorkload = new Map<string, ObservedWorkload>();
  for (const observation of all.toSorted((one, other) => (one.at < other.at ? -1 : 1)))
    byWorkload.set(observation.workload, withObservation(byWorkload.get(observation.workload), observation));
  return [...byWorkload.values()].toSorted(byDifference);
}

function byDifference(one: ObservedWorkload, other: ObservedWorkload): number {
  const more = other.differing - one.differing || other.exceeded - one.exceeded;
  return more || (one.workload < other.workload ? -1 : 1);
}

/** Makes one of the summaries of several copies, the workloads that differ most first. */
export function mergeSummaries(all: readonly ObservedWorkload[]): readonly ObservedWorkload[] {
  const byWorkload = new Map<string, ObservedWorkload>();
  for (const each of all) {
    const known = byWorkload.get(each.workload);
    byWorkload.set(each.workload, known === undefined ? each : together(known, each));
  }
  return [...byWorkload.values()].toSorted(byDifference);
}

function together(one: ObservedWorkload, other: ObservedWorkload): ObservedWorkload {
  return {
    workload: one.workload,
    removals: one.removals + other.removals,
    differing: one.differing + other.differing,
    otherPods: one.otherPods + other.otherPods,
    exceeded: one.exceeded + other.exceeded,
    mostBeyond: Math.max(one.mostBeyond, other.mostBeyond),
    first: one.first < other.first ? one.first : other.first,
    last: one.last < other.last ? other.last : one.last,
  };
}

/** Reads the summaries that a copy has written as JSON; `undefined` for a text that is none. */
export function readSummaries(text: string): readonly ObservedWorkload[] | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok || !Array.isArray(parsed.value)) return undefined;
  const read = (parsed.value as readonly Json[]).map((each) => (isSummary(each) ? each : undefined));
  return read.every((each) => each !== undefined) ? read : undefined;
}

const counts = ["removals", "differing", "otherPods", "exceeded", "mostBeyond"] as const;
const texts = ["workload", "first", "last"] as const;

function isSummary(value: unknown): value is ObservedWorkload {
  if (!isJsonObject(value)) return false;
  return (
    counts.every((name) => typeof value[name] === "number") &&
    texts.every((name) => typeof value[name] === "string")
  );
}

/** What was observed of a workload, with one observation more. */
export function withObservation(
  before: ObservedWorkload | undefined,
  observation: Observation,
): ObservedWorkload {
  const { workload, at } = observation;
  const nothing = { removals: 0, differing: 0, otherPods: 0, exceeded: 0, mostBeyond: 0 };
  const known = before ?? { workload, ...nothing, first: at, last: at };
  if (observation.kind === "growth") {
    const mostBeyond = Math.max(known.mostBeyond, observation.asked - observation.wouldAdmit);
    return { ...known, exceeded: known.exceeded + 1, mostBeyond, last: at };
  }
  const others = otherPodsOf(observation);
  return {
    ...known,
    removals: known.removals + 1,
    differing: known.differing + Number(others > 0),
    otherPods: known.otherPods + others,
    last: at,
  };
}
