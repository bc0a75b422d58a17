import { duplicate, invalid, required } from "../../../../../api/field-error.ts";
import type { Container, ContainerPort, PodSpec } from "../../../../../api/generated/core-v1.ts";
import { portNameProblems } from "../../../../../api/names.ts";
import { each, type FieldErrors, none, portNumber, requiredOneOf } from "../../../../../api/field-checks.ts";
import type { Sent } from "../../../../../api/sent.ts";

const protocols = ["SCTP", "TCP", "UDP"];

/** Validates the ports of one container, whose names must be unique. */
export function validateContainerPorts(
  ports: readonly Sent<ContainerPort>[] | undefined,
  path: string,
): FieldErrors {
  const names = new Set<string>();
  return each(ports, path, (port, at) => [
    ...validatePortName(port.name ?? "", `${at}.name`, names),
    ...validateContainerPort(port.containerPort ?? 0, `${at}.containerPort`),
    ...validateHostPort(port.hostPort ?? 0, `${at}.hostPort`),
    ...requiredOneOf(port.protocol, `${at}.protocol`, protocols),
  ]);
}

function validatePortName(name: string, path: string, taken: Set<string>): FieldErrors {
  if (name === "") return none;
  const problems = portNameProblems(name);
  if (problems.length > 0) return problems.map((problem) => invalid(path, name, problem));
  if (taken.has(name)) return [duplicate(path, name)];
  taken.add(name);
  return none;
}

function validateContainerPort(port: number, path: string): FieldErrors {
  return port === 0 ? [required(path)] : portNumber(port, path);
}

function validateHostPort(port: number, path: string): FieldErrors {
  return port === 0 ? none : portNumber(port, path);
}

/** Validates that containers that run at the same time have no host port in common. */
export function validateHostPortConflicts(
  containers: readonly Sent<Container>[] | undefined,
  path: string,
): FieldErrors {
  const taken = new Set<string>();
  return each(containers, path, ({ ports }, at) =>
    each(ports, `${at}.ports`, ({ protocol = "", hostIP = "", hostPort = 0 }, portAt) => {
      if (hostPort === 0) return none;
      const socket = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(socket)) return [duplicate(`${portAt}.hostPort`, socket)];
      taken.add(socket);
      return none;
    }),
  );
}

/** Validates that host ports equal container ports in the network of the node; in templates they may be unset. */
export function validateHostNetworkPorts(
  spec: Sent<PodSpec>,
  path: string,
  of: "pod" | "template",
): FieldErrors {
  if (spec.hostNetwork !== true) return none;
  return each(spec.containers, `${path}.containers`, ({ ports }, at) =>
    each(ports, `${at}.ports`, ({ hostPort = 0, containerPort = 0 }, portAt) => {
      const fits = hostPort === containerPort || (of === "template" && hostPort === 0);
      const rule = "must match `containerPort` when `hostNetwork` is true";
      return fits ? none : [invalid(`${portAt}.hostPort`, hostPort, rule)];
    }),
  );
}
