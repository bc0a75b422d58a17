import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { encodeProtobuf } from "../../../testing/encode-protobuf.ts";
import {
  deploymentOf,
  podOf,
  type ResponseSummary,
  startTestApiServer,
} from "../api-server-fixture.contract.ts";

const pods = "/api/v1/namespaces/default/pods";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const configMaps = "/api/v1/namespaces/default/configmaps";

type Metadata = Readonly<Record<string, unknown>>;
const metadataIn = ({ body }: ResponseSummary) => body["metadata"] as Metadata;
const specIn = ({ body }: ResponseSummary) => body["spec"] as JsonObject;
const withMetadata = (object: JsonObject, metadata: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(object["metadata"] as object), ...metadata },
});
const withSpec = (object: JsonObject, spec: JsonObject): JsonObject => ({
  ...object,
  spec: { ...(object["spec"] as object), ...spec },
});

describe("an update", () => {
  test("of the version that was read is written", async () => {
    const { request } = await startTestApiServer();
    const { body } = await request(`POST ${deployments}`, deploymentOf("web"));
    const answer = await request(`PUT ${deployments}/web`, withSpec(body, { replicas: 3 }));
    expect(answer).toMatchObject({ code: 200, body: { spec: { replicas: 3 }, metadata: { generation: 2 } } });
  });

  test("of a version that was overwritten since is a conflict", async () => {
    const { request } = await startTestApiServer();
    const { body } = await request(`POST ${deployments}`, deploymentOf("web"));
    await request(`PUT ${deployments}/web`, withSpec(body, { replicas: 3 }));
    expect(await request(`PUT ${deployments}/web`, withSpec(body, { replicas: 4 }))).toMatchObject({
      code: 409,
      body: {
        reason: "Conflict",
        message:
          'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
        details: { name: "web", group: "apps", kind: "deployments" },
      },
    });
  });

  test.for([
    { name: "without a version", metadata: {} },
    { name: "of version 0", metadata: { resourceVersion: "0" } },
  ])("$name overwrites where the kind allows it", async ({ metadata }) => {
    const { request } = await startTestApiServer();
    await request(`POST ${deployments}`, deploymentOf("web"));
    const wanted = withMetadata(deploymentOf("web", { replicas: 5 }), metadata);
    expect((await request(`PUT ${deployments}/web`, wanted)).code).toBe(200);
    const patch = { metadata, spec: { replicas: 6 } };
    const type = "application/merge-patch+json";
    expect((await request(`PATCH ${deployments}/web`, patch, type)).code).toBe(200);
    await request(`POST ${leases}`, { metadata: { name: "l" } });
    const refused = await request(`PUT ${leases}/l`, { metadata: { name: "l", ...metadata } });
    expect(refused.code).toBe(422);
    expect(refused.body["message"]).toMatch(
      /metadata.resourceVersion: Invalid value: 0: must be specified for an update/,
    );
  });

  test("of another object of the name is a conflict", async () => {
    const { request } = await startTestApiServer();
    const { body } = await request(`POST ${configMaps}`, { metadata: { name: "a" } });
    const answer = await request(`PUT ${configMaps}/a`, withMetadata(body, { uid: "other" }));
    expect(answer.code).toBe(409);
    expect(answer.body["message"]).toContain(
      "Precondition failed: UID in precondition: other, UID in object meta:",
    );
  });

  test("of a missing object creates it where the kind allows it", async () => {
    const { request } = await startTestApiServer();
    expect((await request(`PUT ${configMaps}/a`, { metadata: { name: "a" } })).code).toBe(404);
    expect((await request(`PUT ${leases}/l`, { metadata: { name: "l" } })).code).toBe(201);
    expect((await request(`PUT ${leases}/l`)).code).toBe(400);
  });

  test.for([
    {
      name: "another name",
      metadata: { name: "b" },
      message: "the name of the object (b) does not match the name on the URL (a)",
    },
    {
      name: "no name",
      metadata: { name: undefined },
      message: "the name of the object (a based on URL) was undeterminable: name must be provided",
    },
    {
      name: "another namespace",
      metadata: { name: "a", namespace: "other" },
      message: "the namespace of the object (other) does not match the namespace on the request (default)",
    },
  ])("with $name than that of the URL, is refused", async ({ metadata, message }) => {
    const { request } = await startTestApiServer();
    const { body } = await request(`POST ${configMaps}`, { metadata: { name: "a" } });
    expect(await request(`PUT ${configMaps}/a`, withMetadata(body, metadata))).toMatchObject({
      code: 400,
      body: { message },
    });
  });
});

test("what only the server may say stays as it was", async () => {
  const { request } = await startTestApiServer();
  const { body } = await request(`POST ${deployments}`, deploymentOf("web"));
  const forged = withMetadata(body, {
    generation: 99,
    creationTimestamp: "1999-01-01T00:00:00Z",
    labels: { tier: "1" },
  });
  const answer = await request(`PUT ${deployments}/web`, { ...forged, status: { replicas: 9 } });
  const { resourceVersion: _new, managedFields: _now, ...metadata } = metadataIn(answer);
  const { resourceVersion: _old, managedFields: _then, ...before } = body["metadata"] as Metadata;
  expect(metadata).toEqual({ ...before, labels: { tier: "1" } });
  expect(answer.body["status"] ?? {}).toEqual(body["status"] ?? {});
});

describe("the generation", () => {
  test("of a CSIDriver counts the changes of its spec", async () => {
    const { request } = await startTestApiServer();
    const drivers = "/apis/storage.k8s.io/v1/csidrivers";
    const { body } = await request(`POST ${drivers}`, { metadata: { name: "disk.example.com" }, spec: {} });
    const patch = (object: JsonObject) =>
      request(`PATCH ${drivers}/disk.example.com`, object, "application/merge-patch+json");
    const answers = [
      await patch({ metadata: { labels: { a: "b" } } }),
      await patch({ spec: { requiresRepublish: true } }),
      await patch({ metadata: { generation: 9 } }),
      await patch({ spec: { requiresRepublish: false } }),
    ];
    const generations = answers.map((answer) => metadataIn(answer)["generation"]);
    expect([body["metadata"], ...generations]).toEqual([
      expect.not.objectContaining({ generation: expect.anything() }),
      undefined,
      1,
      1,
      2,
    ]);
  });

  test("of a PodTemplate counts changes of its template", async () => {
    const { request } = await startTestApiServer();
    const podTemplates = "/api/v1/namespaces/default/podtemplates";
    const withLabels = (metadata: JsonObject, labels: JsonObject): JsonObject => ({
      metadata: { name: "t", ...metadata },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } },
    });
    const created = await request(`POST ${podTemplates}`, withLabels({}, { app: "a" }));
    const same = await request(`PUT ${podTemplates}/t`, withLabels({ labels: { x: "y" } }, { app: "a" }));
    const changed = await request(`PUT ${podTemplates}/t`, withLabels({}, { app: "b" }));
    const generations = [created, same, changed].map((answer) => metadataIn(answer)["generation"]);
    expect(generations).toEqual([1, 1, 2]);
  });

  test.for([
    { name: "a new spec", change: { spec: { replicas: 2 } }, want: 2 },
    { name: "new annotations of a Deployment", change: { metadata: { annotations: { a: "b" } } }, want: 2 },
    { name: "new labels", change: { metadata: { labels: { a: "b" } } }, want: 1 },
    { name: "nothing new", change: {}, want: 1 },
  ])("after $name is $want", async ({ change, want }) => {
    const { request } = await startTestApiServer();
    await request(`POST ${deployments}`, deploymentOf("web"));
    const answer = await request(`PATCH ${deployments}/web`, change, "application/merge-patch+json");
    expect(metadataIn(answer)["generation"]).toBe(want);
  });

  test("of what has none stays absent", async () => {
    const { request } = await startTestApiServer();
    await request(`POST ${configMaps}`, { metadata: { name: "a" } });
    const answer = await request(`PUT ${configMaps}/a`, { metadata: { name: "a" }, data: { a: "b" } });
    expect(Object.keys(metadataIn(answer))).not.toContain("generation");
  });
});

test("an update that changes nothing is no write: no revision, no event", async () => {
  const { request, store, watch } = await startTestApiServer();
  const { body } = await request(`POST ${deployments}`, deploymentOf("web"));
  const stream = await watch(`${deployments}?watch=true&resourceVersion=${store.revision()}`);
  const before = store.revision();
  const answer = await request(`PUT ${deployments}/web`, body);
  expect(answer).toMatchObject({ code: 200, body });
  const undefaulted = await request(`PUT ${deployments}/web`, deploymentOf("web"));
  expect(undefaulted.body).toEqual(body);
  expect(store.revision()).toBe(before);
  expect(stream.hasPending).toBe(false);
});

describe("the status", () => {
  test("has its own door, which leads to nothing else but metadata", async () => {
    const { request } = await startTestApiServer();
    const { body } = await request(`POST ${deployments}`, deploymentOf("web"));
    const answer = await request(`PUT ${deployments}/web/status`, {
      ...withSpec(withMetadata(body, { annotations: { a: "b" }, labels: { c: "d" } }), { replicas: 9 }),
      status: { replicas: 1, observedGeneration: 1 },
    });
    expect(answer).toMatchObject({
      code: 200,
      body: {
        spec: { replicas: 1 },
        status: { replicas: 1 },
        metadata: { generation: 1, annotations: { a: "b" } },
      },
    });
    expect(Object.keys(metadataIn(answer))).not.toContain("labels");
    expect(await request(`GET ${deployments}/web/status`)).toMatchObject({
      body: { status: { replicas: 1 } },
    });
  });

  test("is validated by rules of its own", async () => {
    const { request } = await startTestApiServer();
    const { body } = await request(`POST ${deployments}`, deploymentOf("web"));
    const answer = await request(`PUT ${deployments}/web/status`, { ...body, status: { replicas: -1 } });
    expect(answer).toMatchObject({ code: 422, body: { details: { kind: "Deployment", group: "apps" } } });
  });

  test("is nothing a ConfigMap has", async () => {
    const { request } = await startTestApiServer();
    await request(`POST ${configMaps}`, { metadata: { name: "a" } });
    expect((await request(`PUT ${configMaps}/a/status`, { metadata: { name: "a" } })).code).toBe(404);
  });
});

test("a Pod's spec can hardly be changed", async () => {
  const { request } = await startTestApiServer();
  const { body } = await request(`POST ${pods}`, podOf("a"));
  const answer = await request(`PUT ${pods}/a`, withSpec(body, { hostname: "other" }));
  expect(answer).toMatchObject({ code: 422, body: { reason: "Invalid" } });
});

test("an object is removed with its last finalizer, and the response is its last state", async () => {
  const { request, watch, clock } = await startTestApiServer();
  await request(`POST ${configMaps}`, { metadata: { name: "a", finalizers: ["example.com/hold"] } });
  const { body } = await request(`DELETE ${configMaps}/a`);
  const stream = await watch(
    `${configMaps}?watch=true&resourceVersion=${String(metadataIn({ body } as ResponseSummary)["resourceVersion"])}`,
  );
  const { finalizers: _gone, ...released } = body["metadata"] as JsonObject;
  const answer = await request(`PUT ${configMaps}/a`, { ...body, metadata: released });
  await clock.settle();
  expect(answer).toMatchObject({ code: 200, body: { metadata: { name: "a" } } });
  expect(stream.take(5).map(({ type }) => type)).toEqual(["DELETED"]);
  expect((await request(`GET ${configMaps}/a`)).code).toBe(404);
});

test("no finalizer can be added to what is being deleted", async () => {
  const { request } = await startTestApiServer();
  await request(`POST ${configMaps}`, { metadata: { name: "a", finalizers: ["example.com/hold"] } });
  const { body } = await request(`DELETE ${configMaps}/a`);
  const more = withMetadata(body, { finalizers: ["example.com/hold", "example.com/more"] });
  expect(await request(`PUT ${configMaps}/a`, more)).toMatchObject({ code: 422 });
});

describe("fields that Kubernetes does not have", () => {
  const picker = { http: { host: "picker", port: 80 } };
  const own = { podReplacementPolicy: "TerminationComplete", downscalePodPicker: picker };

  test("survive a protobuf client, whose encoding cannot carry them", async () => {
    const { request } = await startTestApiServer();
    const { body } = await request(`POST ${deployments}`, deploymentOf("web", own));
    const {
      podReplacementPolicy: _a,
      downscalePodPicker: _b,
      ...known
    } = specIn({ body } as ResponseSummary);
    const bytes = encodeProtobuf({ ...body, spec: { ...known, replicas: 7 } });
    const answer = await request(`PUT ${deployments}/web`, bytes, "application/vnd.kubernetes.protobuf");
    expect(specIn(answer)).toMatchObject({ replicas: 7, podReplacementPolicy: "TerminationComplete" });
    expect(specIn(answer)["downscalePodPicker"]).toMatchObject(picker);
  });

  test("are gone when a JSON client leaves them out", async () => {
    const { request } = await startTestApiServer();
    await request(`POST ${deployments}`, deploymentOf("web", own));
    const answer = await request(`PUT ${deployments}/web`, deploymentOf("web"));
    expect(Object.keys(specIn(answer))).not.toContain("podReplacementPolicy");
    expect(Object.keys(specIn(answer))).not.toContain("downscalePodPicker");
  });

  test("are dropped while their gates are off", async () => {
    const { request } = await startTestApiServer({
      switches: { DownscalePodPicker: false, DeploymentPodReplacementPolicy: false },
    });
    const answer = await request(`POST ${deployments}`, deploymentOf("web", own));
    expect(Object.keys(specIn(answer))).not.toContain("podReplacementPolicy");
    expect(Object.keys(specIn(answer))).not.toContain("downscalePodPicker");
  });
});
