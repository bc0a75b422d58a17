import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readScenario } from "../../src/simulation/scenario-files/read-scenario.ts";
import { runScenario } from "../../src/simulation/scenario-run/run-scenario.ts";
import { perTier } from "../tier.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const folders = readdirSync(examples).filter((name) => existsSync(`${examples}/${name}/scenario.yaml`));

test("there is a scenario for every story of the proposals, and one more", () => {
  expect(folders).toHaveLength(11 + 1);
});

test.for(folders)("%s holds what it asserts", async (folder) => {
  const read = readScenario(`${examples}/${folder}/scenario.yaml`);
  if (!read.ok) throw new Error(read.problems.join("\n"));
  const { scenario } = read;
  expect(scenario.assertions?.length).toBeGreaterThan(0);
  const first = scenario.seed ?? 1;
  const seeds = perTier({ unit: 1, full: Math.max(3, scenario.seeds ?? 1) });
  for (let seed = first; seed < first + seeds; seed++) {
    const { result } = await runScenario(scenario, { seed, withoutSeries: true });
    const failed = result.assertions.filter(({ passed }) => !passed);
    expect({ seed, failed, refused: result.events.filter(({ error }) => error) }).toEqual({
      seed,
      failed: [],
      refused: [],
    });
  }
});

test.for(folders)("the README of %s has the command that runs it", (folder) => {
  const text = readFileSync(`${examples}/${folder}/README.md`, "utf8");
  expect(text).toContain(`npm start -- simulate examples/${folder}/scenario.yaml`);
});
