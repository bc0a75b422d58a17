import { qualifiedKind, type GroupKind } from "../../../api/resource.ts";

/** The sentence that every response about a deprecated kind warns with. */
const warnings: ReadonlyMap<string, string> = new Map([
  ["Endpoints", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
  ["ComponentStatus", "v1 ComponentStatus is deprecated in v1.19+"],
]);

/** The warning that a kind is deprecated, if it is. */
export function deprecationWarning(resource: GroupKind): string | undefined {
  return warnings.get(qualifiedKind(resource));
}
