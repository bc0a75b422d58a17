import { expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { deploymentOf, podOf, startTestApiServer } from "../api-server-fixture.contract.ts";

const core = "/api/v1/namespaces/default";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const merge = "application/merge-patch+json";

interface DryRun {
  readonly name: string;
  readonly what: string;
  readonly body?: JsonObject;
  readonly type?: string;
  readonly code?: number;
}

/** In a world with the Pods `a` and `b`, the Deployment `web`, the ConfigMap `c` and the namespace `team`. */
const writes: readonly DryRun[] = [
  { name: "a create", what: `POST ${core}/pods`, body: podOf("new"), code: 201 },
  { name: "a create with a generated name", what: `POST ${core}/pods`, body: podOf(""), code: 422 },
  {
    name: "a create of a Service",
    what: `POST ${core}/services`,
    body: { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } },
    code: 201,
  },
  {
    name: "an update",
    what: `PUT ${core}/configmaps/c`,
    body: { metadata: { name: "c" }, data: { a: "2" } },
  },
  {
    name: "an update that creates",
    what: `PUT ${core}/limitranges/l`,
    body: { metadata: { name: "l" }, spec: { limits: [] } },
    code: 201,
  },
  { name: "a patch", what: `PATCH ${core}/configmaps/c`, body: { data: { a: "3" } }, type: merge },
  {
    name: "a server-side apply",
    what: `PATCH ${core}/configmaps/fresh?fieldManager=me`,
    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "fresh" } },
    type: "application/apply-patch+yaml",
    code: 201,
  },
  { name: "a delete", what: `DELETE ${core}/configmaps/c` },
  { name: "a delete of a Pod", what: `DELETE ${core}/pods/a` },
  { name: "a delete in the foreground", what: `DELETE ${deployments}/web?propagationPolicy=Foreground` },
  { name: "a delete by its body", what: `DELETE ${core}/configmaps/c`, body: { dryRun: ["All"] } },
  { name: "a delete of a namespace", what: "DELETE /api/v1/namespaces/team" },
  { name: "a delete of a collection", what: `DELETE ${core}/pods` },
  {
    name: "a status update",
    what: `PATCH ${core}/pods/a/status`,
    body: { status: { phase: "Failed" } },
    type: merge,
  },
  { name: "a scale", what: `PATCH ${deployments}/web/scale`, body: { spec: { replicas: 9 } }, type: merge },
  { name: "an eviction", what: `POST ${core}/pods/a/eviction`, body: { metadata: { name: "a" } }, code: 201 },
  {
    name: "an eviction by its options",
    what: `POST ${core}/pods/a/eviction`,
    body: { metadata: { name: "a" }, deleteOptions: { dryRun: ["All"] } },
    code: 201,
  },
  {
    name: "a binding",
    what: `POST ${core}/pods/a/binding`,
    body: { metadata: { name: "a" }, target: { kind: "Node", name: "n1" } },
    code: 201,
  },
  {
    name: "an older binding",
    what: `POST ${core}/bindings`,
    body: { metadata: { name: "a" }, target: { kind: "Node", name: "n1" } },
    code: 201,
  },
  {
    name: "an ephemeral container",
    what: `PATCH ${core}/pods/a/ephemeralcontainers`,
    body: { spec: { ephemeralContainers: [{ name: "d", image: "x" }] } },
    type: merge,
  },
  { name: "a token", what: `POST ${core}/serviceaccounts/default/token`, body: {}, code: 201 },
];

test.for(writes)(
  "$name as a dry run is answered and changes nothing",
  async ({ what, body, type, code = 200 }) => {
    const { request, store } = await startTestApiServer();
    await request("POST /api/v1/namespaces", { metadata: { name: "team" } });
    await request(`POST ${core}/resourcequotas`, { metadata: { name: "q" }, spec: { hard: { pods: "9" } } });
    for (const name of ["a", "b"]) await request(`POST ${core}/pods`, podOf(name));
    await request(`POST ${deployments}`, deploymentOf("web"));
    await request(`POST ${core}/configmaps`, { metadata: { name: "c" }, data: { a: "1" } });
    const before = store.revision();
    const says =
      (body?.["dryRun"] ?? (body?.["deleteOptions"] as JsonObject | undefined)?.["dryRun"]) !== undefined;
    const answer = await request(
      says ? what : `${what}${what.includes("?") ? "&" : "?"}dryRun=All`,
      body,
      type,
    );
    expect(answer).toMatchObject({ code });
    expect(store.revision()).toBe(before);
  },
);

test.for(writes)("$name with another dry run is refused", async ({ what, body, type }) => {
  const { request, store } = await startTestApiServer();
  await request("POST /api/v1/namespaces", { metadata: { name: "team" } });
  await request(`POST ${core}/pods`, podOf("a"));
  const before = store.revision();
  const answer = await request(`${what}${what.includes("?") ? "&" : "?"}dryRun=Some`, body, type);
  expect(answer.code).toBeGreaterThanOrEqual(400);
  expect(store.revision()).toBe(before);
});
