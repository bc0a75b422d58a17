import { isIP } from "node:net";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../api/field-error.ts";
import { validateLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems } from "../../api/names.ts";
import { podTopologySpreadArgs } from "../../decisions/placement/pod-topology-spread/args.ts";
import {
  type SpreadDocument,
  steeringApiVersion,
  type SteeringDocument,
  steeringKind,
  type WebhookDocument,
} from "./steering-document.ts";

/** Validates a file whose members have the right types. */
export function validateSteering(document: SteeringDocument): readonly FieldError[] {
  return [
    ...validateHead(document),
    ...validateWebhook(document.webhook ?? {}),
    ...(document.defaultSpread ?? []).flatMap((each, index, all) => validateSpread(each, index, all)),
  ];
}

function validateHead({ apiVersion: version = "", kind: written = "", name, namespace }: SteeringDocument) {
  return [
    ...(version === steeringApiVersion ? [] : [notSupported("apiVersion", version, [steeringApiVersion])]),
    ...(written === steeringKind ? [] : [notSupported("kind", written, [steeringKind])]),
    ...wellNamed(name, "name"),
    ...wellNamed(namespace, "namespace"),
  ];
}

function wellNamed(name: string | undefined, path: string): readonly FieldError[] {
  if (name === undefined) return [];
  return dns1123LabelProblems(name).map((problem) => invalid(path, name, problem));
}

function validateWebhook({ service, url, bind, port, timeoutSeconds, certificate }: WebhookDocument) {
  return [
    ...validateAddress(service, url),
    ...(bind === undefined || isIP(bind) > 0
      ? []
      : [invalid("webhook.bind", bind, "must be an IP address, such as 0.0.0.0 or ::")]),
    ...between(port, "webhook.port", [0, 65_535]),
    ...between(timeoutSeconds, "webhook.timeoutSeconds", [2, 30]),
    ...validateCertificate(certificate ?? {}),
  ];
}

function validateAddress(
  service: WebhookDocument["service"],
  url: string | undefined,
): readonly FieldError[] {
  if (service === undefined && url === undefined)
    return [required("webhook", "must specify one of: service, url")];
  if (service !== undefined && url !== undefined)
    return [forbidden("webhook", "may not specify both service and url")];
  if (url !== undefined) return validateUrl(url);
  const { name = "", namespace, port } = service ?? {};
  return [
    ...(name === "" ? [required("webhook.service.name")] : wellNamed(name, "webhook.service.name")),
    ...wellNamed(namespace, "webhook.service.namespace"),
    ...between(port, "webhook.service.port", [1, 65_535]),
  ];
}

function validateUrl(url: string): readonly FieldError[] {
  const path = "webhook.url";
  if (!URL.canParse(url)) return [invalid(path, url, "must be a URL, such as https://127.0.0.1:9443")];
  const { protocol, pathname, search, hash, username } = new URL(url);
  if (protocol !== "https:") return [invalid(path, url, "must be https")];
  return pathname === "/" && search + hash + username === "" && !url.endsWith("/")
    ? []
    : [invalid(path, url, "must have a host and a port, and nothing else")];
}

function validateCertificate({ secret, files }: NonNullable<WebhookDocument["certificate"]>) {
  const path = "webhook.certificate";
  if (secret !== undefined && files !== undefined)
    return [forbidden(path, "may not specify both secret and files")];
  if (secret !== undefined)
    return dns1123SubdomainProblems(secret).map((problem) => invalid(`${path}.secret`, secret, problem));
  if (files === undefined) return [];
  return (["certificate", "key"] as const)
    .filter((name) => (files[name] ?? "") === "")
    .map((name) => required(`${path}.files.${name}`));
}

function between(
  value: number | undefined,
  path: string,
  [least, most]: readonly [number, number],
): readonly FieldError[] {
  return value === undefined || (value >= least && value <= most)
    ? []
    : [invalid(path, value, `must be between ${least} and ${most}`)];
}

/** Those of the scheduler that reads the arguments. */
export const spreadContext = { isV1beta1: false, gates: defaultFeatureGates };

function validateSpread(
  { name = "", namespaceSelector, podTopologySpreadArgs: args = {} }: SpreadDocument,
  index: number,
  all: readonly SpreadDocument[],
): readonly FieldError[] {
  const path = `defaultSpread[${index}]`;
  const at = `${path}.podTopologySpreadArgs`;
  return [
    ...(name === "" ? [required(`${path}.name`)] : wellNamed(name, `${path}.name`)),
    ...(all.slice(0, index).some((other) => other.name === name) ? [duplicate(`${path}.name`, name)] : []),
    ...(namespaceSelector === undefined
      ? [required(`${path}.namespaceSelector`, "an empty one selects every namespace")]
      : validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`)),
    ...(podTopologySpreadArgs.validate?.(args, at, spreadContext).errors ?? []),
  ];
}
