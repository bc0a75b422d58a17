import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { normalized } from "./field-manager.ts";
import { type Outcome, replay, type Scenario } from "./replay.ts";

/** Writes, and what Kubernetes' own field manager (`field-manager/`) left behind after each. */
const recorded = JSON.parse(
  readFileSync(new URL("../golden/server-side-apply.json", import.meta.url), "utf8"),
) as readonly {
  readonly scenario: Scenario;
  readonly outcomes: readonly Outcome[];
}[];

describe("writes by several managers leave what they leave in Kubernetes", () => {
  test.for(recorded.map((each, index) => ({ ...each, index, kind: each.scenario.kind })))(
    "$index: $kind",
    ({ scenario, outcomes }) => {
      expect(replay(scenario).map(normalized)).toEqual(outcomes);
    },
  );
});
