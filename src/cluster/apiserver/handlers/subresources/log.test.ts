import { expect, test } from "vitest";
import type { JsonObject } from "../../../../api/json.ts";
import { startTestApiServer } from "../../api-server-fixture.contract.ts";
import { startHttpsTestApiServer } from "../../http/https-fixture.contract.ts";

const pods = "/api/v1/namespaces/default/pods";
const named = (...names: readonly string[]) => names.map((name) => ({ name, image: "nginx" }));
const pod = (spec: JsonObject) => ({ metadata: { name: "web" }, spec });

test("a follower of a log is told once that there is none, and its stream ends", async () => {
  const { request, call } = await startHttpsTestApiServer();
  await request(`POST ${pods}`, pod({ containers: named("web") }));
  // An error would be shown every second: kubectl repeats the request of `logs -f` after any Status.
  expect(await call(`GET ${pods}/web/log?follow=true`)).toMatchObject({
    code: 200,
    text: "",
    headers: {
      "content-type": "text/plain",
      warning: String.raw`299 - "container \"web\" has no log: trimtab simulates containers and does not run them"`,
    },
  });
});

test.for([
  { name: "the container that is named", query: "?container=side" },
  { name: "an init container", query: "?container=setup" },
])("the log of $name is answered", async ({ query }) => {
  const { request } = await startTestApiServer();
  const spec = { containers: named("web", "side"), initContainers: named("setup") };
  await request(`POST ${pods}`, pod(spec));
  expect(await request(`GET ${pods}/web/log${query}`)).toMatchObject({ code: 200 });
});

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
])("the log of $name is refused with $code", async ({ path, code, message }) => {
  const { request } = await startTestApiServer();
  const spec = { containers: named("web", "side"), initContainers: named("setup") };
  await request(`POST ${pods}`, pod(spec));
  const waiting = { name: "side", image: "nginx", imageID: "", ready: false, restartCount: 0 };
  const state = { waiting: { reason: "ContainerCreating" } };
  const { body } = await request(`GET ${pods}/web`);
  await request(`PUT ${pods}/web/status`, {
    ...body,
    status: { containerStatuses: [{ ...waiting, state }] },
  });
  expect(await request(`GET ${pods}/${path}`)).toMatchObject({ code, body: { message } });
});
