import { type FieldError, invalid, notSupported, required } from "../../api/field-error.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { protectionLimitOf } from "../../api/pod-protection.ts";
import { isJsonObject } from "../../api/json.ts";
import {
  podReplacementPolicyAnnotation,
  podReplacementPolicyOf,
  removalOrderProblem,
  scaleDownSpreadAnnotation,
  scaleDownSpreadOf,
} from "../../api/workload-settings.ts";
import { invalidSpreadMessage } from "../explain/spread-annotation.ts";
import type { RolloutAction } from "./action.ts";
import { annotationsOf } from "./annotations.ts";
import { resolveFenceposts, rollingLimits, strategyOf } from "./budget.ts";
import { countOf, isCount, replicasOf } from "./counts.ts";
import type { RolloutState } from "./state.ts";

/** What makes a Deployment malformed. No API server stores such a Deployment, but a file may contain one. */
export function deploymentFieldErrors(deployment: Deployment): readonly FieldError[] {
  const missing = ["metadata", "spec"].filter(
    (name) => !isJsonObject(deployment[name as "metadata" | "spec"]),
  );
  if (missing.length > 0) return missing.map((name) => required(name));
  const { spec, metadata } = deployment;
  const errors: FieldError[] = [];
  if (typeof metadata.name !== "string" || metadata.name === "") errors.push(required("metadata.name"));
  if (!isJsonObject(spec.selector)) errors.push(required("spec.selector"));
  if (!isJsonObject(spec.template)) errors.push(required("spec.template"));
  const replicas: unknown = spec.replicas ?? 1;
  if (!isCount(replicas))
    errors.push(invalid("spec.replicas", replicas, "must be a whole number that is not negative"));
  return [...errors, ...strategyDefects(deployment)];
}

function strategyDefects(deployment: Deployment): readonly FieldError[] {
  const strategy = strategyOf(deployment);
  if (strategy === undefined) {
    return [
      notSupported("spec.strategy.type", deployment.spec.strategy?.type, ["Recreate", "RollingUpdate"]),
    ];
  }
  const limits = rollingLimits(deployment);
  if (strategy === "Recreate" || resolveFenceposts(limits, replicasOf(deployment)) !== undefined) return [];
  const detail = "maxSurge and maxUnavailable must be whole numbers or percentages that are not negative";
  return [invalid("spec.strategy.rollingUpdate", limits, detail)];
}

/** The state without list entries that are no ReplicaSet or no Pod. */
export function withoutMalformedObjects(state: RolloutState): RolloutState {
  const { replicaSets, pods = [] } = state;
  return { ...state, replicaSets: replicaSets.filter(isReplicaSet), pods: pods.filter(isPod) };
}

/** Whether an entry has the name and the spec that make it a ReplicaSet. */
function isReplicaSet(replicaSet: ReplicaSet): boolean {
  const { metadata, spec }: Partial<ReplicaSet> = isJsonObject(replicaSet) ? replicaSet : {};
  return isJsonObject(spec) && isJsonObject(metadata) && typeof metadata.name === "string";
}

/** Whether an entry has the metadata that tell the owner of a Pod. */
function isPod(pod: Pod): boolean {
  const { metadata }: Partial<Pod> = isJsonObject(pod) ? pod : {};
  if (!isJsonObject(metadata)) return false;
  const owners: unknown = metadata.ownerReferences ?? [];
  return Array.isArray(owners) && owners.every(isJsonObject);
}

/** How much of an annotation's value an Event repeats. */
const shownLength = 60;

/**
 * Warns of a replacement policy that makes no sense, written as an annotation: no API server has validated it, and the
 * Deployment behaves as without a policy. Once for each change of the Deployment, which raises its generation.
 */
export function warnOfPolicy({ deployment, gates }: RolloutState): readonly RolloutAction[] {
  const { DeploymentPodReplacementPolicy: isOn, DeploymentReplicaSetTerminatingReplicas: counts } = gates;
  const value: unknown = annotationsOf(deployment)[podReplacementPolicyAnnotation];
  const isRead = isOn && counts && (deployment.spec.podReplacementPolicy ?? undefined) === undefined;
  if (!isRead || value === undefined || isObserved(deployment)) return [];
  if (podReplacementPolicyOf(deployment) !== undefined) return [];
  const message = `Annotation ${podReplacementPolicyAnnotation} is ${shown(value)}, which is neither "TerminationStarted" nor "TerminationComplete"; the Deployment has no pod replacement policy`;
  return [
    { kind: "record-event", event: { type: "Warning", reason: "InvalidPodReplacementPolicy", message } },
  ];
}

/** Warns of an annotation about scale-downs that makes no sense, also once for each change. */
export function warnOfSpread({ deployment }: RolloutState): readonly RolloutAction[] {
  if (scaleDownSpreadOf(deployment) !== "invalid" || isObserved(deployment)) return [];
  const message = invalidSpreadMessage(annotationsOf(deployment)[scaleDownSpreadAnnotation]);
  return [{ kind: "record-event", event: { type: "Warning", reason: "InvalidScaleDownSpread", message } }];
}

/** Warns of a removal order or a limit of protection that makes no sense, also once for each change. */
export function warnOfRemovals({ deployment, gates }: RolloutState): readonly RolloutAction[] {
  if (isObserved(deployment)) return [];
  const { problem: limit } = gates.PodRemovalProtection ? protectionLimitOf(deployment) : {};
  const order = removalOrderProblem(deployment);
  const problems = [
    ...(order === undefined ? [] : [{ reason: "InvalidRemovalOrder", message: order }]),
    ...(limit === undefined ? [] : [{ reason: "InvalidProtectionLimit", message: limit }]),
  ];
  return problems.map((problem) => ({ kind: "record-event", event: { type: "Warning", ...problem } }));
}

function isObserved({ metadata, status }: Deployment): boolean {
  return countOf(status?.observedGeneration) >= countOf(metadata.generation);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
