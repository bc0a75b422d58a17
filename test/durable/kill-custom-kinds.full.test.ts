import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import { type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { temporaryFolder } from "./compiled.ts";
import { type ServerUnderTest, startServer } from "./server-under-test.ts";

const kills = 50;
const kinds = 8;
const objectsEach = 4;
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const served = "/apis/kills.example.com/v1";

/** As much of a definition, an object or a list as the test reads. */
interface Shown {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec: { readonly size?: number; readonly colour?: string };
  readonly status?: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
  readonly items: readonly Shown[];
}
const shownBy = (value: unknown) => value as Shown;

/** What the only client that writes a kind knows of it. */
interface Known {
  readonly plural: string;
  definition: "absent" | "being created" | "there" | "being deleted";
  /** The sizes of the objects that were acknowledged, by name. */
  readonly sizes: Map<string, number>;
  /** A write of an object that got no answer; a size of undefined would have deleted it. */
  attempted: { readonly name: string; readonly size: number | undefined } | undefined;
}

test(
  `after ${kills} kills definitions are established or gone, with all objects that were acknowledged or none`,
  { timeout: 1_800_000 },
  async () => {
    const folder = temporaryFolder();
    const random = seededRandom("kills of custom kinds");
    const all: Known[] = Array.from({ length: kinds }, (_, index) => ({
      plural: `kind${index}s`,
      definition: "absent",
      sizes: new Map(),
      attempted: undefined,
    }));
    let acknowledgements = 0;
    for (let round = 0; round < kills; round++) {
      const server = await startServer(folder);
      await Promise.all(all.map((known) => recover(server, known)));
      await expectDiscovered(server, all);
      acknowledgements += await writeUntilKilled(server, all, random.fork(`round ${round}`));
    }
    const server = await startServer(folder);
    await Promise.all(all.map((known) => recover(server, known)));
    await expectDiscovered(server, all);
    await server.kill();
    expect(acknowledgements).toBeGreaterThan(kills * 10);
  },
);

/** Compares what the restarted server has of a kind with what was acknowledged, and learns what came of the last write. */
async function recover(server: ServerUnderTest, known: Known): Promise<void> {
  const found = await definitionOf(server, known);
  if (known.definition === "there") expect(found).toBeDefined();
  const isEnding = found?.metadata.deletionTimestamp !== undefined;
  if (isEnding) await untilGone(server, known);
  if (found === undefined || isEnding) return forget(known);
  // One that was seen to be gone may be back, as it ends: that it was gone is on disk later than a read shows it.
  expect(known.definition).not.toBe("absent");
  known.definition = "there";
  await untilEstablished(server, known);
  const list = await server.send("GET", pathOf(known));
  expect(list.code).toBe(200);
  const stored = new Map(shownBy(list.body).items.map(({ metadata, spec }) => [metadata.name, spec]));
  for (const { colour } of stored.values()) expect(colour).toBe("red");
  const sizes = new Map([...stored].map(([name, { size = 0 }]) => [name, size]));
  expect([known.sizes, afterAttempt(known)]).toContainEqual(sizes);
  known.attempted = undefined;
  known.sizes.clear();
  for (const [name, size] of sizes) known.sizes.set(name, size);
}

/** The sizes if the write without an answer happened. */
function afterAttempt({ sizes, attempted }: Known): ReadonlyMap<string, number> {
  const after = new Map(sizes);
  if (attempted?.size !== undefined) after.set(attempted.name, attempted.size);
  else if (attempted !== undefined) after.delete(attempted.name);
  return after;
}

function forget(known: Known): void {
  known.definition = "absent";
  known.attempted = undefined;
  known.sizes.clear();
}

async function expectDiscovered(server: ServerUnderTest, all: readonly Known[]): Promise<void> {
  const there = all.filter(({ definition }) => definition === "there").map(({ plural }) => plural);
  if (there.length === 0) return;
  const { body } = await server.send("GET", served);
  const resources = body["resources"] as readonly { readonly name: string }[];
  expect(resources.map(({ name }) => name).toSorted()).toEqual(there.toSorted());
}

/** Writes to all kinds at once until enough is acknowledged, then kills the server; returns how much was. */
async function writeUntilKilled(
  server: ServerUnderTest,
  all: readonly Known[],
  random: Random,
): Promise<number> {
  const enough = 20 + randomInt(random, 150);
  let acknowledged = 0;
  let killed: Promise<void> | undefined;
  const keepWriting = async (known: Known) => {
    while (killed === undefined) {
      const answered = await write(server, known, random).catch((error: unknown) => {
        if (killed === undefined) throw error;
        return false;
      });
      if (!answered) return;
      if (++acknowledged >= enough) killed ??= server.kill();
    }
  };
  await Promise.all(all.map(keepWriting));
  await killed;
  return acknowledged;
}

async function write(server: ServerUnderTest, known: Known, random: Random): Promise<boolean> {
  if (known.definition === "absent") {
    known.definition = "being created";
    expect((await server.send("POST", definitions, definitionNamed(known))).code).toBe(201);
    known.definition = "there";
    await untilEstablished(server, known);
  } else if (randomInt(random, 12) === 0) {
    known.definition = "being deleted";
    expect((await server.send("DELETE", `${definitions}/${nameOf(known)}`)).code).toBe(200);
    await untilGone(server, known);
    forget(known);
  } else await writeObject(server, known, random);
  return true;
}

async function writeObject(server: ServerUnderTest, known: Known, random: Random): Promise<void> {
  const name = `object-${randomInt(random, objectsEach)}`;
  const exists = known.sizes.has(name);
  const size = exists && randomInt(random, 4) === 0 ? undefined : randomInt(random, 1_000_000);
  known.attempted = { name, size };
  const { code, body } = await requestFor(server, known, { name, size, exists });
  expect([code, body["message"]]).toEqual([size === undefined || exists ? 200 : 201, undefined]);
  if (size === undefined) known.sizes.delete(name);
  else known.sizes.set(name, size);
  known.attempted = undefined;
}

interface ObjectWrite {
  readonly name: string;
  readonly size: number | undefined;
  readonly exists: boolean;
}

async function requestFor(server: ServerUnderTest, known: Known, { name, size, exists }: ObjectWrite) {
  const path = pathOf(known);
  if (size === undefined) return server.send("DELETE", `${path}/${name}`);
  const kind = kindOf(known);
  const object = { apiVersion: "kills.example.com/v1", kind, metadata: { name }, spec: { size } };
  if (!exists) return server.send("POST", path, object);
  const { resourceVersion } = shownBy((await server.send("GET", `${path}/${name}`)).body).metadata;
  return server.send("PUT", `${path}/${name}`, { ...object, metadata: { name, resourceVersion } });
}

async function definitionOf(server: ServerUnderTest, known: Known): Promise<Shown | undefined> {
  const { code, body } = await server.send("GET", `${definitions}/${nameOf(known)}`);
  return code === 404 ? undefined : shownBy(body);
}

const untilGone = (server: ServerUnderTest, known: Known) =>
  until(async () => (await definitionOf(server, known)) === undefined);

const untilEstablished = (server: ServerUnderTest, known: Known) =>
  until(async () => {
    const conditions = (await definitionOf(server, known))?.status?.conditions ?? [];
    return conditions.some(({ type, status }) => type === "Established" && status === "True");
  });

/** Asks again and again; a killed server ends it. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(10);
}

const nameOf = ({ plural }: Known) => `${plural}.kills.example.com`;
const kindOf = ({ plural }: Known) => `K${plural.slice(1, -1)}`;
const pathOf = ({ plural }: Known) => `${served}/namespaces/default/${plural}`;

const definitionNamed = (known: Known): JsonObject => ({
  metadata: { name: nameOf(known) },
  spec: {
    group: "kills.example.com",
    scope: "Namespaced",
    names: { plural: known.plural, kind: kindOf(known) },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: { size: { type: "integer" }, colour: { type: "string", default: "red" } },
              },
            },
          },
        },
      },
    ],
  },
});
