import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { formatLabelSelection } from "../../api/labels/label-selector.ts";
import { compileLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { isControlledBy } from "../../api/owner-references.ts";
import { replicaSets } from "../../api/resources.ts";
import { sizeReason } from "../../decisions/explain/size-record.ts";
import { growthPatch, admittedSize, podBudget } from "../../decisions/stock/admitted-size.ts";
import { referenceTo } from "../../machinery/events/event-draft.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import { type GrowingOwner, listPods } from "./find-workload.ts";
import type { Reservations } from "./reservations.ts";
import { type AdmissionAnswer, admitted } from "./review.ts";
import type { SizeChange } from "./size-change.ts";

/** A ReplicaSet of an owner with `TerminationComplete` that is to grow. */
export interface CappedGrowth extends GrowingOwner {
  readonly change: SizeChange;
  /** The annotations of the ReplicaSet in the request; absent in a Scale. */
  readonly annotations: JsonObject | undefined;
  readonly isDryRun: boolean;
}

/** Admits as much growth as its owner has room for, terminating Pods counted, by live lists. */
export async function capGrowth(
  { change, deployment, resource, annotations, isDryRun }: CappedGrowth,
  { deps, reservations }: { readonly deps: SteeringDependencies; readonly reservations: Reservations },
  signal: AbortSignal,
): Promise<{ readonly answer: AdmissionAnswer; readonly size: number }> {
  const { client } = deps;
  const { namespace } = change;
  const { uid } = deployment.metadata;
  // The ReplicaSets first: a Pod that is created in between is counted by its ReplicaSet's size or by itself.
  const siblings = (await listReplicaSets(deployment, namespace, { client, signal })).filter((each) =>
    isControlledBy(each, uid),
  );
  const pods = await listPods(namespace, deployment.spec.selector, { client, signal });
  const besides = reservations.besides(uid, siblings, change);
  const budget = podBudget({ deployment, replicaSets: siblings, pods, ...besides });
  const size = admittedSize(change, budget);
  if (!isDryRun) reservations.add(uid, change, size);
  const patch = growthPatch({ asked: change.asked, size, annotations });
  const answer = patch.length === 0 ? admitted : { allowed: true as const, patch };
  if (!isDryRun && size < change.asked) {
    const replicaSet = { metadata: { name: change.name, uid: change.uid, resourceVersion: "" } };
    const { kind } = resource;
    const decision = {
      deployment,
      kind,
      replicaSet,
      old: change.old,
      asked: change.asked,
      admitted: size,
      budget,
    };
    deps.records.sizes.add({ ...decision, now: deps.clock.now() });
    deps.events.record({
      regarding: referenceTo(resource, deployment),
      type: "Normal",
      reason: "GrowthCapped",
      message: sizeReason(decision),
    });
  }
  return { answer, size };
}

async function listReplicaSets(
  { spec }: Deployment,
  namespace: string,
  { client, signal }: { readonly client: SteeringDependencies["client"]; readonly signal: AbortSignal },
): Promise<readonly ReplicaSet[]> {
  const compiled = compileLabelSelector(spec.selector);
  if (!compiled.ok) return [];
  const labelSelector = formatLabelSelection(compiled.selection);
  return (await client.list(replicaSets, { namespace, labelSelector }, signal)).items;
}
