import { expect, test } from "vitest";
import type { Scale } from "../../../api/generated/autoscaling-v1.ts";
import type { ConfigMap, Pod } from "../../../api/generated/core-v1.ts";
import type { StoredMeta } from "../../../api/object.ts";
import type { Resource } from "../../../api/resource.ts";
import { configMaps, deployments, leases, podDisruptionBudgets, pods } from "../../../api/resources.ts";
import { deepFreeze } from "../../../testing/deep-freeze.ts";
import { isAlreadyExists, isConflict, isInvalid, isNotFound } from "../api-error.ts";
import { describePatching } from "./client-patch.contract.ts";
import {
  configMapDraft,
  type CreateClient,
  deploymentDraft,
  errorOf,
  makeConfigMap,
  newClientFixture,
  podDraft,
} from "./client-fixture.contract.ts";

/** The same object as if it had never been stored. */
function unversioned<T extends { readonly metadata: StoredMeta }>(object: T): T {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata: metadata as StoredMeta };
}

export function describeWriting(create: CreateClient): void {
  test("create fills in what the server owns, whatever the draft says of it", async () => {
    const { client, namespace } = await newClientFixture(create);
    const draft = deploymentDraft({ namespace }, "web");
    const forged = { uid: "mine", creationTimestamp: "1999-01-01T00:00:00Z", generation: 7 };
    const created = await client.create(deployments, {
      ...draft,
      metadata: { ...draft.metadata, ...forged },
      status: { replicas: 9 },
    });
    expect(created.metadata.uid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(created.metadata.resourceVersion).toMatch(/^[1-9]\d*$/);
    expect(created.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(created.metadata.creationTimestamp).not.toBe(forged.creationTimestamp);
    expect(created.metadata.generation).toBe(1);
    expect(created.status?.replicas ?? 0).toBe(0);
    expect(created.spec?.strategy?.type).toBe("RollingUpdate");
  });

  test("who reads only the metadata of a result learns the version that was stored", async () => {
    const { client, namespace, at } = await newClientFixture(create);
    const options = { reads: "metadata" } as const;
    const created = await client.create(deployments, deploymentDraft({ namespace }, "web"), options);
    const { managedFields: _, ...metadata } = (await client.get(deployments, at("web"))).metadata;
    expect(created).toMatchObject({
      kind: "Deployment",
      metadata,
      spec: { replicas: created.spec?.replicas },
    });

    const scaled = { ...created, spec: { ...created.spec, replicas: 7 } } as typeof created;
    const updated = await client.update(deployments, scaled, options);
    expect(updated.spec?.replicas).toBe(7);
    const stored = await client.get(deployments, at("web"));
    expect(stored.metadata.resourceVersion).toBe(updated.metadata.resourceVersion);
    expect(stored.spec?.replicas).toBe(7);
    const stale = client.update(deployments, scaled, options);
    expect(await errorOf(stale)).toSatisfy(isConflict);
  });

  test("what is sent is not changed, and changing it later changes nothing stored", async () => {
    const fixture = await newClientFixture(create);
    const draft = structuredClone(configMapDraft(fixture, "a", { data: { key: "1" } }));
    await fixture.client.create(configMaps, deepFreeze(structuredClone(draft)));
    const mutable = structuredClone({ ...draft, metadata: { ...draft.metadata, name: "b" } });
    await fixture.client.create(configMaps, mutable);
    Reflect.set(mutable.data ?? {}, "key", "2"); // in vain, if it has been frozen
    expect(await fixture.client.get(configMaps, fixture.at("b"))).toMatchObject({ data: { key: "1" } });
  });

  test("what comes out cannot be changed, or changing it changes nothing stored", async () => {
    const fixture = await newClientFixture(create);
    await makeConfigMap(fixture, "a", { data: { key: "1" } });
    const { client, namespace, at } = fixture;
    const [listed] = (await client.list(configMaps, { namespace, fieldSelector: "metadata.name=a" })).items;
    for (const result of [await client.get(configMaps, at("a")), listed]) {
      expect(result?.data).toEqual({ key: "1" });
      Reflect.set(result?.data ?? {}, "key", "2");
      Reflect.set(result?.metadata ?? {}, "name", "z");
    }
    expect(await client.get(configMaps, at("a"))).toMatchObject({
      metadata: { name: "a" },
      data: { key: "1" },
    });
  });

  test("a name can be had once", async () => {
    const fixture = await newClientFixture(create);
    await makeConfigMap(fixture, "a");
    const error = await errorOf(makeConfigMap(fixture, "a"));
    expect(isAlreadyExists(error)).toBe(true);
    expect(error).toMatchObject({ code: 409, message: 'configmaps "a" already exists' });
  });

  test("the server completes a generateName", async () => {
    const { client, namespace } = await newClientFixture(create);
    const make = () => client.create(configMaps, { metadata: { namespace, generateName: "web-" } });
    const names = [await make(), await make()].map(({ metadata }) => metadata.name);
    for (const name of names) expect(name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(new Set(names).size).toBe(2);
  });

  test("create refuses what it cannot store, and says why", async () => {
    const { client, ...fixture } = await newClientFixture(create);
    const { namespace } = fixture;
    const nameless = await errorOf(client.create(configMaps, { metadata: { namespace } }));
    expect(isInvalid(nameless)).toBe(true);
    expect(nameless).toMatchObject({ status: { details: { causes: [{ field: "metadata.name" }] } } });

    const nowhere = await errorOf(client.create(configMaps, configMapDraft({ namespace: "no-such" }, "a")));
    expect(isNotFound(nowhere)).toBe(true);

    const versioned = { ...configMapDraft(fixture, "a").metadata, resourceVersion: "1" };
    expect(await errorOf(client.create(configMaps, { metadata: versioned }))).toMatchObject({ code: 400 });

    const draft = deploymentDraft(fixture, "web");
    const mismatched = { ...draft.spec, selector: { matchLabels: { app: "other" } } } as typeof draft.spec;
    const invalid = await errorOf(client.create(deployments, { ...draft, spec: mismatched }));
    expect(isInvalid(invalid)).toBe(true);
    expect(invalid).toMatchObject({ code: 422, status: { details: { name: "web", kind: "Deployment" } } });
    expect(await errorOf(client.get(deployments, { namespace, name: "web" }))).toSatisfy(isNotFound);
  });

  test("a dry run answers as if, and stores nothing", async () => {
    const fixture = await newClientFixture(create);
    const { client, at } = fixture;
    expect(await client.create(configMaps, configMapDraft(fixture, "a"), { dryRun: true })).toMatchObject({
      metadata: { name: "a", uid: expect.any(String) },
    });
    expect(await errorOf(client.get(configMaps, at("a")))).toSatisfy(isNotFound);
    const stored = await makeConfigMap(fixture, "b", { data: { key: "1" } });
    const updated = await client.update(configMaps, { ...stored, data: { key: "2" } }, { dryRun: true });
    expect(updated.data).toEqual({ key: "2" });
    expect(await client.get(configMaps, at("b"))).toEqual(stored);
  });

  test("an aborted write stores nothing", async () => {
    const fixture = await newClientFixture(create);
    const enough = new Error("enough");
    const signal = AbortSignal.abort(enough);
    expect(await errorOf(fixture.client.create(configMaps, configMapDraft(fixture, "a"), { signal }))).toBe(
      enough,
    );
    expect(await errorOf(fixture.client.get(configMaps, fixture.at("a")))).toSatisfy(isNotFound);
  });

  test("update replaces the object and moves its version on; nothing new moves nothing", async () => {
    const fixture = await newClientFixture(create);
    const stored = await makeConfigMap(fixture, "a", { data: { key: "1", other: "x" } });
    const updated = await fixture.client.update(configMaps, { ...stored, data: { key: "2" } });
    expect(updated.data).toEqual({ key: "2" });
    expect(updated.metadata.uid).toBe(stored.metadata.uid);
    expect(BigInt(updated.metadata.resourceVersion)).toBeGreaterThan(BigInt(stored.metadata.resourceVersion));
    expect(await fixture.client.get(configMaps, fixture.at("a"))).toEqual(updated);
    expect(await fixture.client.update(configMaps, updated)).toEqual(updated);
  });

  test("of two updates of the same version the second gets a conflict", async () => {
    const fixture = await newClientFixture(create);
    const stored = await makeConfigMap(fixture, "a");
    await fixture.client.update(configMaps, { ...stored, data: { key: "first" } });
    const error = await errorOf(fixture.client.update(configMaps, { ...stored, data: { key: "second" } }));
    expect(isConflict(error)).toBe(true);
    expect(error).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect(await fixture.client.get(configMaps, fixture.at("a"))).toMatchObject({ data: { key: "first" } });
  });

  test("an update without a version overwrites where the kind allows it", async () => {
    const fixture = await newClientFixture(create);
    const { client, namespace } = fixture;
    const stored = await makeConfigMap(fixture, "a");
    await client.update(configMaps, { ...stored, data: { key: "1" } });
    const overwritten = await client.update(configMaps, unversioned({ ...stored, data: { key: "2" } }));
    expect(overwritten.data).toEqual({ key: "2" });

    const lease = await client.create(leases, {
      metadata: { namespace, name: "l" },
      spec: { holderIdentity: "a" },
    });
    const changed = { ...lease, spec: { holderIdentity: "b" } };
    expect(await errorOf(client.update(leases, unversioned(changed)))).toSatisfy(isInvalid);
  });

  test("update refuses another object of the same name, and one that is not there", async () => {
    const fixture = await newClientFixture(create);
    const stored = await makeConfigMap(fixture, "a");
    const impostor = {
      ...stored,
      metadata: { ...stored.metadata, uid: "00000000-0000-4000-8000-000000000000" },
    };
    expect(await errorOf(fixture.client.update(configMaps, impostor))).toSatisfy(isConflict);
    const missing: ConfigMap = { ...stored, metadata: { ...stored.metadata, name: "b" } };
    expect(await errorOf(fixture.client.update(configMaps, missing))).toSatisfy(isNotFound);
  });

  test("a spec has its generation, a status its own door", async () => {
    const { client, ...fixture } = await newClientFixture(create);
    const created = await client.create(deployments, deploymentDraft(fixture, "web"));
    const both = {
      ...created,
      spec: { ...created.spec, replicas: 3 },
      status: { observedGeneration: 5 },
    } as typeof created;

    const updated = await client.update(deployments, both);
    expect(updated).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 3 } });
    expect(updated.status?.observedGeneration).toBeUndefined();

    const reported = {
      ...updated,
      spec: { ...updated.spec, replicas: 9 },
      status: { observedGeneration: 2 },
    } as typeof updated;
    const answer = await client.update(deployments, reported, { subresource: "status" });
    expect(answer).toMatchObject({
      metadata: { generation: 2 },
      spec: { replicas: 3 },
      status: { observedGeneration: 2 },
    });
  });

  test("the scale of a workload can be read and written by itself", async () => {
    const { client, at, ...fixture } = await newClientFixture(create);
    await client.create(deployments, deploymentDraft(fixture, "web"));
    const scales = deployments as unknown as Resource<Scale & { readonly metadata: StoredMeta }>;
    const scale = await client.patch(scales, at("web"), {
      type: "merge",
      body: { spec: { replicas: 5 } },
      subresource: "scale",
    });
    expect(scale).toMatchObject({ kind: "Scale", spec: { replicas: 5 }, status: { selector: "app=web" } });
    const again = { ...scale, spec: { replicas: 6 } };
    expect(await client.update(scales, again, { subresource: "scale" })).toMatchObject({
      spec: { replicas: 6 },
    });
    expect(await client.get(deployments, at("web"))).toMatchObject({
      metadata: { generation: 3 },
      spec: { replicas: 6 },
    });
    expect(await errorOf(client.update(scales, again, { subresource: "scale" }))).toSatisfy(isConflict);
    expect(await client.get(scales, { ...at("web"), subresource: "scale" })).toMatchObject({
      kind: "Scale",
      spec: { replicas: 6 },
    });
  });

  describePatching(create);

  test("binding puts a Pod on a node, once", async () => {
    const { client, at, ...fixture } = await newClientFixture(create);
    const pod: Pod = await client.create(pods, podDraft(fixture, "a", {}));
    expect(pod.spec?.nodeName).toBeUndefined();
    const target = { apiVersion: "v1", kind: "Node", name: "nowhere" };
    const impostor = "00000000-0000-4000-8000-000000000000";
    expect(await errorOf(client.bind(at("a"), { uid: impostor, target }))).toSatisfy(isConflict);
    await client.bind(at("a"), { uid: pod.metadata.uid, target });
    const bound = await client.get(pods, at("a"));
    expect(bound.spec?.nodeName).toBe("nowhere");
    expect(bound.status?.conditions).toContainEqual(
      expect.objectContaining({ type: "PodScheduled", status: "True" }),
    );
    expect(await errorOf(client.bind(at("a"), { target }))).toSatisfy(isConflict);
    expect(await errorOf(client.bind(at("gone"), { target }))).toSatisfy(isNotFound);
  });

  test("evicting deletes a Pod as the options say, and only the one that is meant", async () => {
    const { client, at, ...fixture } = await newClientFixture(create);
    const { metadata }: Pod = await client.create(pods, podDraft(fixture, "a", {}));
    const impostor = "00000000-0000-4000-8000-000000000000";
    expect(await errorOf(client.evict(at("a"), { preconditions: { uid: impostor } }))).toSatisfy(isConflict);
    await client.evict(at("a"), { dryRun: true });
    expect(await client.get(pods, at("a"))).toMatchObject({ metadata: { uid: metadata.uid } });
    await client.evict(at("a"), { gracePeriodSeconds: 0, preconditions: { uid: metadata.uid } });
    expect(await errorOf(client.get(pods, at("a")))).toSatisfy(isNotFound);
    expect(await errorOf(client.evict(at("a")))).toSatisfy(isNotFound);
  });

  test("evicting is refused while a disruption budget forbids it", async () => {
    const { client, at, namespace, ...fixture } = await newClientFixture(create);
    const draft = podDraft({ ...fixture, namespace }, "a");
    const labels = { app: "web" };
    const pod: Pod = await client.create(pods, { ...draft, metadata: { ...draft.metadata, labels } });
    const running = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
    await client.update(pods, { ...pod, status: running }, { subresource: "status" });
    const budget = await client.create(podDisruptionBudgets, {
      metadata: { namespace, name: "web" },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    const counts = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
    const status = { observedGeneration: 1, ...counts };
    await client.update(podDisruptionBudgets, { ...budget, status }, { subresource: "status" });
    const error = await errorOf(client.evict(at("a")));
    expect(error).toMatchObject({
      code: 429,
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
    });
    expect(await client.get(pods, at("a"))).toMatchObject({ metadata: { uid: pod.metadata.uid } });
  });
}
