import type { Pod } from "../../api/generated/core-v1.ts";
import { daemonState, type StateTraits } from "../daemon/daemon-state.cases.ts";
import { type ClusterObjects, noObjects } from "./cluster-objects.ts";

/** The objects of a cluster in which a state of the DaemonSet `agent` is found. */
export function daemonObjects(traits: StateTraits): ClusterObjects {
  const { daemonSet, nodes, pods, revisions } = daemonState(traits);
  const { uid } = daemonSet.metadata;
  const ownerReferences = [
    { apiVersion: "apps/v1", kind: "DaemonSet", name: "agent", uid, controller: true },
  ];
  const owned = pods.map((pod): Pod => ({ ...pod, metadata: { ...pod.metadata, ownerReferences } }));
  return { ...noObjects, nodes, pods: owned, controllerRevisions: revisions, daemonSets: [daemonSet] };
}
