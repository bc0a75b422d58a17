import { describe, expect, test } from "vitest";
import { namesIn, startTestApiServer, pendingEvents } from "../../api-server-fixture.contract.ts";

const core = "/api/v1/namespaces/default/events";
const newer = "/apis/events.k8s.io/v1/namespaces/default/events";
const pod = { kind: "Pod", namespace: "default", name: "p", uid: "u" };

const coreEvent = {
  metadata: { name: "e" },
  involvedObject: pod,
  reason: "Started",
  message: "Started container",
  type: "Normal",
  source: { component: "kubelet", host: "n1" },
  firstTimestamp: "2026-01-01T00:00:00Z",
  lastTimestamp: "2026-01-01T00:00:00Z",
  count: 3,
};

const newerEvent = {
  metadata: { name: "e" },
  regarding: pod,
  reason: "Started",
  note: "Started container",
  type: "Normal",
  action: "Starting",
  eventTime: "2026-01-01T00:00:00.000000Z",
  reportingController: "example.com/me",
  reportingInstance: "me-1",
};

describe("one event in two shapes", () => {
  test("written in the older is read in the newer", async () => {
    const { request } = await startTestApiServer();
    expect((await request(`POST ${core}`, coreEvent)).code).toBe(201);
    expect((await request(`GET ${newer}/e`)).body).toMatchObject({
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      regarding: pod,
      note: "Started container",
      deprecatedSource: { component: "kubelet", host: "n1" },
      deprecatedFirstTimestamp: "2026-01-01T00:00:00Z",
      deprecatedLastTimestamp: "2026-01-01T00:00:00Z",
      deprecatedCount: 3,
    });
  });

  test("written in the newer is read in the older", async () => {
    const { request } = await startTestApiServer();
    expect(await request(`POST ${newer}`, newerEvent)).toMatchObject({
      code: 201,
      body: { note: "Started container" },
    });
    const { body } = await request(`GET ${core}/e`);
    expect(body).toMatchObject({
      apiVersion: "v1",
      involvedObject: pod,
      message: "Started container",
      reportingComponent: "example.com/me",
      action: "Starting",
    });
    expect(Object.keys(body)).not.toContain("note");
  });

  test("patched in one shape changes in both", async () => {
    const { request, clock, watch } = await startTestApiServer();
    await request(`POST ${core}`, coreEvent);
    const stream = await watch(`${newer}?watch=true`);
    await request(`PATCH ${core}/e`, { count: 4 }, "application/strategic-merge-patch+json");
    await clock.settle();
    expect(pendingEvents(stream)).toEqual(["ADDED e", "MODIFIED e"]);
    expect((await request(`GET ${newer}/e`)).body).toMatchObject({ deprecatedCount: 4 });
  });

  test("each is selected by its own names", async () => {
    const { request } = await startTestApiServer();
    await request(`POST ${core}`, coreEvent);
    const select = async (path: string, field: string) =>
      namesIn(await request(`GET ${path}?fieldSelector=${field}`));
    expect(await select(core, "involvedObject.name=p,involvedObject.uid=u,reason=Started")).toEqual(["e"]);
    expect(await select(core, "involvedObject.name=other")).toEqual([]);
    expect(await select(newer, "regarding.name=p")).toEqual(["e"]);
    expect((await request(`GET ${newer}?fieldSelector=involvedObject.name=p`)).code).toBe(400);
  });

  test("the newer shape asks for more", async () => {
    const { request } = await startTestApiServer();
    const { action: _left, ...incomplete } = newerEvent;
    expect((await request(`POST ${newer}`, incomplete)).code).toBe(422);
  });
});
