import { endpointAnnotation } from "../../api/well-known.ts";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { qualifiedKind } from "../../api/resource.ts";
import { metadataOf } from "./registry/object-meta.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ServerContext } from "./server-context.ts";

/** Warns, at creation, that no component of this cluster acts on a kind that has no effect otherwise. */
export function notRunWarnings(
  { runKinds }: ServerContext,
  resource: ServedResource,
  object: JsonObject,
): readonly string[] {
  const kind = qualifiedKind(resource);
  if (kind === "Service") return needsEndpoints(object) && !runKinds.has(endpointSlice) ? [noEndpoints] : [];
  if (resource.strategy.needsComponent !== true || runKinds.has(kind)) return [];
  return [`${kind} is stored, but nothing in this cluster runs it`];
}

const endpointSlice = "EndpointSlice.discovery.k8s.io";
const noEndpoints = "this Service gets no endpoints: nothing in this cluster fills EndpointSlices";

function needsEndpoints(service: JsonObject): boolean {
  const { spec } = service;
  const { selector, type } = isJsonObject(spec) ? spec : {};
  if (type === "ExternalName") return false;
  if (metadataOf(service).annotations?.[endpointAnnotation] !== undefined) return false;
  return isJsonObject(selector) && Object.keys(selector).length > 0;
}
