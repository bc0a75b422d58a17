import { expect, test } from "vitest";
import { configMaps, deployments, namespaces, pods } from "../../api/resources.ts";
import { hasCause, isConflict, isNotFound } from "./api-error.ts";
import {
  configMapDraft,
  type CreateClient,
  deploymentDraft,
  errorOf,
  makeConfigMap,
  newNamespace,
  newClientFixture,
  podDraft,
} from "./client-fixture.contract.ts";

export function describeDeleting(create: CreateClient): void {
  test("what nothing holds is gone at once, and then not found", async () => {
    const world = await newClientFixture(create);
    await makeConfigMap(world, "a");
    expect(await world.client.delete(configMaps, world.at("a"))).toBeUndefined();
    expect(await errorOf(world.client.get(configMaps, world.at("a")))).toSatisfy(isNotFound);
    expect(await errorOf(world.client.delete(configMaps, world.at("a")))).toSatisfy(isNotFound);
  });

  test("a Pod on a node has its grace, and goes when there is none left", async () => {
    const { client, at, ...world } = await newClientFixture(create);
    await client.create(pods, podDraft(world, "a"));
    const ending = await client.delete(pods, at("a"));
    expect(ending?.metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      deletionGracePeriodSeconds: 30,
    });
    expect(await client.get(pods, at("a"))).toEqual(ending);
    const shortened = await client.delete(pods, at("a"), { gracePeriodSeconds: 5 });
    expect(shortened?.metadata.deletionGracePeriodSeconds).toBe(5);
    expect(await client.delete(pods, at("a"), { gracePeriodSeconds: 0 })).toBeUndefined();
    expect(await errorOf(client.get(pods, at("a")))).toSatisfy(isNotFound);
  });

  test("a Pod without a node has no use for grace", async () => {
    const { client, at, ...world } = await newClientFixture(create);
    await client.create(pods, podDraft(world, "a", {}));
    expect(await client.delete(pods, at("a"))).toBeUndefined();
    expect(await errorOf(client.get(pods, at("a")))).toSatisfy(isNotFound);
  });

  test("a finalizer holds an object until it is taken off", async () => {
    const { client, at, ...world } = await newClientFixture(create);
    const draft = configMapDraft(world, "a");
    await client.create(configMaps, {
      ...draft,
      metadata: { ...draft.metadata, finalizers: ["example.com/hold"] },
    });
    const held = await client.delete(configMaps, at("a"));
    expect(held?.metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      finalizers: ["example.com/hold"],
    });
    const operations = [{ op: "remove", path: "/metadata/finalizers" }];
    await client.patch(configMaps, at("a"), { type: "json", operations });
    expect(await errorOf(client.get(configMaps, at("a")))).toSatisfy(isNotFound);
  });

  test("preconditions must hold", async () => {
    const world = await newClientFixture(create);
    const { client, at } = world;
    const { uid, resourceVersion } = (await makeConfigMap(world, "a")).metadata;
    for (const preconditions of [
      { uid: "00000000-0000-4000-8000-000000000000" },
      { resourceVersion: "1" },
      { uid, resourceVersion: "1" },
    ])
      expect(await errorOf(client.delete(configMaps, at("a"), { preconditions }))).toSatisfy(isConflict);
    expect(
      await client.delete(configMaps, at("a"), { preconditions: { uid, resourceVersion } }),
    ).toBeUndefined();
  });

  test.for([
    { propagationPolicy: "Foreground", finalizer: "foregroundDeletion" },
    { propagationPolicy: "Orphan", finalizer: "orphan" },
  ] as const)(
    "$propagationPolicy deletion waits for the collector behind a finalizer",
    async ({ propagationPolicy, finalizer }) => {
      const { client, at, ...world } = await newClientFixture(create);
      await client.create(deployments, deploymentDraft(world, "web"));
      const left = await client.delete(deployments, at("web"), { propagationPolicy });
      expect(left?.metadata).toMatchObject({
        deletionTimestamp: expect.any(String),
        finalizers: [finalizer],
      });
    },
  );

  test("a deletion can be tried without effect", async () => {
    const world = await newClientFixture(create);
    const stored = await makeConfigMap(world, "a");
    await world.client.delete(configMaps, world.at("a"), { dryRun: true });
    expect(await world.client.get(configMaps, world.at("a"))).toEqual(stored);
  });

  test("a collection is deleted as far as it is selected", async () => {
    const world = await newClientFixture(create);
    const { client, namespace } = world;
    const elsewhere = { ...world, namespace: await newNamespace(client) };
    const labels = { app: "web" };
    await makeConfigMap(world, "a", { labels });
    await makeConfigMap(world, "b", { labels });
    await makeConfigMap(world, "kept");
    await makeConfigMap(elsewhere, "a", { labels });
    await client.deleteCollection(configMaps, { namespace, labelSelector: "app=web" });
    const namesIn = async (place: string) =>
      (await client.list(configMaps, { namespace: place })).items.map(({ metadata }) => metadata.name);
    expect(await namesIn(namespace)).toEqual(["kept"]);
    expect(await namesIn(elsewhere.namespace)).toEqual(["a"]);
  });

  test("a namespace stays until it is empty, and takes nothing in", async () => {
    const world = await newClientFixture(create);
    const { client, namespace } = world;
    const ending = await client.delete(namespaces, { name: namespace });
    expect(ending).toMatchObject({
      metadata: { deletionTimestamp: expect.any(String) },
      status: { phase: "Terminating" },
    });
    const refused = await errorOf(makeConfigMap(world, "a"));
    expect(refused).toMatchObject({ code: 403 });
    expect(hasCause(refused, "NamespaceTerminating")).toBe(true);
  });

  test("an aborted deletion deletes nothing", async () => {
    const world = await newClientFixture(create);
    await makeConfigMap(world, "a");
    const enough = new Error("enough");
    const signal = AbortSignal.abort(enough);
    expect(await errorOf(world.client.delete(configMaps, world.at("a"), { signal }))).toBe(enough);
    expect(await world.client.get(configMaps, world.at("a"))).toBeDefined();
  });
}
