import type { Pod } from "../../api/generated/core-v1.ts";
import { compareResourceVersions } from "../../api/resource-version.ts";
import { pods } from "../../api/resources.ts";
import { markPatch } from "../../decisions/stock/mark-patch.ts";
import type { MarkedBy } from "../../decisions/stock/mark.ts";
import { isConflict, isNotFound, isUidMismatch } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import { unmarkPod } from "../unmark-pod.ts";
import { type WriteFailure, writeFailureOf } from "./write-failure.ts";

/** So many Pods are written at a time. */
const atATime = 50;

/** What became of the marks of a decision. */
export interface WrittenMarks {
  /** The versions of the Pods that were written, by UID. */
  readonly versions: ReadonlyMap<string, string>;
  /** Pods that ended meanwhile. */
  readonly gone: number;
  /** Why Pods could not be written, one entry a Pod; the decision holds for the others. */
  readonly failures: readonly WriteFailure[];
  /** Whether our own watch has shown all of them. */
  readonly isSeen: boolean;
}

/** The marks of one decision. */
export interface MarksToWrite {
  readonly marks: readonly Pod[];
  readonly by: MarkedBy;
  readonly leftovers: readonly Pod[];
  /** Which Pods are marked: those of the same UIDs, or only those that have not been changed in any way since. */
  readonly onlyIf: "same-pod" | "unchanged";
  /** What was written for the same request before, which the watch is to show, too. */
  readonly before?: WrittenMarks | undefined;
  /** How long the watch is waited for; absent: as long as there is time. */
  readonly seenWithinMs?: number;
}

type Outcome =
  | { readonly kind: "unchanged" | "changed" | "gone" }
  | { readonly kind: "failed"; readonly failure: WriteFailure }
  | { readonly kind: "written"; readonly uid: string; readonly version: string };

/** Marks Pods and removes what is left of earlier marks, then waits until our own watch has shown that. */
export async function writeMarks(
  { marks, by, leftovers, onlyIf, before, seenWithinMs }: MarksToWrite,
  deps: Pick<SteeringDependencies, "client" | "podWatch" | "clock" | "metrics" | "log">,
  signal: AbortSignal,
): Promise<WrittenMarks> {
  const { client, metrics, log } = deps;
  const writes = [
    ...marks.map((pod) => () => mark(pod, { by, onlyIf }, { client, signal })),
    ...leftovers.map((pod) => () => unmark(pod, { client, signal })),
  ];
  const outcomes = await inBatches(writes, (error) => {
    log.warn("a Pod could not be marked", { error });
    return writeFailureOf(error, signal);
  });
  const count = (kind: Outcome["kind"]) => outcomes.filter((outcome) => outcome.kind === kind).length;
  const versions = new Map(
    outcomes.flatMap((outcome) => (outcome.kind === "written" ? [[outcome.uid, outcome.version]] : [])),
  );
  for (const what of ["written", "gone", "failed"] as const) metrics.marks.increase({ what }, count(what));
  const newest = latest([...(before?.versions.values() ?? []), ...versions.values()]);
  const isSeen = await isShown(newest, seenWithinMs, { ...deps, signal });
  const failures = outcomes.flatMap((outcome) => (outcome.kind === "failed" ? [outcome.failure] : []));
  return { versions, gone: count("gone"), failures, isSeen };
}

/** Whether our own watch shows a version in time. */
async function isShown(
  version: string,
  withinMs: number | undefined,
  { podWatch, clock, signal }: Pick<SteeringDependencies, "podWatch" | "clock"> & Pick<Writing, "signal">,
): Promise<boolean> {
  const late = new AbortController();
  const timer =
    withinMs === undefined
      ? undefined
      : clock.after(withinMs, () => late.abort(new Error("the watch of Pods is late")));
  return podWatch
    .reached(version, AbortSignal.any([signal, late.signal]))
    .then(
      () => true,
      () => false,
    )
    .finally(() => timer?.cancel());
}

interface Writing {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Marks a Pod; one that is gone, is another of the same name, or was changed meanwhile is left alone. */
async function mark(
  pod: Pod,
  { by, onlyIf }: Pick<MarksToWrite, "by" | "onlyIf">,
  { client, signal }: Writing,
): Promise<Outcome> {
  const body = markPatch(pod, by, onlyIf);
  if (body === undefined) return { kind: "unchanged" };
  try {
    return written(await client.patch(pods, pod.metadata, { type: "merge", body, signal }));
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error) && !isUidMismatch(error)) throw error;
    // Whether it is another Pod, or has only changed, is seen when it is looked at again.
    return { kind: onlyIf === "unchanged" ? "changed" : "gone" };
  }
}

/** A person may change the cost at the same moment: what they have set stays. */
async function unmark(pod: Pod, { client, signal }: Writing): Promise<Outcome> {
  const unmarked = await unmarkPod(client, pod, signal);
  if (unmarked.kind === "removed") return written(unmarked.pod);
  return { kind: unmarked.kind === "gone" ? "gone" : "unchanged" };
}

function written({ metadata: { uid, resourceVersion } }: Pod): Outcome {
  return { kind: "written", uid, version: resourceVersion };
}

async function inBatches(
  writes: readonly (() => Promise<Outcome>)[],
  failed: (error: unknown) => WriteFailure,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async () => {
    while (next < writes.length) {
      const write = writes[next++];
      const outcome = await write?.().catch((error: unknown): Outcome => ({
        kind: "failed",
        failure: failed(error),
      }));
      if (outcome !== undefined) outcomes.push(outcome);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atATime, writes.length) }, work));
  return outcomes;
}

function latest(versions: readonly string[]): string {
  return versions.reduce((one, other) => ((compareResourceVersions(one, other) ?? -1) < 0 ? other : one), "");
}
