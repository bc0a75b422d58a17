import { isJsonObject } from "../../api/json.ts";
import type { StatefulSet } from "../../api/generated/apps-v1.ts";
import type { PersistentVolumeClaim } from "../../api/generated/core-v1.ts";
import type { OwnerReference } from "../../api/generated/meta-v1.ts";
import { isBeingDeleted, type Draft } from "../../api/object.ts";
import type { StatefulState } from "./state.ts";

/** The claim templates of a set that have a name. */
export function claimTemplatesOf({ spec }: StatefulSet): readonly PersistentVolumeClaim[] {
  const templates: unknown = spec?.volumeClaimTemplates;
  if (!Array.isArray(templates)) return none;
  return (templates as readonly (PersistentVolumeClaim | null)[]).filter(
    (template): template is PersistentVolumeClaim => typeof template?.metadata?.name === "string",
  );
}
const none: readonly PersistentVolumeClaim[] = [];

/** The name of the claim that an ordinal has for a template. */
export function claimName(
  { metadata }: StatefulSet,
  template: Pick<PersistentVolumeClaim, "metadata">,
  ordinal: number,
): string {
  return `${template.metadata.name}-${metadata.name}-${ordinal}`;
}

/** The names of all claims of an ordinal. */
export function claimNamesOf(set: StatefulSet, ordinal: number): readonly string[] {
  return claimTemplatesOf(set).map((template) => claimName(set, template, ordinal));
}

/** The claims of an ordinal: those that exist, and drafts of those that do not. */
export interface OrdinalClaims {
  readonly existing: readonly PersistentVolumeClaim[];
  readonly missing: readonly Draft<PersistentVolumeClaim>[];
  /** The first existing claim that is being deleted: no Pod may use such a claim. */
  readonly deleting: PersistentVolumeClaim | undefined;
}

/** Looks up the claims of an ordinal; new ones get the owner references that its retention policy asks for. */
export function claimsOfOrdinal(
  { set, claims }: Pick<StatefulState, "set" | "claims">,
  ordinal: number,
  ownerReferences: readonly OwnerReference[],
): OrdinalClaims {
  const existing: PersistentVolumeClaim[] = [];
  const missing: Draft<PersistentVolumeClaim>[] = [];
  for (const template of claimTemplatesOf(set)) {
    const name = claimName(set, template, ordinal);
    const claim = claims.get(name);
    if (claim === undefined) missing.push(draftClaim(set, template, { name, ownerReferences }));
    else existing.push(claim);
  }
  return { existing, missing, deleting: existing.find(isBeingDeleted) };
}

interface ClaimIdentity {
  readonly name: string;
  readonly ownerReferences: readonly OwnerReference[];
}

function draftClaim(
  { metadata, spec }: StatefulSet,
  template: PersistentVolumeClaim,
  { name, ownerReferences }: ClaimIdentity,
): Draft<PersistentVolumeClaim> {
  const { labels, annotations, finalizers } = template.metadata;
  const selected: unknown = spec.selector?.matchLabels;
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      labels: { ...labels, ...(isJsonObject(selected) && spec.selector.matchLabels) },
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
      ...(ownerReferences.length > 0 && { ownerReferences }),
    },
    spec: template.spec,
  };
}
