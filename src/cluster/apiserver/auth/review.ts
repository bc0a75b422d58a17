import type { UserInfo } from "../../../api/generated/authentication-v1.ts";
import { type FieldError, invalid } from "../../../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import type { GroupKind } from "../../../api/resource.ts";
import { decodeRequestBody, expectedKindOf } from "../decoding/decode-body.ts";
import { metadataOf, withMetadata } from "../registry/object-meta.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { writeOptionsOf } from "../request/write-options.ts";
import type { ServerContext } from "../server-context.ts";
import { invalidObject } from "../status-errors.ts";
import { adminGroup, isAdmin, type User } from "./user.ts";

type Reviewer = (
  spec: JsonObject,
  request: { readonly user: User; readonly context: ServerContext },
) => JsonObject;

const everything: JsonObject = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  incomplete: false,
};
const nothing: JsonObject = { resourceRules: [], nonResourceRules: [], incomplete: false };

/** Kinds that are created, answered in their status, and never stored. */
export const reviews: ReadonlyMap<string, Reviewer> = new Map<string, Reviewer>([
  ["SelfSubjectAccessReview", (_spec, { user }) => access(user.groups)],
  ["SelfSubjectRulesReview", (_spec, { user }) => (isAdmin(user) ? everything : nothing)],
  ["SelfSubjectReview", (_spec, { user }) => ({ userInfo: userInfo(user) as JsonObject })],
  ["SubjectAccessReview", (spec) => access(spec["groups"])],
  ["LocalSubjectAccessReview", (spec) => access(spec["groups"])],
  ["TokenReview", (spec, { context }) => token(spec["token"], context)],
]);

/** Whether a resource is a review. */
export function isReview({ group, kind }: GroupKind): boolean {
  return reviews.has(kind) && (group === "authentication.k8s.io" || group === "authorization.k8s.io");
}

const accessReviews: ReadonlySet<string> = new Set([
  "SelfSubjectAccessReview",
  "SubjectAccessReview",
  "LocalSubjectAccessReview",
]);

/** Validates that an access review says what is to be accessed, and by whom. */
function validateReview(kind: string, spec: JsonObject): readonly FieldError[] {
  if (!accessReviews.has(kind)) return [];
  const { user = "", groups } = spec;
  const hasSubject = user !== "" || (Array.isArray(groups) && groups.length > 0);
  if (kind === "SelfSubjectAccessReview" || hasSubject) return validateAttributes(spec);
  return [
    ...validateAttributes(spec),
    invalid("spec.user", user, "at least one of user or group must be specified"),
  ];
}

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

/** Answers a review. */
export async function review(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, user } = request;
  const { fieldValidation } = writeOptionsOf(request.options, "CreateOptions");
  const expected = expectedKindOf(resource);
  const { object, warnings } = decodeRequestBody(request, expected, { validation: fieldValidation });
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  const errors = validateReview(resource.kind, spec);
  if (errors.length > 0) throw invalidObject(resource, metadataOf(object).name ?? "", errors);
  const status = reviews.get(resource.kind)?.(spec, { user, context }) ?? {};
  const value = withMetadata(
    { apiVersion: expected.apiVersion, kind: expected.kind, ...object, status },
    metadataOf(object),
  );
  return { kind: "value", code: 201, value, warnings };
}

function access(groups: unknown): JsonObject {
  return Array.isArray(groups) && groups.includes(adminGroup)
    ? { allowed: true, reason: `members of ${adminGroup} may do everything` }
    : { allowed: false, reason: `only members of ${adminGroup} may do anything here` };
}

function token(text: unknown, { authenticate }: ServerContext): JsonObject {
  const user = typeof text === "string" ? authenticate(text) : undefined;
  return user === undefined
    ? { authenticated: false }
    : { authenticated: true, user: userInfo(user) as JsonObject };
}

function userInfo({ name, groups }: User): UserInfo {
  return { username: name, groups };
}
