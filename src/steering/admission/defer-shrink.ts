import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import type { JsonObject } from "../../api/json.ts";
import { countOf } from "../../decisions/rollout/counts.ts";
import {
  answerShrink,
  deferredLabel,
  readDeferred,
  type RequestedMetadata,
  type ShrinkAnswer,
  shrinkPatch,
  withoutDeferredPatch,
} from "../../decisions/stock/deferred-shrink.ts";
import { readHeld } from "../../decisions/stock/held-shrink.ts";
import { endDeferral } from "../deferral-label.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import { tellUnfulfilled } from "../unfulfilled.ts";
import { deploymentNameOf, watchedDeployment, watchedReplicaSet } from "./find-workload.ts";
import { type AdmissionAnswer, type AdmissionRequest, admitted, objectOf } from "./review.ts";
import type { SizeChange } from "./size-change.ts";

export interface DeferredAnswer {
  readonly answer: AdmissionAnswer;
  readonly outcome: "deferred" | "held" | "ready" | "too-late" | "not-needed";
}

/**
 * Answers a ReplicaSet that asks for a smaller size, at once and from what is on it: a worker of the stock controllers
 * waits for the answer. A forged request causes nothing, since all that is done is in the answer.
 */
export function deferShrink(
  change: SizeChange,
  request: AdmissionRequest,
  deps: SteeringDependencies,
): DeferredAnswer {
  const { old, asked } = change;
  const [object, oldObject] = [metadataOf(request.object), metadataOf(request.oldObject)];
  const deferred = readDeferred(oldObject.labels?.[deferredLabel]);
  const isProtecting = deps.gates().PodRemovalProtection;
  const held = isProtecting ? readHeld(oldObject.labels, object.labels) : undefined;
  const answered = answerShrink({ old, asked, deferred, held, isProtecting, now: deps.clock.now() });
  const generation = countOf(objectOf(request.oldObject?.["metadata"])?.["generation"]);
  const patch = shrinkPatch(answered, { old, asked, object, oldObject, generation });
  const warnings = warningsFor(answered, change, request);
  const outcome = outcomeOf(answered, deferred?.isReady === true);
  if (outcome === "too-late") tellNobodyDecided(change, deps);
  return { answer: { allowed: true, patch, ...(warnings.length > 0 && { warnings }) }, outcome };
}

function outcomeOf(answered: ShrinkAnswer, isReady: boolean): DeferredAnswer["outcome"] {
  if (answered.kind === "defer") return "deferred";
  if (answered.kind === "hold") return "held";
  if (answered.size === 0) return "not-needed";
  return isReady ? "ready" : "too-late";
}

function metadataOf(object: JsonObject | undefined): RequestedMetadata {
  const metadata = objectOf(object?.["metadata"]);
  return { labels: objectOf(metadata?.["labels"]), annotations: objectOf(metadata?.["annotations"]) };
}

/** A Deployment asks again by itself; whoever scales another ReplicaSet sees the old size, and is told why. */
function warningsFor(
  { kind }: ShrinkAnswer,
  { name, old, asked }: SizeChange,
  { oldObject }: AdmissionRequest,
): readonly string[] {
  if (kind === "admit" || isOfDeployment(oldObject)) return [];
  if (kind === "hold")
    return [
      `trimtab steer: protected pods hold ${name} back; its size is ${old} for now, and becomes ${asked} by itself`,
    ];
  return [
    `trimtab steer decides first which pods go, and then scales ${name} from ${old} to ${asked} by itself, within seconds`,
  ];
}

function isOfDeployment(object: JsonObject | undefined): boolean {
  return deploymentNameOf((object ?? {}) as unknown as ReplicaSet) !== undefined;
}

function tellNobodyDecided(change: SizeChange, deps: SteeringDependencies): void {
  const replicaSet = watchedReplicaSet(change, deps);
  if (replicaSet === undefined) return;
  const concerned = { replicaSet, deployment: watchedDeployment(replicaSet, deps) };
  const message = "No copy of trimtab steer has decided in time: the pods go by the cluster's own order";
  tellUnfulfilled(concerned, { cause: "TooLate", message }, deps);
}

/**
 * Answers a request that asks for the size there is. Whoever says that of a ReplicaSet that is to be scaled down wants it
 * to keep its Pods; one that changes something else says nothing about sizes. A Deployment asks anew by itself.
 */
export function repeatSize(request: AdmissionRequest, deps: SteeringDependencies): AdmissionAnswer {
  const { resource, oldObject, operation, isDryRun } = request;
  if (operation !== "UPDATE" || isDryRun) return admitted;
  if (resource === "replicasets/scale") return repeatScale(request, deps);
  const { labels } = metadataOf(oldObject);
  if (resource !== "replicasets" || labels?.[deferredLabel] === undefined) return admitted;
  if (changesAnything(request) || isOfDeployment(oldObject)) return admitted;
  return { allowed: true, patch: withoutDeferredPatch(labels) };
}

function changesAnything({ object, oldObject }: AdmissionRequest): boolean {
  const isSame = deepEqual(metadataOf(object), metadataOf(oldObject));
  return !isSame || !deepEqual(object?.["spec"], oldObject?.["spec"]);
}

/** A Scale has no labels to remove, so the ReplicaSet is written, if it is the one that the request is about. */
function repeatScale({ namespace, name, oldObject }: AdmissionRequest, deps: SteeringDependencies) {
  const replicaSet = deps.replicaSets.get(`${namespace}/${name}`);
  const { uid, resourceVersion } = objectOf(oldObject?.["metadata"]) ?? {};
  const isMeant =
    replicaSet?.metadata.uid === uid && replicaSet?.metadata.resourceVersion === resourceVersion;
  if (replicaSet !== undefined && isMeant) void endDeferral(replicaSet, deps);
  return admitted;
}
