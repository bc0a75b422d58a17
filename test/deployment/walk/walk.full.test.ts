import { expect, test } from "vitest";
import { walk } from "./walk.ts";

// TRIMTAB_WALKS says how many, for those who have the time.
const count = Number(process.env["TRIMTAB_WALKS"] ?? 500);
const fifties = Array.from({ length: Math.ceil(count / 50) }, (_, index) => index * 50);

test.for(fifties)("fifty walks from %d on keep every promise, end complete, and replay", async (from) => {
  for (let index = from; index < Math.min(from + 50, count); index++) {
    const seed = `walk ${index}`;
    const { breaches, recording } = await walk(seed);
    expect({ seed, breaches }).toEqual({ seed, breaches: [] });
    const again = await walk(seed);
    expect(again.recording.digest(), `${seed}, played again`).toBe(recording.digest());
  }
});
