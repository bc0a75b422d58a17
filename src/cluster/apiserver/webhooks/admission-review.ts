import { base64Bytes } from "../../../api/base64.ts";
import { utf8Text } from "../../../api/bytes.ts";
import type { Status } from "../../../api/generated/meta-v1.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { parseJson } from "../../../api/parse-json.ts";
import type { Resource } from "../../../api/resource.ts";
import { type Authorizing, authorizerValues } from "../admission/expression-variables.ts";
import type { User } from "../auth/user.ts";
import { type AdmissionAttributes, type ReviewedObjects, reviewedKindOf } from "./admission-request.ts";
import type { GroupVersionKind } from "../openapi/group-version-kinds.ts";
import type { ConditionInput } from "./match-conditions/evaluate-conditions.ts";
import type { WebhookInvocation, WebhookType } from "./webhook.ts";

const apiVersion = "admission.k8s.io/v1";
const kind = "AdmissionReview";

/** A request with its objects, in the version that a webhook asked for. */
export type ReviewedRequest = AdmissionAttributes & ReviewedObjects;

/** Returns the AdmissionReview that is sent to a webhook. */
export function admissionReview(
  request: ReviewedRequest,
  invocation: WebhookInvocation,
  uid: string,
): JsonObject {
  const { object = null, oldObject = null } = request;
  return { kind, apiVersion, request: { uid, ...attributesOf(request, invocation), object, oldObject } };
}

/** Returns the values that match conditions read. */
export function conditionInput(
  request: ReviewedRequest,
  invocation: Pick<WebhookInvocation, "resource">,
  authorizer: Authorizing,
): ConditionInput {
  const { object = null, oldObject = null } = request;
  const authorization = authorizerValues(request, authorizer);
  return { object, oldObject, request: attributesOf(request, invocation), authorization };
}

function attributesOf(
  request: ReviewedRequest,
  { resource }: Pick<WebhookInvocation, "resource">,
): JsonObject {
  const { subresource, operation, name, namespace, user, dryRun, options } = request;
  return {
    kind: kindOf(reviewedKindOf(resource, subresource)),
    resource: resourceOf(resource),
    ...(subresource !== "" && { subResource: subresource }),
    requestKind: kindOf(reviewedKindOf(request.resource, subresource)),
    requestResource: resourceOf(request.resource),
    ...(subresource !== "" && { requestSubResource: subresource }),
    ...(name !== "" && { name }),
    ...(namespace !== "" && { namespace }),
    operation,
    userInfo: userInfoOf(user),
    dryRun,
    options,
  };
}

function userInfoOf({ name, groups, uid, extra }: User): JsonObject {
  return { username: name, ...(uid !== undefined && { uid }), groups, ...(extra !== undefined && { extra }) };
}

function kindOf({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

function resourceOf({ group, version, plural }: Pick<Resource, "group" | "version" | "plural">): JsonObject {
  return { group, version, resource: plural };
}

/** The answer of a webhook. */
export type WebhookVerdict =
  | { readonly kind: "allowed"; readonly patch: Json | undefined; readonly warnings: readonly string[] }
  | { readonly kind: "denied"; readonly status: Status; readonly warnings: readonly string[] }
  /** The answer is not a review. */
  | { readonly kind: "invalid"; readonly why: string }
  /** The request is allowed with a patch that cannot be read. */
  | { readonly kind: "bad-patch"; readonly why: string };

/** Reads the body of a response. */
export function readVerdict(body: string, type: WebhookType, uid: string): WebhookVerdict {
  const parsed = parseJson(body);
  if (!parsed.ok) return unreadable(`couldn't get version/kind; json parse error: ${parsed.error}`);
  if (!isJsonObject(parsed.value)) return unreadable("couldn't get version/kind: the body is not an object");
  const review = parsed.value;
  const { response } = review;
  if (!isJsonObject(response)) return invalidResponse("webhook response was absent");
  if (response["uid"] !== uid)
    return invalidResponse(`expected response.uid=${quoted(uid)}, got ${quoted(textOf(response["uid"]))}`);
  if (review["apiVersion"] !== apiVersion || review["kind"] !== kind) {
    const got = `${textOf(review["apiVersion"])}, Kind=${textOf(review["kind"])}`;
    return invalidResponse(`expected webhook response of ${apiVersion}, Kind=${kind}, got ${got}`);
  }
  return type === "mutating" ? mutatingVerdict(response) : validatingVerdict(response);
}

function unreadable(why: string): WebhookVerdict {
  return { kind: "invalid", why: `failed to call webhook: ${why}` };
}

function invalidResponse(why: string): WebhookVerdict {
  return { kind: "invalid", why: `received invalid webhook response: ${why}` };
}

function validatingVerdict(response: JsonObject): WebhookVerdict {
  if (isPresent(response["patch"]))
    return invalidResponse("validating webhook may not return response.patch");
  if (isPresent(response["patchType"]))
    return invalidResponse("validating webhook may not return response.patchType");
  return decision(response) ?? { kind: "allowed", patch: undefined, warnings: warningsOf(response) };
}

function mutatingVerdict(response: JsonObject): WebhookVerdict {
  const { patch, patchType } = response;
  if (isPresent(patch) && !isPresent(patchType))
    return invalidResponse("webhook returned response.patch but not response.patchType");
  if (!isPresent(patch) && isPresent(patchType))
    return invalidResponse("webhook returned response.patchType but not response.patch");
  const refused = decision(response);
  if (refused !== undefined) return refused;
  const warnings = warningsOf(response);
  if (!isPresent(patch)) return { kind: "allowed", patch: undefined, warnings };
  if (patchType !== "JSONPatch")
    return invalidResponse(`unsupported patch type ${quoted(textOf(patchType))}`);
  if (typeof patch !== "string") return invalidResponse("response.patch is not a base64 text");
  const operations = parseJson(utf8Text(base64Bytes(patch)));
  return operations.ok
    ? { kind: "allowed", patch: operations.value, warnings }
    : { kind: "bad-patch", why: operations.error };
}

/** Returns the denial, or why the response neither allows nor denies; `undefined` when the request is allowed. */
function decision(response: JsonObject): WebhookVerdict | undefined {
  const { allowed = false, status } = response;
  if (typeof allowed !== "boolean") return invalidResponse("response.allowed is not a boolean");
  if (allowed) return undefined;
  return {
    kind: "denied",
    status: isJsonObject(status) ? statusOf(status) : {},
    warnings: warningsOf(response),
  };
}

/** Returns the members of a Status that have the right types; all others are dropped. */
function statusOf({ code, message, reason, details }: JsonObject): Status {
  return {
    ...(typeof code === "number" && Number.isInteger(code) && code < 600 && { code }),
    ...(typeof message === "string" && { message }),
    ...(typeof reason === "string" && { reason }),
    ...(isJsonObject(details) && { details }),
  };
}

function warningsOf({ warnings }: JsonObject): readonly string[] {
  return Array.isArray(warnings) ? warnings.filter((each) => typeof each === "string") : [];
}

/** Reports whether a value is present: null, an empty text and an absent member are the same in this API. */
function isPresent(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== "";
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
