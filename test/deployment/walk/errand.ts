import type { PodReplacementPolicy } from "../../../src/api/workload-settings.ts";
import { type Random, randomInt } from "../../../src/machinery/random/random.ts";
import type { PodTraits, WebTraits } from "../builders.ts";

/**
 * What sort of walk it is:
 * - `rising`: under `TerminationComplete`, sizes and surge never fall and nobody else deletes Pods;
 * - `steady`: sizes and limits stay;
 * - `free`: whatever people do, evictions and changes of policy included;
 * - `rough`: the same, in bad weather.
 */
export type Sort = "rising" | "steady" | "free" | "rough";

/** One thing a person does. */
export type Errand =
  | { readonly do: "scale"; readonly replicas: number }
  | { readonly do: "roll-out"; readonly pods: PodTraits }
  | { readonly do: "undo" }
  | { readonly do: "limit"; readonly maxSurge: number; readonly maxUnavailable: number }
  | { readonly do: "pause" }
  | { readonly do: "resume" }
  | { readonly do: "set-policy"; readonly policy: PodReplacementPolicy | null }
  | { readonly do: "evict"; readonly share: number; readonly endsIn: string }
  /** Sees to it that the Deployment is not paused and that its Pods can become ready. */
  | { readonly do: "mend" };

/** A Deployment, and what is done to it: an errand after a pause, again and again. */
export interface Route {
  readonly sort: Sort;
  /** The longest time that a request or a piece of news takes between the controllers and the API server. */
  readonly distanceMs: number;
  readonly begin: WebTraits & {
    readonly replicas: number;
    readonly maxSurge: number;
    readonly maxUnavailable: number;
  };
  readonly errands: readonly { readonly afterMs: number; readonly errand: Errand }[];
}

const policies: readonly (PodReplacementPolicy | undefined)[] = [
  "TerminationComplete",
  "TerminationComplete",
  "TerminationStarted",
  undefined,
];

const pick = <T>(random: Random, items: readonly [T, ...T[]]): T =>
  items[randomInt(random, items.length)] ?? items[0];
const seconds = (random: Random, most: number) => `${Math.round(random.next() * most * 10) / 10}s`;
const distances = [0, 0, 500, 3000] as const;

/** A route by chance. */
export function routeOf(random: Random): Route {
  const sort = pick<Sort>(random, ["rising", "steady", "free", "rough"]);
  const limits = newLimits(random);
  const policy = sort === "rising" ? "TerminationComplete" : policies[randomInt(random, policies.length)];
  const isRecreated = sort !== "steady" && random.next() < 0.25;
  const begin = {
    ...newPods(random, "web:0"),
    ...limits,
    replicas: 1 + randomInt(random, 6),
    policy,
    ...(isRecreated && { strategy: "Recreate" as const }),
    spec: {
      minReadySeconds: sort === "steady" ? 0 : randomInt(random, 2) * 3,
      revisionHistoryLimit: randomInt(random, 4),
    },
  };
  let { replicas } = begin;
  let { maxSurge } = limits;
  const errands = Array.from({ length: 2 + randomInt(random, 6) }, (_, index) => {
    const errand = errandOf(random, { sort, index, replicas, maxSurge });
    if (errand.do === "scale") replicas = errand.replicas;
    if (errand.do === "limit") maxSurge = errand.maxSurge;
    return { afterMs: pauseMs(random), errand };
  });
  return { sort, distanceMs: pick(random, distances), begin, errands };
}

/** People do several things at once, or one right after the other, and sometimes wait until all is over. */
function pauseMs(random: Random): number {
  const patience = random.next();
  if (patience < 0.2) return 0;
  return patience < 0.6 ? randomInt(random, 5000) : Math.floor(random.next() ** 3 * 90_000);
}

function newLimits(random: Random) {
  const maxSurge = randomInt(random, 4);
  const maxUnavailable = randomInt(random, 3);
  return { maxSurge, maxUnavailable: maxSurge + maxUnavailable === 0 ? 1 : maxUnavailable };
}

function newPods(random: Random, image: string): PodTraits {
  return {
    image,
    startsIn: seconds(random, 3),
    readyIn: seconds(random, 10),
    endsIn: random.next() < 0.3 ? "0s" : seconds(random, 40),
  };
}

interface Standpoint {
  readonly sort: Sort;
  readonly index: number;
  readonly replicas: number;
  readonly maxSurge: number;
}

function errandOf(random: Random, { sort, index, replicas, maxSurge }: Standpoint): Errand {
  const pods = newPods(random, `web:${index + 1}`);
  // Now and then somebody rolls out what does not work.
  const rollOut: Errand = {
    do: "roll-out",
    pods: random.next() < 0.15 ? { ...pods, readyIn: "never" } : pods,
  };
  const always: readonly Errand[] = [rollOut, rollOut, { do: "undo" }, { do: "pause" }, { do: "resume" }];
  switch (sort) {
    case "steady":
      return pick(random, [rollOut, ...always]);
    case "rising":
      return pick<Errand>(random, [
        { do: "scale", replicas: replicas + randomInt(random, 5) },
        { do: "scale", replicas: replicas + randomInt(random, 3) },
        { do: "limit", maxSurge: maxSurge + randomInt(random, 2), maxUnavailable: 1 },
        ...always,
      ]);
    case "free":
    case "rough":
      return pick<Errand>(random, [
        { do: "scale", replicas: randomInt(random, 9) },
        { do: "scale", replicas: randomInt(random, 9) },
        { do: "limit", ...newLimits(random) },
        { do: "set-policy", policy: policies[randomInt(random, policies.length)] ?? null },
        { do: "evict", share: random.next(), endsIn: seconds(random, 40) },
        ...always,
      ]);
  }
}
