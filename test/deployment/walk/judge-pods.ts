import type { Deployment } from "../../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../../src/api/generated/core-v1.ts";
import type { Store } from "../../../src/cluster/store/store.ts";
import { count, type Count } from "../count-pods.ts";
import type { Route } from "./errand.ts";

/** What holds in fact, at every change of every Pod, if the walk is of the sort for it. */
export function judgePods(store: Store, route: Route, breach: (what: string) => void): void {
  const pods = store.collection("pods");
  const present = new Map([...pods.records()].map(({ key, object }) => [key, object as unknown as Pod]));
  pods.subscribe({ of: "all" }, (events) => {
    for (const { type, record } of events) {
      if (type === "DELETED") present.delete(record.key);
      else present.set(record.key, record.object as unknown as Pod);
      const wrong = judge(count(present.values()), store, route);
      if (wrong !== undefined) breach(wrong);
    }
  });
}

function judge(
  { active, terminating, ready }: Count,
  store: Store,
  { sort, begin }: Route,
): string | undefined {
  const { replicas, maxUnavailable } = begin;
  switch (sort) {
    case "rising": {
      const cap = capOf(store);
      if (active + terminating <= cap) return undefined;
      return `${active} Pods and ${terminating} terminating are more than ${cap}`;
    }
    case "steady":
      if (ready >= replicas - maxUnavailable) return undefined;
      return `${ready} of ${replicas} Pods are ready, with ${maxUnavailable} missing at most`;
    case "free":
    case "rough":
      return undefined;
  }
}

/** Sizes never fall in walks that are judged by it, so the cap of now is at least that of any moment before. */
function capOf(store: Store): number {
  const stored = store.collection("deployments.apps").get("default/web")?.object as unknown as Deployment;
  const { replicas = 1, strategy } = stored.spec;
  return replicas + Number(strategy?.rollingUpdate?.maxSurge ?? 0);
}
