import type { Status } from "../../api/generated/meta-v1.ts";
import { toBase64 } from "../../api/base64.ts";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { parseJson } from "../../api/parse-json.ts";

/** The part of an AdmissionReview request that is read; nothing in it is trusted. */
export interface AdmissionRequest {
  readonly uid: string;
  /** `replicasets`, or `replicasets/scale`. */
  readonly resource: string;
  readonly operation: string;
  readonly namespace: string;
  readonly name: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly isDryRun: boolean;
}

/** What is answered. */
export type AdmissionAnswer =
  | { readonly allowed: true; readonly patch?: readonly JsonObject[]; readonly warnings?: readonly string[] }
  | { readonly allowed: false; readonly status: Status };

/** The request passes as it is. */
export const admitted: AdmissionAnswer = { allowed: true };

export type ReadReview =
  | { readonly ok: true; readonly request: AdmissionRequest }
  | { readonly ok: false; readonly problem: string };

const apiVersion = "admission.k8s.io/v1";
const kind = "AdmissionReview";

/** Reads the body of a webhook call; the problem is one sentence. */
export function readReview(text: string): ReadReview {
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, problem: parsed.error };
  const review = parsed.value;
  if (!isJsonObject(review) || review["apiVersion"] !== apiVersion || review["kind"] !== kind)
    return { ok: false, problem: `must be an ${kind} of ${apiVersion}` };
  const { request } = review;
  if (!isJsonObject(request)) return { ok: false, problem: "request: must be an object" };
  const uid = textOf(request["uid"]);
  if (uid === "" || uid.length > 128) return { ok: false, problem: "request.uid: must be a UID" };
  return { ok: true, request: requestOf(request, uid) };
}

function requestOf(request: JsonObject, uid: string): AdmissionRequest {
  const resource = objectOf(request["resource"]);
  const subresource = textOf(request["subResource"]);
  const plural = textOf(resource?.["resource"]);
  return {
    uid,
    resource: subresource === "" ? plural : `${plural}/${subresource}`,
    operation: textOf(request["operation"]),
    namespace: textOf(request["namespace"]),
    name: textOf(request["name"]),
    object: objectOf(request["object"]),
    oldObject: objectOf(request["oldObject"]),
    isDryRun: request["dryRun"] === true,
  };
}

/** The review that answers a request. */
export function answerReview({ uid }: Pick<AdmissionRequest, "uid">, answer: AdmissionAnswer): JsonObject {
  return { apiVersion, kind, response: { uid, ...responseOf(answer) } };
}

function responseOf(answer: AdmissionAnswer): JsonObject {
  if (!answer.allowed) return { allowed: false, status: { ...answer.status } as JsonObject };
  const { patch = [], warnings = [] } = answer;
  return {
    allowed: true,
    ...(patch.length > 0 && {
      patchType: "JSONPatch",
      patch: toBase64(new TextEncoder().encode(JSON.stringify(patch))),
    }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** A member that is an object. */
export function objectOf(value: Json | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** A member that is a text; empty otherwise. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
