import { expect, onTestFinished, test } from "vitest";
import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Draft } from "../api/object.ts";
import { namespaces, replicaSets } from "../api/resources.ts";
import { runController } from "../machinery/controller.ts";
import { InformerFactory } from "../machinery/informer/informer-factory.ts";
import { seededRandom } from "../machinery/random/random.ts";
import { collectingLogger } from "../testing/collecting-logger.ts";
import { memoryMetrics } from "../testing/memory-metrics.ts";
import { observeClient, type ObservedClient } from "../testing/observe-client.ts";
import { replicaSet } from "../testing/replica-set.ts";
import { testCluster } from "../testing/test-cluster.ts";
import { steeringMetrics } from "./metrics.ts";
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "./serving/webhook-configuration.ts";
import type { SteeringConfig } from "./steering-config.ts";
import { webhooksController } from "./webhooks.ts";

const name = "trimtab-steer";
const config: SteeringConfig = {
  name,
  namespace: "trimtab",
  leftOut: ["kube-system", "trimtab"],
  address: { kind: "url", url: "https://steer.example" },
  port: 0,
  timeoutSeconds: 10,
  certificate: { kind: "secret", namespace: "trimtab", name: "certificate" },
  spread: [],
  mode: "enforce",
  machineCosts: [],
};

// The first condition makes the API server load its expressions, which virtual time does not wait for.
const somebodyElse = {
  metadata: { name: "somebody-else" },
  webhooks: [
    {
      name: "webhook.example.com",
      clientConfig: { url: "https://webhook.example" },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      matchConditions: [{ name: "never", expression: "false" }],
    },
  ],
};

/** A cluster without components, and what one copy of the controller needs. */
async function start() {
  const cluster = await testCluster({ components: [], nodes: 0 });
  onTestFinished(() => cluster.stop());
  const { client, clock } = cluster;
  await client.create(validatingWebhookConfigurations, somebodyElse);
  const log = collectingLogger();
  const metrics = memoryMetrics();
  const startCopy = async (prepare: (line: ObservedClient) => void = () => undefined) => {
    const line = observeClient(client);
    const stopping = new AbortController();
    const { signal } = stopping;
    const random = seededRandom("webhooks");
    const informers = new InformerFactory({ client: line.client, clock, random, log });
    const spec = webhooksController({
      client: line.client,
      log,
      metrics: steeringMetrics(metrics),
      config,
      identity: () => ({ certificate: "", key: "" }),
      mutating: informers.of(mutatingWebhookConfigurations),
      validating: informers.of(validatingWebhookConfigurations),
      replicaSets: informers.of(replicaSets),
      namespaces: informers.of(namespaces),
    });
    const running = [informers.run(signal)];
    await clock.settle();
    expect(await informers.synced(signal)).toBe(true);
    prepare(line);
    running.push(runController(spec, { clock, log }, signal));
    onTestFinished(async () => {
      stopping.abort(new Error("the test is over"));
      line.releaseWatches();
      await clock.settle();
      await Promise.allSettled(running);
    });
    return line;
  };
  const named = async () => {
    const { webhooks = [] } = await client.get(mutatingWebhookConfigurations, { name });
    const scales = webhooks.find((webhook) => webhook.name.startsWith("scales."));
    return scales?.matchConditions?.[0]?.expression;
  };
  return { client, clock, log, metrics, startCopy, named };
}

test("a first start makes both configurations and complains about nothing, however late its watch is", async () => {
  const { client, clock, log, startCopy } = await start();
  const line = await startCopy((observed) => observed.holdWatches(validatingWebhookConfigurations));
  await clock.advance(1000);
  line.releaseWatches();
  await clock.advance(1000);
  expect((await client.get(mutatingWebhookConfigurations, { name })).webhooks).not.toEqual([]);
  expect((await client.get(validatingWebhookConfigurations, { name })).webhooks).not.toEqual([]);
  expect(log.entries.filter(({ level }) => level !== "debug")).toEqual([]);
});

test("what another program made first is put right once the watch shows it", async () => {
  const { client, clock, log, startCopy } = await start();
  const line = await startCopy((observed) => observed.holdWatches());
  await client.create(mutatingWebhookConfigurations, { metadata: { name }, webhooks: [] });
  await clock.advance(1000);
  line.releaseWatches();
  await clock.advance(1000);
  expect((await client.get(mutatingWebhookConfigurations, { name })).webhooks).not.toEqual([]);
  expect(log.entries.filter(({ level }) => level !== "debug")).toEqual([]);
});

/** A ReplicaSet as a person or a Deployment creates it. */
function draft(name: string, traits?: Parameters<typeof replicaSet>[1]): Draft<ReplicaSet> {
  const { metadata, spec } = replicaSet(name, traits);
  const { namespace = "default", labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  return { metadata: { namespace, name, labels, annotations, ownerReferences }, spec };
}

const batch = { namespace: "default", name: "batch" };
const order = { "trimtab.dev/removal-order": "trimtab" };

test("a stand-alone ReplicaSet is named within a second of asking, and no longer once it asks no more", async () => {
  const { client, clock, startCopy, named } = await start();
  await startCopy();
  await client.create(replicaSets, draft(batch.name));
  await clock.advance(10_000);
  expect(await named()).toBeUndefined();
  const annotate = (value: string | null) =>
    client.patch(replicaSets, batch, {
      type: "merge",
      body: { metadata: { annotations: { "trimtab.dev/removal-order": value } } },
    });
  await annotate("trimtab");
  await clock.advance(900);
  expect(await named()).toContain("'default/batch'");
  await annotate(null);
  await clock.advance(900);
  expect(await named()).toBeUndefined();
});

test("a stand-alone ReplicaSet is named within a second of its namespace asking", async () => {
  const { client, clock, startCopy, named } = await start();
  await startCopy();
  await client.create(replicaSets, draft(batch.name));
  await clock.advance(10_000);
  const body = { metadata: { labels: order } };
  await client.patch(namespaces, { name: "default" }, { type: "merge", body });
  await clock.advance(900);
  expect(await named()).toContain("'default/batch'");
});

test("the ReplicaSets of a Deployment, which rollouts make all the time, are named at leisure", async () => {
  const { client, clock, startCopy, named } = await start();
  await startCopy();
  await clock.advance(10_000);
  await client.create(replicaSets, draft("web-1", { owner: "web", annotations: order }));
  await clock.advance(4000);
  expect(await named()).toBeUndefined();
  await clock.advance(2000);
  expect(await named()).toContain("'default/web-1'");
});

test("of more ReplicaSets than can be named those with Pods are named, and it is said how many are not", async () => {
  const { client, clock, log, metrics, startCopy, named } = await start();
  for (let index = 0; index < 1010; index++)
    await client.create(replicaSets, draft(`rs-${index}`, { annotations: order, size: index < 20 ? 0 : 1 }));
  await startCopy();
  await clock.advance(6000);
  const expression = (await named()) ?? "";
  const names = expression.match(/rs-\d+/g) ?? [];
  expect(names).toHaveLength(1000);
  for (let index = 20; index < 1010; index++) expect(names).toContain(`rs-${index}`);
  expect(metrics.value("trimtab_steer_unnamed_scales")).toBe(10);
  expect(log.entries.filter(({ level }) => level === "warn")).toHaveLength(1);
});
