import { expect, onTestFinished, test } from "vitest";
import { protectionLimitAnnotation } from "../../api/pod-protection.ts";
import { deployments, namespaces } from "../../api/resources.ts";
import type { WebhookTransport } from "../../cluster/apiserver/webhooks/webhook-transport.ts";
import { deployment } from "../../testing/deployment.ts";
import { testCluster } from "../../testing/test-cluster.ts";
import type { SteeringConfig } from "../steering-config.ts";
import {
  mutatingWebhooks,
  validatingWebhookConfigurations,
  validatingWebhooks,
} from "./webhook-configuration.ts";

const config: SteeringConfig = {
  name: "trimtab-steer",
  namespace: "trimtab",
  leftOut: ["kube-system", "trimtab"],
  address: { kind: "url", url: "https://steer.example" },
  port: 0,
  timeoutSeconds: 10,
  mode: "enforce",
  machineCosts: [],
  certificate: { kind: "secret", namespace: "trimtab", name: "certificate" },
  spread: [{ name: "zones", namespaceSelector: {}, constraints: [] }],
};

/** A cluster that calls the validating webhooks, all of which admit; what it calls is counted. */
async function start() {
  let calls = 0;
  const transport: WebhookTransport = {
    call: ({ body }) => {
      calls += 1;
      const { apiVersion, kind, request } = JSON.parse(body) as {
        readonly apiVersion: string;
        readonly kind: string;
        readonly request: { readonly uid: string };
      };
      const review = { apiVersion, kind, response: { uid: request.uid, allowed: true } };
      return Promise.resolve({ ok: true, statusCode: 200, body: JSON.stringify(review) });
    },
  };
  const cluster = await testCluster({ components: [], nodes: 0, webhooks: () => transport });
  onTestFinished(() => cluster.stop());
  await cluster.client.create(validatingWebhookConfigurations, {
    metadata: { name: config.name },
    webhooks: validatingWebhooks(config, { scaled: [] }),
  });
  const callsOf = async (act: () => Promise<unknown>): Promise<number> => {
    const before = calls;
    await act();
    return calls - before;
  };
  return { client: cluster.client, callsOf };
}

const wish = "trimtab.dev/removal-order";
const at = { namespace: "default", name: "web" };

test("a Deployment that asks is sent where it is created and where its wish changes, and for nothing else", async () => {
  const { client, callsOf } = await start();
  const patch = (body: object) => () => client.patch(deployments, at, { type: "merge", body: body as never });
  const { metadata, spec } = deployment("web");
  const draft = {
    metadata: { ...at, labels: metadata.labels ?? {}, annotations: { [wish]: "trimtab" } },
    spec,
  };
  expect(await callsOf(() => client.create(deployments, draft))).toBe(1);
  expect(await callsOf(patch({ metadata: { labels: { team: "shop" } } }))).toBe(0);
  expect(await callsOf(patch({ metadata: { annotations: { note: "of a person" } } }))).toBe(0);
  expect(await callsOf(patch({ spec: { replicas: 7 } }))).toBe(0);
  expect(await callsOf(patch({ spec: { template: { metadata: { annotations: { note: "x" } } } } }))).toBe(0);
  expect(await callsOf(patch({ metadata: { annotations: { [wish]: "none" } } }))).toBe(1);
  expect(await callsOf(patch({ metadata: { annotations: { [protectionLimitAnnotation]: "5m" } } }))).toBe(1);
  expect(
    await callsOf(patch({ spec: { template: { metadata: { annotations: { [wish]: "trimtab" } } } } })),
  ).toBe(1);
});

test("a namespace that asks is sent where one of our labels changes, and for nothing else", async () => {
  const { client, callsOf } = await start();
  const patch = (labels: object) => () =>
    client.patch(namespaces, { name: "shop" }, { type: "merge", body: { metadata: { labels } } as never });
  const labels = { [wish]: "trimtab" };
  expect(
    await callsOf(() => client.create(namespaces, { metadata: { name: "shop", labels }, spec: {} })),
  ).toBe(1);
  expect(await callsOf(patch({ team: "shop" }))).toBe(0);
  expect(await callsOf(patch({ [wish]: "none" }))).toBe(1);
});

test("only the Scale of a ReplicaSet may wait as long as configured; anything else waits three seconds", () => {
  const timeouts = [
    ...mutatingWebhooks(config, { scaled: ["default/web"] }),
    ...validatingWebhooks(config, { scaled: [] }),
  ].map(({ name, timeoutSeconds }) => [name.split(".")[0], timeoutSeconds]);
  expect(Object.fromEntries(timeouts)).toEqual({
    sizes: 3,
    ordered: 3,
    replaced: 3,
    balanced: 3,
    scales: 10,
    "spread-0": 3,
    wishes: 3,
    labels: 3,
  });
});
