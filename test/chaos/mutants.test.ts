import { expect, test } from "vitest";
import { firstViolation } from "./mutants.ts";
import { withoutExpectations, withoutGuards, withoutReadingOwnWrites, withoutUids } from "./mutations.ts";

// Faults have to bite: where a guard is missing, they find it.
test.for([
  {
    name: "UIDs are not checked",
    mutation: withoutUids,
    invariants: ["no-namesake"],
  },
  {
    name: "controllers neither expect nor wait to read what they wrote",
    mutation: withoutGuards,
    invariants: ["no-creation-beyond-shortage", "no-deletion-beyond-surplus"],
  },
  {
    name: "controllers expect nothing",
    mutation: withoutExpectations,
    invariants: ["no-deletion-beyond-surplus"],
  },
  {
    name: "controllers do not wait to read what they wrote",
    mutation: withoutReadingOwnWrites,
    invariants: ["no-creation-beyond-shortage"],
  },
])("within 200 stories it is noticed when $name", async ({ mutation, invariants }) => {
  const { violation } = (await firstViolation(mutation, 200)) ?? {};
  expect(invariants).toContain(violation?.invariant);
});
