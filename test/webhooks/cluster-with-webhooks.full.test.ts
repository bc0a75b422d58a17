import { expect, test } from "vitest";
import type { ValidatingWebhookConfiguration } from "../../src/api/generated/admissionregistration-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import { deployments, pods } from "../../src/api/resources.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { startEmbedded } from "../embedded-cluster.ts";
import { startWebhookServer } from "./webhook-server.ts";

const rules = [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] }];

function configurationsOf(kind: "Mutating" | "Validating"): Resource<ValidatingWebhookConfiguration> {
  return {
    group: "admissionregistration.k8s.io",
    version: "v1",
    kind: `${kind}WebhookConfiguration`,
    plural: `${kind.toLowerCase()}webhookconfigurations`,
    namespaced: false,
  };
}

async function configure(client: Client, webhook: object): Promise<void> {
  const configuration = { metadata: { name: "all" }, webhooks: [webhook] };
  for (const kind of ["Mutating", "Validating"] as const)
    await client.create(configurationsOf(kind), configuration as Draft<ValidatingWebhookConfiguration>);
}

/** Rolls a Deployment out, scales it down, and waits for each. */
async function rollOut(client: Client): Promise<void> {
  await client.create(deployments, {
    metadata: { namespace: "default", name: "web" },
    spec: {
      replicas: 5,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "app", image: "app:1" }] },
      },
    },
  });
  await untilReady(client, 5);
  const name = { namespace: "default", name: "web" };
  await client.patch(deployments, name, {
    type: "merge",
    subresource: "scale",
    body: { spec: { replicas: 2 } },
  });
  await untilReady(client, 2);
}

async function untilReady(client: Client, count: number): Promise<void> {
  const enough = new AbortController();
  for await (const event of client.watch(deployments, { namespace: "default" }, enough.signal)) {
    if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
    const { status = {} } = event.object;
    if (status.readyReplicas === count && status.replicas === count) return;
  }
}

test("a Deployment is rolled out although every write waits for webhooks", { timeout: 60_000 }, async () => {
  const server = await startWebhookServer({ all: () => ({}) });
  const { client, stop, log } = await startEmbedded();
  await configure(client, server.webhookAt("all", { rules }));
  await rollOut(client);
  const kinds = new Set(server.seen.map(({ operation, subResource = "" }) => `${operation} ${subResource}`));
  expect([...kinds].toSorted()).toEqual(
    expect.arrayContaining([
      "CREATE ",
      "CREATE binding",
      "DELETE ",
      "UPDATE ",
      "UPDATE scale",
      "UPDATE status",
    ]),
  );
  const { items } = await client.list(pods, { namespace: "default" });
  expect(items.length).toBeGreaterThanOrEqual(2);
  await stop();
  expect(log.entries.filter(({ level }) => level === "error")).toEqual([]);
});

test("a webhook that is down and may fail keeps nothing from happening", { timeout: 60_000 }, async () => {
  const server = await startWebhookServer({});
  await server.close();
  const { client, stop } = await startEmbedded();
  await configure(client, server.webhookAt("all", { rules, failurePolicy: "Ignore" }));
  await rollOut(client);
  await stop();
});
