import * as fc from "fast-check";
import { expect, test } from "vitest";
import { linkOf, readLink } from "./share-link.ts";

test("what is shared is what is opened", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.nat(), async (scenario, seed) => {
      expect(await readLink(await linkOf({ scenario, seed }))).toEqual({
        kind: "play",
        play: { scenario, seed },
      });
    }),
    { numRuns: 50 },
  );
});

test("the files that a scenario names are shared with it", async () => {
  const play = { scenario: "snapshot: snapshot.yaml", seed: 1, files: { "snapshot.yaml": "kind: Snapshot" } };
  expect(await readLink(await linkOf(play))).toEqual({ kind: "play", play });
});

test("a link names a story and its seed", async () => {
  expect(await readLink("#story=fast-rollout&seed=7")).toEqual({
    kind: "story",
    name: "fast-rollout",
    seed: 7,
  });
  expect(await readLink("#/decisions")).toEqual({ kind: "none" });
});

const packed = async (value: unknown) => {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return `#play=${Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url")}`;
};

test.for([
  {
    name: "is cut",
    hash: async () => (await linkOf({ scenario: "abc".repeat(100), seed: 1 })).slice(0, -5),
    why: /cut/,
  },
  { name: "has markup", hash: async () => "#play=<script>", why: /characters/ },
  { name: "is no archive", hash: async () => "#play=AAAA", why: /cut/ },
  {
    name: "unpacks to more than memory should hold",
    hash: () => packed({ scenario: "x".repeat(3_000_000), seed: 1 }),
    why: /cut/,
  },
  { name: "is endless", hash: async () => `#play=${"A".repeat(300_000)}`, why: /200000/ },
  { name: "has no scenario", hash: () => packed({ seed: 1 }), why: /scenario/ },
  { name: "has a strange seed", hash: () => packed({ scenario: "", seed: "1" }), why: /seed/ },
  {
    name: "has files that are no texts",
    hash: () => packed({ scenario: "", seed: 1, files: { a: 1 } }),
    why: /files/,
  },
  { name: "names nothing", hash: () => Promise.resolve("#story="), why: /no story/ },
  { name: "is a number", hash: () => packed(7), why: /scenario/ },
])("a link that $name says what is wrong", async ({ hash, why }) => {
  const read = await readLink(await hash());
  expect(read).toMatchObject({ kind: "unreadable", why: expect.stringMatching(why) as unknown });
});
