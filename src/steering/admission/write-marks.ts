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
  readonly written: number;
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
}

type Outcome =
  | { readonly kind: "unchanged" | "gone" | "failed" }
  | { readonly kind: "written"; readonly version: string };

/** Marks Pods and removes what is left of earlier marks, then waits until our own watch has shown that. */
export async function writeMarks(
  { marks, by, leftovers }: MarksToWrite,
  deps: Pick<SteeringDependencies, "client" | "podWatch" | "metrics" | "log">,
  signal: AbortSignal,
): Promise<WrittenMarks> {
  const { client, podWatch, metrics, log } = deps;
  const writes = [
    ...marks.map((pod) => () => mark(pod, by, { client, signal })),
    ...leftovers.map((pod) => () => unmark(pod, { client, signal })),
  ];
  const outcomes = await inBatches(writes, (error) => log.warn("a Pod could not be marked", { error }));
  const count = (kind: Outcome["kind"]) => outcomes.filter((outcome) => outcome.kind === kind).length;
  const versions = outcomes.flatMap((outcome) => (outcome.kind === "written" ? [outcome.version] : []));
  for (const what of ["written", "gone", "failed"] as const) metrics.marks.increase({ what }, count(what));
  const isSeen = await podWatch.reached(latest(versions), signal).then(
    () => true,
    () => false,
  );
  return { written: versions.length, gone: count("gone"), failed: count("failed"), isSeen };
}

interface Writing {
  readonly client: Client;
  readonly signal: AbortSignal;
}

async function mark(pod: Pod, by: MarkedBy, writing: Writing): Promise<Outcome> {
  const body = markPatch(pod, by);
  return body === undefined ? { kind: "unchanged" } : write(pod, { type: "merge", body }, writing);
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
    return { kind: "written", version: written.metadata.resourceVersion };
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
