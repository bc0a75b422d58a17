import { expect, onTestFinished, test } from "vitest";
import { deletionCostAnnotation } from "../api/deletion-cost.ts";
import { formatMicroTime } from "../api/time.ts";
import { deployments, leases, pods, replicaSets, secrets, serviceAccounts } from "../api/resources.ts";
import { admittedLabel } from "../decisions/stock/admitted-shrink.ts";
import { cappedAnnotation } from "../decisions/stock/admitted-size.ts";
import { roomLabel } from "../decisions/stock/wish.ts";
import { decisionAnnotation, originalCostAnnotation } from "../decisions/stock/mark.ts";
import { apiFailure } from "../machinery/client/api-error.ts";
import { testCluster } from "../testing/test-cluster.ts";
import { removeSteering } from "./remove-steering.ts";
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "./serving/webhook-configuration.ts";

const names = { name: "trimtab-steer", namespace: "default", lease: "trimtab-steer", secret: "certificate" };

async function cluster() {
  const started = await testCluster({ components: [], nodes: 0 });
  onTestFinished(() => started.stop());
  await started.client.create(serviceAccounts, { metadata: { name: "default", namespace: "default" } });
  return started;
}

const marked = (name: string, annotations: Readonly<Record<string, string>>) => ({
  metadata: { name, namespace: "default", annotations },
  spec: { containers: [{ name: "web", image: "web" }] },
});
const mark = { [decisionAnnotation]: "7f3a9c20e1.2.-1", [originalCostAnnotation]: "" };

test("removeSteering leaves no configuration, mark, Secret or Lease, and other costs as they are", async () => {
  const { client, clock } = await cluster();
  const { name, namespace } = names;
  await client.create(mutatingWebhookConfigurations, { metadata: { name } });
  await client.create(validatingWebhookConfigurations, { metadata: { name } });
  await client.create(validatingWebhookConfigurations, { metadata: { name: "of-others" } });
  await client.create(secrets, { metadata: { name: names.secret, namespace } });
  await client.create(leases, { metadata: { name, namespace }, spec: { holderIdentity: "" } });
  const costs = [
    { name: "was-free", annotations: { ...mark, [deletionCostAnnotation]: "-1" } },
    {
      name: "had-cost",
      annotations: { ...mark, [originalCostAnnotation]: "7", [deletionCostAnnotation]: "-1" },
    },
    { name: "changed-since", annotations: { ...mark, [deletionCostAnnotation]: "9" } },
    { name: "of-a-user", annotations: { [deletionCostAnnotation]: "5" } },
  ];
  for (const each of costs) await client.create(pods, marked(each.name, each.annotations));

  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } };
  const rollout = { [cappedAnnotation]: "true", "of-a-user": "stays" };
  await client.create(replicaSets, {
    metadata: {
      name: "web",
      namespace,
      labels: { ...labels, [roomLabel]: "1", [admittedLabel]: "3" },
      annotations: rollout,
    },
    spec: { replicas: 0, selector: { matchLabels: labels }, template },
  });

  const removed = removeSteering({ client, clock, ...names }, new AbortController().signal);
  expect(await removed).toEqual({ configurations: 2, marks: 3 });

  const { items } = await client.list(pods, {});
  expect(
    Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.annotations ?? {}])),
  ).toEqual({
    "was-free": {},
    "had-cost": { [deletionCostAnnotation]: "7" },
    "changed-since": { [deletionCostAnnotation]: "9" },
    "of-a-user": { [deletionCostAnnotation]: "5" },
  });
  const replicaSet = await client.get(replicaSets, { name: "web", namespace });
  expect(replicaSet.metadata.annotations).toEqual({ "of-a-user": "stays" });
  expect(replicaSet.metadata.labels).toEqual(labels);
  const left = await client.list(validatingWebhookConfigurations, {});
  expect(left.items.map(({ metadata }) => metadata.name)).toEqual(["of-others"]);
  expect((await client.list(mutatingWebhookConfigurations, {})).items).toEqual([]);
  expect((await client.list(secrets, { namespace })).items).toEqual([]);
  expect((await client.list(leases, { namespace })).items).toEqual([]);
});

test("removeSteering ends the copies first, and does nothing while one of them still leads", async () => {
  const { client, clock } = await cluster();
  const { name, namespace } = names;
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "steer", image: "trimtab" }] } };
  const metadata = { name, namespace };
  await client.create(deployments, { metadata, spec: { selector: { matchLabels: labels }, template } });
  await client.create(mutatingWebhookConfigurations, { metadata: { name } });
  const renewTime = formatMicroTime(clock.now());
  const spec = { holderIdentity: "somebody_1", leaseDurationSeconds: 3600, renewTime };
  await client.create(leases, { metadata, spec });

  const removed = removeSteering({ client, clock, ...names }, new AbortController().signal);
  const refusal = removed.then(
    () => "removed",
    (error: Error) => error.message,
  );
  await clock.advance(70_000);
  expect(await refusal).toBe(
    "somebody_1 still runs trimtab steer and would register again: end it, and repeat this",
  );
  expect((await client.get(deployments, metadata)).spec.replicas).toBe(0);
  expect((await client.list(mutatingWebhookConfigurations, {})).items).toHaveLength(1);
});

test("removeSteering of a cluster that has nothing of it does nothing", async () => {
  const { client, clock } = await cluster();
  const removed = removeSteering({ client, clock, ...names }, new AbortController().signal);
  expect(await removed).toEqual({ configurations: 0, marks: 0 });
});

test("a list that expires between two pages is read at once instead", async () => {
  const { client, clock, observed } = await cluster();
  const annotations = { ...mark, [deletionCostAnnotation]: "-1" };
  for (let index = 0; index < 501; index++)
    await client.create(pods, marked(`web-${index}`, index % 100 === 0 ? annotations : {}));
  let pages = 0;
  observed.failRequests(({ verb, collection }) =>
    verb === "list" && collection === "pods" && ++pages === 2 ? apiFailure(410, "Expired") : undefined,
  );
  const options = { client: observed.client, clock, ...names };
  expect(await removeSteering(options, new AbortController().signal)).toMatchObject({ marks: 6 });
  expect(pages).toBe(3);
});
