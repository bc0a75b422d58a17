import { describe, expect, test } from "vitest";
import { configMaps, deployments as deploymentResource } from "../../../api/resources.ts";
import { memoryMetrics } from "../../../testing/memory-metrics.ts";
import { deploymentOf, podOf, startTestApiServer } from "../api-server-fixture.contract.ts";
import { configurationOf, patching, startScriptedWebhooks } from "./scripted-webhooks.contract.ts";
import type { WebhookTransport } from "./webhook-transport.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const pods = "/api/v1/namespaces/default/pods";
const merge = "application/merge-patch+json";
const map = { metadata: { name: "a" }, data: { k: "v" } };
const label = (key: string, value = "yes") =>
  patching({ op: "add", path: "/metadata/labels", value: { [key]: value } });

describe("a validating webhook", () => {
  test("that denies a create leaves nothing behind, and its message reaches the client", async () => {
    const { request, register, store } = await startScriptedWebhooks({
      no: () => ({ allowed: false, status: { code: 403, reason: "Forbidden", message: "not today" } }),
    });
    await register("validating", "no");
    const before = store.revision();
    expect(await request(`POST ${maps}`, map)).toMatchObject({
      code: 403,
      body: {
        reason: "Forbidden",
        message: 'admission webhook "no.example.com" denied the request: not today',
      },
    });
    expect(store.revision()).toBe(before);
  });

  test.for([
    { status: undefined, code: 400, end: " without explanation" },
    { status: { reason: "Invalid" }, code: 400, end: ": Invalid" },
    { status: { code: 200, message: "odd" }, code: 400, end: ": odd" },
    { status: { code: 429, message: "later" }, code: 429, end: ": later" },
  ])("that denies with $status is answered with $code", async ({ status, code, end }) => {
    const { request, register } = await startScriptedWebhooks({
      no: () => ({ allowed: false, ...(status && { status }) }),
    });
    await register("validating", "no");
    const answer = await request(`POST ${maps}`, map);
    expect(answer.code).toBe(code);
    expect(answer.body["message"]).toBe(`admission webhook "no.example.com" denied the request${end}`);
  });

  test("sees a new object as it will be stored, and who creates it", async () => {
    const { request, register, sent } = await startScriptedWebhooks({
      see: () => ({ warnings: ["careful"] }),
    });
    await register("validating", "see");
    const { code, warnings, body } = await request(`POST ${pods}?fieldManager=me`, podOf("a"));
    expect(code).toBe(201);
    expect(warnings).toContain("careful");
    const [review] = sent("see");
    expect(review).toMatchObject({
      kind: { group: "", version: "v1", kind: "Pod" },
      resource: { group: "", version: "v1", resource: "pods" },
      requestKind: { group: "", version: "v1", kind: "Pod" },
      requestResource: { group: "", version: "v1", resource: "pods" },
      name: "a",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "tester", groups: ["system:masters", "system:authenticated"] },
      object: { metadata: { uid: (body["metadata"] as { uid: string }).uid }, spec: { priority: 0 } },
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1", fieldManager: "me" },
    });
    expect(review).not.toHaveProperty("subResource");
  });

  test("sees the stored and the next version of an update, in a dry run too", async () => {
    const { request, register, sent } = await startScriptedWebhooks({ see: () => undefined });
    await request(`POST ${maps}`, map);
    await register("validating", "see");
    const changed = { data: { k: "w" } };
    await request(`PATCH ${maps}/a?dryRun=All`, changed, merge);
    expect(sent("see")).toMatchObject([
      {
        operation: "UPDATE",
        dryRun: true,
        object: changed,
        oldObject: { data: { k: "v" } },
        options: { kind: "PatchOptions", dryRun: ["All"] },
      },
    ]);
    expect((await request(`GET ${maps}/a`)).body).toMatchObject(map);
  });

  test("sees the object of a delete, and can keep it", async () => {
    const { request, register, sent } = await startScriptedWebhooks({ no: () => ({ allowed: false }) });
    await request(`POST ${maps}`, map);
    await register("validating", "no");
    expect((await request(`DELETE ${maps}/a`, { propagationPolicy: "Orphan" })).code).toBe(400);
    expect((await request(`DELETE ${maps}`)).code).toBe(400);
    const [one, collection] = sent("no");
    expect(one).toMatchObject({
      operation: "DELETE",
      name: "a",
      object: null,
      oldObject: map,
      options: { kind: "DeleteOptions", propagationPolicy: "Orphan" },
    });
    expect(collection).not.toHaveProperty("name");
    expect((await request(`GET ${maps}/a`)).code).toBe(200);
  });

  test.for([
    { name: "closes", failurePolicy: "Fail", code: 500 },
    { name: "closes", failurePolicy: "Ignore", code: 201 },
  ])("that cannot be called with $failurePolicy gives $code", async ({ failurePolicy, code }) => {
    const { request, register } = await startScriptedWebhooks({});
    await register("validating", "down", { failurePolicy });
    const answer = await request(`POST ${maps}`, map);
    expect(answer.code).toBe(code);
    if (code === 500)
      expect(answer.body["message"]).toBe(
        'Internal error occurred: failed calling webhook "down.example.com": failed to call webhook: connection refused',
      );
  });

  test("is not asked about webhook configurations, so that a broken one can be removed", async () => {
    const { request, register } = await startScriptedWebhooks({});
    await register("validating", "down");
    const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/validating-down";
    expect((await request(`POST ${maps}`, map)).code).toBe(500);
    expect((await request(`DELETE ${path}`)).code).toBe(200);
    expect((await request(`POST ${maps}`, map)).code).toBe(201);
  });

  test("is asked about writes of components in this process", async () => {
    const { client, register } = await startScriptedWebhooks({ no: () => ({ allowed: false }) });
    await register("validating", "no");
    await expect(
      client.create(configMaps, { metadata: { namespace: "default", name: "a" } }),
    ).rejects.toThrow('admission webhook "no.example.com" denied the request');
  });
});

describe("a mutating webhook", () => {
  test("patches a new object, which gets its defaults again", async () => {
    const { request, register, sent } = await startScriptedWebhooks({
      inject: () =>
        patching({ op: "add", path: "/spec/containers/-", value: { name: "side", image: "side:1" } }),
    });
    await register("mutating", "inject");
    const { body } = await request(`POST ${pods}`, podOf("a"));
    expect(body).toMatchObject({
      spec: { containers: [{}, { name: "side", image: "side:1", imagePullPolicy: "IfNotPresent" }] },
    });
    expect(sent("inject")[0]?.object).not.toHaveProperty("metadata.uid");
  });

  test("changes an update, also that of a Scale", async () => {
    const { request, register, sent } = await startScriptedWebhooks({
      cap: ({ subResource }) =>
        subResource === "scale"
          ? patching({ op: "replace", path: "/spec/replicas", value: 3 })
          : label("seen"),
    });
    await request(`POST ${deployments}`, deploymentOf("web", { replicas: 1 }));
    await register("mutating", "cap");
    expect(
      (await request(`PATCH ${deployments}/web/scale`, { spec: { replicas: 9 } }, merge)).body,
    ).toMatchObject({ kind: "Scale", spec: { replicas: 3 } });
    expect(sent("cap")[0]).toMatchObject({
      kind: { group: "autoscaling", version: "v1", kind: "Scale" },
      resource: { group: "apps", version: "v1", resource: "deployments" },
      subResource: "scale",
      object: { kind: "Scale", spec: { replicas: 9 } },
      oldObject: { kind: "Scale", spec: { replicas: 1 } },
    });
    await request(`PATCH ${deployments}/web`, { spec: { paused: true } }, merge);
    expect((await request(`GET ${deployments}/web`)).body).toMatchObject({
      metadata: { labels: { seen: "yes" } },
      spec: { replicas: 3, paused: true },
    });
  });

  test.for([
    { name: "replaces the kind", patch: { op: "replace", path: "/kind", value: "Secret" } },
    { name: "gives a field another type", patch: { op: "add", path: "/data", value: 1 } },
    { name: "removes what is not there", patch: { op: "remove", path: "/data/none" } },
    { name: "is no operation", patch: { op: "burn", path: "/data" } },
  ])("whose patch $name fails the request", async ({ patch }) => {
    const { request, register } = await startScriptedWebhooks({ bad: () => patching(patch) });
    await register("mutating", "bad");
    const { code, body } = await request(`POST ${maps}`, map);
    expect(code).toBe(500);
    expect(body["message"]).toContain(
      'admission webhook "bad.example.com" returned a patch that cannot be applied',
    );
  });

  test.for([
    { name: "system fields of a new object are set by the server", path: "/metadata/uid", code: 201 },
    { name: "the name must stay valid", path: "/metadata/name", value: "A B", code: 422 },
    { name: "the namespace must stay", path: "/metadata/namespace", value: "kube-system", code: 500 },
  ])("$name", async ({ path, value = "x", code }) => {
    const { request, register } = await startScriptedWebhooks({
      change: () => patching({ op: "add", path, value }),
    });
    await register("mutating", "change");
    const answer = await request(`POST ${maps}`, map);
    expect(answer.code).toBe(code);
    if (code === 201) expect(answer.body).not.toMatchObject({ metadata: { uid: "x" } });
  });

  test.for([
    { path: "/metadata/uid", value: "x", message: "metadata.uid: Invalid value" },
    { path: "/metadata/name", value: "b", message: "metadata.name: Invalid value" },
    { path: "/metadata/resourceVersion", value: "1", message: undefined },
    { path: "/metadata/generation", value: 77, message: undefined },
    { path: "/spec/selector/matchLabels/app", value: "other", message: "is invalid: " },
    { path: "/spec/replicas", value: -1, message: "spec.replicas: Invalid value: -1" },
    { path: "/status", value: { replicas: 9 }, message: undefined },
  ])("that changes $path in an update is held to the rules of updates", async ({ path, value, message }) => {
    const { request, register } = await startScriptedWebhooks({
      change: () => patching({ op: "add", path, value }),
    });
    await request(`POST ${deployments}`, deploymentOf("web", { replicas: 1 }));
    await register("mutating", "change");
    const { code, body } = await request(`PATCH ${deployments}/web`, { spec: { paused: true } }, merge);
    expect(code === 200 ? undefined : body["message"]).toEqual(
      message === undefined ? undefined : expect.stringContaining(message),
    );
    if (message === undefined) {
      expect(body).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 1, paused: true } });
      expect(body["status"]).not.toMatchObject({ replicas: 9 });
    }
  });

  test("is asked again when a later one changes the object, if it wants to be", async () => {
    const { request, register, sent } = await startScriptedWebhooks({
      first: () => undefined,
      never: () => undefined,
      second: () => label("by", "second"),
    });
    await register("mutating", "first", { reinvocationPolicy: "IfNeeded" });
    await register("mutating", "never");
    await register("mutating", "second", { reinvocationPolicy: "IfNeeded" });
    await request(`POST ${maps}`, map);
    expect(["first", "never", "second"].map((path) => sent(path).length)).toEqual([2, 1, 1]);
    expect(sent("first")[1]?.object).toMatchObject({ metadata: { labels: { by: "second" } } });
  });
});

test("subresources have rules of their own", async () => {
  const { request, register, sent, client } = await startScriptedWebhooks({ see: () => undefined });
  await request(`POST ${pods}`, podOf("a"));
  await request(`POST ${deployments}`, deploymentOf("web", { replicas: 1 }));
  await register("validating", "see", {
    rules: [
      {
        operations: ["*"],
        apiGroups: ["*"],
        apiVersions: ["*"],
        resources: ["pods/binding", "pods/eviction", "deployments/status"],
      },
    ],
  });
  await request(`POST ${pods}/a/binding`, { metadata: { name: "a" }, target: { name: "n1" } });
  await request(`POST ${pods}/a/eviction`, { metadata: { name: "a" } });
  const web = await client.get(deploymentResource, { namespace: "default", name: "web" });
  await client.update(deploymentResource, { ...web, status: { replicas: 1 } }, { subresource: "status" });
  await client.delete(deploymentResource, { namespace: "default", name: "web" });
  expect(sent("see").map(({ kind, subResource }) => [kind["kind"], subResource])).toEqual([
    ["Binding", "binding"],
    ["Eviction", "eviction"],
    ["Deployment", "status"],
  ]);
});

describe("match conditions", () => {
  test("let a webhook be asked only about what they are true for", async () => {
    const { request, register, sent } = await startScriptedWebhooks({ see: () => undefined });
    const shrinks = "request.operation == 'UPDATE' && object.spec.replicas < oldObject.spec.replicas";
    await register("validating", "see", { matchConditions: [{ name: "shrinks", expression: shrinks }] });
    await request(`POST ${deployments}`, deploymentOf("web", { replicas: 2 }));
    for (const count of [3, 1])
      await request(`PATCH ${deployments}/web/scale`, { spec: { replicas: count } }, merge);
    expect(sent("see").map(({ object }) => object?.["spec"])).toEqual([{ replicas: 1 }]);
  });

  test("may ask what the user may do", async () => {
    const { request, register, sent } = await startScriptedWebhooks({ see: () => undefined });
    const robot = "authorizer.serviceAccount('default', 'robot').path('/metrics').check('get')";
    const expressions = ["authorizer.requestResource.check('create').allowed()", `!${robot}.allowed()`];
    const matchConditions = expressions.map((expression, index) => ({ name: `c${index}`, expression }));
    await register("validating", "see", { matchConditions });
    expect(await request(`POST ${maps}`, map)).toMatchObject({ code: 201 });
    expect(sent("see")).toHaveLength(1);
  });

  test.for([
    { failurePolicy: "Fail", code: 403 },
    { failurePolicy: "Ignore", code: 201 },
  ])("that fail are answered with $code for $failurePolicy", async ({ failurePolicy, code }) => {
    const { request, register, sent } = await startScriptedWebhooks({ see: () => undefined });
    const matchConditions = [{ name: "typo", expression: "object.dta.k == 'v'" }];
    await register("validating", "see", { failurePolicy, matchConditions });
    const answer = await request(`POST ${maps}`, map);
    expect(answer.code).toBe(code);
    if (code === 403)
      expect(answer.body["message"]).toBe(
        `configmaps "a" is forbidden: expression 'object.dta.k == 'v'' resulted in error: no such key: dta`,
      );
    expect(sent("see")).toEqual([]);
  });

  test("that do not compile are refused when the configuration is created or updated", async () => {
    const { request, register } = await startScriptedWebhooks({});
    const matchConditions = [{ name: "re", expression: "object.metadata.name.matches('(')" }];
    expect(await register("mutating", "see", { matchConditions })).toBe(422);
    expect(await register("mutating", "see")).toBe(201);
    const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/mutating-see";
    const patch = { webhooks: [{ name: "see.example.com", matchConditions }] };
    const answer = await request(`PATCH ${path}`, patch, "application/strategic-merge-patch+json");
    expect(answer.code).toBe(422);
    expect(answer.body["message"]).toContain(
      "webhooks[0].matchConditions[0].expression: Invalid value: \"object.metadata.name.matches('(')\": compilation failed: ERROR: <input>:1:30: invalid matches argument",
    );
  });
});

test("reviews of access and requests for tokens are sent to webhooks, which may deny them", async () => {
  const { request, register, sent } = await startScriptedWebhooks({
    no: () => ({ allowed: false, warnings: ["careful"] }),
  });
  await register("validating", "no");
  const paths = [
    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    "/apis/authentication.k8s.io/v1/tokenreviews",
    "/api/v1/namespaces/default/serviceaccounts/default/token",
  ];
  for (const path of paths) expect((await request(`POST ${path}`, { spec: {} })).code).toBe(400);
  expect(sent("no").map(({ object, subResource = "" }) => [object?.["kind"], subResource])).toEqual([
    ["SelfSubjectAccessReview", ""],
    ["TokenReview", ""],
    ["TokenRequest", "token"],
  ]);
});

test("a denial comes with the warnings so far", async () => {
  const { request, register } = await startScriptedWebhooks({
    first: () => ({ warnings: ["from the first"] }),
    no: () => ({ allowed: false, warnings: ["from the second"] }),
  });
  await register("mutating", "first");
  await register("validating", "no");
  const { code, warnings } = await request(`POST ${maps}`, map);
  expect({ code, warnings }).toEqual({ code: 400, warnings: ["from the first", "from the second"] });
});

test("a webhook can refuse connections to a Pod, and cannot change them", async () => {
  const { request, register, sent } = await startScriptedWebhooks({
    no: () => ({ allowed: false }),
    change: () => label("a"),
  });
  await request(`POST ${pods}`, podOf("a"));
  const rules = [{ operations: ["CONNECT"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods/*"] }];
  await register("validating", "no", { rules });
  const answer = await request(`GET ${pods}/a/exec?container=app`);
  expect(answer.body["message"]).toBe(
    'admission webhook "no.example.com" denied the request without explanation',
  );
  expect(sent("no")).toMatchObject([
    {
      kind: { kind: "PodExecOptions" },
      operation: "CONNECT",
      subResource: "exec",
      object: { kind: "PodExecOptions", apiVersion: "v1", container: "app" },
      options: null,
    },
  ]);
  await register("mutating", "change", { rules });
  expect((await request(`GET ${pods}/a/exec`)).body["message"]).toContain(
    'admission webhook "change.example.com" attempted to modify the object, which is not supported for this operation',
  );
});

test.for([
  { selector: { matchLabels: { team: "a" } }, want: 1 },
  { selector: { matchLabels: { team: "b" } }, want: 0 },
  {
    selector: {
      matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["default"] }],
    },
    want: 0,
  },
])("namespaceSelector $selector asks about $want objects", async ({ selector, want }) => {
  const { request, register, sent } = await startScriptedWebhooks({ see: () => undefined });
  await request("PATCH /api/v1/namespaces/default", { metadata: { labels: { team: "a" } } }, merge);
  const rules = [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }];
  await register("validating", "see", { namespaceSelector: selector, rules });
  await request(`POST ${maps}`, map);
  expect(sent("see")).toHaveLength(want);
});

test("objectSelector selects an object by its labels before or after an update", async () => {
  const { request, register, sent } = await startScriptedWebhooks({ see: () => undefined });
  await register("validating", "see", { objectSelector: { matchLabels: { watched: "yes" } } });
  await request(`POST ${maps}`, map);
  for (const watched of ["yes", null, "no"])
    await request(`PATCH ${maps}/a`, { metadata: { labels: { watched } } }, merge);
  expect(sent("see").map(({ operation }) => operation)).toEqual(["UPDATE", "UPDATE"]);
});

test("rules for one version of a resource match another, unless they are exact", async () => {
  const { request, register, sent } = await startScriptedWebhooks({
    equivalent: () => patching({ op: "replace", path: "/spec/maxReplicas", value: 7 }),
    exact: () => undefined,
  });
  const rules = [
    {
      operations: ["*"],
      apiGroups: ["autoscaling"],
      apiVersions: ["v1"],
      resources: ["horizontalpodautoscalers"],
    },
  ];
  await register("mutating", "equivalent", { rules });
  await register("mutating", "exact", { rules, matchPolicy: "Exact" });
  const autoscaler = {
    metadata: { name: "a" },
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas: 3 },
  };
  const { body } = await request(
    "POST /apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
    autoscaler,
  );
  expect(body).toMatchObject({ apiVersion: "autoscaling/v2", spec: { maxReplicas: 7 } });
  expect(sent("exact")).toEqual([]);
  expect(sent("equivalent")).toMatchObject([
    {
      kind: { version: "v1" },
      requestKind: { version: "v2" },
      object: { apiVersion: "autoscaling/v1" },
    },
  ]);
});

test("webhooks are measured under the names of kube-apiserver", async () => {
  const metrics = memoryMetrics();
  const { request, register } = await startScriptedWebhooks(
    { no: () => ({ allowed: false, status: { code: 403 } }) },
    { instruments: metrics },
  );
  await register("validating", "no");
  await register("validating", "down", { failurePolicy: "Ignore" });
  await register("validating", "not", { matchConditions: [{ name: "never", expression: "false" }] });
  await request(`POST ${maps}`, map);
  const prefix = "apiserver_admission";
  const asked = { type: "validating", operation: "CREATE" };
  const no = { name: "no.example.com", ...asked };
  const rejection = { ...no, error_type: "no_error", rejection_code: "403" };
  expect(metrics.value(`${prefix}_webhook_rejection_count`, rejection)).toBe(1);
  expect(metrics.value(`${prefix}_webhook_request_total`, { ...no, code: "403", rejected: "true" })).toBe(1);
  const down = { name: "down.example.com", type: "validating" };
  expect(metrics.value(`${prefix}_webhook_fail_open_count`, down)).toBe(1);
  const excluded = { name: "not.example.com", kind: "webhook", ...asked };
  expect(metrics.value(`${prefix}_match_condition_exclusions_total`, excluded)).toBe(1);
  const histogram = `${prefix}_webhook_admission_duration_seconds`;
  expect(metrics.observations(histogram, { ...no, rejected: "true" })).toEqual([0]);
  const step = { ...asked, rejected: "true" };
  expect(metrics.observations(`${prefix}_step_admission_duration_seconds`, step)).toEqual([0]);
});

test("webhooks that together take longer than a request may are cut short", async () => {
  const hung: WebhookTransport = {
    call: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ ok: false, why: "context deadline exceeded" }));
      }),
  };
  const { request, register, clock } = await startScriptedWebhooks({}, { webhookTransport: hung });
  for (const path of ["a", "b", "c"])
    await register("mutating", path, { timeoutSeconds: 20, failurePolicy: "Ignore" });
  const startedAt = clock.now();
  let answer: { readonly code: number } | undefined;
  void request(`POST ${maps}`, map).then((done) => (answer = done));
  await clock.runWhile(() => answer === undefined, Number.POSITIVE_INFINITY);
  expect(answer?.code).toBe(504);
  expect(clock.now() - startedAt).toBe(34_000);
});

test("a cluster in virtual time calls no webhooks, and says so", async () => {
  const { request } = await startTestApiServer();
  const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  await request(`POST ${path}`, configurationOf("validating", "any"));
  expect((await request(`POST ${maps}`, map)).body["message"]).toContain(
    "webhooks are not supported in virtual time",
  );
});

test("a collection is deleted a few objects at a time, until a webhook denies one", async () => {
  const { request, register, sent } = await startScriptedWebhooks({
    keep: ({ oldObject }) => ({ allowed: !JSON.stringify(oldObject).includes('"keep"') }),
  });
  const names = Array.from({ length: 40 }, (_, index) => `m${String(index).padStart(2, "0")}`);
  for (const name of names)
    await request(`POST ${maps}`, { metadata: { name, ...(name === "m20" && { labels: { keep: "" } }) } });
  await register("validating", "keep");
  expect((await request(`DELETE ${maps}`)).code).toBe(400);
  expect(sent("keep")).toHaveLength(32);
  const left = (await request(`GET ${maps}`)).body["items"] as readonly { metadata: { name: string } }[];
  expect(left.map(({ metadata }) => metadata.name)).toEqual(["m20", ...names.slice(32)]);
});
