import { describe, expect, test } from "vitest";
import { forwardedKinds } from "./forwarded-kinds.ts";
import { forwardedRequest, forwardedWatch } from "./forwarded-request.ts";

const pathOf = (target: string) => {
  const read = forwardedRequest(target);
  return read.ok ? read.request.path : read.refusal.code;
};

describe("a read of the page", () => {
  test.for([
    "/api/v1/pods",
    "/api/v1/nodes/node-1",
    "/api/v1/namespaces",
    "/api/v1/namespaces/default",
    "/api/v1/namespaces/default/pods",
    "/api/v1/namespaces/default/pods/web-1",
    "/api/v1/namespaces/default/events/web-1.17a5",
    "/apis/apps/v1/deployments",
    "/apis/apps/v1/namespaces/default/statefulsets/db",
    "/apis/policy/v1/poddisruptionbudgets",
    "/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical",
    "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/web",
  ])("is forwarded to the same path: %s", (path) => {
    expect(pathOf(path)).toBe(path);
  });

  test.for([
    ["a Secret", "/api/v1/namespaces/default/secrets/token"],
    ["Secrets", "/api/v1/secrets"],
    ["ConfigMaps", "/api/v1/namespaces/default/configmaps"],
    ["ServiceAccounts", "/api/v1/serviceaccounts"],
    ["Leases", "/apis/coordination.k8s.io/v1/leases"],
    ["roles", "/apis/rbac.authorization.k8s.io/v1/clusterroles"],
    ["a log of a node", "/api/v1/nodes/node-1/log"],
    ["a log of no Pod", "/api/v1/namespaces/default/services/web-1/log"],
    ["a part of a log", "/api/v1/namespaces/default/pods/web-1/log/x"],
    ["a proxied Pod", "/api/v1/namespaces/default/pods/web-1/proxy/"],
    ["a command in a Pod", "/api/v1/namespaces/default/pods/web-1/exec"],
    ["a proxied node", "/api/v1/nodes/node-1/proxy/metrics"],
    ["a Scale", "/apis/apps/v1/namespaces/default/deployments/web/scale"],
    ["a status", "/apis/apps/v1/namespaces/default/deployments/web/status"],
    ["the status of a namespace", "/api/v1/namespaces/default/status"],
    ["the finalizer of a namespace", "/api/v1/namespaces/default/finalize"],
    ["an older version", "/apis/autoscaling/v1/horizontalpodautoscalers"],
    ["a kind of another group", "/apis/apps/v1/pods"],
    ["a cluster-scoped kind in a namespace", "/api/v1/namespaces/default/nodes"],
    ["a Pod without its namespace", "/api/v1/pods/web-1"],
    ["deprecated watch paths", "/api/v1/watch/pods"],
    ["discovery", "/api/v1"],
    ["discovery of groups", "/apis"],
    ["metrics", "/metrics"],
    ["the time", "/debug/time"],
    ["OpenAPI", "/openapi/v2"],
    ["nothing", ""],
  ] as const)("is refused for %s: %s", ([, target]) => {
    expect(pathOf(target)).toBe(403);
  });

  test.for([
    "/api/v1/namespaces/default/pods/%2e%2e/secrets",
    "/api/v1/namespaces/default/pods/../secrets",
    "/api/v1/namespaces/default/../../v1/secrets",
    "/api/v1/./pods",
    "/api/v1//pods",
    "//api/v1/pods",
    "/api/v1/pods/",
    "/api/v1/namespaces/default/pods/web%2Flog",
    "/api/v1/namespaces/default/pods/web-1%00",
    "/api/v1/namespaces/default/pods/web;a=b",
    "/api/v1/pods;/secrets",
    "/api/v1/p%6fds",
    "/API/v1/pods",
    "/api/v1/pods#/secrets",
    String.raw`/api/v1\pods`,
    "/api/v1/pods ",
    "/api/v1/namespaces/.../pods",
    "/api/v1/namespaces/-/pods",
    "/api/v1/namespaces/Default/pods",
    "/api/v1/namespaces//pods",
    `/api/v1/namespaces/${"a".repeat(254)}/pods`,
    "http://127.0.0.1/api/v1/pods",
    "127.0.0.1:443",
    "*",
  ])("is refused however its path is spelled: %s", (target) => {
    expect(pathOf(target)).toBe(403);
  });

  test("of a log is of its end, and never follows it", () => {
    const log = "/api/v1/namespaces/default/pods/web-1/log";
    expect(pathOf(`${log}?container=app&tailLines=20`)).toBe(
      `${log}?container=app&tailLines=20&limitBytes=262144`,
    );
    expect(pathOf(log)).toBe(`${log}?tailLines=100&limitBytes=262144`);
    expect(pathOf(`${log}?tailLines=9999`)).toBe(`${log}?tailLines=500&limitBytes=262144`);
    for (const query of ["follow=true", "limitBytes=1", "tailLines=-1", "tailLines=x", "sinceSeconds=1"])
      expect(pathOf(`${log}?${query}`)).toBe(400);
  });

  test("has no parameters but those on the list, each of them once, encoded again", () => {
    expect(pathOf("/api/v1/pods?limit=5&labelSelector=app%3Dweb,tier in (a)")).toBe(
      "/api/v1/pods?limit=5&labelSelector=app%3Dweb%2Ctier+in+%28a%29",
    );
    expect(pathOf("/api/v1/pods?limit=5&limit=6")).toBe(400);
    for (const name of [
      "pretty",
      "dryRun",
      "fieldManager",
      "gracePeriodSeconds",
      "as",
      "Limit",
      "__proto__",
      "",
    ])
      expect(pathOf(`/api/v1/pods?${name}=1`)).toBe(400);
    expect(pathOf("/api/v1/namespaces/default/pods/web-1?watch=1")).toBe(400);
  });

  test.for([
    ["/api/v1/pods?watch=1", true],
    ["/api/v1/pods?watch=true", true],
    ["/api/v1/pods?watch", true],
    ["/api/v1/pods?watch=yes", true],
    ["/api/v1/pods?watch=false", false],
    ["/api/v1/pods?watch=0", false],
    ["/api/v1/pods", false],
  ] as const)("%s counts as a watch: %s", ([target, isWatch]) => {
    expect(forwardedRequest(target)).toMatchObject({ ok: true, request: { isWatch } });
  });
});

describe("a watch of the page", () => {
  test("is of a collection, and watches without being told to", () => {
    expect(forwardedWatch("/api/v1/pods?resourceVersion=5")).toEqual({
      ok: true,
      request: { path: "/api/v1/pods?resourceVersion=5&watch=1", isWatch: true },
    });
    expect(forwardedWatch("/api/v1/nodes/node-1")).toMatchObject({ ok: false, refusal: { code: 400 } });
    expect(forwardedWatch("/api/v1/pods?watch=false")).toMatchObject({ ok: false, refusal: { code: 400 } });
    expect(forwardedWatch("/api/v1/secrets")).toMatchObject({ ok: false, refusal: { code: 403 } });
  });
});

test("no kind with credentials is on the list", () => {
  const kinds = Object.values(forwardedKinds).flatMap(({ cluster, namespaced }) => [
    ...cluster,
    ...namespaced,
  ]);
  expect(kinds.toSorted()).toEqual([
    "controllerrevisions",
    "cronjobs",
    "daemonsets",
    "deployments",
    "events",
    "horizontalpodautoscalers",
    "jobs",
    "namespaces",
    "nodes",
    "persistentvolumeclaims",
    "persistentvolumes",
    "poddisruptionbudgets",
    "pods",
    "priorityclasses",
    "replicasets",
    "replicationcontrollers",
    "services",
    "statefulsets",
    "storageclasses",
  ]);
});
