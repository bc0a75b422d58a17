// The stories of KEP-3189 with an autoscaler in the loop: each a day with a pod picker, and the same day without it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runMeasures } from "../../src/simulation/scenario-comparison/run-measures.ts";
import { readScenario } from "../../src/simulation/scenario-files/read-scenario.ts";
import { runScenario } from "../../src/simulation/scenario-run/run-scenario.ts";
import { perTier } from "../tier.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const folders = readdirSync(examples).filter((name) => existsSync(`${examples}/${name}/day`));

test("there is a day for each of the four stories", () => {
  expect(folders).toEqual(["airflow-workers", "game-shards", "regional-web", "spark-executors"]);
});

function scenarioOf(folder: string, name: "with-picker" | "without-picker") {
  const read = readScenario(`${examples}/${folder}/day/${name}.yaml`);
  if (!read.ok) throw new Error(read.problems.join("\n"));
  return read.scenario;
}

test.for(folders)("the two days of %s differ by the picker alone", (folder) => {
  const shared = (name: "with-picker" | "without-picker") => {
    const { manifests, load, work, duration, nodes, zones } = scenarioOf(folder, name);
    return { manifests, load, work, duration, nodes, zones };
  };
  expect(shared("without-picker")).toEqual(shared("with-picker"));
  expect(scenarioOf(folder, "without-picker").featureGates).toEqual({ DownscalePodPicker: false });
  const text = readFileSync(`${examples}/${folder}/README.md`, "utf8");
  const files = ["without-picker", "with-picker"].map((name) => `examples/${folder}/day/${name}.yaml`);
  expect(text).toContain(`npm start -- simulate --compare ${files.join(" ")} --seeds`);
});

/** What the picker of a story is for. */
const measureOf = (folder: string) => (folder === "regional-web" ? "highestSkew" : "busyPodsRemoved");

test.runIf(perTier({ unit: false, full: true })).for(folders)(
  "%s holds what it asserts, and its picker helps",
  async (folder) => {
    const measured = async (name: "with-picker" | "without-picker") => {
      const { result } = await runScenario(scenarioOf(folder, name), { seed: 1, withoutSeries: true });
      const failed = result.assertions.filter(({ passed }) => !passed);
      expect({ failed, refused: result.events.filter(({ error }) => error) }).toEqual({
        failed: [],
        refused: [],
      });
      return runMeasures(result)[measureOf(folder)];
    };
    expect(await measured("with-picker")).toBeLessThan(await measured("without-picker"));
  },
);
