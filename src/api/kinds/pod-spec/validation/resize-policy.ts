import { duplicate, invalid } from "../../../field-error.ts";
import type { Container } from "../../../generated/core-v1.ts";
import { each, type FieldErrors, none, requiredOneOf } from "../../field-checks.ts";
import type { Sent } from "../../sent.ts";

/** Validates what a change of resources does to a container; upstream puts these errors at the list. */
export function validateResizePolicy(
  { resizePolicy }: Sent<Container>,
  path: string,
  podRestartPolicy: string,
): FieldErrors {
  const names = new Set<string>();
  return each(resizePolicy, path, ({ resourceName = "", restartPolicy = "" }, at) => {
    const isRepeated = names.has(resourceName);
    names.add(resourceName);
    const restarts = podRestartPolicy === "Never" && restartPolicy !== "NotRequired";
    const rule = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
    return [
      ...(isRepeated ? [duplicate(at, resourceName)] : none),
      ...requiredOneOf(resourceName, path, ["cpu", "memory"]),
      ...requiredOneOf(restartPolicy, path, ["NotRequired", "RestartContainer"]),
      ...(restarts ? [invalid(path, restartPolicy, rule)] : none),
    ];
  });
}
