import { expect, onTestFinished, test } from "vitest";
import type { StoredObject } from "../../../api/object.ts";
import { silentLogger } from "../../../machinery/log/logger.ts";
import { done, runController, watching } from "../../../machinery/controller.ts";
import { InformerFactory } from "../../../machinery/informer/informer-factory.ts";
import { seededRandom } from "../../../machinery/random/random.ts";
import { ApiError } from "../../../machinery/client/api-error.ts";
import { foo, foos, fooDefinition, fooVersion, startFooServer } from "./foo-definition.contract.ts";

interface Foo extends StoredObject {
  readonly spec: { readonly n: number };
  readonly status?: { readonly seen?: number };
}

const integer = { type: "integer" };

test("a controller runs on a kind that its client has found", async () => {
  const version = fooVersion("v1", { spec: { n: integer }, status: { seen: integer } });
  const { client, clock, request } = await startFooServer(fooDefinition([version]));
  const resource = await client.resource<Foo>({ group: "example.com", kind: "Foo" });
  expect(resource).toEqual({
    group: "example.com",
    version: "v1",
    kind: "Foo",
    plural: "foos",
    namespaced: true,
  });
  const informers = new InformerFactory({ client, clock, random: seededRandom(1), log: silentLogger });
  const informer = informers.of(resource);
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const running = runController(
    {
      name: "foo",
      workers: 1,
      watches: [
        watching(informer, (queue) => ({
          added: ({ metadata }) => queue.add(`${metadata.namespace ?? ""}/${metadata.name}`),
          updated: (_before, { metadata }) => queue.add(`${metadata.namespace ?? ""}/${metadata.name}`),
        })),
      ],
      async reconcile(key, signal) {
        const stored = informer.get(key);
        if (stored === undefined || stored.status?.seen === stored.spec.n) return done;
        const next = { ...stored, status: { seen: stored.spec.n } };
        await client.update(resource, next, { subresource: "status", signal });
        return done;
      },
    },
    { clock, log: silentLogger },
    stopping.signal,
  );
  void informers.run(stopping.signal);
  await request(`POST ${foos}`, foo({ n: 3 }));
  await clock.settle();
  expect(await client.get(resource, { namespace: "default", name: "x" })).toMatchObject({
    status: { seen: 3 },
  });
  await client.patch(
    resource,
    { namespace: "default", name: "x" },
    { type: "merge", body: { spec: { n: 4 } } },
  );
  await clock.settle();
  expect(informer.get("default/x")?.status).toEqual({ seen: 4 });
  stopping.abort();
  await running;
});

test("a kind that nobody has defined is not found", async () => {
  const { client } = await startFooServer();
  const failure = await client
    .resource({ group: "example.com", kind: "Bar" })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
});

test("a program writes objects of a kind as it writes others, without version and kind in each", async () => {
  const version = fooVersion("v1", { spec: { n: integer } });
  const { client } = await startFooServer(fooDefinition([version]));
  const resource = await client.resource<Foo>({ group: "example.com", kind: "Foo" });
  const created = await client.create(resource, {
    metadata: { namespace: "default", name: "x" },
    spec: { n: 1 },
  });
  const { metadata } = created;
  expect(await client.update(resource, { metadata, spec: { n: 2 } })).toMatchObject({
    apiVersion: "example.com/v1",
    kind: "Foo",
    spec: { n: 2 },
  });
});
