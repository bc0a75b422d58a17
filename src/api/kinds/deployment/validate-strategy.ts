import { forbidden, invalid, notSupported, required } from "../../field-error.ts";
import type { DeploymentStrategy, RollingUpdateDeployment } from "../../generated/apps-v1.ts";
import { type FieldErrors, none } from "../field-checks.ts";
import type { Sent } from "../sent.ts";
import { amountOf, atMostAll, countOrPercent } from "../workload/count-or-percent.ts";

/** Validates how a Deployment replaces its Pods. */
export function validateStrategy(strategy: Sent<DeploymentStrategy>, path: string): FieldErrors {
  const { type = "", rollingUpdate } = strategy;
  const at = `${path}.rollingUpdate`;
  switch (type) {
    case "Recreate":
      return rollingUpdate === undefined
        ? none
        : [forbidden(at, "may not be specified when strategy `type` is 'Recreate'")];
    case "RollingUpdate":
      return rollingUpdate === undefined
        ? [required(at, "this should be defaulted and never be nil")]
        : validateBudgets(rollingUpdate, at);
    default:
      return [notSupported(path, strategy, ["Recreate", "RollingUpdate"])];
  }
}

function validateBudgets(
  { maxUnavailable = 0, maxSurge = 0 }: Sent<RollingUpdateDeployment>,
  path: string,
): FieldErrors {
  const stuck = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0;
  const at = `${path}.maxUnavailable`;
  return [
    ...countOrPercent(maxUnavailable, at),
    ...countOrPercent(maxSurge, `${path}.maxSurge`),
    ...(stuck ? [invalid(at, maxUnavailable, "may not be 0 when `maxSurge` is 0")] : none),
    ...atMostAll(maxUnavailable, at),
  ];
}
