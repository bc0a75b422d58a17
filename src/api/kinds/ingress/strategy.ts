import { invalid, notSupported, required } from "../../field-error.ts";
import type { HTTPIngressPath, Ingress, IngressBackend, IngressRule } from "../../generated/networking-v1.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems } from "../../names.ts";
import { each, type FieldErrors, none, portNumberOrName, requiredText, wellFormed } from "../field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";

/** The strategy of Ingresses, which are stored, not run. */
export const ingressStrategy: KindStrategy<Sent<Ingress>> = {
  validate({ spec = {} }) {
    const { rules = [], defaultBackend, ingressClassName } = spec;
    const isEmpty = rules.length === 0 && defaultBackend === undefined;
    return [
      ...(isEmpty ? [invalid("spec", null, "either `defaultBackend` or `rules` must be specified")] : none),
      ...(defaultBackend === undefined ? none : validateBackend(defaultBackend, "spec.defaultBackend")),
      ...each(rules, "spec.rules", validateRule),
      ...wellFormed(ingressClassName, "spec.ingressClassName", dns1123SubdomainProblems),
    ];
  },
  needsComponent: true,
  generation: "spec",
  unconditionalUpdate: true,
};

function validateRule({ host = "", http }: Sent<IngressRule>, path: string): FieldErrors {
  const isAddress = /^[0-9.]+$/.test(host) || host.includes(":");
  // A wildcard stands for the first label only.
  const name = host.startsWith("*.") ? host.slice(2) : host;
  const paths = http?.paths ?? [];
  return [
    ...(isAddress ? [invalid(`${path}.host`, host, "must be a DNS name, not an IP address")] : none),
    ...dns1123SubdomainProblems(name === "" ? "a" : name).map((problem) =>
      invalid(`${path}.host`, host, problem),
    ),
    ...(http !== undefined && paths.length === 0 ? [required(`${path}.http.paths`)] : none),
    ...each(paths, `${path}.http.paths`, validatePath),
  ];
}

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

function validatePath(
  { path: sent = "", pathType, backend = {} }: Sent<HTTPIngressPath>,
  path: string,
): FieldErrors {
  if (pathType === undefined) return [required(`${path}.pathType`, "pathType must be specified")];
  const mayBeEmpty = pathType === "ImplementationSpecific";
  const isAbsolute = sent.startsWith("/") || (mayBeEmpty && sent === "");
  const isKnown = pathTypes.includes(pathType);
  return [
    ...(isKnown && !isAbsolute ? [invalid(`${path}.path`, sent, "must be an absolute path")] : none),
    ...(isKnown ? none : [notSupported(`${path}.pathType`, pathType, pathTypes)]),
    ...validateBackend(backend, `${path}.backend`),
  ];
}

function validateBackend({ service, resource }: Sent<IngressBackend>, path: string): FieldErrors {
  if (service !== undefined && resource !== undefined)
    return [invalid(path, "", "cannot set both resource and service backends")];
  if (service === undefined)
    return resource === undefined ? [invalid(path, "", "resource or service backend is required")] : none;
  return [
    ...requiredText(service.name, `${path}.service.name`, dns1123LabelProblems),
    ...validatePort(service, path),
  ];
}

function validatePort(
  { port = {} }: NonNullable<Sent<IngressBackend>["service"]>,
  path: string,
): FieldErrors {
  const { name = "", number = 0 } = port;
  if (name !== "" && number !== 0) return [invalid(path, "", "cannot set both port name & port number")];
  if (name !== "") return portNumberOrName(name, `${path}.service.port.name`);
  return number === 0
    ? [required(path, "port name or number is required")]
    : portNumberOrName(number, `${path}.service.port.number`);
}
