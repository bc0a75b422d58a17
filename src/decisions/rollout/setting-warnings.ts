import type { Deployment } from "../../api/generated/apps-v1.ts";
import { podReplacementPolicyAnnotation, podReplacementPolicyOf } from "../../api/workload-settings.ts";
import type { RolloutAction } from "./action.ts";
import { annotationsOf } from "./annotations.ts";
import { countOf } from "./counts.ts";
import type { RolloutState } from "./state.ts";

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

function isObserved({ metadata, status }: Deployment): boolean {
  return countOf(status?.observedGeneration) >= countOf(metadata.generation);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
