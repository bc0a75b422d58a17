import type { Instant } from "../../src/api/time.ts";
import type { PodStateCounts } from "../model/pod-state.ts";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import type { LiveChange } from "../live/kinds.ts";

/** The series of the timeline, in the order of their columns. */
export const seriesNames = ["ready", "starting", "terminating", "placement", "removal", "resize"] as const;

/** Two hours at a sample a second; beyond that every second sample is dropped. */
const mostSamples = 7200;

/** What the timeline draws: a row of counts for each moment, kept as columns. */
export class TimelineSamples {
  readonly #limit: number;
  /** Seconds, as uPlot reads them, then the series. */
  #columns: number[][] = [[], ...seriesNames.map(() => [])];
  #decisions = { placement: 0, removal: 0, resize: 0 };

  constructor(limit = mostSamples) {
    this.#limit = limit;
  }

  get columns(): readonly (readonly number[])[] {
    return this.#columns;
  }

  /** Counts a decision for the next sample. */
  count(decision: MarkedDecision): void {
    this.#decisions[decision]++;
  }

  /** The moment of the next sample with decisions before or after a moment; `undefined` where there is none. */
  decisionBeside(moment: Instant, step: -1 | 1): Instant | undefined {
    const [times = [], ...counts] = this.#columns;
    const decisions = counts.slice(seriesNames.indexOf("placement"));
    const isDecided = (row: number) => decisions.some((column) => (column[row] ?? 0) > 0);
    const moments = times.flatMap((time, row) => (isDecided(row) ? [Math.ceil(time * 1000)] : []));
    return step === 1 ? moments.find((each) => each > moment) : moments.findLast((each) => each < moment);
  }

  add(at: Instant, pods: PodStateCounts): void {
    const { placement, removal, resize } = this.#decisions;
    const waiting = pods.starting + pods.unscheduled;
    const row = [at / 1000, pods.ready, waiting, pods.terminating, placement, removal, resize];
    for (const [index, value] of row.entries()) this.#columns[index]?.push(value);
    this.#decisions = { placement: 0, removal: 0, resize: 0 };
    if ((this.#columns[0]?.length ?? 0) > this.#limit) this.#thin();
  }

  /** Merges pairs of samples: counts of Pods are those of the later one, decisions are added up. */
  #thin(): void {
    const firstDecision = 1 + seriesNames.indexOf("placement");
    this.#columns = this.#columns.map((column, index) =>
      column.flatMap((value, row) => {
        if (row % 2 === 0 && row < column.length - 1) return [];
        return [index >= firstDecision && row % 2 === 1 ? value + (column[row - 1] ?? 0) : value];
      }),
    );
  }
}

/** The decisions that changes show: a Pod that got a node, one that is being deleted, a revision that got another size. */
type MarkedDecision = "placement" | "removal" | "resize";

/** The decision that a change comes from, if it comes from one. */
export function decisionIn({ kind, before, after }: LiveChange): MarkedDecision | undefined {
  if (kind === "pods") return podDecision(before as Pod | undefined, after as Pod | undefined);
  if (kind !== "replicaSets") return undefined;
  const [was, is] = [before, after].map((each) => (each as ReplicaSet | undefined)?.spec?.replicas ?? 0);
  return was === is ? undefined : "resize";
}

function podDecision(before: Pod | undefined, after: Pod | undefined): MarkedDecision | undefined {
  if (after === undefined) return undefined;
  if (isBeingDeleted(after)) return before === undefined || isBeingDeleted(before) ? undefined : "removal";
  return before?.spec?.nodeName === undefined && after.spec?.nodeName !== undefined ? "placement" : undefined;
}
