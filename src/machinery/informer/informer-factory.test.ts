import { expect, test } from "vitest";
import { configMaps, nodes, pods } from "../../api/resources.ts";
import { testApi } from "../../testing/test-api.ts";
import { apiFailure } from "../client/api-error.ts";
import { type ClientCall, interceptClient } from "../client/intercept-client.ts";
import { InformerFactory } from "./informer-factory.ts";
import { seededRandom } from "../random/random.ts";

function newInformers(failure: (collection: string) => Error | undefined = () => undefined) {
  const { client: inner, clock, seed } = testApi();
  const check = ({ collection }: ClientCall) => {
    const error = failure(collection);
    if (error !== undefined) throw error;
  };
  const client = interceptClient(inner, {
    async call(request, send) {
      check(request);
      return send();
    },
    async *watch(request, { open }) {
      check(request);
      yield* open();
    },
  });
  const informers = new InformerFactory({ client, clock, random: seededRandom("informers") });
  return { seed, clock, informers, stop: new AbortController() };
}

const draft = { metadata: { name: "a", namespace: "default" }, data: {} };

test.for([
  { name: "while others are followed", before: [pods] },
  { name: "when none was asked for before", before: [] },
])("$name: a collection asked for during the run is followed to its end", async ({ before }) => {
  const { seed, clock, informers, stop } = newInformers();
  before.forEach((resource) => informers.of(resource));
  let hasEnded = false;
  const running = informers.run(stop.signal).then(() => (hasEnded = true));
  await clock.settle();

  const late = informers.of(configMaps);
  seed(configMaps, draft);
  await clock.settle();
  expect(late.get("default/a")).toBeDefined();
  expect(hasEnded).toBe(false);

  stop.abort();
  await running;
  seed(configMaps, { ...draft, metadata: { ...draft.metadata, name: "b" } });
  await clock.settle();
  expect(late.get("default/b")).toBeUndefined();
});

test("what a handler of one that came later throws ends the run", async () => {
  const { seed, clock, informers, stop } = newInformers();
  const ended = informers.run(stop.signal).catch((error: unknown) => error);
  const thrown = new Error("no more of this");
  informers.of(configMaps).addHandler({
    added: () => {
      throw thrown;
    },
  });
  seed(configMaps, draft);
  await clock.settle();
  expect(await ended).toBe(thrown);
  stop.abort();
});

test.for([
  { name: "one that is refused is not waited for if all can do without it", isRequired: false },
  { name: "one that is refused is waited for if a component needs it", isRequired: true },
])("$name, and is followed once it is allowed", async ({ isRequired }) => {
  let isAllowed = false;
  const { seed, clock, informers, stop } = newInformers((collection) =>
    collection === "nodes" && !isAllowed ? apiFailure(403, "Forbidden") : undefined,
  );
  const refused = informers.optional(nodes);
  if (isRequired) informers.of(nodes);
  const other = informers.of(pods);
  const running = informers.run(stop.signal);
  let isSynced = false;
  void informers.synced(stop.signal).then((synced) => (isSynced = synced));
  await clock.settle();
  expect([other.hasSynced, refused.hasSynced, isSynced]).toEqual([true, false, !isRequired]);

  isAllowed = true;
  seed(nodes, { metadata: { name: "late" }, spec: {} });
  await clock.advance(60_000);
  expect([refused.get("late")?.metadata.name, isSynced]).toEqual(["late", true]);
  stop.abort();
  await running;
});

test("one that fails for another reason is waited for", async () => {
  const { clock, informers, stop } = newInformers(() => apiFailure(503, "ServiceUnavailable"));
  informers.optional(nodes);
  const running = informers.run(stop.signal);
  const synced = informers.synced(stop.signal);
  await clock.settle();
  stop.abort();
  expect(await synced).toBe(false);
  await running;
});
