import { expect, test } from "vitest";
import type { Deployment } from "../../../api/generated/apps-v1.ts";
import { configMaps, deployments, namespaces, nodes, pods } from "../../../api/resources.ts";
import * as requests from "./request.ts";
import { requestPath } from "./request-path.ts";

const web = { namespace: "games", name: "web" };
const stored = { metadata: { ...web, uid: "u", resourceVersion: "7" }, spec: { replicas: 2 } } as Deployment;

test.for([
  {
    name: "get in a namespace",
    request: requests.getRequest(deployments, web),
    want: "GET /apis/apps/v1/namespaces/games/deployments/web",
  },
  {
    name: "get without one",
    request: requests.getRequest(nodes, { name: "n 1" }),
    want: "GET /api/v1/nodes/n%201",
  },
  {
    name: "list everywhere",
    request: requests.listRequest(pods, { labelSelector: "a in (b,c)", limit: 500, resourceVersion: "0" }),
    want: "GET /api/v1/pods?labelSelector=a+in+%28b%2Cc%29&resourceVersion=0&limit=500",
  },
  {
    name: "list on",
    request: requests.listRequest(pods, { namespace: "games", limit: 1, continue: "e30" }),
    want: "GET /api/v1/namespaces/games/pods?limit=1&continue=e30",
  },
  {
    name: "watch with everything",
    request: requests.watchRequest(pods, {
      fieldSelector: "spec.nodeName=n1",
      resourceVersion: "5",
      resourceVersionMatch: "NotOlderThan",
      allowWatchBookmarks: true,
      sendInitialEvents: false,
      timeoutSeconds: 300,
    }),
    want: "GET /api/v1/pods?watch=true&fieldSelector=spec.nodeName%3Dn1&resourceVersion=5&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&sendInitialEvents=false&timeoutSeconds=300",
  },
  {
    name: "create",
    request: requests.createRequest(configMaps, {
      metadata: { namespace: "games", name: "c" },
      data: { a: "b" },
    }),
    want: "POST /api/v1/namespaces/games/configmaps",
    body: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "games", name: "c" },
      data: { a: "b" },
    },
  },
  {
    name: "create with a field manager, as a dry run",
    request: requests.createRequest(
      namespaces,
      { metadata: { name: "n" }, spec: {} },
      { dryRun: true, fieldManager: "me" },
    ),
    want: "POST /api/v1/namespaces?fieldManager=me&dryRun=All",
    body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" }, spec: {} },
  },
  {
    name: "update",
    request: requests.updateRequest(deployments, stored),
    want: "PUT /apis/apps/v1/namespaces/games/deployments/web",
    body: { apiVersion: "apps/v1", kind: "Deployment", ...stored },
  },
  {
    name: "update of a status",
    request: requests.updateRequest(deployments, stored, { subresource: "status" }),
    want: "PUT /apis/apps/v1/namespaces/games/deployments/web/status",
    body: { apiVersion: "apps/v1", kind: "Deployment", ...stored },
  },
  {
    name: "update of a scale",
    request: requests.updateRequest(deployments, stored, { subresource: "scale" }),
    want: "PUT /apis/apps/v1/namespaces/games/deployments/web/scale",
    body: { apiVersion: "autoscaling/v1", kind: "Scale", ...stored },
  },
  {
    name: "JSON patch",
    request: requests.patchRequest(pods, web, { type: "json", operations: [{ op: "remove", path: "/a" }] }),
    want: "PATCH /api/v1/namespaces/games/pods/web",
    contentType: "application/json-patch+json",
    body: [{ op: "remove", path: "/a" }],
  },
  {
    name: "merge patch of a status",
    request: requests.patchRequest(pods, web, {
      type: "merge",
      body: { a: null },
      subresource: "status",
      dryRun: true,
    }),
    want: "PATCH /api/v1/namespaces/games/pods/web/status?dryRun=All",
    contentType: "application/merge-patch+json",
    body: { a: null },
  },
  {
    name: "strategic patch",
    request: requests.patchRequest(pods, web, { type: "strategic", body: {} }),
    want: "PATCH /api/v1/namespaces/games/pods/web",
    contentType: "application/strategic-merge-patch+json",
    body: {},
  },
  {
    name: "delete with options",
    request: requests.deleteRequest(pods, web, {
      gracePeriodSeconds: 0,
      propagationPolicy: "Foreground",
      preconditions: { uid: "u" },
      dryRun: true,
    }),
    want: "DELETE /api/v1/namespaces/games/pods/web",
    body: {
      apiVersion: "v1",
      kind: "DeleteOptions",
      gracePeriodSeconds: 0,
      propagationPolicy: "Foreground",
      preconditions: { uid: "u" },
      dryRun: ["All"],
    },
  },
  {
    name: "delete of a collection",
    request: requests.deleteCollectionRequest(pods, { namespace: "games", labelSelector: "a=b" }),
    want: "DELETE /api/v1/namespaces/games/pods?labelSelector=a%3Db",
    body: { apiVersion: "v1", kind: "DeleteOptions" },
  },
  {
    name: "bind",
    request: requests.bindRequest(web, { uid: "u", target: { kind: "Node", name: "n1" } }),
    want: "POST /api/v1/namespaces/games/pods/web/binding",
    body: {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { ...web, uid: "u" },
      target: { kind: "Node", name: "n1" },
    },
  },
])("a $name goes over the wire as Kubernetes has it", ({ request, want, contentType, body }) => {
  expect(`${request.method} ${request.path}`).toBe(want);
  expect(request.contentType).toBe(body === undefined ? undefined : (contentType ?? "application/json"));
  expect(request.body === undefined ? undefined : JSON.parse(request.body)).toEqual(body);
});

test.for(["", ".", "..", "a/b", "%2e"])("the name %j is refused: it would lead elsewhere", (name) => {
  expect(() => requestPath(pods, { namespace: "games", name })).toThrow(/cannot be a name in a path/);
});
