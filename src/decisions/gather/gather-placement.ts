import type { Pod } from "../../api/generated/core-v1.ts";

/** A Pod that is to be placed, and the cluster without it. */
export interface PlacementState<Objects> {
  readonly pod: Pod;
  readonly objects: Objects;
}

/** Gathers what the placement of a Pod depends on, as if it had no node yet: neither its place nor the Pod itself counts. */
export function gatherPlacement<Objects extends { readonly pods: readonly Pod[] }>(
  pod: Pod,
  objects: Objects,
): PlacementState<Objects> {
  const { uid } = pod.metadata;
  const others = objects.pods.filter(({ metadata }) => metadata.uid !== uid);
  return { pod: unplaced(pod), objects: { ...objects, pods: others } };
}

/** The Pod as it was before it got its node. */
function unplaced(pod: Pod): Pod {
  if ((pod.spec?.nodeName ?? "") === "") return pod;
  const { nodeName: _node, ...spec } = pod.spec;
  const { nominatedNodeName: _nominated, ...status } = pod.status ?? {};
  return { ...pod, spec, status: { ...status, phase: "Pending" } };
}
