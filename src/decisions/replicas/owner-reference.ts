import type { OwnerReference } from "../../api/generated/meta-v1.ts";
import { apiVersionOf, type Resource } from "../../api/resource.ts";
import type { ReplicaOwner } from "./replica-owner.ts";

/** How a Pod names the owner that controls it. */
export function ownerReference(
  resource: Resource,
  { metadata }: ReplicaOwner,
): OwnerReference & { readonly controller: true; readonly blockOwnerDeletion: true } {
  const { name, uid } = metadata;
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}
