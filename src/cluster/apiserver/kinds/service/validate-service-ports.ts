import { duplicate, forbidden } from "../../../../api/field-error.ts";
import type { ServicePort, ServiceSpec } from "../../../../api/generated/core-v1.ts";
import { dns1123LabelProblems } from "../../../../api/names.ts";
import {
  each,
  type FieldErrors,
  none,
  portNumber,
  portNumberOrName,
  requiredText,
  requiredOneOf,
  wellFormed,
} from "../../../../api/field-checks.ts";
import { validateLabelKey } from "../../../../api/labels/validate-selector.ts";
import type { Sent } from "../../../../api/sent.ts";

/** Validates the ports of a Service: names, ports with protocol, and node ports with protocol are unique. */
export function validateServicePorts(spec: Sent<ServiceSpec>): FieldErrors {
  const { ports = [], type } = spec;
  const names = new Set<string>();
  const sockets = new Set<string>();
  const nodeSockets = new Set<string>();
  return each(ports, "spec.ports", (port, at) => {
    const { name = "", protocol = "", nodePort = 0 } = port;
    return [
      ...(ports.length > 1 ? requiredText(name, `${at}.name`) : none),
      ...wellFormed(name, `${at}.name`, dns1123LabelProblems),
      ...repeated(names, name, duplicate(`${at}.name`, name)),
      ...validatePort(port, at),
      ...(type === "ClusterIP" && nodePort !== 0
        ? [forbidden(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'")]
        : none),
      ...repeated(
        nodeSockets,
        nodePort === 0 ? "" : `${protocol}/${nodePort}`,
        duplicate(`${at}.nodePort`, nodePort),
      ),
      ...repeated(sockets, `${protocol}/${port.port}`, duplicate(at, { protocol, port: port.port ?? 0 })),
    ];
  });
}

function repeated(taken: Set<string>, name: string, error: ReturnType<typeof duplicate>): FieldErrors {
  if (name === "") return none;
  if (taken.has(name)) return [error];
  taken.add(name);
  return none;
}

function validatePort(
  { port, protocol, targetPort, appProtocol }: Sent<ServicePort>,
  path: string,
): FieldErrors {
  return [
    ...portNumber(port, `${path}.port`),
    ...requiredOneOf(protocol, `${path}.protocol`, ["SCTP", "TCP", "UDP"]),
    ...portNumberOrName(targetPort, `${path}.targetPort`),
    ...(appProtocol === undefined ? none : validateLabelKey(appProtocol, `${path}.appProtocol`)),
  ];
}
