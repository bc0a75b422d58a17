import { invalid, required } from "../../../../api/field-error.ts";
import type {
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from "../../../../api/generated/core-v1.ts";
import { type FieldErrors, immutableField, none } from "../../../../api/field-checks.ts";
import type { ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

const podResources: ReadonlySet<string> = new Set([
  "pods",
  "cpu",
  "memory",
  "requests.cpu",
  "requests.memory",
  "limits.cpu",
  "limits.memory",
]);
const claimResources: ReadonlySet<string> = new Set(["persistentvolumeclaims", "requests.storage"]);

/** The resources that a quota of each scope can limit. */
const limitable: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["Terminating", podResources],
  ["NotTerminating", podResources],
  ["BestEffort", new Set(["pods"])],
  ["NotBestEffort", podResources],
  ["PriorityClass", podResources],
  ["CrossNamespacePodAffinity", podResources],
  ["VolumeAttributesClass", claimResources],
]);

/** Scopes without values. */
const plainScopes: ReadonlySet<string> = new Set([
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
]);
const contradictions = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];

/**
 * Validates the scopes of a quota, as a list and as a selector; `isStandard` reports whether a resource is not an
 * extended one.
 */
export function validateScopes(
  spec: Sent<ResourceQuotaSpec>,
  isStandard: (resource: string) => boolean,
): FieldErrors {
  const { scopes = [], scopeSelector, hard = {} } = spec;
  const { matchExpressions: requirements = [] } = scopeSelector ?? {};
  const limited = Object.keys(hard).filter(isStandard).toSorted();
  const selectorPath = "spec.scopeSelector.matchExpressions";
  return [
    ...scopes.flatMap((scope) => validateScope(scope, limited, { path: "spec.scopes", sent: scopes })),
    ...contradictionsIn(scopes, { path: "spec.scopes", sent: scopes }),
    ...requirements.flatMap((requirement) => [
      ...validateScope(requirement.scopeName ?? "", limited, { path: selectorPath, sent: scopeSelector }),
      ...validateRequirement(requirement, selectorPath),
    ]),
    ...contradictionsIn(
      requirements.map(({ scopeName = "" }) => scopeName),
      { path: selectorPath, sent: scopeSelector },
    ),
  ];
}

/** Validates that a quota keeps its scopes, in any order. */
export function validateSameScopes({ next, previous }: ObjectUpdate<Sent<ResourceQuotaSpec>>): FieldErrors {
  const { scopes = [] } = next;
  const before = new Set(previous.scopes);
  const isSame = before.size === new Set(scopes).size && scopes.every((scope) => before.has(scope));
  return isSame ? none : [immutableField("spec.scopes", scopes)];
}

/** The path of scopes, and how an error shows them. */
interface Place {
  readonly path: string;
  readonly sent: unknown;
}

function validateScope(scope: string, limited: readonly string[], { path, sent }: Place): FieldErrors {
  const resources = limitable.get(scope);
  if (resources === undefined)
    return path === "spec.scopes"
      ? [invalid(path, sent, "unsupported scope")]
      : [invalid(`${path}.scopeName`, scope, "unsupported scope")];
  return limited
    .filter((resource) => !resources.has(resource))
    .map(() => invalid(path, sent, "unsupported scope applied to resource"));
}

function contradictionsIn(scopes: readonly string[], { path, sent }: Place): FieldErrors {
  const found = contradictions.filter((pair) => pair.every((scope) => scopes.includes(scope)));
  return found.map(() => invalid(path, sent, "conflicting scopes"));
}

const onlyExists =
  "must be 'Exist' only operator when scope is any of ResourceQuotaScopeTerminating, " +
  "ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort and ResourceQuotaScopeNotBestEffort";

function validateRequirement(
  { scopeName = "", operator = "", values = [] }: Sent<ScopedResourceSelectorRequirement>,
  path: string,
): FieldErrors {
  const isPlain = plainScopes.has(scopeName) && operator !== "Exists";
  return [
    ...(isPlain ? [invalid(`${path}.operator`, operator, onlyExists)] : none),
    ...validateValues(operator, values, path),
  ];
}

function validateValues(operator: string, values: readonly string[], path: string): FieldErrors {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? none
        : [
            required(
              `${path}.values`,
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
            ),
          ];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? none
        : [
            invalid(
              `${path}.values`,
              values,
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
            ),
          ];
    default:
      return [invalid(`${path}.operator`, operator, "not a valid selector operator")];
  }
}
