import { type FieldError, invalid } from "../../../api/field-error.ts";
import type { Service, ServicePort, ServiceSpec } from "../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { type Random, randomInt } from "../../../machinery/random/random.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { invalidObject } from "../status-errors.ts";
import { clusterIpIndex, nodePortIndex } from "../storage/store-indexes.ts";
import type { ServiceNetwork } from "./service-network.ts";

/**
 * Allocates the cluster IP and node ports that a Service lacks; throws 422 for ones that are taken. Other kinds pass
 * unchanged. The stored Services are the only record of what is allocated.
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
    network: context.serviceNetwork,
    before: (previous as unknown as Service | undefined)?.spec,
    isAddressFree: (address) => services.byIndex(clusterIpIndex, address).length === 0,
    isPortFree: (port) => services.byIndex(nodePortIndex, String(port)).length === 0,
  });
  if (Array.isArray(result)) throw invalidObject(resource, service.metadata.name, result);
  return { ...next, spec: result as JsonObject };
}

function allocate(service: Service, allocation: Allocation): ServiceSpec | FieldError[] {
  const errors: FieldError[] = familyProblems(service.spec, allocation);
  if (errors.length > 0) return errors;
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

/** Returns an error for each address family but IPv4, the only one of the cluster. */
function familyProblems(spec: ServiceSpec, { before }: Pick<Allocation, "before">): FieldError[] {
  const { type, ipFamilies = [], ipFamilyPolicy } = spec;
  if (type === "ExternalName") return [];
  const errors = ipFamilies.flatMap((family, index) =>
    family === "IPv6" ? [invalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")] : [],
  );
  const rule = "this cluster is not configured for dual-stack services";
  if (ipFamilyPolicy === "RequireDualStack")
    errors.push(invalid("spec.ipFamilyPolicy", ipFamilyPolicy, rule));
  // An update may change one of the two address fields and leave the other as it was.
  return before === undefined ? [...errors, ...addressProblems(spec)] : errors;
}

function addressProblems({ clusterIP = "", clusterIPs = [] }: ServiceSpec): FieldError[] {
  const [first = clusterIP] = clusterIPs;
  const problem =
    clusterIP !== "" && first !== clusterIP
      ? "first value must match `clusterIP`"
      : clusterIPs.length > 1 && "may only hold one value";
  return problem === false ? [] : [invalid("spec.clusterIPs", clusterIPs, problem)];
}

/** The state from which addresses and ports are allocated. */
interface Allocation {
  readonly random: Random;
  readonly network: ServiceNetwork;
  /** The stored spec, whose address and ports the Service keeps. */
  readonly before: ServiceSpec | undefined;
  readonly isAddressFree: (address: string) => boolean;
  readonly isPortFree: (port: number) => boolean;
}

/** Returns the cluster IP of a Service; empty for one that needs none. */
function allocateAddress({ metadata, spec }: Service, allocation: Allocation): string | FieldError {
  if (spec.type === "ExternalName") return "";
  const own = allocation.before?.clusterIP ?? "";
  const wanted = wantedAddress(spec) || own;
  if (wanted !== "") return wanted === own || wanted === "None" ? wanted : claim(wanted, allocation);
  if (metadata.namespace === "default" && metadata.name === "kubernetes")
    return allocation.network.firstAddress;
  return freeAddress(allocation);
}

function wantedAddress({ clusterIP, clusterIPs }: ServiceSpec): string {
  return clusterIP ?? clusterIPs?.[0] ?? "";
}

function claim(address: string, { isAddressFree, network }: Allocation): string | FieldError {
  const invalidBecause = (why: string) =>
    invalid("spec.clusterIPs", [address], `failed to allocate IP ${address}: ${why}`);
  if (!network.includes(address))
    return invalidBecause(
      `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${network.range}`,
    );
  return isAddressFree(address) ? address : invalidBecause("provided IP is already allocated");
}

function freeAddress({ random, isAddressFree, network }: Allocation): string | FieldError {
  const { addressAt, addressCount, firstAddress } = network;
  const start = randomInt(random, addressCount);
  for (let offset = 0; offset < addressCount; offset++) {
    const address = addressAt((start + offset) % addressCount);
    if (address !== firstAddress && isAddressFree(address)) return address;
  }
  return invalid("spec.clusterIP", "", "failed to allocate an IP: the range is full");
}

const lowest = 30_000;
const highest = 32_767;
const count = highest - lowest + 1;

/** Returns the node port of a Service port; `path` is the field path of the port. */
function allocateNodePort(
  { port, protocol, nodePort }: ServicePort,
  path: string,
  allocation: Allocation,
): number | FieldError {
  const before = allocation.before?.ports ?? [];
  const own = before.find((other) => other.port === port && other.protocol === protocol)?.nodePort;
  const wanted = nodePort ?? own;
  if (wanted === undefined) return freePort(path, allocation);
  if (before.some((other) => other.nodePort === wanted)) return wanted;
  const invalidBecause = (why: string) => invalid(`${path}.nodePort`, wanted, why);
  if (wanted < lowest || wanted > highest)
    return invalidBecause(
      `provided port is not in the valid range. The range of valid ports is ${lowest}-${highest}`,
    );
  return allocation.isPortFree(wanted) ? wanted : invalidBecause("provided port is already allocated");
}

function freePort(path: string, { random, isPortFree }: Allocation): number | FieldError {
  const start = randomInt(random, count);
  for (let offset = 0; offset < count; offset++) {
    const port = lowest + ((start + offset) % count);
    if (isPortFree(port)) return port;
  }
  return invalid(`${path}.nodePort`, 0, "failed to allocate a nodePort: range is full");
}
