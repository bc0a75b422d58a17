import { expect, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import { type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { temporaryFolder } from "./compiled.ts";
import { type ServerUnderTest, startServer } from "./server-under-test.ts";

const kills = 50;
const writers = 48;
const configMaps = "/api/v1/namespaces/default/configmaps";

/** As much of an object, list or event as the test reads. */
interface Shown {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data: { readonly content: string };
  readonly items: readonly Shown[];
}
const shownBy = (value: unknown) => value as Shown;

/** The content of an object; `undefined`: there is none. */
type Content = string | undefined;

/** What a writer knows of its object. */
interface Knowledge {
  readonly name: string;
  /** What the last acknowledged write left. */
  acknowledged: Content;
  /** What a write that got no answer would leave. */
  attempted: { readonly content: Content } | undefined;
}

test(
  `after ${kills} kills under load no acknowledged write is missing and no revision means two things`,
  { timeout: 1_800_000 },
  async () => {
    const folder = temporaryFolder();
    const random = seededRandom("kills");
    const objects: Knowledge[] = Array.from({ length: writers }, (_, index) => ({
      name: `object-${index}`,
      acknowledged: undefined,
      attempted: undefined,
    }));
    const shown = new ShownRevisions();
    let acknowledgements = 0;
    for (let round = 0; round < kills; round++) {
      const server = await startServer(folder);
      await expectNothingLost(server, objects, shown);
      acknowledgements += await loadUntilKilled(server, { objects, shown, random, round });
    }
    const server = await startServer(folder);
    await expectNothingLost(server, objects, shown);
    await server.kill();
    expect(acknowledgements).toBeGreaterThan(kills * 20);
  },
);

/** What clients have seen at each revision. */
class ShownRevisions {
  readonly #contents = new Map<number, string>();
  #highest = 0;

  get highest(): number {
    return this.#highest;
  }

  see(revision: number, content: string): void {
    const known = this.#contents.get(revision) ?? content;
    expect({ revision, content }).toEqual({ revision, content: known });
    this.#contents.set(revision, content);
    this.#highest = Math.max(this.#highest, revision);
  }
}

async function expectNothingLost(
  server: ServerUnderTest,
  objects: readonly Knowledge[],
  shown: ShownRevisions,
): Promise<void> {
  const { body } = await server.send("GET", configMaps);
  const list = shownBy(body);
  const stored = new Map(list.items.map((object) => [object.metadata.name, object]));
  for (const object of objects) {
    const found = stored.get(object.name);
    const content = found?.data.content;
    // Without an answer a write may have happened or not.
    if (content !== object.attempted?.content || object.attempted === undefined)
      expect({ name: object.name, content }).toEqual({ name: object.name, content: object.acknowledged });
    object.acknowledged = content;
    object.attempted = undefined;
  }
  const listed = revisionOf(list);
  expect(listed).toBeGreaterThan(shown.highest);
  if (shown.highest === 0) return;
  // A watcher that has seen a lost revision has to list again.
  const events: JsonObject[] = [];
  const older = `${configMaps}?watch=true&resourceVersion=${shown.highest}`;
  await server.watch(older, (event) => events.push(event));
  expect(events.map(({ type, object }) => [type, (object as JsonObject)["code"]])).toEqual([["ERROR", 410]]);
  const exact = `${configMaps}?resourceVersion=${shown.highest}&resourceVersionMatch=Exact`;
  expect((await server.send("GET", exact)).code).toBe(410);
}

interface Round {
  readonly objects: readonly Knowledge[];
  readonly shown: ShownRevisions;
  readonly random: Random;
  readonly round: number;
}

/** Writes until enough is acknowledged, then kills the server while writes are under way; returns how many were. */
async function loadUntilKilled(
  server: ServerUnderTest,
  { objects, shown, random, round }: Round,
): Promise<number> {
  const enough = 30 + randomInt(random, 300);
  let acknowledged = 0;
  let killed: Promise<void> | undefined;
  const watching = server.watch(`${configMaps}?watch=true`, (event) => {
    const object = shownBy(event["object"]);
    const verb = event["type"] === "DELETED" ? "DELETE" : "PUT";
    shown.see(revisionOf(object), `${verb} ${signature(object)}`);
  });
  const write = async (known: Knowledge) => {
    for (let step = 0; killed === undefined; step++) {
      const content =
        randomInt(random, 8) === 0 && known.acknowledged !== undefined ? undefined : `${round}-${step}`;
      known.attempted = { content };
      const answer = await request(server, known, content).catch(() => undefined);
      if (answer === undefined) return; // killed
      expect([200, 201]).toContain(answer.code);
      const object = shownBy(answer.body);
      if (content !== undefined) shown.see(revisionOf(object), `PUT ${signature(object)}`);
      known.acknowledged = content;
      known.attempted = undefined;
      if (++acknowledged >= enough) killed ??= server.kill();
    }
  };
  await Promise.all(objects.map(write));
  await killed;
  await watching;
  return acknowledged;
}

function request(server: ServerUnderTest, { name, acknowledged }: Knowledge, content: Content) {
  const path = `${configMaps}/${name}`;
  if (content === undefined) return server.send("DELETE", path);
  const object = { metadata: { name }, data: { content } };
  return acknowledged === undefined
    ? server.send("POST", configMaps, object)
    : server.send("PUT", path, object);
}

const revisionOf = ({ metadata }: Shown) => Number(metadata.resourceVersion);
const signature = ({ metadata, data }: Shown) => `${metadata.name} ${data.content}`;
