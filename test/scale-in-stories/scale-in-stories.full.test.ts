import { expect, test } from "vitest";
import { playInference } from "./inference-story.ts";
import { playQueue } from "./queue-story.ts";

const seeds = [1, 2, 3];

/** The sum over the seeds. */
async function total<K extends string>(
  play: (seed: number) => Promise<Readonly<Record<K, number>>>,
  key: K,
): Promise<number> {
  let sum = 0;
  for (const seed of seeds) sum += (await play(seed))[key];
  return sum;
}

test("a queue loses no work with protection, and less with a picker than in the stock order", async () => {
  const lost = (mode: Parameters<typeof playQueue>[0]) =>
    total((seed) => playQueue(mode, seed), "minutesLost");
  expect(await lost("protection")).toBe(0);
  expect(await lost("a picker")).toBeLessThan(await lost("stock order"));
}, 120_000);

test("a model cuts no request with protection, and fewer with a picker than in the stock order", async () => {
  const cut = (mode: Parameters<typeof playInference>[0]) =>
    total((seed) => playInference(mode, seed), "requestsCut");
  expect(await cut("protection")).toBe(0);
  expect(await cut("a picker")).toBeLessThan(await cut("stock order"));
}, 120_000);

test("a rollout of a model stays within its GPUs where terminating Pods count", async () => {
  expect((await playInference("a picker", 1)).mostGpus).toBeLessThanOrEqual(14);
  expect((await playInference("stock order", 1)).mostGpus).toBeGreaterThan(14);
}, 60_000);
