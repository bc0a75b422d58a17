import { type FieldError, invalid } from "../../../../api/field-error.ts";
import type {
  BoundObjectReference,
  TokenRequest,
  TokenRequestSpec,
} from "../../../../api/generated/authentication-v1.ts";
import type { Pod, ServiceAccount } from "../../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../../api/json.ts";
import type { Sent } from "../../../../api/sent.ts";
import { formatTime } from "../../../../api/time.ts";
import { newUid } from "../../../../machinery/random/identifiers.ts";
import type { BoundObject } from "../../auth/service-account-tokens.ts";
import { decodeRequestBody } from "../../decoding/decode-body.ts";
import { withNameFromUrl } from "../../registry/name-from-url.ts";
import { tableSchema } from "../../schema/table-schema.ts";
import type { ApiRequest } from "../../request/api-request.ts";
import type { ApiResponse } from "../../request/api-response.ts";
import { writeOptionsOf } from "../../request/write-options.ts";
import type { Store } from "../../../store/store.ts";
import type { ServerContext } from "../../server-context.ts";
import { badRequest, conflict, invalidObject, notFoundError } from "../../status-errors.ts";
import { getStored, requestKey } from "../../storage/stored-object.ts";
import { reviewBody } from "../../webhooks/review-body.ts";

const expected = {
  apiVersion: "authentication.k8s.io/v1",
  kind: "TokenRequest",
  schema: tableSchema("authentication.v1.TokenRequest"),
};
const anHour = 3600;
const tenMinutes = 600;
const longest = 2 ** 32;

/** Handles a create of `serviceaccounts/token`: issues a token, which is never stored, in a dry run as well. */
export async function createToken(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "CreateOptions");
  const { object: body, ...decoded } = decodeRequestBody(request, expected, { validation: fieldValidation });
  checkName(request, body);
  const sent = withNameFromUrl(body, request);
  const review = context.webhooks.reviewOf(request, "CREATE", { dryRun });
  const object = review === undefined ? sent : await reviewBody(review, sent, expected);
  const account = getStored(context, request).object as unknown as ServiceAccount;
  const { name, namespace = "", uid } = account.metadata;
  checkUid((object as Sent<TokenRequest>).metadata?.uid, account);
  const spec = completeSpec((object as Sent<TokenRequest>).spec ?? {}, context.tokens.issuer);
  const errors = problemsOf(spec);
  if (errors.length > 0) throw invalidObject(tokenRequestKind, "", errors);
  const bound = boundObjects(context, account, spec.boundObjectRef);
  const now = context.clock.now();
  const expiresAt = now + spec.expirationSeconds * 1000;
  const { audiences } = spec;
  const grant = { account, audiences, expiresAt, bound, id: newUid(context.accessRandom) };
  const value = {
    kind: expected.kind,
    apiVersion: expected.apiVersion,
    metadata: { name, namespace, uid, creationTimestamp: formatTime(now) },
    spec: spec as JsonObject,
    status: { token: context.tokens.issue(grant), expirationTimestamp: formatTime(expiresAt) },
  };
  return { kind: "value", code: 201, warnings: [...decoded.warnings, ...(review?.warnings ?? [])], value };
}

const tokenRequestKind = { group: "authentication.k8s.io", kind: "TokenRequest" };

/** Throws 422, where other resources throw 400, when the body names another account than the path. */
function checkName({ name = "" }: ApiRequest, { metadata }: Sent<TokenRequest>): void {
  const { name: sent = "" } = metadata ?? {};
  if (sent === "" || sent === name) return;
  const why = "must match the service account name if specified";
  throw invalidObject(tokenRequestKind, name, [invalid("metadata.name", sent, why)]);
}

/** Throws 409 when the body names an earlier account of that name. */
function checkUid(sent = "", { metadata: { name, uid } }: ServiceAccount): void {
  if (sent === "" || sent === uid) return;
  const why = `the UID in the token request (${sent}) does not match the UID of the service account (${uid})`;
  throw conflict({ group: tokenRequestKind.group, plural: tokenRequestKind.kind }, name, why);
}

type CompleteSpec = Sent<TokenRequestSpec> &
  Required<Pick<TokenRequestSpec, "audiences" | "expirationSeconds">>;

function completeSpec(spec: Sent<TokenRequestSpec>, issuer: string): CompleteSpec {
  const { audiences = [], expirationSeconds = anHour } = spec;
  return { ...spec, audiences: audiences.length === 0 ? [issuer] : audiences, expirationSeconds };
}

function problemsOf({ expirationSeconds: seconds }: CompleteSpec): FieldError[] {
  const errors: FieldError[] = [];
  const path = "spec.expirationSeconds";
  if (seconds < tenMinutes)
    errors.push(invalid(path, seconds, "may not specify a duration less than 10 minutes"));
  if (seconds > longest)
    errors.push(invalid(path, seconds, "may not specify a duration larger than 2^32 seconds"));
  return errors;
}

const collectionOfKind: ReadonlyMap<string, string> = new Map([
  ["Node", "nodes"],
  ["Pod", "pods"],
  ["Secret", "secrets"],
]);

/**
 * Returns the objects that a token is bound to; a Pod's node follows it. Throws 400 for kinds it cannot be bound to,
 * 404 when the object does not exist, 409 when another object has its name.
 */
function boundObjects(
  { store }: ServerContext,
  account: ServiceAccount,
  reference: Sent<BoundObjectReference> | undefined,
): readonly BoundObject[] {
  if (reference === undefined) return [];
  const { kind = "", name = "", uid: wanted = "" } = reference;
  const plural = collectionFor(reference);
  const { namespace } = account.metadata;
  const record = store.collection(plural).get(requestKey(kind === "Node" ? { name } : { namespace, name }));
  if (record === undefined) throw notFoundError({ group: "", plural }, name);
  const nodes = kind === "Pod" ? nodeOf(store, account, record.object as unknown as Pod) : [];
  const { uid } = record.object.metadata;
  // upstream: the error names the kind, where others name the resource
  if (wanted !== "" && wanted !== uid) throw conflict({ group: "", plural: kind }, name, otherObject(wanted));
  return [{ kind: kind as BoundObject["kind"], name, uid }, ...nodes];
}

function collectionFor({ apiVersion = "", kind = "", name = "" }: Sent<BoundObjectReference>): string {
  const isCore = !apiVersion.includes("/");
  const plural = isCore ? collectionOfKind.get(kind) : undefined;
  if (plural !== undefined && name === "") throw badRequest("Name parameter required.");
  if (plural !== undefined) return plural;
  throw badRequest(`cannot bind token to object of type ${isCore ? "/" : ""}${apiVersion}, Kind=${kind}`);
}

/** Returns the node of a Pod, if it has one; throws 400 when the Pod runs as another account. */
function nodeOf(store: Store, account: ServiceAccount, { spec }: Pod): readonly BoundObject[] {
  const { nodeName = "", serviceAccountName = "" } = spec;
  const { name } = account.metadata;
  if (serviceAccountName !== name)
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(name)} to pod running with different serviceaccount name.`,
    );
  if (nodeName === "") return [];
  const uid = store.collection("nodes").get(nodeName)?.object.metadata.uid;
  return [{ kind: "Node", name: nodeName, ...(uid !== undefined && { uid }) }];
}

const otherObject = (uid: string) =>
  `the UID in the bound object reference (${uid}) does not match the UID in record. ` +
  "The object might have been deleted and then recreated";
