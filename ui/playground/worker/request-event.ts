import { isJsonObject, type JsonObject } from "../../../src/api/json.ts";
import {
  requestInfoOf,
  type ResourceRequestInfo,
} from "../../../src/cluster/apiserver/http/request/request-info.ts";
import type { OutgoingRequest } from "../../../src/machinery/client/http/request.ts";
import { findObject } from "../../../src/simulation/scenario-files/find-resource.ts";

/** What a request that succeeded was, as a scenario sees it. */
export type RequestEvent =
  | { readonly kind: "reads" }
  | { readonly kind: "event"; readonly done: JsonObject }
  /** It changes something, and no event says so. */
  | { readonly kind: "missing" };

const reads: RequestEvent = { kind: "reads" };
const missing: RequestEvent = { kind: "missing" };

const patchTypes: Readonly<Record<string, string>> = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
};

/** Groups whose objects are questions: creating one changes nothing. */
const asking: ReadonlySet<string> = new Set(["authorization.k8s.io", "authentication.k8s.io"]);

/** Says what a request of a user changes as what an event of a scenario does. */
export function eventOfRequest(request: OutgoingRequest): RequestEvent {
  const [path = "", query] = request.path.split("?");
  if (request.method === "GET" || new URLSearchParams(query).has("dryRun")) return reads;
  const info = requestInfoOf(path);
  if (info.to === "non-resource") return missing;
  if (asking.has(info.group)) return reads;
  const type = info.group === "" ? info.plural : `${info.plural}.${info.group}`;
  // Scenarios name kinds of Kubernetes only.
  if (typeof findObject(`${type}/${info.name ?? "a"}`) === "string") return missing;
  const body: unknown = request.body === undefined ? undefined : JSON.parse(request.body);
  return changeOf(request, { info, type, body });
}

interface Sent {
  readonly info: ResourceRequestInfo;
  /** `deployments.apps`. */
  readonly type: string;
  readonly body: unknown;
}

function changeOf({ method, contentType = "" }: OutgoingRequest, sent: Sent): RequestEvent {
  const { name, namespace } = sent.info;
  if (method === "POST" && name === undefined) return created(sent.body, namespace);
  if (name === undefined) return missing;
  const target = { object: `${sent.type}/${name}`, ...(namespace !== undefined && { namespace }) };
  if (method === "DELETE") return deleted(target, sent);
  return method === "PATCH" ? patched(target, patchTypes[contentType], sent) : missing;
}

function deleted(target: JsonObject, { info, body }: Sent): RequestEvent {
  return info.subresource === undefined && isPlainDeletion(body)
    ? { kind: "event", done: { delete: target } }
    : missing;
}

function patched(target: JsonObject, type: string | undefined, { info, body }: Sent): RequestEvent {
  const { subresource } = info;
  if (type === undefined) return missing;
  const patch = { ...target, type, patch: body as JsonObject };
  if (subresource === undefined) return { kind: "event", done: { patch } };
  return subresource === "scale" || subresource === "status"
    ? { kind: "event", done: { patch: { ...patch, subresource } } }
    : missing;
}

function created(body: unknown, namespace: string | undefined): RequestEvent {
  if (!isJsonObject(body) || !isJsonObject(body["metadata"])) return missing;
  const { metadata } = body;
  if (typeof metadata["name"] !== "string") return missing; // the server makes one up
  const placed = namespace === undefined ? metadata : { ...metadata, namespace };
  return { kind: "event", done: { apply: [{ ...body, metadata: placed }] } };
}

/** Events delete as `kubectl delete` does without flags. */
function isPlainDeletion(body: unknown): boolean {
  if (!isJsonObject(body)) return true;
  const { propagationPolicy = "Background", gracePeriodSeconds } = body;
  return propagationPolicy === "Background" && gracePeriodSeconds === undefined;
}
