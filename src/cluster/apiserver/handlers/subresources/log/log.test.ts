import { expect, test } from "vitest";
import type { JsonObject } from "../../../../../api/json.ts";
import { formatTime, parseTime } from "../../../../../api/time.ts";
import { startTestApiServer, type TestApiServer } from "../../../api-server-fixture.contract.ts";
import { startHttpsTestApiServer } from "../../../http/https-fixture.contract.ts";

const pods = "/api/v1/namespaces/default/pods";
const named = (...names: readonly string[]) => names.map((name) => ({ name, image: "nginx" }));
const identity = { image: "nginx", imageID: "", ready: false, restartCount: 0 };
const spec = { nodeName: "n1", containers: named("web", "side"), initContainers: named("setup") };

/** Creates the Pod `web`, whose container `web` has started and whose container `side` waits. */
async function startWeb(fixture: TestApiServer, pod: { spec?: JsonObject; metadata?: JsonObject } = {}) {
  const { request, clock } = fixture;
  const { body } = await request(`POST ${pods}`, {
    metadata: { name: "web", ...pod.metadata },
    spec: { ...spec, ...pod.spec },
  });
  const running = { running: { startedAt: formatTime(clock.now()) } };
  const at = formatTime(clock.now());
  const done = { terminated: { exitCode: 0, startedAt: at, finishedAt: at } };
  const containerStatuses = [
    { ...identity, name: "web", state: running },
    { ...identity, name: "side", state: { waiting: { reason: "ContainerCreating" } } },
  ];
  const initContainerStatuses = [{ ...identity, name: "setup", state: done }];
  await request(`PUT ${pods}/web/status`, { ...body, status: { containerStatuses, initContainerStatuses } });
}

async function endWeb({ request, clock }: TestApiServer) {
  const { body } = await request(`GET ${pods}/web`);
  const at = formatTime(clock.now());
  const state = { terminated: { exitCode: 0, startedAt: at, finishedAt: at } };
  const containerStatuses = [{ ...identity, name: "web", state }];
  await request(`PUT ${pods}/web/status`, { ...body, status: { containerStatuses } });
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const talkative = { annotations: { "sim.trimtab.dev/log": lines(3).join("\n") } };
const started = "trimtab: container web started (simulated), image nginx";

test.for([
  { name: "all of it", query: "", want: [started, ...lines(3)] },
  { name: "its last lines", query: "&tailLines=2", want: ["line 2", "line 3"] },
  { name: "none of its lines", query: "&tailLines=0", want: [] },
  { name: "its first bytes", query: "&limitBytes=7", want: ["trimtab"] },
  { name: "what is recent", query: "&sinceSeconds=5", want: [started, ...lines(3)] },
  { name: "nothing before a time", query: "&sinceTime=2100-01-01T00:00:00Z", want: [] },
])("a log is read: $name", async ({ query, want }) => {
  const fixture = await startTestApiServer();
  await startWeb(fixture, { metadata: talkative });
  const { body } = await fixture.request(`GET ${pods}/web/log?container=web${query}`);
  expect((body["text"] as string).split("\n").filter((line) => line !== "")).toEqual(want);
});

test("each line of a log can have its time", async () => {
  const fixture = await startTestApiServer({ startAt: parseTime("2026-11-15T00:00:00Z") ?? 0 });
  await startWeb(fixture);
  const { body } = await fixture.request(`GET ${pods}/web/log?container=web&timestamps=true`);
  expect(body["text"]).toBe(`2026-11-15T00:00:00.000000000Z ${started}\n`);
});

test("a log that is followed grows with time and with what happens, and ends with its container", async () => {
  const fixture = await startHttpsTestApiServer();
  const annotations = { "sim.trimtab.dev/log": "tick", "sim.trimtab.dev/logInterval": "2s" };
  await startWeb(fixture, { metadata: { annotations } });
  const answer = await fixture.open(`GET ${pods}/web/log?container=web&follow=true&tailLines=0`);
  expect(answer.headers["content-type"]).toBe("text/plain");
  const read = answer[Symbol.asyncIterator]();
  const next = async () => String((await read.next()).value ?? "the end");
  await fixture.clock.advance(2000);
  expect(await next()).toBe("tick\n");
  await fixture.clock.advance(2000);
  expect(await next()).toBe("tick\n");
  await endWeb(fixture);
  expect(await next()).toBe("trimtab: container web exits\n");
  expect(await next()).toBe("the end");
});

test("a log that is followed ends with its Pod, and nothing waits for a client that went away", async () => {
  const fixture = await startHttpsTestApiServer();
  await startWeb(fixture);
  const open = () => fixture.open(`GET ${pods}/web/log?container=web&follow=true`);
  const [first, second] = [await open(), await open()];
  second.destroy();
  await fixture.request(`DELETE ${pods}/web?gracePeriodSeconds=0`);
  const chunks: string[] = [];
  for await (const chunk of first) chunks.push(String(chunk));
  expect(chunks).toEqual([`${started}\n`]);
});

test("a Pod without a node has an empty log", async () => {
  const { request } = await startTestApiServer();
  await request(`POST ${pods}`, { metadata: { name: "web" }, spec: { containers: named("web") } });
  expect(await request(`GET ${pods}/web/log?follow=true`)).toMatchObject({ code: 200, body: { text: "" } });
});

const invalid = 'PodLogOptions "web" is invalid: ';

test.for([
  { name: "a Pod that is not there", path: "gone/log", code: 404, message: 'pods "gone" not found' },
  {
    name: "no container of several",
    path: "web/log",
    code: 400,
    message:
      "a container name must be specified for pod web, choose one of: [web side] or one of the init containers: [setup]",
  },
  {
    name: "a container that is not there",
    path: "web/log?container=other",
    code: 400,
    message: "container other is not valid for pod web",
  },
  {
    name: "a container that has not started",
    path: "web/log?container=side",
    code: 400,
    message: 'container "side" in pod "web" is waiting to start: ContainerCreating',
  },
  {
    name: "a run before the first",
    path: "web/log?container=web&previous=true",
    code: 400,
    message: 'previous terminated container "web" in pod "web" not found',
  },
  {
    name: "fewer than no lines",
    path: "web/log?container=web&tailLines=-1",
    code: 422,
    message: `${invalid}tailLines: Invalid value: -1: must be greater than or equal to 0`,
  },
  {
    name: "no bytes",
    path: "web/log?container=web&limitBytes=0",
    code: 422,
    message: `${invalid}limitBytes: Invalid value: 0: must be greater than 0`,
  },
  {
    name: "two times",
    path: "web/log?container=web&sinceSeconds=1&sinceTime=2026-11-15T00:00:00Z",
    code: 422,
    message: `${invalid}: Forbidden: at most one of \`sinceTime\` or \`sinceSeconds\` may be specified`,
  },
  {
    name: "no time",
    path: "web/log?container=web&sinceTime=yesterday",
    code: 400,
    message: 'sinceTime: "yesterday" is no RFC 3339 time',
  },
])("the log of $name is refused with $code", async ({ path, code, message }) => {
  const fixture = await startTestApiServer();
  await startWeb(fixture);
  expect(await fixture.request(`GET ${pods}/${path}`)).toMatchObject({ code, body: { message } });
});

test("the log of a node that is not simulated is refused", async () => {
  const fixture = await startTestApiServer();
  await fixture.request("POST /api/v1/nodes", { metadata: { name: "n1" } });
  await startWeb(fixture);
  expect(await fixture.request(`GET ${pods}/web/log?container=web`)).toMatchObject({
    code: 501,
    body: { reason: "NotImplemented" },
  });
});
