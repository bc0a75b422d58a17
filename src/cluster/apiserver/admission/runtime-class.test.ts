import { expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { podOf, startTestApiServer } from "../api-server-fixture.contract.ts";

const pods = "/api/v1/namespaces/default/pods";

async function worldWithKata() {
  const world = await startTestApiServer();
  const { code } = await world.request("POST /apis/node.k8s.io/v1/runtimeclasses", {
    metadata: { name: "kata" },
    handler: "kata",
    overhead: { podFixed: { cpu: "250m" } },
    scheduling: { nodeSelector: { runtime: "kata" }, tolerations: [{ key: "kata", operator: "Exists" }] },
  });
  expect(code).toBe(201);
  return world;
}

test("a Pod of a RuntimeClass gets its overhead and its constraints on nodes", async () => {
  const { request } = await worldWithKata();
  const { body } = await request(
    `POST ${pods}`,
    podOf("web", { runtimeClassName: "kata", nodeSelector: { disk: "ssd" } }),
  );
  expect(body).toMatchObject({
    spec: {
      overhead: { cpu: "250m" },
      nodeSelector: { disk: "ssd", runtime: "kata" },
      tolerations: [{}, {}, { key: "kata", operator: "Exists" }],
    },
  });
});

test.for<{ spec: JsonObject; why: string }>([
  { spec: { runtimeClassName: "other" }, why: 'pod rejected: RuntimeClass "other" not found' },
  {
    spec: { overhead: { cpu: "1" } },
    why: "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
  },
  {
    spec: { runtimeClassName: "kata", overhead: { cpu: "1" } },
    why: "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
  },
  {
    spec: { runtimeClassName: "kata", nodeSelector: { runtime: "runc" } },
    why: "conflict: runtimeClass.scheduling.nodeSelector[runtime] = kata; pod.spec.nodeSelector[runtime] = runc",
  },
])("a Pod of $spec is refused", async ({ spec, why }) => {
  const { request } = await worldWithKata();
  expect(await request(`POST ${pods}`, podOf("web", spec))).toMatchObject({
    code: 403,
    body: { message: `pods "web" is forbidden: ${why}` },
  });
});
