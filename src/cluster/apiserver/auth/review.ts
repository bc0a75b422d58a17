import type { TokenReviewSpec, UserInfo } from "../../../api/generated/authentication-v1.ts";
import type {
  ResourceAttributes,
  SelfSubjectRulesReviewSpec,
  SubjectAccessReviewSpec,
} from "../../../api/generated/authorization-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Sent } from "../../../api/sent.ts";
import type { GroupKind } from "../../../api/resource.ts";
import { decodeRequestBody, expectedKindOf } from "../decoding/decode-body.ts";
import { metadataOf, withMetadata } from "../registry/object-meta.ts";
import { omit, pick } from "../registry/pick-omit.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { writeOptionsOf } from "../request/write-options.ts";
import type { ServerContext } from "../server-context.ts";
import { badRequest, invalidObject } from "../status-errors.ts";
import { reviewBody } from "../webhooks/review-body.ts";
import { type Access, distinctRules } from "./policy-rules.ts";
import { isAdmin, type User } from "./user.ts";
import { reviewSpecOf, validateReview, wiped } from "./validate-review.ts";

type Reviewer = (
  spec: JsonObject,
  request: {
    readonly user: User;
    readonly context: Pick<ServerContext, "authorizer" | "authenticate">;
    readonly namespace?: string | undefined;
  },
) => JsonObject;

const everything: JsonObject = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  incomplete: false,
};

/** Kinds that are created, answered in their status, and never stored. */
export const reviews: ReadonlyMap<string, Reviewer> = new Map<string, Reviewer>([
  ["SelfSubjectAccessReview", (spec, { user, context }) => access(context, user, spec)],
  ["SelfSubjectRulesReview", (spec, { user, context }) => rulesStatus(context, user, spec)],
  ["SelfSubjectReview", (_spec, { user }) => ({ userInfo: userInfo(user) as JsonObject })],
  ["SubjectAccessReview", (spec, { context }) => access(context, subjectOf(spec), spec)],
  ["LocalSubjectAccessReview", (spec, { context }) => access(context, subjectOf(spec), spec)],
  ["TokenReview", (spec, { context }) => tokenStatus(spec, context)],
]);

/** Reports whether a resource is a review. */
export function isReview({ group, kind }: GroupKind): boolean {
  return reviews.has(kind) && (group === "authentication.k8s.io" || group === "authorization.k8s.io");
}

/** Answers a review. */
export async function review(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, user } = request;
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "CreateOptions");
  const expected = expectedKindOf(resource);
  const { object: sent, ...decoded } = decodeRequestBody(request, expected, { validation: fieldValidation });
  const admission = context.webhooks.reviewOf(request, "CREATE", {
    name: metadataOf(sent).name ?? "",
    dryRun,
  });
  const object = admission === undefined ? sent : await reviewBody(admission, sent, expected);
  const spec = reviewSpecOf(object);
  const errors = validateReview(request, object);
  if (errors.length > 0) throw invalidObject(resource, "", errors);
  const status = reviews.get(resource.kind)?.(spec, { user, context }) ?? {};
  const value = withMetadata(
    { apiVersion: expected.apiVersion, kind: expected.kind, ...object, status },
    omit(metadataOf(object), wiped),
  );
  return { kind: "value", code: 201, value, warnings: [...decoded.warnings, ...(admission?.warnings ?? [])] };
}

/** Returns the user that an access review asks about. */
function subjectOf({ user = "", groups, uid }: Sent<SubjectAccessReviewSpec>): User {
  return { name: user, groups: groups ?? [], ...(uid !== undefined && { uid }) };
}

function access(
  { authorizer }: Pick<ServerContext, "authorizer">,
  user: User,
  { resourceAttributes, nonResourceAttributes }: Sent<SubjectAccessReviewSpec>,
): JsonObject {
  const { allowed, reason } = authorizer.decide(
    user,
    resourceAttributes === undefined
      ? { verb: nonResourceAttributes?.verb ?? "", path: nonResourceAttributes?.path ?? "" }
      : accessOf(resourceAttributes),
  );
  return { allowed, ...(reason !== "" && { reason }) };
}

function accessOf(attributes: Sent<ResourceAttributes>): Access {
  const { verb = "", group = "", resource = "", subresource = "", namespace = "", name = "" } = attributes;
  return {
    verb,
    group,
    resource,
    ...(subresource !== "" && { subresource }),
    ...(namespace !== "" && { namespace }),
    ...(name !== "" && { name }),
  };
}

function rulesStatus(
  { authorizer }: Pick<ServerContext, "authorizer">,
  user: User,
  { namespace = "" }: Sent<SelfSubjectRulesReviewSpec>,
): JsonObject {
  if (namespace === "") throw badRequest("no namespace on request");
  if (isAdmin(user)) return everything;
  const rules = distinctRules(authorizer.rulesOf(user, namespace));
  return {
    resourceRules: rules
      .filter(({ resources = [] }) => resources.length > 0)
      .map((rule) => pick(rule as JsonObject, ["verbs", "apiGroups", "resources", "resourceNames"])),
    nonResourceRules: rules
      .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
      .map((rule) => pick(rule as JsonObject, ["verbs", "nonResourceURLs"])),
    incomplete: false,
  };
}

function tokenStatus(
  { token = "", audiences = [] }: Sent<TokenReviewSpec>,
  { authenticate }: Pick<ServerContext, "authenticate">,
): JsonObject {
  if (token === "") throw badRequest("token is required for TokenReview in authentication");
  const identity = authenticate(token, audiences.length === 0 ? undefined : audiences);
  if (identity === undefined) return { user: {}, error: "invalid bearer token" };
  return {
    authenticated: true,
    user: userInfo(identity.user) as JsonObject,
    // A client that names no audience gets none in the answer.
    ...(audiences.length > 0 && { audiences: identity.audiences }),
  };
}

function userInfo({ name, uid, groups, extra }: User): UserInfo {
  return {
    username: name,
    ...(uid !== undefined && { uid }),
    groups,
    ...(extra !== undefined && { extra }),
  };
}
