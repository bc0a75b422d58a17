import { expect, test } from "vitest";
import type { Pod } from "../../../api/generated/core-v1.ts";
import { configMaps, deployments, pods } from "../../../api/resources.ts";
import { isConflict, isInvalid, isNotFound } from "../api-error.ts";
import {
  type CreateClient,
  deploymentDraft,
  errorOf,
  makeConfigMap,
  newClientFixture,
  podDraft,
} from "./client-fixture.contract.ts";

export function describePatching(create: CreateClient): void {
  test("a JSON patch does as its operations say, all or none", async () => {
    const fixture = await newClientFixture(create);
    const { client, at } = fixture;
    await makeConfigMap(fixture, "a", { data: { key: "1", old: "x" } });
    const patched = await client.patch(configMaps, at("a"), {
      type: "json",
      operations: [
        { op: "test", path: "/data/key", value: "1" },
        { op: "replace", path: "/data/key", value: "2" },
        { op: "remove", path: "/data/old" },
        { op: "add", path: "/metadata/annotations", value: {} },
        { op: "add", path: "/metadata/annotations/example.com~1new", value: "3" },
      ],
    });
    expect(patched).toMatchObject({
      metadata: { annotations: { "example.com/new": "3" } },
      data: { key: "2" },
    });
    expect(patched.data).toEqual({ key: "2" });
  });

  test("a JSON patch whose test fails or whose path is missing is invalid", async () => {
    const fixture = await newClientFixture(create);
    const stored = await makeConfigMap(fixture, "a", { data: { key: "1" } });
    for (const operation of [
      { op: "test", path: "/data/key", value: "2" },
      { op: "remove", path: "/data/missing" },
    ]) {
      const operations = [{ op: "replace", path: "/data/key", value: "3" }, operation];
      const error = await errorOf(
        fixture.client.patch(configMaps, fixture.at("a"), { type: "json", operations }),
      );
      expect(error).toSatisfy(isInvalid);
    }
    expect(await fixture.client.get(configMaps, fixture.at("a"))).toEqual(stored);
  });

  test("a merge patch merges objects, replaces lists and takes null for removal", async () => {
    const { client, at, ...fixture } = await newClientFixture(create);
    await client.create(deployments, deploymentDraft(fixture, "web"));
    const patched = await client.patch(deployments, at("web"), {
      type: "merge",
      body: {
        metadata: { labels: { tier: "1" } },
        spec: {
          revisionHistoryLimit: 3,
          template: { spec: { containers: [{ name: "other", image: "registry.example/other:1" }] } },
        },
      },
    });
    expect(patched.metadata.labels).toEqual({ tier: "1" });
    expect(patched.spec).toMatchObject({ revisionHistoryLimit: 3, replicas: 1 });
    expect(patched.spec?.template.spec?.containers.map(({ name }) => name)).toEqual(["other"]);
    const cleared = await client.patch(deployments, at("web"), {
      type: "merge",
      body: { metadata: { labels: { tier: null } } },
    });
    expect(cleared.metadata.labels ?? {}).toEqual({});
  });

  test("a strategic patch merges lists by their keys", async () => {
    const { client, at, ...fixture } = await newClientFixture(create);
    await client.create(deployments, deploymentDraft(fixture, "web"));
    const containersAfter = async (containers: readonly Readonly<Record<string, string>>[]) => {
      const body = { spec: { template: { spec: { containers } } } };
      const patched = await client.patch(deployments, at("web"), { type: "strategic", body });
      return patched.spec?.template.spec?.containers.map(({ name, image }) => `${name} ${image ?? ""}`);
    };
    expect(
      await containersAfter([
        { name: "app", image: "registry.example/app:2" },
        { name: "sidecar", image: "registry.example/sidecar:1" },
      ]),
    ).toEqual(expect.arrayContaining(["app registry.example/app:2", "sidecar registry.example/sidecar:1"]));
    expect(await containersAfter([{ $patch: "delete", name: "app" }])).toEqual([
      "sidecar registry.example/sidecar:1",
    ]);
  });

  test("a strategic patch of a status adds conditions by type and leaves the spec alone", async () => {
    const { client, at, ...fixture } = await newClientFixture(create);
    await client.create(pods, podDraft(fixture, "a"));
    const report = (type: string, status: string): Promise<Pod> =>
      client.patch(pods, at("a"), {
        type: "strategic",
        body: { spec: { nodeName: "other" }, status: { conditions: [{ type, status }] } },
        subresource: "status",
      });
    await report("Ready", "False");
    await report("ContainersReady", "True");
    const { spec, status } = await report("Ready", "True");
    const ours = status?.conditions?.filter(({ type }) => type !== "PodScheduled") ?? [];
    expect(ours.map(({ type, status: value }) => `${type} ${value}`).sort()).toEqual([
      "ContainersReady True",
      "Ready True",
    ]);
    expect(spec?.nodeName).toBe("nowhere");
  });

  test("a patch may insist on a version or an object", async () => {
    const fixture = await newClientFixture(create);
    const { client, at } = fixture;
    const stored = await makeConfigMap(fixture, "a");
    const patch = (metadata: Readonly<Record<string, string>>) =>
      client.patch(configMaps, at("a"), { type: "merge", body: { metadata, data: { key: "1" } } });
    await patch({ resourceVersion: stored.metadata.resourceVersion });
    expect(await errorOf(patch({ resourceVersion: "1" }))).toSatisfy(isConflict);
    expect(await errorOf(patch({ uid: "00000000-0000-4000-8000-000000000000" }))).toSatisfy(isInvalid);
  });

  test("a patch that changes nothing moves nothing, and one of nothing is not found", async () => {
    const fixture = await newClientFixture(create);
    const stored = await makeConfigMap(fixture, "a", { data: { key: "1" } });
    const patch = { type: "strategic", body: { data: { key: "1" } } } as const;
    expect(await fixture.client.patch(configMaps, fixture.at("a"), patch)).toEqual(stored);
    expect(await errorOf(fixture.client.patch(configMaps, fixture.at("gone"), patch))).toSatisfy(isNotFound);
  });

  test("a patch can be tried without effect", async () => {
    const fixture = await newClientFixture(create);
    const stored = await makeConfigMap(fixture, "a");
    const body = { data: { key: "1" } };
    const tried = await fixture.client.patch(configMaps, fixture.at("a"), {
      type: "merge",
      body,
      dryRun: true,
    });
    expect(tried.data).toEqual({ key: "1" });
    expect(await fixture.client.get(configMaps, fixture.at("a"))).toEqual(stored);
  });
}
