import type { OrdinalActions, StatefulAction, StatefulWait } from "./action.ts";
import { claimsOfOrdinal, type OrdinalClaims } from "./claim.ts";
import {
  type ClaimOwners,
  correctOwners,
  hasForeignController,
  isStaleForPod,
  wantedOwners,
} from "./claim-retention.ts";
import { draftStatefulPod, repairedPod } from "./draft-stateful-pod.ts";
import { statefulPodName } from "./ordinal.ts";
import { revisionOfPod } from "./pod-health.ts";
import { type OrdinalPod, revisionFor, type StatefulView } from "./view.ts";

/** What is done for one ordinal in range; with `wait`, an ordered set does no more in this pass. */
export interface ReplicaStep extends OrdinalActions {
  readonly wait?: StatefulWait;
}

/** Creates or repairs the Pod at an index. */
export function replicaStep(view: StatefulView, index: number): ReplicaStep {
  const member = view.members.get(index);
  const ordinal = view.range.start + index;
  if (member === undefined) return createStep(view, index);
  const { health, pod } = member;
  if (health.kind === "ended") {
    const wait: StatefulWait = { kind: "ended", ordinal, phase: health.phase };
    if (health.isTerminating) return { ordinal, actions: [], wait };
    const reason = { kind: "ended", phase: health.phase } as const;
    return { ordinal, actions: [{ kind: "delete-pod", pod, reason }], wait };
  }
  const actions = [...pendingClaims(view, member), ...(mayRepair(view, member) ? repair(view, member) : [])];
  const wait = waitFor(view, member, index);
  return { ordinal, actions, ...(wait !== undefined && { wait }) };
}

function createStep(view: StatefulView, index: number): ReplicaStep {
  const { set, state } = view;
  const ordinal = view.range.start + index;
  const podName = statefulPodName(set, ordinal);
  const owners: ClaimOwners = { set, podName, isInRange: true };
  const claims = claimsOfOrdinal(state, ordinal, wantedOwners(owners));
  const stale = claims.existing.find((claim) => isStaleForPod(claim, owners));
  if (stale !== undefined) {
    return { ordinal, actions: [], wait: { kind: "stale-claim", ordinal, claim: stale.metadata.name } };
  }
  const { deleting } = claims;
  if (deleting !== undefined) {
    const claim = deleting.metadata.name;
    const problem = `pvc ${claim} is being deleted`;
    const refusal: StatefulAction = { kind: "refuse-pod", podName, problem };
    return { ordinal, actions: [refusal], wait: { kind: "claim-deleting", ordinal, claim } };
  }
  const { revision, chosenBy } = revisionFor(view, index);
  const pod = draftStatefulPod(set, ordinal, revision);
  const reason = { kind: "missing", revision: revision.name, chosenBy } as const;
  const actions: readonly StatefulAction[] = [
    ...createClaims(claims, podName),
    { kind: "create-pod", pod, reason },
    ...ownClaims(claims, owners, "also-without-change"),
  ];
  return { ordinal, actions, wait: { kind: "created", ordinal } };
}

function createClaims({ missing }: OrdinalClaims, podName: string): readonly StatefulAction[] {
  return missing.map((claim) => ({ kind: "create-claim", claim, podName }));
}

/** Corrects who claims are deleted with. A foreign controller is reported when the Pod is made, and when it displaces us. */
function ownClaims(
  { existing }: OrdinalClaims,
  owners: ClaimOwners,
  report: "also-without-change" | "changes",
): readonly StatefulAction[] {
  return existing.flatMap((claim): readonly StatefulAction[] => {
    const correction = correctOwners(claim, owners);
    if (correction.kind === "update") {
      return [{ kind: "own-claim", claim: correction.claim, isConflicting: correction.isConflicting }];
    }
    if (report === "changes" || !hasForeignController(claim, owners)) return [];
    return [{ kind: "report-conflict", claim: claim.metadata.name }];
  });
}

/** A Pending Pod may wait for a claim that was deleted. */
function pendingClaims(view: StatefulView, { ordinal, pod, health }: OrdinalPod): readonly StatefulAction[] {
  if (health.kind !== "not-ready" || health.phase !== "Pending") return [];
  const owners = ownersOf(view, pod, true);
  const claims = claimsOfOrdinal(view.state, ordinal, wantedOwners(owners));
  return [...createClaims(claims, pod.metadata.name), ...ownClaims(claims, owners, "changes")];
}

/** An ordered set repairs the Pods it does not wait for; any other repairs all of them. */
function mayRepair({ isOrdered }: StatefulView, { health }: OrdinalPod): boolean {
  return !isOrdered || health.kind === "available";
}

function repair(view: StatefulView, { ordinal, pod, health }: OrdinalPod): readonly StatefulAction[] {
  const repaired = repairedPod(view.set, ordinal, pod);
  const owners = ownersOf(view, pod, true);
  const claims = claimsOfOrdinal(view.state, ordinal, wantedOwners(owners));
  const isPending = health.kind === "not-ready" && health.phase === "Pending";
  const owned = isPending ? [] : ownClaims(claims, owners, "changes");
  if (repaired === undefined) {
    if (owned.length === 0) return [];
    return [...owned, { kind: "update-pod", pod, reason: "retention" }];
  }
  const hasClaims = repaired.spec === pod.spec;
  const created = hasClaims || isPending ? [] : createClaims(claims, pod.metadata.name);
  return [
    ...created,
    ...owned,
    { kind: "update-pod", pod: repaired, reason: hasClaims ? "identity" : "claims" },
  ];
}

function ownersOf(
  { set }: StatefulView,
  pod: OrdinalPod["pod"],
  isInRange: boolean,
): ClaimOwners & { readonly podName: string } {
  return { set, pod, podName: pod.metadata.name, isInRange };
}

/** Corrects the claims of a Pod that is to be removed, so that they go or stay as the policy says. */
export function condemnedClaims(view: StatefulView, { ordinal, pod }: OrdinalPod): OrdinalActions {
  const owners = ownersOf(view, pod, false);
  const claims = claimsOfOrdinal(view.state, ordinal, []);
  return { ordinal, actions: ownClaims(claims, owners, "changes") };
}

/** What the Pods after this one wait for. */
function waitFor(
  view: StatefulView,
  { ordinal, pod, health }: OrdinalPod,
  index: number,
): StatefulWait | undefined {
  switch (health.kind) {
    case "terminating":
      return { kind: "terminating", ordinal };
    case "not-ready": {
      const revision = revisionOfPod(pod);
      const wanted = revisionFor(view, index).revision.name;
      const isUnwanted = revision !== wanted && view.set.spec.updateStrategy?.type !== "OnDelete";
      if (isUnwanted) return { kind: "blocked-by-own-revision", ordinal, revision, wanted };
      return { kind: "not-ready", ordinal, phase: health.phase };
    }
    case "not-available":
      return { kind: "not-available", ordinal, until: health.until };
    case "available":
    case "ended":
      return undefined;
  }
}
