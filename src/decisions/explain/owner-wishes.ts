import type { FeatureGates } from "../../api/feature-gates.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Labels } from "../../api/labels/label-selector.ts";
import { downscalePodPickerOf, isSpreadOnScaleDown } from "../../api/workload-settings.ts";
import type { ReplicaOwner } from "../replicas/replica-owner.ts";
import { wishesOf } from "../stock/wish.ts";
import type { DecidedBy } from "./decided-by.ts";

/** Who decides about an owner of Pods, and the labels of its namespace, which may have wishes for all in it. */
interface Deciders {
  readonly decidedBy: DecidedBy;
  readonly gates: FeatureGates;
  readonly labels: Labels;
}

/** Whether scale-downs look at domains. The namespace of a workload may ask `trimtab steer` for it, and no other controller. */
export function isSpreadBy(owner: ReplicaOwner, { decidedBy, gates, labels }: Deciders): boolean {
  if (decidedBy.controllers !== "steered" || owner.kind === "ReplicationController")
    return isSpreadOnScaleDown(owner, gates);
  return wishesOf(owner, labels).spreads ?? gates.TopologyAwareScaleDown;
}

/** The picker of a ReplicaSet as the object has it, not validated. */
export function pickerOf(
  owner: ReplicaOwner,
  { labels, isSteered }: { readonly labels: Labels; readonly isSteered: boolean },
): unknown {
  if (owner.kind === "ReplicationController") return undefined;
  const replicaSet = owner as ReplicaSet;
  return isSteered ? wishesOf(replicaSet, labels).picker : downscalePodPickerOf(replicaSet);
}
