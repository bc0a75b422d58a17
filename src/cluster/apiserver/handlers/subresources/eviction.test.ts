import { expect, test } from "vitest";
import type { JsonObject } from "../../../../api/json.ts";
import { podOf, startTestApiServer, type TestApiServer } from "../../api-server-fixture.contract.ts";

const pods = "/api/v1/namespaces/default/pods";
const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const eviction = { metadata: { name: "a" } };
const why = "Cannot evict pod as it would violate the pod's disruption budget.";

async function makePod({ request }: TestApiServer, ready: boolean, phase = "Running"): Promise<void> {
  const metadata = { name: "a", labels: { app: "web" } };
  const { body } = await request(`POST ${pods}`, { ...podOf("a", { nodeName: "n1" }), metadata });
  const conditions = [{ type: "Ready", status: ready ? "True" : "False" }];
  await request(`PUT ${pods}/a/status`, { ...body, status: { phase, conditions } });
}

async function makeBudget(
  { request }: TestApiServer,
  name: string,
  spec: JsonObject,
  status: JsonObject,
): Promise<void> {
  const selector = { matchLabels: { app: "web" } };
  const { body } = await request(`POST ${budgets}`, {
    metadata: { name },
    spec: { minAvailable: 1, selector, ...spec },
  });
  const counts = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
  await request(`PUT ${budgets}/${name}/status`, {
    ...body,
    status: { observedGeneration: 1, ...counts, ...status },
  });
}

test("a Pod without a budget is deleted with the options given, and marked as disrupted", async () => {
  const fixture = await startTestApiServer();
  await makePod(fixture, true);
  const answer = await fixture.request(`POST ${pods}/a/eviction`, {
    ...eviction,
    deleteOptions: { gracePeriodSeconds: 5 },
  });
  expect(answer).toMatchObject({ code: 201, body: { status: "Success" } });
  expect((await fixture.request(`GET ${pods}/a`)).body).toMatchObject({
    metadata: { deletionGracePeriodSeconds: 5 },
    status: {
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: "DisruptionTarget",
          status: "True",
          reason: "EvictionByEvictionAPI",
        }),
      ]),
    },
  });
});

test("a failed precondition evicts nothing and spends no disruption", async () => {
  const fixture = await startTestApiServer();
  await makePod(fixture, true);
  await makeBudget(fixture, "b", {}, { disruptionsAllowed: 1 });
  const { metadata } = (await fixture.request(`GET ${pods}/a`)).body as {
    metadata: { resourceVersion: string };
  };
  const evictMeaning = (preconditions: JsonObject) =>
    fixture.request(`POST ${pods}/a/eviction`, { ...eviction, deleteOptions: { preconditions } });
  const before = fixture.store.revision();
  for (const other of [{ uid: "another" }, { resourceVersion: "1" }])
    expect(await evictMeaning(other)).toMatchObject({ code: 409, body: { reason: "Conflict" } });
  expect(fixture.store.revision()).toBe(before);
  const { resourceVersion } = metadata;
  expect((await evictMeaning({ resourceVersion })).code).toBe(201);
});

test.for([
  { name: "no name", body: {}, code: 400 },
  { name: "another name", body: { metadata: { name: "b" } }, code: 400 },
  {
    name: "the older version",
    body: { apiVersion: "policy/v1beta1", kind: "Eviction", metadata: { name: "a" } },
    code: 201,
  },
  {
    name: "another version",
    body: { apiVersion: "policy/v2", kind: "Eviction", metadata: { name: "a" } },
    code: 400,
  },
])("an eviction with $name is answered with $code", async ({ body, code }) => {
  const fixture = await startTestApiServer();
  await makePod(fixture, true);
  expect((await fixture.request(`POST ${pods}/a/eviction`, body)).code).toBe(code);
});

test("an eviction takes one disruption from the budget, which records the Pod", async () => {
  const fixture = await startTestApiServer();
  await makePod(fixture, true);
  await makeBudget(fixture, "b", {}, { disruptionsAllowed: 1 });
  expect((await fixture.request(`POST ${pods}/a/eviction?dryRun=All`, eviction)).code).toBe(201);
  expect((await fixture.request(`GET ${budgets}/b`)).body).toMatchObject({
    status: { disruptionsAllowed: 1 },
  });
  expect((await fixture.request(`POST ${pods}/a/eviction`, eviction)).code).toBe(201);
  expect((await fixture.request(`GET ${budgets}/b`)).body).toMatchObject({
    status: { disruptionsAllowed: 0, disruptedPods: { a: "2026-01-01T00:00:00Z" } },
  });
});

test.for([
  {
    name: "is spent",
    status: { disruptionsAllowed: 0 },
    retry: 0,
    message: "The disruption budget b needs 1 healthy pods and has 1 currently",
  },
  {
    name: "is not up to date",
    status: { disruptionsAllowed: 1, observedGeneration: 0 },
    retry: 10,
    message: "The disruption budget b is still being processed by the server.",
  },
])("a budget that $name refuses for now", async ({ status, retry, message }) => {
  const fixture = await startTestApiServer();
  await makePod(fixture, true);
  await makeBudget(fixture, "b", {}, status);
  expect(await fixture.request(`POST ${pods}/a/eviction`, eviction)).toMatchObject({
    code: 429,
    body: {
      reason: "TooManyRequests",
      message: why,
      details: {
        causes: [{ reason: "DisruptionBudget", message }],
        ...(retry > 0 && { retryAfterSeconds: retry }),
      },
    },
  });
  expect((await fixture.request(`GET ${pods}/a`)).body["metadata"]).not.toHaveProperty("deletionTimestamp");
});

test.for([
  { name: "pending", ready: false, phase: "Pending", spec: {}, status: {} },
  { name: "over", ready: false, phase: "Failed", spec: {}, status: {} },
  {
    name: "not ready, and the policy lets such go",
    ready: false,
    phase: "Running",
    spec: { unhealthyPodEvictionPolicy: "AlwaysAllow" },
    status: { currentHealthy: 0 },
  },
  {
    name: "not ready, and enough others are",
    ready: false,
    phase: "Running",
    spec: {},
    status: { currentHealthy: 1, desiredHealthy: 1 },
  },
])("a Pod that is $name costs no budget", async ({ ready, phase, spec, status }) => {
  const fixture = await startTestApiServer();
  await makePod(fixture, ready, phase);
  await makeBudget(fixture, "b", spec, status);
  expect((await fixture.request(`POST ${pods}/a/eviction`, eviction)).code).toBe(201);
});

test("a Pod that is not ready costs budget when not enough others are", async () => {
  const fixture = await startTestApiServer();
  await makePod(fixture, false);
  await makeBudget(fixture, "b", {}, { currentHealthy: 0 });
  expect((await fixture.request(`POST ${pods}/a/eviction`, eviction)).code).toBe(429);
});

test("a Pod of two budgets cannot be evicted", async () => {
  const fixture = await startTestApiServer();
  await makePod(fixture, true);
  for (const name of ["b", "c"]) await makeBudget(fixture, name, {}, { disruptionsAllowed: 1 });
  const { code, body } = await fixture.request(`POST ${pods}/a/eviction`, eviction);
  expect(code).toBe(500);
  expect(body["message"]).toContain("more than one PodDisruptionBudget");
});
