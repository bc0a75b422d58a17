import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { defaultFeatureGates } from "../src/api/feature-gates.ts";
import type { ValidatingWebhookConfiguration } from "../src/api/generated/admissionregistration-v1.ts";
import type { Draft } from "../src/api/object.ts";
import type { Resource } from "../src/api/resource.ts";
import { configMaps, namespaces } from "../src/api/resources.ts";
import { createApiServer } from "../src/cluster/apiserver/create-api-server.ts";
import { MemoryStore } from "../src/cluster/store/memory-store.ts";
import { localWebhooks } from "../src/cluster/webhook-access.ts";
import { createCertificateAuthority, issueCertificate } from "../src/machinery/certificates/certificate.ts";
import type { Client } from "../src/machinery/client/client.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../src/machinery/log/logger.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { emptyAllowList } from "../src/picker/addresses/address-policy.ts";
import { type Measure, percentile } from "./measure.ts";

const configurations: Resource<ValidatingWebhookConfiguration> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  namespaced: false,
};

/** What admission webhooks cost a write in process: none, one that does not match, one that does. */
export async function webhooks(): Promise<readonly Measure[]> {
  const webhook = await startWebhook();
  const none = await measured(10_000);
  const other = await measured(10_000, configurationOf(webhook, "secrets"));
  const never = "object.metadata.name == 'never'";
  const excluded = await measured(4000, configurationOf(webhook, "configmaps", never));
  const asked = await measured(1000, configurationOf(webhook, "configmaps"));
  webhook.close();
  return [
    { what: "ConfigMap creates, no webhooks", value: none.perSecond, unit: "per s" },
    { what: "ConfigMap creates, a webhook for other resources", value: other.perSecond, unit: "per s" },
    { what: "ConfigMap creates, excluded by a match condition", value: excluded.perSecond, unit: "per s" },
    { what: "ConfigMap create, one webhook asked, median", value: percentile(asked.tookMs, 0.5), unit: "ms" },
    { what: "ConfigMap create, one webhook asked, p99", value: percentile(asked.tookMs, 0.99), unit: "ms" },
  ];
}

/** Creates so many ConfigMaps, after as many that are not measured, in a server of their own. */
async function measured(count: number, configuration?: Draft<ValidatingWebhookConfiguration>) {
  const clock = new WallClock();
  const store = new MemoryStore({ clock });
  const server = createApiServer({
    clock,
    random: seededRandom("bench"),
    store,
    gates: () => defaultFeatureGates,
    log: silentLogger,
    webhookTransport: localWebhooks({ allowed: emptyAllowList })({ store, clock }),
  });
  const { client } = server;
  await client.create(namespaces, { metadata: { name: "default" }, spec: {} });
  if (configuration !== undefined) await client.create(configurations, configuration);
  await creates(client, "warm", count);
  const result = await creates(client, "timed", count);
  await server.close();
  return result;
}

async function creates(client: Client, prefix: string, count: number) {
  const tookMs: number[] = [];
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    const before = performance.now();
    await client.create(configMaps, {
      metadata: { namespace: "default", name: `${prefix}-${index}` },
      data: { k: "v" },
    });
    tookMs.push(performance.now() - before);
  }
  return { tookMs, perSecond: (count * 1000) / (performance.now() - start) };
}

/** A webhook that allows everything. */
async function startWebhook() {
  const now = new WallClock().now();
  const random = seededRandom("bench");
  const authority = createCertificateAuthority(now, random);
  const subject = { commonName: "webhook" };
  const pair = issueCertificate(authority, { subject, use: "server", hosts: ["127.0.0.1"], now, random });
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    void allow(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port, caBundle: Buffer.from(authority.certificate).toString("base64"), close };
}

async function allow(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const review = JSON.parse(Buffer.concat(chunks).toString()) as { readonly request: { uid: string } };
  const answer = { uid: review.request.uid, allowed: true };
  response.end(
    JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: answer }),
  );
}

function configurationOf(
  { port, caBundle }: { readonly port: number; readonly caBundle: string },
  resource: string,
  expression?: string,
): Draft<ValidatingWebhookConfiguration> {
  return {
    metadata: { name: resource },
    webhooks: [
      {
        name: "bench.example.com",
        clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle },
        rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: [resource] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        ...(expression !== undefined && { matchConditions: [{ name: "bench", expression }] }),
      },
    ],
  };
}
