import { expect, test } from "vitest";
import { configMaps, deployments, namespaces, pods } from "../../../api/resources.ts";
import { ApiError, isInvalid, isNotFound } from "../api-error.ts";
import {
  type CreateClient,
  deploymentDraft,
  errorOf,
  makeConfigMap,
  newNamespace,
  newClientFixture,
  podDraft,
} from "./client-fixture.contract.ts";

const namesOf = (items: readonly { readonly metadata: { readonly name: string } }[]) =>
  items.map(({ metadata }) => metadata.name);

export function describeReading(create: CreateClient): void {
  test("get gives what create gave, whole", async () => {
    const { client, at, ...fixture } = await newClientFixture(create);
    const created = await client.create(deployments, deploymentDraft(fixture, "web"));
    expect(await client.get(deployments, at("web"))).toEqual(created);
    expect(created).toMatchObject({ apiVersion: "apps/v1", kind: "Deployment" });
  });

  test.for([
    { kind: { group: "", kind: "Pod" }, want: { version: "v1", plural: "pods", namespaced: true } },
    { kind: { group: "apps", kind: "Deployment" }, want: { version: "v1", plural: "deployments" } },
    {
      kind: { group: "autoscaling", kind: "HorizontalPodAutoscaler" },
      want: { version: "v2", plural: "horizontalpodautoscalers" },
    },
    {
      kind: { group: "autoscaling", kind: "HorizontalPodAutoscaler", version: "v1" },
      want: { version: "v1" },
    },
    {
      kind: { group: "scheduling.k8s.io", kind: "PriorityClass" },
      want: { plural: "priorityclasses", namespaced: false },
    },
  ])("the resource of $kind.kind in $kind.group is found", async ({ kind, want }) => {
    const { client } = await newClientFixture(create);
    const { group, kind: name } = kind;
    expect(await client.resource(kind)).toMatchObject({ group, kind: name, ...want });
  });

  test.for([
    { group: "apps", kind: "Sofa" },
    { group: "example.com", kind: "Deployment" },
    { group: "apps", kind: "Deployment", version: "v7" },
  ])("$group has no $kind, which says 404", async (kind) => {
    const { client } = await newClientFixture(create);
    expect(await errorOf(client.resource(kind))).toMatchObject({ code: 404 });
  });

  test("an empty namespace is none", async () => {
    const { client, namespace } = await newClientFixture(create);
    const { metadata } = await client.get(namespaces, { namespace: "", name: namespace });
    expect(metadata.name).toBe(namespace);
  });

  test.for([
    { resource: configMaps, message: 'configmaps "gone" not found', details: { kind: "configmaps" } },
    {
      resource: deployments,
      message: 'deployments.apps "gone" not found',
      details: { kind: "deployments", group: "apps" },
    },
  ])("get of what is not there says $message", async ({ resource, message, details }) => {
    const { client, at } = await newClientFixture(create);
    const error = await errorOf(client.get(resource, at("gone")));
    expect(isNotFound(error)).toBe(true);
    expect(error).toMatchObject({ code: 404, message, status: { details: { name: "gone", ...details } } });
  });

  test("a name that cannot be one is refused, and never taken for the collection", async () => {
    const fixture = await newClientFixture(create);
    await makeConfigMap(fixture, "kept");
    for (const name of ["", "..", "a/b"]) {
      expect(await errorOf(fixture.client.get(configMaps, fixture.at(name)))).toBeInstanceOf(ApiError);
      expect(await errorOf(fixture.client.delete(configMaps, fixture.at(name)))).toBeInstanceOf(ApiError);
    }
    expect(await fixture.client.get(configMaps, fixture.at("kept"))).toBeDefined();
  });

  test("list gives one namespace in the order of names, or all of them", async () => {
    const fixture = await newClientFixture(create);
    const { client, namespace } = fixture;
    const other = await newNamespace(client);
    const labels = { suite: namespace };
    for (const name of ["b", "c", "a"]) await makeConfigMap(fixture, name, { labels });
    await makeConfigMap({ ...fixture, namespace: other }, "d", { labels });

    const here = await client.list(configMaps, { namespace });
    expect(namesOf(here.items)).toEqual(["a", "b", "c"]);
    for (const item of here.items) expect(item).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
    const everywhere = await client.list(configMaps, { labelSelector: `suite=${namespace}` });
    expect(namesOf(everywhere.items).sort()).toEqual(["a", "b", "c", "d"]);
  });

  test("an empty list has a version to watch from", async () => {
    const { client, namespace } = await newClientFixture(create);
    const { items, resourceVersion, ...rest } = await client.list(pods, { namespace });
    expect(items).toEqual([]);
    expect(resourceVersion).toMatch(/^[1-9]\d*$/);
    expect(rest).toEqual({});
  });

  test.for([
    { labelSelector: "app=web", want: ["web"] },
    { labelSelector: "app==db", want: ["db"] },
    { labelSelector: "app!=web", want: ["db", "none"] },
    { labelSelector: "app in (web, db),tier", want: ["web"] },
    { labelSelector: "app notin (web)", want: ["db", "none"] },
    { labelSelector: "!app", want: ["none"] },
  ])("the label selector $labelSelector selects $want", async ({ labelSelector, want }) => {
    const fixture = await newClientFixture(create);
    await makeConfigMap(fixture, "web", { labels: { app: "web", tier: "1" } });
    await makeConfigMap(fixture, "db", { labels: { app: "db" } });
    await makeConfigMap(fixture, "none");
    const { items } = await fixture.client.list(configMaps, { namespace: fixture.namespace, labelSelector });
    expect(namesOf(items)).toEqual(want);
  });

  test("field selectors select by what the kind allows", async () => {
    const fixture = await newClientFixture(create);
    const { client, namespace } = fixture;
    await client.create(pods, podDraft(fixture, "a", { nodeName: "n1" }));
    await client.create(pods, podDraft(fixture, "b", { nodeName: "n2" }));
    const select = async (fieldSelector: string) =>
      namesOf((await client.list(pods, { namespace, fieldSelector })).items);
    expect(await select("spec.nodeName=n1")).toEqual(["a"]);
    expect(await select("spec.nodeName!=n1,metadata.name=b")).toEqual(["b"]);
  });

  test.for([
    { name: "a broken label selector", query: { labelSelector: "a in" }, code: 400 },
    { name: "a field that is not selectable", query: { fieldSelector: "spec.colour=red" }, code: 400 },
    { name: "a match without a version", query: { resourceVersionMatch: "Exact" as const }, code: 422 },
    {
      name: "exactly version 0",
      query: { resourceVersion: "0", resourceVersionMatch: "Exact" as const },
      code: 422,
    },
  ])("list refuses $name with $code", async ({ query, code }) => {
    const { client, namespace } = await newClientFixture(create);
    const error = await errorOf(client.list(configMaps, { namespace, ...query }));
    expect(error).toMatchObject({ name: "ApiError", code });
    expect(isInvalid(error)).toBe(code === 422);
  });

  test("pages show the collection as it was at the first of them", async () => {
    const fixture = await newClientFixture(create);
    const { client, namespace, at } = fixture;
    for (const name of ["a", "b", "c", "d", "e"]) await makeConfigMap(fixture, name);
    const first = await client.list(configMaps, { namespace, limit: 2 });
    expect(first).toMatchObject({ remainingItemCount: 3, continue: expect.any(String) });

    await client.delete(configMaps, at("d"));
    await makeConfigMap(fixture, "bb");
    const second = await client.list(configMaps, { namespace, limit: 2, continue: first.continue });
    const third = await client.list(configMaps, { namespace, limit: 2, continue: second.continue });
    expect([first, second, third].map(({ items }) => namesOf(items))).toEqual([
      ["a", "b"],
      ["c", "d"],
      ["e"],
    ]);
    expect([second, third].map(({ resourceVersion }) => resourceVersion)).toEqual([
      first.resourceVersion,
      first.resourceVersion,
    ]);
    expect(third.continue).toBeUndefined();
    expect(third.remainingItemCount).toBeUndefined();
  });

  test("a list can be had exactly as it was, or not older than that", async () => {
    const fixture = await newClientFixture(create);
    const { client, namespace } = fixture;
    await makeConfigMap(fixture, "a");
    const { resourceVersion } = await client.list(configMaps, { namespace });
    await makeConfigMap(fixture, "b");
    const list = async (resourceVersionMatch: "Exact" | "NotOlderThan", version = resourceVersion) =>
      namesOf(
        (await client.list(configMaps, { namespace, resourceVersion: version, resourceVersionMatch })).items,
      );
    expect(await list("Exact")).toEqual(["a"]);
    expect(await list("NotOlderThan")).toEqual(["a", "b"]);
    expect(await list("NotOlderThan", "0")).toEqual(["a", "b"]);
  });

  test("a page of a past the server has forgotten is gone", async ({ skip }) => {
    const { compact, ...fixture } = await newClientFixture(create);
    if (compact === undefined) return skip("the server cannot be made to forget");
    await makeConfigMap(fixture, "a");
    await makeConfigMap(fixture, "b");
    const { namespace } = fixture;
    const first = await fixture.client.list(configMaps, { namespace, limit: 1 });
    await makeConfigMap(fixture, "c");
    await compact();
    const error = await errorOf(
      fixture.client.list(configMaps, { namespace, limit: 1, continue: first.continue }),
    );
    expect(error).toMatchObject({ code: 410, reason: "Expired" });
  });

  test("an abort ends a read with its own reason", async () => {
    const { client, namespace, at } = await newClientFixture(create);
    const enough = new Error("enough");
    const aborted = AbortSignal.abort(enough);
    expect(await errorOf(client.get(configMaps, at("a"), aborted))).toBe(enough);
    expect(await errorOf(client.list(configMaps, { namespace }, aborted))).toBe(enough);
  });
}
