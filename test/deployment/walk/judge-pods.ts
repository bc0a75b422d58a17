import type { Deployment } from "../../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../../src/api/generated/core-v1.ts";
import type { Store } from "../../../src/cluster/store/store.ts";
import { count, type Count } from "../count-pods.ts";
import type { Route } from "./errand.ts";
import { type Promises, promisesOf } from "./promises.ts";

/** Holds the Pods, at every change of any of them, to what the route lets one promise of them. */
export function judgePods(store: Store, route: Route, breach: (what: string) => void): void {
  const promises = promisesOf(route);
  const pods = store.collection("pods");
  const present = new Map([...pods.records()].map(({ key, object }) => [key, object as unknown as Pod]));
  pods.subscribe({ of: "all" }, (events) => {
    for (const { type, record } of events) {
      if (type === "DELETED") present.delete(record.key);
      else present.set(record.key, record.object as unknown as Pod);
      judge(count(present.values()), { store, promises, route }).forEach(breach);
    }
  });
}

interface Case {
  readonly store: Store;
  readonly promises: Promises;
  readonly route: Route;
}

function judge({ active, terminating, ready }: Count, { store, promises, route }: Case): readonly string[] {
  const cap = capOf(store);
  const { replicas, maxUnavailable } = route.begin;
  return [
    ...(promises.keepsCap && active + terminating > cap
      ? [`${active} Pods and ${terminating} terminating are more than ${cap}`]
      : []),
    ...(promises.staysAvailable && ready < replicas - maxUnavailable
      ? [`${ready} of ${replicas} Pods are ready, with ${maxUnavailable} missing at most`]
      : []),
  ];
}

/** Sizes never fall in walks that are judged by it, so the cap of now is at least that of any moment before. */
function capOf(store: Store): number {
  const stored = store.collection("deployments.apps").get("default/web")?.object as unknown as Deployment;
  const { replicas = 1, strategy } = stored.spec;
  return replicas + Number(strategy?.rollingUpdate?.maxSurge ?? 0);
}
