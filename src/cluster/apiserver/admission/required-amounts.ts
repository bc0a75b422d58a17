import type { Container, Pod, PodSpec } from "../../../api/generated/core-v1.ts";
import type { Sent } from "../../../api/sent.ts";
import { type Amounts, readAmounts } from "../../quota/amounts.ts";

/** The resources that every container has to specify if a quota limits them. */
const required = ["cpu", "limits.cpu", "limits.memory", "memory", "requests.cpu", "requests.memory"];

/**
 * Lists the resources that a quota limits and containers do not specify: `limits.cpu for: app,sidecar; memory for:
 * app`.
 */
export function missingAmounts({ spec = {} }: Sent<Pod>, limited: Amounts): string {
  return required
    .filter((resource) => limited.has(resource))
    .map((resource) => ({ resource, names: withoutAmount(spec, resource) }))
    .filter(({ names }) => names.length > 0)
    .map(({ resource, names }) => `${resource} for: ${names.join(",")}`)
    .join("; ");
}

function withoutAmount(spec: Sent<PodSpec>, resource: string): readonly string[] {
  if (specifies(spec.resources, resource)) return [];
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
    .filter(({ resources }) => !specifies(resources, resource))
    .map(({ name = "" }) => name)
    .toSorted();
}

function specifies(resources: Sent<Container>["resources"], resource: string): boolean {
  const side = resource.startsWith("limits.") ? "limits" : "requests";
  return readAmounts(resources?.[side]).has(resource.replace(/^(limits|requests)\./, ""));
}
