import { expect, onTestFinished, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../../../api/json.ts";
import { pendingEvents, startTestApiServer, type TestApiServer } from "../../api-server-fixture.contract.ts";
import type { ApiServerOptions } from "../../create-api-server.ts";
import type { WatchEvents } from "../../watch/watch-stream.ts";
import { define, foo, foos, fooDefinition, fooVersion } from "../foo-definition.contract.ts";
import type { ConversionFunction } from "./object-converter.ts";

const newer = "/apis/example.com/v2/namespaces/default/foos";
const definition = fooDefinition(
  [
    fooVersion("v1", { spec: { size: { type: "integer" } } }),
    fooVersion("v2", { spec: { amount: { type: "integer" } } }),
  ],
  {
    conversion: {
      strategy: "Webhook",
      webhook: {
        conversionReviewVersions: ["v1"],
        clientConfig: { url: "https://127.0.0.1/convert" },
      },
    },
  },
);

/** `size` of v1 is `amount` of v2. */
const convert = (object: JsonObject, apiVersion: string): JsonObject => {
  const { spec } = object;
  const { size, amount } = isJsonObject(spec) ? spec : {};
  const value = size ?? amount;
  const name = apiVersion === "example.com/v2" ? "amount" : "size";
  return { ...object, apiVersion, spec: value === undefined ? {} : { [name]: value } };
};

async function start(options: Partial<ApiServerOptions> = {}): Promise<TestApiServer> {
  const api = await startTestApiServer(options);
  onTestFinished(() => api.server.close());
  await define(api, definition);
  return api;
}

const withFunction = (conversion: ConversionFunction = convert) =>
  start({ conversions: { "foos.example.com": conversion } });

const v2 = (spec: JsonObject, metadata: JsonObject = {}) => ({
  apiVersion: "example.com/v2",
  kind: "Foo",
  metadata: { name: "x", ...metadata },
  spec,
});

const merge = "application/merge-patch+json";

/** The next events of a watch in short, once there are so many. */
async function nextEvents(stream: WatchEvents, count: number): Promise<readonly string[]> {
  const events: string[] = [];
  while (events.length < count) {
    await stream.ready();
    events.push(...pendingEvents(stream));
  }
  return events;
}

test("an object is created in one version, stored in another, and read in both", async () => {
  const { request, store } = await withFunction();
  const created = await request(`POST ${newer}`, v2({ amount: 3 }));
  expect(created).toMatchObject({ code: 201, body: { apiVersion: "example.com/v2", spec: { amount: 3 } } });
  const stored = store.collection("foos.example.com").get("default/x")?.object;
  expect(stored).toMatchObject({ apiVersion: "example.com/v1", spec: { size: 3 } });
  expect((await request(`GET ${foos}/x`)).body).toMatchObject({ spec: { size: 3 } });
  expect((await request(`GET ${newer}/x`)).body).toMatchObject({
    apiVersion: "example.com/v2",
    spec: { amount: 3 },
    metadata: created.body["metadata"],
  });
});

test.for([
  { name: "a PUT", what: "PUT", path: "", type: undefined },
  { name: "a merge patch", what: "PATCH", path: "", type: merge },
  {
    name: "an apply",
    what: "PATCH",
    path: "?fieldManager=me&force=true",
    type: "application/apply-patch+yaml",
  },
])("$name in one version changes what is stored in another", async ({ what, path, type }) => {
  const { request } = await withFunction();
  await request(`POST ${foos}`, foo({ size: 1 }));
  const { body } = await request(`GET ${newer}/x`);
  const { resourceVersion } = body["metadata"] as { readonly resourceVersion: string };
  const sent = v2({ amount: 5 }, what === "PUT" ? { resourceVersion } : {});
  const updated = await request(`${what} ${newer}/x${path}`, sent, type);
  expect(updated).toMatchObject({ code: 200, body: { spec: { amount: 5 }, metadata: { generation: 2 } } });
  expect((await request(`GET ${foos}/x`)).body).toMatchObject({ spec: { size: 5 } });
});

test("an object with a finalizer is marked for deletion in any version", async () => {
  const { request } = await withFunction();
  await request(`POST ${foos}`, foo({ size: 1 }, { metadata: { name: "x", finalizers: ["example.com/f"] } }));
  const marked = await request(`DELETE ${newer}/x`);
  expect(marked).toMatchObject({
    code: 200,
    body: {
      apiVersion: "example.com/v2",
      spec: { amount: 1 },
      metadata: { deletionTimestamp: expect.any(String) as string },
    },
  });
  await request(`PATCH ${newer}/x`, { metadata: { finalizers: null } }, merge);
  expect((await request(`GET ${foos}/x`)).code).toBe(404);
});

test("lists and collections are converted object by object, and each object once", async () => {
  let calls = 0;
  const { request } = await withFunction((object, version) => {
    calls++;
    return convert(object, version);
  });
  for (const name of ["a", "b", "c"]) await request(`POST ${foos}`, foo({ size: 1 }, { metadata: { name } }));
  expect(calls).toBe(0);
  const page = await request(`GET ${newer}?limit=2`);
  expect(page.body["items"]).toMatchObject([{ spec: { amount: 1 } }, { spec: { amount: 1 } }]);
  expect(calls).toBe(2);
  await request(`GET ${newer}`);
  expect(calls).toBe(3);
  await request(`PATCH ${foos}/a`, { spec: { size: 2 } }, merge);
  await request(`DELETE ${newer}`);
  expect(calls).toBe(4);
  expect((await request(`GET ${foos}`)).body["items"]).toEqual([]);
});

test("a watch shows events in order, however long their conversions take", async () => {
  let release: () => void = () => undefined;
  const first = new Promise<void>((resolve) => (release = resolve));
  const { request, watch } = await withFunction(async (object, version) => {
    const { name } = object["metadata"] as { readonly name: string };
    if (name === "slow") await first;
    return convert(object, version);
  });
  const stream = await watch(`${newer}?watch=true`);
  await request(`POST ${foos}`, foo({ size: 1 }, { metadata: { name: "slow" } }));
  await request(`POST ${foos}`, foo({ size: 1 }, { metadata: { name: "fast" } }));
  await request(`DELETE ${foos}/fast`);
  expect(stream.hasPending).toBe(false);
  release();
  expect(await nextEvents(stream, 3)).toEqual(["ADDED slow", "ADDED fast", "DELETED fast"]);
});

test("the initial events of a watch are converted, too", async () => {
  const { request, watch } = await withFunction();
  await request(`POST ${foos}`, foo({ size: 1 }));
  const stream = await watch(`${newer}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`);
  const [event] = await Promise.resolve(stream.ready()).then(() => stream.take(1));
  expect(event).toMatchObject({ type: "ADDED", item: { object: { spec: { amount: 1 } } } });
});

test("a conversion that fails breaks nothing but what needs it", async () => {
  const { request, watch } = await withFunction(() => {
    throw new Error("no such size");
  });
  await request(`POST ${foos}`, foo({ size: 1 }));
  const message = "conversion webhook for example.com/v1, Kind=Foo failed: no such size";
  expect(await request(`GET ${newer}`)).toMatchObject({ code: 500, body: { message } });
  expect((await request(`GET ${newer}`)).body["reason"]).toBeUndefined();
  expect(await request(`GET ${newer}/x`)).toMatchObject({ code: 500, body: { message } });
  expect((await request(`POST ${newer}`, v2({ amount: 1 }, { name: "y" }))).body["message"]).toBe(
    "conversion webhook for example.com/v2, Kind=Foo failed: no such size",
  );
  const [broken, sound] = [await watch(`${newer}?watch=true`), await watch(`${foos}?watch=true`)];
  await request(`POST ${foos}`, foo({ size: 1 }, { metadata: { name: "z" } }));
  expect(await nextEvents(broken, 1)).toEqual(["ERROR 500"]);
  expect(await nextEvents(sound, 2)).toEqual(["ADDED x", "ADDED z"]);
  expect((await request("GET /api/v1/namespaces")).code).toBe(200);
});

test.for([
  {
    name: "that renames the object",
    change: { metadata: { name: "b", namespace: "default" } },
    why: "returned invalid object: must have the same name: a != b",
  },
  {
    name: "that forgets the version",
    change: { apiVersion: "example.com/v1" },
    why: "returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)",
  },
])("a webhook $name is refused", async ({ change, why }) => {
  const { request } = await start({
    webhookTransport: {
      async call({ body, timeoutSeconds }) {
        const review = JSON.parse(body) as {
          readonly request: { readonly uid: string; readonly objects: readonly JsonObject[] };
        };
        const { uid, objects } = review.request;
        expect(timeoutSeconds).toBe(30);
        const convertedObjects = objects.map((object) => ({
          ...convert(object, "example.com/v2"),
          ...change,
        }));
        const response = { uid, result: { status: "Success" }, convertedObjects };
        return { ok: true, statusCode: 200, body: JSON.stringify({ ...review, response }) };
      },
    },
  });
  await request(`POST ${foos}`, foo({ size: 1 }, { metadata: { name: "a" } }));
  expect(await request(`GET ${newer}/a`)).toMatchObject({
    code: 500,
    body: { message: `conversion webhook for example.com/v1, Kind=Foo ${why}` },
  });
});

test("in virtual time webhooks are not called, and the answer says so", async () => {
  const { request } = await start();
  await request(`POST ${foos}`, foo({ size: 1 }));
  expect((await request(`GET ${newer}/x`)).body).toMatchObject({
    code: 500,
    message:
      "conversion webhook for example.com/v1, Kind=Foo failed: webhooks are not supported in virtual time",
  });
});

test("managers of other versions keep their fields when a webhook converts", async () => {
  const { request } = await withFunction();
  const apply = "application/apply-patch+yaml";
  await request(`PATCH ${foos}/x?fieldManager=old`, foo({ size: 1 }), apply);
  await request(`PATCH ${newer}/x?fieldManager=new`, v2({}, { labels: { a: "b" } }), apply);
  const { managedFields } = (await request(`GET ${foos}/x`)).body["metadata"] as {
    readonly managedFields: readonly JsonObject[];
  };
  expect(managedFields.map(({ manager, apiVersion }) => [manager, apiVersion])).toEqual([
    ["new", "example.com/v2"],
    ["old", "example.com/v1"],
  ]);
});
