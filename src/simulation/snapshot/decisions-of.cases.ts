import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isControlledBy } from "../../api/owner-references.ts";
import { isActive } from "../../api/pod-state.ts";
import { chooseVictims } from "../../decisions/downscale/choose-victims.ts";
import { countPerNode } from "../../decisions/downscale/co-location.ts";
import type { ClusterObjects } from "../../decisions/explain/cluster-objects.ts";
import { defaultPlugins } from "../../decisions/placement/default-plugins.ts";
import { placePod } from "../../decisions/placement/place-pod.ts";
import { pluginSetOf } from "../../decisions/placement/plugin-entry.ts";
import { clusterViewOf } from "../../decisions/placement/view/list-view.ts";
import { planRollout } from "../../decisions/rollout/plan-rollout.ts";
import { lookedAt } from "./random-cluster.cases.ts";

/**
 * What is decided about a cluster, with the places of objects in their collections instead of their names: decisions
 * about a cluster and about the same cluster with other names are equal.
 */
export function decisionsOf(objects: ClusterObjects) {
  return {
    removals: objects.replicaSets.map(({ metadata }) => removalsOf(metadata.uid, objects)),
    rollouts: objects.deployments.map((_, index) => rolloutOf(index, objects)),
    placements: placementsOf(objects),
  };
}

function removalsOf(uid: string, { pods }: ClusterObjects) {
  const own = pods.filter((pod) => isControlledBy(pod, uid) && isActive(pod));
  const facts = { now: lookedAt, gates: defaultFeatureGates, related: countPerNode(own) };
  const { victims } = chooseVictims(own, Math.ceil(own.length / 2), facts);
  return victims.map(({ pod, because }) => {
    const against = because === undefined ? -1 : pods.indexOf(because.against.pod);
    // A UID is another one in a cluster with other names; that it decided is the same.
    const value = because?.rule === "uid" ? "by UID" : because?.value;
    return { pod: pods.indexOf(pod), rule: because?.rule, value, against };
  });
}

function rolloutOf(index: number, { deployments, replicaSets, pods }: ClusterObjects) {
  const deployment = deployments[index];
  if (deployment === undefined) return undefined;
  const owned = replicaSets.filter((each) => isControlledBy(each, deployment.metadata.uid));
  const now = lookedAt;
  const plan = planRollout({ deployment, replicaSets: owned, pods, gates: defaultFeatureGates, now });
  const placeOf = (name: string | undefined) => owned.findIndex(({ metadata }) => metadata.name === name);
  const created = plan.actions.find(({ kind }) => kind === "create-replica-set");
  const newName = created?.kind === "create-replica-set" ? created.replicaSet.metadata.name : undefined;
  return {
    kind: plan.kind,
    sizes: plan.actions.flatMap((action) =>
      "replicaSet" in action
        ? [[action.kind, placeOf(action.replicaSet.metadata.name), action.replicaSet.spec.replicas]]
        : [],
    ),
    limits: JSON.parse(
      JSON.stringify(plan.limits, (_key, value: unknown) => {
        if (typeof value !== "string") return value;
        if (placeOf(value) >= 0) return placeOf(value);
        return value === newName ? "new" : value;
      }),
    ) as unknown,
    updated: plan.status.updatedReplicas,
  };
}

function placementsOf(objects: ClusterObjects) {
  const { nodes, pods } = objects;
  const view = clusterViewOf(objects);
  const pluginSet = pluginSetOf(defaultPlugins());
  const placeOf = (name: string) => nodes.findIndex(({ metadata }) => metadata.name === name);
  return pods.map(({ spec: { nodeName: _node, ...spec }, metadata }) => {
    const waiting: Pod = { metadata, spec };
    const { outcome, refused, scored } = placePod(waiting, view, { pluginSet, draw: () => 1 });
    return {
      outcome: outcome.kind === "placed" ? placeOf(outcome.node) : outcome.kind,
      refused: refused.toArray().map((each) => [placeOf(each.node), each.rejection.plugins]),
      totals: scored.nodes.map((name, place) => [placeOf(name), scored.totals[place]]),
    };
  });
}
