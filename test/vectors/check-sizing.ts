import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import { type RolloutAction, applyToState } from "../../src/decisions/rollout/action.ts";
import { type Revisions, revisionsWithNew } from "../../src/decisions/rollout/revisions.ts";
import type { Check } from "./kinds.ts";

/** The sizes and annotations a case expects, by name. */
export type Want = Readonly<Record<string, { replicas: number; annotations: Record<string, string> }>>;

interface SizedFleetVector {
  readonly deployment: Deployment;
  readonly newReplicaSet?: ReplicaSet;
  readonly oldReplicaSets: readonly ReplicaSet[];
  readonly want: Want;
  readonly updated: readonly string[] | null;
}

/** Checks a step that sizes ReplicaSets given as they are: what they look like afterwards, and the order of the writes. */
export function checkSizing(size: (revisions: Revisions) => readonly RolloutAction[]): Check {
  return (vector) => {
    const { deployment, newReplicaSet, oldReplicaSets, want, updated } = vector as SizedFleetVector;
    const replicaSets = newReplicaSet === undefined ? oldReplicaSets : [...oldReplicaSets, newReplicaSet];
    const state = { deployment, replicaSets, gates: defaultFeatureGates, now: 0 };
    const actions = size(revisionsWithNew(state, newReplicaSet));
    const after = actions.reduce(applyToState, state);
    return (
      difference("sizes", describe(after.replicaSets), want) ??
      difference("writes", writesOf(actions), updated ?? [])
    );
  };
}

/** Every ReplicaSet's size and annotations, by name. */
export function describe(replicaSets: readonly ReplicaSet[]): Want {
  return Object.fromEntries(
    replicaSets.map(({ metadata, spec }) => [
      metadata.name,
      { replicas: spec.replicas ?? 1, annotations: { ...metadata.annotations } },
    ]),
  );
}

/** Says what differs, wherever keys are in another order only. */
export function difference(what: string, got: unknown, want: unknown): string | undefined {
  const [gotText, wantText] = [sorted(got), sorted(want)];
  return gotText === wantText ? undefined : `${what}: got ${gotText}, want ${wantText}`;
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function writesOf(actions: readonly RolloutAction[]): readonly string[] {
  return actions.flatMap((action) =>
    action.kind === "update-replica-set" ? [action.replicaSet.metadata.name] : [],
  );
}
