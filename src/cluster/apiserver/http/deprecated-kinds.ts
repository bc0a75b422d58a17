import { qualifiedKind, type GroupKind } from "../../../api/resource.ts";

/** The warning in every response about a deprecated kind. */
const warnings: ReadonlyMap<string, string> = new Map([
  ["Endpoints", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
  ["ComponentStatus", "v1 ComponentStatus is deprecated in v1.19+"],
]);

/** Returns the deprecation warning of a kind, if it is deprecated. */
export function deprecationWarning(resource: GroupKind): string | undefined {
  return warnings.get(qualifiedKind(resource));
}
