import { expect, test } from "vitest";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { perTier } from "../tier.ts";
import {
  controllersAnswer,
  explainAnswer,
  type Gone,
  pageAnswer,
  steerAnswer,
  whatIfAnswer,
} from "./answers.ts";
import { randomScaleDown, type RandomScaleDown } from "./random-scale-down.ts";

/** So many clusters, in so many tests; `TRIMTAB_RANDOM_CLUSTERS` names another number, in one test. */
const asked = Number(process.env["TRIMTAB_RANDOM_CLUSTERS"] ?? 0);
const { groups, clusters } =
  asked > 0
    ? { groups: 1, clusters: asked }
    : perTier({
        unit: { groups: 1, clusters: 25 },
        full: { groups: 10, clusters: 100 },
      });

const seedsOf = (group: number) => Array.from({ length: clusters }, (_, index) => group * clusters + index);

test.for(Array.from({ length: groups }, (_, group) => group))(
  `the page, explain, whatif, steer and the controllers remove the same Pods from ${clusters} random clusters: group %i`,
  { timeout: 900_000 },
  async (group) => {
    const rules = new Set<string>();
    for (const seed of seedsOf(group)) {
      const scene = randomScaleDown(seededRandom(`one answer ${seed}`));
      for (const { rule } of await oneAnswer(scene, seed)) rules.add(rule);
    }
    expect([...rules]).toEqual(expect.arrayContaining(expectedRules));
  },
);

const expectedRules = ["deletion-cost", "preferred", "picker", "spread", "co-located"];

/** Asks all of them, and returns what all of them answer. */
async function oneAnswer(scene: RandomScaleDown, seed: number): Promise<readonly Gone[]> {
  const { picker } = scene;
  const namesOf = (gone: readonly { readonly pod: string }[]) => gone.map(({ pod }) => pod);
  const about = { seed, shape: scene.shape };

  // With what the picker answers.
  const controllers = await controllersAnswer(scene);
  expect({ ...about, explain: explainAnswer(scene, "embedded", picker) }).toEqual({
    ...about,
    explain: namesOf(controllers),
  });
  if (scene.shape !== "ReplicationController") {
    expect({ ...about, explain: explainAnswer(scene, "steered", picker) }).toEqual({
      ...about,
      explain: namesOf(controllers),
    });
    expect({ ...about, steer: await steerAnswer(scene) }).toEqual({ ...about, steer: controllers });
  }

  expect({ ...about, asked: pageAnswer(scene, picker) }).toEqual({ ...about, asked: controllers });

  // Without its answer, which neither the page nor a what-if has before it asks.
  const { picker: _, ...unanswered } = scene;
  const alone = picker === undefined ? controllers : await controllersAnswer(unanswered);
  expect({ ...about, page: pageAnswer(scene) }).toEqual({ ...about, page: alone });
  // In a what-if the scheduler places Pods that wait, and a Deployment gives its ReplicaSet the size it had.
  if (!scene.isCalm || scene.shape === "revision") return controllers;
  for (const [asked, answer] of [
    [scene, controllers],
    [unanswered, alone],
  ] as const)
    expect({ ...about, whatIf: (await whatIfAnswer(asked)).toSorted() }).toEqual({
      ...about,
      whatIf: namesOf(answer).toSorted(),
    });
  return controllers;
}
