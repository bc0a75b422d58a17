import { expect, test } from "vitest";
import { startTestApiServer } from "../../api-server-fixture.contract.ts";
import { autoscalerConversion } from "./conversion.ts";

const v1 = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
const v2 = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const target = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const processor = (averageUtilization: number) => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});
const memory = {
  type: "Resource",
  resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } },
};

test("an autoscaler of the older API is one of the newer with a metric of the processor", async () => {
  const { request } = await startTestApiServer();
  const spec = { scaleTargetRef: target, maxReplicas: 5, targetCPUUtilizationPercentage: 60 };
  expect(await request(`POST ${v1}`, { metadata: { name: "a" }, spec })).toMatchObject({
    code: 201,
    body: { apiVersion: "autoscaling/v1", spec },
  });
  expect((await request(`GET ${v2}/a`)).body).toMatchObject({
    apiVersion: "autoscaling/v2",
    spec: { scaleTargetRef: target, maxReplicas: 5, metrics: [processor(60)] },
  });
});

test("an autoscaler of the older API that names no metric gets the same one as of the newer", async () => {
  const { request } = await startTestApiServer();
  const spec = { scaleTargetRef: target, maxReplicas: 5 };
  await request(`POST ${v1}`, { metadata: { name: "old" }, spec });
  await request(`POST ${v2}`, { metadata: { name: "new" }, spec });
  for (const name of ["old", "new"])
    expect((await request(`GET ${v2}/${name}`)).body).toMatchObject({ spec: { metrics: [processor(80)] } });
});

test("a client of the older API loses nothing of what only the newer can say", async () => {
  const { request } = await startTestApiServer();
  const behavior = { scaleDown: { stabilizationWindowSeconds: 10 } };
  await request(`POST ${v2}`, {
    metadata: { name: "a" },
    spec: { scaleTargetRef: target, maxReplicas: 5, metrics: [processor(60), memory], behavior },
  });
  const { body } = await request(`GET ${v1}/a`);
  expect(body).toMatchObject({ spec: { targetCPUUtilizationPercentage: 60 } });
  expect(body["spec"]).not.toHaveProperty("metrics");
  const spec = body["spec"] as Record<string, number>;
  expect(
    (await request(`PUT ${v1}/a`, { ...body, spec: { ...spec, targetCPUUtilizationPercentage: 70 } })).code,
  ).toBe(200);
  const after = (await request(`GET ${v2}/a`)).body;
  expect(after).toMatchObject({ spec: { metrics: [processor(70), memory], behavior } });
  expect(JSON.stringify(after)).not.toContain("autoscaling.trimtab.dev");
});

test("an annotation that is not valid JSON is ignored", async () => {
  const { request } = await startTestApiServer();
  const spec = { scaleTargetRef: target, maxReplicas: 5 };
  for (const text of ["{", "[]", "null"]) {
    const metadata = { name: "a", annotations: { "autoscaling.trimtab.dev/v2": text } };
    expect((await request(`POST ${v1}`, { metadata, spec })).code).toBe(201);
    await request(`DELETE ${v1}/a`);
  }
});

test.for(["toStorage", "fromStorage"] as const)(
  "what an apply leaves of an object has no metadata and no spec, and %s converts it",
  (convert) => {
    const kind = "HorizontalPodAutoscaler";
    expect(autoscalerConversion[convert]({ kind })).toMatchObject({ kind });
  },
);
