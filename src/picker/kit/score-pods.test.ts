import { expect, test } from "vitest";
import { assert, asyncProperty, dictionary, integer, nat, stringMatching } from "fast-check";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { pickRequest } from "./pick-request.ts";
import { type Score, scorePods } from "./score-pods.ts";

const never = new AbortController().signal;

/** Asks for some of the Pods of a table of scores; returns the choice and the Pods that were scored. */
async function choose(
  scores: Readonly<Record<string, number>>,
  requested: number,
  { concurrency = 1, score = (pod: string): number | Promise<number> => scores[pod] ?? 0 } = {},
) {
  const scored: string[] = [];
  const watched: Score = (pod) => {
    scored.push(pod);
    return score(pod);
  };
  const request = pickRequest({ requested, candidates: Object.keys(scores) }, never);
  const choice = await scorePods(request, watched, { clock: new VirtualClock(), concurrency });
  return { ...choice, scored };
}

test.for([
  {
    name: "chooses the least busy Pods",
    scores: { a: 3, b: 1, c: 2, d: 9 },
    requested: 2,
    want: { chosen: ["b", "c"], tied: [] },
  },
  {
    name: "ties Pods that are equally busy at the cut",
    scores: { a: 3, b: 1, c: 2, d: 2 },
    requested: 2,
    want: { chosen: ["b"], tied: ["c", "d"] },
  },
  {
    name: "ties all Pods if all are equally busy",
    scores: { a: 1, b: 1, c: 1 },
    requested: 1,
    want: { chosen: [], tied: ["a", "b", "c"] },
  },
  {
    name: "chooses equal Pods if all of them are to go",
    scores: { a: 3, b: 1, c: 1 },
    requested: 2,
    want: { chosen: ["b", "c"], tied: [] },
  },
  {
    name: "counts negative scores as idle",
    scores: { a: 5, b: -1, c: 0, d: 0 },
    requested: 2,
    want: { chosen: ["b", "c"], tied: [] },
  },
  {
    name: "puts Pods of infinite score last",
    scores: { a: Infinity, b: 7, c: 8 },
    requested: 2,
    want: { chosen: ["b", "c"], tied: [] },
  },
  {
    name: "asks nothing if all Pods are to go",
    scores: { a: 1, b: 2 },
    requested: 2,
    want: { chosen: ["a", "b"], tied: [], scored: [] },
  },
])("scorePods $name", async ({ scores, requested, want }) => {
  expect(await choose(scores, requested)).toMatchObject(want);
});

test("scoring ends as soon as enough idle Pods are found", async () => {
  const { chosen, scored } = await choose({ a: 0, b: 4, c: 0, d: 0, e: 0 }, 2);
  expect(chosen).toEqual(["a", "c"]);
  expect(scored).toEqual(["a", "b", "c"]);
});

test("a score that is known at once is asked for no more Pods than necessary, whatever the concurrency", async () => {
  const { scored } = await choose({ a: 0, b: 0, c: 0, d: 0, e: 0 }, 2, { concurrency: 8 });
  expect(scored).toEqual(["a", "b"]);
});

test("scores that arrive in another order give the same choice, without waiting for the rest", async () => {
  const resolvers = new Map<string, (score: number) => void>();
  const score = (pod: string) => new Promise<number>((resolve) => resolvers.set(pod, resolve));
  const choosing = choose({ a: 0, b: 0, c: 0, d: 0 }, 1, { concurrency: 3, score });
  resolvers.get("c")?.(0);
  resolvers.get("b")?.(0);
  resolvers.get("a")?.(0);
  const { chosen, scored } = await choosing;
  expect(chosen).toEqual(["a"]);
  expect(scored.slice(0, 3)).toEqual(["a", "b", "c"]);
});

test("no more scores are waited for at a time than allowed", async () => {
  let [waiting, most] = [0, 0];
  const score = async () => {
    most = Math.max(most, ++waiting);
    await Promise.resolve();
    waiting -= 1;
    return 1;
  };
  const scores = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`web-${index}`, 1]));
  await choose(scores, 3, { concurrency: 4, score });
  expect(most).toBe(4);
});

test.for([
  { name: "NaN", score: () => Number.NaN, want: "the score of a is NaN, not a number" },
  {
    name: "a text",
    score: () => "3" as unknown as number,
    want: "the score of a is 3, not a number",
  },
  {
    name: "an exception",
    score: () => Promise.reject(new Error("no database")),
    want: "no database",
  },
])("$name instead of a score is an error", async ({ score, want }) => {
  await expect(choose({ a: 1, b: 2 }, 1, { score })).rejects.toThrow(want);
});

test("chosen and tied Pods are enough, disjoint and never busier than the others", async () => {
  const pods = dictionary(stringMatching(/^[a-z]{1,4}$/), integer({ min: -2, max: 5 }), {
    minKeys: 2,
    maxKeys: 12,
  });
  await assert(
    asyncProperty(pods, nat(), integer({ min: 1, max: 5 }), async (scores, some, concurrency) => {
      const requested = 1 + (some % (Object.keys(scores).length - 1));
      const score = (pod: string) => Promise.resolve(scores[pod] ?? 0);
      const { chosen, tied = [] } = await choose(scores, requested, { concurrency, score });
      const named = new Set<string>([...chosen, ...tied]);
      expect(named.size).toBe(chosen.length + tied.length);
      expect(named.size).toBeGreaterThanOrEqual(requested);
      expect(chosen.length).toBeLessThanOrEqual(requested);
      const busiest = Math.max(...[...named].map((pod) => scores[pod] ?? 0));
      const others = Object.keys(scores).filter((pod) => !named.has(pod));
      // Idle Pods are equally good: scoring may have ended before it saw the others.
      for (const pod of others)
        expect(Math.max(0, scores[pod] ?? 0)).toBeGreaterThanOrEqual(Math.max(0, busiest));
    }),
  );
});
