import type { PersistentVolume, PersistentVolumeClaim } from "../../../api/generated/core-v1.ts";
import { selectedNodeOf } from "../../volumes/plan-claim.ts";
import { allowsTopology, isProvisioned } from "../../volumes/storage-class.ts";
import { chooseVolume, classNameOf, requestedSize } from "../../volumes/volume-match.ts";
import { compileTerms } from "../objects/node-selector.ts";
import type { NodeDescription } from "../objects/node-info.ts";
import { isObject } from "../objects/reading.ts";
import type { VolumeBindingPlan } from "../plugin.ts";
import type { VolumeLookups } from "../view/cluster-view.ts";

/** The volumes of claims that wait for their first Pod, on one node. */
type VolumePlan = Omit<VolumeBindingPlan, "timeoutMs">;

/** Whether the affinity of a volume lets Pods on a node use it. */
export function isReachedFrom({ spec }: PersistentVolume, node: NodeDescription): boolean {
  const required = spec?.nodeAffinity?.required;
  return !isObject(required) || compileTerms(required.nodeSelectorTerms)(node);
}

/** Plans the volumes of claims that wait for their first Pod, if that ran on this node; `undefined` if it cannot. */
export function planVolumes(
  delayed: readonly PersistentVolumeClaim[],
  node: NodeDescription,
  lookups: VolumeLookups,
): VolumePlan | undefined {
  const reserved: { claim: PersistentVolumeClaim; volume: PersistentVolume }[] = [];
  const provisioned: PersistentVolumeClaim[] = [];
  // Smallest claims first: they take small volumes, and the larger ones are left for larger claims.
  for (const claim of delayed.toSorted(bySize)) {
    const taken = reserved.map(({ volume }) => volume);
    const source = sourceFor(claim, { node, lookups, taken });
    if (source === "none") return undefined;
    if (source === "provisioned") provisioned.push(claim);
    else reserved.push({ claim, volume: source });
  }
  return { reserved, provisioned };
}

function bySize(a: PersistentVolumeClaim, b: PersistentVolumeClaim): number {
  const [left, right] = [requestedSize(a), requestedSize(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}

interface Search {
  readonly node: NodeDescription;
  readonly lookups: VolumeLookups;
  /** The volumes that other claims of the Pod get. */
  readonly taken: readonly PersistentVolume[];
}

/** Where the volume of a claim comes from, if its Pod ran on this node. */
function sourceFor(
  claim: PersistentVolumeClaim,
  { node, lookups, taken }: Search,
): PersistentVolume | "provisioned" | "none" {
  // Another Pod of the claim may have a node already, and wait for the volume.
  const selected = selectedNodeOf(claim);
  if (selected !== "" && selected !== node.name) return "none";
  const kept = lookups.reservedFor(claim);
  if (kept !== undefined) return isReachedFrom(kept, node) ? kept : "none";
  const volume =
    selected === ""
      ? chooseVolume(claim, {
          available: lookups.unclaimed(classNameOf(claim) ?? ""),
          isAllowed: (each) => !taken.includes(each) && isReachedFrom(each, node),
        })
      : undefined;
  return volume ?? (canProvision(claim, node, lookups) ? "provisioned" : "none");
}

function canProvision(
  claim: PersistentVolumeClaim,
  { labels }: NodeDescription,
  { storageClass }: VolumeLookups,
): boolean {
  const found = storageClass(classNameOf(claim) ?? "");
  return found !== undefined && isProvisioned(found) && allowsTopology(found, labels);
}
