import { describe, expect, test } from "vitest";
import type { PageAction } from "./contract.ts";
import { readAction } from "./read-action.ts";

const web = { kind: "Deployment", namespace: "default", name: "web" } as const;

const actions: readonly PageAction[] = [
  { action: "scale", ...web, replicas: 3 },
  { action: "scale", ...web, kind: "ReplicationController", replicas: 0 },
  { action: "restart", ...web },
  { action: "cordon", node: "node-1" },
  { action: "uncordon", zone: "zone-a" },
  { action: "drain", node: "node-1" },
  { action: "fail", node: "node-1" },
  { action: "restore", zone: "zone-a" },
];

test.for(actions)("%j is read", (action) => {
  expect(readAction(JSON.stringify(action))).toEqual({ ok: true, action });
});

describe("what is no action is refused", () => {
  test.for([
    ["", "the body is no JSON object"],
    ["[]", "the body is no JSON object"],
    [{}, "action must be one of scale, "],
    [{ action: "delete-namespace" }, "action must be one of scale, "],
    [{ action: "constructor" }, "action must be one of scale, "],
    [{ action: "scale", ...web }, "replicas must be a whole number from 0 to 2147483647"],
    [{ action: "scale", ...web, replicas: -1 }, "replicas must be"],
    [{ action: "scale", ...web, replicas: 1.5 }, "replicas must be"],
    [{ action: "scale", ...web, replicas: "3" }, "replicas must be"],
    [{ action: "scale", ...web, kind: "Pod", replicas: 1 }, "kind must be one of Deployment, "],
    [{ action: "scale", ...web, name: "../secrets", replicas: 1 }, "name a lowercase RFC 1123 subdomain"],
    [{ action: "scale", ...web, namespace: "a/b", replicas: 1 }, "namespace a lowercase RFC 1123 label"],
    [{ action: "restart", ...web, kind: "StatefulSet" }, "kind must be one of Deployment"],
    [{ action: "cordon", node: 1 }, "node must be a text"],
    [{ action: "cordon", node: "node-1", zone: "a" }, 'unknown field "zone"'],
    [{ action: "fail", zone: "a,b=c" }, "zone must be the value of a label"],
  ] as const)("%j: %s", ([body, problem]) => {
    const read = readAction(typeof body === "string" ? body : JSON.stringify(body));
    expect(read).toMatchObject({ ok: false, problem: expect.stringContaining(problem) as string });
  });
});
