import type { Deployment } from "../../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../../src/api/generated/core-v1.ts";
import type { Store } from "../../../src/cluster/store/store.ts";
import { count, type Count } from "../count-pods.ts";
import type { Route } from "./errand.ts";

/** Says what is wrong with the Pods that there are, if anything. */
export type PodJudge = (count: Count) => string | undefined;

/** Has the Pods judged at every change of any of them, from now on. */
export function judgePods(store: Store, breach: (what: string) => void, judge: PodJudge): void {
  const pods = store.collection("pods");
  const present = new Map([...pods.records()].map(({ key, object }) => [key, object as unknown as Pod]));
  pods.subscribe({ of: "all" }, (events) => {
    for (const { type, record } of events) {
      if (type === "DELETED") present.delete(record.key);
      else present.set(record.key, record.object as unknown as Pod);
      const wrong = judge(count(present.values()));
      if (wrong !== undefined) breach(wrong);
    }
  });
}

/** Where sizes and surge never fall, the cap of now is at least that of any moment before. */
export function withinCap(store: Store): PodJudge {
  return ({ active, terminating }) => {
    const stored = store.collection("deployments.apps").get("default/web")?.object as unknown as Deployment;
    const { replicas = 1, strategy } = stored.spec;
    const cap = replicas + Number(strategy?.rollingUpdate?.maxSurge ?? 0);
    return active + terminating > cap
      ? `${active} Pods and ${terminating} terminating are more than ${cap}`
      : undefined;
  };
}

/** Where sizes and limits stay, and nobody has to be ready for long, enough Pods are ready at any moment. */
export function enoughReady({ begin: { replicas, maxUnavailable } }: Route): PodJudge {
  return ({ ready }) =>
    ready < replicas - maxUnavailable
      ? `${ready} of ${replicas} Pods are ready, with ${maxUnavailable} missing at most`
      : undefined;
}
