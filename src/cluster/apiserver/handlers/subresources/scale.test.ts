import { expect, test } from "vitest";
import { deploymentOf, startTestApiServer } from "../../api-server-fixture.contract.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const merge = "application/merge-patch+json";

async function worldWithWeb() {
  const fixture = await startTestApiServer();
  const { body } = await fixture.request(`POST ${deployments}`, deploymentOf("web", { replicas: 2 }));
  return { ...fixture, web: body as { metadata: Record<string, string> } };
}

test("a Scale shows the desired and the current replicas of a workload", async () => {
  const { request, web } = await worldWithWeb();
  const { uid = "", resourceVersion = "", creationTimestamp = "" } = web.metadata;
  expect(await request(`GET ${deployments}/web/scale`)).toEqual({
    code: 200,
    body: {
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name: "web", namespace: "default", uid, resourceVersion, creationTimestamp },
      spec: { replicas: 2 },
      status: { replicas: 0, selector: "app=web" },
    },
    warnings: [],
  });
  expect((await request(`GET ${deployments}/none/scale`)).code).toBe(404);
});

test("a ReplicationController is scaled by its plain selector", async () => {
  const { request } = await startTestApiServer();
  const controllers = "/api/v1/namespaces/default/replicationcontrollers";
  const draft = deploymentOf("rc", { selector: { app: "rc", tier: "1" } });
  const spec = draft["spec"] as { template: { metadata: object } };
  await request(`POST ${controllers}`, {
    ...draft,
    spec: { ...spec, template: { ...spec.template, metadata: { labels: { app: "rc", tier: "1" } } } },
  });
  expect((await request(`GET ${controllers}/rc/scale`)).body).toMatchObject({
    status: { selector: "app=rc,tier=1" },
  });
});

test.for([
  { type: merge, body: { spec: { replicas: 5 } } },
  { type: "application/strategic-merge-patch+json", body: { spec: { replicas: 5 } } },
  { type: "application/json-patch+json", body: [{ op: "replace", path: "/spec/replicas", value: 5 }] },
])("a patch of type $type scales", async ({ type, body }) => {
  const { request } = await worldWithWeb();
  expect(await request(`PATCH ${deployments}/web/scale`, body, type)).toMatchObject({
    code: 200,
    body: { kind: "Scale", spec: { replicas: 5 } },
  });
  expect(await request(`GET ${deployments}/web`)).toMatchObject({
    body: { spec: { replicas: 5 }, metadata: { generation: 2 } },
  });
});

test("an update sets the replicas and nothing else, even to none", async () => {
  const { request, web } = await worldWithWeb();
  const metadata = { name: "web", labels: { ignored: "true" } };
  expect(await request(`PUT ${deployments}/web/scale`, { metadata, spec: {} })).toMatchObject({
    code: 200,
    body: { spec: {} },
  });
  expect((await request(`GET ${deployments}/web`)).body).toMatchObject({
    metadata: { uid: web.metadata["uid"], generation: 2 },
    spec: { replicas: 0, template: { spec: { containers: [{ name: "app" }] } } },
  });
});

test.for([
  { name: "fewer than none", body: { metadata: { name: "web" }, spec: { replicas: -1 } }, code: 422 },
  { name: "an old version", body: { metadata: { name: "web", resourceVersion: "1" } }, code: 409 },
  { name: "another object", body: { metadata: { name: "web", uid: "other" } }, code: 409 },
  { name: "another name", body: { metadata: { name: "other" } }, code: 400 },
  { name: "a Deployment", body: { ...deploymentOf("web"), kind: "Deployment" }, code: 400 },
])("$name is answered with $code", async ({ body, code }) => {
  const { request } = await worldWithWeb();
  expect((await request(`PUT ${deployments}/web/scale`, body)).code).toBe(code);
});
