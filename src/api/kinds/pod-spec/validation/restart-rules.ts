import { required, tooMany } from "../../../field-error.ts";
import type { Container, ContainerRestartRule } from "../../../generated/core-v1.ts";
import { each, type FieldErrors, none, supported } from "../../field-checks.ts";
import type { Sent } from "../../sent.ts";

const maxRules = 20;
const maxExitCodes = 255;

/** Validates when a single container is started again. */
export function validateRestartRules(
  { restartPolicy, restartPolicyRules }: Sent<Container>,
  path: string,
): FieldErrors {
  const rules = restartPolicyRules ?? [];
  const missing = restartPolicy === undefined && rules.length > 0;
  const at = `${path}.restartPolicyRules`;
  return [
    ...(missing
      ? [required(`${path}.restartPolicy`, "must specify restartPolicy when restart rules are used")]
      : none),
    ...supported(restartPolicy, `${path}.restartPolicy`, ["Always", "Never", "OnFailure"]),
    ...(rules.length > maxRules ? [tooMany(at, rules.length, maxRules)] : none),
    ...each(rules, at, validateRule),
  ];
}

function validateRule({ action = "", exitCodes }: Sent<ContainerRestartRule>, path: string): FieldErrors {
  const known = supported(action, `${path}.action`, ["Restart", "RestartAllContainers"]);
  if (exitCodes === undefined) return [...known, required(`${path}.exitCodes`, "must be specified")];
  const { operator = "", values = [] } = exitCodes;
  const crowded = values.length > maxExitCodes;
  return [
    ...known,
    ...supported(operator, `${path}.exitCodes.operator`, ["In", "NotIn"]),
    ...(crowded ? [tooMany(`${path}.exitCodes.values`, values.length, maxExitCodes)] : none),
  ];
}
