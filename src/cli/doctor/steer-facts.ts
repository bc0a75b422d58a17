import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from "../../api/generated/admissionregistration-v1.ts";
import type { Deployment } from "../../api/generated/apps-v1.ts";
import type { Lease } from "../../api/generated/coordination-v1.ts";
import type { Secret, Service } from "../../api/generated/core-v1.ts";
import type { EndpointSlice } from "../../api/generated/discovery-v1.ts";
import { deployments, endpointSlices, leases, secrets, services } from "../../api/resources.ts";
import { namespaceNameLabel, serviceNameLabel } from "../../api/well-known.ts";
import type { Client } from "../../machinery/client/client.ts";
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "../../steering/serving/webhook-configuration.ts";
import { type ClusterReading, clusterReadingOf, valueRead } from "./reading.ts";

/** Where `trimtab steer` is looked for. */
export interface SteerPlace {
  /** Of its webhook configurations, its Lease and its Deployment. */
  readonly name: string;
  /** Absent: as the webhook configurations show. */
  readonly namespace?: string | undefined;
}

/** What a cluster has of `trimtab steer`. */
export interface SteerFacts {
  readonly name: string;
  /** Of its Secret, its Lease and its Deployment, as far as is known. */
  readonly namespace: string;
  readonly mutating: ClusterReading<MutatingWebhookConfiguration>;
  readonly validating: ClusterReading<ValidatingWebhookConfiguration>;
  /** How the API server calls it; absent: no webhook configuration names it. */
  readonly clientConfig?: WebhookClientConfig | undefined;
  /** The namespaces that the webhooks leave out. */
  readonly leftOut: readonly string[];
  readonly certificate: ClusterReading<Secret>;
  readonly lease: ClusterReading<Lease>;
  readonly deployment: ClusterReading<Deployment>;
  /** Absent: it is called by a URL. */
  readonly service?: ClusterReading<Service>;
  readonly endpoints?: ClusterReading<readonly EndpointSlice[]>;
}

/** The namespace of the chart and of `trimtab install`. */
const usualNamespace = "trimtab";

/** Reads what a cluster has of `trimtab steer`; it only reads. */
export async function readSteerFacts(
  client: Client,
  { name, namespace: given }: SteerPlace,
  signal: AbortSignal,
): Promise<SteerFacts> {
  const [mutating, validating] = await Promise.all([
    clusterReadingOf(client.get(mutatingWebhookConfigurations, { name }, signal)),
    clusterReadingOf(client.get(validatingWebhookConfigurations, { name }, signal)),
  ]);
  const { clientConfig, leftOut } = shownBy(valueRead(mutating), valueRead(validating));
  const home = leftOut.find((each) => each !== "kube-system");
  const namespace = given ?? clientConfig?.service?.namespace ?? home ?? usualNamespace;
  const [certificate, lease, deployment] = await Promise.all([
    clusterReadingOf(client.get(secrets, { namespace, name: `${name}-certificate` }, signal)),
    clusterReadingOf(client.get(leases, { namespace, name }, signal)),
    clusterReadingOf(client.get(deployments, { namespace, name }, signal)),
  ]);
  const known = { name, namespace, mutating, validating, clientConfig, leftOut };
  const backends = await readBackends(client, clientConfig?.service, signal);
  return { ...known, certificate, lease, deployment, ...backends };
}

/** What webhook configurations show: how steer is called, and what it leaves out. */
function shownBy(
  mutating: MutatingWebhookConfiguration | undefined,
  validating: ValidatingWebhookConfiguration | undefined,
): Pick<SteerFacts, "clientConfig" | "leftOut"> {
  const [webhook] = [...(mutating?.webhooks ?? []), ...(validating?.webhooks ?? [])];
  const expressions = webhook?.namespaceSelector?.matchExpressions ?? [];
  const leftOut = expressions.flatMap(({ key, operator, values = [] }) =>
    key === namespaceNameLabel && operator === "NotIn" ? values : [],
  );
  return { clientConfig: webhook?.clientConfig, leftOut };
}

async function readBackends(
  client: Client,
  reference: WebhookClientConfig["service"],
  signal: AbortSignal,
): Promise<Pick<SteerFacts, "service" | "endpoints">> {
  if (reference === undefined) return {};
  const { namespace, name } = reference;
  const labelSelector = `${serviceNameLabel}=${name}`;
  const [service, slices] = await Promise.all([
    clusterReadingOf(client.get(services, { namespace, name }, signal)),
    clusterReadingOf(client.list(endpointSlices, { namespace, labelSelector }, signal)),
  ]);
  const endpoints =
    slices.state === "found" ? ({ state: "found", value: slices.value.items } as const) : slices;
  return { service, endpoints };
}

/** The arguments of the program in the Deployment of steer. */
export function steerArguments({
  deployment,
}: Pick<SteerFacts, "deployment">): readonly string[] | undefined {
  const [container] = valueRead(deployment)?.spec.template.spec?.containers ?? [];
  return container === undefined ? undefined : [...(container.command ?? []), ...(container.args ?? [])];
}

/** The values of a flag that is given as `--name=value` or `--name value`. */
export function argumentValues(words: readonly string[], name: string): readonly string[] {
  return words.flatMap((word, index) => {
    if (word.startsWith(`--${name}=`)) return [word.slice(name.length + 3)];
    return word === `--${name}` ? [words[index + 1] ?? ""] : [];
  });
}
