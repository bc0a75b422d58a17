import type {
  Job,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from "../../api/generated/batch-v1.ts";
import type { ContainerStatus, Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";

/** What a policy says about the failure of a Pod. */
export type FailureVerdict =
  /** The failure counts towards the limits; so it does without a policy. */
  | { readonly kind: "count" }
  /** The failure does not count, and the Pod is replaced. */
  | { readonly kind: "ignore" }
  /** The index of the Pod has failed, however often it may be retried. */
  | { readonly kind: "fail-index" }
  | { readonly kind: "fail-job"; readonly message: string };

/** Applies the first rule of a Job's policy that matches a failed Pod. */
// upstream: matchPodFailurePolicy
export function judgeFailure({ spec }: Job, pod: Pod): FailureVerdict {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const match = matchOf(rule, pod);
    if (match !== undefined)
      return verdictOf(rule, `${match} matching ${rule.action} rule at index ${index}`);
  }
  return { kind: "count" };
}

function verdictOf({ action }: PodFailurePolicyRule, message: string): FailureVerdict {
  if (action === "FailJob") return { kind: "fail-job", message };
  if (action === "FailIndex") return { kind: "fail-index" };
  return { kind: action === "Ignore" ? "ignore" : "count" };
}

/** What in the Pod's status the rule matches, in words; absent when it does not match. */
function matchOf({ onExitCodes, onPodConditions }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const name = keyOf(pod);
  if (onExitCodes !== undefined) {
    const found = failedContainer(onExitCodes, pod);
    if (found === undefined) return undefined;
    return `Container ${found.name} for pod ${name} failed with exit code ${exitCodeOf(found)}`;
  }
  const condition = pod.status?.conditions?.find(({ type, status }) =>
    onPodConditions?.some((pattern) => pattern.type === type && (pattern.status ?? "True") === status),
  );
  return condition === undefined ? undefined : `Pod ${name} has condition ${condition.type}`;
}

function failedContainer(
  { containerName, operator, values }: PodFailurePolicyOnExitCodesRequirement,
  { status }: Pod,
): ContainerStatus | undefined {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return statuses.find((container) => {
    const exitCode = exitCodeOf(container);
    const isMeant = containerName === undefined || containerName === container.name;
    return isMeant && exitCode !== 0 && values.includes(exitCode) === (operator === "In");
  });
}

function exitCodeOf({ state }: ContainerStatus): number {
  return state?.terminated?.exitCode ?? 0;
}
