import { invalid, notSupported, required } from "../../../../api/field-error.ts";
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressRule,
  IngressTLS,
} from "../../../../api/generated/networking-v1.ts";
import { parseIp } from "../../../../api/ip-address.ts";
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  hostNameProblems,
  pathSegmentProblems,
} from "../../../../api/names.ts";
import {
  each,
  type FieldErrors,
  none,
  portNumberOrName,
  requiredText,
  wellFormed,
} from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

/** The strategy of Ingresses, which are stored, not run. */
export const ingressStrategy: KindStrategy<Sent<Ingress>> = {
  validate({ metadata, spec = {} }, _context, stored) {
    const { rules = [], defaultBackend, ingressClassName, tls } = spec;
    const isEmpty = rules.length === 0 && defaultBackend === undefined;
    return [
      ...(isEmpty ? [invalid("spec", null, "either `defaultBackend` or `rules` must be specified")] : none),
      ...(defaultBackend === undefined ? none : validateBackend(defaultBackend, "spec.defaultBackend")),
      ...each(rules, "spec.rules", validateRule),
      ...each(tls, "spec.tls", validateTls),
      ...wellFormed(ingressClassName, "spec.ingressClassName", dns1123SubdomainProblems),
      ...(stored === undefined ? validateClass(metadata?.annotations, ingressClassName) : none),
    ];
  },
  needsComponent: true,
  generation: "spec",
  unconditionalUpdate: true,
};

const classAnnotation = "kubernetes.io/ingress.class";

/** Validates that a new Ingress does not name its class both in the deprecated annotation and in the field. */
function validateClass(
  annotations: Readonly<Record<string, string>> = {},
  className: string | undefined,
): FieldErrors {
  const annotated = annotations[classAnnotation];
  if (annotated === undefined || className === undefined || annotated === className) return none;
  const detail = "must match `ingressClassName` when both are specified";
  return [invalid(`annotations.${classAnnotation}`, annotated, detail)];
}

function validateRule({ host = "", http }: Sent<IngressRule>, path: string): FieldErrors {
  const paths = http?.paths ?? [];
  const isAddress = parseIp(host) !== undefined;
  return [
    ...(isAddress ? [invalid(`${path}.host`, host, "must be a DNS name, not an IP address")] : none),
    ...wellFormed(host, `${path}.host`, hostNameProblems),
    ...(http !== undefined && paths.length === 0 ? [required(`${path}.http.paths`)] : none),
    ...each(paths, `${path}.http.paths`, validatePath),
  ];
}

function validateTls({ hosts, secretName }: Sent<IngressTLS>, path: string): FieldErrors {
  return [
    ...each(hosts, `${path}.hosts`, (host, at) =>
      hostNameProblems(host).map((problem) => invalid(at, host, problem)),
    ),
    ...wellFormed(secretName, `${path}.secretName`, dns1123SubdomainProblems),
  ];
}

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

function validatePath(
  { path: sent = "", pathType, backend = {} }: Sent<HTTPIngressPath>,
  path: string,
): FieldErrors {
  if (pathType === undefined) return [required(`${path}.pathType`, "pathType must be specified")];
  const isKnown = pathTypes.includes(pathType);
  return [
    ...(isKnown
      ? pathProblems(sent, pathType).map((problem) => invalid(`${path}.path`, sent, problem))
      : none),
    ...(isKnown ? none : [notSupported(`${path}.pathType`, pathType, pathTypes)]),
    ...validateBackend(backend, `${path}.backend`),
  ];
}

/** Parts of a path that proxies resolve in different ways. */
const ambiguousParts = ["//", "/./", "/../", "%2f", "%2F"];
const ambiguousEnds = ["/..", "/."];

function pathProblems(path: string, pathType: string): readonly string[] {
  const isImplementationSpecific = pathType === "ImplementationSpecific";
  if (isImplementationSpecific && path === "") return [];
  const problems = path.startsWith("/") ? [] : ["must be an absolute path"];
  if (isImplementationSpecific) return problems;
  return [
    ...problems,
    ...ambiguousParts.filter((part) => path.includes(part)).map((part) => `must not contain '${part}'`),
    ...ambiguousEnds.filter((end) => path.endsWith(end)).map((end) => `cannot end with '${end}'`),
  ];
}

function validateBackend({ service, resource }: Sent<IngressBackend>, path: string): FieldErrors {
  if (service !== undefined && resource !== undefined)
    return [invalid(path, "", "cannot set both resource and service backends")];
  if (service === undefined)
    return resource === undefined
      ? [invalid(path, "", "resource or service backend is required")]
      : validateResource(resource, `${path}.resource`);
  return [
    ...requiredText(service.name, `${path}.service.name`, dns1123LabelProblems),
    ...validatePort(service, path),
  ];
}

function validateResource(
  { apiGroup, kind, name }: NonNullable<Sent<IngressBackend>["resource"]>,
  path: string,
): FieldErrors {
  return [
    ...wellFormed(apiGroup, `${path}.apiGroup`, dns1123SubdomainProblems),
    ...requiredText(kind, `${path}.kind`, pathSegmentProblems),
    ...requiredText(name, `${path}.name`, pathSegmentProblems),
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
