import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildFieldManager, normalized, replayedBy } from "./field-manager.ts";
import { randomScenario } from "./random-scenario.ts";
import { replay } from "./replay.ts";

let folder: string;
let program: string | undefined;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "trimtab-field-manager-"));
  program = await buildFieldManager(folder);
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("random writes leave what they leave in Kubernetes", { timeout: 300_000 }, async ({ skip }) => {
  if (program === undefined) {
    skip("no Go");
    return;
  }
  const scenarios = fc.sample(randomScenario, 2000);
  const wanted = await replayedBy(program, scenarios);
  for (const [index, scenario] of scenarios.entries())
    expect({ scenario, outcomes: replay(scenario).map(normalized) }).toEqual({
      scenario,
      outcomes: wanted[index],
    });
});
