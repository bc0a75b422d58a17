import { describe, expect, test } from "vitest";
import type { PageAction } from "./contract.ts";
import { readAction, readPickerQuestion } from "./read-action.ts";

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
    [{}, 'action: Unsupported value: "": supported values: "scale", '],
    [
      { action: "delete-namespace" },
      'action: Unsupported value: "delete-namespace": supported values: "scale", ',
    ],
    [{ action: "constructor" }, 'action: Unsupported value: "constructor": supported values: "scale", '],
    [{ action: "cordn", node: "node-1" }, 'did you mean "cordon"?'],
    [{ action: "scale", ...web }, "replicas: Required value: How many Pods it is to have"],
    [
      { action: "scale", ...web, replicas: -1 },
      "replicas: Invalid value: -1: must be a whole number from 0 to 2147483647",
    ],
    [{ action: "scale", ...web, replicas: 1.5 }, "replicas: Invalid value: 1.5: must be"],
    [{ action: "scale", ...web, replicas: "3" }, 'replicas: Invalid value: "3": must be'],
    [
      { action: "scale", ...web, kind: "Pod", replicas: 1 },
      'kind: Unsupported value: "Pod": supported values: "Deployment", ',
    ],
    [
      { action: "scale", ...web, name: "../secrets", replicas: 1 },
      'name: Invalid value: "../secrets": a lowercase RFC 1123 subdomain',
    ],
    [
      { action: "scale", ...web, namespace: "a/b", replicas: 1 },
      'namespace: Invalid value: "a/b": a lowercase RFC 1123 label',
    ],
    [
      { action: "restart", ...web, kind: "ReplicaSet" },
      'kind: Unsupported value: "ReplicaSet": supported values: "Deployment", "StatefulSet", "DaemonSet"',
    ],
    [{ action: "cordon", node: 1 }, "node: Invalid value: 1: must be a text"],
    [
      { action: "cordon", node: "node-1", zone: "a" },
      "zone: Forbidden: unknown field; expected one of action, node",
    ],
    [{ action: "fail", zone: "a,b=c" }, 'zone: Invalid value: "a,b=c": must be the value of a label'],
  ] as const)("%j: %s", ([body, problem]) => {
    const read = readAction(typeof body === "string" ? body : JSON.stringify(body));
    expect(read).toMatchObject({ ok: false, problem: expect.stringContaining(problem) as string });
  });
});

describe("a question to pickers", () => {
  const question = { kind: "Deployment", namespace: "default", name: "web", replicas: 2 };
  test("is read", () => {
    expect(readPickerQuestion(JSON.stringify(question))).toEqual({ ok: true, question });
  });
  test.for([
    ["not JSON", "the body is no JSON object"],
    [{ ...question, kind: "Job" }, 'kind: Unsupported value: "Job"'],
    [{ ...question, replicas: -1 }, "replicas: Invalid value: -1"],
    [{ ...question, host: "10.0.0.1" }, "host: Forbidden: unknown field"],
    [{ ...question, namespace: "../x" }, 'namespace: Invalid value: "../x"'],
  ] as const)("is refused when it is %j", ([body, problem]) => {
    expect(readPickerQuestion(typeof body === "string" ? body : JSON.stringify(body))).toMatchObject({
      ok: false,
      problem: expect.stringContaining(problem) as string,
    });
  });
});
