import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import type { Random } from "../../../machinery/random/random.ts";
import { deploymentOf, podOf, startTestApiServer } from "../api-server-fixture.contract.ts";

const pods = "/api/v1/namespaces/default/pods";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const configMaps = "/api/v1/namespaces/default/configmaps";

const workload: JsonObject = {
  selector: { matchLabels: { app: "a" } },
  template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "app", image: "app:1" }] } },
};

test("a created object has the server's system fields, whatever the client sent", async () => {
  const { request, clock } = await startTestApiServer();
  await clock.advance(1234);
  const { code, body } = await request(`POST ${deployments}`, {
    ...deploymentOf("web"),
    metadata: {
      name: "web",
      uid: "forged",
      generation: 7,
      creationTimestamp: "1999-01-01T00:00:00Z",
      deletionTimestamp: "1999-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 5,
      selfLink: "/x",
    },
    status: { replicas: 5 },
  });
  expect(code).toBe(201);
  expect(body).toMatchObject({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "default", generation: 1, creationTimestamp: "2026-01-01T00:00:01Z" },
    spec: { strategy: { type: "RollingUpdate" } },
  });
  const { metadata, status = {} } = body as { metadata: Record<string, unknown>; status?: object };
  expect(metadata["uid"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(Object.keys(metadata)).not.toContain("deletionTimestamp");
  expect(Object.keys(metadata)).not.toContain("deletionGracePeriodSeconds");
  expect(Object.keys(metadata)).not.toContain("selfLink");
  expect(status).toEqual({});
});

test("a new Pod is Pending, and a new Node keeps its status", async () => {
  const { request } = await startTestApiServer();
  const pod = await request(`POST ${pods}`, { ...podOf("a"), status: { phase: "Running" } });
  expect(pod.body).toMatchObject({ status: { phase: "Pending", qosClass: "BestEffort" } });
  const node = await request("POST /api/v1/nodes", {
    metadata: { name: "n" },
    status: { capacity: { cpu: "4" } },
  });
  expect(node.body).toMatchObject({ status: { capacity: { cpu: "4" }, allocatable: { cpu: "4" } } });
});

test.for<{ path: string; spec: JsonObject; status: JsonObject }>([
  { path: "/apis/apps/v1/namespaces/default/replicasets", spec: workload, status: { replicas: 0 } },
  { path: "/apis/apps/v1/namespaces/default/deployments", spec: workload, status: {} },
  {
    path: "/apis/apps/v1/namespaces/default/daemonsets",
    spec: workload,
    status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  },
  {
    path: "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
    spec: { minAvailable: 1 },
    status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  },
  {
    path: "/api/v1/namespaces/default/services",
    spec: { ports: [{ port: 80 }] },
    status: { loadBalancer: {} },
  },
  {
    path: "/api/v1/namespaces/default/persistentvolumeclaims",
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    status: { phase: "Pending" },
  },
])("a new object of $path has the status that clients expect", async ({ path, spec, status }) => {
  const { request } = await startTestApiServer();
  const answer = await request(`POST ${path}`, { metadata: { name: "a" }, spec, status: { colour: 1 } });
  expect(answer.code).toBe(201);
  expect(answer.body["status"]).toEqual(status);
});

describe("a name", () => {
  test("is made from a prefix, cut so that the whole fits", async () => {
    const { request } = await startTestApiServer();
    const { body } = await request(`POST ${configMaps}`, { metadata: { generateName: "x".repeat(70) } });
    expect((body["metadata"] as { name: string }).name).toMatch(/^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  test.for([
    { name: "none", metadata: {}, code: 422, message: /metadata.name: Required value: name or generateName/ },
    {
      name: "a bad one",
      metadata: { name: "A" },
      code: 422,
      message: /ConfigMap "A" is invalid: metadata.name:/,
    },
    {
      name: "another namespace",
      metadata: { name: "a", namespace: "other" },
      code: 400,
      message: /^the namespace of the provided object does not match the namespace sent on the request$/,
    },
    {
      name: "a resourceVersion",
      metadata: { name: "a", resourceVersion: "5" },
      code: 400,
      message: /^resourceVersion should not be set on objects to be created$/,
    },
  ])("is refused with $code when there is $name", async ({ metadata, code, message }) => {
    const { request } = await startTestApiServer();
    const answer = await request(`POST ${configMaps}`, { metadata });
    expect(answer.code).toBe(code);
    expect(answer.body["message"]).toMatch(message);
  });

  test("may have a resourceVersion in a dry run, as in kube-apiserver", async () => {
    const { request } = await startTestApiServer();
    const metadata = { name: "a", resourceVersion: "5" };
    const answer = await request(`POST ${configMaps}?dryRun=All`, { metadata });
    expect(answer.code).toBe(201);
  });

  test("is refused when taken, with a word about an object that is on its way out", async () => {
    const { request } = await startTestApiServer();
    const held = { metadata: { name: "a", finalizers: ["example.com/hold"] } };
    await request(`POST ${configMaps}`, held);
    const again = await request(`POST ${configMaps}`, held);
    expect(again).toMatchObject({
      code: 409,
      body: {
        reason: "AlreadyExists",
        message: 'configmaps "a" already exists',
        details: { name: "a", kind: "configmaps" },
      },
    });
    await request(`DELETE ${configMaps}/a`);
    expect((await request(`POST ${configMaps}`, held)).body["message"]).toBe(
      'object is being deleted: configmaps "a" already exists',
    );
  });

  test("that eight attempts cannot make unique is refused", async () => {
    const constant: Random = { next: () => 0, fork: () => constant };
    const { request, server } = await startTestApiServer({ random: constant });
    expect(server).toBeDefined();
    await request(`POST ${configMaps}`, { metadata: { generateName: "a-" } });
    const { code, body } = await request(`POST ${configMaps}`, { metadata: { generateName: "a-" } });
    expect(code).toBe(409);
    expect(body["message"]).toBe(
      'configmaps "a-bbbbb" already exists, the server was not able to generate a unique name for the object',
    );
  });
});

describe("fields the schema does not know are", () => {
  const sent = { ...podOf("a"), spec: { ...(podOf("a")["spec"] as object), foo: 1 }, bar: 2 };

  test("refused when the client is strict", async () => {
    const { request } = await startTestApiServer();
    const { code, body } = await request(`POST ${pods}?fieldValidation=Strict`, sent);
    expect(code).toBe(400);
    expect(body["message"]).toBe(
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.foo", unknown field "bar"',
    );
  });

  test("dropped with a warning unless the client says otherwise", async () => {
    const { request } = await startTestApiServer({ runKinds: new Set(["Pod"]) });
    const { code, body, warnings } = await request(`POST ${pods}`, sent);
    expect(code).toBe(201);
    expect(warnings).toEqual(['unknown field "spec.foo"', 'unknown field "bar"']);
    expect(JSON.stringify(body)).not.toContain("foo");
  });

  test("dropped without a word when the client does not care", async () => {
    const { request } = await startTestApiServer({ runKinds: new Set(["Pod"]) });
    expect(await request(`POST ${pods}?fieldValidation=Ignore`, sent)).toMatchObject({
      code: 201,
      warnings: [],
    });
  });

  test("not the only thing: duplicates count too", async () => {
    const { request } = await startTestApiServer();
    const text = '{"metadata":{"name":"a"},"data":{"x":"1"},"data":{"x":"2"}}';
    expect((await request(`POST ${configMaps}`, text)).warnings).toEqual(['duplicate field "data"']);
    expect(await request(`POST ${configMaps}?fieldValidation=Strict`, text)).toMatchObject({ code: 400 });
  });
});

test.for([
  { name: "no body", body: undefined, code: 400 },
  { name: "broken JSON", body: "{", code: 400 },
  { name: "a list", body: "[]", code: 400 },
  { name: "null", body: "null", code: 422 },
  { name: "a text", body: '"pod"', code: 400 },
  { name: "another kind", body: { kind: "Service", ...podOf("a") }, code: 400 },
  { name: "another version", body: { apiVersion: "v2", ...podOf("a") }, code: 400 },
  { name: "a wrong type", body: { metadata: { name: 1 } }, code: 400 },
  { name: "an unknown encoding", body: "x", contentType: "text/plain", code: 415 },
  { name: "CBOR", body: "x", contentType: "application/cbor", code: 415 },
  { name: "protobuf that is none", body: "x", contentType: "application/vnd.kubernetes.protobuf", code: 400 },
  { name: "broken YAML", body: "a: [", contentType: "application/yaml", code: 400 },
  {
    name: "a bomb of aliases",
    body: `a: &a [x,x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e", "f"].map((key, index) => `${key}: &${key} [${Array.from({ length: 9 }, () => `*${"abcde"[index]}`).join(",")}]`).join("\n")}`,
    contentType: "application/yaml",
    code: 400,
  },
  { name: "deep nesting", body: `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, code: 400 },
])("$name is answered with $code", async ({ body, contentType, code }) => {
  const { request } = await startTestApiServer();
  const answer = await request(`POST ${pods}`, body, contentType);
  expect(answer.code).toBe(code);
  expect(answer.body).toMatchObject({ kind: "Status", status: "Failure", code });
});

test("YAML is as good as JSON, and as in Kubernetes it is YAML 1.1, where a bare on is true", async () => {
  const { request } = await startTestApiServer();
  const text = "metadata:\n  name: a\n  labels: {on: 'yes'}\ndata:\n  key: |\n    two\n    lines\n";
  expect(await request(`POST ${configMaps}`, text, "application/yaml; charset=utf-8")).toMatchObject({
    code: 201,
    body: { metadata: { labels: { true: "yes" } }, data: { key: "two\nlines\n" } },
  });
});

test("names that mean something to JavaScript mean nothing here", async () => {
  const { request } = await startTestApiServer();
  const text =
    '{"metadata":{"name":"a","labels":{"__proto__":"x","constructor":"y"}},"__proto__":{"polluted":1}}';
  const { body } = await request(`POST ${configMaps}?fieldValidation=Ignore`, text);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(body["kind"] === "ConfigMap" || body["reason"] === "Invalid").toBe(true);
});

test("a dry run answers like the real thing and leaves no trace", async () => {
  const { request, store } = await startTestApiServer();
  const before = store.revision();
  const tried = await request(`POST ${pods}?dryRun=All`, podOf("a"));
  expect(tried).toMatchObject({ code: 201, body: { metadata: { name: "a" }, status: { phase: "Pending" } } });
  expect(store.revision()).toBe(before);
  expect((await request(`GET ${pods}/a`)).code).toBe(404);
  expect(await request(`POST ${pods}?dryRun=Some`, podOf("a"))).toMatchObject({
    code: 422,
    body: { details: { kind: "CreateOptions", group: "meta.k8s.io" } },
  });
});

test("a Pod gets its AppArmor annotation in a field, and a warning about the annotation", async () => {
  const { request } = await startTestApiServer();
  const annotation = "container.apparmor.security.beta.kubernetes.io/app";
  const annotated = { ...podOf("a"), metadata: { name: "a", annotations: { [annotation]: "unconfined" } } };
  const { body, warnings } = await request(`POST ${pods}`, annotated);
  expect(body).toMatchObject({
    spec: { containers: [{ name: "app", securityContext: { appArmorProfile: { type: "Unconfined" } } }] },
  });
  expect(warnings).toContain(
    `metadata.annotations[${annotation}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
  );
});

test("a create of a kind that no component runs gets a warning", async () => {
  const { request } = await startTestApiServer({ runKinds: new Set(["Deployment.apps"]) });
  expect((await request(`POST ${deployments}`, deploymentOf("web"))).warnings).toEqual([]);
  const set = {
    ...deploymentOf("db"),
    spec: { ...(deploymentOf("db")["spec"] as object), serviceName: "db" },
  };
  expect((await request("POST /apis/apps/v1/namespaces/default/statefulsets", set)).warnings).toEqual([
    "StatefulSet.apps is stored, but nothing in this cluster runs it",
  ]);
  expect((await request(`POST ${configMaps}`, { metadata: { name: "a" } })).warnings).toEqual([]);
});

test("a MutatingAdmissionPolicy cannot be created yet", async () => {
  const { request } = await startTestApiServer();
  const path = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies";
  const { code, body } = await request(`POST ${path}`, { metadata: { name: "a" } });
  expect(code).toBe(405);
  expect(body["message"]).toMatch(/^creating .* is not supported yet$/);
});

test.for<{ name: string; service: JsonObject; running?: string[]; warned: boolean }>([
  { name: "selects Pods", service: { spec: { selector: { app: "a" } } }, warned: true },
  {
    name: "selects Pods where EndpointSlices are filled",
    service: { spec: { selector: { app: "a" } } },
    running: ["EndpointSlice.discovery.k8s.io"],
    warned: false,
  },
  { name: "selects nothing", service: { spec: {} }, warned: false },
  {
    name: "has a simulated endpoint",
    service: {
      metadata: { annotations: { "sim.trimtab.dev/endpoint": "127.0.0.1:80" } },
      spec: { selector: { app: "a" } },
    },
    warned: false,
  },
])("a Service that $name is told whether it gets endpoints", async ({ service, running = [], warned }) => {
  const { request } = await startTestApiServer({ runKinds: new Set(running) });
  const metadata = { ...(service["metadata"] as JsonObject | undefined), name: "a" };
  const spec = { ...(service["spec"] as JsonObject), ports: [{ port: 80 }] };
  const { warnings } = await request("POST /api/v1/namespaces/default/services", { metadata, spec });
  const warning = "this Service gets no endpoints: nothing in this cluster fills EndpointSlices";
  expect(warnings).toEqual(warned ? [warning] : []);
});

test("an object of a namespace that is not there is not found; one of a namespace that ends is forbidden", async () => {
  const { request } = await startTestApiServer();
  expect(
    await request("POST /api/v1/namespaces/nowhere/configmaps", { metadata: { name: "a" } }),
  ).toMatchObject({
    code: 404,
    body: { message: 'namespaces "nowhere" not found', details: { kind: "namespaces", name: "nowhere" } },
  });
  await request("POST /api/v1/namespaces", { metadata: { name: "ending" } });
  await request("DELETE /api/v1/namespaces/ending");
  const refused = await request("POST /api/v1/namespaces/ending/configmaps", { metadata: { name: "a" } });
  expect(refused).toMatchObject({
    code: 403,
    body: {
      reason: "Forbidden",
      details: { causes: [{ reason: "NamespaceTerminating", field: "metadata.namespace" }] },
    },
  });
});

const doubtful: JsonObject = {
  ...podOf("a"),
  spec: { containers: [{ name: "app", image: "app:1", env: [{ name: "A" }, { name: "A" }], unknown: 1 }] },
};
const warningsOfDoubtful = [
  expect.stringContaining('unknown field "spec.containers[0].unknown"'),
  expect.stringContaining("hides previous definition"),
];

test("a Pod whose name is taken is refused with the warnings about it", async () => {
  const { request } = await startTestApiServer();
  await request(`POST ${pods}`, podOf("a"));
  const { code, warnings } = await request(`POST ${pods}`, doubtful);
  expect(code).toBe(409);
  expect(warnings).toEqual(warningsOfDoubtful);
});

test("a Pod that a quota refuses is refused with the warnings about it", async () => {
  const { request } = await startTestApiServer();
  const quota = { metadata: { name: "none" }, spec: { hard: { pods: "0" } } };
  await request("POST /api/v1/namespaces/default/resourcequotas", quota);
  const { code, warnings } = await request(`POST ${pods}`, doubtful);
  expect(code).toBe(403);
  expect(warnings).toEqual(warningsOfDoubtful);
});
