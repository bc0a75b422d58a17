import * as fc from "fast-check";
import type { StatefulSet } from "../../api/generated/apps-v1.ts";
import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { podTemplate } from "../../testing/deployment.ts";
import type { StatefulAction } from "./action.ts";
import { planStatefulSet } from "./plan-stateful-set.ts";
import type { StatefulState } from "./state.ts";
import { replacedBy, stateOf, claim } from "./stateful-state.cases.ts";

/** Something that happens to a set, or to one of its Pods; a Pod is chosen by its place in the list. */
export type ModelEvent =
  | { readonly kind: "ready" | "unready" | "fail" | "gone" | "delete"; readonly place: number }
  | { readonly kind: "template"; readonly revision: string }
  | { readonly kind: "scale"; readonly replicas: number }
  | { readonly kind: "partition"; readonly partition: number }
  | { readonly kind: "start"; readonly start: number };

const place = fc.nat(9);
export const modelEvents: fc.Arbitrary<ModelEvent> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("ready" as const), place }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("gone" as const), place }) },
  fc.record({ kind: fc.constantFrom("unready" as const, "fail" as const, "delete" as const), place }),
  fc.record({ kind: fc.constant("template" as const), revision: fc.constantFrom("A", "B", "C") }),
  fc.record({ kind: fc.constant("scale" as const), replicas: fc.nat(5) }),
  fc.record({ kind: fc.constant("partition" as const), partition: fc.nat(3) }),
  fc.record({ kind: fc.constant("start" as const), start: fc.nat(2) }),
);

export const modelSettings = fc.record({
  isParallel: fc.boolean(),
  hasMaxUnavailable: fc.boolean(),
  maxUnavailable: fc.constantFrom<number | string>(1, 2, 3, "50%"),
  hasClaims: fc.boolean(),
  whenScaled: fc.constantFrom("Retain" as const, "Delete" as const),
});
export type ModelSettings = typeof modelSettings extends fc.Arbitrary<infer T> ? T : never;

/** A new set with some settings. */
export function newModel(settings: ModelSettings): StatefulState {
  return stateOf({
    revisions: "",
    current: "",
    template: "A",
    isParallel: settings.isParallel,
    hasMaxUnavailable: settings.hasMaxUnavailable,
    spec: {
      updateStrategy: {
        type: "RollingUpdate",
        rollingUpdate: { partition: 0, maxUnavailable: settings.maxUnavailable },
      },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: settings.whenScaled },
      ...(settings.hasClaims && { volumeClaimTemplates: [claim("data")] }),
    },
  });
}

/** The state after the event. */
export function happen(state: StatefulState, event: ModelEvent): StatefulState {
  const { set } = state;
  switch (event.kind) {
    case "template":
      return { ...state, set: withSpec(set, { template: podTemplate(event.revision) }) };
    case "scale":
      return { ...state, set: withSpec(set, { replicas: event.replicas }) };
    case "start":
      return { ...state, set: withSpec(set, { ordinals: { start: event.start } }) };
    case "partition": {
      const { updateStrategy } = set.spec;
      const rollingUpdate = { ...updateStrategy?.rollingUpdate, partition: event.partition };
      return { ...state, set: withSpec(set, { updateStrategy: { ...updateStrategy, rollingUpdate } }) };
    }
    case "ready":
    case "unready":
    case "fail":
    case "gone":
    case "delete":
      return { ...state, pods: podsAfter(state.pods, event.kind, event.place) };
  }
}

function withSpec(set: StatefulSet, spec: Partial<StatefulSet["spec"]>): StatefulSet {
  return { ...set, spec: { ...set.spec, ...spec } };
}

function podsAfter(pods: readonly Pod[], kind: string, at: number): readonly Pod[] {
  const chosen = pods[at % Math.max(1, pods.length)];
  if (chosen === undefined) return pods;
  if (kind === "gone") return isBeingDeleted(chosen) ? pods.filter((pod) => pod !== chosen) : pods;
  return pods.map((pod) => (pod === chosen ? podAfter(pod, kind) : pod));
}

function podAfter(pod: Pod, kind: string): Pod {
  if (kind === "delete") return terminating(pod);
  if (pod.status?.phase === "Failed") return pod;
  if (kind === "fail") return { ...pod, status: { ...pod.status, phase: "Failed" } };
  const isReady = kind === "ready";
  const conditions = [{ type: "Ready", status: isReady ? "True" : "False" }];
  return { ...pod, status: { phase: "Running", conditions } };
}

function terminating(pod: Pod): Pod {
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: "2026-01-01T00:59:00Z" } };
}

let uids = 0;

/** The state after a plan that succeeds. */
export function applied(state: StatefulState): StatefulState {
  const plan = planStatefulSet(state);
  const { revision } = plan;
  if (revision?.kind === "create-revision") {
    const name = revision.revision.metadata.name ?? "";
    const stored = { ...revision.revision, metadata: { name, uid: name, resourceVersion: "1" } };
    return applied({ ...state, revisions: [...state.revisions, stored] });
  }
  if (revision?.kind === "renumber-revision") {
    const renumbered = { ...revision.revision, revision: revision.to };
    return applied({
      ...state,
      revisions: state.revisions.map((one) => (one === revision.revision ? renumbered : one)),
    });
  }
  const claims = new Map(claimsOf(state));
  let { pods } = state;
  for (const { actions } of plan.batches.flat()) {
    for (const action of actions) pods = podsAfterAction(pods, claims, action);
  }
  const obsolete = new Set(plan.obsolete.map(({ metadata }) => metadata.name));
  return {
    ...state,
    pods,
    claims,
    revisions: state.revisions.filter(({ metadata }) => !obsolete.has(metadata.name)),
    set: { ...state.set, status: plan.statusAfter(replacedBy(plan.batches)) },
  };
}

function claimsOf({ claims }: StatefulState): ReadonlyMap<string, PersistentVolumeClaim> {
  return claims instanceof Map ? claims : new Map();
}

function podsAfterAction(
  pods: readonly Pod[],
  claims: Map<string, PersistentVolumeClaim>,
  action: StatefulAction,
): readonly Pod[] {
  switch (action.kind) {
    case "create-pod": {
      const uid = `uid-${++uids}`;
      const metadata = {
        ...action.pod.metadata,
        name: action.pod.metadata.name ?? "",
        uid,
        resourceVersion: "1",
      };
      return [...pods, { ...action.pod, metadata, status: { phase: "Pending" } }];
    }
    case "delete-pod":
      return pods.map((pod) => (pod.metadata.uid === action.pod.metadata.uid ? terminating(pod) : pod));
    case "create-claim": {
      const name = action.claim.metadata.name ?? "";
      claims.set(name, {
        ...action.claim,
        metadata: { ...action.claim.metadata, name, uid: name, resourceVersion: "1" },
      });
      return pods;
    }
    case "own-claim":
      claims.set(action.claim.metadata.name, action.claim);
      return pods;
    case "update-pod":
    case "report-conflict":
    case "refuse-pod":
      return pods;
  }
}

/** The state once every Pod has become ready or has gone, the garbage collector has worked, and the set has no more to do. */
export function settled(start: StatefulState): StatefulState {
  let state = start;
  for (let round = 0; round < 200; round++) {
    const next = applied({
      ...state,
      pods: state.pods.filter((pod) => !isBeingDeleted(pod)).map((pod) => podAfter(pod, "ready")),
    });
    const uidsNow = new Set(next.pods.map(({ metadata }) => metadata.uid));
    const kept = [...claimsOf(next)].filter(([, { metadata }]) =>
      (metadata.ownerReferences ?? []).every(({ kind, uid }) => kind !== "Pod" || uidsNow.has(uid)),
    );
    const collected = { ...next, claims: new Map(kept) };
    if (JSON.stringify(collected.pods) === JSON.stringify(state.pods)) return collected;
    state = collected;
  }
  return state;
}
