import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../api/json.ts";
import { pendingEvents, podOf, startTestApiServer } from "../../api-server-fixture.contract.ts";

const pods = "/api/v1/namespaces/default/pods";
const target = { kind: "Node", name: "n1" };

describe("binding", () => {
  test("assigns a Pod to a node in one commit", async () => {
    const { request, watch, clock } = await startTestApiServer();
    const { body } = await request(`POST ${pods}`, podOf("a"));
    const stream = await watch(`${pods}?watch=true`);
    const { uid = "" } = body["metadata"] as Record<string, string>;
    const answer = await request(`POST ${pods}/a/binding`, {
      metadata: { name: "a", uid, annotations: { by: "me" }, labels: { zone: "1" } },
      target,
    });
    expect(answer).toMatchObject({ code: 201, body: { kind: "Status", status: "Success" } });
    expect((await request(`GET ${pods}/a`)).body).toMatchObject({
      metadata: { annotations: { by: "me" }, labels: { zone: "1" } },
      spec: { nodeName: "n1" },
      status: {
        conditions: [{ type: "PodScheduled", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
      },
    });
    await clock.settle();
    expect(pendingEvents(stream)).toEqual(["ADDED a", "MODIFIED a"]);
  });

  test("works through the older path too", async () => {
    const { request } = await startTestApiServer();
    await request(`POST ${pods}`, podOf("a"));
    const binding = { metadata: { name: "a" }, target };
    expect((await request("POST /api/v1/namespaces/default/bindings", binding)).code).toBe(201);
    expect((await request(`GET ${pods}/a`)).body).toMatchObject({ spec: { nodeName: "n1" } });
  });

  test.for<{ name: string; pod?: JsonObject; binding?: JsonObject; code: number; message: RegExp }>([
    {
      name: "a Pod that is on a node",
      pod: { nodeName: "n0" },
      code: 409,
      message: /on pods\/binding "a": pod a is already assigned to node "n0"/,
    },
    {
      name: "a Pod that is held back",
      pod: { schedulingGates: [{ name: "example.com/wait" }] },
      code: 409,
      message: /pod a has non-empty .spec.schedulingGates/,
    },
    {
      name: "another Pod of the name",
      binding: { metadata: { name: "a", uid: "other" }, target },
      code: 409,
      message: /on pods "a": Precondition failed: UID in precondition: other, UID in object meta/,
    },
    {
      name: "another version of the Pod",
      binding: { metadata: { name: "a", resourceVersion: "1" }, target },
      code: 409,
      message:
        /on pods "a": Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta/,
    },
    {
      name: "no node",
      binding: { metadata: { name: "a" }, target: { kind: "Node" } },
      code: 422,
      message: /target.name: Required/,
    },
    {
      name: "no place for a Pod",
      binding: { metadata: { name: "a" }, target: { kind: "Pod", name: "x" } },
      code: 422,
      message: /target.kind: Unsupported/,
    },
    {
      name: "a node that cannot exist",
      binding: { metadata: { name: "a" }, target: { kind: "Node", name: "10%" } },
      code: 422,
      message: /target.name: Invalid value: "10%"/,
    },
    {
      name: "labels that no Pod may have",
      binding: { metadata: { name: "a", labels: { "a/b/c": "d" } }, target },
      code: 422,
      message: /metadata.labels: Invalid value: "a\/b\/c"/,
    },
    {
      name: "no name",
      binding: { target },
      code: 400,
      message: /name in URL does not match name in Binding object/,
    },
    {
      name: "another name",
      binding: { metadata: { name: "b" }, target },
      code: 400,
      message: /name in URL does not match name in Binding object/,
    },
  ])("refuses $name", async ({ pod = {}, binding = { metadata: { name: "a" }, target }, code, message }) => {
    const { request } = await startTestApiServer();
    await request(`POST ${pods}`, podOf("a", pod));
    const answer = await request(`POST ${pods}/a/binding`, binding);
    expect(answer.code).toBe(code);
    expect(answer.body["message"]).toMatch(message);
  });

  test("refuses a Pod that is being deleted, and one that is not there", async () => {
    const { request } = await startTestApiServer();
    await request(`POST ${pods}`, {
      ...podOf("a"),
      metadata: { name: "a", finalizers: ["example.com/hold"] },
    });
    await request(`DELETE ${pods}/a`);
    const binding = { metadata: { name: "a" }, target };
    expect((await request(`POST ${pods}/a/binding`, binding)).body["message"]).toContain("is being deleted");
    expect(
      (await request(`POST ${pods}/none/binding`, { ...binding, metadata: { name: "none" } })).code,
    ).toBe(404);
  });

  test("can be a dry run", async () => {
    const { request, store } = await startTestApiServer();
    await request(`POST ${pods}`, podOf("a"));
    const before = store.revision();
    expect(
      (await request(`POST ${pods}/a/binding?dryRun=All`, { metadata: { name: "a" }, target })).code,
    ).toBe(201);
    expect(store.revision()).toBe(before);
  });
});
