import type { Errand, Route } from "./errand.ts";

/** What a route lets one promise in fact, and not only by what the controllers had read. */
export interface Promises {
  /** Pods, terminating ones included, never exceed replicas and surge. */
  readonly keepsCap: boolean;
  /** Rolling passes take no available Pod that cannot be spared. */
  readonly sparesAvailable: boolean;
  /** There are always as many Pods available as there must be. */
  readonly staysAvailable: boolean;
}

/**
 * Reads off a route what it lets one promise. Which Pods are available is known from reports: where these take their
 * time, one that has just become available can still be taken for one that serves nobody.
 */
export function promisesOf({ sort, distanceMs, begin, errands }: Route): Promises {
  const all = errands.map(({ errand }) => errand);
  const isFair = sort !== "rough";
  const isAlone = all.every((errand) => errand.do !== "evict");
  const isPrompt = isFair && distanceMs === 0 && begin.spec?.minReadySeconds === 0;
  return {
    keepsCap: isFair && isAlone && isHeldBack(begin, all) && !isLowered(begin, all),
    sparesAvailable: isPrompt,
    staysAvailable: isPrompt && isAlone && begin.strategy !== "Recreate" && all.every(isSteady),
  };
}

/** Whether `TerminationComplete` is in force from beginning to end. */
function isHeldBack({ policy }: Route["begin"], errands: readonly Errand[]): boolean {
  const policies = [
    policy,
    ...errands.flatMap((errand) => (errand.do === "set-policy" ? errand.policy : [])),
  ];
  return policies.every((each) => each === "TerminationComplete");
}

function isLowered({ replicas, maxSurge }: Route["begin"], errands: readonly Errand[]): boolean {
  const sizes = [replicas, ...errands.flatMap((errand) => (errand.do === "scale" ? errand.replicas : []))];
  const surges = [maxSurge, ...errands.flatMap((errand) => (errand.do === "limit" ? errand.maxSurge : []))];
  return [sizes, surges].some((numbers) => numbers.some((each, index) => each < (numbers[index - 1] ?? 0)));
}

/** Whether an errand leaves alone how many Pods there are to be. */
function isSteady(errand: Errand): boolean {
  return errand.do !== "scale" && errand.do !== "limit";
}
