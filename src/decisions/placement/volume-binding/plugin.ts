import { claimsOfPod } from "../../volumes/pod-claims.ts";
import type { PersistentVolumeClaim } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { isClaimBound, selectedNodeOf } from "../../volumes/plan-claim.ts";
import { classNameOf } from "../../volumes/volume-match.ts";
import { type ClusterEvent, nodeBecomes, type QueueingHints, queueingHints } from "../cluster-event.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { fits, type Plugin, unresolvable, type Verdict } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import { volumeBindingArgs, type VolumeBindingArgs } from "./args.ts";
import { describeVolumePlace } from "./describe-volume.ts";
import { isReachedFrom, planVolumes } from "./plan-volumes.ts";
import { type BoundClaim, podVolumesOf } from "./pod-volumes.ts";

const missing = unresolvable("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
const noVolumes = unresolvable("node(s) didn't find available persistent volumes to bind");
const mismatch = "node(s) didn't match PersistentVolume's node affinity";

/** Rejects nodes that do not reach the volumes of a Pod, or where none can be made for its claims. */
export const volumeBinding = ({ bindTimeoutSeconds }: VolumeBindingArgs): Plugin => ({
  name: "VolumeBinding",

  preFilter({ pod }, { volumes }) {
    if (volumes === undefined) return undefined;
    const found = podVolumesOf(pod, volumes);
    if (found.kind === "none") return undefined;
    if (found.kind === "problem") return { refusal: unresolvable(found.reason) };
    const { bound, delayed } = found;
    return {
      filter(node) {
        const verdict = checkBound(bound, node);
        if (verdict !== fits || delayed.length === 0) return verdict;
        return planVolumes(delayed, node, volumes) === undefined ? noVolumes : fits;
      },
    };
  },

  preBind({ pod }, node, { volumes }) {
    if (volumes === undefined) return undefined;
    const found = podVolumesOf(pod, volumes);
    if (found.kind !== "claims" || found.delayed.length === 0) return undefined;
    const plan = planVolumes(found.delayed, node, volumes);
    return plan && { ...plan, timeoutMs: bindTimeoutSeconds * 1000 };
  },
});

function checkBound(bound: readonly BoundClaim[], node: NodeInfo): Verdict {
  for (const { claim, volume } of bound) {
    if (volume === undefined) return missing;
    if (!isReachedFrom(volume, node)) return unresolvable(mismatch, describeVolumePlace(volume, claim));
  }
  return fits;
}

/** What may give a Pod its volumes, or a node that reaches them. */
const hints: QueueingHints = queueingHints(
  [
    "PersistentVolumeClaim/Add",
    "PersistentVolumeClaim/Update",
    "PersistentVolume/Add",
    "PersistentVolume/Update",
    "StorageClass/Add",
    "StorageClass/Update",
    "Node/Add",
    "Node/UpdateNodeLabel",
  ],
  (waiting, event, { volumes }) => {
    if (event.resource === "PersistentVolumeClaim") return isOwnClaim(waiting, event) && isNews(event);
    if (event.resource !== "Node" || volumes === undefined) return true;
    const found = podVolumesOf(waiting.pod, volumes);
    if (found.kind !== "claims") return false;
    return nodeBecomes(
      event,
      (node) =>
        found.bound.every(({ volume }) => volume !== undefined && isReachedFrom(volume, node)) &&
        planVolumes(found.delayed, node, volumes) !== undefined,
    );
  },
);

type ClaimChange = Extract<ClusterEvent, { readonly resource: "PersistentVolumeClaim" }>;

/** Whether a claim is one that the Pod names. */
export function isOwnClaim({ pod, namespace }: PodInfo, { before, after = before }: ClaimChange): boolean {
  if (after === undefined || after.metadata.namespace !== namespace) return false;
  return claimsOfPod(pod).some(({ name }) => name === after.metadata.name);
}

/** Whether something changed that decides about nodes. */
function isNews({ before, after }: ClaimChange): boolean {
  if (before === undefined || after === undefined || before.metadata.uid !== after.metadata.uid) return true;
  return stateOf(before) !== stateOf(after);
}

function stateOf(claim: PersistentVolumeClaim): string {
  const { spec, status } = claim;
  return [
    isClaimBound(claim),
    spec.volumeName,
    status?.phase === "Lost",
    classNameOf(claim),
    selectedNodeOf(claim),
    isBeingDeleted(claim),
  ].join(" ");
}

export const volumeBindingEntry = {
  name: "VolumeBinding",
  points: ["preFilter", "filter"],
  args: volumeBindingArgs,
  create: volumeBinding,
  hints: () => hints,
} as const satisfies PluginEntry<VolumeBindingArgs>;
