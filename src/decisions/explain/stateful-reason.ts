import {
  type CreateReason,
  type DeleteReason,
  isPodWait,
  type LimitWait,
  type PodWait,
  type StatefulWait,
} from "../stateful/action.ts";

/** Why a Pod of a StatefulSet is created, and from which revision. */
export function statefulCreateReason({ revision, chosenBy }: CreateReason): string {
  switch (chosenBy) {
    case "partition":
      return `it is missing; below the partition, so at revision ${revision}`;
    case "current-replicas":
      return `it is missing; the update has not reached it, so at revision ${revision}`;
    case "update":
      return `it is missing; at revision ${revision}`;
  }
}

/** Why a Pod of a StatefulSet is deleted, as the event about it says it. */
export function statefulDeleteReason(reason: DeleteReason): string {
  switch (reason.kind) {
    case "ended":
      return `its phase is ${reason.phase}, it is made anew`;
    case "scaled-down": {
      const { start, replicas } = reason.range;
      if (replicas === 0) return "no replicas are wanted";
      return `its ordinal is not one of ${start} to ${start + replicas - 1}`;
    }
    case "outdated":
      return `it is at revision ${reason.revision ?? "none"}, the update is to ${reason.update}`;
  }
}

/** The name of the Pod with an ordinal. */
type NameOf = (ordinal: number) => string;

/** What a StatefulSet waits for. */
export function statefulWaitReason(wait: StatefulWait, nameOf: NameOf): string {
  return isPodWait(wait) ? podReason(wait, nameOf(wait.ordinal)) : limitReason(wait, nameOf);
}

function podReason(wait: PodWait, name: string): string {
  switch (wait.kind) {
    case "terminating":
      return `${name} is terminating`;
    case "ended":
      return `${name} has ended (${wait.phase}) and is made anew once it is gone`;
    case "created":
      return `${name} has to become available`;
    case "deleted":
      return `${name} has to be gone`;
    case "not-ready":
      return `${name} is not ready (${wait.phase})`;
    case "not-available":
      return `${name} is ready, but not for minReadySeconds yet`;
    case "updating":
      return `${name} is not available yet`;
  }
}

function limitReason(wait: LimitWait, nameOf: NameOf): string {
  switch (wait.kind) {
    case "unhealthy-condemned":
      return `${nameOf(wait.ordinal)} is to be removed but is unavailable, and so is ${nameOf(wait.first)}, which comes first`;
    case "blocked-by-own-revision":
      return (
        `${nameOf(wait.ordinal)} is at revision ${wait.revision ?? "none"}, which is no longer wanted, ` +
        "and is not replaced while it is not ready: delete it"
      );
    case "budget":
      return `${wait.unavailable} are unavailable, and at most ${wait.maxUnavailable} may be`;
    case "partition":
      return `${countOfPods(wait.outdated)} below partition ${wait.partition} at the old revision, to stay there`;
    case "on-delete":
      return `${countOfPods(wait.outdated)} at an old revision, until somebody deletes them (OnDelete)`;
    case "stale-claim":
      return `${nameOf(wait.ordinal)} waits until claim ${wait.claim} of its predecessor is gone`;
    case "claim-deleting":
      return `${nameOf(wait.ordinal)} waits until claim ${wait.claim} has been deleted`;
  }
}

function countOfPods(count: number): string {
  return count === 1 ? "1 Pod" : `${count} Pods`;
}
