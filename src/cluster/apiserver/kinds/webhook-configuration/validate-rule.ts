import { invalid, required } from "../../../../api/field-error.ts";
import type { RuleWithOperations } from "../../../../api/generated/admissionregistration-v1.ts";
import { each, type FieldErrors, none, supported } from "../../../../api/field-checks.ts";
import type { Sent } from "../../../../api/sent.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

/** Validates a rule of a webhook: which operations on which resources it is called for. */
export function validateRule(rule: Sent<RuleWithOperations>, path: string): FieldErrors {
  return [
    ...validateList(
      rule.operations,
      `${path}.operations`,
      "if '*' is present, must not specify other operations",
    ),
    ...each(rule.operations, `${path}.operations`, (operation, at) => supported(operation, at, operations)),
    ...validateList(
      rule.apiGroups,
      `${path}.apiGroups`,
      "if '*' is present, must not specify other API groups",
    ),
    ...validateList(
      rule.apiVersions,
      `${path}.apiVersions`,
      "if '*' is present, must not specify other API versions",
    ),
    ...each(rule.apiVersions, `${path}.apiVersions`, (version, at) =>
      version === "" ? [required(at)] : none,
    ),
    ...validateResources(rule.resources ?? [], `${path}.resources`),
    ...supported(rule.scope, `${path}.scope`, ["*", "Cluster", "Namespaced"]),
  ];
}

/** Validates that a list has entries, and that its wildcard stands alone. */
function validateList(entries: readonly string[] = [], path: string, rule: string): FieldErrors {
  if (entries.length === 0) return [required(path)];
  return entries.length > 1 && entries.includes("*") ? [invalid(path, entries, rule)] : none;
}

/** Validates that no entry is already matched by a wildcard among the others. */
function validateResources(resources: readonly string[], path: string): FieldErrors {
  if (resources.length === 0) return [required(path)];
  const whole = resources.length > 1 && resources.includes("*/*");
  if (whole) return [invalid(path, resources, "if '*/*' is present, must not specify other resources")];
  const plain = resources.filter((entry) => !entry.includes("/"));
  const star = plain.length > 1 && plain.includes("*");
  return [
    ...each(resources, path, (entry, at) => validateResource(entry, at, resources)),
    ...(star
      ? [invalid(path, resources, "if '*' is present, must not specify other resources without subresources")]
      : none),
  ];
}

function validateResource(entry: string, path: string, all: readonly string[]): FieldErrors {
  if (entry === "") return [required(path)];
  const [resource = "", subresource] = entry.split("/");
  if (subresource === undefined) return none;
  if (resource !== "*" && all.includes(`*/${subresource}`))
    return [invalid(path, entry, `if '*/${subresource}' is present, must not specify ${entry}`)];
  if (subresource !== "*" && all.includes(`${resource}/*`))
    return [invalid(path, entry, `if '${resource}/*' is present, must not specify ${entry}`)];
  return none;
}
