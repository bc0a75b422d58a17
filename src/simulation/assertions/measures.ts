import type { Instant } from "../../api/time.ts";
import type { AssertionDocument } from "../scenario-files/scenario-document.ts";
import { type Limits, type SubjectName, subjectNames } from "../scenario-files/assertion-schema.ts";
import type { ClusterTracker } from "../tracking/cluster-tracker.ts";
import { zoneLabel } from "../../api/well-known.ts";
import type { PodTally } from "../tracking/pod-tally.ts";

/** The name of a number that assertions limit. */
export type AssertedMeasure = Exclude<SubjectName, "complete">;

/** What a measure reads. */
export interface MeasureContext {
  readonly tally: PodTally;
  readonly tracker: ClusterTracker;
  readonly now: Instant;
  readonly topologyKey: string;
  /** The workload that the assertion is about, such as `Deployment default/web`. */
  readonly workload?: string | undefined;
}

interface Measure {
  /** What the number counts, as reports name it. */
  readonly title: string;
  /** Phrases a value; absent: the value followed by the title. */
  readonly phrase?: (value: string) => string;
  /** Only grows: the number since `from` counts, and a smallest number has to be reached at the end only. */
  readonly isSum?: true;
  readonly read: (context: MeasureContext) => number;
}

/** Every measure by its name in scenarios. */
export const measures: Readonly<Record<AssertedMeasure, Measure>> = {
  pods: { title: "Pods", read: ({ tally }) => tally.pods },
  activePods: { title: "active Pods", read: ({ tally }) => tally.active },
  readyPods: { title: "ready Pods", read: ({ tally }) => tally.counts.ready },
  pendingPods: { title: "pending Pods", read: ({ tally }) => tally.counts.pending },
  unscheduledPods: { title: "Pods without a node", read: ({ tally }) => tally.unscheduled },
  terminatingPods: { title: "terminating Pods", read: ({ tally }) => tally.counts.terminating },
  terminatingReplicas: {
    title: "terminating replicas",
    read: ({ tracker, workload = "" }) => tracker.progress(workload)?.terminating ?? 0,
  },
  zoneSkew: {
    title: "zone skew",
    phrase: (value) => `a zone skew of ${value}`,
    read: ({ tally, tracker, topologyKey }) => tally.skew(topologyKey, tracker.domains(topologyKey)),
  },
  removedPods: { title: "removed Pods", isSum: true, read: ({ tally }) => tally.removed },
  busyPodsRemoved: { title: "busy Pods removed", isSum: true, read: ({ tally }) => tally.busyRemoved },
  podHours: { title: "Pod-hours", isSum: true, read: ({ tally, now }) => tally.podMs(now) / 3_600_000 },
};

/** What an assertion limits; `undefined` for `complete`. */
export function measureOf(
  assertion: AssertionDocument,
): { readonly name: AssertedMeasure; readonly limits: Limits; readonly topologyKey: string } | undefined {
  for (const name of subjectNames) {
    const limits = name === "complete" ? undefined : assertion[name];
    if (name !== "complete" && limits !== undefined)
      return { name, limits, topologyKey: limits.topologyKey ?? zoneLabel };
  }
  return undefined;
}

/** Which limit a number breaks, as a phrase; `undefined` when it passes. */
export function brokenLimit(value: number, { atMost, atLeast, exactly }: Limits): string | undefined {
  if (atMost !== undefined && value > atMost) return `more than ${atMost}`;
  if (atLeast !== undefined && value < atLeast) return `fewer than ${atLeast}`;
  return exactly !== undefined && value !== exactly ? `not ${exactly}` : undefined;
}

/** `at most 12`, `at least 3 and at most 5`, `exactly 4`. */
function describeLimits({ atMost, atLeast, exactly }: Limits): string {
  if (exactly !== undefined) return `exactly ${exactly}`;
  const phrases = [
    ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost}`]),
  ];
  return phrases.join(" and ");
}

/** A number as reports show it. */
export function formatValue(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

/** What an assertion says, as a line: `ready Pods of deployment/web: at least 8 from 5m`. */
export function describeAssertion(assertion: AssertionDocument): string {
  const { name, complete } = assertion;
  if (name !== undefined) return name;
  if (complete !== undefined) {
    const after = assertion.from === undefined ? "" : ` after ${assertion.from}`;
    return `${assertion.workload ?? ""}${inNamespace(assertion)}: complete within ${complete.within}${after}`;
  }
  const measure = measureOf(assertion);
  if (measure === undefined) return "nothing";
  const { topologyKey } = measure.limits;
  const key = topologyKey === undefined ? "" : ` by ${topologyKey}`;
  const { title } = measures[measure.name];
  return `${title}${key}${scopeText(assertion)}: ${describeLimits(measure.limits)}${timesText(assertion)}`;
}

function scopeText(assertion: AssertionDocument): string {
  const { workload, selector } = assertion;
  const whose = workload ?? selector;
  return `${whose === undefined ? "" : ` of ${whose}`}${inNamespace(assertion)}`;
}

function inNamespace({ namespace }: AssertionDocument): string {
  return namespace === undefined ? "" : ` in namespace ${namespace}`;
}

function timesText({ from, until, at, for: lasting }: AssertionDocument): string {
  const phrases = [
    from === undefined ? "" : ` from ${from}`,
    until === undefined ? "" : ` until ${until}`,
    at === undefined ? "" : at === "end" ? " at the end" : ` at ${at}`,
    lasting === undefined ? "" : `, breaches shorter than ${lasting} aside`,
  ];
  return phrases.join("");
}
