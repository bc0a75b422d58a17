import { expect, test } from "vitest";
import { configMaps, deployments, namespaces, pods } from "../../../api/resources.ts";
import { hasCause, isConflict, isNotFound } from "../api-error.ts";
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
    const fixture = await newClientFixture(create);
    await makeConfigMap(fixture, "a");
    expect(await fixture.client.delete(configMaps, fixture.at("a"))).toBeUndefined();
    expect(await errorOf(fixture.client.get(configMaps, fixture.at("a")))).toSatisfy(isNotFound);
    expect(await errorOf(fixture.client.delete(configMaps, fixture.at("a")))).toSatisfy(isNotFound);
  });

  test("a Pod on a node has its grace, and goes when there is none left", async () => {
    const { client, at, ...fixture } = await newClientFixture(create);
    await client.create(pods, podDraft(fixture, "a"));
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

  test("who reads nothing of the result still learns whether there was something to delete", async () => {
    const { client, at, ...fixture } = await newClientFixture(create);
    await client.create(pods, podDraft(fixture, "a"));
    await client.delete(pods, at("a"), { reads: "nothing" });
    const { metadata } = await client.get(pods, at("a"));
    expect(metadata.deletionTimestamp).toEqual(expect.any(String));
    const gone = client.delete(pods, at("gone"), { reads: "nothing" });
    expect(await errorOf(gone)).toSatisfy(isNotFound);
  });

  test("a Pod without a node has no use for grace", async () => {
    const { client, at, ...fixture } = await newClientFixture(create);
    await client.create(pods, podDraft(fixture, "a", {}));
    expect(await client.delete(pods, at("a"))).toBeUndefined();
    expect(await errorOf(client.get(pods, at("a")))).toSatisfy(isNotFound);
  });

  test("a finalizer holds an object until it is taken off", async () => {
    const { client, at, ...fixture } = await newClientFixture(create);
    const draft = configMapDraft(fixture, "a");
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
    const fixture = await newClientFixture(create);
    const { client, at } = fixture;
    const { uid, resourceVersion } = (await makeConfigMap(fixture, "a")).metadata;
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
      const { client, at, ...fixture } = await newClientFixture(create);
      await client.create(deployments, deploymentDraft(fixture, "web"));
      const left = await client.delete(deployments, at("web"), { propagationPolicy });
      expect(left?.metadata).toMatchObject({
        deletionTimestamp: expect.any(String),
        finalizers: [finalizer],
      });
    },
  );

  test("a deletion can be tried without effect", async () => {
    const fixture = await newClientFixture(create);
    const stored = await makeConfigMap(fixture, "a");
    await fixture.client.delete(configMaps, fixture.at("a"), { dryRun: true });
    expect(await fixture.client.get(configMaps, fixture.at("a"))).toEqual(stored);
  });

  test("a collection is deleted as far as it is selected", async () => {
    const fixture = await newClientFixture(create);
    const { client, namespace } = fixture;
    const elsewhere = { ...fixture, namespace: await newNamespace(client) };
    const labels = { app: "web" };
    await makeConfigMap(fixture, "a", { labels });
    await makeConfigMap(fixture, "b", { labels });
    await makeConfigMap(fixture, "kept");
    await makeConfigMap(elsewhere, "a", { labels });
    await client.deleteCollection(configMaps, { namespace, labelSelector: "app=web" });
    const namesIn = async (place: string) =>
      (await client.list(configMaps, { namespace: place })).items.map(({ metadata }) => metadata.name);
    expect(await namesIn(namespace)).toEqual(["kept"]);
    expect(await namesIn(elsewhere.namespace)).toEqual(["a"]);
  });

  test("a namespace stays until it is empty, and takes nothing in", async () => {
    const fixture = await newClientFixture(create);
    const { client, namespace } = fixture;
    const ending = await client.delete(namespaces, { name: namespace });
    expect(ending).toMatchObject({
      metadata: { deletionTimestamp: expect.any(String) },
      status: { phase: "Terminating" },
    });
    const refused = await errorOf(makeConfigMap(fixture, "a"));
    expect(refused).toMatchObject({ code: 403 });
    expect(hasCause(refused, "NamespaceTerminating")).toBe(true);
  });

  test("an aborted deletion deletes nothing", async () => {
    const fixture = await newClientFixture(create);
    await makeConfigMap(fixture, "a");
    const enough = new Error("enough");
    const signal = AbortSignal.abort(enough);
    expect(await errorOf(fixture.client.delete(configMaps, fixture.at("a"), { signal }))).toBe(enough);
    expect(await fixture.client.get(configMaps, fixture.at("a"))).toBeDefined();
  });
}
