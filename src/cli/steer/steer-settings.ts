import { podTopologySpreadArgs } from "../../decisions/placement/pod-topology-spread/args.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { readYamlDocument } from "../../machinery/yaml/located-yaml.ts";
import type {
  CertificateSource,
  SpreadDefaults,
  SteeringConfig,
  WebhookAddress,
} from "../../steering/steering-config.ts";
import { spreadContext, type SteeringDocument, steeringKind, steeringSchema } from "./steering-schema.ts";
import { clusterFlags } from "../flags/cluster-flags.ts";
import type { Flags, Invocation } from "../command.ts";
import {
  type WorkloadSettings,
  readWorkloadSettings,
  schedulerConfigFlag,
} from "../control-plane/controllers-settings.ts";
import { programFlags, flagText } from "../flags/program-flags.ts";

export type ReadSteeringConfig =
  | { readonly ok: true; readonly config: SteeringConfig }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Where the program is started. */
export interface Home {
  /** That of the Pod, or of the kubeconfig's context. */
  readonly namespace: string;
  /** Whether it runs in a Pod of the cluster that it steers. */
  readonly isPod: boolean;
}

/** Reads the configuration file of `trimtab steer`; returns all errors, one sentence each. */
export function readSteeringConfig(file: string, home: Home): ReadSteeringConfig {
  const read = readTextFile(file);
  if (!read.ok) return { ok: false, problems: [`${file}: ${read.reason}`] };
  return parseSteeringConfig(read.text, home, file);
}

/** Parses a SteeringConfiguration, as YAML or JSON; the program runs in the namespace that the file names, or else at `home`. */
export function parseSteeringConfig(text: string, home: Home, file = "the file"): ReadSteeringConfig {
  const read = readYamlDocument(steeringSchema, { file, text, kind: steeringKind });
  return read.ok ? { ok: true, config: configOf(read.value, home) } : read;
}

const karpenterCosts = ["karpenter.sh/managed-deletion-cost"];

type WebhookDocument = SteeringDocument["webhook"];

function configOf(document: SteeringDocument, home: Home): SteeringConfig {
  const { name = "trimtab-steer", namespace = home.namespace, webhook, defaultSpread = [] } = document;
  const { machineCosts = karpenterCosts, mode = "enforce" } = document;
  // Behind a Service it is a Pod, wherever its kubeconfig is from.
  const runsThere = document.namespace !== undefined || webhook.service !== undefined || home.isPod;
  return {
    name,
    namespace,
    leftOut: [...new Set(["kube-system", ...(runsThere ? [namespace] : [])])],
    address: addressOf(webhook, namespace),
    ...listeningOf(webhook),
    certificate: certificateOf(webhook, { namespace, name }),
    mode,
    machineCosts,
    spread: defaultSpread.map(spreadOf).filter(({ constraints }) => constraints.length > 0),
  };
}

function listeningOf({ bind, port = 9443, timeoutSeconds = 3 }: WebhookDocument) {
  return { ...(bind === undefined ? {} : { bind }), port, timeoutSeconds };
}

function addressOf({ service, url }: WebhookDocument, home: string): WebhookAddress {
  if (url !== undefined) return { kind: "url", url: new URL(url).origin };
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

/** The settings of `trimtab steer`. */
export interface SteerSettings extends WorkloadSettings {
  readonly config: string;
  /** The folder in which observations are kept, or `configmap/NAME`. */
  readonly observations?: string | undefined;
}

export const steerFlags: Flags = {
  config: {
    type: "string",
    value: "FILE",
    help: "The SteeringConfiguration: where the webhook is, and default spreading",
  },
  observations: {
    type: "string",
    value: "DIR",
    help: "Keep what mode observe sees for trimtab steer report: in this folder, or summed up in configmap/NAME",
  },
  ...clusterFlags({
    port: 10_281,
    lease: "trimtab-steer",
    leaseHelp: "Lease of the replica that undoes marks and wakes rollouts",
  }),
  ...schedulerConfigFlag,
  ...programFlags("info"),
};

/** Reads the flags of `steer`; returns all errors, one sentence each. */
export function readSteerSettings(invocation: Invocation): SteerSettings | readonly string[] {
  const settings = readWorkloadSettings(invocation);
  const config = flagText(invocation.flags, "config");
  const missing = config === "" ? ["--config must name the SteeringConfiguration"] : [];
  if (!("port" in settings)) return [...missing, ...settings];
  return missing.length > 0
    ? missing
    : { ...settings, config, observations: flagText(invocation.flags, "observations") || undefined };
}
