import { describe, expect, test } from "vitest";
import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import { deployments, pods as podsResource, replicaSets } from "../../src/api/resources.ts";
import type { WatchEvent } from "../../src/machinery/client/client.ts";
import { oneOf, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import type { TestCluster } from "../../src/testing/test-cluster.ts";
import { deployment, podsOf, replicaSet, setImage, sizesOf, startSituation, web } from "./situation.ts";

// What the conformance tests of Kubernetes do to a workload from its first request to its last.

const kinds = [
  { resource: deployments as Resource, draft: deployment({ replicas: 1 }) },
  { resource: replicaSets as Resource, draft: replicaSet({ replicas: 1 }) },
];

/** The part of a workload that is looked at. */
interface Reported {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly reason?: string }[] };
}

describe.each(kinds)("$resource.plural", ({ resource, draft }) => {
  test("is scaled by its subresource: read, replaced without a resourceVersion, patched", async () => {
    const cluster = await startSituation();
    const { client, clock } = cluster;
    await client.create(resource, draft);
    await clock.advance(5000);
    const scale = { metadata: { ...web, uid: "" }, spec: { replicas: 2 } } as unknown as StoredObject;
    await client.update(resource, scale, { subresource: "scale" });
    await clock.advance(10_000);
    expect(await podsOf(cluster)).toHaveLength(2);
    const body = { spec: { replicas: 4 } };
    const patched = await client.patch(resource, web, { type: "strategic", subresource: "scale", body });
    expect(patched).toMatchObject({ kind: "Scale", spec: { replicas: 4 }, status: { replicas: 2 } });
    await clock.advance(10_000);
    expect(await podsOf(cluster)).toHaveLength(4);
  });

  test("keeps the conditions that a client writes into its status, and nothing else of that write", async () => {
    const { client, clock } = await startSituation();
    await client.create(resource, draft);
    await clock.advance(5000);
    const reasonOf = (object: unknown) =>
      (object as Reported).status?.conditions?.find(({ type }) => type === "StatusUpdate")?.reason;
    const condition = { type: "StatusUpdate", status: "True", reason: "Put", message: "set" };
    const read = await client.get(resource, web);
    const status = { ...(read as { status?: object }).status, conditions: [condition] };
    const put = { ...read, spec: { ...deployment({ replicas: 9 }).spec }, status } as unknown as StoredObject;
    await client.update(resource, put, { subresource: "status" });
    await clock.advance(5000);
    const after = await client.get(resource, web);
    expect([reasonOf(after), after]).toMatchObject(["Put", { spec: { replicas: 1 } }]);
    const body = { status: { conditions: [{ ...condition, reason: "Patched" }] } };
    await client.patch(resource, web, { type: "merge", subresource: "status", body });
    expect(reasonOf(await client.get(resource, web))).toBe("Patched");
  });
});

test("a watch that is resumed from an old revision sees every later step of the life of a Deployment once", async () => {
  const cluster = await startSituation();
  const { client, clock } = cluster;
  const { resourceVersion } = await client.list(deployments, { labelSelector: "name=web" });
  await client.create(deployments, deployment({ replicas: 1 }));
  await clock.advance(10_000);
  await client.patch(deployments, web, {
    type: "strategic",
    body: { metadata: { labels: { step: "patched" } }, spec: { replicas: 2 } },
  });
  await clock.advance(10_000);
  const { metadata, spec } = await client.get(deployments, web);
  const unconditional = { ...metadata, resourceVersion: "", labels: { ...metadata.labels, step: "put" } };
  await client.update(deployments, { metadata: unconditional, spec });
  await clock.advance(10_000);
  await client.deleteCollection(
    deployments,
    { namespace: web.namespace, labelSelector: "step=put" },
    {
      gracePeriodSeconds: 1,
    },
  );
  const seen = await eventsSince(cluster, resourceVersion);
  const steps = seen.flatMap((event) => (event.type === "BOOKMARK" ? [] : [stepOf(event)]));
  expect(steps.filter((step, index) => step !== steps[index - 1])).toEqual([
    "ADDED undefined",
    "MODIFIED undefined",
    "MODIFIED patched",
    "MODIFIED put",
    "DELETED put",
  ]);
  const revisions = seen.map((event) =>
    Number(event.type === "BOOKMARK" ? event.resourceVersion : event.object.metadata.resourceVersion),
  );
  expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
});

type DeploymentEvent = WatchEvent<typeof deployments extends Resource<infer T> ? T : never>;

const stepOf = (event: Exclude<DeploymentEvent, { readonly type: "BOOKMARK" }>): string =>
  `${event.type} ${event.object.metadata.labels?.["step"]}`;

/** What a watch from a revision on delivers until the Deployment is gone. */
async function eventsSince(
  { client }: TestCluster,
  resourceVersion: string,
): Promise<readonly DeploymentEvent[]> {
  const seen: DeploymentEvent[] = [];
  const query = { labelSelector: "name=web", resourceVersion };
  for await (const event of client.watch(deployments, query, new AbortController().signal)) {
    seen.push(event);
    if (event.type === "DELETED") return seen;
  }
  return seen;
}

describe.each([1, 2, 3])("whatever is done to a Deployment in turn (%i)", (seed) => {
  test("it completes", async () => {
    const cluster = await startSituation();
    const { client, clock } = cluster;
    const random = seededRandom(seed);
    await client.create(deployments, deployment({ replicas: 6 }));
    const patch = (body: object) => client.patch(deployments, web, { type: "merge", body: { ...body } });
    const acts = [
      () => setImage(cluster, `httpd:${randomInt(random, 100)}`),
      () => patch({ metadata: { annotations: { "deprecated.deployment.rollback.to": "0" } } }),
      () => patch({ spec: { replicas: randomInt(random, 10) + 1 } }),
      () => patch({ spec: { paused: true } }),
      () => patch({ spec: { paused: false } }),
      () => client.deleteCollection(podsResource, { namespace: web.namespace }, {}),
    ];
    for (let step = 0; step < 20; step++) {
      await oneOf(acts, random)?.();
      await clock.advance(randomInt(random, 3000));
    }
    await patch({ spec: { paused: false } });
    await clock.advance(120_000);
    const { spec, status, metadata } = await client.get(deployments, web);
    const { replicas } = spec;
    expect(status).toMatchObject({
      observedGeneration: metadata.generation,
      replicas,
      updatedReplicas: replicas,
    });
    expect((await sizesOf(cluster)).at(-1)).toBe(replicas);
    expect(metadata.annotations).not.toHaveProperty("deprecated.deployment.rollback.to");
  });
});
