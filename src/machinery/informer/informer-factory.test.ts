import { expect, test } from "vitest";
import { configMaps, pods } from "../../api/resources.ts";
import { testApi } from "../../testing/test-api.ts";
import { InformerFactory } from "./informer-factory.ts";
import { seededRandom } from "../random/random.ts";

function newInformers() {
  const { client, clock, seed } = testApi();
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
