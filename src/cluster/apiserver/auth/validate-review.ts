import { type FieldError, invalid } from "../../../api/field-error.ts";
import type { SubjectAccessReviewSpec } from "../../../api/generated/authorization-v1.ts";
import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import type { Sent } from "../../../api/sent.ts";
import { metadataOf } from "../registry/object-meta.ts";
import { omit } from "../registry/pick-omit.ts";
import type { ApiRequest } from "../request/api-request.ts";
import { validateSelectors } from "./validate-selectors.ts";

const accessReviews: ReadonlySet<string> = new Set([
  "SelfSubjectAccessReview",
  "SubjectAccessReview",
  "LocalSubjectAccessReview",
]);

/** Validates that an access review names the access and the user, and nothing else. */
export function validateReview(
  { resource, namespace = "" }: ApiRequest,
  object: JsonObject,
): readonly FieldError[] {
  const { kind } = resource;
  if (!accessReviews.has(kind)) return [];
  const spec = reviewSpecOf(object);
  const isLocal = kind === "LocalSubjectAccessReview";
  return [
    ...validateAttributes(spec),
    ...validateSelectors(spec),
    ...(kind === "SelfSubjectAccessReview" ? [] : validateSubject(spec)),
    ...validateNoMetadata(metadataOf(object), isLocal ? { namespace } : {}),
    ...(isLocal ? validateLocal(spec, namespace) : []),
  ];
}

function validateSubject({ user = "", groups }: JsonObject): readonly FieldError[] {
  if (user !== "" || (Array.isArray(groups) && groups.length > 0)) return [];
  return [invalid("spec.user", user, "at least one of user or group must be specified")];
}

/** Validates that a review in a namespace is about that namespace. */
function validateLocal(
  { resourceAttributes, nonResourceAttributes }: Sent<SubjectAccessReviewSpec>,
  namespace: string,
): readonly FieldError[] {
  const { namespace: asked = "" } = resourceAttributes ?? { namespace };
  const path = "spec.resourceAttributes.namespace";
  return [
    ...(asked === namespace ? [] : [invalid(path, asked, "must match metadata.namespace")]),
    ...(nonResourceAttributes === undefined
      ? []
      : [invalid("spec.nonResourceAttributes", nonResourceAttributes, "disallowed on this kind of request")]),
  ];
}

/** Validates that a review has no metadata except what the server sets: the namespace, where it has one. */
function validateNoMetadata(metadata: ObjectMeta, own: Pick<ObjectMeta, "namespace">): readonly FieldError[] {
  const others = omit(metadata, [...wiped, "namespace", "managedFields"]);
  if (Object.keys(others).length === 0) return [];
  const rule = own.namespace === undefined ? "must be empty" : "must be empty except for namespace";
  return [invalid("metadata", { ...others, ...own }, rule)];
}

/** The fields that the server clears in every new object before it is validated. */
// upstream: WipeObjectMetaSystemFields
export const wiped = [
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "selfLink",
  "uid",
] as const;

/** Returns the spec of a review; a spec that is not an object counts as empty. */
export const reviewSpecOf = ({ spec }: JsonObject): JsonObject => (isJsonObject(spec) ? spec : {});

function validateAttributes({
  resourceAttributes,
  nonResourceAttributes,
}: JsonObject): readonly FieldError[] {
  const ofResource = resourceAttributes !== undefined;
  if (ofResource !== (nonResourceAttributes !== undefined)) return [];
  if (ofResource) {
    const rule = "cannot be specified in combination with resourceAttributes";
    return [invalid("spec.nonResourceAttributes", nonResourceAttributes, rule)];
  }
  const rule = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  return [invalid("spec.resourceAttributes", null, rule)];
}
