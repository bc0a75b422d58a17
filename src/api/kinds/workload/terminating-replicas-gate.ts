import { withMember } from "../defaulting.ts";
import type { StrategyContext } from "../kind-strategy.ts";

interface WithTerminating {
  readonly terminatingReplicas?: number;
}

/** A status without its count of terminating Pods while the gate is off, unless the stored one has a count already. */
export function gateTerminatingReplicas<T extends WithTerminating>(
  status: T,
  stored: WithTerminating | undefined,
  { gates }: StrategyContext,
): T {
  if (gates.DeploymentReplicaSetTerminatingReplicas || stored?.terminatingReplicas !== undefined)
    return status;
  return status.terminatingReplicas === undefined
    ? status
    : withMember(status, "terminatingReplicas", undefined);
}
