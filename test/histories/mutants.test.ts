import { expect, test } from "vitest";
import { runHistory } from "./run-history.ts";
import type { StoreMutation } from "./simulated-machine.ts";
import {
  acknowledgingEarly,
  ignoringErrors,
  tearingBatches,
  withoutExpiry,
  withoutReservations,
} from "./store-mutations.ts";

/** The first broken promise within some runs. */
async function firstViolation(mutation: StoreMutation, count: number): Promise<string | undefined> {
  for (let seed = 0; seed < count; seed++) {
    const { violation } = await runHistory(seed, mutation);
    if (violation !== undefined) return violation.check;
  }
  return undefined;
}

test.for([
  {
    name: "writes are acknowledged before they are flushed",
    mutation: acknowledgingEarly,
    want: ["linearizable", "a state that was", "one meaning", "types of events"],
  },
  {
    name: "failed writes are taken for done",
    mutation: ignoringErrors,
    want: ["linearizable", "a state that was", "one meaning", "types of events"],
  },
  { name: "batches are torn", mutation: tearingBatches, want: ["a state that was"] },
  {
    name: "revisions are not reserved",
    mutation: withoutReservations,
    want: ["one meaning", "types of events"],
  },
  {
    name: "watches go on from before a crash",
    mutation: withoutExpiry,
    want: ["types of events", "no gap"],
  },
])("within 30 runs it is noticed when $name", async ({ mutation, want }) => {
  expect(want).toContain(await firstViolation(mutation, 30));
});
