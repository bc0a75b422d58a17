import { findCondition } from "../../../api/conditions.ts";
import type { APIServiceCondition } from "../../../api/generated/apiregistration-v1.ts";
import type { Service } from "../../../api/generated/core-v1.ts";
import type { EndpointSlice } from "../../../api/generated/discovery-v1.ts";
import { formatTime, type Instant } from "../../../api/time.ts";
import { endpointAnnotation } from "../../../api/well-known.ts";

/** The `Available` condition of an APIService, without its time. */
export interface ApiServiceAvailability {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** The Service that an APIService refers to, as the cluster has it. */
export interface ReferredService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly service: Service | undefined;
  readonly slices: readonly EndpointSlice[];
}

export const allChecksPassed: ApiServiceAvailability = {
  status: "True",
  reason: "Passed",
  message: "all checks passed",
};

/** Returns why requests cannot reach a Service; `undefined` when its extension API server can be asked. */
export function unreachable(referred: ReferredService): ApiServiceAvailability | undefined {
  const { service, namespace, name, port } = referred;
  const named = `service/${name} in ${JSON.stringify(namespace)}`;
  if (service === undefined) return unavailable("ServiceNotFound", `${named} is not present`);
  const { type = "ClusterIP", ports = [] } = service.spec;
  if (type === "ExternalName") return undefined;
  const listening = ports.find((each) => each.port === port);
  if (listening === undefined)
    return unavailable("ServicePortError", `${named} is not listening on port ${port}`);
  // A server outside of the cluster has no endpoints in it: the annotation says where it is.
  if (service.metadata.annotations?.[endpointAnnotation] !== undefined) return undefined;
  return unreachableEndpoints(referred, named, listening.name ?? "");
}

function unreachableEndpoints(
  { slices }: ReferredService,
  named: string,
  portName: string,
): ApiServiceAvailability | undefined {
  if (slices.length === 0) return unavailable("EndpointsNotFound", `cannot find endpointslices for ${named}`);
  const hasAddress = slices.some(
    ({ endpoints = [], ports = [] }) =>
      ports.some(({ name = "" }) => name === portName) &&
      endpoints.some(({ addresses, conditions }) => addresses.length > 0 && conditions?.ready !== false),
  );
  if (hasAddress) return undefined;
  return unavailable(
    "MissingEndpoints",
    `endpointslices for ${named} have no addresses with port name ${JSON.stringify(portName)}`,
  );
}

/** The availability of an APIService whose server fails discovery. */
export function failedDiscovery(why: string): ApiServiceAvailability {
  return unavailable("FailedDiscoveryCheck", why);
}

function unavailable(reason: string, message: string): ApiServiceAvailability {
  return { status: "False", reason, message };
}

/** Returns the conditions with an availability; the stored list itself when nothing changes. */
export function withAvailability(
  stored: readonly APIServiceCondition[],
  availability: ApiServiceAvailability,
  now: Instant,
): readonly APIServiceCondition[] {
  const before = findCondition(stored, "Available");
  const { status, reason, message } = availability;
  if (before?.status === status && before.reason === reason && before.message === message) return stored;
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : formatTime(now);
  const condition = {
    type: "Available",
    status,
    ...(lastTransitionTime !== undefined && { lastTransitionTime }),
    reason,
    message,
  };
  return [...stored.filter(({ type }) => type !== "Available"), condition];
}
