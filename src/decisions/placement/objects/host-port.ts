import type { Pod } from "../../../api/generated/core-v1.ts";
import { isSidecar } from "./pod-request.ts";
import { itemsOf, numberOf, stringOf } from "./reading.ts";

/** A host port: a port of the node that a Pod uses. */
export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const anyAddress = "0.0.0.0";

/** The host ports of a Pod while it runs. */
export function hostPortsOf(pod: Pod): readonly HostPort[] {
  const containers = [
    ...itemsOf(pod.spec?.containers),
    ...itemsOf(pod.spec?.initContainers).filter(isSidecar),
  ];
  return containers
    .flatMap(({ ports }) => itemsOf(ports))
    .filter(({ hostPort }) => numberOf(hostPort, 0) > 0)
    .map(({ hostIP, protocol, hostPort }) => ({
      ip: stringOf(hostIP) || anyAddress,
      protocol: stringOf(protocol) || "TCP",
      port: numberOf(hostPort, 0),
    }));
}

/** Whether two host ports cannot both be used on one node. */
export function portsConflict(a: HostPort, b: HostPort): boolean {
  if (a.port !== b.port || a.protocol !== b.protocol) return false;
  return a.ip === b.ip || a.ip === anyAddress || b.ip === anyAddress;
}
