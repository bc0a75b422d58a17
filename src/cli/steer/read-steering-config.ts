import { isIP } from "node:net";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  formatFieldError,
  invalid,
  notSupported,
  required,
} from "../../api/field-error.ts";
import type { LabelSelector } from "../../api/generated/meta-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { validateLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems } from "../../api/names.ts";
import { podTopologySpreadArgs } from "../../decisions/placement/pod-topology-spread/args.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { decodeDocument, joinErrors } from "../../scheduler/configuration/decode-document.ts";
import { readDocument } from "../../scheduler/configuration/read-document.ts";
import type {
  CertificateSource,
  SpreadDefaults,
  SteeringConfig,
  WebhookAddress,
} from "../../steering/steering-config.ts";

const apiVersion = "trimtab.dev/v1alpha1";
const kind = "SteeringConfiguration";

const shape = {
  members: {
    apiVersion: "string",
    kind: "string",
    name: "string",
    namespace: "string",
    webhook: {
      members: {
        service: { members: { namespace: "string", name: "string", port: "int32" } },
        url: "string",
        bind: "string",
        port: "int32",
        timeoutSeconds: "int32",
        certificate: {
          members: {
            secret: "string",
            files: { members: { certificate: "string", key: "string", authority: "string" } },
          },
        },
      },
    },
    defaultSpread: {
      list: {
        members: {
          name: "string",
          namespaceSelector: "meta.v1.LabelSelector",
          podTopologySpreadArgs: podTopologySpreadArgs.shape,
        },
      },
    },
  },
};

interface WebhookDocument {
  readonly service?: { readonly namespace?: string; readonly name?: string; readonly port?: number };
  readonly url?: string;
  readonly bind?: string;
  readonly port?: number;
  readonly timeoutSeconds?: number;
  readonly certificate?: {
    readonly secret?: string;
    readonly files?: { readonly certificate?: string; readonly key?: string; readonly authority?: string };
  };
}

interface SpreadDocument {
  readonly name?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly podTopologySpreadArgs?: JsonObject;
}

/** The file as it is: of the right types, not validated yet. */
interface SteeringDocument {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly webhook?: WebhookDocument;
  readonly defaultSpread?: readonly SpreadDocument[];
}

export type ReadSteeringConfig =
  | { readonly ok: true; readonly config: SteeringConfig }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the configuration file of `trimtab steer`; returns all errors, one sentence each. */
export function readSteeringConfig(file: string, namespace: string): ReadSteeringConfig {
  const read = readTextFile(file);
  if (!read.ok) return { ok: false, problems: [`${file}: ${read.reason}`] };
  const parsed = parseSteeringConfig(read.text, namespace);
  if (parsed.ok) return parsed;
  return { ok: false, problems: parsed.errors.map((error) => `${file}: ${formatFieldError(error)}`) };
}

export type ParsedSteeringConfig =
  | { readonly ok: true; readonly config: SteeringConfig }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Parses a SteeringConfiguration, as YAML or JSON; `namespace` is where the program runs unless the file says so. */
export function parseSteeringConfig(text: string, namespace: string): ParsedSteeringConfig {
  const read = readDocument(text);
  if (!read.ok) return read;
  const mistyped: FieldError[] = [];
  const document = (decodeDocument(shape, read.document, { path: "", errors: mistyped }) ??
    {}) as SteeringDocument;
  const errors = joinErrors(mistyped, [
    ...validateHead(document),
    ...validateWebhook(document.webhook ?? {}),
    ...(document.defaultSpread ?? []).flatMap((each, index, all) => validateSpread(each, index, all)),
  ]);
  return errors.length > 0 ? { ok: false, errors } : { ok: true, config: configOf(document, namespace) };
}

function validateHead({ apiVersion: version = "", kind: written = "", name, namespace }: SteeringDocument) {
  return [
    ...(version === apiVersion ? [] : [notSupported("apiVersion", version, [apiVersion])]),
    ...(written === kind ? [] : [notSupported("kind", written, [kind])]),
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

const context = { isV1beta1: false, gates: defaultFeatureGates };

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
    ...(podTopologySpreadArgs.validate?.(args, at, context).errors ?? []),
  ];
}

function configOf(document: SteeringDocument, home: string): SteeringConfig {
  const { name = "trimtab-steer", namespace = home, webhook = {}, defaultSpread = [] } = document;
  const { bind, port = 9443, timeoutSeconds = 10 } = webhook;
  return {
    name,
    namespace,
    address: addressOf(webhook, namespace),
    ...(bind === undefined ? {} : { bind }),
    port,
    timeoutSeconds,
    certificate: certificateOf(webhook, { namespace, name }),
    spread: defaultSpread.map(spreadOf).filter(({ constraints }) => constraints.length > 0),
  };
}

function addressOf({ service = {}, url }: WebhookDocument, home: string): WebhookAddress {
  if (url !== undefined) return { kind: "url", url };
  const { name = "", namespace = home, port = 443 } = service;
  return { kind: "service", namespace, name, port };
}

function certificateOf(
  { certificate = {} }: WebhookDocument,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): CertificateSource {
  const { secret = `${name}-certificate`, files } = certificate;
  if (files === undefined) return { kind: "secret", namespace, name: secret };
  const { certificate: file = "", key = "", authority } = files;
  return { kind: "files", certificate: file, key, ...(authority === undefined ? {} : { authority }) };
}

/** Stock schedulers have the built-in defaults: for those nothing is added. */
function spreadOf({
  name = "",
  namespaceSelector = {},
  podTopologySpreadArgs: args = {},
}: SpreadDocument): SpreadDefaults {
  const read = podTopologySpreadArgs.setDefaults(args, context);
  const constraints = read.defaultingType === "List" ? (read.defaultConstraints ?? []) : [];
  return { name, namespaceSelector, constraints };
}
