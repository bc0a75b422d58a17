import type { Choice } from "../downscale/choose-victims.ts";
import type { DecidedPod } from "../downscale/reason.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Labels } from "../../api/labels/label-selector.ts";
import { downscalePodPickerOf, isSpreadOnScaleDown } from "../../api/workload-settings.ts";
import type { ReplicaOwner } from "../replicas/replica-owner.ts";
import { wishesOf } from "../stock/wish.ts";
import type { DecidedBy } from "./decided-by.ts";

/** The API server accepts at most 1024 bytes in an Event's message. */
const longest = 900;

/** A steered scale-down in one sentence, with the rule by which each Pod goes: `Removing 2 of 10 pods: web-a (picker), web-b (co-located)`. */
export function steeringSummary({ victims, survivors, protected: held = [] }: Choice): string {
  const head = `Removing ${victims.length} of ${victims.length + survivors.length + held.length} pods: `;
  return head + listed(victims, longest - head.length);
}

/** As many Pods as fit, each with its rule, and how many more. */
function listed(victims: readonly DecidedPod[], length: number): string {
  let text = "";
  for (const [index, { pod, because }] of victims.entries()) {
    const next = `${index === 0 ? "" : ", "}${pod.metadata?.name ?? ""} (${because?.rule ?? "all pods go"})`;
    if (text.length + next.length > length) return `${text} and ${victims.length - index} more`;
    text += next;
  }
  return text;
}

/** The names of Pods, as many as fit into an Event. */
export function podNames(names: readonly string[], length = 400): string {
  let text = "";
  for (const [index, name] of names.entries()) {
    const next = `${index === 0 ? "" : ", "}${name}`;
    if (text.length + next.length > length) return `${text} and ${names.length - index} more`;
    text += next;
  }
  return text === "" ? "none" : text;
}

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
