import type { FieldError } from "../../../../api/field-error.ts";
import type { Service, ServiceSpec } from "../../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../../api/json.ts";
import { invalidObject } from "../../status-errors.ts";
import { clusterIpIndex, nodePortIndex } from "../../storage/store-indexes.ts";
import type { ServedResource } from "../../served-resource.ts";
import { collectionOf, type ServerContext } from "../../server-context.ts";
import { allocateAddress } from "./allocate-address.ts";
import { allocateNodePort } from "./allocate-node-port.ts";
import type { Allocation } from "./allocation.ts";

/**
 * Gives a Service the address and node ports it needs and does not have; throws 422 when it wants taken ones. Other
 * kinds pass through. What is taken is what stored Services have: nothing else remembers it.
 */
export function allocateForService(
  context: ServerContext,
  resource: ServedResource,
  { next, previous }: { readonly next: JsonObject; readonly previous?: JsonObject },
): JsonObject {
  if (resource.collection !== "services") return next;
  const service = { spec: {}, ...next } as unknown as Service;
  const services = collectionOf(context, resource);
  const result = allocate(service, {
    random: context.random,
    before: (previous as unknown as Service | undefined)?.spec,
    isAddressFree: (address) => services.byIndex(clusterIpIndex, address).length === 0,
    isPortFree: (port) => services.byIndex(nodePortIndex, String(port)).length === 0,
  });
  if (Array.isArray(result)) throw invalidObject(resource, service.metadata.name, result);
  return { ...next, spec: result as JsonObject };
}

function allocate(service: Service, allocation: Allocation): ServiceSpec | FieldError[] {
  const errors: FieldError[] = [];
  const clusterIP = allocateAddress(service, allocation);
  if (typeof clusterIP !== "string") errors.push(clusterIP);
  const { spec } = service;
  const exposed = spec.type === "NodePort" || spec.type === "LoadBalancer";
  const ports = (spec.ports ?? []).map((port, index) => {
    const nodePort = exposed ? allocateNodePort(port, `spec.ports[${index}]`, allocation) : undefined;
    if (typeof nodePort === "object") errors.push(nodePort);
    return typeof nodePort === "number" ? { ...port, nodePort } : port;
  });
  if (errors.length > 0) return errors;
  return {
    ...spec,
    ...(typeof clusterIP === "string" && clusterIP !== "" && { clusterIP, clusterIPs: [clusterIP] }),
    ...(spec.ports !== undefined && { ports }),
  };
}
