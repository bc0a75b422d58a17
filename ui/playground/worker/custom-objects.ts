import type { CustomResourceDefinition } from "../../../src/api/generated/apiextensions-v1.ts";
import type { FieldError } from "../../../src/api/field-error.ts";
import { isJsonObject, type JsonObject } from "../../../src/api/json.ts";
import type { Resource } from "../../../src/api/resource.ts";
import { type ApiError, ifFound, isNotFound } from "../../../src/machinery/client/api-error.ts";
import type { OutgoingRequest } from "../../../src/machinery/client/http/request.ts";
import { requestPath } from "../../../src/machinery/client/http/request-path.ts";
import { openIn } from "./open-in.ts";
import type { PlaySession } from "./play-session.ts";

/** An object of a custom kind, as it was written. */
export interface CustomManifest {
  readonly resource: Resource;
  readonly content: JsonObject;
}

/** What a CustomResourceDefinition defines: the resource of one of its versions. */
export function definedResource(
  definitions: readonly CustomResourceDefinition[],
  { apiVersion, kind }: JsonObject,
): Resource | undefined {
  const found = definitions.find(
    ({ spec }) =>
      spec.names.kind === kind && spec.versions.some(({ name }) => `${spec.group}/${name}` === apiVersion),
  );
  if (found === undefined || typeof apiVersion !== "string" || typeof kind !== "string") return undefined;
  const { group, names, scope } = found.spec;
  const version = apiVersion.slice(group.length + 1);
  return { group, version, kind, plural: names.plural, namespaced: scope === "Namespaced" };
}

/** Whether the API server serves a custom kind, which it does once its definition is established. */
export async function isServed({ started }: PlaySession, resource: Resource): Promise<boolean> {
  try {
    await started.cluster.client.resource(resource);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Creates an object of a custom kind, or changes it to what was written; a dry run only says what is wrong with it. */
export async function writeCustomObject(
  session: PlaySession,
  { resource, content }: CustomManifest,
  { isDry, signal }: { readonly isDry: boolean; readonly signal: AbortSignal },
): Promise<"created" | "configured"> {
  const metadata = isJsonObject(content["metadata"]) ? content["metadata"] : {};
  const { name, namespace = "default" } = metadata as { readonly name?: string; readonly namespace?: string };
  const place = resource.namespaced ? { namespace } : {};
  const query = `?fieldManager=trimtab&fieldValidation=Strict${isDry ? "&dryRun=All" : ""}`;
  const body = JSON.stringify(content);
  const open = openIn(session);
  const send = (request: OutgoingRequest) => open(request, signal);
  const known = typeof name === "string" ? requestPath(resource, { ...place, name }) : undefined;
  if (known !== undefined && (await ifFound(send({ method: "GET", path: known }))) !== undefined) {
    await send({ method: "PATCH", path: known + query, contentType: "application/merge-patch+json", body });
    return "configured";
  }
  await send({
    method: "POST",
    path: requestPath(resource, place) + query,
    contentType: "application/json",
    body,
  });
  return "created";
}

/** What an API server has refused, field by field, where it says that. */
export function fieldErrorsOf({ status, message }: ApiError): readonly FieldError[] {
  const unknown = [...message.matchAll(/unknown field "([^"]+)"/g)].map(([, field = ""]) => field);
  if (unknown.length > 0)
    return unknown.map((field) => ({ type: "FieldValueForbidden", field, detail: "unknown field" }));
  const causes = status.details?.causes ?? [];
  return causes.flatMap(({ field, reason, message: cause = "" }) =>
    field === undefined || field === "<nil>"
      ? []
      : [{ type: reason as FieldError["type"], field, detail: cause.replace(/^[A-Z][a-z ]+: /, "") }],
  );
}
