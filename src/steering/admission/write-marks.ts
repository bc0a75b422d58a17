import type { Pod } from "../../api/generated/core-v1.ts";
import { compareResourceVersions } from "../../api/resource-version.ts";
import { pods } from "../../api/resources.ts";
import { markPatch, unmarkPatch } from "../../decisions/stock/mark-patch.ts";
import type { MarkedBy } from "../../decisions/stock/mark.ts";
import { isConflict, isInvalid, isNotFound } from "../../machinery/client/api-error.ts";
import type { Client, Patch } from "../../machinery/client/client.ts";
import type { SteeringDependencies } from "../dependencies.ts";

/** So many Pods are written at a time. */
const atATime = 50;

/** What became of the marks of a decision. */
export interface WrittenMarks {
  /** The versions of the Pods that were written, by UID. */
  readonly versions: ReadonlyMap<string, string>;
  /** Pods that ended meanwhile. */
  readonly gone: number;
  /** Pods that could not be written in time; the decision holds for the others. */
  readonly failed: number;
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
  | { readonly kind: "unchanged" | "changed" | "gone" | "failed" }
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
  const outcomes = await inBatches(writes, (error) => log.warn("a Pod could not be marked", { error }));
  const count = (kind: Outcome["kind"]) => outcomes.filter((outcome) => outcome.kind === kind).length;
  const versions = new Map(
    outcomes.flatMap((outcome) => (outcome.kind === "written" ? [[outcome.uid, outcome.version]] : [])),
  );
  for (const what of ["written", "gone", "failed"] as const) metrics.marks.increase({ what }, count(what));
  const newest = latest([...(before?.versions.values() ?? []), ...versions.values()]);
  const isSeen = await isShown(newest, seenWithinMs, { ...deps, signal });
  return { versions, gone: count("gone"), failed: count("failed"), isSeen };
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

async function mark(
  pod: Pod,
  { by, onlyIf }: Pick<MarksToWrite, "by" | "onlyIf">,
  writing: Writing,
): Promise<Outcome> {
  const body = markPatch(pod, by, onlyIf);
  if (body === undefined) return { kind: "unchanged" };
  const outcome = await write(pod, { type: "merge", body }, writing);
  // Whether it is another Pod, or has only changed, is seen when it is looked at again.
  return outcome.kind === "gone" && onlyIf === "unchanged" ? { kind: "changed" } : outcome;
}

/** A person may change the cost at the same moment: the patch is then refused, and what they have set stays. */
async function unmark(pod: Pod, writing: Writing): Promise<Outcome> {
  const operations = unmarkPatch(pod);
  return operations === undefined ? { kind: "unchanged" } : write(pod, { type: "json", operations }, writing);
}

/** Writes a Pod; one that is gone, is another of the same name, or was changed meanwhile is left alone. */
async function write({ metadata }: Pod, patch: Patch, { client, signal }: Writing): Promise<Outcome> {
  try {
    const written = await client.patch(pods, metadata, { ...patch, signal });
    const { uid, resourceVersion: version } = written.metadata;
    return { kind: "written", uid, version };
  } catch (error) {
    if (isNotFound(error) || isConflict(error) || isInvalid(error)) return { kind: "gone" };
    throw error;
  }
}

async function inBatches(
  writes: readonly (() => Promise<Outcome>)[],
  failed: (error: unknown) => void,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async () => {
    while (next < writes.length) {
      const write = writes[next++];
      const outcome = await write?.().catch((error: unknown): Outcome => {
        failed(error);
        return { kind: "failed" };
      });
      if (outcome !== undefined) outcomes.push(outcome);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atATime, writes.length) }, work));
  return outcomes;
}

function latest(versions: readonly string[]): string {
  return versions.reduce((one, other) => ((compareResourceVersions(one, other) ?? -1) < 0 ? other : one), "");
}
