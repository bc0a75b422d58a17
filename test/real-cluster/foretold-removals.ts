import type { Pod } from "../../src/api/generated/core-v1.ts";
import { readySince } from "../../src/api/pod-state.ts";
import { type Instant, parseTime } from "../../src/api/time.ts";
import { bucketStartMs, logBucket } from "../../src/decisions/downscale/log-bucket.ts";
import type { RankedPod } from "../../src/decisions/explain/rank-candidates.ts";
import type { ClusterObjects } from "../../src/decisions/explain/cluster-objects.ts";
import {
  explainScaleDown,
  type OwnerRemoval,
  type ScaleDownExplanation,
} from "../../src/decisions/explain/explain-scale-down.ts";

/**
 * What is said of the same objects at every later moment at which one of their Pods gets into another bucket of ages,
 * up to an instant: the stock controller reads the clock some time after `explain` did.
 */
export function laterExplanations(
  told: ScaleDownExplanation,
  objects: ClusterObjects,
  until: Instant,
): readonly ScaleDownExplanation[] {
  const { workload, to: replicas } = told;
  const from = parseTime(told.time) ?? until;
  const times = objects.pods.flatMap((pod) => [readySince(pod), parseTime(pod.metadata.creationTimestamp)]);
  const changes = new Set(times.flatMap((time) => bucketChanges(time, { from, until })));
  return [...changes]
    .sort((a, b) => a - b)
    .map((now) => explainScaleDown(objects, { workload, replicas, now }))
    .filter((each) => each !== undefined);
}

function bucketChanges(
  time: Instant | undefined,
  { from, until }: { readonly from: Instant; readonly until: Instant },
): readonly Instant[] {
  if (time === undefined) return [];
  const [first, last] = [logBucket(time, from), logBucket(time, until)];
  return Array.from(
    { length: last - first },
    (_, index) => time + Math.ceil(bucketStartMs(first + 1 + index)),
  );
}

/**
 * In what the Pods that are left differ from what was said of each owner, a sentence each. It may have been said at any of
 * several moments, and at another one of each owner: they are scaled one after the other.
 */
export function differences(told: readonly ScaleDownExplanation[], left: readonly Pod[]): readonly string[] {
  const names = new Set(left.map(({ metadata }) => metadata.name));
  const [first] = told;
  return (first?.owners ?? []).flatMap(({ name }) => {
    const same = told.flatMap(({ owners }) => owners.filter((owner) => owner.name === name));
    const found = same.map((owner) => ownerDifferences(owner, names));
    return found.some((each) => each.length === 0) ? [] : (found[0] ?? []);
  });
}

function ownerDifferences(
  { name, removing, candidates }: OwnerRemoval,
  left: ReadonlySet<string>,
): readonly string[] {
  const gone = candidates.filter(({ pod }) => !left.has(pod));
  const rows = candidates.map(({ pod, node = "no node", verdict, beforeNext }) => {
    const went = left.has(pod) ? "stayed" : "went";
    return {
      isRight: isRight(verdict, went),
      text: `${pod} on ${node} ${went}: ${verdict}, ${beforeNext?.reason}`,
    };
  });
  if (gone.length === removing && rows.every((row) => row.isRight)) return [];
  return [
    `${name}: ${gone.length} went of ${removing}`,
    ...rows.map(({ isRight: is, text }) => (is ? text : `WRONG ${text}`)),
  ];
}

function isRight(verdict: RankedPod["verdict"], went: "went" | "stayed"): boolean {
  return verdict === "either" || (verdict === "goes") === (went === "went");
}
