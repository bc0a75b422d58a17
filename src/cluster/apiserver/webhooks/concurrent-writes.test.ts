import { describe, expect, test } from "vitest";
import { configMaps } from "../../../api/resources.ts";
import { isConflict } from "../../../machinery/client/api-error.ts";
import { startScriptedWebhooks } from "./scripted-webhooks.contract.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const merge = "application/merge-patch+json";
const map = { metadata: { name: "a" }, data: { k: "v" } };

describe("a write during which the object changes", () => {
  test("is done on the newest version if it named none, and is a conflict otherwise", async () => {
    let isFirst = true;
    const { request, register, sent } = await startScriptedWebhooks({
      slow: async ({ object }) => {
        if (!isFirst || object?.["data"] === undefined) return undefined;
        isFirst = false;
        await request(`PATCH ${maps}/a`, { metadata: { labels: { other: "writer" } } }, merge);
        return undefined;
      },
    });
    await request(`POST ${maps}`, map);
    await register("validating", "slow", {
      rules: [{ operations: ["UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
    });
    const stored = (await request(`GET ${maps}/a`)).body;
    const { code } = await request(`PATCH ${maps}/a`, { data: { k: "w" } }, merge);
    expect(code).toBe(200);
    expect((await request(`GET ${maps}/a`)).body).toMatchObject({
      metadata: { labels: { other: "writer" } },
      data: { k: "w" },
    });
    expect(sent("slow")).toHaveLength(3);
    expect((await request(`PUT ${maps}/a`, stored)).code).toBe(409);
  });

  test("ends with a conflict when it never stops changing", async () => {
    let count = 0;
    const { store, request, register, client } = await startScriptedWebhooks({
      slow: () => {
        const record = store.collection("configmaps").get("default/a");
        if (record !== undefined)
          store.collection("configmaps").put("default/a", { ...record.object, data: { n: String(count++) } });
        return undefined;
      },
    });
    await request(`POST ${maps}`, map);
    await register("validating", "slow");
    const name = { namespace: "default", name: "a" };
    const patch = { type: "merge", body: { metadata: { labels: { a: "b" } } } } as const;
    await expect(client.patch(configMaps, name, patch)).rejects.toSatisfy(isConflict);
    await expect(client.delete(configMaps, name)).rejects.toSatisfy(isConflict);
    expect(count).toBe(12);
  });
});

describe("a create during which another request creates the object", () => {
  async function racing() {
    let isFirst = true;
    const fixture = await startScriptedWebhooks({
      slow: async () => {
        if (!isFirst) return undefined;
        isFirst = false;
        await fixture.request(`POST ${maps}`, { metadata: { name: "a" }, data: { theirs: "1" } });
        await fixture.request(`POST ${leases}`, { metadata: { name: "a" } });
        return undefined;
      },
    });
    await fixture.register("validating", "slow");
    return fixture;
  }
  const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const applyOf = (data: object) => JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", data });
  const applyType = "application/apply-patch+yaml";

  test("is merged into it if it is an apply", async () => {
    const { request, sent } = await racing();
    const applied = await request(`PATCH ${maps}/a?fieldManager=me`, applyOf({ mine: "2" }), applyType);
    expect(applied).toMatchObject({ code: 200, body: { data: { mine: "2", theirs: "1" } } });
    expect(sent("slow").map(({ operation, kind }) => [operation, kind["kind"]])).toEqual([
      ["CREATE", "ConfigMap"],
      ["CREATE", "ConfigMap"],
      ["CREATE", "Lease"],
      ["UPDATE", "ConfigMap"],
    ]);
  });

  test("is an apply's conflict where both set a field", async () => {
    const { request } = await racing();
    const applied = await request(`PATCH ${maps}/a?fieldManager=me`, applyOf({ theirs: "2" }), applyType);
    expect(applied).toMatchObject({ code: 409, body: { reason: "Conflict" } });
  });

  test("is AlreadyExists for all other creates", async () => {
    const { request } = await racing();
    expect(await request(`POST ${maps}`, map)).toMatchObject({
      code: 409,
      body: { reason: "AlreadyExists" },
    });
  });

  test("is the update that it would have been if it is a PUT", async () => {
    const { request } = await racing();
    // A Lease is created by a PUT, and its update needs the version.
    const lease = { metadata: { name: "a" }, spec: { holderIdentity: "me" } };
    expect((await request(`PUT ${leases}/a`, lease)).code).toBe(422);
  });
});
