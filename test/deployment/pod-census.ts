import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isActive, isReady, isTerminating } from "../../src/api/pod-state.ts";
import { imageOf, podsOf } from "./web.ts";
import type { DeploymentFixture } from "./fixture.ts";

/** The Pods of now, by the words the specification has for it: `6+1T`. */
export async function podCount(fixture: DeploymentFixture): Promise<string> {
  const { active, terminating } = count(await podsOf(fixture));
  return terminating === 0 ? String(active) : `${active}+${terminating}T`;
}

/** Extremes of the Pods of a fixture since the census was started; every commit counts. */
export interface PodCensus {
  /** The most Pods there were at a time, terminating ones included. */
  readonly mostPods: number;
  /** The most Pods there were at a time that were not terminating. */
  readonly mostActive: number;
  readonly fewestReady: number;
  /** Whether Pods of two images ran at a time, terminating ones included. */
  readonly hasMixed: boolean;
}

/** Watches every change of every Pod from now on. */
export async function startPodCensus(fixture: DeploymentFixture): Promise<PodCensus> {
  const present = new Map((await podsOf(fixture)).map((pod) => [pod.metadata.uid, pod]));
  const now = count(present.values());
  const seen = {
    mostPods: now.active + now.terminating,
    mostActive: now.active,
    fewestReady: now.ready,
    hasMixed: false,
  };
  fixture.store.collection("pods").subscribe({ of: "all" }, (events) => {
    for (const { type, record } of events) {
      const pod = record.object as unknown as Pod;
      if (type === "DELETED") present.delete(pod.metadata.uid);
      else present.set(pod.metadata.uid, pod);
      const { active, terminating, ready } = count(present.values());
      seen.mostPods = Math.max(seen.mostPods, active + terminating);
      seen.mostActive = Math.max(seen.mostActive, active);
      seen.fewestReady = Math.min(seen.fewestReady, ready);
      seen.hasMixed ||= imagesOf(present.values()).size > 1;
    }
  });
  return seen;
}

function imagesOf(all: Iterable<Pod>): ReadonlySet<string> {
  const running = [...all].filter((pod) => isActive(pod) || isTerminating(pod));
  return new Set(running.map((pod) => imageOf({ spec: { template: { spec: pod.spec } } })));
}

/** How many Pods there are of each sort. */
interface PodCounts {
  readonly active: number;
  readonly terminating: number;
  /** Active and ready. */
  readonly ready: number;
}

/** Counts Pods as they are. */
export function count(all: Iterable<Pod>): PodCounts {
  let [active, terminating, ready] = [0, 0, 0];
  for (const pod of all) {
    if (isTerminating(pod)) terminating++;
    if (!isActive(pod)) continue;
    active++;
    if (isReady(pod)) ready++;
  }
  return { active, terminating, ready };
}
