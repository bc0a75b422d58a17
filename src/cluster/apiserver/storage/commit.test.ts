import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import type { Store } from "../../store/store.ts";
import { podOf, startTestApiServer } from "../api-server-fixture.contract.ts";

const inDefault = "/api/v1/namespaces/default";

test("an object and the quotas that it is charged to are committed together or not at all", async () => {
  const readings: number[] = [];
  const limitBytes = 2 ** 30;
  const heap = () => ({ usedBytes: (readings.shift() ?? 0) * limitBytes, limitBytes });
  const { request, store } = await startTestApiServer({ heap });
  const spec = { hard: { "count/configmaps": "5" } };
  await request(`POST ${inDefault}/resourcequotas`, { metadata: { name: "q" }, spec });
  const before = store.revision();
  readings.push(0, 0.99); // there is room for the object, and none for the status of its quota
  expect((await request(`POST ${inDefault}/configmaps`, { metadata: { name: "a" } })).code).toBe(507);
  expect(store.revision()).toBe(before);
  expect((await request(`POST ${inDefault}/configmaps`, { metadata: { name: "a" } })).code).toBe(201);
  expect((await request(`GET ${inDefault}/resourcequotas/q`)).body).toMatchObject({
    status: { used: { "count/configmaps": "1" } },
  });
});

test("a disruption is not spent while the store cannot persist it", async () => {
  const fixture = await startTestApiServer();
  const { request } = fixture;
  const store: Store = fixture.store;
  const metadata = { name: "a", labels: { app: "web" } };
  const { body: pod } = await request(`POST ${inDefault}/pods`, {
    ...podOf("a", { nodeName: "n1" }),
    metadata,
  });
  const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  await request(`PUT ${inDefault}/pods/a/status`, { ...pod, status });
  const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  const selector = { matchLabels: { app: "web" } };
  const spec = { minAvailable: 0, selector };
  const { body: budget } = await request(`POST ${budgets}`, { metadata: { name: "b" }, spec });
  const counts = { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 0, expectedPods: 1 };
  await request(`PUT ${budgets}/b/status`, { ...budget, status: { observedGeneration: 1, ...counts } });
  const before = store.revision();
  const failure = vi.spyOn(store, "writeFailure").mockReturnValue(new Error("disk full"));
  await expect(request(`POST ${inDefault}/pods/a/eviction`, { metadata })).rejects.toThrow("disk full");
  expect(store.revision()).toBe(before);
  failure.mockRestore();
  expect((await request(`POST ${inDefault}/pods/a/eviction`, { metadata })).code).toBe(201);
  expect((await request(`GET ${budgets}/b`)).body).toMatchObject({ status: { disruptionsAllowed: 0 } });
});

test("no other source of the cluster writes to the store", () => {
  const cluster = fileURLToPath(new URL("../../", import.meta.url));
  const sources = readdirSync(cluster, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /^(?!store\/).*(?<!\.(test|contract|cases))\.ts$/.test(file));
  const writing = sources.filter((file) =>
    /\.(put|remove)\(/.test(readFileSync(`${cluster}${file}`, "utf8")),
  );
  // Kinds are also removed from their registry, and members from the documents of JSON patches.
  expect(writing.toSorted()).toEqual([
    "apiserver/custom-resources/serve-custom-kinds.ts",
    "apiserver/patch/json-patch.ts",
    "apiserver/storage/commit.ts",
  ]);
});
