import { type FieldError, invalid, notSupported } from "../../../../api/field-error.ts";
import type {
  BoundObjectReference,
  TokenRequest,
  TokenRequestSpec,
} from "../../../../api/generated/authentication-v1.ts";
import type { ServiceAccount } from "../../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../../api/json.ts";
import type { Sent } from "../../../../api/kinds/sent.ts";
import { formatTime } from "../../../../api/time.ts";
import { newUid } from "../../../../machinery/random/identifiers.ts";
import { apiAudience, type BoundObject } from "../../auth/service-account-tokens.ts";
import { decodeRequestBody } from "../../decoding/decode-body.ts";
import type { ApiRequest } from "../../request/api-request.ts";
import type { ApiResponse } from "../../request/api-response.ts";
import { writeOptionsOf } from "../../request/write-options.ts";
import type { ServerContext } from "../../server-context.ts";
import { conflict, invalidObject, notFound } from "../../status-errors.ts";
import { getStored } from "../../storage/stored-object.ts";
import { reviewBody } from "../../webhooks/review-body.ts";

const expected = {
  apiVersion: "authentication.k8s.io/v1",
  kind: "TokenRequest",
  type: "authentication.v1.TokenRequest",
};
const anHour = 3600;
const tenMinutes = 600;
const longest = 2 ** 32;

/** Handles a create of `serviceaccounts/token`: issues a token; a dry run checks everything and issues none. */
export async function createToken(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "CreateOptions");
  const { object: sent, ...decoded } = decodeRequestBody(request, expected, { validation: fieldValidation });
  const review = context.webhooks.reviewOf(request, "CREATE", { dryRun });
  const object = review === undefined ? sent : await reviewBody(review, sent, expected);
  const account = getStored(context, request).object as unknown as ServiceAccount;
  const { name, namespace = "" } = account.metadata;
  const spec = completeSpec((object as Sent<TokenRequest>).spec ?? {});
  const errors = problemsOf(spec);
  if (errors.length > 0)
    throw invalidObject({ group: "authentication.k8s.io", kind: "TokenRequest" }, "", errors);
  const bound = boundObject(context, namespace, spec.boundObjectRef);
  const now = context.clock.now();
  const expiresAt = now + spec.expirationSeconds * 1000;
  const { audiences } = spec;
  const grant = { account, audiences, expiresAt, bound, id: newUid(context.accessRandom) };
  const value = {
    kind: expected.kind,
    apiVersion: expected.apiVersion,
    metadata: { name, namespace, creationTimestamp: formatTime(now) },
    spec: spec as JsonObject,
    status: {
      expirationTimestamp: formatTime(expiresAt),
      token: dryRun ? "" : context.tokens.issue(grant),
    },
  };
  return { kind: "value", code: 201, warnings: [...decoded.warnings, ...(review?.warnings ?? [])], value };
}

type CompleteSpec = Sent<TokenRequestSpec> &
  Required<Pick<TokenRequestSpec, "audiences" | "expirationSeconds">>;

function completeSpec(spec: Sent<TokenRequestSpec>): CompleteSpec {
  const audiences = (spec.audiences ?? []).filter((audience) => audience !== "");
  return {
    ...spec,
    audiences: audiences.length === 0 ? [apiAudience] : audiences,
    expirationSeconds: spec.expirationSeconds ?? anHour,
  };
}

function problemsOf({ expirationSeconds: seconds, boundObjectRef: bound }: CompleteSpec): FieldError[] {
  const errors: FieldError[] = [];
  const path = "spec.expirationSeconds";
  if (seconds < tenMinutes)
    errors.push(invalid(path, seconds, "may not specify a duration less than 10 minutes"));
  if (seconds > longest)
    errors.push(invalid(path, seconds, "may not specify a duration larger than 2^32 seconds"));
  if (bound !== undefined && collectionOfKind.get(bound.kind ?? "") === undefined)
    errors.push(notSupported("spec.boundObjectRef.kind", bound.kind ?? "", [...collectionOfKind.keys()]));
  return errors;
}

const collectionOfKind: ReadonlyMap<string, string> = new Map([
  ["Node", "nodes"],
  ["Pod", "pods"],
  ["Secret", "secrets"],
]);

/** The object that a token is to be bound to; throws 404 when it is not there, 409 when it is another of that name. */
function boundObject(
  { store }: ServerContext,
  namespace: string,
  reference: Sent<BoundObjectReference> | undefined,
): BoundObject | undefined {
  if (reference === undefined) return undefined;
  const { kind = "", name = "", uid: wanted = "" } = reference;
  const resource = { group: "", plural: collectionOfKind.get(kind) ?? "" };
  const record = store.collection(resource.plural).get(kind === "Node" ? name : `${namespace}/${name}`);
  if (record === undefined) throw notFound(resource, name);
  const { uid } = record.object.metadata;
  if (wanted !== "" && wanted !== uid) throw conflict(resource, name, otherObject(wanted));
  return { kind: kind as BoundObject["kind"], name, uid };
}

const otherObject = (uid: string) =>
  `the UID in the bound object reference (${uid}) does not match the UID in record. ` +
  "The object might have been deleted and then recreated";
