import { parseIp } from "../api/ip-address.ts";
import type { ObjectName } from "../machinery/client/client.ts";

/** The Service a host may name. */
export interface ServiceName extends ObjectName {
  readonly namespace: string;
  /** Whether it can be nothing else: `web` and `web.shop.svc`, but not `web.shop`, which may be a host of that name. */
  readonly isCertain: boolean;
}

/** Reads a host as a workload in this namespace would: `svc`, `svc.ns`, `svc.ns.svc` and whatever domain follows. */
export function serviceNamedBy(host: string, ownNamespace: string): ServiceName | undefined {
  const [name = "", namespace, svc] = host.toLowerCase().split(".");
  if (parseIp(host) !== undefined || host.toLowerCase() === "localhost") return undefined;
  if (namespace === undefined) return { name, namespace: ownNamespace, isCertain: true };
  if (svc === undefined) return { name, namespace, isCertain: false };
  return svc === "svc" ? { name, namespace, isCertain: true } : undefined;
}
