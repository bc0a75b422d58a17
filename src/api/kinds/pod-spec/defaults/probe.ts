import type { HTTPGetAction, LifecycleHandler, Probe } from "../../../generated/core-v1.ts";
import { fillAbsent, fillEmpty, type MemberMaps, mapMembers } from "../../defaulting.ts";
import type { Sent } from "../../sent.ts";

const probeMembers: MemberMaps<Sent<Probe>> = {
  httpGet: httpGetDefaults,
  grpc: (action) => fillAbsent(action, { service: "" }),
};

/** A probe with its timing filled in. */
export function probeDefaults(probe: Sent<Probe>): Sent<Probe> {
  const timing = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  return mapMembers(fillEmpty(probe, timing), probeMembers);
}

/** A lifecycle hook with its request filled in. */
export function hookDefaults(hook: Sent<LifecycleHandler>): Sent<LifecycleHandler> {
  return mapMembers(hook, { httpGet: httpGetDefaults });
}

function httpGetDefaults(action: Sent<HTTPGetAction>): Sent<HTTPGetAction> {
  return fillEmpty(action, { path: "/", scheme: "HTTP" });
}
