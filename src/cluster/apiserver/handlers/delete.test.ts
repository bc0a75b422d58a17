import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { systemPriorities } from "../kinds/priority-class/strategy.ts";
import {
  deploymentOf,
  namesIn,
  pendingEvents,
  podOf,
  type ResponseSummary,
  startTestApiServer,
} from "../api-server-fixture.contract.ts";

const pods = "/api/v1/namespaces/default/pods";
const configMaps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const metadataIn = ({ body }: ResponseSummary) => body["metadata"] as JsonObject;

describe("an object without finalizers is removed at once", () => {
  test("and most kinds answer with a Status", async () => {
    const { request } = await startTestApiServer();
    const { body } = await request(`POST ${deployments}`, deploymentOf("web"));
    expect(await request(`DELETE ${deployments}/web`)).toEqual({
      code: 200,
      body: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Success",
        details: {
          name: "web",
          group: "apps",
          kind: "deployments",
          uid: (body["metadata"] as JsonObject)["uid"],
        },
      },
      warnings: [],
    });
    expect((await request(`DELETE ${deployments}/web`)).code).toBe(404);
  });

  test("and some with the object", async () => {
    const { request } = await startTestApiServer();
    await request("POST /api/v1/namespaces/default/services", {
      metadata: { name: "s" },
      spec: { ports: [{ port: 80 }] },
    });
    const answer = await request("DELETE /api/v1/namespaces/default/services/s");
    expect(answer).toMatchObject({ code: 200, body: { kind: "Service", metadata: { name: "s" } } });
  });
});

describe("finalizers", () => {
  test.for([
    { name: "its own", finalizers: ["example.com/hold"], options: {}, want: ["example.com/hold"] },
    { name: "one to orphan", finalizers: [], options: { propagationPolicy: "Orphan" }, want: ["orphan"] },
    {
      name: "one to wait for dependents",
      finalizers: [],
      options: { propagationPolicy: "Foreground" },
      want: ["foregroundDeletion"],
    },
    {
      name: "one to orphan, asked for the old way",
      finalizers: [],
      options: { orphanDependents: true },
      want: ["orphan"],
    },
    {
      name: "the other one than it had",
      finalizers: ["foregroundDeletion", "example.com/hold"],
      options: { propagationPolicy: "Orphan" },
      want: ["example.com/hold", "orphan"],
    },
    {
      name: "the one it had, when nothing is asked for",
      finalizers: ["foregroundDeletion"],
      options: {},
      want: ["foregroundDeletion"],
    },
  ])("hold an object with $name", async ({ finalizers, options, want }) => {
    const { request } = await startTestApiServer();
    const draft = deploymentOf("web");
    await request(`POST ${deployments}`, { ...draft, metadata: { name: "web", finalizers } });
    const answer = await request(`DELETE ${deployments}/web`, options);
    expect(answer).toMatchObject({
      code: 200,
      body: {
        kind: "Deployment",
        metadata: {
          finalizers: want,
          deletionTimestamp: "2026-01-01T00:00:00Z",
          deletionGracePeriodSeconds: 0,
          generation: 2,
        },
      },
    });
  });

  test("that only stood for waiting are taken off by a deletion in the background", async () => {
    const { request } = await startTestApiServer();
    const metadata = { name: "web", finalizers: ["foregroundDeletion"] };
    await request(`POST ${deployments}`, { ...deploymentOf("web"), metadata });
    await request(`DELETE ${deployments}/web`, { propagationPolicy: "Background" });
    expect((await request(`GET ${deployments}/web`)).code).toBe(404);
  });

  test("are not changed by a second deletion", async () => {
    const { request, store } = await startTestApiServer();
    await request(`POST ${deployments}`, deploymentOf("web"));
    const first = await request(`DELETE ${deployments}/web`, { propagationPolicy: "Foreground" });
    const before = store.revision();
    const second = await request(`DELETE ${deployments}/web`, { propagationPolicy: "Orphan" });
    expect(second.body).toEqual(first.body);
    expect(store.revision()).toBe(before);
  });

  test("make the answer 202 with the deprecated option for cascading", async () => {
    const { request } = await startTestApiServer();
    await request(`POST ${configMaps}`, { metadata: { name: "a", finalizers: ["example.com/hold"] } });
    expect((await request(`DELETE ${configMaps}/a`, { orphanDependents: false })).code).toBe(202);
  });
});

describe("a Pod", () => {
  const bound = { nodeName: "n1" };
  const deleted = async (spec: JsonObject, ...options: readonly JsonObject[]) => {
    const fixture = await startTestApiServer();
    await fixture.request(`POST ${pods}`, podOf("a", spec));
    let answer: ResponseSummary | undefined;
    for (const each of options) {
      answer = await fixture.request(`DELETE ${pods}/a`, each);
      await fixture.clock.advance(10_000);
    }
    return { ...fixture, answer };
  };

  test.for([
    { name: "its own grace", spec: bound, options: {}, seconds: 30, until: "2026-01-01T00:00:30Z" },
    {
      name: "the grace of its spec",
      spec: { ...bound, terminationGracePeriodSeconds: 7 },
      options: {},
      seconds: 7,
      until: "2026-01-01T00:00:07Z",
    },
    {
      name: "the grace asked for",
      spec: bound,
      options: { gracePeriodSeconds: 3 },
      seconds: 3,
      until: "2026-01-01T00:00:03Z",
    },
    {
      name: "a second for less than nothing",
      spec: bound,
      options: { gracePeriodSeconds: -5 },
      seconds: 1,
      until: "2026-01-01T00:00:01Z",
    },
  ])("on a node has $name", async ({ spec, options, seconds, until }) => {
    const { answer } = await deleted(spec, options);
    expect(answer).toMatchObject({
      code: 200,
      body: {
        metadata: { deletionTimestamp: until, deletionGracePeriodSeconds: seconds, generation: 2 },
      },
    });
  });

  test.for([
    { name: "that is on no node", spec: {}, options: {} },
    { name: "that is given no grace", spec: bound, options: { gracePeriodSeconds: 0 } },
  ])("$name is marked and gone in one step, and watchers see both", async ({ spec, options }) => {
    const { request, watch, clock } = await startTestApiServer();
    await request(`POST ${pods}`, podOf("a", spec));
    const stream = await watch(`${pods}?watch=true`);
    await request(`DELETE ${pods}/a`, options);
    await clock.settle();
    expect(pendingEvents(stream)).toEqual(["ADDED a", "MODIFIED a", "DELETED a"]);
  });

  test("that has ended needs no grace", async () => {
    const { request } = await startTestApiServer();
    const { body } = await request(`POST ${pods}`, podOf("a", bound));
    await request(`PUT ${pods}/a/status`, { ...body, status: { phase: "Succeeded" } });
    await request(`DELETE ${pods}/a`);
    expect((await request(`GET ${pods}/a`)).code).toBe(404);
  });

  // Ten seconds pass after each deletion.
  test.for([
    {
      name: "more grace changes nothing",
      second: { gracePeriodSeconds: 60 },
      seconds: 30,
      until: "2026-01-01T00:00:30Z",
    },
    { name: "no wish changes nothing", second: {}, seconds: 30, until: "2026-01-01T00:00:30Z" },
    {
      name: "less grace counts from the first deletion",
      second: { gracePeriodSeconds: 20 },
      seconds: 20,
      until: "2026-01-01T00:00:20Z",
    },
    {
      name: "grace that is over already is a second from now",
      second: { gracePeriodSeconds: 5 },
      seconds: 1,
      until: "2026-01-01T00:00:10Z",
    },
  ])("that is ending: $name", async ({ second, seconds, until }) => {
    const { answer } = await deleted(bound, {}, second);
    expect(metadataIn(answer as ResponseSummary)).toMatchObject({
      deletionGracePeriodSeconds: seconds,
      deletionTimestamp: until,
      generation: 2,
    });
  });

  test("that is ending goes at once without grace, unless a finalizer holds it", async () => {
    const { request } = await deleted(bound, {}, { gracePeriodSeconds: 0 });
    expect((await request(`GET ${pods}/a`)).code).toBe(404);
    const { request: again } = await startTestApiServer();
    await again(`POST ${pods}`, {
      ...podOf("a", bound),
      metadata: { name: "a", finalizers: ["example.com/hold"] },
    });
    const answer = await again(`DELETE ${pods}/a`, { gracePeriodSeconds: 0 });
    expect(metadataIn(answer)).toMatchObject({
      deletionGracePeriodSeconds: 0,
      finalizers: ["example.com/hold"],
    });
    expect((await again(`DELETE ${pods}/a`, { gracePeriodSeconds: 0 })).code).toBe(200);
    expect((await again(`GET ${pods}/a`)).code).toBe(200);
    await again(`PATCH ${pods}/a`, { metadata: { finalizers: null } }, "application/merge-patch+json");
    expect((await again(`GET ${pods}/a`)).code).toBe(404);
  });
});

test("preconditions have to hold", async () => {
  const { request } = await startTestApiServer();
  const { body } = await request(`POST ${configMaps}`, { metadata: { name: "a" } });
  const { uid = "", resourceVersion = "" } = body["metadata"] as Record<string, string>;
  for (const preconditions of [{ uid: "other" }, { resourceVersion: "1" }])
    expect(await request(`DELETE ${configMaps}/a`, { preconditions })).toMatchObject({
      code: 409,
      body: { reason: "Conflict" },
    });
  expect((await request(`DELETE ${configMaps}/a`, { preconditions: { uid, resourceVersion } })).code).toBe(
    200,
  );
});

test.for([
  { name: "two policies", body: { propagationPolicy: "Orphan", orphanDependents: true }, code: 422 },
  { name: "an unknown policy", body: { propagationPolicy: "Sideways" }, code: 422 },
  { name: "an unknown dry run", body: { dryRun: ["Some"] }, code: 422 },
  { name: "another kind of body", body: { kind: "Pod" }, code: 400 },
  { name: "a grace that is no number", body: { gracePeriodSeconds: "1" }, code: 400 },
])("$name is answered with $code", async ({ body, code }) => {
  const { request } = await startTestApiServer();
  await request(`POST ${configMaps}`, { metadata: { name: "a" } });
  expect((await request(`DELETE ${configMaps}/a`, body)).code).toBe(code);
  expect((await request(`GET ${configMaps}/a`)).code).toBe(200);
});

test("options may come with the query, and a dry run deletes nothing", async () => {
  const { request, store } = await startTestApiServer();
  await request(`POST ${pods}`, podOf("a", { nodeName: "n1" }));
  const before = store.revision();
  expect(metadataIn(await request(`DELETE ${pods}/a?gracePeriodSeconds=4&dryRun=All`))).toMatchObject({
    deletionGracePeriodSeconds: 4,
  });
  expect(store.revision()).toBe(before);
  expect(metadataIn(await request(`DELETE ${pods}/a?gracePeriodSeconds=4`))).toMatchObject({
    deletionGracePeriodSeconds: 4,
  });
});

describe("a namespace", () => {
  test("stays, terminating, until it is finalized", async () => {
    const { request } = await startTestApiServer();
    await request("POST /api/v1/namespaces", { metadata: { name: "ns" } });
    const ending = await request("DELETE /api/v1/namespaces/ns");
    expect(ending).toMatchObject({
      code: 200,
      body: { metadata: { deletionTimestamp: expect.any(String) }, status: { phase: "Terminating" } },
    });
    expect((await request("DELETE /api/v1/namespaces/ns")).body).toEqual(ending.body);
    const finalized = await request("PUT /api/v1/namespaces/ns/finalize", {
      ...ending.body,
      spec: { finalizers: [] },
    });
    expect(finalized.code).toBe(200);
    expect((await request("GET /api/v1/namespaces/ns")).code).toBe(404);
  });

  test("that is not being deleted only loses its finalizers", async () => {
    const { request } = await startTestApiServer();
    const { body } = await request("POST /api/v1/namespaces", { metadata: { name: "ns" } });
    await request("PUT /api/v1/namespaces/ns/finalize", { ...body, spec: { finalizers: [] } });
    expect((await request("GET /api/v1/namespaces/ns")).code).toBe(200);
    const stale = await request("PUT /api/v1/namespaces/ns/finalize", {
      ...body,
      spec: { finalizers: ["kubernetes"] },
    });
    expect(stale.code).toBe(409);
  });

  test.for(["default", "kube-system", "kube-public"])("called %s may not be deleted", async (name) => {
    const { request } = await startTestApiServer();
    await request("POST /api/v1/namespaces", { metadata: { name } });
    const answer = await request(`DELETE /api/v1/namespaces/${name}`);
    expect(answer).toMatchObject({ code: 403, body: { reason: "Forbidden" } });
    expect(answer.body["message"]).toContain("this namespace may not be deleted");
  });
});

test.for([
  { name: "system-node-critical", code: 403 },
  { name: "system-cluster-critical", code: 403 },
  { name: "of-a-user", code: 200 },
])("a request to delete the PriorityClass $name is answered with $code", async ({ name, code }) => {
  const { request } = await startTestApiServer();
  const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
  await request(`POST ${classes}`, { metadata: { name }, value: systemPriorities.get(name) ?? 1 });
  const answer = await request(`DELETE ${classes}/${name}`);
  expect(answer.code).toBe(code);
  if (code === 200) return;
  expect(answer.body["message"]).toBe(
    `priorityclasses.scheduling.k8s.io "${name}" is forbidden: this is a system priority class and cannot be deleted`,
  );
});

describe("a collection", () => {
  test("is deleted as far as it is selected, each with the same options", async () => {
    const { request } = await startTestApiServer();
    for (const [name, app] of [
      ["a", "web"],
      ["b", "web"],
      ["c", "db"],
    ])
      await request(`POST ${pods}`, {
        ...podOf(name ?? "", { nodeName: "n" }),
        metadata: { name: name ?? "", labels: { app: app ?? "" } },
      });
    const answer = await request(`DELETE ${pods}?labelSelector=app=web`, { gracePeriodSeconds: 2 });
    expect(answer.code).toBe(200);
    expect(namesIn(answer)).toEqual(["a", "b"]);
    const left = (await request(`GET ${pods}`)).body["items"] as { metadata: Record<string, unknown> }[];
    expect(left.map(({ metadata }) => metadata["deletionGracePeriodSeconds"])).toEqual([2, 2, undefined]);
  });

  test("is empty right afterwards when nothing holds its objects", async () => {
    const { request } = await startTestApiServer();
    for (const name of ["a", "b"]) await request(`POST ${deployments}`, deploymentOf(name));
    await request(`DELETE ${deployments}`);
    expect(namesIn(await request(`GET ${deployments}`))).toEqual([]);
  });

  test("of namespaces cannot be deleted", async () => {
    const { request } = await startTestApiServer();
    expect((await request("DELETE /api/v1/namespaces")).code).toBe(405);
  });
});

test.for([
  {
    kind: "a ReplicationController",
    path: "/api/v1/namespaces/default/replicationcontrollers",
    warned: false,
  },
  { kind: "a Job", path: "/apis/batch/v1/namespaces/default/jobs", warned: true },
])("the dependents of $kind are left alone unless the client says otherwise", async ({ path, warned }) => {
  const { request } = await startTestApiServer();
  const labels = { app: "a" };
  const spec = { containers: [{ name: "app", image: "app:1" }], restartPolicy: warned ? "Never" : "Always" };
  const make = (name: string) =>
    request(`POST ${path}`, { metadata: { name }, spec: { template: { metadata: { labels }, spec } } });
  await make("a");
  const left = await request(`DELETE ${path}/a`);
  expect(left).toMatchObject({ code: 200, body: { metadata: { finalizers: ["orphan"] } } });
  expect(left.warnings).toHaveLength(warned ? 1 : 0);
  await make("b");
  const removed = await request(`DELETE ${path}/b`, { propagationPolicy: "Background" });
  expect(removed).toMatchObject({ code: 200, body: { kind: "Status", status: "Success" }, warnings: [] });
});
