import { setFlagsFromString } from "node:v8";
import { describe, expect, test } from "vitest";
import { countSteps } from "./count-steps.ts";
import { targets } from "./targets.ts";
import { wideInputs } from "./wide-inputs.cases.ts";

// Optimised code loses counts. This file has a process of its own.
for (const flag of ["--no-opt", "--no-maglev", "--no-flush-bytecode"]) setFlagsFromString(flag);

const small = 200;
const large = 4 * small;

describe("four times as many parts take a reader no more than six times as many steps", () => {
  test.for(
    wideInputs.flatMap(({ name, targets: names, of }) => names.map((target) => ({ target, name, of }))),
  )("$target: $name", ({ target, of }) => {
    const steps = (count: number) => {
      const input = Buffer.from(of(count));
      return countSteps(() => targets[target](input));
    };
    steps(1); // what is computed once
    const [few, many] = [steps(small), steps(large)];
    // Sorting takes a little more than four times as many; comparing all with all would take sixteen times.
    expect(many / few, `${few} and ${many} steps`).toBeLessThan(6);
  });
});
