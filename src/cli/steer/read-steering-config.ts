import { podTopologySpreadArgs } from "../../decisions/placement/pod-topology-spread/args.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { readYamlDocument } from "../../machinery/documents/read-yaml-document.ts";
import type {
  CertificateSource,
  SpreadDefaults,
  SteeringConfig,
  WebhookAddress,
} from "../../steering/steering-config.ts";
import { spreadContext, type SteeringDocument, steeringKind, steeringSchema } from "./steering-schema.ts";

export type ReadSteeringConfig =
  | { readonly ok: true; readonly config: SteeringConfig }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the configuration file of `trimtab steer`; returns all errors, one sentence each. */
export function readSteeringConfig(file: string, namespace: string): ReadSteeringConfig {
  const read = readTextFile(file);
  if (!read.ok) return { ok: false, problems: [`${file}: ${read.reason}`] };
  return parseSteeringConfig(read.text, namespace, file);
}

/** Parses a SteeringConfiguration, as YAML or JSON; `namespace` is where the program runs unless the file says so. */
export function parseSteeringConfig(text: string, namespace: string, file = "the file"): ReadSteeringConfig {
  const read = readYamlDocument(steeringSchema, { file, text, kind: steeringKind });
  return read.ok ? { ok: true, config: configOf(read.value, namespace) } : read;
}

type WebhookDocument = SteeringDocument["webhook"];

function configOf(document: SteeringDocument, home: string): SteeringConfig {
  const { name = "trimtab-steer", namespace = home, webhook, defaultSpread = [] } = document;
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

function addressOf({ service, url }: WebhookDocument, home: string): WebhookAddress {
  if (url !== undefined) return { kind: "url", url };
  // One of the two is there.
  const { name = "", namespace = home, port = 443 } = service ?? {};
  return { kind: "service", namespace, name, port };
}

function certificateOf(
  { certificate = {} }: WebhookDocument,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): CertificateSource {
  const { secret = `${name}-certificate`, files } = certificate;
  if (files === undefined) return { kind: "secret", namespace, name: secret };
  return { kind: "files", ...files };
}

/** Stock schedulers have the built-in defaults: for those nothing is added. */
function spreadOf({
  name,
  namespaceSelector,
  podTopologySpreadArgs: args = {},
}: NonNullable<SteeringDocument["defaultSpread"]>[number]): SpreadDefaults {
  const read = podTopologySpreadArgs.setDefaults(args, spreadContext);
  const constraints = read.defaultingType === "List" ? (read.defaultConstraints ?? []) : [];
  return { name, namespaceSelector, constraints };
}
