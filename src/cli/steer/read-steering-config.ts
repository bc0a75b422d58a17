import { type FieldError, formatFieldError } from "../../api/field-error.ts";
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
import {
  type SpreadDocument,
  type SteeringDocument,
  steeringShape,
  type WebhookDocument,
} from "./steering-document.ts";
import { spreadContext, validateSteering } from "./validate-steering.ts";

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
  const document = (decodeDocument(steeringShape, read.document, { path: "", errors: mistyped }) ??
    {}) as SteeringDocument;
  const errors = joinErrors(mistyped, validateSteering(document));
  return errors.length > 0 ? { ok: false, errors } : { ok: true, config: configOf(document, namespace) };
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
  const read = podTopologySpreadArgs.setDefaults(args, spreadContext);
  const constraints = read.defaultingType === "List" ? (read.defaultConstraints ?? []) : [];
  return { name, namespaceSelector, constraints };
}
