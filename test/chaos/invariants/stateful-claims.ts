import type { StatefulSet } from "../../../src/api/generated/apps-v1.ts";
import type { PersistentVolumeClaim, Pod } from "../../../src/api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../../src/api/object.ts";
import { isControlledBy } from "../../../src/api/owner-references.ts";
import { isTerminal } from "../../../src/api/pod-state.ts";
import { pods } from "../../../src/api/resources.ts";
import { claimNamesOf } from "../../../src/decisions/stateful/claim.ts";
import { retentionOf } from "../../../src/decisions/stateful/claim-retention.ts";
import { ordinalOf } from "../../../src/decisions/stateful/ordinal.ts";
import type { Store } from "../../../src/cluster/store/store.ts";
import type { Invariant } from "./invariant.ts";
import { podChangeIn, stored } from "./stored.ts";

/** What is written to a claim by two Pods at a time is lost; a Pod whose claim is gone never starts. */
export const claimsOfOrdinals: Invariant = {
  name: "claims-of-ordinals",
  description:
    "no two Pods have a claim of a template at a time, and when stable every Pod's claims are bound",
  begin: ({ store }) => ({
    commit({ collection, event, by }) {
      const present = store();
      if (present === undefined || collection !== pods.plural || event.type !== "ADDED") return undefined;
      if (by?.component !== "statefulset") return undefined;
      const { pod } = podChangeIn(event);
      const problem = sharedClaim(pod, present);
      return problem && `Pod ${keyOf(pod)} was created while ${problem}`;
    },
    stable() {
      const present = store();
      if (present === undefined) return undefined;
      for (const set of stored.statefulSets(present)) {
        const problem = unboundClaim(set, present);
        if (problem !== undefined) return `StatefulSet ${keyOf(set)}: ${problem}`;
      }
      return undefined;
    },
  }),
};

const claimsOf = ({ spec }: Pod): ReadonlySet<string> =>
  new Set(
    (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
  );

function sharedClaim(pod: Pod, store: Store): string | undefined {
  const own = claimsOf(pod);
  const { namespace, uid } = pod.metadata;
  for (const other of own.size === 0 ? [] : stored.pods(store)) {
    if (other.metadata.uid === uid || other.metadata.namespace !== namespace || isTerminal(other)) continue;
    const shared = [...claimsOf(other)].find((claim) => own.has(claim));
    if (shared !== undefined) return `${keyOf(other)} has its claim ${shared}`;
  }
  return undefined;
}

function unboundClaim(set: StatefulSet, store: Store): string | undefined {
  const { namespace, uid } = set.metadata;
  const claims = new Map(stored.claims(store).map((claim) => [keyOf(claim), claim]));
  for (const pod of stored.pods(store)) {
    if (!isControlledBy(pod, uid)) continue;
    for (const name of claimNamesOf(set, ordinalOf(set, pod) ?? -1)) {
      const claim = claims.get(`${namespace ?? ""}/${name}`);
      const problem = problemOf(claim, pod, set);
      if (problem !== undefined) return `claim ${name} ${problem}`;
    }
  }
  return undefined;
}

function problemOf(claim: PersistentVolumeClaim | undefined, pod: Pod, set: StatefulSet): string | undefined {
  if (claim === undefined) return "is not there";
  if (isBeingDeleted(claim)) return goesWithEarlierPod(claim, pod, set) ? undefined : "is being deleted";
  return claim.status?.phase === "Bound" ? undefined : "is not bound";
}

/**
 * As in Kubernetes, a controller waits for the claim of an earlier Pod of the ordinal to go only while `whenScaled` is
 * Delete. Where that is changed to Retain before the garbage collector has deleted the claim, the new Pod uses it until
 * that Pod ends.
 */
function goesWithEarlierPod({ metadata }: PersistentVolumeClaim, pod: Pod, set: StatefulSet): boolean {
  return (
    retentionOf(set).whenScaled === "Retain" &&
    (metadata?.ownerReferences ?? []).some(
      ({ kind, name, uid }) => kind === pods.kind && name === pod.metadata.name && uid !== pod.metadata.uid,
    )
  );
}
