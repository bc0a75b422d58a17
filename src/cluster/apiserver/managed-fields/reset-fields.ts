import { qualifiedName } from "../../../api/resource.ts";
import type { ServedResource } from "../served-resource.ts";
import { type FieldSet, leaf } from "./field-set.ts";

/** Metadata that `/status` does not change, for the kinds that restrict more than the others (upstream: GetResetFields). */
const keptMetadata: ReadonlyMap<string, FieldSet> = new Map([
  ["deployments.apps", { "f:labels": leaf }],
  ["pods", { "f:deletionTimestamp": leaf, "f:ownerReferences": leaf }],
]);

const mainReset: FieldSet = { "f:status": leaf };
const nothing: FieldSet = {};

/** Returns the fields that a request cannot change, so that its manager does not own them. */
export function resetFieldsOf(resource: ServedResource, subresource: string | undefined): FieldSet {
  if (subresource === undefined) return resource.strategy.ordinaryStatus === true ? nothing : mainReset;
  const { structure } = resource.schema;
  const members = structure.kind === "struct" ? [...structure.members.keys()] : [];
  const others = members.filter((name) => name !== "metadata" && name !== "status");
  const metadata = keptMetadata.get(qualifiedName(resource));
  return {
    ...Object.fromEntries(others.map((name) => [`f:${name}`, leaf])),
    ...(metadata !== undefined && { "f:metadata": metadata }),
  };
}
